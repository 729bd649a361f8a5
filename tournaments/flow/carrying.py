"""Taking back where a bell was moved, although pauses have moved it since: these stand."""

from __future__ import annotations

from tournaments.flow.steps import Change, read_changes
from tournaments.models import Step


def carry(found: Step, change: Change) -> Change:
    """What an extension changed, as much later as the pauses since then have moved that bell."""
    kind, pk, before, after = change
    if before is None or after is None or after.get("ends_at") is None:
        return change
    bell = after["ends_at"]
    later = Step.objects.filter(tournament=found.tournament_id, evening=found.evening_id, number__gt=found.number)
    for step in later.filter(kind="resume").order_by("number"):
        for other, key, known, moved in read_changes(step):
            if (other, key) == (kind, pk) and known and moved and known.get("ends_at") == bell:
                bell = moved["ends_at"]
    first = before["ends_at"]
    if first is not None:
        first += bell - after["ends_at"]
    return kind, pk, before | {"ends_at": first}, after | {"ends_at": bell}
