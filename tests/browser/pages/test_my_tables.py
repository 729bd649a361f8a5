"""Games over days in a browser: opened by the form, news and a note at the table, the next one with one key, holidays.

Their pages, the notifications and the page without a network have nothing for axe to find.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Invite
from tests.browser.pages.test_accessible import examine, find_violations
from tests.browser.visitor import LAPTOP, PHONE, Visitor, list_overflowing

pytestmark = pytest.mark.chromium

NOTE = "Keep the two for the end."


def open_over_days(person: Visitor, game: str = "karriere-poker") -> str:
    """The address of a game against bots with three days for a turn, in which this person is to act."""
    person.go(f"/games/{game}/new/")
    person.at("[name=days]").select_option("3")
    person.at("[name=seats]").select_option("4")
    person.at("[name=bots]").fill("3")
    person.page.get_by_role("button", name="Open the table").click()
    expect(person.at("#action.mine")).to_be_visible(timeout=20_000)
    return person.page.url


def test_games_over_days_from_the_first_form_to_a_holiday(invite: Invite) -> None:
    person = invite()
    first, second = open_over_days(person), open_over_days(person)
    expect(person.at("#action .left, .seat[data-due]").first).to_be_visible()
    person.at(".private-note summary").click()
    person.at("#note").fill(NOTE)
    person.page.get_by_role("button", name="Save note").click()
    expect(person.at("#note")).to_have_value(NOTE)
    person.at(".to-news").click()
    assert list(find_violations(person)) == []

    person.page.get_by_role("button", name="Hide this list").click()
    expect(person.at(".news")).to_have_count(0)
    person.await_live()
    person.page.keyboard.press("F2")
    expect(person.page).to_have_url(first)
    person.page.keyboard.press("F2")
    expect(person.page).to_have_url(second)

    assert list(examine(person, "/me/tables/", 200)) == []
    expect(person.at(".row-table.mine")).to_have_count(2)
    person.go("/me/holidays/")
    for field in ("#first", "#last"):
        person.at(field).fill(str(person.at(field).get_attribute("min")))
    person.page.get_by_role("button", name="Plan holiday").click()
    expect(person.page.get_by_role("button", name="End holiday now")).to_be_visible()
    found = {path: list(examine(person, path, 200)) for path in ("/me/holidays/", "/me/notifications/", "/offline/en/")}
    assert found == {path: [] for path in found}
    person.page.goto(first)
    expect(person.at("#stand-ins")).to_contain_text("is on holiday until")


COVERED = """() => {
  const box = (part) => part.getBoundingClientRect();
  const over = ["#board .seats .at-0", "#board .tray"].map((part) => box(document.querySelector(part)));
  if (over[0].bottom > over[1].top + 1) return -1;
  const parts = [...document.querySelectorAll("#islands .island, #middle > *, #exchange > p")];
  const shown = parts.filter((part) => part.checkVisibility()).map(box);
  return shown.filter((part) => over.some((it) => part.bottom > it.top + 1 && part.top < it.bottom - 1)).length;
}"""
"""How much of what lies on the table my seat or my hand covers, at the top of the page; -1: my hand covers my seat."""
TOUCHED = """parts => {
  const box = (part) => part.getBoundingClientRect(), it = box(document.querySelector(".to-news"));
  return parts.filter((part) => box(part).bottom > it.top && box(part).top < it.bottom
    && box(part).right > it.left && box(part).left < it.right).map((part) => part.outerHTML);
}"""
"""Which of these parts the button lies over."""


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["360", "1280"])
@pytest.mark.parametrize("game", ["karriere-poker", "animals-on-board"])
def test_what_happened_meanwhile_opens_over_the_table(invite: Invite, game: str, size: dict[str, int]) -> None:
    person = invite(size=size, has_touch=True, is_mobile=size == PHONE)
    address = open_over_days(person, game)
    person.go("/me/tables/")
    person.page.goto(address)
    person.await_live()
    opener = person.at(".to-news")
    expect(person.at(".news")).to_be_hidden()
    felt = person.at("#board .felt").bounding_box()
    assert felt is not None
    assert felt["y"] < 110
    assert person.at("#action").evaluate("bar => bar.getBoundingClientRect().bottom <= innerHeight")
    others = person.at(".tools, .side details")
    assert others.evaluate_all(TOUCHED) == []
    assert person.page.evaluate(COVERED) == 0
    opener.tap()
    expect(person.at(".news li").first).to_be_visible()
    assert list_overflowing(person.page) == []
    assert person.at("#board .felt").bounding_box() == felt  # it opens over the table
    person.page.get_by_role("button", name="Hide this list").tap()
    expect(opener).to_have_count(0)
