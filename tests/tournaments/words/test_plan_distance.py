"""The certificate of a round robin says in words how far its plan is from the fewest repeat meetings."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from django.utils import translation

from games.models import Player
from tests.cast import browser
from tests.tournaments.cast import NAMES, begin, draw
from tests.tournaments.flow.entry.test_teams import build
from tournaments.words.terms import say_plan_distance

ABOVE = (
    "Repeat meetings in this plan: 6. Any plan with tables of these sizes has at least 4, so this one is at most 2 "
    "above the minimum."
)


@pytest.mark.parametrize(
    ("value", "bound", "sentence"),
    [
        (0, 0, "In this plan, nobody meets anybody again."),
        (6, 6, "Repeat meetings in this plan: 6. No plan with tables of these sizes has fewer."),
        (6, 4, ABOVE),
    ],
)
def test_a_plan_says_how_far_it_is_from_the_bound(value: int, bound: int, sentence: str) -> None:
    assert say_plan_distance(value, bound) == sentence


@pytest.mark.parametrize("language", ["de", "pl"])
def test_it_says_so_in_each_language(language: str) -> None:
    english = say_plan_distance(6, 4)
    with translation.override(language):
        sentence = say_plan_distance(6, 4)
    assert sentence != english
    assert all(number in sentence for number in "642")


def test_the_draft_of_a_round_robin_with_a_bye_says_so(ana: Player) -> None:
    """Nine people at two tables of four, five rounds: two tables leave one out, and pairs must meet again."""
    tournament = begin(ana, NAMES[:9], format="round-robin", least=4, most=4, rounds_planned=5, venue="real")
    draw(ana, tournament, 1)
    page = browser(ana).get(reverse("tournaments:console", args=[tournament.pk])).content.decode()
    assert "Repeat meetings in this plan:" in page
    assert "Repeat meetings over all rounds (a third meeting counts 4, a fourth 9)" in page


@pytest.mark.parametrize("has_teams", [True, False])
def test_where_team_mates_are_kept_apart_it_says_that_they_count(ana: Player, has_teams: bool) -> None:
    """Two teams of four at two tables of four: mates must meet, and that is no meeting of earlier rounds."""
    settings: dict[str, Any] = {"format": "round-robin", "rounds_planned": 1, "most": 4, "venue": "real"}
    tournament = build(ana, **settings) if has_teams else begin(ana, NAMES[:8], **settings)
    draw(ana, tournament, 1)
    page = browser(ana).get(reverse("tournaments:console", args=[tournament.pk])).content.decode()
    assert ("Two people of one team or club at a table count like a repeat meeting." in page) == has_teams
    assert ("Repeat meetings in this plan: 4. No plan with tables of these sizes has fewer." in page) == has_teams
