"""How long a tournament or an evening has been paused, computed from its step log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from django.db.models import QuerySet

from tournaments.flow.steps.kinds import Kind
from tournaments.models import Step


def measure_pauses(steps: QuerySet[Step], *, since: float, **matching: Any) -> float:
    """Seconds of finished pauses since this moment; a pause that still lasts is not counted.

    steps: of one tournament or evening; matching: values the details of a pause must have to be counted.
    """
    times = steps.filter(kind__in=(Kind.PAUSE, Kind.RESUME), at__gte=since).order_by("number")
    total, paused_at = 0.0, None
    for kind, at, details in times.values_list("kind", "at", "details"):
        if not _matches(msgspec.json.decode(details), matching):
            continue
        if kind == Kind.PAUSE:
            paused_at = at
        else:
            total += at - (since if paused_at is None else paused_at)
            paused_at = None
    return total


def _matches(details: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return all(details.get(name) == value for name, value in wanted.items())
