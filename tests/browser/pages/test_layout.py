"""Where things are: the menu at the thumb, open hands beside the board of a replay, an account that uses its width."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Invite
from tests.browser.pages.test_accounts import sign_up
from tests.browser.tables.test_replay import upload_record
from tests.browser.visitor import LAPTOP, PHONE, resize

pytestmark = pytest.mark.chromium

FINGER = 44
MENU = """() => {
  const menu = document.querySelector(".top nav").getBoundingClientRect();
  const links = [...document.querySelectorAll(".top nav a")].map((one) => one.getBoundingClientRect());
  return { top: menu.top, bottom: menu.bottom, lowest: Math.min(...links.map((box) => box.height)) };
}"""
ORDER = """() => ["#scene .felt", "#scene .hands", "#scene .log"].map((part) =>
  document.querySelector(part).getBoundingClientRect().top + scrollY)"""


def test_on_a_phone_the_menu_is_at_the_thumb(invite: Invite) -> None:
    person = invite(size=PHONE)
    for path in ("/", "/clubs/", "/leaderboards/", "/me/"):
        person.go(path)
        for scroll in (0, 400):
            person.page.evaluate("(y) => scrollTo(0, y)", scroll)
            menu: dict[str, Any] = person.page.evaluate(MENU)
            assert (menu["bottom"], menu["lowest"] >= FINGER) == (PHONE["height"], True), path
    resize(person.page, LAPTOP)
    assert person.page.evaluate(MENU)["top"] < 100


def test_on_a_phone_the_language_is_on_the_page_of_the_account(invite: Invite) -> None:
    person = invite(size=PHONE)
    person.go("/")
    expect(person.at("#language")).to_be_hidden()
    person.at(".top .who").click()
    with person.page.expect_navigation():
        person.at("#my-language").select_option("de")
    expect(person.at("html")).to_have_attribute("lang", "de")


def test_open_hands_of_a_replay_are_beside_the_board(invite: Invite) -> None:
    person = invite(size=PHONE)
    upload_record(person)
    person.at("#to-after").click()
    expect(person.at("#scene")).to_have_attribute("data-ply", "1")
    felt, hands, log = person.page.evaluate(ORDER)
    assert felt < hands < log
    assert hands < 1.3 * PHONE["height"]


def test_an_account_uses_the_width_of_its_page(invite: Invite) -> None:
    person = invite(size=LAPTOP)
    person.go("/me/")
    lefts = person.at(".account-page > :is(form, section)").evaluate_all(
        "all => [...new Set(all.map((one) => Math.round(one.getBoundingClientRect().left)))]"
    )
    assert len(lefts) == 2, lefts


def test_every_password_can_be_shown(invite: Invite) -> None:
    person = invite()
    person.go("/account/login/")
    expect(person.page.get_by_role("button", name="Show password")).to_have_count(1)
    sign_up(person, "ilo")
    for path, fields in (("/account/password/change/", 2), ("/account/reauthenticate/", 1)):
        person.go(path)
        expect(person.at("input[type=password]")).to_have_count(fields)
        expect(person.page.get_by_role("button", name="Show password")).to_have_count(fields)
