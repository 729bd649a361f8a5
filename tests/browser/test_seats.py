"""Everybody has a place of his own at the table, however many sit there."""

from __future__ import annotations

from functools import partial

import pytest
from playwright.sync_api import Locator, expect

from games.rules import registry
from tests.browser.conftest import Invite
from tests.browser.visitor import LAPTOP, PHONE, sticking_out, until
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
LINES = """it => {
  const text = document.createRange();
  text.setStart(it.firstChild, 0);
  text.setEnd(it.firstChild, it.textContent.indexOf(" "));
  return text.getClientRects().length;
}"""
"""On how many lines the first word of a name stands."""


@pytest.mark.parametrize("game", registry.slugs())
def test_no_chair_stands_outside_or_on_another(invite: Invite, server: str, game: str) -> None:
    host, watcher = Guest(server), invite(locale="pl-PL")
    for seats in registry.find(game).seat_counts:
        table = host.open_table(game, seats=seats, bots=seats - 1, turn_seconds=600)
        host.post(f"/tables/{table}/start/")
        watcher.go(f"/tables/{table}/")
        expect(watcher.at(".seats > li")).to_have_count(seats)
        for size in (LAPTOP, PHONE):
            watcher.page.set_viewport_size(size)  # type: ignore[arg-type]
            assert watcher.page.evaluate(CROWDED) == [], (seats, size)
            assert watcher.at(".tools h1").evaluate("it => it.scrollWidth <= it.clientWidth"), size


def test_my_name_stands_whole_on_a_phone(invite: Invite) -> None:
    person = invite(size=PHONE)
    person.play_now("karriere-poker")
    person.go("/me/")
    person.at("[name=name]").fill("Schmetterling 12")
    person.page.get_by_role("button", name="Save").click()
    for game in ("karriere-poker", "animals-on-board"):  # the others look like one of these, or give everybody a column
        person.play_now(game)
        person.await_live()
        mine = person.at(".seats .at-0 b")  # the board may be drawn anew while it is looked at
        until(partial(_stands_whole, mine), person.page, what=f"the name on one line: {game}")


def _stands_whole(name: Locator) -> bool:
    return bool(name.evaluate(LINES) == 1)


COVERED = """(all, word) => all.map((seat) => {
  const tag = seat.querySelector("sup"), digits = document.createRange();
  tag.textContent = word;
  digits.selectNodeContents([...seat.querySelector(".n").childNodes].find((it) => it.nodeType === 3));
  const [one, other] = [tag.getBoundingClientRect(), digits.getBoundingClientRect()];
  const meets = one.right > other.left && other.right > one.left && one.top < other.bottom - 5;
  return tag.scrollWidth > tag.clientWidth ? `cut: ${word}` : meets ? `covers: ${word}` : "";
}).filter(Boolean)"""
"""Tags of seats, with this word on them, that are cut short or lie on the number of cards (5 pixels: its leading)."""


@pytest.mark.parametrize("game", ["karriere-poker", "super-zwierzaki"])
def test_who_plays_for_somebody_is_read_whole_on_a_phone(invite: Invite, game: str) -> None:
    person = invite(size=PHONE)
    person.open_table(game, seats=8, bots=7, turn_seconds=600)
    with person.page.expect_navigation():
        person.at("#start").click()
    person.await_live()
    for word in ("stand-in", "Vertretung", "zastępstwo"):
        assert person.at(".seats .seat:has(sup)").evaluate_all(COVERED, word) == [], word


@pytest.mark.parametrize("game", registry.slugs())
def test_a_table_in_large_letters_stays_inside_a_narrow_page(invite: Invite, game: str) -> None:
    person = invite(size=PHONE, locale="pl-PL")
    person.play_now(game)
    person.await_live()
    person.page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert "\n".join(sticking_out(person.page)) == ""
