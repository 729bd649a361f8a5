"""Everybody has a place of his own at the table, however many sit there."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.rules import registry
from tests.browser.conftest import Invite
from tests.browser.visitor import LAPTOP, PHONE
from tests.guest import Guest

pytestmark = pytest.mark.chromium

CROWDED = """() => {
  const board = document.querySelector("#board").getBoundingClientRect();
  const chairs = [...document.querySelectorAll(".seats > li")].map((chair) => chair.getBoundingClientRect());
  const meet = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
    && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  const out = chairs.filter((one) => one.left < board.left - 1 || one.right > board.right + 1 || one.width < 20);
  const both = chairs.flatMap((one, i) => chairs.slice(i + 1).filter((other) => meet(one, other)));
  return [...out, ...both].map((one) => JSON.stringify(one));
}"""
"""Chairs that stand outside of the table, or on one another."""


@pytest.mark.parametrize("game", registry.slugs())
def test_no_chair_stands_outside_or_on_another(invite: Invite, server: str, game: str) -> None:
    host, watcher = Guest(server), invite()
    for seats in registry.find(game).seat_counts:
        table = host.open_table(game, seats=seats, bots=seats - 1, turn_seconds=600)
        host.post(f"/tables/{table}/start/")
        watcher.go(f"/tables/{table}/")
        expect(watcher.at(".seats > li")).to_have_count(seats)
        for size in (LAPTOP, PHONE):
            watcher.page.set_viewport_size(size)  # type: ignore[arg-type]
            assert watcher.page.evaluate(CROWDED) == [], (seats, size)
