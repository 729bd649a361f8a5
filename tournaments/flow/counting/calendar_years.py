"""Seasons are calendar years, the same for everybody (UTC)."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache

DAY_SECONDS = 86_400


def season_of(at: float) -> int:
    """The year of this moment. at: seconds since 1970."""
    return _year_of(int(at // DAY_SECONDS))


@cache
def _year_of(day: int) -> int:
    return datetime.fromtimestamp(day * DAY_SECONDS, tz=UTC).year


def bounds_of(year: int) -> tuple[float, float]:
    """When a year begins, and when the next one does (seconds since 1970)."""
    return datetime(year, 1, 1, tzinfo=UTC).timestamp(), datetime(year + 1, 1, 1, tzinfo=UTC).timestamp()
