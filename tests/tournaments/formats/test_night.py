"""How many rounds fit into an evening, and when it ends."""

from __future__ import annotations

import pytest

from tournaments.formats.base import Sizes
from tournaments.formats.night import Night, count_new_opponents, describe_night, propose_night

FOUR = Sizes(4, 3, 5)


def test_three_hours_for_24_people_at_fours_are_five_rounds_of_30_minutes() -> None:
    night = propose_night(24, 180, FOUR, most_rounds=count_new_opponents(24, 4))
    assert night == Night(24, (4,) * 6, 0, 5, 30)
    assert night.minutes == 174


@pytest.mark.parametrize(
    ("people", "minutes", "rounds", "length"),
    [(24, 60, 1, 30), (24, 66, 2, 30), (8, 180, 2, 60), (24, 25, 1, 25), (200, 600, 16, 30)],
)
def test_the_rounds_never_take_longer_than_the_evening(people: int, minutes: int, rounds: int, length: int) -> None:
    night = propose_night(people, minutes, FOUR, most_rounds=count_new_opponents(people, 4))
    assert night is not None
    assert (night.rounds, night.round_minutes) == (rounds, length)
    assert night.minutes <= minutes


def test_a_length_that_the_organiser_fixed_stays() -> None:
    night = propose_night(24, 180, FOUR, round_minutes=50)
    assert night is not None
    assert (night.rounds, night.round_minutes) == (3, 50)


@pytest.mark.parametrize(("people", "minutes", "fixed"), [(24, 5, None), (24, 40, 50), (2, 180, None)])
def test_an_evening_that_is_too_short_or_too_empty_has_no_proposal(
    people: int, minutes: int, fixed: int | None
) -> None:
    assert propose_night(people, minutes, FOUR, round_minutes=fixed) is None


def test_people_who_fill_no_table_sit_out() -> None:
    assert describe_night(13, FOUR, rounds=3, round_minutes=20) == Night(13, (5, 4, 4), 0, 3, 20)
    night = describe_night(5, Sizes(4, 4, 4), rounds=1, round_minutes=20)
    assert night is not None
    assert (night.tables, night.byes) == ((4,), 1)
