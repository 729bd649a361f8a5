"""Hand and button are in view for any number of players and cards on the table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Invite
from tests.browser.playing import await_turn, press, tap
from tests.browser.server_state import SetUpGame
from tests.browser.visitor import LAPTOP, PHONE, Visitor, await_animations, list_overflowing, resize, wait_until

pytestmark = pytest.mark.chromium

SMALL = {"width": 360, "height": 640}
LYING = {"width": 740, "height": 360}
TABLET = {"width": 1024, "height": 768}
WIDE = ({"width": 640, "height": 640}, {"width": 640, "height": 800}, {"width": 600, "height": 960})
"""Upright windows wider than a phone."""
PHONES = (PHONE, LYING, SMALL)
LOST = """() => {
  const box = (part) => part.getBoundingClientRect();
  const buttons = document.querySelector(".tray .buttons"), floor = Math.min(innerHeight, box(buttons).top);
  const parts = [...document.querySelectorAll("#hand > :is(.t, .k, .s), .tray .ask, .tray .choice")];
  const isLost = (part) => box(part).top < 0 || box(part).bottom > floor + 1 || !part.checkVisibility();
  const lost = parts.filter(isLost);
  const corner = box(document.getElementById("go") ?? buttons);
  const there = document.elementFromPoint(corner.left + 9, corner.bottom - 9);
  if (corner.bottom > innerHeight || !buttons.contains(there)) lost.push(buttons);
  return lost.map((part) => part.outerHTML.slice(0, 60));
}"""

IS_SEEN = """part => {
  const { left, right, top, bottom } = part.getBoundingClientRect();
  return part.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}"""
"""Whether nothing lies on the middle of a part."""

TABLE = """\
1LG:G 2GM:G 3GC:G 4LG:G 5GM:G | 1LM:M 2LM:M 3MC:M 4GM:M | 6LG:G 6GM:M 6MC:C | 7LC:C 8GC:C 9GC:C 10LC:C |
1LC:L 2LC:L 3LC:L | 8LG:G 8LM:M 8LC:C | 9LG:G 9LM:M 9MC:C | 10GM:G 10LG:L 10MC:C | 5LC:L 6LC:L 7LM:L"""
HELD = ["1GC", "2GC", "3GM", "4MC", "5MC", "6LM", "7GC", "8GM", "9GM", "10LM", "1MC", "2MC", "3LG", "4LC"]
ANIMALS_ON_BOARD = {
    "arks": [["zebra-1"], ["zebra-2"], ["zebra-3"], ["zebra-4"]],
    "crates": [3, 2, 2, 2],
    "middle": [
        ["fox-1", "fox-2", "lion-3"],
        ["panda-4"],
        ["lion-4", "panda-1", "hedgehog-2"],
        ["giraffe-5", "giraffe-1"],
        ["hedgehog-4", "?"],
    ],
    "face_down": "lion-2",
    "stack": ["tiger-1", "tiger-2", "rhino-3"],
}
MORE = ["8", "9", "10", "11", "12"]
KINDS = ["1", "3", "5", "6", "45", "67", "96", "102", "37"]


def begin(person: Visitor, game: str, seats: int) -> None:
    """A game against bots, without its page."""
    person.start_game(game, seats=seats, bots=seats - 1, turn_seconds=600)


def check(
    set_up_game: SetUpGame, person: Visitor, setup: dict[str, Any], *, sizes: tuple[dict[str, int], ...] = PHONES
) -> None:
    """The game begins anew from here with my turn; nothing of what I hold and am asked is out of view."""
    set_up_game(person.table, setup)
    person.show_table()
    await_turn(person)
    look_at(person, sizes)


def look_at(person: Visitor, sizes: Iterable[dict[str, int]]) -> None:
    """On a screen of each of these sizes nothing that I hold and am asked is out of view."""
    for size in sizes:
        resize(person.page, size)
        person.page.evaluate("scrollTo(0, 0)")
        assert person.page.evaluate(LOST) == [], size
        assert list_overflowing(person.page) == []


def test_the_hand_of_fancy_animals_stands_in_view_whatever_lies_on_the_table(
    invite: Invite, set_up_game: SetUpGame
) -> None:
    person = invite(size=SMALL, has_touch=True, is_mobile=True, locale="de-DE")
    begin(person, "fancy-animals", 4)
    table = [meld.split() for meld in TABLE.split("|")]
    for held in (4, 14):
        hands = [HELD[:held], ["11LC"], ["11GC"], ["11LM"]]
        setup = {"hands": hands, "table": table, "deck": ["11GM", "11LG"], "to_act": 0}
        check(set_up_game, person, setup, sizes=(*PHONES, LAPTOP))
    person.at("#hand .t").first.tap()  # on the laptop: now there is room on the table for what is picked up
    assert person.page.evaluate(LOST) == []


def test_what_is_asked_on_the_quay_stands_in_view_though_the_groups_are_many(
    invite: Invite, set_up_game: SetUpGame
) -> None:
    person = invite(size=PHONE, has_touch=True, is_mobile=True, locale="de-DE")
    begin(person, "animals-on-board", 4)
    check(set_up_game, person, {**ANIMALS_ON_BOARD, "start": 0, "to_act": 0, "in_round": [0, 1, 2, 3]}, sizes=(PHONE,))


TILES = "fox-1 fox-2 lion-3 panda-4 lion-4 panda-1 hedgehog-2 giraffe-5 giraffe-1 hedgehog-4 zebra-5 tiger-4"


def test_what_is_asked_and_my_crates_stand_in_view_though_each_tile_is_a_group(
    invite: Invite, set_up_game: SetUpGame
) -> None:
    person = invite(size=PHONE, has_touch=True, is_mobile=True)
    begin(person, "animals-on-board", 4)
    setup = {**ANIMALS_ON_BOARD, "middle": [[tile] for tile in TILES.split()], "face_down": None}
    check(set_up_game, person, {**setup, "start": 0, "to_act": 0, "in_round": [0, 1, 2, 3]}, sizes=(SMALL, PHONE))
    for part in ("#go", ".seats .at-0 .pips", "#ark li:first-child", "#ark li:last-child"):
        assert person.at(part).evaluate(IS_SEEN), part
    place = person.at("#go").bounding_box()
    person.at(".price").first.tap()
    press(person, "#go", tap)
    expect(person.at(".price")).not_to_have_count(len(TILES.split()))  # quick bots may have begun the next round by now
    wait_until(lambda: person.at("#go").bounding_box() == place, person.page, what="in its place with fewer groups")


def test_a_hand_of_cards_stands_in_view_though_eight_sit_there(invite: Invite, set_up_game: SetUpGame) -> None:
    person = invite(size=SMALL, has_touch=True, is_mobile=True, locale="de-DE")
    begin(person, "karriere-poker", 8)
    numbers = [str(number) for number in range(1, 14)]
    deal = {"hands": [[*numbers[:-1], "J"], *([numbers] * 7)]}
    check(set_up_game, person, {"order": [7, *range(7)], "deals": [deal]}, sizes=(PHONE, SMALL))
    assert person.page.evaluate(HIDDEN, "#middle > *") == []
    person.at("#hand .s").last.tap()
    expect(person.at("#naming")).to_be_visible()
    assert person.page.evaluate(HIDDEN, "#middle > *") == []


def test_a_hand_of_the_zoo_stands_in_view_though_eight_sit_there(invite: Invite, set_up_game: SetUpGame) -> None:
    person = invite(size=SMALL, has_touch=True, is_mobile=True, locale="de-DE")
    begin(person, "super-zwierzaki", 8)
    others = [["8", "9"], ["10", "11"], ["8", "9"], ["10", "11"], ["8", "9"], ["10", "11"], ["20", "21"]]
    draw = ["12", "16", "18", "20", "21", "23", "41", "42", "43", "44"]
    for held in (4, 9):
        setup = {"hands": [KINDS[:held], *others], "top": "19", "order": list(range(8)), "draw": draw}
        check(set_up_game, person, setup, sizes=(TABLET, *PHONES))
    check(set_up_game, person, {**setup, "hands": [[*KINDS, *MORE], *others]}, sizes=(LAPTOP,))


COVERED = """() => {
  const tray = document.querySelector(".tray").getBoundingClientRect(), duel = document.getElementById("duel");
  const parts = [duel, ...duel.querySelectorAll("h2, .points, li .a"), document.querySelector("#heap .z")];
  const cut = [...document.querySelectorAll("#heap .z em")].filter((mark) => mark.scrollWidth > mark.clientWidth + 1);
  return [...cut, ...parts.filter((part) => {
    const { top, bottom, left, right } = part.getBoundingClientRect();
    return top < 0 || left < 0 || right > innerWidth || bottom > tray.top;
  })].map((part) => part.outerHTML.slice(0, 60));
}"""
"""What of a duel, and of the card that began it, is cut off or lies under what I hold."""


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_a_duel_of_eight_stands_whole_above_my_hand(invite: Invite, set_up_game: SetUpGame, locale: str) -> None:
    person = invite(size=PHONE, has_touch=True, is_mobile=True, locale=locale)
    begin(person, "super-zwierzaki", 8)
    others = [["47", "47", "40"], ["10", "11"], ["8", "9"], ["10", "11"], ["8", "9"], ["10", "11"], ["20", "21"]]
    for begun in ("37", "2"):
        hands = [[begun, "107", *KINDS[:7]], *others]
        setup = {"hands": hands, "top": {"37": "116", "2": "1"}[begun], "order": list(range(8)), "draw": MORE}
        check(set_up_game, person, setup, sizes=(PHONE,))
        person.at(f"#hand [data-k='{begun}']").tap()
        press(person, "#go", tap)
        expect(person.at("#duel")).to_be_visible()
        expect(person.at("#action")).to_contain_class("mine")
        await_animations(person.page)
        for size in (PHONE, SMALL):
            resize(person.page, size)
            assert person.page.evaluate(COVERED) == [], (begun, size)
        assert person.page.evaluate(LOST) == [], begun


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["740", "640"])
def test_what_is_to_be_matched_stands_above_a_hand_of_fourteen(
    invite: Invite, set_up_game: SetUpGame, size: dict[str, int]
) -> None:
    person = invite(size=size, has_touch=True, is_mobile=True)
    begin(person, "super-zwierzaki", 8)
    others = [["8", "9"], ["10", "11"], ["8", "9"], ["10", "11"], ["8", "9"], ["10", "11"], ["20", "21"]]
    setup = {"hands": [[*KINDS, *MORE], *others], "top": "19", "order": list(range(8)), "draw": ["16", "18", "23"]}
    set_up_game(person.table, setup)
    person.show_table()
    await_turn(person)
    lowest = person.at("#heap .given").last.bounding_box()
    tray = person.at(".tray").bounding_box()
    assert lowest is not None
    assert tray is not None
    assert lowest["y"] + lowest["height"] <= tray["y"]


HIDDEN = """(above) => {
  const box = (part) => part.getBoundingClientRect(), top = box(document.querySelector(".tray")).top;
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((part) => part.checkVisibility());
  const lost = shown(above).filter((part) => box(part).bottom > top + 1);
  lost.push(...shown("#default, .standing .btn, .buttons > .btn").filter((part) => box(part).bottom > innerHeight));
  return lost.map((part) => part.outerHTML.slice(0, 60));
}"""
"""What of these parts is under the hand, and which buttons and words below it are out of view."""
GIVEN = "#heap .z, #heap .given, #counters"
ALL_COLOURS = ["1", "14", "25", "38", "49", "67", "79", "90", "97"]


WINDOW = "#window, #heap .z"


@pytest.mark.parametrize(
    ("locale", "hand", "more", "above"),
    [
        ("de-DE", ["25", "26", "107", *KINDS[:4]], {"top": "30", "counters": {"red": 14}}, GIVEN),
        (
            "de-DE",
            ["25", *KINDS[:6]],
            {"top": "14", "counters": {"demand": 2}, "demand": {"named": "19", "by": 2}},
            GIVEN,
        ),
        ("de-DE", [*ALL_COLOURS, "3", "5"], {"top": "1"}, GIVEN),
        ("pl-PL", ["107", *KINDS], {"top": "40", "order": [1, 2, 3, 4, 5, 6, 7, 0]}, WINDOW),
    ],
    ids=["red points", "a demand", "nine colours", "a window"],
)
def test_whatever_is_asked_of_one_of_eight_is_whole(
    invite: Invite, set_up_game: SetUpGame, locale: str, hand: list[str], more: dict[str, Any], above: str
) -> None:
    person = invite(size=SMALL, has_touch=True, is_mobile=True, locale=locale)
    begin(person, "super-zwierzaki", 8)
    others = [["47", "47", "40"], ["10", "11"], ["8", "9"], ["10", "11"], ["8", "9"], ["10", "11"], ["20", "21"]]
    set_up_game(person.table, {"hands": [hand, *others], "order": list(range(8)), "draw": MORE, **more})
    person.show_table()
    await_turn(person)
    for size in (SMALL, PHONE, *WIDE):
        resize(person.page, size)
        await_animations(person.page)
        assert person.page.evaluate(HIDDEN, above) == [], size


def test_a_window_stands_above_a_hand_of_ten_kinds(invite: Invite, set_up_game: SetUpGame) -> None:
    person = invite(size=SMALL, has_touch=True, is_mobile=True, locale="de-DE")
    begin(person, "super-zwierzaki", 5)
    hands = [["107", *KINDS], ["47", "47", "40"], ["10", "11"], ["8", "9"], ["20", "21"]]
    set_up_game(person.table, {"hands": hands, "order": [1, 2, 3, 4, 0], "draw": MORE, "top": "40"})
    person.show_table()
    await_turn(person)
    for size in (SMALL, PHONE):
        resize(person.page, size)
        await_animations(person.page)  # the card that was played is where it stays
        assert person.page.evaluate(HIDDEN, "#window, #heap .z") == [], size
    person.at("#window .by").evaluate("by => (by.textContent = `${'W'.repeat(20)} plays an animal.`)")
    assert list_overflowing(person.page) == []
