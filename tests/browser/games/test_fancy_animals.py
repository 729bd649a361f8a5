"""Fancy Animals in a browser: a whole game by keyboard, one by pointer on a narrow phone, and what axe finds."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Invite
from tests.browser.pages.test_accessible import find_violations
from tests.browser.playing import await_ply, await_turn, click, is_over, ply, press, tap
from tests.browser.screen_reader import ScreenReader
from tests.browser.server_state import SetUpGame
from tests.browser.tables.test_keyboard import begin_by_keys, download, tab_to
from tests.browser.visitor import PHONE, Visitor, await_animations, list_overflowing, resize, wait_until

pytestmark = pytest.mark.chromium

HAND = "#hand .t:not([hidden])"


def begin(person: Visitor) -> None:
    """A game against one bot, until it is this person's turn."""
    person.go_to_new_game("fancy-animals", seats=2, bots=1, turn_seconds=600, is_timed=True)
    await_turn(person)


NOTHING_LAID = {
    "hands": [["1GC", "2GC", "3GM", "4MC", "5MC", "6LM", "7GC"], ["8GM", "9GM", "10LM", "1MC", "2MC", "3LG", "4LC"]],
    "table": [],
    "deck": ["1LG", "2GM", "3GC", "4LG", "5GM", "6LG", "7LC", "8GC", "9GC", "10LC", "11LM", "11GM"],
    "to_act": 0,
}


def begin_with_nothing_laid(set_up_game: SetUpGame, person: Visitor) -> None:
    """The same from these cards: the bot has laid nothing that a card could be dropped on, and the deck is short."""
    person.start_game("fancy-animals", seats=2, bots=1, turn_seconds=600, is_timed=True)
    set_up_game(person.table, NOTHING_LAID)
    person.show_table()
    await_turn(person)


BROKEN = """all => all.filter((cell) => {
  const text = document.createRange();
  text.selectNodeContents(cell);
  return text.getClientRects().length > 1;
}).map((cell) => cell.textContent)"""
"""Numbers that stand on more than one line."""


def test_a_whole_game_by_keyboard(invite: Invite, tmp_path: Path) -> None:
    person = invite()
    person.go("/games/fancy-animals/new/")
    begin_by_keys(person, seats="2", bots="1", turn_seconds="600")
    page = person.page
    lay_and_take_back(page)
    screen_reader, dressed = ScreenReader(person), False
    while not is_over(page):
        before = ply(page)
        tab_to(page, "[data-do=hint]")
        page.keyboard.press("Enter")
        wait_until(lambda: has_answer(person), page, what="a hint")
        dressed = dressed or person.at("#offer .taken").count() > 0
        tab_to(page, find_button(person))
        confirm(page, before)
        await_ply(person, before + 1)
        await_turn(person)
    assert dressed
    expect(person.at("#outcome")).to_be_focused()
    screen_reader.await_word("The game is over.")
    assert screen_reader.misses() == []
    expect(person.at("#places li")).to_have_count(2)
    expect(person.at("#story .doll")).to_have_count(2)
    record = download(person, tmp_path / "game.json")
    assert record.result is not None
    assert person.view()["view"]["scores"] == list(record.result.scores or ())


def find_button(person: Visitor) -> str:
    """The button that plays the draft if there is one, else the one that draws or passes."""
    return "#draw" if person.at("#go").get_attribute("aria-disabled") == "true" else "#go"


def has_answer(person: Visitor) -> bool:
    """Whether the hint has come, or the word that there is none."""
    return not person.at("#why").inner_text().startswith("Looking")


def confirm(page: Page, before: int) -> None:
    """Press Enter on the button until it takes."""
    wait_until(lambda: has_taken(page, before), page, what="Enter confirms")


def has_taken(page: Page, before: int) -> bool:
    """Whether Enter on the button has taken; just after the turn has come it does not."""
    if ply(page) > before or page.locator("#go", has_text="Sending …").count():
        return True
    page.keyboard.press("Enter")
    return False


