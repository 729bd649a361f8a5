"""Finding people and rows by keyboard: the search in the header, the box above a long list, a password shown."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Invite
from tests.browser.pages.test_accessible import look
from tests.browser.server_state import OnServer
from tests.browser.visitor import LAPTOP, PHONE, Visitor
from tests.cast import person
from tests.guest import Guest
from tests.tournaments import cast
from tournaments.models import Tournament

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
        assert list(look(reader)) == []
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
    assert list(look(reader)) == []


def shown(reader: Visitor) -> list[str]:
    """The names that a list shows."""
    return [row.inner_text() for row in reader.at("[data-filter] > *").all() if row.is_visible()]


@pytest.mark.parametrize("size", [None, PHONE])
def test_a_long_list_is_narrowed_by_words(invite: Invite, on_server: OnServer, size: dict[str, int] | None) -> None:
    tournament: Tournament = on_server(make_long_list)
    reader = invite() if size is None else invite(size=size)
    reader.go(f"/tournaments/{tournament.pk}/")
    box = reader.page.get_by_role("searchbox", name="Find in this list")
    expect(box).to_have_count(1)
    assert len(shown(reader)) == len(MANY)
    box.focus()
    reader.page.keyboard.type("lukas")
    assert shown(reader) == ["Lukas Groß", "Łukasz Żuraw"]
    reader.page.keyboard.type(" gross")  # as it is typed on a keyboard without ß
    assert shown(reader) == ["Lukas Groß"]
    assert list(look(reader)) == []
    box.fill("")
    assert len(shown(reader)) == len(MANY)


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
    assert list(look(newcomer)) == []
    newcomer.page.keyboard.press("Tab")
    newcomer.page.keyboard.press("Space")
    expect(password).to_have_attribute("type", "password")
    expect(button).to_have_attribute("aria-pressed", "false")
