"""An organiser runs a club night in a browser; a player on a phone finds their table and enters its result."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Invite
from tests.browser.visitor import PHONE, Visitor, list_overflowing, resize, wait_until

pytestmark = pytest.mark.chromium


def press(visitor: Visitor, name: str) -> None:
    """Press the button of this name."""
    visitor.page.get_by_role("button", name=name, exact=True).first.click()


def call_oneself(visitor: Visitor, name: str) -> None:
    """Choose a name."""
    visitor.go("/me/")
    visitor.at("#id_name").fill(name)
    visitor.at(".animals input").first.check()
    press(visitor, "Save")


def found_club(organiser: Visitor) -> None:
    """A club, and a tournament of four at real tables."""
    call_oneself(organiser, "Olga")
    organiser.go("/clubs/new/")
    organiser.at("#id_name").fill("Harbour Club")
    press(organiser, "Create club")
    organiser.page.get_by_role("link", name="Plan a tournament").click()
    organiser.at("#id_name").fill("Thursday")
    organiser.at("[name=venue][value=real]").check()
    organiser.at("#id_rounds_planned").fill("1")
    press(organiser, "Create plan")


def enter(invite: Invite, url: str, *names: str) -> list[Visitor]:
    """These people come by the link, each with a phone."""
    phones = []
    for name in names:
        phone = invite(size=PHONE)
        call_oneself(phone, name)
        phone.page.goto(url)
        press(phone, "Sign up")
        expect(phone.page.get_by_role("heading", name="You are signed up")).to_be_visible()
        phones.append(phone)
    return phones


def test_a_club_night(invite: Invite) -> None:
    organiser = invite()
    found_club(organiser)
    press(organiser, "Open sign-up")
    phones = enter(invite, organiser.at("#entry-url").input_value(), "Ada", "Bea")
    press(organiser, "Start the check-in")
    for name in ("Cem", "Dan"):
        organiser.at("#walk-in").fill(name)
        press(organiser, "Add")
        expect(organiser.at(".ticks")).to_contain_text(name)
    press(organiser, "Select all")
    press(organiser, "Check in")
    expect(organiser.at(".next .say")).to_contain_text("4 people are here.")
    press(organiser, "Draw round 1")
    expect(organiser.at(".pods")).to_contain_text("No two people here have met before.")
    press(organiser, "Release round 1")
    for phone in phones:  # without anybody's doing
        expect(phone.at("#my-table-title")).to_have_text("Round 1: you play at table 1")
        assert list_overflowing(phone.page) == []
    hold_otherwise(phones[1])
    report_result(phones[0])
    phones[1].page.get_by_role("link", name="Confirm the result").click()
    press(phones[1], "Confirm the result")
    expect(phones[1].at("#result-title")).to_have_text("Result")
    press(organiser, "Complete round 1")
    press(organiser, "Finish the tournament")
    organiser.page.get_by_role("link", name="Standings").first.click()
    expect(organiser.at(".standings tbody tr")).to_have_count(4)
    expect(organiser.at(".standings tbody tr").first).to_contain_text("1")
    organiser.page.get_by_role("link", name="Console").first.click()
    press(organiser, "Undo: Olga finished the tournament")
    expect(organiser.at("#next")).to_have_text("Finish the tournament")


def hold_otherwise(phone: Visitor) -> None:
    """Sideways, and with letters of twice the size, a page has room for what it is about."""
    resize(phone.page, {"width": 740, "height": 360})
    assert list_overflowing(phone.page) == []
    assert phone.page.evaluate("document.querySelector('.top').offsetHeight") < 130
    resize(phone.page, {"width": 360, "height": 740})
    phone.page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert list_overflowing(phone.page) == []
    phone.page.evaluate("document.documentElement.style.fontSize = ''")


def report_result(phone: Visitor) -> None:
    """Enter a result with a thumb: everybody in the order of the chairs."""
    phone.page.get_by_role("link", name="Enter the result").click()
    for index in range(4):
        phone.at(f"input[name=place-{index}][value='{index + 1}']").check()
    assert list_overflowing(phone.page) == []
    press(phone, "Send the result")
    expect(phone.page.get_by_text("Somebody else at your table still has to confirm it.")).to_be_visible()


def test_ticks_that_are_set_while_the_page_is_on_its_way_stay(invite: Invite) -> None:
    organiser = invite()
    found_club(organiser)
    press(organiser, "Open sign-up")
    entry = organiser.at("#entry-url").input_value()
    ada, _ = enter(invite, entry, "Ada", "Bea")
    press(organiser, "Start the check-in")
    ada.page.reload()
    organiser.page.wait_for_load_state("networkidle")
    held: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.resource_type == "fetch":
            held.append(route)
        else:
            route.continue_()

    organiser.page.route("**/console/", hold)
    press(ada, "Check in")
    wait_until(lambda: bool(held), organiser.page, what="the page asks for itself")
    press(organiser, "Select all")
    for route in held:
        route.continue_()
    organiser.page.unroute("**/console/", hold)
    expect(organiser.at("#pulse-remark")).to_be_visible()
    expect(organiser.at(".ticks input:checked")).to_have_count(2)
    press(organiser, "Check in")
    expect(organiser.at(".next .say")).to_contain_text("2 people are here.")
