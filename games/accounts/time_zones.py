"""The reader's time zone: what a club means by seven o'clock. His browser tells it in a cookie."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from django.utils import timezone

COOKIE = "zone"
"""The name of a zone, "Europe/Warsaw", as the browser's own clock has it."""


@cache
def _known() -> frozenset[str]:
    return frozenset(available_timezones())


def find_zone(name: str | None) -> ZoneInfo | None:
    """The zone of this name; None for a name that is none."""
    if not name or name not in _known():
        return None
    try:
        return ZoneInfo(name)
    except ZoneInfoNotFoundError:  # listed, and its file is away
        return None


def in_zone(name: str | None) -> AbstractContextManager[None]:
    """Read and say times in this zone; in the house's own where nobody knows the name."""
    return timezone.override(find_zone(name) or timezone.get_current_timezone())
