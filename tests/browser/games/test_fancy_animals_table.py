"""Pure parts of the table of Fancy Animals: where a dragged card is drawn, how far it scrolls, what has moved."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.catalogue.fancy_animals.rules.cards import ALL, SUITS
from tests.browser.conftest import Run
from tests.catalogue.fancy_animals.rules.playing import melds

pytestmark = pytest.mark.chromium

ROOM = {"width": 360, "height": 740}
CARD = {"width": 40, "height": 50}


@pytest.mark.parametrize(
    ("at", "corner"),
    [
        ((180, 300), (160, 259)),
        ((2, 2), (4, 4)),
        ((359, 739), (316, 686)),
    ],
)
def test_a_dragged_card_lies_above_the_finger_and_in_the_window(
    run: Run, at: tuple[int, int], corner: tuple[int, int]
) -> None:
    given = {"at": {"x": at[0], "y": at[1]}, "copy": CARD, "room": ROOM}
    body = "(it, { at, copy, room }) => it.placeCopy(at, copy, room)"
    assert run("fancy-animals/tile-dragging", body, given) == {"x": corner[0], "y": corner[1]}


@pytest.mark.parametrize(
    ("y", "was_inside", "by"),
    [
        (300, True, 0),
        (145, True, 0),
        (122, True, -5),
        (100, True, -9),
        (70, True, -9),
        (50, True, 0),
        (478, True, 5),
        (500, True, 9),
        (501, True, 0),
        (499, False, 0),
    ],
)
def test_a_table_scrolls_near_its_edges_and_not_beyond(run: Run, y: int, was_inside: bool, by: int) -> None:
    given = {"y": y, "edges": {"top": 100, "bottom": 500}, "wasInside": was_inside}
    body = "(it, { y, edges, wasInside }) => it.findScroll(y, edges, wasInside) + 0"
    assert run("table/dragging", body, given) == by


@pytest.mark.parametrize(
    ("part", "way"),
    [
        ((150, 250), 0),
        ((50, 90), -60),
        ((450, 520), 30),
        ((90, 900), -20),
        ((300, 900), 190),
    ],
)
def test_what_has_changed_comes_into_view(run: Run, part: tuple[int, int], way: int) -> None:
    given = {"part": {"top": part[0], "bottom": part[1]}, "view": {"top": 100, "bottom": 500}}
    assert run("fancy-animals/reveal", "(it, { part, view }) => it.findWay(part, view)", given) == way


@pytest.mark.parametrize(("wish", "zoom"), [(1, 1), (0.2, 0.7), (5, 1.6), (1.234, 1.23)])
def test_cards_become_neither_too_small_nor_too_large(run: Run, wish: float, zoom: float) -> None:
    assert run("fancy-animals/zoom", "(it, wish) => it.limitZoom(wish)", wish) == zoom


def test_a_hand_is_sorted_by_number_as_the_server_does_or_by_suit(run: Run) -> None:
    words = [card.word for card in ALL]
    mixed = random.Random(3).sample(words, len(words))
    found: dict[str, Any] = run(
        "fancy-animals/melds",
        "(it, mixed) => ({ number: [...mixed].sort(it.compareNumbers), suit: [...mixed].sort(it.compareSuits) })",
        mixed,
    )
    assert found["number"] == words
    by_suit = sorted(ALL, key=lambda card: (SUITS.index(card.word[-2]), card.number, SUITS.index(card.word[-1])))
    assert found["suit"] == [card.word for card in by_suit]


def test_a_meld_is_looked_at_before_cards_are_put_into_it(run: Run) -> None:
    first = {"melds": [["3LG:G", "4GM:G", "5GC:G"], ["6LM:L", "7LM:L", "8LM:L"]], "hand": ["6GM", "9GC"], "worn": {}}
    found = run(
        "fancy-animals/draft",
        """(it, { first, rules }) => {
          const draft = new it.Draft(it.begin(first.melds, first.hand, first.worn), rules);
          return [draft.preview(["6GM"], 0), draft.preview(["6LM"], 1), draft.at];
        }""",
        {"first": first, "rules": {"top": 11, "loop": False}},
    )
    assert found == [["3LG:G", "4GM:G", "5GC:G", "6GM:G"], ["6LM:L", "7LM:L", "8LM:L"], 0]


@pytest.mark.parametrize(
    ("before", "after", "moved"),
    [
        ("3LG:G 4GM:G 5GC:G", "3LG:G 4GM:G 5GC:G", ""),
        ("3LG:G 4GM:G 5GC:G", "2LG:G 3LG:G 4GM:G 5GC:G", "2LG"),
        ("1LG:G 2LG:G 3LG:G 4GM:G 5GC:G 6LG:G 7LG:G", "1LG:G 2LG:G 3LG:G 4GM:G | 5GC:G 6LG:G 7LG:G", "5GC 6LG 7LG"),
        (
            "3LG:G 4GM:G 5GC:G 6LG:G | 6LM:L 6MC:M 6GC:C",
            "3LG:G 4GM:G 5GC:G | 6LM:L 6MC:M 6GC:C 6LG:G",
            "6LG",
        ),
    ],
)
def test_cards_that_lie_elsewhere_are_found(run: Run, before: str, after: str, moved: str) -> None:
    given = {"before": melds(before), "after": melds(after)}
    found = run("fancy-animals/draft-move", "(it, { before, after }) => it.findMoved(before, after)", given)
    assert found == moved.split()
