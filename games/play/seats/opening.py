"""Open a table, and start its game."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import attrgetter
from typing import Any

from django.db import DatabaseError, transaction
from django.db.models import F

from games import bots, models
from games.play import permissions
from games.play.errors import BadInput, Busy, NotAllowed, Stale
from games.play.moves.submission import retry, with_bots
from games.play.storage import codec, store
from games.play.storage.game_start import first_state, opening_lines
from games.play.storage.table import PLAYING, WAITING, Desk, Loaded, Place
from games.records import fair
from games.records.stand_ins import DecisionLog
from games.rules import registry
from games.rules.base import BadSetup, Rules
from games.rules.clock import update_clocks

ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
TURN_SECONDS = range(5, 3601)
COME_SECONDS = 30.0
"""So long the contribution of somebody who sits down is waited for, until their page is there."""

BOT_NAMES = ("Bruno", "Cleo", "Dago", "Emil", "Frida", "Gustav", "Hela", "Ivo")


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants of a new table. Unchecked until `open_table`.

    is_called: the game begins by itself as soon as every chair is taken.
    """

    game: str
    seats: int
    options: Mapping[str, Any] = field(default_factory=dict)
    bots: int = 0
    bot_level: str = "steady"
    is_public: bool = True
    talk: str = permissions.PHRASES_ONLY
    turn_seconds: int = 45
    is_rated: bool = True
    is_called: bool = False


def open_table(
    player: models.Player, wish: Wish, *, avatars: tuple[str, ...], now: float, levels: Sequence[str] = ()
) -> Loaded:
    """A new table with its host on the first chair and the wished bots on the last ones.

    levels: of each of those bots, where they may differ. Raises BadInput with a sentence for an impossible wish; Busy.
    """
    if not 0 <= wish.bots < wish.seats:
        raise BadInput("A table of %(seats)s has room for 0 to %(most)s bots.", seats=wish.seats, most=wish.seats - 1)
    return _open(player, wish, avatars, levels or [wish.bot_level] * wish.bots, now=now)


def open_exhibition(wish: Wish, *, avatars: tuple[str, ...], now: float) -> Loaded:
    """A table of bots only, under way at once, for people to watch. Raises BadInput, Busy."""
    bots = [wish.bot_level] * wish.seats
    return begin(_open(None, replace(wish, bots=wish.seats), avatars, bots, now=now), now=now)


def _open(
    player: models.Player | None, wish: Wish, avatars: tuple[str, ...], bots: Sequence[str], *, now: float
) -> Loaded:
    row = new_row(wish, host=player, now=now)
    chairs = [] if player is None else [_host_seat(row, player)]
    desk = Desk(is_called=wish.is_called, waits=() if player is None else ((0, now + COME_SECONDS),))
    row.desk = codec.write_desk(desk)
    taken = [chair.avatar for chair in chairs]
    chairs += bot_seats(row, dict(enumerate(bots, wish.seats - len(bots))), avatars, taken=taken)
    return lay(row, chairs)


def new_row(wish: Wish, *, host: models.Player | None, now: float) -> models.Table:
    """An unsaved table with a secret of its own. Raises BadInput."""
    rules = check(wish)
    secret = secrets.token_bytes(32)
    return models.Table(
        id=_draw_name(12),
        game=rules.slug,
        rules=rules.version,
        options=codec.write(dict(wish.options)),
        is_public=wish.is_public,
        talk=wish.talk,
        is_rated=wish.is_rated,
        invite=_draw_name(20),
        seat_count=wish.seats,
        turn_seconds=wish.turn_seconds,
        host=host,
        created_at=now,
        version=1,
        secret=secret.hex(),
        commitment=fair.commit(secret),
        procedure=fair.PROCEDURE,
    )


def lay(row: models.Table, chairs: Sequence[models.Seat]) -> Loaded:
    """Save a new table with these chairs taken. Raises Busy."""
    try:
        with transaction.atomic():
            row.save(force_insert=True)
            models.Seat.objects.bulk_create(chairs)
    except DatabaseError as error:
        raise Busy("The club's database could not open a table now. Try again in a moment.") from error
    return store.reload(row.pk)


def check(wish: Wish) -> Rules[Any]:
    """The rules of the game that is wished for. Raises BadInput with a sentence for an impossible wish."""
    try:
        rules = registry.find(wish.game)
        rules.check_options(wish.seats, wish.options)
    except BadSetup as error:
        raise BadInput(error.template, **error.values) from error
    _check_level(rules, wish.bot_level)
    if wish.talk not in permissions.TALKS:
        raise BadInput("What may be said at a table is one of: %(known)s.", known=", ".join(permissions.TALKS))
    if wish.turn_seconds not in TURN_SECONDS:
        raise BadInput("A turn lasts %(least)s to %(most)s seconds.", least=TURN_SECONDS[0], most=TURN_SECONDS[-1])
    return rules


def _check_level(rules: Rules[Any], level: str) -> None:
    known = bots.list_bot_levels(rules.slug)
    if level not in known:
        raise BadInput(
            "There is no bot of level “%(level)s”. Choose one of: %(known)s.", level=level, known=", ".join(known)
        )


def _host_seat(row: models.Table, player: models.Player) -> models.Seat:
    return models.Seat(table=row, index=0, player=player, name=player.name, avatar=player.avatar)


def bot_seats(
    row: models.Table, chairs: Mapping[int, str], avatars: tuple[str, ...], *, taken: list[str]
) -> list[models.Seat]:
    """Unsaved seats of bots for these chairs, each of its level, with a name and an animal of its own."""
    free = [avatar for avatar in avatars if avatar not in taken] or list(avatars)
    return [
        models.Seat(
            table=row, index=chair, bot=level, name=BOT_NAMES[chair % len(BOT_NAMES)], avatar=free[chair % len(free)]
        )
        for chair, level in chairs.items()
    ]


