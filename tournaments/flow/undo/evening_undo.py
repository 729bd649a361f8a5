"""What was done in an evening, and taking it back, as in a tournament: until somebody has heard or played it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from games.models import Player, Table
from games.play.errors import NotFound, Stale
from games.play.seats import arranged_tables
from games.play.storage import store
from games.play.storage.table import OVER, PLAYING, WAITING
from tournaments.flow.evenings import evening_sweeper, sessions
from tournaments.flow.steps.kinds import EVENING_KINDS, Kind
from tournaments.flow.steps.recorder import Change, Steering, read_changes, steer
from tournaments.flow.undo.moved_bells import carry, list_pauses
from tournaments.flow.undo.row_values import put_back
from tournaments.flow.undo.step_undo import is_redo, is_reverted, origin_of
from tournaments.models import SessionTable, Step, TimedSession

BACK = frozenset(one.kind for one in EVENING_KINDS.values() if not one.is_final)
"""Steps that can be taken back; a pause has its own way on, and what was played or heard is not taken back."""


class Origin(NamedTuple):
    """What a step did, or what the step did that it, directly or over several undos, is about."""

    kind: str
    details: str
    at: float
    actor_name: str
    actor_id: int | None


class Done(NamedTuple):
    """A step of an evening as its log tells it. details, changes: JSON text; origin: of an undo, of what; else itself;

    is_redo: taking it back would do again what was undone.
    """

    number: int
    at: float
    actor_name: str
    actor_id: int | None
    kind: str
    details: str
    changes: str
    origin: Origin
    is_reverted: bool
    is_redo: bool


def list_steps(evening: TimedSession) -> list[Done]:
    """The log of an evening, newest first, in one query."""
    rows = Step.objects.filter(evening=evening).order_by("number")
    columns = ("pk", "reverts", "number", "at", "actor_name", "actor_id", "kind", "details", "changes")
    known: dict[int, Done] = {}
    for pk, reverts, number, at, who, who_id, kind, details, changes in rows.values_list(*columns):
        origin, is_redo = Origin(kind, details, at, who, who_id), False
        if reverts is not None:  # which comes before it
            taken_back = known[reverts]
            known[reverts] = taken_back._replace(is_reverted=True)
            origin, is_redo = taken_back.origin, not taken_back.is_redo
        known[pk] = Done(number, at, who, who_id, kind, details, changes, origin, False, is_redo)
    return list(reversed(known.values()))


def revert(evening: TimedSession, actor: Player | None, number: int, *, now: float) -> None:
    """Take one step back. Of an undo: do again what was undone. Twice is once.

    Raises NotAllowed, NotFound, BadInput, Stale if something rests on it, or somebody has heard or played it.
    """
    sessions.require_steer(evening, actor)
    evening_sweeper.ring_if_due(evening.pk, now=now)
    with store.save_together(), steer(evening.pk, Kind.UNDO, actor=actor, now=now) as step:
        found = Step.objects.filter(evening=evening, number=number).first()
        if found is None:
            raise NotFound("There is no such step.")
        if is_reverted(found):
            return
        origin = origin_of(found)
        if origin.kind not in BACK:
            raise Stale("This cannot be taken back: somebody has heard or played it, or it has a button of its own.")
        _require_open(step.evening, origin)
        pauses = list_pauses(found) if origin.kind == Kind.EXTEND else []
        for change in reversed(read_changes(found)):
            put_back(step, [carry(change, pauses)])
            step.evening.refresh_from_db()
        _follow(step, found, origin, now=now)
        step.reverts = found
        step.details = {"kind": origin.kind, "redo": is_redo(found), "step": origin.number}
    evening_sweeper.keep_up(evening.pk, now=now)


def _require_open(evening: TimedSession, origin: Step) -> None:
    if origin.kind != Kind.END:
        if evening.has_rung:
            raise Stale("The bell has rung already.")
    elif any(has_heard(one, origin.at) for one in Table.objects.filter(session_table__timed_session=evening)):
        raise Stale("The bell has been heard: at a table the last deal is under way, or over.")


def has_heard(table: Table, bell: float) -> bool:
    """Whether this bell has been heard at a table."""
    return table.status == PLAYING or (table.started_at is not None and (table.ended_at or bell) >= bell)


def _follow(step: Steering, found: Step, origin: Step, *, now: float) -> None:
    """What the rows do not show: tables that are closed, opened again, let go; a bell that lies ahead."""
    known = step.evening
    if origin.kind == Kind.EXTEND:
        sessions.require_ahead(known, known.ends_at, now=now)
    elif origin.kind == Kind.END:
        _follow_end(step, now=now)
        return
    for _, _, before, after in _tables(read_changes(found)):
        if before is None and after is not None:
            evening_sweeper.take_away(known, after["table_id"], now=now)
        elif before is not None and after is None:
            _put_there(step, before["table_id"], now=now)


def _tables(changes: Iterable[Change]) -> list[Change]:
    return [change for change in changes if change[0] == SessionTable.__name__]


def _follow_end(step: Steering, *, now: float) -> None:
    known = step.evening
    if known.has_rung:
        step.change(known, ends_at=now, ended_at=None, paused_at=None)
        return
    step.change(known, ended_at=None)
    sessions.require_ahead(known, known.ends_at, now=now)
    closed = Table.objects.filter(session_table__timed_session=known, status=OVER, started_at=None)
    for table_id in closed.values_list("pk", flat=True):
        arranged_tables.reopen(table_id)


def _put_there(step: Steering, table_id: str, *, now: float) -> None:
    """Its people may sit elsewhere by now, and its number may be another one's."""
    row = SessionTable.objects.get(timed_session=step.evening, table_id=table_id)
    others = SessionTable.objects.filter(timed_session=step.evening).exclude(pk=row.pk)
    if others.filter(number=row.number).exists():
        raise Stale("Table %(table)s is another one by now.", table=row.number)
    table = arranged_tables.reopen(table_id)
    busy = others.filter(table__status__in=[WAITING, PLAYING], table__seats__player__in=_people(table_id))
    if evening_sweeper.is_our_own(table) and busy.exists():
        raise Stale("Somebody of this table sits at another one by now.")


def _people(table_id: str) -> list[int]:
    seats = Player.objects.filter(seats__table=table_id)
    return list(seats.values_list("pk", flat=True))
