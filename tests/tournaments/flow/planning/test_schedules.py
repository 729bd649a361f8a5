"""A round robin proposes the rounds in which everybody meets everybody, and says where there are fewer."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Player
from tests.cast import NOW, browser
from tests.tournaments.cast import NAMES, begin, plan, play_round, table_of
from tests.tournaments.views.planning.test_plan_pages import FORM
from tournaments.draw import count_schedule
from tournaments.flow.entry import attendance
from tournaments.flow.planning import phases
from tournaments.flow.planning.schedules import Schedule, find_shortfall
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import Phase, Tournament

PAIRS: dict[str, Any] = {"format": "round-robin", "venue": "real", "wanted": 2, "least": 2, "most": 2,
                         "game": "animals-on-board", "options": {}}  # fmt: skip
SAID = "A full round robin for 8 people takes 7 rounds. Rounds planned: 5."


@pytest.mark.parametrize(
    ("people", "sizes", "rounds"),
    [
        (2, (2, 2, 2), 1), (8, (2, 2, 2), 7), (9, (2, 2, 2), 9), (16, (4, 4, 4), 5), (9, (3, 3, 3), 4),
        (13, (4, 3, 5), 4), (5, (4, 4, 5), 1), (6, (4, 4, 4), 3), (3, (4, 4, 5), None), (1, (2, 2, 2), None),
        (60, (2, 2, 2), 59),
    ],
)  # fmt: skip
def test_the_rounds_of_a_full_schedule(people: int, sizes: tuple[int, int, int], rounds: int | None) -> None:
    wanted, smallest, largest = sizes
    assert count_schedule(people, wanted=wanted, smallest=smallest, largest=largest) == rounds


def pages(one: Tournament, owner: Player) -> tuple[str, str, str]:
    """The console, the plan, and what everybody reads."""
    desk = browser(owner)
    urls = [reverse(f"tournaments:{name}", args=[one.pk]) for name in ("console", "revise", "tournament")]
    console, revise = (desk.get(url).content.decode() for url in urls[:2])
    return console, revise, Client().get(urls[2]).content.decode()


def test_eight_in_pairs_are_told_that_five_rounds_are_two_too_few(ana: Player) -> None:
    one = begin(ana, NAMES[:8], **PAIRS)
    assert find_shortfall(open_book(one)) == Schedule(8, 7, 5)
    for page in pages(one, ana):
        assert SAID in page
    browser(ana).post(reverse("tournaments:do", args=[one.pk]), {"action": "plan-rounds", "rounds": 7})
    one.refresh_from_db()
    assert (one.rounds_planned, find_shortfall(open_book(one))) == (7, None)
    for page in pages(one, ana):
        assert "A full round robin for" not in page
    for number in range(1, 8):
        play_round(ana, one, number)
    met = [pair for number in range(1, 8) for pair in table_of(one, number)]
    assert sorted(met) == sorted(tuple(sorted(pair)) for pair in combinations(NAMES[:8], 2))


def test_it_is_said_before_and_after_the_end_too(ana: Player) -> None:
    one = begin(ana, NAMES[:4], **PAIRS | {"rounds_planned": 2})
    for number in (1, 2):
        play_round(ana, one, number)
    console, _, public = pages(one, ana)
    assert "Finish the tournament" in console
    assert "Plan 3 rounds" in console
    assert "A full round robin for 4 people takes 3 rounds. Rounds planned: 2." in public
    phases.move_on(one, ana, Phase.FINISHED, now=NOW)
    one.refresh_from_db()
    console, _, public = pages(one, ana)
    assert "A full round robin for 4 people takes 3 rounds. Rounds played: 2." in public
    assert "Plan 3 rounds" not in console


def test_who_has_gone_needs_no_round(ana: Player) -> None:
    one = begin(ana, NAMES[:8], **PAIRS)
    ids = list(one.entrants.order_by("number").values_list("pk", flat=True))
    attendance.withdraw(one, ana, ids[6:], now=NOW)
    assert find_shortfall(open_book(one)) is None


def test_no_other_format_is_told_to_meet_everybody(ana: Player) -> None:
    assert find_shortfall(open_book(begin(ana, NAMES[:8], **PAIRS | {"format": "swiss"}))) is None


@pytest.mark.parametrize(
    ("overrides", "rounds"),
    [
        ({"expected": "8"}, 7), ({"expected": "8", "rounds_planned": "3"}, 3), ({}, 5), ({"expected": "80"}, 50),
        ({"expected": "8", "format": "swiss"}, 5),
    ],
)  # fmt: skip
def test_a_plan_proposes_the_rounds_for_the_people_that_are_expected(
    ana: Player, overrides: dict[str, str], rounds: int
) -> None:
    club = plan(ana).club
    sizes = {"wanted": "2", "least": "2", "most": "2", "game": "fancy-animals", "format": "round-robin"}
    sent = FORM | sizes | {"name": "Everybody"} | overrides
    assert browser(ana).post(reverse("tournaments:plan", args=[club.slug]), sent).status_code == 302
    assert Tournament.objects.get(name="Everybody").rounds_planned == rounds
