"""What may be chosen in Super Zwierzaki and what move comes of it, without a table: super-zwierzaki-choice.js."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.chromium

PILES = [
    {"kind": "38", "count": 3, "colour": "DB"},
    {"kind": "39", "count": 1, "colour": "DB"},
    {"kind": "1", "count": 2, "colour": "LB"},
    {"kind": "4", "count": 1, "colour": "ALL"},
]
TURN = {"mine": True, "phase": "turn", "need": 0, "plays": {"38": 3, "39": 1, "4": 1}, "nine": False}
NINE = {**TURN, "nine": True}
GIVE = {**TURN, "phase": "give", "need": 3, "plays": {}}
_RUN = """async ([file, asked, taps, piles, more]) => {
  const { pick, most, compose } = await import(file);
  const mine = new Map(piles.map((pile) => [pile.kind, pile]));
  let picked = new Map(), wrong = "";
  for (const kind of taps) ({ picked, wrong } = pick(asked, picked, mine, kind));
  const move = compose(asked, picked, more);
  return { picked: [...picked], wrong, most: piles.map((pile) => most(asked, pile)), move };
}"""
NOBODY: dict[str, Any] = {"seats": [], "kind": None, "deal": {"sigma": [], "from": 0, "to": 0}}


@pytest.fixture(name="page", scope="module")
def _page(chromium: Browser, server: str) -> Iterator[Page]:
    """A page of the installation, with the policy that its scripts live under."""
    with chromium.new_page() as page:
        page.goto(f"{server}/games/super-zwierzaki/new/")
        yield page


@pytest.fixture(name="file", scope="module")
def _file(static_root: Path) -> str:
    """Where the script lies."""
    names = json.loads((static_root / "staticfiles.json").read_text())["paths"]
    return f"/static/{names['js/super-zwierzaki/choice.js']}"


def tap(page: Page, file: str, asked: dict[str, Any], *kinds: str, **more: Any) -> dict[str, Any]:
    """After these taps: what is picked, what is wrong, the most of each pile, the move."""
    found: dict[str, Any] = page.evaluate(_RUN, [file, asked, list(kinds), PILES, {**NOBODY, **more}])
    return found


@pytest.mark.parametrize(
    ("taps", "picked", "move"),
    [
        ("", [], None),
        ("38", [["38", 1]], {"play": "38"}),
        ("38 38", [["38", 2]], {"play": "38", "n": 2}),
        ("38 38 38 38", [], None),
        ("38 38 39", [["39", 1]], {"play": "39"}),
    ],
)
def test_in_a_turn_one_pile_is_played(page: Page, file: str, taps: str, picked: list[Any], move: Any) -> None:
    found = tap(page, file, TURN, *taps.split())
    assert (found["picked"], found["wrong"], found["move"]) == (picked, "", move)
    assert found["most"] == [3, 1, 0, 1]


def test_what_does_not_fit_says_why_and_leaves_what_is_chosen(page: Page, file: str) -> None:
    found = tap(page, file, TURN, "38", "1")
    assert (found["picked"], found["wrong"]) == ([["38", 1]], "why")
    idle = tap(page, file, {**TURN, "mine": False}, "38")
    assert (idle["picked"], idle["wrong"], idle["most"], idle["move"]) == ([], "wait", [0, 0, 0, 0], None)


def test_the_nine_colours_are_one_of_each_in_the_order_of_tapping(page: Page, file: str) -> None:
    assert tap(page, file, NINE, "1", "38")["picked"] == [["1", 1], ["38", 1]]
    assert tap(page, file, NINE, "38", "1", "39")["picked"] == [["1", 1], ["39", 1]]
    assert tap(page, file, NINE, "38", "38")["picked"] == []
    every = tap(page, file, NINE, "38", "4")
    assert (every["picked"], every["wrong"], every["most"]) == ([["38", 1]], "nine_all", [1, 1, 1, 0])


def test_nine_cards_make_the_move(page: Page, file: str) -> None:
    piles = [{"kind": str(number), "count": 1, "colour": f"C{number}"} for number in range(9)]
    asked: list[Any] = [file, NINE, [pile["kind"] for pile in piles], piles, NOBODY]
    assert page.evaluate(_RUN, asked)["move"] == {"nine": list("012345678")}
    asked[2] = asked[2][:-1]
    assert page.evaluate(_RUN, asked)["move"] is None


def test_exactly_as_many_as_are_asked_for(page: Page, file: str) -> None:
    some = tap(page, file, GIVE, "38", "38", "1", seats=[2])
    assert (some["picked"], some["move"]) == ([["38", 2], ["1", 1]], {"give": ["38", "38", "1"], "to": 2})
    assert tap(page, file, GIVE, "38", "38", "1", "4")["wrong"] == "enough"
    assert tap(page, file, GIVE, "38", "38", "1", "1", seats=[2])["picked"] == [["38", 2]]
    assert tap(page, file, GIVE, "38", "38", "1")["move"] is None
    assert tap(page, file, GIVE, "38", "1", seats=[2])["move"] is None
    discard = tap(page, file, {**GIVE, "phase": "discard"}, "39", "1", "1")
    assert discard["move"] == {"discard": ["39", "1", "1"]}


@pytest.mark.parametrize(
    ("phase", "more", "move"),
    [
        ("swap", {"seats": [2, 0]}, {"swap": [2, 0]}),
        ("swap", {"seats": [2]}, None),
        ("name", {"kind": "19"}, {"name": "19"}),
        ("sigma", {"deal": {"sigma": [1, 2, 0], "from": 0, "to": 2}}, {"sigma": [1, 2, 0], "from": 0, "to": 2}),
        ("sigma", {"deal": {"sigma": [1, 1, 0], "from": 0, "to": 2}}, None),
        ("sigma", {"deal": {"sigma": [1, 2, 0], "from": 2, "to": 2}}, None),
        ("colour", {}, None),
    ],
)
def test_choices_without_cards(page: Page, file: str, phase: str, more: dict[str, Any], move: Any) -> None:
    assert tap(page, file, {**TURN, "phase": phase}, **more)["move"] == move


@pytest.mark.parametrize(
    ("phase", "move"), [("reaction", {"react": "38"}), ("win", {"react": "38"}), ("duel", {"play": "38"})]
)
def test_a_card_out_of_turn_is_a_reaction(page: Page, file: str, phase: str, move: dict[str, str]) -> None:
    assert tap(page, file, {**TURN, "phase": phase, "plays": {"38": 1}}, "38")["move"] == move


@pytest.mark.parametrize(
    ("phase", "move", "is_said"),
    [
        ("turn", {"play": "38"}, True),
        ("turn", {"draw": True}, False),
        ("turn", {"accept": True}, False),
        ("duel", {"fold": True}, False),
        ("win", {"decline": True}, False),
        ("win", {"react": "38"}, True),
        ("discard", {"decline": True}, True),
        ("give", {"give": ["38"], "to": 2}, True),
    ],
)
def test_the_call_rides_on_what_the_rules_let_it_ride_on(
    page: Page, file: str, phase: str, move: dict[str, Any], is_said: bool
) -> None:
    draws = page.evaluate("async ([file, phase, move]) => (await import(file)).call(phase, move)", [file, phase, move])
    assert draws == (move | {"call": True} if is_said else move)


_PLAN = """async ([file, asked, taps, piles, offered]) => {
  const { pick, plan, isPossible } = await import(file);
  const mine = new Map(piles.map((pile) => [pile.kind, pile]));
  let picked = new Map();
  for (const kind of taps) ({ picked } = pick(asked, picked, mine, kind));
  const move = plan(asked, picked);
  return { move, can: offered.map(([turn, moves]) => isPossible(turn, move ?? { draw: true }, moves)) };
}"""
IDLE = {"mine": False, "phase": "", "need": 0, "plays": {}, "nine": False, "plans": True}


@pytest.mark.parametrize(
    ("asked", "taps", "move"),
    [
        (IDLE, "38 38", {"play": "38", "n": 2}),
        (IDLE, "38 38 38 38", None),
        (IDLE, "38 4", {"play": "4"}),
        ({**IDLE, "plans": False}, "38", None),
        (TURN, "38", None),
    ],
)
def test_a_play_for_my_next_turn_is_chosen_from_all_my_cards(
    page: Page, file: str, asked: dict[str, Any], taps: str, move: Any
) -> None:
    assert page.evaluate(_PLAN, [file, asked, taps.split(), PILES, []])["move"] == move


def test_a_planned_move_is_possible_only_in_a_turn_that_offers_it(page: Page, file: str) -> None:
    few, window = {**TURN, "plays": {"38": 1}}, {**TURN, "phase": "reaction", "plays": {"38": 3}}
    turns = [[TURN, []], [few, []], [window, []], [{**TURN, "mine": False}, []]]
    assert page.evaluate(_PLAN, [file, IDLE, ["38", "38"], PILES, turns])["can"] == [True, False, False, False]
    draws = [[TURN, [{"draw": True}]], [TURN, [{"accept": True}]], [window, [{"decline": True}]]]
    assert page.evaluate(_PLAN, [file, IDLE, [], PILES, draws])["can"] == [True, False, False]
