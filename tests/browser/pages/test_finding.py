"""Finding people and rows by keyboard: the search in the header, the box above a long list, a password shown."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Invite
from tests.browser.pages.test_accessible import find_violations
from tests.browser.server_state import OnServer
from tests.browser.tournaments.test_club_night import found_club, press
from tests.browser.visitor import LAPTOP, PHONE, Visitor
from tests.cast import person
from tests.guest import Guest
from tests.tournaments import cast
from tournaments.flow.entry import sign_up
from tournaments.models import Membership, Tournament

pytestmark = pytest.mark.chromium

DESK = {"width": 1600, "height": 900}
MANY = [f"Guest number {number}" for number in range(1, 21)] + ["Łukasz Żuraw", "Lukas Groß"]
"""The people of a list that is long enough for a box."""


def make_long_list() -> Tournament:
    """A tournament with more than twenty people."""
    return cast.begin(person("Ana"), MANY, venue="real")


@pytest.mark.parametrize("size", [DESK, LAPTOP, PHONE], ids=["desk", "laptop", "phone"])
def test_somebody_is_found_as_one_types(invite: Invite, server: str, size: dict[str, int]) -> None:
    start = {DESK["width"]: "Zeno", LAPTOP["width"]: "Xeno", PHONE["width"]: "Yeno"}[size["width"]]
    for name in (f"{start}bia Zander", f"{start} Zapf"):
        Guest(server).post("/me/", name=name, avatar="owl", is_listed="on")
    reader = invite(size=size)
    reader.go("/about/")
    box, options = reader.at("#search"), reader.at("#suggestions [role=option]")
    reader.page.keyboard.press("/")
    expect(box).to_be_focused()
    reader.page.keyboard.type(start.lower())
    expect(options).to_have_count(2)
    expect(box).to_have_attribute("aria-expanded", "true")
    reader.page.keyboard.type("b")  # the list follows
    expect(options).to_have_count(1)
    if size != DESK:  # what looks makes the window smaller, which closes the box there
        assert list(find_violations(reader)) == []
    reader.page.keyboard.press("Escape")
    expect(reader.at("#suggestions")).to_be_hidden()
    expect(box).to_have_attribute("aria-expanded", "false")
    reader.page.keyboard.press("ArrowDown")
    expect(options).to_have_attribute("aria-selected", "true")
    expect(box).to_have_attribute("aria-activedescendant", options.get_attribute("id") or "")
    reader.page.keyboard.press("Enter")
    reader.page.wait_for_url(re.compile(r"/people/\d+/$"))
    expect(reader.at("h1")).to_contain_text(f"{start}bia Zander")


def test_enter_without_a_choice_opens_the_page_of_the_search(invite: Invite) -> None:
    reader = invite()
    reader.go("/about/")
    reader.page.locator(".top .find").click()
    expect(reader.at("#search")).to_be_focused()
    reader.at("#search").fill("nobody has this name")
    expect(reader.at("#suggestions")).to_contain_text("Nothing found.")
    reader.page.keyboard.press("ArrowDown")
    reader.page.keyboard.press("Enter")
    reader.page.wait_for_url("**/search/?q=nobody*")
    assert list(find_violations(reader)) == []


def list_shown_names(reader: Visitor) -> list[str]:
    """The names that a list shows."""
    return [row.inner_text() for row in reader.at("[data-filter] > *").all() if row.is_visible()]


@pytest.mark.parametrize("size", [None, PHONE])
def test_a_long_list_is_narrowed_by_words(invite: Invite, on_server: OnServer, size: dict[str, int] | None) -> None:
    tournament: Tournament = on_server(make_long_list)
    reader = invite() if size is None else invite(size=size)
    reader.go(f"/tournaments/{tournament.pk}/")
    box = reader.page.get_by_role("searchbox", name="Find in this list")
    expect(box).to_have_count(1)
    assert len(list_shown_names(reader)) == len(MANY)
    box.focus()
    reader.page.keyboard.type("lukas")
    assert list_shown_names(reader) == ["Lukas Groß", "Łukasz Żuraw"]
    reader.page.keyboard.type(" gross")  # as it is typed on a keyboard without ß
    assert list_shown_names(reader) == ["Lukas Groß"]
    assert list(find_violations(reader)) == []
    box.fill("")
    assert len(list_shown_names(reader)) == len(MANY)


def test_a_password_is_typed_once_and_shown_by_keyboard(invite: Invite) -> None:
    newcomer = invite()
    newcomer.go("/account/signup/")
    fields = newcomer.at("input[type=password]")
    expect(fields).to_have_count(1)
    password = newcomer.at("#id_password1")
    newcomer.at("#id_username").fill("zora")
    password.focus()
    newcomer.page.keyboard.type("quite a long phrase")
    newcomer.page.keyboard.press("Tab")
    button = newcomer.page.get_by_role("button", name="Show password")
    expect(button).to_be_focused()
    newcomer.page.keyboard.press("Space")
    expect(password).to_have_attribute("type", "text")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(password).to_be_focused()  # one goes on typing
    assert list(find_violations(newcomer)) == []
    newcomer.page.keyboard.press("Tab")
    newcomer.page.keyboard.press("Space")
    expect(password).to_have_attribute("type", "password")
    expect(button).to_have_attribute("aria-pressed", "false")


def add_walk_ins(tournament_id: str, names: list[str]) -> None:
    """As another organiser adds them."""
    tournament = Tournament.objects.get(pk=tournament_id)
    owner = Membership.objects.filter(club=tournament.club).select_related("player")[0].player
    for name in names:
        sign_up.add_walk_in(tournament, owner, name=name, now=time.time())


def test_a_console_stays_narrowed_while_others_change_it(invite: Invite, on_server: OnServer) -> None:
    organiser = invite()
    found_club(organiser)
    press(organiser, "Open sign-up")
    press(organiser, "Start the check-in")
    tournament_id = organiser.page.url.split("/tournaments/")[1].split("/")[0]
    on_server(lambda: add_walk_ins(tournament_id, MANY))
    box = organiser.at("#filter-people")
    box.fill("guest number 1")
    shown_rows = organiser.at(".ticks > li:visible")
    expect(shown_rows).to_have_count(11)  # 1 and 10 to 19
    expect(organiser.at("#filter-count-people")).to_have_text("11 / 22")
    on_server(lambda: add_walk_ins(tournament_id, ["Guest number 100", "Zora"]))
    expect(shown_rows).to_have_count(12)  # refreshed, and narrowed as before
    expect(box).to_have_value("guest number 1")
    organiser.page.get_by_role("button", name="Select all").click()
    assert organiser.at(".ticks input:checked").count() == 12  # nobody who is not in view
    box.focus()
    organiser.page.keyboard.press("Enter")  # does not send the form around the list
    expect(shown_rows).to_have_count(12)
    choice = organiser.at("#rule-first")
    organiser.at("#pairs summary").click()
    organiser.at("#filter-rule-first").fill("zur")
    assert choice.locator("option").all_inner_texts() == ["choose", "Łukasz Żuraw"]
    expect(choice.locator("option:checked")).to_have_text("Łukasz Żuraw")
    organiser.at("#filter-rule-first").fill("")
    assert choice.locator("option").count() == 25
    expect(choice.locator("option:checked")).to_have_text("Łukasz Żuraw")
    assert list(find_violations(organiser)) == []
