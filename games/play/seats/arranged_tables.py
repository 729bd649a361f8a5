"""Arranged tables, for example of a tournament: their players are seated in advance, and nobody else sits down.

Such a table waits until all have arrived (`sitting.return_to_table`), then starts by itself. The organiser's code may
start it without the absent, close it before it has begun, replace a player, pause and resume it, move the bell and
ring it.
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
from games.play.moves.submission import retry, run_overdue, schedule_bots
from games.play.seats import opening
from games.play.seats.sitting import TIME_UP, ring
from games.play.storage import codec, store
from games.play.storage.table import OVER, PLAYING, WAITING, Arrangement, LoadedTable, SeatedPlayer, TableRuntime
from games.rules.base import IllegalMove, Seat

SEALED_MARK = '",true,"'
"""Substring of the column `desk` of tables whose record is sealed: it follows the seed of their deals."""


@dataclass(frozen=True, slots=True)
class SeatAssignment:
    """Who is to sit on a seat: a person (player_id), or a bot of this level (bot)."""

    name: str
    avatar: str
    player_id: int | None = None
    bot: str = ""


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A table to arrange. guests: who sits where, by seat.

    deal_seed: 64 hex digits, for the same deals at several tables; shared_deal: the `SharedDeal` that it is made of;
    is_sealed: the record stays hidden until `unseal`; home: the URL path of the page to which its players return.
    """

    game: str
    guests: Sequence[SeatAssignment]
    options: Mapping[str, Any] = field(default_factory=dict)
    turn_seconds: int = 45
    is_public: bool = True
    deal_seed: str = ""
    shared_deal: int | None = None
    is_sealed: bool = False
    home: str = ""
    talk: str = permissions.PHRASES_ONLY
    is_rated: bool = True

    def to_request(self) -> opening.TableRequest:
        """The table as `opening` checks it."""
        return opening.TableRequest(
            self.game,
            len(self.guests),
            self.options,
            is_public=self.is_public,
            turn_seconds=self.turn_seconds,
            talk=self.talk,
            is_rated=self.is_rated,
        )


def arrange(plan: TablePlan, *, now: float) -> LoadedTable:
    """Open a table with everybody seated. It waits for its people, or starts at once if it has only bots.

    Call it inside `store.save_together`. Raises BadInput for what the game does not allow; Busy.
    """
    row = opening.build_row(plan.to_request(), host=None, now=now)
    arrangement = Arrangement(frozenset(), plan.deal_seed, plan.is_sealed, plan.home, plan.shared_deal)
    row.desk = codec.write_runtime(TableRuntime(arranged=arrangement))
    table = opening.save_new_table(row, [_seat(row, chair, guest) for chair, guest in enumerate(plan.guests)])
    return opening.begin_if_due(table, now=now)


def _seat(row: models.Table, chair: Seat, guest: SeatAssignment) -> models.Seat:
    return models.Seat(
        table=row, index=chair, player_id=guest.player_id, bot=guest.bot, name=guest.name, avatar=guest.avatar,
    )  # fmt: skip


def start_without_absent(table_id: str, *, now: float, without: frozenset[Seat] = frozenset()) -> LoadedTable:
    """Start an arranged table without the absent: bots stand in for them until they arrive. Idempotent.

    The game begins as soon as those present have contributed to the deal, or the time for that is over.
    without: seats whose person is replaced by a bot for good. In a game over days nobody is absent: they have their
    days for each turn.
    """

    def attempt(table: LoadedTable, now: float) -> LoadedTable:
        if table.status != WAITING or table.runtime.arranged is None:
            return table
        places = tuple(_without_player(place) if place.seat in without else place for place in table.places)
        after = table._replace(places=places)
        after = after._replace(runtime=_cover_missing(after))
        is_due = opening.is_due(after._replace(runtime=after.runtime._replace(paused_at=None)), now=now)
        if is_due:  # in a pause, too: it stands still then
            return opening.begin(after, now=now, also=partial(_empty_seats, table.id, without))
        if after == table:
            return table
        return store.commit(table, after.changed(), also=partial(_empty_seats, table.id, without))

    return retry(table_id, attempt, now=now)


