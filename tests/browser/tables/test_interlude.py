"""Between two deals: the new jobs, then the exchange, in a place of their own; nobody plays before all have seen it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect
from pytest_django import DjangoDbBlocker

from tests.browser import server_state
from tests.browser.conftest import Invite
from tests.browser.playing import await_turn, ply, take_turn
from tests.browser.server_state import SetUpGame
from tests.browser.visitor import LAPTOP, PHONE, Visitor, list_overflowing, resize, wait_until
from tests.servers import Installation

pytestmark = pytest.mark.chromium

SECONDS = "25"
HANDS = [["1", "2"], ["5"], ["6"], ["7"]]
MANY_HANDS = [*HANDS, ["8"], ["9"], ["10"], ["11"]]
"""I lead and end as the dishwasher, so that a bot leads the next deal."""


@pytest.fixture
def address(installation: Installation) -> Iterator[str]:
    """Of a server that pauses after each deal."""
    with installation.serve(INTERLUDE_SECONDS=SECONDS) as running:
        yield running.address


def set_up(
    installation: Installation, blocker: DjangoDbBlocker, table: str, hands: Sequence[Sequence[str]] = HANDS
) -> None:
    setup: dict[str, Any] = {"order": [*range(len(hands))], "deals": [{"hands": hands}]}
    with blocker.unblock():
        server_state.run_with_database(
            installation.folder / "menagerie.sqlite3", lambda: server_state.set_up_game(table, setup)
        )


def begin(person: Visitor, seats: int = 4) -> None:
    """A game of two deals against bots, without its page."""
    person.start_game("karriere-poker", seats=seats, bots=seats - 1, deals=2, turn_seconds=600)


def play_a_deal(person: Visitor) -> None:
    """Until the pause after it."""
    await_turn(person)
    while not person.at("#continue").count():
        take_turn(person)
        wait_until(
            lambda: person.at("#continue").count() > 0 or person.at("#action.mine").count() > 0,
            person.page,
            what="my turn or the next deal",
        )


def is_whole(part: Locator) -> bool:
    """Whether all of it is in view, and nothing lies on it."""
    return bool(
        part.evaluate(
            """part => {
              const box = part.getBoundingClientRect();
              const at = (x, y) => part.contains(document.elementFromPoint(x, y));
              const [left, right, top, bottom] = [box.left + 8, box.right - 8, box.top + 8, box.bottom - 8];
              return at(left, (top + bottom) / 2) && at(right, (top + bottom) / 2)
                && at((left + right) / 2, top) && at((left + right) / 2, bottom);
            }"""
        )
    )


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_jobs_then_the_exchange_then_the_lead(
    installation: Installation,
    address: str,
    invite: Invite,
    chromium: Browser,
    django_db_blocker: DjangoDbBlocker,
    size: dict[str, int],
) -> None:
    person, watcher = invite(address, size=size), invite(address)
    begin(person)
    set_up(installation, django_db_blocker, person.table)
    person.show_table()
    watcher.go(f"/tables/{person.table}/")
    watcher.await_live()
    play_a_deal(person)
    before = ply(person.page)
    for one in (person, watcher):
        expect(one.at("#board")).to_have_attribute("data-interlude", "jobs")
        expect(one.at("#ceremony li")).to_have_count(4)
        expect(one.at("#middle")).to_be_hidden()
        assert list_overflowing(one.page) == []
    wait_until(
        lambda: is_whole(person.at("#ceremony")) and is_whole(person.at("#continue")), person.page, what="in view"
    )
    expect(watcher.at("#continue")).to_have_count(0)
    person.page.wait_for_timeout(400)  # a press right after it appeared may be meant for what was there
    person.at("#continue").click()
    expect(person.at("#board")).to_have_attribute("data-interlude", "exchange")
    expect(watcher.at("#board")).to_have_attribute("data-interlude", "jobs")
    expect(person.at("#ceremony")).to_be_hidden()
    expect(person.at("#envelopes .env")).to_have_count(2)
    expect(watcher.at("#envelopes .env")).to_have_count(0)
    for envelope in person.at("#envelopes .env").all():
        wait_until(lambda it=envelope: is_whole(it), person.page, what="my envelope in view")  # type: ignore[misc]
    assert ply(person.page) == before  # the bot that leads waits for me
    person.page.wait_for_timeout(400)
    person.at("#continue").click()
    for one in (person, watcher):
        wait_until(lambda it=one: ply(it.page) > before, one.page, what="the lead")  # type: ignore[misc]
        expect(one.at("#ceremony")).to_be_hidden()
        expect(one.at("#board[data-interlude]")).to_have_count(0)
    wait_until(lambda: is_whole(person.at("#gifts summary")), person.page, what="the reminder in view")
    if size == PHONE:  # beside a wide table it is open from the beginning
        person.at("#gifts summary").click()
    expect(person.at("#gifts[open] .env")).to_have_count(2)
    for envelope in person.at("#gifts .env").all():
        wait_until(lambda it=envelope: is_whole(it), person.page, what="what I gave and got, though my hand lies there")  # type: ignore[misc]


def test_with_eight_at_the_table_my_exchange_is_in_sight_on_a_phone(
    installation: Installation, address: str, invite: Invite, chromium: Browser, django_db_blocker: DjangoDbBlocker
) -> None:
    person = invite(address, size=PHONE)
    begin(person, seats=8)
    set_up(installation, django_db_blocker, person.table, MANY_HANDS)
    person.show_table()
    play_a_deal(person)
    resize(person.page, {"width": 360, "height": 640})
    for shown in (person.at("#ceremony"), person.at("#envelopes")):
        wait_until(lambda it=shown: is_whole(it), person.page, what="all jobs, then my cards")  # type: ignore[misc]
        person.page.wait_for_timeout(400)  # a press right after it appeared may be meant for what was there
        person.at("#continue").click()
    resize(person.page, PHONE)
    expect(person.at("#board[data-interlude]")).to_have_count(0)
    assert is_whole(person.at("#gifts summary"))
    person.at("#gifts summary").click()
    for one in person.at("#gifts .env").all():
        assert is_whole(one)
    assert list_overflowing(person.page) == []


LIES_ON_BAR = """() => {
  const text = document.createRange();
  text.selectNodeContents(document.getElementById("bar"));
  const cards = document.querySelector("#gifts .cards").getBoundingClientRect();
  return [...text.getClientRects()].some((line) => line.right > cards.left);
}"""
"""Whether the exchanged cards cover the session's number or the time to the bell."""


