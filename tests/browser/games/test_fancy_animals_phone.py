"""The table of Fancy Animals on an upright phone, with forty cards on it: drags, the big button, what is in view."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Invite
from tests.browser.fingers import drag_by_finger, middle_of, pinch
from tests.browser.games.test_fancy_animals import HAND, begin, has_answer
from tests.browser.playing import await_ply, await_turn, ply, press, tap
from tests.browser.server_state import SetUpGame
from tests.browser.visitor import PHONE, Visitor, await_animations, list_overflowing, wait_until

pytestmark = pytest.mark.chromium

FORTY = """\
1LG:G 2LG:G 3LG:G 4LG:G | 5LG:G 6LG:G 7LG:G 8LG:G | 9LG:G 10LG:G 11LG:G |
1GM:M 2GM:M 3GM:M 4GM:M | 5GM:M 6GM:M 7GM:M 8GM:M | 9GM:M 10GM:M 11GM:M |
1MC:C 2MC:C 3MC:C 4MC:C | 5MC:C 6MC:C 7MC:C 8MC:C | 9MC:C 10MC:C 11MC:C | 1LM:L 2LM:L 3LM:L | 4LM:L 5LM:L 6LM:L 7LM:L"""
"""Forty cards in eleven melds."""
HELD = ["1LC", "2LC", "3LC", "5GC", "7GC", "8LM", "9GC", "10LM", "11LC", "11GC"]
BOXES = """selector => [...document.querySelectorAll(selector)].map((each) => {
  const { left, top, right, bottom } = each.getBoundingClientRect();
  return [left, top, right, bottom];
})"""
COLOUR = "tile => getComputedStyle(tile).color"
SEEN = """selector => {
  const table = document.querySelector("#melds").getBoundingClientRect();
  const floor = Math.min(table.bottom, document.querySelector(".tray").getBoundingClientRect().top, innerHeight);
  return [...document.querySelectorAll(selector)].map((each) => {
    const { top, bottom } = each.getBoundingClientRect();
    return top >= table.top - 1 && bottom <= floor + 1;
  });
}"""
"""Of each element, whether the table shows all of it."""

Box = list[float]


@pytest.fixture
def person(invite: Invite, set_up_game: SetUpGame) -> Visitor:
    """Somebody with a phone whose turn it is, with forty cards on the table and ten in the hand."""
    person = invite(size=PHONE, has_touch=True, is_mobile=True)
    begin(person)
    begin_with(set_up_game, person, list_setup())
    return person


def list_setup() -> dict[str, Any]:
    """Ten cards in the hand, three in the bot's."""
    return {"hands": [HELD, ["4LC", "6LC", "8GC"]]}


def begin_with(set_up_game: SetUpGame, person: Visitor, setup: dict[str, Any]) -> None:
    """The game anew, with forty cards on the table and what the set-up says besides."""
    table = [meld.split() for meld in FORTY.split("|")]
    set_up_game(person.table, {"table": table, "deck": ["1GC", "2GC", "3GC"], "to_act": 0, **setup})
    person.show_table()
    await_turn(person)
    await_animations(person.page)


def boxes(page: Page, selector: str) -> list[Box]:
    """Left, top, right and bottom of each element that matches, in CSS pixels of the window."""
    found: list[Box] = page.evaluate(BOXES, selector)
    return found


def card(word: str) -> str:
    """A card of the hand."""
    return f"#hand .t[data-w='{word}']"


def pick(person: Visitor, *words: str) -> None:
    """Tap these cards of the hand."""
    for word in words:
        tap(person.at(card(word)))
        expect(person.at(card(word))).to_have_attribute("aria-pressed", "true")


