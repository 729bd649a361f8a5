"""The bump chart: where its lines and names stand."""

from __future__ import annotations

import pytest

from games import models
from tests.tournaments.cast import NAMES, begin, play_round
from tournaments.flow.entry import sign_up
from tournaments.flow.standings.book_reading import open_book
from tournaments.scoring.charts import MAX_LINES, render_bump
from tournaments.views.standings.tournament_view import build_bump_chart


@pytest.mark.parametrize("places", [{}, {"1": [1], "2": [2]}])
def test_of_one_round_there_is_no_way(places: dict[str, list[int | None]]) -> None:
    assert render_bump(places, {"1": "Ada", "2": "Bea"}, me=None) is None


def test_equals_look_alike_and_their_names_stand_apart() -> None:
    bump = render_bump(
        {"1": [2, 1], "2": [1, 1], "3": [3, 3], "4": [None, 4]},
        {"1": "Bea", "2": "Ada", "3": "Cem", "4": "Zoe"},
        me=None,
    )
    assert bump is not None
    assert bump.rounds == ((20, 1), (108, 2))
    assert [(line.name, line.kind, line.places, line.dots) for line in bump.lines] == [
        ("Ada", "first", (1, 1), ((20, 30, 1), (108, 30, 1))),
        ("Bea", "first", (2, 1), ((20, 56, 2), (108, 56, 1))),
        ("Cem", "third", (3, 3), ((20, 82, 3), (108, 82, 3))),
        ("Zoe", "other", (None, 4), ((108, 108, 4),)),
    ]
    assert [line.end for line in bump.lines] == [(122, 35), (122, 61), (122, 87), (122, 113)]


@pytest.mark.parametrize(("people", "rounds"), [(2, 2), (16, 3), (40, 12)])
def test_everything_is_within_the_picture(people: int, rounds: int) -> None:
    places: dict[str, list[int | None]] = {
        str(one): [1 + (one * (number + 1) * 7) % people for number in range(rounds)] for one in range(people)
    }
    bump = render_bump(places, {key: f"Person {key}" for key in places}, me=str(people - 1))
    assert bump is not None
    assert len(bump.lines) in (min(people, MAX_LINES), min(people, MAX_LINES) + 1)
    assert [line.kind for line in bump.lines].count("me") == 1
    spots = [line.end for line in bump.lines]
    assert len({*spots}) == len(spots)
    assert all(line.end[0] + 9 * len(line.name) <= bump.width for line in bump.lines)
    assert all(9 <= y <= bump.height - 9 for _, y in spots)
    assert all(9 <= y <= bump.height - 9 for line in bump.lines for _, y, _ in line.dots)


def test_who_came_late_has_no_place_before(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], venue="real", rounds_planned=3)
    play_round(ana, tournament, 1)
    sign_up.add_walk_in(tournament, ana, name="Zoe", now=0.0)
    play_round(ana, tournament, 2)
    bump = build_bump_chart(open_book(tournament), None)
    assert bump is not None
    places = {line.name: line.places for line in bump.lines}
    assert [name for name, way in places.items() if way[0] is None] == ["Zoe"]
    assert len(places) == 9
