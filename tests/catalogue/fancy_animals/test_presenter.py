"""What the screens of Fancy Animals tell besides the board: small cards in the log, and which rule broke a tie."""

from __future__ import annotations

from typing import Any, cast

import pytest

from games.catalogue.fancy_animals.presenter.end import notes, say_tie_break
from games.catalogue.fancy_animals.presenter.log import log_lines
from games.catalogue.fancy_animals.rules.view import FancyAnimalsView
from games.presenters.screen import LogLine
from games.rules import registry
from games.views.forms import TableForm
from tests.catalogue.fancy_animals.rules.playing import FANCY, act, position
from tests.live.boards import make_screen

FAVOURITE = "tie broken by favourite pieces: 2 against 1"
HAND = "tie broken by the higher sum of numbers left in hand"


def make_end(places: list[int], scores: list[int], *worn: dict[str, list[str]]) -> FancyAnimalsView:
    animals = ["tiger", "pig", "fox"][: len(places)]
    return cast(FancyAnimalsView, {"places": places, "scores": scores, "animals": animals, "worn": list(worn)})


@pytest.mark.parametrize(
    ("places", "scores", "worn", "expected"),
    [
        ([1, 2], [9, 7], ({}, {}), ["", ""]),
        ([1, 1], [7, 7], ({}, {}), ["", ""]),
        ([2, 1], [5, 5], ({}, {}), ["", HAND]),
        ([1, 2], [5, 5], ({"hand": ["hand-C-1", "hand-C-2"]}, {"feet": ["feet-G-3"]}), [FAVOURITE, ""]),
        (
            [1, 2, 3],
            [5, 5, 5],
            ({"hand": ["hand-C-1"]}, {}, {}),
            [FAVOURITE.replace("2 against 1", "1 against 0"), HAND, ""],
        ),
    ],
)
def test_a_broken_tie_is_told_with_the_rule_that_broke_it(
    places: list[int], scores: list[int], worn: tuple[dict[str, list[str]], ...], expected: list[str]
) -> None:
    view = make_end(places, scores, *worn)
    assert [say_tie_break(view, seat) for seat in range(len(places))] == expected
    assert [note.words for note in notes(view)] == [
        f"{animal} · {reason}" if reason else animal
        for animal, reason in zip(("tiger", "pig", "fox"), expected, strict=False)
    ]


def test_the_rule_told_is_the_one_that_decided_a_real_game() -> None:
    """Both have nothing on; seat 1 has more left in hand, and both pass."""
    state = position("1LG", "9LG")
    for _ in range(2):
        state = act(state, {"pass": True})
    view = cast(FancyAnimalsView, FANCY.view(state, None))
    assert view["places"] == [2, 1]
    assert [say_tie_break(view, seat) for seat in range(2)] == ["", HAND]


def render(kind: str, **data: Any) -> str:
    """The line of the log about this event, as its own seat reads it."""
    log = (LogLine(3, kind, 1, data, None),)
    return "".join(log_lines(make_screen(game="fancy-animals", log=log), None, 1, 0))


def test_the_log_shows_the_cards_it_tells_of() -> None:
    played = render("played", cards=["7LG", "8GM"], wilds=[], moved=0)
    assert played.count('<i class="t ') == 2
    assert 'data-w="7LG"' in played
    assert 'aria-hidden="true"' in played
    assert '<i class="t aL bG"' in render("got", cards=["7LG"])
    assert '<i class="t ' in render("activated", cards=["7LG"], rule="loop")
    claimed = render("claimed", clothing="hand-G-2", spot="hand")
    assert '<i class="w hand mG"' in claimed
    assert '<i class="w ' in render("returned", clothing="feet-M-4")
    assert "tiles" not in render("passed")


def test_a_turn_of_fancy_animals_is_longer_than_of_other_games() -> None:
    times = {slug: info.turn_seconds for slug, info in registry.infos().items()}
    assert times["fancy-animals"] == TableForm(FANCY).fields["turn_seconds"].initial == 120
    assert times["fancy-animals"] > max(seconds for slug, seconds in times.items() if slug != "fancy-animals")
