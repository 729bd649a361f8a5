"""The first minutes on a small phone: one tap to a game against bots, a seat by invitation, leaving and pausing."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Invite
from tests.browser.server_state import OnServer
from tests.browser.visitor import Visitor, await_animations, list_broken_words, list_overflowing
from tests.cast import finish_beside_server

pytestmark = pytest.mark.chromium

SMALL = {"width": 360, "height": 640}


def is_on_first_screen(found: Locator) -> bool:
    """Whether it can be seen and pressed without scrolling."""
    return bool(
        found.evaluate(
            """(one) => {
              const {left, right, top, bottom} = one.getBoundingClientRect();
              const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
              return scrollY === 0 && top >= 0 && bottom <= innerHeight && one.contains(hit);
            }"""
        )
    )


@pytest.fixture
def person(invite: Invite) -> Visitor:
    """Somebody with a small phone."""
    return invite(size=SMALL, has_touch=True, is_mobile=True)


@pytest.mark.parametrize("language", ["en", "de", "pl"])
def test_the_first_game_against_bots_is_on_the_first_screen(invite: Invite, language: str) -> None:
    person = invite(size=SMALL, has_touch=True, is_mobile=True, locale=language)
    person.go("/")
    person.page.wait_for_load_state()
    assert is_on_first_screen(person.at(".game .btn.go").first)
    assert list_overflowing(person.page) == []


def test_a_game_is_one_tap_away_though_many_tables_stand_before_the_games(person: Visitor) -> None:
    person.press_play_now("karriere-poker")
    person.go("/me/")
    person.at("[name=name]").fill("Maximiliane Schönfelderi")
    with person.page.expect_navigation():
        person.page.get_by_role("button", name="Save").tap()
    for _ in range(2):
        person.play_now("animals-on-board")
    person.go("/")
    person.page.wait_for_load_state()
    expect(person.at("#mine .row-table")).to_have_count(3)
    buttons = person.at("#quick button").all()
    assert [is_on_first_screen(button) for button in buttons] == [True] * 5
    assert list_overflowing(person.page) == []
    assert list_broken_words(person.page, "#quick") == []
    person.at("#quick button[form=play-fancy-animals]").tap()
    expect(person.at("#hand .t").first).to_be_visible()


SHIFTS = """window.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });"""
"""A script that adds up how far the page's parts are moved by what comes, as browsers count it."""


@pytest.mark.parametrize("game", ["animals-on-board", "fancy-animals", "super-zwierzaki"])
def test_a_game_that_begins_pushes_nothing_away(person: Visitor, game: str) -> None:
    person.context.add_init_script(SHIFTS)
    person.play_now(game)
    person.await_live()
    await_animations(person.page)
    assert person.page.evaluate("shift") < 0.06


def test_an_invited_person_gives_a_name_and_sits_down_without_scrolling(invite: Invite, person: Visitor) -> None:
    host = invite()
    link = host.open_table("karriere-poker", seats=4, bots=2, is_public=False)
    person.go(urlsplit(link).path)
    person.await_live()
    assert [is_on_first_screen(person.at(one)) for one in ("#newcomer", "#sit")] == [True, True]
    person.at("#newcomer").fill("Zofia")
    with person.page.expect_navigation():
        person.at("#sit").tap()
    expect(person.at("#my-chair")).to_contain_text("Zofia")
    expect(person.at("#newcomer")).to_have_count(0)
    host.at("#start").click()
    expect(person.at("#hand .s").first).to_be_visible()
    assert is_on_first_screen(person.at("#hand .s").first)


def test_a_game_is_paused_resumed_and_ended_by_finger(person: Visitor) -> None:
    person.play_now("karriere-poker")
    person.await_live()
    person.at("#ways > details > summary").tap()
    expect(person.at("#ways .panel")).to_contain_text(
        "Nobody is waiting for you, and games against bots are not rated."
    )
    assert all(is_on_first_screen(person.at(one)) for one in ("#leave", "#pause", "#ending"))
    assert list_overflowing(person.page) == []
    person.at("#pause").tap()
    expect(person.at("#paused")).to_contain_text("This table is paused. Its players can resume the game.")
    person.at("#resume").tap()
    expect(person.at("#paused")).to_be_hidden()
    person.at("#ways > details > summary").tap()
    place = person.at("#ending summary").bounding_box()
    assert place is not None
    for _ in range(2):
        person.page.touchscreen.tap(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    expect(person.at("#end")).to_be_hidden()
    person.at("#ending summary").tap()
    expect(person.at("#ending p")).to_contain_text("The game ends now, without a result.")
    person.at("#end").tap()
    expect(person.at("#wait")).to_have_text("The players have ended this game without a result.")


def test_what_leaving_means_is_put_away_by_a_press_beside_it_or_by_escape(person: Visitor) -> None:
    person.play_now("karriere-poker")
    person.await_live()
    panel = person.at("#ways .panel")
    ways: list[Callable[[], None]] = [
        lambda: person.at(".tools h1").tap(),
        lambda: person.page.keyboard.press("Escape"),
    ]
    for put_away in ways:
        person.at("#ways > details > summary").tap()
        expect(panel).to_be_visible()
        put_away()
        expect(panel).to_be_hidden()
    expect(person.at("#ways > details > summary")).to_be_focused()


def test_a_rematch_against_bots_begins_by_itself(person: Visitor, on_server: OnServer) -> None:
    person.go("/")
    person.at("button[form=play-karriere-poker]").tap()
    expect(person.at("#hand .s").first).to_be_visible()
    table = person.table
    on_server(lambda: finish_beside_server(table))
    expect(person.at("#rematch")).to_be_visible()
    expect(person.at(".top")).to_be_hidden()  # it would push the result down
    expect(person.at(".tools .home")).to_be_visible()
    with person.page.expect_navigation():
        person.at("#rematch").tap()
    expect(person.at("#hand .s").first).to_be_visible()
    assert person.table != table
