"""Accounts in a browser: a guest who signs up keeps their games, and can sign in with a passkey."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Invite
from tests.browser.pages.test_accessible import find_violations
from tests.browser.visitor import BROKEN_LINE, REFUSED, Visitor
from tests.servers import Installation, await_line

pytestmark = pytest.mark.chromium

PASSWORD = "quite a long phrase"
SOCKET = re.compile(r"/ws/tables/")
RESET = re.compile(r"(/account/password/reset/key/\S+)")


def sign_up(visitor: Visitor, name: str, *, email: str = "") -> None:
    """Sign up as this visitor, whether they were a guest or not."""
    visitor.go("/account/signup/")
    visitor.at("#id_username").fill(name)
    visitor.at("#id_email").fill(email)
    visitor.at("#id_password1").fill(PASSWORD)
    visitor.at("main form [type=submit], main form button:not([type])").click()
    expect(visitor.at("main")).to_contain_text(f"You are signed in as {name}.")


def test_what_a_page_says_of_what_was_done_is_for_everybody(invite: Invite) -> None:
    person = invite()
    sign_up(person, "mia", email="mia@club.example")
    expect(person.at(".note")).to_have_count(2)
    assert list(find_violations(person)) == []


def test_a_guest_becomes_an_account_and_keeps_their_games(invite: Invite) -> None:
    guest = invite()
    guest.play_now("karriere-poker")
    table = guest.table
    sign_up(guest, "kim")
    guest.page.get_by_role("link", name="Sign out").click()
    guest.page.get_by_role("button", name="Sign out").click()
    elsewhere = invite()
    elsewhere.go("/account/login/")
    elsewhere.at("#id_login").fill("kim")
    elsewhere.at("#id_password").fill(PASSWORD)
    with elsewhere.page.expect_navigation():
        elsewhere.page.get_by_role("button", name="Sign in", exact=True).click()
    elsewhere.go("/")
    expect(elsewhere.at(f"#my-{table}")).to_be_visible()
    elsewhere.at(f"#my-{table}").click()
    expect(elsewhere.at("#hand")).to_be_visible()


def test_who_signs_out_on_one_page_leaves_their_hand_on_no_other(invite: Invite) -> None:
    person = invite()
    person.expected.append(BROKEN_LINE)
    person.go_to_new_game("karriere-poker", seats=4, bots=3, turn_seconds=600)
    address = person.page.url
    sign_up(person, "max")
    polling, text = person.context.new_page(), person.context.new_page()
    for page in (polling, text):
        page.route_web_socket(SOCKET, lambda socket: socket.close())
    polling.add_init_script("delete window.BroadcastChannel")
    text.route("**/board/*", lambda route: route.abort())
    for page in (polling, text):
        page.goto(address)
        expect(page.locator("#hand .s").first).to_be_visible()
    expect(polling.locator("#connection")).to_have_text("Weak connection: updating every few seconds")
    person.go("/account/logout/")
    with person.page.expect_navigation():
        person.at("main form [type=submit], main form button:not([type])").click()
    for page in (polling, text):
        expect(page.locator("#board.spectator")).to_be_visible()
        expect(page.locator("#hand .s")).to_have_count(0)
    person.go("/account/login/")
    person.at("#id_login").fill("max")
    person.at("#id_password").fill(PASSWORD)
    person.page.get_by_role("button", name="Sign in", exact=True).click()
    for page in (polling, text):
        expect(page.locator("#hand .s").first).to_be_visible()


def test_a_forgotten_password_comes_back_by_letter(invite: Invite, installation: Installation) -> None:
    installation.settings["EMAIL_URL"] = "console://"
    with installation.serve() as running:
        person = invite(running.address)
        sign_up(person, "lea", email="lea@club.example")
        elsewhere = invite(running.address)
        elsewhere.go("/account/login/")
        elsewhere.page.get_by_role("link", name="Forgot your password?").click()
        elsewhere.at("#id_email").fill("lea@club.example")
        elsewhere.at("main form [type=submit], main form button:not([type])").click()
        expect(elsewhere.at("main")).to_contain_text("we have sent an email to it")
        assert list(find_violations(elsewhere)) == []
        elsewhere.go(await_line(running, RESET))
        assert list(find_violations(elsewhere)) == []
        elsewhere.at("#id_password1").fill("another long phrase")
        elsewhere.at("main form [type=submit], main form button:not([type])").first.click()
        expect(elsewhere.at("main")).to_contain_text("You are signed in as lea.")
        again = invite(running.address)
        for password, sentence in ((PASSWORD, "is wrong"), ("another long phrase", "You are signed in as lea.")):
            again.go("/account/login/")
            again.at("#id_login").fill("lea@club.example")
            again.at("#id_password").fill(password)
            again.page.get_by_role("button", name="Sign in", exact=True).click()
            expect(again.at("main")).to_contain_text(sentence)
        for visitor in (person, elsewhere, again):
            visitor.leave()


def test_a_passkey_is_added_and_opens_the_door(invite: Invite) -> None:
    person = invite()
    person.address = person.address.replace("127.0.0.1", "localhost")
    devtools = person.context.new_cdp_session(person.page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
        "isUserVerified": True, "automaticPresenceSimulation": True,
    }  # fmt: skip
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    sign_up(person, "pia")
    person.go("/account/2fa/webauthn/add/")
    person.at("#id_password").fill(PASSWORD)
    person.at("main form [type=submit], main form button:not([type])").click()
    person.at("#id_name").fill("My phone")
    person.at("#id_passwordless").check()
    assert list(find_violations(person)) == []
    person.at("#mfa_webauthn_add").click()
    expect(person.at("main")).to_contain_text("Recovery codes")
    person.go("/account/2fa/")
    assert list(find_violations(person)) == []
    person.go("/account/2fa/webauthn/")
    expect(person.at("main")).to_contain_text("Not used yet.")
    assert list(find_violations(person)) == []
    person.go("/account/logout/")
    with person.page.expect_navigation():
        person.at("main form [type=submit], main form button:not([type])").click()
    person.go("/account/login/")
    person.at("#passkey_login").click()
    expect(person.at("main")).to_contain_text("You are signed in as pia.")
    person.go("/account/logout/")
    with person.page.expect_navigation():
        person.at("main form [type=submit], main form button:not([type])").click()
    person.go("/account/login/")
    person.at("#id_login").fill("pia")
    person.at("#id_password").fill(PASSWORD)
    person.page.get_by_role("button", name="Sign in", exact=True).click()
    expect(person.at("main")).to_contain_text("Use your key, or enter a code")
    assert list(find_violations(person)) == []
    person.page.get_by_role("button", name="Use a security key").click()
    expect(person.at("main")).to_contain_text("You are signed in as pia.")
    person.go("/account/2fa/webauthn/")
    person.page.get_by_role("link", name="Remove My phone").click()
    person.at("#id_password").fill(PASSWORD)
    person.page.get_by_role("button", name="Confirm").click()
    person.page.get_by_role("button", name="Remove").click()
    expect(person.at("main")).to_contain_text("No security keys yet.")
    person.go("/account/logout/")
    with person.page.expect_navigation():
        person.at("main form [type=submit], main form button:not([type])").click()
    person.go("/account/login/")
    person.expected.append(REFUSED)
    person.at("#passkey_login").click()
    expect(person.at(".notes")).to_contain_text("That code or key was not accepted.")
    assert list(find_violations(person)) == []