def test_a_dragged_card_is_seen_under_the_finger_at_each_step(person: Visitor) -> None:
    page = person.page
    seen = []

    def watch(point: tuple[float, float]) -> None:
        [[left, top, right, bottom]] = boxes(page, ".ghost")
        seen.append(point)
        assert left <= point[0] <= right, "the finger is on it"
        assert top <= point[1] <= bottom
        assert left >= 0, "and all of it in the window"
        assert top >= 0
        assert right <= PHONE["width"]
        assert bottom <= PHONE["height"]
        colours.add(person.at(".ghost").evaluate(COLOUR))

    colours: set[str] = set()
    colour = person.at(card("5GC")).evaluate(COLOUR)
    lying = person.at("#melds .meld").first
    drag_by_finger(person.at(card("5GC")), lying.locator(".t").last, steps=8, watch=watch)
    assert len(seen) == 8
    assert colours == {colour}
    expect(person.at("#melds .meld").first.locator(".t")).to_have_count(5)
    expect(person.at("#melds .meld.changed .t[data-w='5GC:G']")).to_be_visible()
    drag_by_finger(person.at(card("1LC")), (10.0, 10.0), steps=8, watch=watch)
    expect(person.at(".ghost, .lifted, .target")).to_have_count(0)


def test_nothing_moves_when_a_card_is_picked_up(person: Visitor) -> None:
    page = person.page
    before = boxes(page, "#melds .t, #offer .o, #hand, #draw, #go")
    lying_before = page.evaluate_handle("[...document.querySelectorAll('#melds .t')]")
    pick(person, "5GC")
    expect(person.at("#melds .meld .drop").first).to_be_visible()
    await_animations(page)
    assert boxes(page, "#melds .t, #offer .o, #hand, #draw, #go") == before
    is_same = "(before) => [...document.querySelectorAll('#melds .t')].every((tile, i) => tile === before[i])"
    assert page.evaluate(is_same, lying_before), "a meld that has not changed is not built anew: a press costs less"
    lying = person.at("#melds .t[data-w='2LG:G']")
    tap(lying)
    expect(lying).to_have_attribute("aria-pressed", "true")
    await_animations(page)
    after = boxes(page, "#melds .t:not(.picked), #offer .o, #hand, #draw, #go")
    assert [box for box in before if box in after] == after
    melds, moved = boxes(page, "#melds .t:not(.picked)"), []
    drag_by_finger(
        person.at(card("9GC")),
        (180.0, 300.0),
        watch=lambda _: moved.append(boxes(page, "#melds .t:not(.picked)") == melds),
    )
    assert set(moved) == {True}


def test_most_of_the_phone_shows_the_melds_in_my_turn(person: Visitor) -> None:
    page = person.page
    [[left, top, right, bottom]] = boxes(page, "#melds")
    [[_, floor, _, ground]] = boxes(page, ".tray")
    assert bottom - top > PHONE["height"] / 2
    assert right - left > PHONE["width"] - 20
    assert bottom <= floor + 1
    assert ground <= PHONE["height"]
    assert all(page.evaluate(SEEN, "#melds .meld:not(.new)")), "all forty at once"
    assert list_overflowing(page) == []
    expect(person.at(".seats")).to_be_hidden()
    expect(person.at("#offer .o")).to_have_count(8)
    tap(person.at("#unfold"))
    expect(person.at(".seats")).to_be_visible()
    expect(person.at("#unfold")).to_have_attribute("aria-expanded", "true")
    tap(person.at("#unfold"))
    expect(person.at(".seats")).to_be_hidden()


