"""A whole game of Animal Poker by keyboard alone, to the final places, the record and the rematch."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from games.records.fair import is_deal_proved
from games.records.format import Record, parse_record
from games.records.replay import verify
from tests.browser.conftest import Invite
from tests.browser.playing import await_ply, await_turn, is_mine, is_over, ply
from tests.browser.screen_reader import ScreenReader
from tests.browser.visitor import Visitor, wait_until

pytestmark = pytest.mark.chromium

MAX_KEYS = 60


def test_a_whole_game_by_keyboard(invite: Invite, tmp_path: Path) -> None:
    person = invite()
    open_table(person)
    screen_reader, turns = ScreenReader(person), 0
    while not is_over(person.page):
        take_turn(person)
        turns += 1
        await_turn(person)
    expect(person.at("#outcome")).to_be_focused()
    screen_reader.await_word("The game is over.")
    assert screen_reader.misses() == []
    assert screen_reader.heard().count("Your turn") == turns - 1  # the first one had come before we listened
    record = download(person, tmp_path / "game.json")
    assert record.result is not None
    assert sorted(record.result.places) == [1, 2, 3, 4]
    assert person.view()["view"]["places"] == list(record.result.places)
    my_place = person.at("#places li").nth(record.result.places[0] - 1)
    expect(my_place.locator("b")).to_have_text(record.players[0].name)
    expect(my_place.locator(".medal")).to_contain_text(str(record.result.places[0]))
    tab_to(person.page, "#rematch")
    with person.page.expect_navigation():
        person.page.keyboard.press("Enter")
    expect(person.at("#board[data-status=playing]")).to_be_visible()  # all have asked for it: it begins by itself


def open_table(person: Visitor) -> None:
    """From the lobby through the form to the first cards."""
    person.go("/")
    tab_to(person.page, "a[href='/games/animal-poker/new/']")
    person.page.keyboard.press("Enter")
    begin_by_keys(person, seats="4", bots="3", turn_seconds="600", sessions="1")
    person.page.keyboard.press("ArrowRight")  # whatever had the focus is gone
    expect(person.at("#hand .s:focus")).to_have_count(1)


def begin_by_keys(person: Visitor, **keys_by_field: str) -> None:
    """Fill in the form for a new table, open it and start, until it is this person's turn."""
    page = person.page
    for name, keys in keys_by_field.items():
        tab_to(page, f"[name={name}]")
        if name != "seats":  # a list, in which the keys choose
            page.keyboard.press("Control+A")
        page.keyboard.type(keys)
    page.keyboard.press("Enter")
    expect(person.at("#start")).to_be_visible()
    person.await_live()
    tab_to(page, "#start")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    person.await_live()
    await_turn(person)


def take_turn(person: Visitor) -> None:
    """Along the hand to a stack that goes; space chooses, enter plays; where nothing goes, P passes."""
    page, before = person.page, ply(person.page)
    tab_to(page, "#hand .s[tabindex='0']")
    page.keyboard.press("Home")
    stacks = person.at("#hand .s").count()
    for at in range(stacks):
        focused = page.locator("#hand .s:focus")
        assert page.locator("#hand .s").nth(at).evaluate("stack => stack === document.activeElement")
        if focused.evaluate("stack => !stack.classList.contains('dim')"):
            page.keyboard.press("Space")
            if person.at("#go").inner_text().startswith("Play"):
                expect(focused).to_have_attribute("aria-pressed", "true")
                break
        page.keyboard.press("ArrowRight")
    key = "Enter" if person.at("#go").inner_text().startswith("Play") else "p"
    wait_until(lambda: _has_taken(page, key, before), page, what="the key plays")
    await_ply(person, before + 1)
    focus_is_kept(page)


def _has_taken(page: Page, key: str, before: int) -> bool:
    if ply(page) > before or page.locator("#go", has_text="Sending …").count():
        return True
    page.keyboard.press(key)
    return False


def focus_is_kept(page: Page) -> None:
    """The hand has changed, others have moved, and the focus is in the hand still (or the hand is empty)."""
    if page.locator("#hand .s").count() and is_mine(page):
        assert page.evaluate("() => document.getElementById('board').contains(document.activeElement)")


def tab_to(page: Page, target: str) -> None:
    """Press Tab until the target has the focus, and see that it shows it."""
    for _ in range(MAX_KEYS):
        if page.locator(target).first.evaluate("it => it === document.activeElement"):
            style = page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
            assert style != "none"
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never leads to {target}")


def download(person: Visitor, file: Path) -> Record:
    """The record behind the button. It replays to its end, and deal and shuffle are proved."""
    tab_to(person.page, "#again a[download]")
    with person.page.expect_download() as begun:
        person.page.keyboard.press("Enter")
    begun.value.save_as(file)
    assert verify(file.read_bytes()).fault is None
    record = parse_record(file.read_bytes())
    assert is_deal_proved(record)
    return record
