"""Tables that somebody has arranged, a tournament's for example: its people are seated, and nobody else sits down.

Such a table waits until everybody has come (`seats.come_back`), then starts by itself. Whoever arranged it may
start it without the absent, close it before it has begun, put somebody else on a chair, let all clocks stand
still and go on, move the bell, and ring it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from games import models
from games.play import permissions
from games.play.errors import BadInput, Stale
from games.play.moves import advance
from games.play.moves.submission import retry, run_overdue, with_bots
from games.play.seats import opening
from games.play.seats.sitting import TIME_UP, ring
from games.play.storage import codec, store
from games.play.storage.table import OVER, PLAYING, WAITING, Arrangement, Desk, Loaded, Place
from games.rules.base import IllegalMove, Seat

SEALED = '",true,"'
"""What the desk of a table has in it, as text, as long as its record is kept back: after the seed of its deals."""


@dataclass(frozen=True, slots=True)
class Guest:
    """Who is to sit on a chair: a person (player), or a bot of some level."""

    name: str
    avatar: str
    player_id: int | None = None
    bot: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is arranged, its guests by seat.

    deal_seed: 64 hex digits, for the same deals at several tables; shared_deal: the `SharedDeal` that it is made of;
    is_sealed: the record is kept back until `unseal`; home: the address of the page to which its people go back.
    """

    game: str
    guests: Sequence[Guest]
    options: Mapping[str, Any] = field(default_factory=dict)
    turn_seconds: int = 45
    is_public: bool = True
    deal_seed: str = ""
    shared_deal: int | None = None
    is_sealed: bool = False
    home: str = ""
    talk: str = permissions.PHRASES_ONLY
    is_rated: bool = True

    def wish(self) -> opening.Wish:
        """The table as `opening` checks it."""
        return opening.Wish(
            self.game,
            len(self.guests),
            self.options,
            is_public=self.is_public,
            turn_seconds=self.turn_seconds,
            talk=self.talk,
            is_rated=self.is_rated,
        )


def arrange(plan: Plan, *, now: float) -> Loaded:
    """A table with everybody on his chair, waiting for its people; under way at once if there are none.

    To be called inside `store.together`. Raises BadInput for what the game does not allow; Busy.
    """
    row = opening.new_row(plan.wish(), host=None, now=now)
    known = Arrangement(frozenset(), plan.deal_seed, plan.is_sealed, plan.home, plan.shared_deal)
    row.desk = codec.write_desk(Desk(arranged=known))
    table = opening.lay(row, [_seat(row, chair, guest) for chair, guest in enumerate(plan.guests)])
    return opening.begin_if_due(table, now=now)


def _seat(row: models.Table, chair: Seat, guest: Guest) -> models.Seat:
    return models.Seat(
        table=row, index=chair, player_id=guest.player_id, bot=guest.bot, name=guest.name[:32], avatar=guest.avatar,
    )  # fmt: skip


def begin(table_id: str, *, now: float, without: frozenset[Seat] = frozenset()) -> Loaded:
    """Wait no longer for the absent of an arranged table: bots stand in for them until they come. Twice is once.

    The game begins as soon as those who are there have contributed to the deal, or have been waited for.
    without: chairs whose person loses their place to a bot for good.
    """

    def attempt(table: Loaded, now: float) -> Loaded:
        if table.status != WAITING or table.desk.arranged is None:
            return table
        places = tuple(_emptied(place) if place.seat in without else place for place in table.places)
        after = table._replace(places=places)
        after = after._replace(desk=after.desk._replace(stand_ins=after.desk.stand_ins | set(after.missing())))
        is_due = opening.is_due(after._replace(desk=after.desk._replace(paused_at=None)), now=now)
        if is_due:  # in a pause, too: it stands still then
            return opening.begin(after, now=now, also=partial(_empty, table.id, without))
        if after == table:
            return table
        return store.commit(table, after.changed(), also=partial(_empty, table.id, without))

    return retry(table_id, attempt, now=now)


def _emptied(place: Place) -> Place:
    return place._replace(player_id=None, bot="steady", entropy=None)


def _empty(table_id: str, seats: frozenset[Seat]) -> None:
    models.Seat.objects.filter(table_id=table_id, index__in=seats).update(player=None, bot="steady", entropy=None)


def close(table_id: str, *, now: float) -> Loaded:
    """Take an arranged table away before its game has begun. Raises Stale once it has."""

    def attempt(table: Loaded, now: float) -> Loaded:
        if table.status == OVER and table.outcome is None:
            return table
        if table.status != WAITING:
            raise Stale("The game at this table has begun.")
        return store.commit(table, table.changed(status=OVER, ended_at=now))

    return retry(table_id, attempt, now=now)


def open_again(table_id: str) -> Loaded:
    """Take the closing of an arranged table back: its people are waited for again. Twice is once.

    Raises Stale if its game is over.
    """

    def attempt(table: Loaded, _now: float) -> Loaded:
        if table.status != OVER:
            return table
        if table.started_at is not None or table.desk.arranged is None:
            raise Stale("The game at this table is over.")
        return store.commit(table, table.changed(status=WAITING, ended_at=None))

    return retry(table_id, attempt)


