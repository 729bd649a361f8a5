"""Dragging with a finger: tiles of Animals on Board and cards of Fancy Animals; a swipe over them scrolls."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Invite
from tests.browser.fingers import drag_by_finger
from tests.browser.games.test_animals_on_board import begin_round, largest, phase
from tests.browser.games.test_fancy_animals import HAND, begin, begin_with_nothing_laid
from tests.browser.playing import press, tap
from tests.browser.server_state import SetUpGame
from tests.browser.visitor import PHONE, Visitor, resize, wait_until

pytestmark = pytest.mark.chromium


@pytest.fixture
def person(invite: Invite) -> Visitor:
    """Somebody with a phone."""
    return invite(size=PHONE, has_touch=True, is_mobile=True)


def scrolled(person: Visitor) -> int:
    """How far down the page is, in CSS pixels."""
    return int(person.page.evaluate("scrollY"))


def test_tiles_leave_their_island_by_finger_and_come_back(person: Visitor) -> None:
    begin_round(person)
    island, raft = person.at("#islands .island").first, person.at("#islands > .raft .t")
    words = island.locator(".t").evaluate_all("all => all.map((tile) => tile.dataset.t)")
    drag_by_finger(island.locator(".t").nth(1), person.at("#bar"))
    expect(person.at("#go")).to_have_text("Split 8 | 1, +1 crate")
    drag_by_finger(island.locator(".t").nth(4), person.at("#bar"))
    expect(person.at("#go")).to_have_text("Split 7 | 2, +1 crate")
    assert raft.evaluate_all("all => all.map((tile) => tile.dataset.raft)") == [words[1], words[4]]
    tap(raft.first)
    expect(person.at("#go")).to_have_text("Split 8 | 1, +1 crate")
    person.page.evaluate("scrollTo(0, 0)")
    drag_by_finger(raft.first, island.locator(".t").first)
    expect(person.at("#islands > .raft, .flying, .up, .off")).to_have_count(0)
    drag_by_finger(island.locator(".t").nth(2), person.at("#bar"))
    press(person, "#go", tap)
    left = person.at(f".island[data-group='1'] .t[data-t='{words[2]}']")  # the new group may have been taken by now
    expect(left).to_have_count(words.count(words[2]) - 1)


def test_an_island_is_taken_and_joins_no_other_by_finger(person: Visitor) -> None:
    begin_round(person)
    for place in (0, 1):  # two tiles, for which the bot cannot pay
        tap(person.at("#islands .t").nth(place))
    press(person, "#go", tap)
    wait_until(lambda: phase(person.page) == "both", person.page, what="something to take")
    small = person.at(".island:not(:has(.price.dear))").first.locator(".t").first
    drag_by_finger(largest(person.page).locator(".t").first, small)
    expect(person.at("#why")).to_have_text("Tiles can leave a group, but not join another.")
    drag_by_finger(small, person.at(".seats li.at-0"))
    expect(person.at("#go")).to_contain_text("Take ")


def test_a_swipe_over_tiles_scrolls_and_lifts_nothing(person: Visitor) -> None:
    begin_round(person)
    person.page.evaluate("scrollTo(0, 0)")
    tiles = person.at("#islands .t")
    person.page.clock.install(time=0)
    person.page.clock.pause_at(1)  # the finger moves on before the page can think that it rests
    drag_by_finger(tiles.last, person.at("#bar"), rests=False)
    wait_until(lambda: scrolled(person) > 50, person.page, what="the page scrolls")
    expect(person.at("#islands > .raft, .flying, .up, .held")).to_have_count(0)


def test_cards_are_laid_and_taken_back_by_finger(person: Visitor, set_up_game: SetUpGame) -> None:
    begin_with_nothing_laid(set_up_game, person)
    held = person.at(HAND).count()
    drag_by_finger(person.at(HAND).first, person.at("#melds"))
    expect(person.at("#melds .meld.bad .t")).to_have_count(1)
    drag_by_finger(person.at(HAND).first, person.at("#melds .meld.bad .t"))
    expect(person.at("#melds .meld.bad .t")).to_have_count(2)
    person.page.evaluate("scrollTo(0, 100)")
    drag_by_finger(person.at("#melds .meld.bad .t").first, person.at(HAND).last)
    expect(person.at("#melds .meld.bad .t")).to_have_count(1)
    expect(person.at(HAND)).to_have_count(held - 1)
    expect(person.at(".ghost, .lifted, .held, .target")).to_have_count(0)


def test_time_and_button_stay_in_view_while_one_edits(person: Visitor) -> None:
    begin(person)
    person.page.evaluate("scrollTo(0, 0)")
    for part in (".left", "#go"):
        box = person.at(f"#action {part}").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= PHONE["height"]


def test_near_the_edge_the_page_scrolls_along(person: Visitor) -> None:
    begin(person)
    resize(person.page, {"width": 360, "height": 420})
    person.at(HAND).first.scroll_into_view_if_needed()
    person.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    down = scrolled(person)

    def stay() -> None:
        wait_until(lambda: scrolled(person) < down - 100, person.page, what="the page scrolls along")

    drag_by_finger(person.at(HAND).first, (180.0, 20.0), stay=stay)
