"""Penalties and names: what an organiser lays down, once, and what they cannot."""

from __future__ import annotations

import pytest

from games import models
from games.play.errors import BadInput
from tests.cast import NOW
from tests.tournaments.cast import NAMES, begin, entrant, play_round, release, standing
from tournaments.flow.entry import organiser_decisions
from tournaments.models import Penalty, Step, Tournament


def penalise_ada(one: Tournament, owner: models.Player, points: int, *, reason: str = "Late.", key: str = "k") -> None:
    organiser_decisions.penalise(one, owner, entrant(one, "Ada").pk, points=points, reason=reason, key=key, now=NOW)


def test_a_penalty_that_is_sent_twice_is_given_once(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], venue="real", most=4)
    play_round(ana, tournament, 1)
    before = {name: points for name, _, points in standing(tournament)}
    for _ in range(2):
        penalise_ada(tournament, ana, 420)
    penalise_ada(tournament, ana, -84, key="another")
    assert {name: before[name] - points for name, _, points in standing(tournament)} == {
        "Ada": 336, "Bea": 0, "Cem": 0, "Dan": 0,
    }  # fmt: skip
    assert Step.objects.filter(tournament=tournament, kind="penalty").count() == 2


def test_a_penalty_belongs_to_the_round_that_is_played(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], venue="real", most=4)
    penalise_ada(tournament, ana, 1, key="before the first")
    play_round(ana, tournament, 1)
    penalise_ada(tournament, ana, 2, key="between")
    release(ana, tournament, 2)
    penalise_ada(tournament, ana, 4, key="in the second")
    assert list(Penalty.objects.order_by("pk").values_list("points", "round_number")) == [(1, 1), (2, 1), (4, 2)]


@pytest.mark.parametrize("points", [0, 840_001, -840_001])
def test_a_penalty_takes_some_points_and_not_too_many(ana: models.Player, points: int) -> None:
    tournament = begin(ana, NAMES[:4])
    with pytest.raises(BadInput, match="points and a reason of up to 200 characters"):
        penalise_ada(tournament, ana, points)
    for key, most in enumerate((840_000, -840_000)):
        penalise_ada(tournament, ana, most, key=f"k{key}")
    assert Penalty.objects.count() == 2


@pytest.mark.parametrize("reason", ["", "  ", "x" * 201])
def test_a_penalty_says_why(ana: models.Player, reason: str) -> None:
    tournament = begin(ana, NAMES[:4])
    with pytest.raises(BadInput, match="points and a reason of up to 200 characters"):
        penalise_ada(tournament, ana, 420, reason=reason)
    penalise_ada(tournament, ana, 420, reason="x" * 200)
    assert Penalty.objects.get().reason == "x" * 200
