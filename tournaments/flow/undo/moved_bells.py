"""Taking back where a bell was moved, although pauses have moved it since: these stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import Change, read_changes
from tournaments.models import Step


def list_pauses(found: Step) -> list[list[Change]]:
    """What each pause since this step has changed when it was over."""
    later = Step.objects.filter(tournament=found.tournament_id, evening=found.evening_id, number__gt=found.number)
    return [read_changes(step) for step in later.filter(kind=Kind.RESUME).order_by("number")]


def carry(change: Change, pauses: Iterable[Sequence[Change]]) -> Change:
    """What an extension changed, as much later as the pauses since then have moved that bell."""
    kind, pk, before, after = change
    if before is None or after is None or after.get("ends_at") is None:
        return change
    bell = after["ends_at"]
    for pause in pauses:
        for other, key, known, moved in pause:
            if (other, key) == (kind, pk) and known and moved and known.get("ends_at") == bell:
                bell = moved["ends_at"]
    first = before["ends_at"]
    if first is not None:
        first += bell - after["ends_at"]
    return kind, pk, before | {"ends_at": first}, after | {"ends_at": bell}
