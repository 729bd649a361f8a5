"""Which of many steps can be undone or redone: first all their rows are compared, then the remaining ones are tried."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import connection, models

from tournaments.flow.steps import kinds
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import RECORDED_MODELS, Change, Values, read_changes
from tournaments.flow.undo import step_undo
from tournaments.flow.undo.row_values import is_as_left
from tournaments.models import Entrant, Pod, PodSeat, Rest, Round, Step, Tournament

SETTLED_COLUMNS = frozenset({"ends_at", "paused_at", "has_rung", "table_id", "trouble"})
"""Columns that an undo resets by itself before it compares rows: their present values do not matter."""

UNIQUE_COLUMNS = frozenset({"name", "number", "player_id", "claim_token"})
"""Columns of an entrant with a unique constraint: restoring them may depend on another entrant's step."""

YIELD_SECONDS = 0.015
"""Seconds of sleep after each trial undo, about as long as one takes, so that other writers of SQLite get the lock."""

Rows = dict[tuple[str, Any], models.Model]


def find_offered(tournament: Tournament, steps: Sequence[Step], *, now: float) -> frozenset[int]:
    """The numbers of the steps that can be undone or redone. steps: loaded with their changes."""
    likely = {step: read_changes(step) for step in steps if step_undo.is_candidate(step, tournament)}
    rows, drawn, closed = _read_rows(likely.values()), _list_drawn(tournament), _list_closed(tournament)
    standing = [
        step for step, changes in likely.items()
        if _is_unchanged_since(changes, rows) and not _is_drawn(changes, drawn)
        and not (kinds.KINDS[step_undo.origin_of(step).kind].is_of_play and closed & _list_pods(changes, rows)
                 and not _is_replaced(step, changes))
    ]  # fmt: skip
    alike = [] if drawn else _list_alike(standing, likely)
    others = [step for step in standing if step not in alike]
    return _try_all(alike, tournament, now=now) | {
        step.number for step in others if _try_out([step], tournament, now=now)
    }


def list_standing(steps: Sequence[Step]) -> list[Step]:
    """The steps whose rows all still have the values the step gave them. steps: loaded with their changes."""
    changes = {step: read_changes(step) for step in steps}
    rows = _read_rows(changes.values())
    return [step for step, changed in changes.items() if _is_unchanged_since(changed, rows)]


def _list_alike(steps: Iterable[Step], changes: Mapping[Step, Sequence[Change]]) -> list[Step]:
    """The steps that change only entrants, each different ones, and no unique column: they are independent."""
    found: list[Step] = []
    taken = set[Any]()
    for step in steps:
        people = {pk for _, pk, _, _ in changes[step]}
        is_alike = all(
            kind == "Entrant" and not UNIQUE_COLUMNS & (before or {}).keys() for kind, _, before, _ in changes[step]
        )
        if is_alike and step.reverts is None and not people & taken:
            found.append(step)
            taken |= people
    return found


def _try_all(steps: Sequence[Step], tournament: Tournament, *, now: float) -> frozenset[int]:
    """The numbers of those that can be undone: all are tried together; if that fails, each half, recursively."""
    if not steps:
        return frozenset()
    if _try_out(steps, tournament, now=now):
        return frozenset(step.number for step in steps)
    half = len(steps) // 2
    parts = (steps[:half], steps[half:]) if half else ()
    return frozenset[int]().union(*(_try_all(part, tournament, now=now) for part in parts))


def _try_out(steps: Sequence[Step], tournament: Tournament, *, now: float) -> bool:
    """Whether they can be undone, found out by a trial that is rolled back.

    A trial holds SQLite's write lock, which has no queue: waiting writers poll. So each trial is followed by a sleep.
    """
    if len(steps) > 1:
        is_offered = step_undo.can_offer_all(steps, tournament, now=now)
    else:
        is_offered = step_undo.can_offer(steps[0], tournament, now=now)
    if connection.vendor == "sqlite":
        time.sleep(YIELD_SECONDS)
    return is_offered


def _read_rows(steps: Iterable[Sequence[Change]]) -> Rows:
    """The present rows of these changes by (model name, id), in one query for each model."""
    ids: dict[str, set[Any]] = {}
    for changes in steps:
        for kind, pk, _before, _after in changes:
            ids.setdefault(kind, set()).add(pk)
    return {
        (kind, pk): row
        for kind, some in ids.items()
        for pk, row in RECORDED_MODELS[kind]._base_manager.in_bulk(some).items()
    }


def _is_unchanged_since(changes: Iterable[Change], rows: Rows) -> bool:
    """Whether every row still has the values of the last of these changes."""
    left: dict[tuple[str, Any], Values | None] = {}
    for kind, pk, _before, after in changes:
        compared = {name: value for name, value in (after or {}).items() if name not in SETTLED_COLUMNS}
        left[kind, pk] = None if after is None else (left.get((kind, pk)) or {}) | compared
    return all(
        values is None or ((row := rows.get(key)) is not None and is_as_left(row, values))
        for key, values in left.items()
    )


def _list_drawn(tournament: Tournament) -> frozenset[int]:
    """The ids of entrants with a seat, a bye or an absence in any round."""
    seated = PodSeat.objects.filter(entrant__tournament=tournament).values_list("entrant", flat=True)
    return frozenset(seated) | frozenset(
        Rest.objects.filter(entrant__tournament=tournament).values_list("entrant", flat=True)
    )


def _list_closed(tournament: Tournament) -> frozenset[int]:
    """The ids of pods whose round is not being played."""
    pods = Pod.objects.filter(round__tournament=tournament).exclude(round__status=Round.Status.RELEASED)
    return frozenset(pods.values_list("pk", flat=True))


def _is_replaced(step: Step, changes: Iterable[Change]) -> bool:
    """Whether this is a decision that replaced a result: without it a complete round still has the former one."""
    is_decision = step_undo.origin_of(step).kind == Kind.DECIDE
    return is_decision and any(kind == "Result" and before and after for kind, _pk, before, after in changes)


def _list_pods(changes: Iterable[Change], rows: Rows) -> frozenset[int]:
    """The ids of the pods that these changes are about."""
    changed = (rows.get((kind, pk)) for kind, pk, _before, _after in changes if kind in ("Pod", "PodSeat", "Result"))
    return frozenset(row.pk if isinstance(row, Pod) else getattr(row, "pod_id", 0) for row in changed)


def _is_drawn(changes: Iterable[Change], drawn: frozenset[int]) -> bool:
    """Whether undoing these changes would remove an entrant, or their check-in, who has been drawn since."""
    kinds = {kind for kind, *_ in changes}
    return not kinds & {"PodSeat", "Rest"} and any(
        kind == "Entrant" and pk in drawn and (before is None or before.get("status") == Entrant.Status.ENTERED)
        for kind, pk, before, _after in changes
    )