def lay_and_take_back(page: Page) -> None:
    """Two cards of the hand in a new meld: it glows and says what is missing; taken back step by step."""
    tab_to(page, "#hand .t[tabindex='0']")
    page.keyboard.press("Home")
    held = page.locator(HAND).count()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page.locator("#hand .t[aria-pressed=true]")).to_have_count(2)
    page.keyboard.press("n")
    expect(page.locator("#melds .meld.bad .fault")).to_have_text("at least three cards")
    expect(page.locator("#go")).to_have_attribute("aria-disabled", "true")
    expect(page.locator(HAND)).to_have_count(held - 2)
    word = page.locator("#melds .meld.bad .t").first.get_attribute("data-w")
    page.locator("#melds .meld.bad .t").first.focus()
    page.keyboard.press("f")
    assert page.locator("#melds .meld.bad .t").first.get_attribute("data-w") != word
    for _ in range(2):
        page.keyboard.press("Control+z")
    expect(page.locator(HAND)).to_have_count(held)
    page.keyboard.press("Control+y")
    expect(page.locator("#melds .meld.bad")).to_have_count(1)
    page.locator("#melds .meld.bad .t").first.focus()
    for key in ("Space", "ArrowRight", "Space", "h"):
        page.keyboard.press(key)
    expect(page.locator(HAND)).to_have_count(held)
    expect(page.locator("#go")).to_have_text("Select cards to play")


def test_a_whole_game_by_pointer_on_a_phone(invite: Invite, set_up_game: SetUpGame) -> None:
    person = invite(size=PHONE, has_touch=True)
    begin_with_nothing_laid(set_up_game, person)
    page = person.page
    drag_and_tap(person)
    while not is_over(page):
        before = ply(page)
        tap(person.at("[data-do=hint]"))
        wait_until(lambda: has_answer(person), page, what="a hint")
        assert "\n".join(list_overflowing(page)) == ""
        press(person, find_button(person), tap)
        await_ply(person, before + 1)
        await_turn(person)
    expect(person.at(".winner")).to_contain_text("won")
    assert person.at(".show td").evaluate_all(BROKEN) == []


def drag_and_tap(person: Visitor) -> None:
    """A card is dragged to the table, the next is tapped into its meld, and both go home again."""
    page = person.page
    held = page.locator(HAND).count()
    person.at(HAND).first.scroll_into_view_if_needed()
    person.at("#melds").evaluate("table => table.scrollIntoView({ block: 'end' })")
    await_animations(page)
    start = person.at(HAND).first.bounding_box()
    goal = person.at("#melds").bounding_box()
    assert start is not None
    assert goal is not None
    page.mouse.move(start["x"] + 10, start["y"] + 10)
    page.mouse.down()
    page.mouse.move(goal["x"] + goal["width"] / 2, goal["y"] + 20, steps=6)  # its end may lie under the tray
    page.mouse.up()
    expect(person.at("#melds .meld.bad")).to_have_count(1)
    expect(person.at(HAND)).to_have_count(held - 1)
    tap(person.at(HAND).first)
    tap(person.at("#melds .meld .drop"))
    expect(person.at("#melds .meld.bad .t")).to_have_count(2)
    tap(person.at("[data-do=reset]"))
    expect(person.at(HAND)).to_have_count(held)


KEPT = "() => Object.keys(sessionStorage).filter((key) => key.startsWith('draft:')).length"


def test_a_draft_outlives_the_page_until_the_game_goes_on(invite: Invite) -> None:
    person = invite()
    begin(person)
    page = person.page
    held = person.at(HAND).count()
    for at in range(2):
        click(person.at(HAND).nth(at))
    click(person.at("[data-do=new]"))
    laid = person.at("#melds .meld.bad .t").evaluate_all("all => all.map((tile) => tile.dataset.w)")
    page.reload()
    person.await_live()
    expect(person.at("#melds .meld.bad .t")).to_have_count(len(laid))
    assert person.at("#melds .meld.bad .t").evaluate_all("all => all.map((tile) => tile.dataset.w)") == laid
    expect(person.at(HAND)).to_have_count(held - len(laid))
    click(person.at("[data-do=undo]"))
    expect(person.at(HAND)).to_have_count(held)
    page.reload()
    person.await_live()
    click(person.at("[data-do=redo]"))
    expect(person.at(HAND)).to_have_count(held - len(laid))
    address, before = page.url, ply(page)
    person.go("/about/")
    draw_elsewhere(person, address)
    page.goto(address)
    person.await_live()
    await_ply(person, before + 1)
    await_turn(person)
    expect(person.at("#melds .meld.bad")).to_have_count(0)
    expect(person.at("[data-do=redo]")).to_be_disabled()
    assert page.evaluate(KEPT) == 0


