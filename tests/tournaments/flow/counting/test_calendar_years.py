"""A season begins and ends with its year, to the second."""

from __future__ import annotations

import pytest

from tournaments.flow.counting.calendar_years import bounds_of, season_of


@pytest.mark.parametrize("year", [1969, 1970, 2024, 2026, 2100])
def test_the_first_and_the_last_moment_of_a_season(year: int) -> None:
    begin, end = bounds_of(year)
    assert [season_of(at) for at in (begin - 0.5, begin, end - 0.5, end)] == [year - 1, year, year, year + 1]
