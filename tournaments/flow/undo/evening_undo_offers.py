"""Which steps of an evening its page offers to undo or redo, in at most one more query.

The checks are those of `evening_undo.revert`, computed from what the page has read already.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from games.models import Seat
from games.play.errors import BadInput
from games.play.storage import codec
from games.play.storage.table import OVER, PLAYING, WAITING
from tournaments.flow.evenings import sessions
from tournaments.flow.evenings.jobs import TableStory
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import Change, Values, decode_changes
from tournaments.flow.undo.evening_undo import REVERSIBLE_KINDS, LoggedEveningStep, has_rung_at
from tournaments.flow.undo.moved_bells import shift_change
from tournaments.models import SessionTable, TimedSession

Rows = dict[tuple[str, Any], Values | None]


def find_offered(
    steps: Sequence[LoggedEveningStep], evening: TimedSession, stories: Sequence[TableStory], *, now: float
) -> set[int]:
    """The numbers of the steps that can be undone or redone. steps: all, newest first; stories: of all tables."""
    changes = {step.number: decode_changes(step.changes) for step in steps}
    likely = [step for step in steps if _is_likely(step, evening, stories)]
    if not likely:
        return set()
    rows = _replay(changes[step.number] for step in reversed(steps))
    rows["TimedSession", evening.pk] = {name.attname: getattr(evening, name.attname) for name in evening._meta.fields}
    pauses = [(step.number, changes[step.number]) for step in steps[::-1] if step.kind == Kind.RESUME]
    offered: dict[int, list[Change]] = {}
    for step in likely:
        since = [pause for number, pause in pauses if number > step.number] if step.origin.kind == Kind.EXTEND else []
        undone = [shift_change(change, since) for change in reversed(changes[step.number])]
        if _can_restore(rows, undone) and _is_ahead(evening, step, undone, now=now) and _is_unplayed(stories, undone):
            offered[step.number] = undone
    return set(offered) - _list_conflicting(offered, stories)


def _is_likely(step: LoggedEveningStep, evening: TimedSession, stories: Sequence[TableStory]) -> bool:
    origin = step.origin
    if step.is_reverted or origin.kind not in REVERSIBLE_KINDS:
        return False
    if origin.kind == Kind.END:
        return evening.has_rung != step.is_redo and not any(has_rung_at(story.table, origin.at) for story in stories)
    return not evening.has_rung


def _replay(log: Iterable[list[Change]]) -> Rows:
    """The rows after all these changes, oldest first."""
    rows: Rows = {}
    for changes in log:
        for kind, pk, before, after in changes:
            rows[kind, pk] = after if before is None or after is None else (rows.get((kind, pk)) or {}) | after
    return rows


def _can_restore(present: Rows, undone: Sequence[Change]) -> bool:
    """Whether every row still has the values these changes gave it, and no table number is used twice afterwards."""
    rows = dict(present)
    for kind, pk, before, after in undone:
        row = rows.get((kind, pk))
        if (row is None) != (after is None) or any((row or {}).get(name) != one for name, one in (after or {}).items()):
            return False
        rows[kind, pk] = None if before is None else (row or {}) | before
    numbers = [row["number"] for (kind, _), row in rows.items() if kind == SessionTable.__name__ and row is not None]
    return len(numbers) == len(set(numbers))


def _is_ahead(evening: TimedSession, step: LoggedEveningStep, undone: Sequence[Change], *, now: float) -> bool:
    """Whether the bell would still be in the future after this undo."""
    if step.origin.kind not in (Kind.EXTEND, Kind.END) or (step.is_redo and step.origin.kind == Kind.END):
        return True
    bell = next((before["ends_at"] for _, _, before, _ in undone if before and "ends_at" in before), evening.ends_at)
    try:
        sessions.require_time_left(evening, bell, now=now)
    except BadInput:
        return False
    return True


def _is_unplayed(stories: Sequence[TableStory], undone: Sequence[Change]) -> bool:
    """Whether no table that would be removed has begun, except those their host brought along."""
    going = {after["table_id"] for _, before, after in _tables(undone) if before is None and after is not None}
    begun = (story.table for story in stories if story.table.pk in going and story.table.status != WAITING)
    return not any(codec.read_runtime(table.desk).arranged is not None for table in begun)


def _tables(changes: Iterable[Change]) -> list[tuple[Any, Values | None, Values | None]]:
    return [(pk, before, after) for kind, pk, before, after in changes if kind == SessionTable.__name__]


def _list_conflicting(offered: dict[int, list[Change]], stories: Sequence[TableStory]) -> set[int]:
    """The steps whose undo would reopen a table whose game is over, or seat somebody at two tables."""
    coming = {
        number: [before["table_id"] for _, before, after in _tables(undone) if before is not None and after is None]
        for number, undone in offered.items()
    }
    if not any(coming.values()):
        return set()
    there: dict[str, set[int | None]] = defaultdict(set)
    played = set()
    rows = Seat.objects.filter(table__in=[table_id for ids in coming.values() for table_id in ids])
    columns = ("table", "player", "table__desk", "table__status", "table__started_at")
    for table_id, player_id, desk, status, started_at in rows.values_list(*columns):
        is_our_own = codec.read_runtime(desk).arranged is not None
        if status == OVER and (started_at is not None or not is_our_own):
            played.add(table_id)
        if player_id is not None and is_our_own:
            there[table_id].add(player_id)
    live = [story for story in stories if story.table.status in (WAITING, PLAYING)]
    sitting = {chair.player_id for story in live for chair in story.seats}
    return {number for number, ids in coming.items() if any(pk in played or there[pk] & sitting for pk in ids)}
