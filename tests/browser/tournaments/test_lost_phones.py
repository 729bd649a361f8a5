"""A member on a new phone, and a member who is there twice: what organiser and member see, in browsers of their own."""

from __future__ import annotations

import re
from functools import partial

import pytest
from playwright.sync_api import expect

from games.models import Player
from tests.browser.conftest import Invite
from tests.browser.pages.test_accessible import find_violations
from tests.browser.server_state import OnServer
from tests.browser.tournaments.test_club_night import call_oneself, press
from tests.browser.visitor import PHONE, REFUSED, Visitor
from tests.cast import person
from tests.tournaments import cast
from tournaments.flow.clubs import invitations, membership
from tournaments.models import Club, Role

pytestmark = [pytest.mark.chromium, pytest.mark.usefixtures("cast_now")]


def make() -> tuple[str, str]:
    """The club of the newest player named Ana: its address, and that of a link for members."""
    ana = Player.objects.filter(name="Ana").latest("pk")
    club = cast.found(ana)
    return f"/clubs/{club.slug}/", f"/clubs/in/{invitations.invite(club, ana, role=Role.MEMBER).token}/"


def add_double(slug: str, name: str) -> None:
    """A member without an account who has never come."""
    membership.take_in(Club.objects.get(slug=slug).pk, person(name).pk, Role.MEMBER)


def make_link(organiser: Visitor, club: str, name: str) -> str:
    """A device link for this member, from the page of the organisers."""
    organiser.go(f"{club}moderation/")
    organiser.at("#d-member").select_option(label=name)
    press(organiser, "Create device link")
    expect(organiser.page.get_by_role("img", name="The link as a QR code")).to_be_visible()
    return organiser.at("#device-link").input_value()


def test_a_member_comes_back_on_a_new_phone(invite: Invite, on_server: OnServer) -> None:
    ana, old, new, late = invite(), invite(size=PHONE), invite(size=PHONE), invite(size=PHONE)
    late.expected.append(REFUSED)
    call_oneself(ana, "Ana")
    call_oneself(old, "Eva")
    club, link = on_server(make)
    old.go(link)
    old.at("main form button").last.click()
    expect(old.at("h1")).to_contain_text("Harbour Club")
    device_link = make_link(ana, club, "Eva")
    assert list(find_violations(ana)) == []
    new.page.goto(device_link)
    expect(new.at("h1")).to_have_text("Are you Eva?")
    assert list(find_violations(new)) == []
    press(new, "Continue as Eva")
    expect(new.at(".notes")).to_contain_text("This device is now signed in as Eva.")
    assert late.page.goto(device_link).status == 404  # type: ignore[union-attr]
    ana.go(f"{club}moderation/")
    expect(ana.at("#log + ol, .log-lines").first).to_contain_text("made a link that signed in another device for Eva")
    assert list(find_violations(ana)) == []
    old.go("/me/")
    expect(old.at("main")).to_contain_text("A new device was signed in")
    assert list(find_violations(old)) == []
    old.go("/me/devices/")
    expect(old.at(".devices li")).to_have_count(2)
    assert list(find_violations(old)) == []
    press(old, "Sign out all other devices")
    expect(old.at(".devices li")).to_have_count(1)
    new.go("/me/")
    expect(new.at("#id_name")).not_to_have_value("Eva")
    unused = make_link(ana, club, "Eva")
    ana.go(f"{club}moderation/")
    ana.page.get_by_role("button", name=re.compile("^Undo.* made a link to sign in")).click()
    assert late.page.goto(unused).status == 404  # type: ignore[union-attr]


def test_a_member_who_is_there_twice_becomes_one_and_two_again(invite: Invite, on_server: OnServer) -> None:
    ana = invite()
    call_oneself(ana, "Ana")
    club, _link = on_server(make)
    slug = club.split("/")[2]
    for name in ("Eva", "Eva B"):
        on_server(partial(add_double, slug, name))
    ana.go(f"{club}moderation/")
    ana.at("#d-guest").select_option(label="Eva B")
    ana.at("#d-player").select_option(label="Eva")
    press(ana, "Show what would move")
    expect(ana.page.get_by_role("region", name="What moves to Eva")).to_contain_text("Harbour Club (Member)")
    assert list(find_violations(ana)) == []
    press(ana, "Merge")
    expect(ana.at(".notes")).to_contain_text("The two are one person now.")
    expect(ana.at("#d-guest option")).to_have_count(2)
    ana.page.get_by_role("button", name=re.compile("^Undo.* merged ")).click()
    expect(ana.at("#d-guest option")).to_have_count(3)
