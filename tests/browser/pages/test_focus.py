"""By keyboard: after a form error the focus is at what is wrong, after sitting down at one's seat or the button."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Invite
from tests.browser.visitor import LAPTOP, PHONE, REFUSED, Visitor

pytestmark = pytest.mark.chromium

SAID = """() => {
  const one = document.activeElement;
  const told = (one.getAttribute("aria-describedby") ?? "").split(" ").map((id) => document.getElementById(id));
  return [one.textContent, ...told.map((part) => part?.textContent ?? "")].join(" ").trim();
}"""
"""What is read aloud with what has the focus, besides its label."""


def send(person: Visitor, selector: str, text: str = "") -> None:
    """Type into this field and press Enter."""
    person.at(selector).fill(text)
    with person.page.expect_navigation():
        person.page.keyboard.press("Enter")


@pytest.mark.parametrize(
    ("path", "field", "text", "focused", "sentence"),
    [
        ("/me/", "#id_name", " ", "#id_name", "required"),
        ("/games/karriere-poker/new/", "[name=turn_seconds]", "1", "[name=turn_seconds]", "greater"),
    ],
)
def test_a_form_error_has_the_focus_and_is_read_aloud(
    invite: Invite, path: str, field: str, text: str, focused: str, sentence: str
) -> None:
    person = invite(size=PHONE)
    person.expected.append(REFUSED)
    person.go(path)
    send(person, field, text)
    expect(person.at(focused)).to_be_focused()
    assert sentence in person.page.evaluate(SAID)


def test_an_account_form_says_what_is_wrong_with_the_name(invite: Invite) -> None:
    person = invite(size=PHONE)
    person.expected.append(REFUSED)
    person.go("/account/signup/")
    person.at("[name=username]").fill("ab\u200bc")
    send(person, "[name=password1]", "correct horse battery")
    expect(person.at("[name=username]")).to_be_focused()
    assert "contains invisible characters" in person.page.evaluate(SAID)


def test_who_signs_in_wrongly_hears_the_summary(invite: Invite) -> None:
    person = invite()
    person.expected.append(REFUSED)
    person.go("/account/login/")
    person.at("[name=login]").fill("nobody")
    send(person, "[name=password]", "wrong horse battery")
    expect(person.at("main form .note.error")).to_be_focused()


def test_who_sits_down_is_at_their_seat(invite: Invite) -> None:
    host, guest = invite(size=LAPTOP), invite(size=PHONE)
    link = host.open_table("animals-on-board", seats=4)
    guest.go(link.removeprefix(guest.address))
    guest.at("#sit").focus()
    with guest.page.expect_navigation():
        guest.page.keyboard.press("Enter")
    expect(guest.at("#my-chair")).to_be_focused()
    expect(guest.at("#my-chair small")).to_contain_text("you")
    other = invite(size=PHONE)
    other.go(link.removeprefix(other.address))
    other.at("#chairs button").last.focus()
    with other.page.expect_navigation():
        other.page.keyboard.press("Enter")  # on a chair of their own choice
    expect(other.at("#my-chair")).to_be_focused()
