"""An organiser on a phone, scrolled far down a console that is refreshed while they use it."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import expect

from games.models import Player
from tests.browser.conftest import Invite
from tests.browser.server_state import OnServer
from tests.browser.tournaments.test_club_night import call_oneself, enter, found_club, press
from tests.browser.visitor import PHONE, Visitor, resize, until
from tests.tournaments import cast

pytestmark = pytest.mark.chromium

UNCOVERED = """one => {
  one.scrollIntoView({ block: "start" });
  const box = one.getBoundingClientRect();
  return one === document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
}"""
TOP = "one => one.getBoundingClientRect().top"
BOTTOM = "one => one.getBoundingClientRect().bottom"
TO_THE_FOOT = """one => {
  one.focus({ preventScroll: true });
  scrollBy(0, one.getBoundingClientRect().bottom - innerHeight);
}"""
"""As the keyboard goes to what stands below: it comes in at the foot of the screen."""


def add(organiser: Visitor, *names: str) -> None:
    """Walk-ins, one after another, without a look at the screen."""
    for name in names:
        organiser.at("#walk-in").fill(name)
        organiser.page.keyboard.press("Enter")
        expect(organiser.at("#walk-in")).to_have_value("")


def test_people_are_added_one_after_another(invite: Invite) -> None:
    organiser = invite(size=PHONE)
    found_club(organiser)
    press(organiser, "Open sign-up")
    press(organiser, "Start the check-in")
    add(organiser, "Cem", "Dan")
    expect(organiser.at("#walk-in")).to_be_focused()
    organiser.at("#walk-in").fill("dan")
    organiser.page.keyboard.press("Enter")
    expect(organiser.at(".notes .error")).to_contain_text("is already in this tournament")
    expect(organiser.at(".notes .error")).to_be_in_viewport(ratio=1)
    expect(organiser.at("#walk-in")).to_be_focused()
    expect(organiser.at("#walk-in")).to_be_in_viewport(ratio=1)
    expect(organiser.at("#walk-in")).to_have_value("dan")
    add(organiser, "Dan B")
    resize(organiser.page, {"width": 320, "height": 256})  # a laptop at 400 %
    assert organiser.at(".ticks input").last.evaluate(UNCOVERED)


def test_the_next_step_stays_in_view(invite: Invite) -> None:
    organiser = invite(size=PHONE)
    found_club(organiser)
    press(organiser, "Open sign-up")
    press(organiser, "Start the check-in")
    expect(organiser.at(".next-bar")).to_be_hidden()
    add(organiser, "Cem", "Dan", "Eva", "Fil")
    expect(organiser.at("#pulse-remark")).to_have_count(0)
    bar = organiser.at(".next-bar")
    organiser.page.keyboard.press("Tab")
    organiser.page.evaluate("scrollTo(0, 0)")
    expect(bar).to_be_hidden()
    below = organiser.at("main summary:visible").last
    below.evaluate(TO_THE_FOOT)
    expect(bar).to_be_visible()
    until(lambda: bool(below.evaluate(BOTTOM) <= bar.evaluate(TOP)), organiser.page, what="the focus above the bar")
    organiser.at("#steps-title").scroll_into_view_if_needed()
    expect(bar.get_by_role("button")).to_have_text("Draw round 1")
    expect(bar).to_be_in_viewport(ratio=1)
    bar.get_by_role("button").click()
    expect(organiser.at("#step")).to_be_focused()
    expect(organiser.at("#next")).to_have_text("Release round 1")
    expect(organiser.at("#next")).to_be_in_viewport(ratio=1)


def test_a_live_change_leaves_the_organiser_where_they_are(invite: Invite) -> None:
    organiser = invite(size=PHONE)
    found_club(organiser)
    press(organiser, "Open sign-up")
    add(organiser, "Cem", "Dan", "Eva")
    link = organiser.at("#entry-url").input_value()
    organiser.at(".entry-link summary").click()
    pairs = organiser.at("#further ~ details summary").first
    pairs.focus()
    pairs.scroll_into_view_if_needed()
    before = pairs.evaluate(TOP)
    enter(invite, link, "Ada")
    expect(organiser.at(".ticks")).to_contain_text("Ada")
    expect(pairs).to_be_focused()
    assert pairs.evaluate(TOP) == pytest.approx(before, abs=2)
    expect(organiser.at(".entry-link")).not_to_have_attribute("open", "")
    organiser.at(".entry-link summary").click()
    expect(organiser.at(".entry-link button")).to_be_visible()
    organiser.at("#undo").focus()
    enter(invite, link, "Bea")
    expect(organiser.at("#undo")).to_contain_text("Bea")
    expect(organiser.at("#step")).to_be_focused()  # else the same tap would now undo another step


def test_a_new_name_stands_on_every_open_page(invite: Invite) -> None:
    organiser = invite(size=PHONE)
    found_club(organiser)
    plan = organiser.page.context.new_page()
    plan.goto(organiser.at("a[href$='/plan/']").first.evaluate("one => one.href"))
    plan.locator("#id_name").fill("Friday")
    plan.get_by_role("button", name="Save").click()
    expect(organiser.at("h1")).to_have_text("Friday")
    expect(organiser.page).to_have_title(re.compile("Friday"))


def test_two_results_are_told_by_name(invite: Invite) -> None:
    organiser = invite(size=PHONE)
    found_club(organiser)
    press(organiser, "Open sign-up")
    phones = enter(invite, organiser.at("#entry-url").input_value(), "Ada", "Bea")
    press(organiser, "Start the check-in")
    add(organiser, "Cem", "Dan")
    press(organiser, "Select all")
    press(organiser, "Check in")
    press(organiser, "Draw round 1")
    press(organiser, "Release round 1")
    chairs = [name.strip() for name in organiser.at("#pod-1 .name").all_inner_texts()]
    for phone, places in zip(phones, ((1, 2, 3, 4), (2, 1, 3, 4)), strict=True):
        expect(phone.at("#say")).to_contain_text("Confirm the result" if phone is phones[1] else "Enter the result")
        phone.page.get_by_role("link", name="Enter the result").or_(
            phone.page.get_by_role("link", name="Confirm the result")
        ).click()
        if phone is phones[1]:
            phone.page.get_by_text("Enter another result").click()
        for index, place in enumerate(places):
            phone.at(f"input[name=place-{index}][value='{place}']").check()
        press(phone, "Send the result")
    expect(organiser.at(".to-come")).to_contain_text("two results")
    expect(organiser.at("#say")).to_have_text("Table 1 · two results")
    second = organiser.at("#pod-1 .said").nth(1)
    expect(second).to_contain_text(f"1. {chairs[1]}, 2. {chairs[0]}, 3. {chairs[2]}, 4. {chairs[3]}")
    second.get_by_role("button").click()
    expect(organiser.at("#pod-1")).to_be_focused()
    expect(organiser.at("#pod-1 .state")).to_have_text("Result entered")
    expect(organiser.at("#pod-1")).to_be_in_viewport()


FOCUSED = "document.activeElement.name"


def make_with_scores() -> str:
    """A round at a real table of a game with scores, led by Olga; its id."""
    olga = Player.objects.filter(name="Olga").latest("pk")
    one = cast.begin(olga, cast.NAMES[:4], venue="real", most=4)
    cast.release(olga, one, 1, now=time.time())
    return one.pk


@pytest.mark.usefixtures("cast_now")
def test_the_tab_key_goes_through_a_result_place_by_place(invite: Invite, on_server: OnServer) -> None:
    """As it stands on paper: place and score of one person, then of the next, then the button."""
    olga = invite()
    call_oneself(olga, "Olga")
    tournament = on_server(make_with_scores)
    in_order = [f"{what}-{seat}" for seat in range(4) for what in ("place", "score")]
    olga.go(f"/tournaments/{tournament}/console/")
    olga.at("#pod-1").locator("summary", has_text="Result, no-show").click()
    olga.at("#pod-1 [name=place-0]").focus()
    assert walk_by_tab(olga, len(in_order) + 1) == [*in_order, "action"]
    olga.go(f"/tournaments/{tournament}/results/")
    olga.at("#enter-1 summary").click()
    olga.at("main [name=place-0]").first.focus()
    assert walk_by_tab(olga, 5) == [*(f"place-{seat}" for seat in range(4)), "action"]


def walk_by_tab(visitor: Visitor, fields: int) -> list[str]:
    """The names of this many fields, from the one that has the focus."""
    names = []
    for _ in range(fields):
        names.append(visitor.page.evaluate(FOCUSED))
        visitor.page.keyboard.press("Tab")
    return names