def start(table_id: str, player_id: int | None, *, fill: str, avatars: tuple[str, ...], now: float) -> Loaded:
    """Start the game: anybody who sits, once every chair is taken; the host also with bots on the free ones.

    It begins when every person has contributed to the deal, at the latest three seconds after the last of those who
    have not has come. fill: the level of those bots, or empty. Asking twice is asking once. Raises NotAllowed (no
    seat, not the host), Stale (it has started), BadInput (chairs are free, unknown level).
    """

    def attempt(table: Loaded, now: float) -> Loaded:
        if table.seat_of(player_id) is None:
            raise NotAllowed("You have no seat at this table. Sit down first.")
        if table.status != WAITING:
            raise Stale("This game has started already.")
        if table.desk.arranged is not None:
            raise NotAllowed("This table starts by itself as soon as everybody is here.")
        added: list[models.Seat] = []
        if table.free_chairs():
            _check_fill(table, player_id, fill)
            added = _fill_up(table, fill, avatars)
        places = (Place(seat.index, None, seat.bot, seat.name, seat.avatar, None) for seat in added)
        after = table._replace(
            places=tuple(sorted([*table.places, *places], key=attrgetter("seat"))),
            desk=table.desk._replace(is_called=True),
        )
        if after == table and not is_due(after, now=now):
            return table
        return go_on(table, after, now=now, also=partial(models.Seat.objects.bulk_create, added))

    return retry(table_id, attempt, now=now)


def _check_fill(table: Loaded, player_id: int | None, fill: str) -> None:
    if not fill:
        raise BadInput(
            "Free seats: %(free)s. Wait for more people, or fill the seats with bots.", free=len(table.free_chairs())
        )
    if player_id != table.host_id:
        raise NotAllowed("Only the host of this table fills its chairs with bots.")
    _check_level(table.rules, fill)


def _fill_up(table: Loaded, fill: str, avatars: tuple[str, ...]) -> list[models.Seat]:
    free = dict.fromkeys(table.free_chairs(), fill)
    return bot_seats(models.Table(pk=table.id), free, avatars, taken=[place.avatar for place in table.places])


def is_due(table: Loaded, *, now: float) -> bool:
    """Whether nobody is waited for any more before the game of this waiting table."""
    due = table.begins_at
    return due is not None and due <= now


def go_on(before: Loaded, after: Loaded, *, now: float, also: Callable[[], object] | None = None) -> Loaded:
    """Write a change of a waiting table, and begin its game with it if nobody is waited for any more.

    after: still of the version before. also: further writes of the same change (seats). Raises Conflict, Busy.
    """
    if is_due(after, now=now):
        return begin(after, now=now, also=also)
    return store.commit(before, after.changed(), also=also)


def begin_if_due(table: Loaded, *, now: float) -> Loaded:
    """Begin a game whose people have been waited for long enough; else the same table. Raises Conflict, Busy."""
    return begin(table, now=now) if is_due(table, now=now) else table


def begin(table: Loaded, *, now: float, also: Callable[[], object] | None = None) -> Loaded:
    """Deal and start the clocks. also: further writes of the same change.

    At an arranged table bots stand in for the people who have not come; a paused one stands still at once.
    Raises Conflict, Busy.
    """
    before, table = table, _draw_seats(table)
    seed = _find_seed(table)
    state = first_state(table.rules, table.seat_count, table.options, seed)
    clocks = update_clocks((), table.rules.deadlines(state), turn_seconds=table.turn_seconds, now=now)
    after = table.changed(
        status=PLAYING,
        state=state,
        seed=seed.hex(),
        started_at=now,
        log=opening_lines(table.rules, table.seat_count, table.options, seed.hex()),
        desk=store.fresh_desk(table.seat_count)._replace(
            clocks=clocks,
            arranged=table.desk.arranged,
            played=DecisionLog((0,) * table.seat_count),
            stand_ins=table.desk.stand_ins | set(table.missing()),
            paused_at=None if table.desk.paused_at is None else now,
        ),
    )

    def write_seats() -> None:
        if also is not None:
            also()
        if table.places != before.places:
            _write_seats(table)

    return store.commit(table, with_bots(after, now=now), also=write_seats)


def _draw_seats(table: Loaded) -> Loaded:
    """The table with everybody on the seat that the lot gives them; where somebody has arranged it, on their own.

    The lot is made of what nobody chose, as the cards are.
    """
    if table.desk.arranged is not None:
        return table
    chairs = fair.draw_seats(bytes.fromhex(table.secret), table.id, [place.entropy for place in table.places])
    places = (table.places[chair]._replace(seat=seat, chair=chair) for seat, chair in enumerate(chairs))
    return table._replace(places=tuple(places))


def _write_seats(table: Loaded) -> None:
    rows = models.Seat.objects.filter(table_id=table.id)
    rows.update(chair=F("index"), index=F("index") + table.seat_count)  # no two on one seat in between
    for place in table.places:
        rows.filter(chair=place.chair).update(index=place.seat)


def _find_seed(table: Loaded) -> bytes:
    if table.desk.arranged is not None and table.desk.arranged.deal_seed:
        return bytes.fromhex(table.desk.arranged.deal_seed)
    return fair.derive_seed(bytes.fromhex(table.secret), table.id, [place.entropy for place in table.places])


def _draw_name(length: int) -> str:
    return "".join(secrets.choice(ID_LETTERS) for _ in range(length))
