"""Somebody's first game: the page says what to do, and what it says follows what happens."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.rules import registry
from tests.browser.conftest import Invite
from tests.browser.playing import await_turn, choose
from tests.browser.visitor import PHONE, list_overflowing

pytestmark = pytest.mark.chromium


def test_the_first_game_is_explained_as_it_goes(invite: Invite) -> None:
    person = invite(size=PHONE)
    person.go("/games/karriere-poker/")
    person.page.get_by_role("button", name="Play a guided first game").click()
    person.await_live()
    await_turn(person)
    message = person.at("#coach span")
    lead, follow = (str(registry.infos()["karriere-poker"].guide[at].text) for at in (1, 2))
    expect(message).to_have_text(follow if person.at("#action[data-pass]").count() else lead)
    if choose(person) != "Pass":
        expect(message).to_have_text("Good choice. The big button shows what it will do. Press it.")
    assert list_overflowing(person.page) == []
    person.page.get_by_role("button", name="Close guide").click()
    expect(person.at("#coach")).to_have_count(0)


@pytest.mark.parametrize("game", registry.slugs())
def test_every_game_has_something_to_say_at_once(invite: Invite, game: str) -> None:
    person = invite()
    person.go(f"/games/{game}/")
    person.page.get_by_role("button", name="Play a guided first game").click()
    person.await_live()
    expect(person.at("#coach span")).not_to_be_empty()
