"""The door on a phone, and a draft that is changed by hand: two letters and Enter, a walk-in, a swap by two presses."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Invite
from tests.browser.tournaments.test_club_night import found_club, press
from tests.browser.visitor import PHONE, Visitor, list_overflowing

pytestmark = pytest.mark.chromium


def type_and_enter(organiser: Visitor, text: str) -> None:
    organiser.at("#door-q").fill(text)
    organiser.page.keyboard.press("Enter")


def test_people_come_in_at_the_door_and_a_draft_is_swapped_by_hand(invite: Invite) -> None:
    organiser = invite(size=PHONE)
    found_club(organiser)
    press(organiser, "Open sign-up")
    for name in ("Łukasz Nowak", "Jörg Müller", "Anna Nowak"):
        organiser.at("#walk-in").fill(name)
        organiser.page.keyboard.press("Enter")
        expect(organiser.at("#walk-in")).to_have_value("")
    press(organiser, "Start the check-in")
    organiser.page.get_by_role("link", name="Open the door page").click()
    message, box = organiser.at(".door-said"), organiser.at("#door-q")
    expect(box).to_be_focused()
    type_and_enter(organiser, "lu")
    expect(message).to_contain_text("Łukasz Nowak is here.")
    expect(box).to_have_value("")
    organiser.at(".door-said button").click()
    expect(message).to_contain_text("is signed up and not here yet")
    box.fill("no")
    expect(organiser.at(".door-names li:visible")).to_have_count(2)
    expect(organiser.at(".door-names .chosen")).to_contain_text("Anna Nowak")
    organiser.page.keyboard.press("ArrowDown")
    expect(organiser.at(".door-names .chosen")).to_contain_text("Łukasz Nowak")
    organiser.page.keyboard.press("Enter")
    expect(organiser.at("[data-count=missing]")).to_have_text("2")
    type_and_enter(organiser, "mueller")
    expect(message).to_contain_text("Jörg Müller is here.")
    organiser.page.get_by_role("button", name="Here Anna Nowak").click()  # one thumb
    expect(organiser.at("[data-count=missing]")).to_have_text("0")
    for name in ("Cem", "Dan", "Eva", "Fil", "Gus"):
        type_and_enter(organiser, name)
        expect(organiser.at(".door-add button")).to_be_focused()
        organiser.page.keyboard.press("Enter")
        expect(message).to_contain_text(f"{name} is here.")
    expect(organiser.at("[data-count=here]")).to_have_text("8")
    assert list_overflowing(organiser.page) == []
    organiser.page.get_by_role("link", name="Console").click()
    press(organiser, "Draw round 1")
    tables = organiser.at(".pods .pod")
    expect(tables).to_have_count(2)
    first, second = (tables.nth(at).locator(".seats .name").first.inner_text() for at in (0, 1))
    organiser.page.get_by_role("button", name=f"Swap {first}").focus()
    organiser.page.keyboard.press("Enter")
    expect(organiser.page.get_by_role("button", name=f"Swap {first}")).to_have_attribute("aria-pressed", "true")
    organiser.page.get_by_role("button", name=f"Swap {second}").press("Enter")
    expect(organiser.at(".pods .pod").nth(0)).to_contain_text(second)
    first, second = (tables.nth(at).locator(".seats .name").last.inner_text() for at in (0, 1))
    # The headless browser begins no drag of its own from the mouse: these are the events of one.
    carried = organiser.page.evaluate_handle("() => new DataTransfer()")
    organiser.at(f".seats li:has-text('{first}')").dispatch_event("dragstart", {"dataTransfer": carried})
    organiser.at(f".seats li:has-text('{second}')").dispatch_event("drop", {"dataTransfer": carried})
    expect(organiser.at(".pods .pod").nth(1)).to_contain_text(first)