def _cover_missing(table: LoadedTable) -> TableRuntime:
    runtime, arranged = table.runtime, table.runtime.arranged
    if table.is_over_days and arranged is not None:
        everybody = frozenset(table.people)
        return runtime._replace(arranged=arranged._replace(arrived=arranged.arrived | everybody))
    return runtime._replace(stand_ins=runtime.stand_ins | set(table.missing()))


def _without_player(place: SeatedPlayer) -> SeatedPlayer:
    return place._replace(player_id=None, bot="steady", entropy=None)


def _empty_seats(table_id: str, seats: frozenset[Seat]) -> None:
    models.Seat.objects.filter(table_id=table_id, index__in=seats).update(player=None, bot="steady", entropy=None)


def close(table_id: str, *, now: float) -> LoadedTable:
    """Close an arranged table whose game has not begun. Raises Stale if it has."""

    def attempt(table: LoadedTable, now: float) -> LoadedTable:
        if table.status == OVER and table.outcome is None:
            return table
        if table.status != WAITING:
            raise Stale("The game at this table has already begun.")
        return store.commit(table, table.changed(status=OVER, ended_at=now))

    return retry(table_id, attempt, now=now)


def reopen(table_id: str) -> LoadedTable:
    """Reopen a closed arranged table: it waits for its people again. Idempotent.

    Raises Stale if its game is over.
    """

    def attempt(table: LoadedTable, _now: float) -> LoadedTable:
        if table.status != OVER:
            return table
        if table.started_at is not None or table.runtime.arranged is None:
            raise Stale("The game at this table is over.")
        return store.commit(table, table.changed(status=WAITING, ended_at=None))

    return retry(table_id, attempt)


def replace_player(table_id: str, seat: Seat, guest: SeatAssignment, *, now: float) -> LoadedTable:
    """Replace the player of a seat; the game goes on. Idempotent.

    Raises BadInput (they sit at this table already), Stale (it is over).
    """

    def attempt(table: LoadedTable, now: float) -> LoadedTable:
        place = table.place(seat)
        if table.status == OVER or place is None:
            raise Stale("The game at this table is over.")
        if (place.player_id, place.bot, place.name) == (guest.player_id, guest.bot, guest.name):
            return table
        if table.seat_of(guest.player_id) not in (None, seat):
            raise BadInput("%(name)s already sits at this table.", name=guest.name)
        entropy = None if table.status == WAITING else place.entropy
        people = models.Player.objects.filter(pk=guest.player_id or 0, user__isnull=False)
        new = SeatedPlayer(
            seat, guest.player_id, guest.bot, guest.name, guest.avatar, entropy, has_account=people.exists()
        )
        after = table.changed(
            places=tuple(new if other.seat == seat else other for other in table.places),
            runtime=_forget_person(table.runtime, seat),
        )
        if table.status == PLAYING:
            after = schedule_bots(after, now=now)
        return store.commit(table, after, also=partial(_write_place, table.id, new, since=table.ply))

    return retry(table_id, attempt, now=now)


def _forget_person(runtime: TableRuntime, seat: Seat) -> TableRuntime:
    """Remove standing orders, absence, timeouts and decisions of the seat's former player."""
    arranged = runtime.arranged
    if arranged is not None:
        arranged = arranged._replace(arrived=arranged.arrived - {seat})
    return runtime._replace(
        timeouts=tuple(0 if index == seat else count for index, count in enumerate(runtime.timeouts)),
        stand_ins=runtime.stand_ins - {seat},
        standing_passes=runtime.standing_passes - {seat},
        standing_answers=tuple(order for order in runtime.standing_answers if order[0] != seat),
        decisions=runtime.decisions.without(seat),
        waits=tuple(wait for wait in runtime.waits if wait[0] != seat),
        arranged=arranged,
    )


