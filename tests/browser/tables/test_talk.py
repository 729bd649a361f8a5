"""Talk at the table and in the club: by keyboard, live, as text, muted and cleared."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Invite
from tests.browser.visitor import BROKEN_LINE, PHONE, list_overflowing

pytestmark = pytest.mark.chromium


def test_two_people_talk_and_one_is_muted(invite: Invite) -> None:
    host, guest = invite(), invite(size=PHONE)
    link = host.open_table("karriere-poker", seats=4, bots=2, is_public=False, talk="free")
    guest.go(urlsplit(link).path)
    with guest.page.expect_navigation():
        guest.at("#sit").click()
    for person in (host, guest):
        person.await_live()
    guest.at("#talk > summary").focus()
    guest.page.keyboard.press("Enter")
    guest.at(".phrases button[value=low-prices]").focus()
    guest.page.keyboard.press("Enter")
    expect(host.at("#last-said")).to_contain_text(": Codziennie niskie ceny!")
    expect(host.at("#say")).to_contain_text(": Codziennie niskie ceny!")
    host.at("#talk > summary").click()
    host.at("#words-said").fill("<img src=x onerror=alert(1)> hello")
    host.page.keyboard.press("Enter")
    expect(guest.at("#remarks li .words").nth(1)).to_have_text("<img src=x onerror=alert(1)> hello")
    expect(host.at("#words-said")).to_have_value("")
    assert list_overflowing(guest.page) == []
    guest.at("#remarks li").nth(1).locator("form button").click()
    expect(guest.at("#remarks li").nth(1)).to_contain_text("Reported.")
    guest.at("#remarks li").nth(1).locator(".mute-one").click()
    expect(guest.at("#remarks li").nth(1)).to_be_hidden()
    guest.page.reload()
    expect(guest.at("#remarks li").nth(1)).to_be_hidden()
    expect(guest.at("#all-muted")).to_be_hidden()  # the guest has said something
    host.at("#talk .confirm summary").click()
    host.page.get_by_role("button", name="Hide all messages").click()
    expect(guest.at("#remarks li")).to_have_count(0)
    expect(host.at("#remarks li")).to_have_count(0)


def test_who_has_muted_the_only_speaker_reads_so(invite: Invite) -> None:
    host, guest = invite(), invite(size=PHONE)
    link = host.open_table("karriere-poker", seats=4, bots=2, is_public=False)
    guest.go(urlsplit(link).path)
    for person in (host, guest):
        person.await_live()
        person.at("#talk > summary").click()
    expect(guest.at("#nothing-said")).to_be_visible()
    host.at(".phrases button").first.click()
    guest.at("#remarks .mute-one").click()
    expect(guest.at("#all-muted")).to_have_text("You have muted everybody who wrote here.")
    expect(guest.at("#nothing-said")).to_be_hidden()
    guest.at("#unmute").click()
    expect(guest.at("#all-muted")).to_be_hidden()


def test_members_talk_in_their_club(invite: Invite) -> None:
    owner, member = invite(), invite(size=PHONE)
    owner.go("/clubs/new/")
    owner.at("#id_name").fill("Harbour Club")
    owner.page.get_by_role("button", name="Create club").click()
    owner.page.get_by_role("button", name="Create link").click()
    member.page.goto(owner.at("[id^=link-]").input_value())
    member.at("#my-name").fill("Mara")
    member.page.get_by_role("button", name="Join now").click()
    expect(member.at("#nothing-said")).to_be_hidden()  # the panel is closed: its line says what was said last
    for one in (owner, member):
        one.at("#talk > summary").focus()
        one.page.keyboard.press("Enter")
        expect(one.at("#nothing-said")).to_be_visible()
    member.at("#words-said").fill("Who brings <b>cake</b>?")
    member.page.keyboard.press("Enter")
    expect(owner.at("#remarks .words")).to_have_text("Who brings <b>cake</b>?")
    expect(member.at("#words-said")).to_have_value("")
    expect(owner.at("#remarks time")).to_contain_text(re.compile(r"\b20\d\d\b"))
    owner.at(".phrases button[value=thanks]").click()
    expect(member.at("#remarks .words").nth(1)).to_have_text("Thank you")
    assert list_overflowing(member.page) == []
    owner.at("#remarks li form button").first.click()
    expect(owner.at("#remarks li").first).to_contain_text("Reported.")
    member.page.reload()
    expect(member.at("#remarks .words")).to_have_count(2)  # what was said is open to read
    text = [page.at("#remarks time").all_text_contents()[0] for page in (owner, member)]
    assert text[0] == text[1]  # as the script wrote it, and after the server had
    member.expected += [BROKEN_LINE]
    member.page.context.set_offline(True)
    expect(member.at("#talk-lost")).to_be_visible()
    owner.at("#talk .confirm summary").click()
    owner.page.get_by_role("button", name="Hide all messages").click()
    expect(owner.at("#remarks li")).to_have_count(0)
    member.page.context.set_offline(False)
    expect(member.at("#remarks li")).to_have_count(0)
    expect(member.at("#talk-lost")).to_be_hidden()