def seat_other(table_id: str, seat: Seat, guest: Guest, *, now: float) -> Loaded:
    """Put somebody else on a chair; the game goes on. Twice is once.

    Raises BadInput (he sits at this table already), Stale (it is over).
    """

    def attempt(table: Loaded, now: float) -> Loaded:
        place = table.place(seat)
        if table.status == OVER or place is None:
            raise Stale("The game at this table is over.")
        if (place.player_id, place.bot, place.name) == (guest.player_id, guest.bot, guest.name[:32]):
            return table
        if table.seat_of(guest.player_id) not in (None, seat):
            raise BadInput("%(name)s sits at this table already.", name=guest.name)
        entropy = None if table.status == WAITING else place.entropy
        new = Place(seat, guest.player_id, guest.bot, guest.name[:32], guest.avatar, entropy)
        after = table.changed(
            places=tuple(new if known.seat == seat else known for known in table.places),
            desk=_forget_person(table.desk, seat),
        )
        if table.status == PLAYING:
            after = with_bots(after, now=now)
        return store.commit(table, after, also=partial(_write_place, table.id, new, since=table.ply))

    return retry(table_id, attempt, now=now)


def _forget_person(desk: Desk, seat: Seat) -> Desk:
    """Nothing that was noted of who sat there holds for who comes: no order, no absence, no turn that ran out."""
    arranged = desk.arranged
    if arranged is not None:
        arranged = arranged._replace(arrived=arranged.arrived - {seat})
    return desk._replace(
        timeouts=tuple(0 if index == seat else count for index, count in enumerate(desk.timeouts)),
        stand_ins=desk.stand_ins - {seat},
        standing_passes=desk.standing_passes - {seat},
        played=desk.played.without(seat),
        waits=tuple(wait for wait in desk.waits if wait[0] != seat),
        arranged=arranged,
    )


def _write_place(table_id: str, place: Place, *, since: int) -> None:
    models.Seat.objects.filter(table_id=table_id, index=place.seat).update(
        player_id=place.player_id, bot=place.bot, name=place.name, avatar=place.avatar, entropy=place.entropy,
        since=since,
    )  # fmt: skip


def pause(table_id: str, *, now: float) -> Loaded:
    """Let everything at this table stand still; one that waits for its people begins no game. Twice is once."""

    def attempt(table: Loaded, present: float) -> Loaded:
        table = run_overdue(table, now=now)
        is_open = table.status == WAITING and table.desk.arranged is None
        if table.status == OVER or is_open or table.desk.paused_at is not None:
            return table
        return store.commit(table, table.changed(desk=table.desk._replace(paused_at=present, bot_due=None, bots=())))

    return retry(table_id, attempt, now=now)


def resume(table_id: str, *, now: float) -> Loaded:
    """Go on, with every clock as it was; a game whose people have come meanwhile begins. Twice is once."""

    def attempt(table: Loaded, now: float) -> Loaded:
        if table.status == OVER or table.desk.paused_at is None:
            return table
        if table.status == WAITING:
            gone = now - table.desk.paused_at
            waits = tuple((seat, until + gone) for seat, until in table.desk.waits)
            return opening.go_on(table, table._replace(desk=table.desk._replace(paused_at=None, waits=waits)), now=now)
        return store.commit(table, with_bots(advance.go_on(table, now=now).changed(), now=now))

    return retry(table_id, attempt, now=now)


def time_up(table_id: str, *, now: float) -> Loaded:
    """The bell: the game ends as its document says. Twice is once; a game that knows no bell goes on."""

    def attempt(table: Loaded, now: float) -> Loaded:
        return (ring(table, now=now) or table) if table.status == PLAYING else table

    return retry(table_id, attempt, now=now)


def would_hear(table: Loaded) -> bool:
    """Whether a bell would change anything at this table: its game is under way, knows one, and has not heard it."""
    if table.status != PLAYING:
        return False
    try:
        return bool(table.rules.on_clock(table.state, TIME_UP)[1])
    except IllegalMove:
        return False


def set_bell(table_id: str, at: float, *, now: float) -> Loaded:
    """Let the bell of a running game be due at this moment, if it has one and has not rung. Twice is once."""

    def attempt(table: Loaded, now: float) -> Loaded:
        if table.status != PLAYING or table.desk.paused_at is not None:
            return table
        clocks = tuple(clock._replace(due=at) if clock.event == TIME_UP else clock for clock in table.desk.clocks)
        if clocks == table.desk.clocks:
            return table
        return store.commit(table, with_bots(table.changed(desk=table.desk._replace(clocks=clocks)), now=now))

    return retry(table_id, attempt, now=now)


def unseal(table_id: str) -> Loaded:
    """Publish what was kept back: the end of a game whose deals others were still playing."""

    def attempt(table: Loaded, _now: float) -> Loaded:
        known = table.desk.arranged
        if known is None or not known.is_sealed:
            return table
        return store.commit(table, table.changed(desk=table.desk._replace(arranged=known._replace(is_sealed=False))))

    return retry(table_id, attempt)