@pytest.mark.parametrize("height", [640, 740])
def test_what_i_exchange_in_the_first_session_is_in_sight_above_my_hand(
    invite: Invite, set_up_game: SetUpGame, height: int
) -> None:
    """Nothing comes before the first session: only here players read which cards they exchanged."""
    person = invite(size={"width": 360, "height": height}, has_touch=True, is_mobile=True)
    person.start_game("animal-poker", seats=5, bots=4)
    set_up_game(person.table, {"jobs": [1, 2, 3, 4, 5]})
    person.show_table()
    await_turn(person)
    assert is_whole(person.at("#gifts summary"))
    assert not person.page.evaluate(LIES_ON_BAR)
    person.at("#gifts summary").click()
    for one in person.at("#gifts .env").all():
        assert is_whole(one)
    assert list_overflowing(person.page) == []


LONG_NAME = "Maximiliane Schönfelderi"


def test_a_long_name_makes_the_new_jobs_no_wider_than_a_phone(
    installation: Installation, address: str, invite: Invite, chromium: Browser, django_db_blocker: DjangoDbBlocker
) -> None:
    person = invite(address, size=PHONE)
    begin(person)
    set_up(installation, django_db_blocker, person.table)
    person.show_table()
    play_a_deal(person)
    expect(person.at("#ceremony")).to_be_visible()
    person.at("#ceremony b").first.evaluate("(name, long) => (name.textContent = long)", LONG_NAME)
    box = person.at("#ceremony").bounding_box()
    assert box is not None
    assert (box["x"] >= 0, box["x"] + box["width"] <= PHONE["width"]) == (True, True), box
    assert list_overflowing(person.page) == []


@pytest.mark.parametrize("width", [1000, 1280, 1920])
def test_the_sentence_of_the_first_deal_is_as_wide_as_the_middle(invite: Invite, width: int) -> None:
    person = invite(size={"width": width, "height": 800})
    person.play_now("karriere-poker")
    rows = person.page.evaluate(
        """() => {
          const exchange = document.getElementById("exchange");
          exchange.hidden = false;
          exchange.querySelector("p") ?? exchange.append(document.createElement("p"));
          exchange.querySelector("p").textContent = "First deal: nobody has a job yet, so there is no exchange.";
          const text = document.createRange();
          text.selectNodeContents(exchange.querySelector("p"));
          return new Set([...text.getClientRects()].map((line) => Math.round(line.top))).size;
        }"""
    )
    assert rows <= 3
