"""The screen of a phone stays on while its owner sits at a game under way, as long as there is something to see."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Invite
from tests.browser.playing import tap
from tests.browser.visitor import PHONE, Visitor

pytestmark = pytest.mark.chromium

LOCKS = """
window.locks = 0;
Object.defineProperty(navigator, "wakeLock", { value: { request: async () => {
  window.locks += 1;
  const lock = new EventTarget();
  lock.release = async () => { window.locks -= 1; };
  return lock;
} } });
"""
"""A screen that counts who keeps it on."""


def await_locks(person: Visitor, count: int) -> None:
    """Wait until so many keep the screen on, also where the page is loaded anew meanwhile."""
    person.page.wait_for_function("count => window.locks === count", arg=count)


def test_the_screen_stays_on_during_a_game_and_not_in_a_pause(invite: Invite) -> None:
    person = invite(size=PHONE, has_touch=True, is_mobile=True)
    person.context.add_init_script(LOCKS)
    person.play_now("karriere-poker")
    person.await_live()
    await_locks(person, 1)
    person.at("#hand .s").first.tap()
    await_locks(person, 1)
    person.at("#ways > details > summary").tap()
    person.at("#pause").tap()
    await_locks(person, 0)
    person.at("#resume").tap()
    await_locks(person, 1)


def test_who_looks_on_lets_the_screen_go_dark(invite: Invite) -> None:
    person, watcher = invite(size=PHONE), invite(size=PHONE, has_touch=True)
    person.go_to_new_game("karriere-poker", seats=4, bots=3, turn_seconds=600)
    watcher.context.add_init_script(LOCKS)
    watcher.go(f"/tables/{person.table}/")
    watcher.await_live()
    tap(watcher.at("h1"))
    await_locks(watcher, 0)


def test_the_rules_open_beside_a_game_under_way(invite: Invite) -> None:
    """A page that takes the table's place takes the cards that are chosen with it, and the clock runs on."""
    person = invite(size=PHONE, has_touch=True, is_mobile=True)
    person.play_now("karriere-poker")
    person.await_live()
    with person.context.expect_page() as opened:
        person.at(".tools a.soft").tap()
    assert "/games/karriere-poker/" in opened.value.url
    expect(person.at("#hand .s").first).to_be_visible()