def meet(one: Box, other: Box) -> bool:
    """Whether two boxes have a point in common."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_drawing_never_stands_where_a_meld_is_confirmed(person: Visitor) -> None:
    page = person.page
    places: dict[str, list[Box]] = {"#draw": [], "#go": []}

    def note(label: str) -> None:
        expect(person.at("#go")).to_have_text(label)
        for button, found in places.items():
            found += boxes(page, button)

    note("Select cards to play")
    expect(person.at("#draw")).to_have_text("Draw a card")
    pick(person, "1LC")
    note("Lay the card as a new meld")
    pick(person, "2LC", "3LC")
    note("Lay 3 as a new meld")
    tap(person.at("#go"))
    note("Play 3 cards")
    page.touchscreen.tap(*middle_of(person.at("#draw")))  # it says that it is disabled, and why
    expect(person.at("#why")).to_contain_text("start over")
    assert ply(page) == int(person.at("#board").get_attribute("data-ply") or -1)
    tap(person.at("#offer .paid").first)
    expect(person.at("#go")).to_contain_text("take:")
    note(person.at("#go").inner_text())
    tap(person.at("[data-do=reset]"))
    note("Select cards to play")
    before = ply(page)
    press(person, "#draw", tap)
    await_ply(person, before + 1)
    await_turn(person)
    note("Select cards to play")
    assert len(places["#draw"]) == len(places["#go"]) == 7
    assert [(one, other) for one in places["#draw"] for other in places["#go"] if meet(one, other)] == []


def test_a_second_tap_on_the_big_button_plays_nothing(person: Visitor) -> None:
    before = ply(person.page)
    pick(person, "1LC", "2LC", "3LC")
    person.at("#go").evaluate("button => (button.click(), button.click())")
    expect(person.at("#go")).to_have_text("Play 3 cards")
    assert ply(person.page) == before
    press(person, "#go", tap)
    await_ply(person, before + 1)


def test_the_button_that_was_pressed_says_that_it_is_sent(person: Visitor) -> None:
    page = person.page
    page.evaluate("document.addEventListener('menagerie:move', (event) => event.stopImmediatePropagation(), true)")
    press(person, "#draw", tap)
    expect(person.at("#draw")).to_have_text("Sending …")
    expect(person.at("#go")).to_have_text("Select cards to play")
    page.reload()
    person.await_live()
    page.evaluate("document.addEventListener('menagerie:move', (event) => event.stopImmediatePropagation(), true)")
    pick(person, "1LC", "2LC", "3LC")
    tap(person.at("#go"))  # this lays the meld, and the next one plays it
    expect(person.at("#go")).to_have_text("Play 3 cards")
    press(person, "#go", tap)
    expect(person.at("#go")).to_have_text("Sending …")
    expect(person.at("#draw")).to_have_text("Draw a card")


def test_the_table_scrolls_at_its_own_edges(person: Visitor) -> None:
    page = person.page
    for _ in range(3):
        tap(person.at("[data-do=larger]"))
    table = person.at("#melds")
    assert table.evaluate("table => table.scrollHeight > table.clientHeight + 100")
    [[_, top, _, bottom]] = boxes(page, "#melds")

    def scrolled() -> int:
        return int(table.evaluate("table => table.scrollTop"))

    def stay_below() -> None:
        wait_until(lambda: scrolled() > 60, page, what="the table scrolls down")

    def stay_over_the_button() -> None:
        page.wait_for_timeout(300)
        assert scrolled() == 0, "not over the button, nor on the way there"

    start = page.evaluate("scrollY")
    drag_by_finger(person.at(card("5GC")), middle_of(person.at("#go")), stay=stay_over_the_button)
    tap(person.at("[data-do=undo]"))
    lying = person.at("#melds .t[data-w='1GM:M']")
    drag_by_finger(lying, (180.0, bottom - 12), stay=stay_below)
    down = scrolled()
    tap(person.at("[data-do=undo]"))
    drag_by_finger(
        person.at(card("5GC")),
        (180.0, top + 12),
        stay=lambda: wait_until(lambda: scrolled() < down - 30, page, what="the table scrolls up"),
    )
    assert page.evaluate("scrollY") == start


def test_a_hint_shows_and_marks_what_it_changes(person: Visitor) -> None:
    page = person.page
    for _ in range(3):
        tap(person.at("[data-do=larger]"))
    person.at("#melds").evaluate("table => table.scrollTo(0, table.scrollHeight)")
    lay = person.at("#melds .t").evaluate_all("all => all.map((tile) => tile.dataset.w)")
    tap(person.at("[data-do=hint]"))
    wait_until(lambda: has_answer(person), page, what="a hint")
    assert person.at("#why").evaluate("why => why.scrollHeight <= why.clientHeight + 1"), "the reason is read whole"
    marked = person.at("#melds .t.fresh").evaluate_all("all => all.map((tile) => tile.dataset.w)")
    assert marked
    assert set(person.at("#melds .t").evaluate_all("all => all.map((tile) => tile.dataset.w)")) - set(lay) <= set(
        marked
    )
    assert any(page.evaluate(SEEN, "#melds .meld:has(.fresh)"))
    tap(person.at("[data-do=undo]"))
    expect(person.at("#melds .t.fresh")).to_have_count(0)


def test_what_others_have_laid_is_marked_when_my_turn_comes(person: Visitor) -> None:
    before = ply(person.page)
    press(person, "#draw", tap)
    await_ply(person, before + 2)
    await_turn(person)
    lying = {word for meld in FORTY.split("|") for word in (each.partition(":")[0] for each in meld.split())}
    names = "all => all.map((tile) => tile.dataset.w.split(':')[0])"

    def list_marked() -> set[str]:
        return set(person.at("#melds .t.fresh").evaluate_all(names))

    def is_marked() -> bool:
        return list_marked() == set(person.at("#melds .t").evaluate_all(names)) - lying

    wait_until(is_marked, person.page, what="all that the bot has laid is marked, and nothing else")
    marked = list_marked()
    assert marked, "the bot could play"
    assert any(person.page.evaluate(SEEN, "#melds .meld:has(.fresh)"))


def hand(person: Visitor) -> list[str]:
    """The cards of the hand in their order."""
    found: list[str] = person.at(HAND).evaluate_all("all => all.map((tile) => tile.dataset.w)")
    return found


def test_the_hand_is_sorted_and_the_browser_remembers_how(person: Visitor) -> None:
    assert hand(person) == HELD
    tap(person.at("[data-do=sort]"))
    by_suit = ["1LC", "2LC", "3LC", "8LM", "10LM", "11LC", "5GC", "7GC", "9GC", "11GC"]
    assert hand(person) == by_suit
    person.page.reload()
    person.await_live()
    wait_until(lambda: hand(person) == by_suit, person.page, what="sorted as it was")
    tap(person.at("[data-do=sort]"))
    assert hand(person) == HELD


def test_two_fingers_and_buttons_change_the_size_of_the_cards(person: Visitor) -> None:
    tile = person.at("#melds .t").first

    def width() -> float:
        return float(tile.evaluate("tile => tile.getBoundingClientRect().width"))

    usual = width()
    pinch(person.at("#melds"), first=80, last=120)
    assert width() > usual * 1.3
    expect(person.at(".ghost, .picked")).to_have_count(0)
    pinch(person.at("#melds"), first=200, last=50)
    assert width() == pytest.approx(usual * 0.7, abs=1)
    expect(person.at("[data-do=smaller]")).to_be_disabled()
    person.page.reload()
    person.await_live()
    wait_until(lambda: abs(width() - usual * 0.7) < 1, person.page, what="as small as it was")
    for _ in range(2):
        tap(person.at("[data-do=larger]"))
    assert width() > usual * 0.9
    assert list_overflowing(person.page) == []


def test_seats_come_back_when_my_turn_is_over(person: Visitor) -> None:
    before = ply(person.page)
    person.page.evaluate(
        """() => document.addEventListener("menagerie:updated", () => {
          if (!document.querySelector("#action.mine"))
            (window.shown ??= []).push(document.querySelector(".seats").checkVisibility());
        })"""
    )
    press(person, "#draw", tap)
    await_ply(person, before + 2)
    await_turn(person)
    assert set(person.page.evaluate("window.shown")) == {True}
    expect(person.at(".seats")).to_be_hidden()
