"""The reader's time zone, which their browser sends in a cookie."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from django.utils import timezone

COOKIE = "zone"
"""The name of a zone, "Europe/Warsaw", as the browser's own clock has it."""


@cache
def _known_zones() -> frozenset[str]:
    return frozenset(available_timezones())


def find_zone(name: str | None) -> ZoneInfo | None:
    """The zone of this name; None for a name that is none."""
    if not name or name not in _known_zones():
        return None
    try:
        return ZoneInfo(name)
    except ZoneInfoNotFoundError:  # listed, and its file is away
        return None


def in_zone(name: str | None) -> AbstractContextManager[None]:
    """Use this time zone for reading and showing times; TIME_ZONE if the name is unknown."""
    return timezone.override(find_zone(name) or timezone.get_current_timezone())
