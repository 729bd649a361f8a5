"""For how long everything has stood still, as the log tells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from django.db.models import QuerySet

from tournaments.flow.steps.kinds import Kind
from tournaments.models import Step


def stood_still(steps: QuerySet[Step], *, since: float, **said: Any) -> float:
    """For how many seconds since then everything has been paused, up to the last time that it went on.

    steps: of one tournament or evening; said: what the details of a pause must say to be one of these.
    """
    times = steps.filter(kind__in=(Kind.PAUSE, Kind.RESUME), at__gte=since).order_by("number")
    total, paused_at = 0.0, None
    for kind, at, details in times.values_list("kind", "at", "details"):
        if not _says(msgspec.json.decode(details), said):
            continue
        if kind == Kind.PAUSE:
            paused_at = at
        else:
            total += at - (since if paused_at is None else paused_at)
            paused_at = None
    return total


def _says(details: Mapping[str, Any], said: Mapping[str, Any]) -> bool:
    return all(details.get(name) == value for name, value in said.items())