def _write_place(table_id: str, place: SeatedPlayer, *, since: int) -> None:
    models.Seat.objects.filter(table_id=table_id, index=place.seat).update(
        player_id=place.player_id, bot=place.bot, name=place.name, avatar=place.avatar, entropy=place.entropy,
        since=since,
    )  # fmt: skip


def pause(table_id: str, *, now: float) -> LoadedTable:
    """Stop all clocks and bots of this table; a waiting one does not start its game. Idempotent."""

    def attempt(table: LoadedTable, present: float) -> LoadedTable:
        table = run_overdue(table, now=now)
        is_open = table.status == WAITING and table.runtime.arranged is None
        since = table.runtime.paused_at
        if table.status == OVER or is_open or (since is not None and not table.runtime.is_held):
            return table
        runtime = table.runtime._replace(
            paused_at=present if since is None else since, is_held=False, bot_due=None, bots=(), answers=()
        )
        return store.commit(table, table.changed(runtime=runtime))

    return retry(table_id, attempt, now=now)


def resume(table_id: str, *, now: float) -> LoadedTable:
    """Resume with as much time on every clock as before; start a game whose players have all arrived. Idempotent."""

    def attempt(table: LoadedTable, now: float) -> LoadedTable:
        if table.status == OVER or table.runtime.paused_at is None:
            return table
        if table.status == WAITING:
            gone = now - table.runtime.paused_at
            waits = tuple((seat, until + gone) for seat, until in table.runtime.waits)
            return opening.save_or_begin(
                table, table._replace(runtime=table.runtime._replace(paused_at=None, waits=waits)), now=now
            )
        return store.commit(table, schedule_bots(advance.resume_clocks(table, now=now).changed(), now=now))

    return retry(table_id, attempt, now=now)


def ring_bell(table_id: str, *, now: float) -> LoadedTable:
    """Ring the bell: the game ends as its rules say. Idempotent; a game without a bell goes on."""

    def attempt(table: LoadedTable, now: float) -> LoadedTable:
        return (ring(table, now=now) or table) if table.status == PLAYING else table

    return retry(table_id, attempt, now=now)


def play_out(table_id: str, *, now: float) -> LoadedTable:
    """Have stand-ins play the rest of a game over days whose round has ended. Idempotent; others go on as they are."""

    def attempt(table: LoadedTable, now: float) -> LoadedTable:
        stand_ins = table.runtime.stand_ins | set(table.people)
        if table.status != PLAYING or not table.is_over_days or stand_ins == table.runtime.stand_ins:
            return table
        after = table.changed(runtime=table.runtime._replace(stand_ins=stand_ins))
        return store.commit(table, schedule_bots(after, now=now))

    return retry(table_id, attempt, now=now)


def can_ring_bell(table: LoadedTable) -> bool:
    """Whether a bell would change anything: the game is under way, has a bell, and it has not rung."""
    if table.status != PLAYING:
        return False
    try:
        return bool(table.rules.on_clock(table.state, TIME_UP)[1])
    except IllegalMove:
        return False


def set_bell(table_id: str, at: float, *, now: float) -> LoadedTable:
    """Set the time of a running game's bell (seconds since 1970), if it has one and has not rung. Idempotent."""

    def attempt(table: LoadedTable, now: float) -> LoadedTable:
        if table.status != PLAYING or table.runtime.paused_at is not None:
            return table
        clocks = tuple(clock._replace(due=at) if clock.event == TIME_UP else clock for clock in table.runtime.clocks)
        if clocks == table.runtime.clocks:
            return table
        return store.commit(table, schedule_bots(table.changed(runtime=table.runtime._replace(clocks=clocks)), now=now))

    return retry(table_id, attempt, now=now)


def unseal(table_id: str) -> LoadedTable:
    """Publish record, seed and secret once no other table plays the same deals. Idempotent."""

    def attempt(table: LoadedTable, _now: float) -> LoadedTable:
        arrangement = table.runtime.arranged
        if arrangement is None or not arrangement.is_sealed:
            return table
        return store.commit(
            table, table.changed(runtime=table.runtime._replace(arranged=arrangement._replace(is_sealed=False)))
        )

    return retry(table_id, attempt)
