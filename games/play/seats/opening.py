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
from games.play.days.holidays import read_for_seats
from games.play.errors import BadInput, Busy, NotAllowed, Stale
from games.play.moves.submission import retry, schedule_bots
from games.play.seats import table_limits
from games.play.storage import codec, store
from games.play.storage.game_start import first_state, opening_lines
from games.play.storage.table import NORMAL, PACES, PLAYING, WAITING, LoadedTable, SeatedPlayer, TableRuntime
from games.records import fair
from games.records.stand_ins import DecisionLog
from games.rules import registry
from games.rules.base import BadSetup, Rules
from games.rules.clock import update_clocks
from games.rules.day_pace import DAY_SECONDS, DAYS_PER_TURN, hold_for_holidays, is_over_days

ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
TURN_SECONDS = range(5, 3601)
"""Allowed turn lengths of live tables, in seconds. Games over days: `DAY_TURNS`."""
DAY_TURNS = tuple(days * DAY_SECONDS for days in DAYS_PER_TURN)
"""Allowed turn lengths of games over days, in seconds."""
ARRIVAL_SECONDS = 30.0
"""Seconds for which a start waits for the contribution of a player whose page has not loaded yet."""

BOT_NAMES = ("Bruno", "Cleo", "Dago", "Emil", "Frida", "Gustav", "Hela", "Ivo")