def test_an_update_keeps_the_focus_in_a_draft_and_gives_the_table_back_as_it_was(
    invite: Invite, set_up_game: SetUpGame
) -> None:
    person = invite()
    begin(person)
    set_up_game(person.table, {"table": [["2LM:L", "2GC:G", "2GM:M"]], "hands": [["1GC", "3LM"], ["4LC"]]})
    page = person.page
    page.reload()
    await_turn(person)
    page.locator("#melds .t").nth(1).focus()
    page.evaluate(UPDATED, int(page.locator("#board").get_attribute("data-ply") or 0))
    expect(page.locator("#melds .t").nth(1)).to_be_focused()
    drawn = person.context.request.get(f"{person.address}/tables/{person.table}/board/").text()
    page.locator("#action").evaluate("action => { action.className = ''; delete action.dataset.draft; }")
    page.evaluate(UPDATED, -1)
    expect(page.locator("#melds button")).to_have_count(0)
    assert page.locator("#melds").inner_html() in drawn


UPDATED = "ply => document.dispatchEvent(new CustomEvent('menagerie:updated', { detail: { ply } }))"


def test_a_draft_leaves_with_who_signs_out(invite: Invite) -> None:
    person = invite()
    begin(person)
    click(person.at(HAND).first)
    click(person.at("[data-do=new]"))
    person.go("/about/")
    assert person.page.evaluate(KEPT) == 1
    person.page.context.clear_cookies()
    person.go("/")
    person.page.wait_for_function(f"({KEPT})() === 0")


def draw_elsewhere(person: Visitor, address: str) -> None:
    """In another tab, which knows nothing of the draft."""
    tab = person.page.context.new_page()
    tab.goto(address)
    before = ply(tab)
    expect(tab.locator("#draw")).to_have_text("Draw a card")
    wait_until(lambda: has_taken_by(tab, before), tab, what="a card is drawn")
    tab.close()


def has_taken_by(page: Page, before: int) -> bool:
    """Whether a click on the button has taken; just after the turn has come it does not."""
    if ply(page) > before:
        return True
    page.locator("#draw").click()
    return False


def test_a_draft_that_is_played_is_not_kept(invite: Invite) -> None:
    person = invite()
    begin(person)
    before = ply(person.page)
    click(person.at(HAND).first)
    click(person.at("[data-do=new]"))
    expect(person.at("#melds .meld.bad")).to_have_count(1)
    assert person.page.evaluate(KEPT) == 1
    click(person.at("[data-do=reset]"))
    press(person, "#draw")
    await_ply(person, before + 1)
    await_turn(person)
    assert person.page.evaluate(KEPT) == 0


STACKED = """() => {
  const box = (part) => document.querySelector(part).getBoundingClientRect();
  const boxes = [".seats li:not(.me)", "#offer", ".seats .me", "#hand"].map(box);
  return boxes.slice(1).every((box, index) => box.top >= boxes[index].bottom);
}"""


def test_fancy_animals_is_for_everybody(invite: Invite) -> None:
    person = invite()
    person.go("/games/fancy-animals/")
    assert list(find_violations(person)) == []
    begin(person)
    click(person.at(HAND).first)
    click(person.at("[data-do=new]"))
    expect(person.at("#melds .meld.bad")).to_have_count(1)
    click(person.at(HAND).first)
    assert list(find_violations(person)) == []
    resize(person.page, {"width": 1440, "height": 900})
    person.at(".me .seat > b").evaluate("name => (name.textContent = 'Schmetterling 12')")  # on two lines
    assert person.page.evaluate(STACKED), "I sit at the bottom, over my hand"
    person.at(".me .seat > b").evaluate("name => (name.textContent = 'Maximilian von Hohenstein')")
    assert person.page.evaluate(STACKED), "and my whole name below the clothes on offer"
