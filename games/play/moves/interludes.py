"""Pure functions about interludes: a bounded pause in which all at a table see what a new deal has brought.

While one lasts nobody is to act, no bot moves and no turn's clock runs. It ends as soon as every player has said that
they are ready, and by itself after a few seconds. Tables of bots only have none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.play.storage.table import Interlude, LoadedTable, TableRuntime
from games.play.storage.table_writes import NewPly
from games.rules.base import Seat
from games.rules.clock import Clock


def begin_interlude(table: LoadedTable, plies: Iterable[NewPly], *, seconds: float, now: float) -> LoadedTable:
    """The table after these plies, with an interlude if one of them dealt anew and a person plays here.

    seconds: its longest duration, 0 for none. The clocks of turns begin after it.
    """
    kinds = table.rules.interlude_after
    if not seconds or not kinds or table.outcome is not None:
        return table
    if not any(line.kind in kinds for ply in plies for line in ply.lines) or not _list_people(table):
        return table
    runtime = table.runtime
    clocks = _shift_turns(runtime.clocks, seconds)
    interlude = Interlude(now, now + seconds)
    return table._replace(
        runtime=runtime._replace(clocks=clocks, bots=(), answers=(), bot_due=None, interlude=interlude)
    )


def list_unready(table: LoadedTable) -> tuple[Seat, ...]:
    """The seats of people for whom the interlude waits; those with a stand-in are not waited for."""
    interlude = table.runtime.interlude
    if interlude is None:
        return ()
    return tuple(seat for seat in _list_people(table) if seat not in interlude.ready)


def note_ready(table: LoadedTable, seat: Seat, *, now: float) -> LoadedTable:
    """The table after this seat's player is ready for the game to go on."""
    interlude = table.runtime.interlude
    if interlude is None or seat in interlude.ready:
        return table
    interlude = interlude._replace(ready=interlude.ready | {seat})
    return settle_interlude(table._replace(runtime=table.runtime._replace(interlude=interlude)), now=now)


def settle_interlude(table: LoadedTable, *, now: float) -> LoadedTable:
    """The table without its interlude if that is over, or if nobody is waited for any more."""
    interlude = table.runtime.interlude
    if interlude is None or (now < interlude.until and list_unready(table)):
        return table
    clocks = _shift_turns(table.runtime.clocks, now - interlude.until)
    return table._replace(runtime=table.runtime._replace(clocks=clocks, interlude=None))


def postpone_interlude(before: TableRuntime, after: TableRuntime, seconds: float, *, latest: float) -> TableRuntime:
    """`after`, the runtime of a table whose clocks were postponed by an interruption, with its interlude postponed too.

    latest: the latest time at which the interlude may end. The turns that begin after it keep their whole time.
    """
    interlude = before.interlude
    if interlude is None:
        return after
    by = min(interlude.until + seconds, latest) - interlude.until
    turns = _shift_turns(before.clocks, by)
    clocks = tuple(turn if turn.seats else clock for turn, clock in zip(turns, after.clocks, strict=True))
    later = interlude._replace(since=interlude.since + by, until=interlude.until + by)
    return after._replace(clocks=clocks, interlude=later)


def _list_people(table: LoadedTable) -> Sequence[Seat]:
    return [place.seat for place in table.places if not place.bot and place.seat not in table.runtime.stand_ins]


def _shift_turns(clocks: Iterable[Clock], seconds: float) -> tuple[Clock, ...]:
    """The clocks that wait for seats run out later by so many seconds; the bell, which waits for none, stays."""
    return tuple(
        clock._replace(due=clock.due + seconds) if clock.seats and clock.left is None else clock for clock in clocks
    )