@dataclass(frozen=True, slots=True)
class TableRequest:
    """What a person requests of a new table. Unchecked until `open_table`. turn_seconds: the length of a turn.

    is_called: the game begins by itself as soon as every seat is taken. pace: how long bots take to move.
    is_timed: turns have a time limit even if only one person plays.
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
    pace: str = NORMAL
    is_timed: bool = False


def open_table(
    player: models.Player, wanted: TableRequest, *, avatars: tuple[str, ...], now: float, levels: Sequence[str] = ()
) -> LoadedTable:
    """A new table with its host on the first seat and the requested bots on the last ones.

    levels: one for each of those bots, where they may differ. Raises BadInput for an impossible request; Busy;
    NotAllowed, TooFast for a bot account.
    """
    table_limits.require_seat_for_bot(player, is_rated=wanted.is_rated)
    if not 0 <= wanted.bots < wanted.seats:
        raise BadInput(
            "A table with %(seats)s seats can have 0 to %(most)s bots.", seats=wanted.seats, most=wanted.seats - 1
        )
    return _open(player, wanted, avatars, levels or [wanted.bot_level] * wanted.bots, now=now)


def open_exhibition(wanted: TableRequest, *, avatars: tuple[str, ...], now: float) -> LoadedTable:
    """A table of bots only, under way at once, for people to watch. Raises BadInput, Busy."""
    bots = [wanted.bot_level] * wanted.seats
    return begin(_open(None, replace(wanted, bots=wanted.seats), avatars, bots, now=now), now=now)


def _open(
    player: models.Player | None, wanted: TableRequest, avatars: tuple[str, ...], bots: Sequence[str], *, now: float
) -> LoadedTable:
    row = build_row(wanted, host=player, now=now)
    chairs = [] if player is None else [_host_seat(row, player)]
    runtime = TableRuntime(
        is_called=wanted.is_called,
        waits=() if player is None else ((0, now + ARRIVAL_SECONDS),),
        pace=wanted.pace,
        is_timed=wanted.is_timed,
    )
    row.desk = codec.write_runtime(runtime)
    taken = [chair.avatar for chair in chairs]
    chairs += build_bot_seats(row, dict(enumerate(bots, wanted.seats - len(bots))), avatars, taken=taken)
    return save_new_table(row, chairs)


def build_row(wanted: TableRequest, *, host: models.Player | None, now: float) -> models.Table:
    """An unsaved table with a secret of its own. Raises BadInput."""
    rules = check_request(wanted)
    secret = secrets.token_bytes(32)
    return models.Table(
        id=_make_id(12),
        game=rules.slug,
        rules=rules.version,
        options=codec.write(dict(wanted.options)),
        is_public=wanted.is_public,
        talk=wanted.talk,
        is_rated=wanted.is_rated,
        invite=_make_id(20),
        seat_count=wanted.seats,
        turn_seconds=wanted.turn_seconds,
        host=host,
        created_at=now,
        version=1,
        secret=secret.hex(),
        commitment=fair.commit(secret),
        procedure=fair.PROCEDURE,
    )


def save_new_table(row: models.Table, chairs: Sequence[models.Seat]) -> LoadedTable:
    """Save a new table with these seats taken. Raises Busy."""
    try:
        with transaction.atomic():
            row.save(force_insert=True)
            models.Seat.objects.bulk_create(chairs)
    except DatabaseError as error:
        raise Busy("The database could not open the table. Try again in a moment.") from error
    return store.reload(row.pk)


def check_request(wanted: TableRequest) -> Rules[Any]:
    """The rules of the requested game. Raises BadInput for an impossible request."""
    try:
        rules = registry.find(wanted.game)
        rules.check_options(wanted.seats, wanted.options)
    except BadSetup as error:
        raise BadInput(error.template, **error.values) from error
    _check_level(rules, wanted.bot_level)
    if wanted.talk not in permissions.TALK_LEVELS:
        raise BadInput(
            "There is no such chat setting. Choose one of: %(known)s.", known=", ".join(permissions.TALK_LEVELS)
        )
    if wanted.pace not in PACES:
        raise BadInput("There is no such pace. Choose one of: %(known)s.", known=", ".join(PACES))
    if is_over_days(wanted.turn_seconds):
        _check_days(rules, wanted)
    elif wanted.turn_seconds not in TURN_SECONDS:
        raise BadInput(
            "Choose a turn time of %(least)s to %(most)s seconds.", least=TURN_SECONDS[0], most=TURN_SECONDS[-1]
        )
    return rules


def _check_days(rules: Rules[Any], wanted: TableRequest) -> None:
    if wanted.turn_seconds not in DAY_TURNS:
        raise BadInput("Choose how many days a turn may take: %(days)s.", days=", ".join(map(str, DAYS_PER_TURN)))
    if wanted.options.get("minutes") is not None:
        raise BadInput("A game over days has no time limit in minutes. Leave it empty.")
    info = registry.infos()[rules.slug]
    if rules.ends_by_clock and not wanted.options.get(info.deals_option):
        raise BadInput("A game over days needs an agreed length. Choose a number of deals or sessions.")


def _check_level(rules: Rules[Any], level: str) -> None:
    levels = bots.list_bot_levels(rules.slug)
    if level not in levels:
        raise BadInput(
            "There is no bot level “%(level)s”. Choose one of: %(known)s.", level=level, known=", ".join(levels)
        )


def _host_seat(row: models.Table, player: models.Player) -> models.Seat:
    return models.Seat(table=row, index=0, player=player, name=player.name, avatar=player.avatar)


def build_bot_seats(
    row: models.Table, chairs: Mapping[int, str], avatars: tuple[str, ...], *, taken: list[str]
) -> list[models.Seat]:
    """Unsaved seats of bots. chairs: seat → level; each bot gets a name and an animal of its own."""
    free = [avatar for avatar in avatars if avatar not in taken] or list(avatars)
    return [
        models.Seat(
            table=row, index=chair, bot=level, name=BOT_NAMES[chair % len(BOT_NAMES)], avatar=free[chair % len(free)]
        )
        for chair, level in chairs.items()
    ]


def start(table_id: str, player_id: int | None, *, fill: str, avatars: tuple[str, ...], now: float) -> LoadedTable:
    """Request the start: any seated player, once every seat is taken; the host also with bots on the free ones.

    It begins when every person has contributed to the deal, or `sitting.CONTRIBUTION_SECONDS` after the last of the
    others has arrived. fill: the level of those bots, or empty. Idempotent. Raises NotAllowed (no seat, not the host),
    Stale (it has started), BadInput (seats are free, unknown level).
    """

    def attempt(table: LoadedTable, now: float) -> LoadedTable:
        if table.seat_of(player_id) is None:
            raise NotAllowed("You have no seat at this table. Sit down first.")
        if table.status != WAITING:
            raise Stale("This game has already started.")
        if table.runtime.arranged is not None:
            raise NotAllowed("This table starts automatically as soon as everybody is here.")
        added: list[models.Seat] = []
        if table.free_chairs():
            _check_fill(table, player_id, fill)
            added = _fill_up(table, fill, avatars)
        places = (SeatedPlayer(seat.index, None, seat.bot, seat.name, seat.avatar, None) for seat in added)
        after = table._replace(
            places=tuple(sorted([*table.places, *places], key=attrgetter("seat"))),
            runtime=table.runtime._replace(is_called=True),
        )
        if after == table and not is_due(after, now=now):
            return table
        return save_or_begin(table, after, now=now, also=partial(models.Seat.objects.bulk_create, added))

    return retry(table_id, attempt, now=now)


def _check_fill(table: LoadedTable, player_id: int | None, fill: str) -> None:
    if not fill:
        raise BadInput(
            "Free seats: %(free)s. Wait for more people, or fill the seats with bots.", free=len(table.free_chairs())
        )
    if player_id != table.host_id:
        raise NotAllowed("Only the host of this table can fill its seats with bots.")
    _check_level(table.rules, fill)


def _fill_up(table: LoadedTable, fill: str, avatars: tuple[str, ...]) -> list[models.Seat]:
    free = dict.fromkeys(table.free_chairs(), fill)
    return build_bot_seats(models.Table(pk=table.id), free, avatars, taken=[place.avatar for place in table.places])


def is_due(table: LoadedTable, *, now: float) -> bool:
    """Whether the game of this waiting table can begin now."""
    due = table.begins_at
    return due is not None and due <= now


def save_or_begin(
    before: LoadedTable, after: LoadedTable, *, now: float, also: Callable[[], object] | None = None
) -> LoadedTable:
    """Write a change of a waiting table, and begin its game in the same change if it can.

    after: still of the version before. also: further writes of the same change (seats). Raises Conflict, Busy.
    """
    if is_due(after, now=now):
        return begin(after, now=now, also=also)
    return store.commit(before, after.changed(), also=also)


def begin_if_due(table: LoadedTable, *, now: float) -> LoadedTable:
    """Begin the game if it is due; otherwise return the same table. Raises Conflict, Busy."""
    return begin(table, now=now) if is_due(table, now=now) else table


def begin(table: LoadedTable, *, now: float, also: Callable[[], object] | None = None) -> LoadedTable:
    """Deal and start the clocks. also: further writes of the same change.

    At an arranged table bots stand in for the people who have not come, unless it is a game over days; a paused one
    stands still at once.
    Raises Conflict, Busy.
    """
    before, table = table, _assign_seats(table)
    seed = _find_seed(table)
    state = first_state(table.rules, table.seat_count, table.options, seed)
    runtime = store.build_first_runtime(table.seat_count)._replace(
        pace=table.runtime.pace, is_timed=table.runtime.is_timed, is_untimed=table.is_untimed
    )
    deadlines = table._replace(runtime=runtime).list_deadlines(state)
    clocks = update_clocks((), deadlines, turn_seconds=table.turn_seconds, now=now)
    if table.is_over_days:
        runtime = runtime._replace(holidays=read_for_seats(table, now=now))
        clocks = hold_for_holidays((), clocks, holidays_before=(), holidays=runtime.holidays, now=now)
    after = table.changed(
        status=PLAYING,
        state=state,
        seed=seed.hex(),
        started_at=now,
        log=opening_lines(table.rules, table.seat_count, table.options, seed.hex()),
        runtime=runtime._replace(
            clocks=clocks,
            arranged=table.runtime.arranged,
            decisions=DecisionLog((0,) * table.seat_count),
            stand_ins=table.runtime.stand_ins | set(() if table.is_over_days else table.missing()),
            paused_at=None if table.runtime.paused_at is None else now,
        ),
    )

    def write_seats() -> None:
        if also is not None:
            also()
        if table.places != before.places:
            _write_seats(table)

    return store.commit(table, schedule_bots(after, now=now), also=write_seats)


def _assign_seats(table: LoadedTable) -> LoadedTable:
    """The table with everybody on a seat assigned by lot; an arranged table keeps its seats.

    The lot comes from the same secret and contributions as the cards, so nobody can choose a seat.
    """
    if table.runtime.arranged is not None:
        return table
    chairs = fair.draw_seats(bytes.fromhex(table.secret), table.id, [place.entropy for place in table.places])
    places = (table.places[chair]._replace(seat=seat, chair=chair) for seat, chair in enumerate(chairs))
    return table._replace(places=tuple(places))


def _write_seats(table: LoadedTable) -> None:
    rows = models.Seat.objects.filter(table_id=table.id)
    rows.update(chair=F("index"), index=F("index") + table.seat_count)  # no two on one seat in between
    for place in table.places:
        rows.filter(chair=place.chair).update(index=place.seat)


def _find_seed(table: LoadedTable) -> bytes:
    if table.runtime.arranged is not None and table.runtime.arranged.deal_seed:
        return bytes.fromhex(table.runtime.arranged.deal_seed)
    return fair.derive_seed(bytes.fromhex(table.secret), table.id, [place.entropy for place in table.places])


def _make_id(length: int) -> str:
    return "".join(secrets.choice(ID_LETTERS) for _ in range(length))
