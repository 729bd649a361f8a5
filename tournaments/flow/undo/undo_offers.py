"""Which of many steps can be taken back, or done again: what has been overtaken shows in its rows, all read at one go,
and only what is left is tried out."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import connection, models

from tournaments.flow.steps import kinds
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import KINDS, Change, Values, read_changes
from tournaments.flow.undo import step_undo
from tournaments.flow.undo.row_values import is_as_left
from tournaments.models import Entrant, Pod, PodSeat, Rest, Round, Step, Tournament

UNSAID = frozenset({"ends_at", "paused_at", "has_rung", "table_id", "trouble"})
"""Columns that are put in order before a step is taken back: what stands in them now says nothing."""

WHO = frozenset({"name", "number", "player_id", "claim_token"})
"""Columns of an entrant that no two share: whether they can be put back may depend on somebody else's step."""

TURN_OF_OTHERS = 0.015
"""Seconds in which others may write after each try-out, which takes about as long."""

Rows = dict[tuple[str, Any], models.Model]


def find_offered(tournament: Tournament, steps: Sequence[Step], *, now: float) -> frozenset[int]:
    """The numbers of those of these steps, with their changes, that would be taken back or done again."""
    likely = {step: read_changes(step) for step in steps if step_undo.is_candidate(step, tournament)}
    rows, drawn, closed = _read_rows(likely.values()), _list_drawn(tournament), _list_closed(tournament)
    standing = [
        step for step, changes in likely.items()
        if _stands(changes, rows) and not _is_drawn(changes, drawn)
        and not (kinds.KINDS[step_undo.origin_of(step).kind].is_of_play and closed & _list_pods(changes, rows)
                 and not _is_replaced(step, changes))
    ]  # fmt: skip
    alike = [] if drawn else _list_alike(standing, likely)
    others = [step for step in standing if step not in alike]
    return _try_all(alike, tournament, now=now) | {one.number for one in others if _try_out([one], tournament, now=now)}


def list_standing(steps: Sequence[Step]) -> list[Step]:
    """Those of these steps, with their changes, of which every row is still as they have left it."""
    changes = {step: read_changes(step) for step in steps}
    rows = _read_rows(changes.values())
    return [step for step, changed in changes.items() if _stands(changed, rows)]


def _list_alike(steps: Iterable[Step], changes: Mapping[Step, Sequence[Change]]) -> list[Step]:
    """Those that only say who is on the list, or how he is there, each of somebody else: none can stand in another's
    way."""
    found: list[Step] = []
    taken = set[Any]()
    for step in steps:
        people = {pk for _, pk, _, _ in changes[step]}
        is_alike = all(kind == "Entrant" and not WHO & (before or {}).keys() for kind, _, before, _ in changes[step])
        if is_alike and step.reverts is None and not people & taken:
            found.append(step)
            taken |= people
    return found


def _try_all(steps: Sequence[Step], tournament: Tournament, *, now: float) -> frozenset[int]:
    """The numbers of those that would be taken back: all at one go, and only if one would not, each half by itself."""
    if not steps:
        return frozenset()
    if _try_out(steps, tournament, now=now):
        return frozenset(step.number for step in steps)
    half = len(steps) // 2
    parts = (steps[:half], steps[half:]) if half else ()
    return frozenset[int]().union(*(_try_all(part, tournament, now=now) for part in parts))


def _try_out(steps: Sequence[Step], tournament: Tournament, *, now: float) -> bool:
    """Whether they would be taken back. With SQLite nobody else writes meanwhile, and then it is the others' turn.

    SQLite knows no line: whoever waits looks again and again, and would find one try-out after the other.
    """
    if len(steps) > 1:
        is_offered = step_undo.can_offer_all(steps, tournament, now=now)
    else:
        is_offered = step_undo.can_offer(steps[0], tournament, now=now)
    if connection.vendor == "sqlite":
        time.sleep(TURN_OF_OTHERS)
    return is_offered


def _read_rows(steps: Iterable[Sequence[Change]]) -> Rows:
    """The rows that these changes are about as they are now, in one query for each kind."""
    ids: dict[str, set[Any]] = {}
    for changes in steps:
        for kind, pk, _before, _after in changes:
            ids.setdefault(kind, set()).add(pk)
    return {
        (kind, pk): row for kind, some in ids.items() for pk, row in KINDS[kind]._base_manager.in_bulk(some).items()
    }


def _stands(changes: Iterable[Change], rows: Rows) -> bool:
    """Whether every row is still as the last of these changes has left it."""
    left: dict[tuple[str, Any], Values | None] = {}
    for kind, pk, _before, after in changes:
        said = {name: value for name, value in (after or {}).items() if name not in UNSAID}
        left[kind, pk] = None if after is None else (left.get((kind, pk)) or {}) | said
    return all(
        values is None or ((row := rows.get(key)) is not None and is_as_left(row, values))
        for key, values in left.items()
    )


def _list_drawn(tournament: Tournament) -> frozenset[int]:
    """Whoever sits in a round, or sits out."""
    seated = PodSeat.objects.filter(entrant__tournament=tournament).values_list("entrant", flat=True)
    return frozenset(seated) | frozenset(
        Rest.objects.filter(entrant__tournament=tournament).values_list("entrant", flat=True)
    )


def _list_closed(tournament: Tournament) -> frozenset[int]:
    """The pods whose rounds are not being played, or not any more."""
    pods = Pod.objects.filter(round__tournament=tournament).exclude(round__status=Round.Status.RELEASED)
    return frozenset(pods.values_list("pk", flat=True))


def _is_replaced(step: Step, changes: Iterable[Change]) -> bool:
    """Whether a decision has taken the place of another result: a complete round would still have one."""
    is_decision = step_undo.origin_of(step).kind == Kind.DECIDE
    return is_decision and any(kind == "Result" and before and after for kind, _pk, before, after in changes)


def _list_pods(changes: Iterable[Change], rows: Rows) -> frozenset[int]:
    """The pods in which these changes are."""
    there = (rows.get((kind, pk)) for kind, pk, _before, _after in changes if kind in ("Pod", "PodSeat", "Result"))
    return frozenset(row.pk if isinstance(row, Pod) else getattr(row, "pod_id", 0) for row in there)


def _is_drawn(changes: Iterable[Change], drawn: frozenset[int]) -> bool:
    """Whether somebody would not be here any more, or not yet, who has been drawn since."""
    kinds = {kind for kind, *_ in changes}
    return not kinds & {"PodSeat", "Rest"} and any(
        kind == "Entrant" and pk in drawn and (before is None or before.get("status") == Entrant.Status.ENTERED)
        for kind, pk, before, _after in changes
    )
