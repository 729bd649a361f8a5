"""Undo of an extension although later pauses have moved the same bell: the pauses stay."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import Change, read_changes
from tournaments.models import Step


def list_pauses(found: Step) -> list[list[Change]]:
    """The changes of each RESUME step after this step, oldest first."""
    later = Step.objects.filter(tournament=found.tournament_id, evening=found.evening_id, number__gt=found.number)
    return [read_changes(step) for step in later.filter(kind=Kind.RESUME).order_by("number")]


def shift_change(change: Change, pauses: Iterable[Sequence[Change]]) -> Change:
    """The change of an extension with both times shifted by what the pauses since then have added to the bell."""
    kind, pk, before, after = change
    if before is None or after is None or after.get("ends_at") is None:
        return change
    bell = after["ends_at"]
    for pause in pauses:
        for other, key, row_before, moved in pause:
            if (other, key) == (kind, pk) and row_before and moved and row_before.get("ends_at") == bell:
                bell = moved["ends_at"]
    first = before["ends_at"]
    if first is not None:
        first += bell - after["ends_at"]
    return kind, pk, before | {"ends_at": first}, after | {"ends_at": bell}
