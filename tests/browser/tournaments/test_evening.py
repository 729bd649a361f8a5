"""An evening and an arena in browsers: opened, extended, paused, ended early; shown to others as it happens."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Invite
from tests.browser.pages.test_accessible import find_violations
from tests.browser.tournaments.test_club_night import call_oneself, press
from tests.browser.visitor import BROKEN_LINE, PHONE, Visitor, list_overflowing, wait_until

pytestmark = pytest.mark.chromium


def found(owner: Visitor, name: str) -> None:
    """A club of this name."""
    call_oneself(owner, "Olga")
    owner.go("/clubs/new/")
    owner.at("#id_name").fill(name)
    press(owner, "Create club")


def leave_to_a_bot(owner: Visitor, table: str) -> None:
    """Get up from a running game: a bot plays on."""
    token = next(str(one["value"]) for one in owner.context.cookies() if one["name"] == "csrftoken")
    headers = {"X-CSRFToken": token, "Referer": owner.address}
    answer = owner.context.request.post(f"{owner.address}/tables/{table}/leave/", headers=headers)
    assert answer.ok


def deals_on(visitor: Visitor) -> int:
    """How many finished deals the chronicle has."""
    return visitor.at(".chronicle-of-jobs thead th .v").count()


def stands_still(visitor: Visitor) -> bool:
    """Whether two seconds, in which bots play more than a deal, bring none."""
    before = deals_on(visitor)
    visitor.page.wait_for_timeout(2000)
    return deals_on(visitor) == before


def test_an_evening(invite: Invite) -> None:
    owner, watcher = invite(), invite(size=PHONE)
    found(owner, "Lantern Club")
    owner.page.get_by_role("link", name="Open an evening").click()
    owner.at("#id_name").fill("Friday at the quay")
    owner.at("#id_minutes").fill("30")
    press(owner, "Open the evening")
    state = owner.at(".evening-clock .state")
    expect(state).to_contain_text("Under way")
    page = owner.page.url.removeprefix(owner.address)
    owner.at("input[name=player]").check()
    press(owner, "Open the table")
    owner.page.get_by_role("link", name="Go to my table", exact=True).first.click()
    owner.await_live()
    watcher.go(page)
    expect(watcher.at(".offices li")).to_have_count(4)  # drawn by lot, before a card was played
    assert deals_on(watcher) == 0
    watcher.expected.append(BROKEN_LINE)
    watcher.context.set_offline(True)
    expect(watcher.at("#pulse-remark")).to_have_text("No connection. This may be out of date.")
    watcher.context.set_offline(False)
    expect(watcher.at("#pulse-remark")).to_have_count(0)
    assert list_overflowing(watcher.page) == []
    leave_to_a_bot(owner, owner.table)
    wait_until(lambda: deals_on(watcher) >= 1, watcher.page, what="a deal in the chronicle, without anybody's doing")
    owner.go(page)
    bell = owner.at(".evening-clock .state time[data-clock]")
    before = bell.get_attribute("datetime") or ""
    press(owner, "Extend")
    expect(bell).not_to_have_attribute("datetime", before)
    press(owner, "Pause all tables")
    expect(state).to_contain_text("all clocks are stopped")
    expect(watcher.at(".evening-clock .state")).to_contain_text("Paused")
    expect(watcher.at("#say")).to_have_text("Paused")
    wait_until(lambda: stands_still(watcher), watcher.page, what="all tables stand still")
    deals_before = deals_on(watcher)
    press(owner, "Resume all tables")
    wait_until(lambda: deals_on(watcher) > deals_before, watcher.page, what="another deal after the pause")
    owner.page.get_by_text("End early").click()
    press(owner, "End the evening now")
    expect(watcher.at(".evening-clock .state")).to_contain_text("Over")
    deals = deals_on(watcher)
    rows = watcher.at(".chronicle-of-jobs tbody tr")
    assert [rows.nth(row).locator("td").count() for row in range(rows.count())] == [deals + 1] * 4
    owner.go(page)
    expect(owner.page.get_by_role("button", name="Pause all tables")).to_have_count(0)
    assert list(find_violations(owner)) == []


def plan_arena(organiser: Visitor) -> str:
    """An arena in its check-in; returns the link by which people come in."""
    found(organiser, "Harbour Club")
    organiser.page.get_by_role("link", name="Plan a tournament").click()
    organiser.page.get_by_text("Time limits and no-shows").click()
    for name, value in (("name", "Lightning"), ("round_minutes", "30"), ("deals", "1"), ("most", "4")):
        organiser.at(f"#id_{name}").fill(value)
    organiser.at("#id_format").select_option("arena")
    organiser.at("[name=venue][value=online]").check()
    press(organiser, "Create plan")
    press(organiser, "Open sign-up")
    url = organiser.at("#entry-url").input_value()
    press(organiser, "Start the check-in")
    return url


def come_in(invite: Invite, url: str, name: str) -> Visitor:
    """Somebody with a phone, by the link."""
    phone = invite(size=PHONE)
    call_oneself(phone, name)
    phone.page.goto(url)
    press(phone, "Join now")
    return phone


def test_an_arena_takes_people_to_their_tables(invite: Invite) -> None:
    organiser = invite()
    url = plan_arena(organiser)
    phones = [come_in(invite, url, name) for name in ("Ada", "Bea", "Cem")]
    for phone in phones:
        expect(phone.at("#my-table-title")).to_have_text("You are checked in")
    press(organiser, "Open the arena")
    for phone in phones:
        expect(phone.at("#my-table-title")).to_have_text("You are waiting for a table")
        assert list_overflowing(phone.page) == []
    expect(phones[0].at(".arena-clock [data-countdown]")).to_contain_text(":")
    assert list(find_violations(phones[0])) == []
    phones.append(come_in(invite, url, "Dan"))
    expect(phones[0].at(".wait [data-countdown], #board").first).to_be_visible()
    for phone in phones:  # ten seconds later, without anybody's doing
        phone.page.wait_for_url("**/tables/*/**", timeout=60_000)
    assert len({phone.table for phone in phones}) == 1
    expect(organiser.at(".pods > li")).to_have_count(1)
