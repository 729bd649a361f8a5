"""The log of an evening, and undo and redo of its steps: until the bell was heard, or a game was played."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from games.models import Player, Table
from games.play.errors import NotFound, Stale
from games.play.seats import arranged_tables
from games.play.storage import store
from games.play.storage.table import OVER, PLAYING, WAITING
from tournaments.flow.evenings import evening_sweeper, sessions
from tournaments.flow.steps import happenings
from tournaments.flow.steps.kinds import EVENING_KINDS, Kind
from tournaments.flow.steps.recorder import Change, EveningStep, read_changes, take_evening_step
from tournaments.flow.undo.moved_bells import list_pauses, shift_change
from tournaments.flow.undo.row_values import restore_rows
from tournaments.flow.undo.step_undo import is_redo, is_reverted, origin_of
from tournaments.models import SessionTable, Step, TimedSession

REVERSIBLE_KINDS = frozenset(kind.kind for kind in EVENING_KINDS.values() if not kind.is_final)
"""Kinds of steps that can be undone. A pause is ended by resuming; played games and heard bells stay."""


class Origin(NamedTuple):
    """The step that a chain of undos and redos began with, see `step_undo.origin_of`."""

    kind: str
    details: str
    at: float
    actor_name: str
    actor_id: int | None


class LoggedEveningStep(NamedTuple):
    """A step of an evening as plain values. details, changes: JSON text; origin: the step itself unless it is an undo.

    is_redo: undoing this step redoes its origin, see `step_undo.is_redo`.
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


def list_steps(evening: TimedSession) -> list[LoggedEveningStep]:
    """The log of an evening, newest first, in one query."""
    rows = Step.objects.filter(evening=evening).order_by("number")
    columns = ("pk", "reverts", "number", "at", "actor_name", "actor_id", "kind", "details", "changes")
    by_id: dict[int, LoggedEveningStep] = {}
    for pk, reverts, number, at, who, who_id, kind, details, changes in rows.values_list(*columns):
        origin, is_redo = Origin(kind, details, at, who, who_id), False
        if reverts is not None:  # which comes before it
            taken_back = by_id[reverts]
            by_id[reverts] = taken_back._replace(is_reverted=True)
            origin, is_redo = taken_back.origin, not taken_back.is_redo
        by_id[pk] = LoggedEveningStep(number, at, who, who_id, kind, details, changes, origin, False, is_redo)
    return list(reversed(by_id.values()))


def revert(evening: TimedSession, actor: Player | None, number: int, *, now: float) -> None:
    """Undo a step; of an undo, redo what was undone. Idempotent.

    Raises NotAllowed, NotFound, BadInput, Stale if later steps depend on it, or a bell was heard or a game played.
    """
    sessions.require_manage(evening, actor)
    evening_sweeper.ring_if_due(evening.pk, now=now)
    with store.save_together(), take_evening_step(evening.pk, Kind.UNDO, actor=actor, now=now) as step:
        found = Step.objects.filter(evening=evening, number=number).first()
        if found is None:
            raise NotFound("This step does not exist.")
        if is_reverted(found):
            return
        origin = origin_of(found)
        if origin.kind not in REVERSIBLE_KINDS:
            raise Stale("This step cannot be undone. It has already affected a game, or it has a button of its own.")
        _require_open(step.evening, origin)
        pauses = list_pauses(found) if origin.kind == Kind.EXTEND else []
        for change in reversed(read_changes(found)):
            restore_rows(step, [shift_change(change, pauses)])
            step.evening.refresh_from_db()
        _apply_consequences(step, found, origin, now=now)
        step.reverts = found
        step.details = {"kind": origin.kind, "redo": is_redo(found), "step": origin.number}
    evening_sweeper.sync_tables(evening.pk, now=now)


def _require_open(evening: TimedSession, origin: Step) -> None:
    if origin.kind != Kind.END:
        if evening.has_rung:
            raise Stale("The bell has already rung.")
    elif any(has_rung_at(table, origin.at) for table in Table.objects.filter(session_table__timed_session=evening)):
        raise Stale("The bell has already rung. At one table the last deal has begun or is over.")


def has_rung_at(table: Table, bell: float) -> bool:
    """Whether this bell has been heard at a table."""
    return table.status == PLAYING or (table.started_at is not None and (table.ended_at or bell) >= bell)


def _apply_consequences(step: EveningStep, found: Step, origin: Step, *, now: float) -> None:
    """Do what the restored rows imply: close, reopen or release tables, and require a bell in the future."""
    evening = step.evening
    if origin.kind == Kind.EXTEND:
        sessions.require_time_left(evening, evening.ends_at, now=now)
    elif origin.kind == Kind.END:
        _apply_new_bell(step, now=now)
        return
    for _, _, before, after in _tables(read_changes(found)):
        if before is None and after is not None:
            evening_sweeper.remove_table(evening, after["table_id"], now=now)
        elif before is not None and after is None:
            _require_room(step, before["table_id"], now=now)


def _tables(changes: Iterable[Change]) -> list[Change]:
    return [change for change in changes if change[0] == SessionTable.__name__]


def _apply_new_bell(step: EveningStep, *, now: float) -> None:
    evening = step.evening
    if evening.ended_at is not None:
        happenings.withdraw_ended(evening, now=now)
    if evening.has_rung:
        step.change(evening, ends_at=now, ended_at=None, paused_at=None)
        return
    step.change(evening, ended_at=None)
    sessions.require_time_left(evening, evening.ends_at, now=now)
    closed = Table.objects.filter(session_table__timed_session=evening, status=OVER, started_at=None)
    for table_id in closed.values_list("pk", flat=True):
        arranged_tables.reopen(table_id)


def _require_room(step: EveningStep, table_id: str, *, now: float) -> None:
    """Reopen a table. Raises Stale if its number was given to another table, or its people sit at another one."""
    row = SessionTable.objects.get(timed_session=step.evening, table_id=table_id)
    others = SessionTable.objects.filter(timed_session=step.evening).exclude(pk=row.pk)
    if others.filter(number=row.number).exists():
        raise Stale("The number %(table)s now belongs to another table.", table=row.number)
    table = arranged_tables.reopen(table_id)
    busy = others.filter(table__status__in=[WAITING, PLAYING], table__seats__player__in=_list_players(table_id))
    if evening_sweeper.is_own_table(table) and busy.exists():
        raise Stale("Somebody from this table now sits at another table.")


def _list_players(table_id: str) -> list[int]:
    seats = Player.objects.filter(seats__table=table_id)
    return list(seats.values_list("pk", flat=True))
