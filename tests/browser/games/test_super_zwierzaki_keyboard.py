"""Super Zwierzaki by keyboard alone: every question that a card can ask, and a whole game; all of it is said."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import expect

from games.play.seats import sitting
from games.play.storage import store
from tests.browser.conftest import Invite
from tests.browser.playing import await_turn, is_over
from tests.browser.screen_reader import ScreenReader
from tests.browser.server_state import OnServer, SetUpGame
from tests.browser.tables.test_keyboard import begin_by_keys, tab_to
from tests.browser.visitor import Visitor, wait_until

pytestmark = pytest.mark.chromium

IDLE = [["8", "9", "10"], ["11", "12", "18"]]
"""What the two bots hold: nothing that acts."""
PILE = ["16", "20", "21", "23", "41", "42", "43", "44", "45", "48", "50", "52", "54", "55", "56"]
NINE = ["1", "16", "25", "38", "49", "61", "73", "85", "97"]
"""A card of each colour; of the brown rat's colour or class is the finch."""

QUESTIONS_ASKED = 25
"""Then the bell ends a game that would go on and on."""

DRAW = "#action [data-move*='draw']"

QUESTIONS: dict[str, tuple[list[str], str, list[str]]] = {
    "colour": (["99", "1", "3", "5"], "97", ["You play Wapiti", "Name a new colour or decline."]),
    "name": (["14", "1", "3", "5"], "19", ["You play Honey badger", "Which animal do you demand?"]),
    "swap": (["53", "1", "3", "5"], "49", ["You play Komodo dragon", "Which two players swap hands?"]),
    "discard": (["66", "1", "3", "5", "5"], "65", ["You may put exactly 2 cards under the heap."]),
    "give": (["33", "1", "3", "5", "5"], "25", ["You may give exactly 2 cards to somebody."]),
    "sigma": (["53", "53", "1", "3"], "49", ["Two Komodo dragons: decide who gets which hand."]),
    "duel": (["37", "47", "1", "3"], "40", ["Duel: answer with a card or fold."]),
}
"""Phase → my hand, the card on the heap, what is said on the way."""


def test_every_question_is_said_and_answered_by_keyboard(invite: Invite, set_up_game: SetUpGame) -> None:
    person = sit_down(invite)
    for phase, (hand, top, spoken) in QUESTIONS.items():
        screen_reader = show(set_up_game, person, hands=[hand, *IDLE], top=top)
        play(person, hand[0], 2 if phase == "sigma" else 1)
        expect(person.at("#action")).to_have_attribute("data-phase", phase)
        answer(person)
        await_turn(person)
        for words in spoken:
            screen_reader.await_word(words)
        assert screen_reader.misses() == [], phase


def test_nine_colours_by_keyboard(invite: Invite, set_up_game: SetUpGame) -> None:
    """Players who were choosing cards choose again once they no longer have them."""
    person = sit_down(invite)
    show(set_up_game, person, hands=[[*NINE, "3", "5"], *IDLE], top="40")
    tab_to(person.page, "#nine")
    person.page.keyboard.press("Enter")
    set_up_game(person.table, {"order": [0, 1, 2], "draw": PILE, "hands": [["38", "38", "3"], *IDLE], "top": "40"})
    expect(person.at("#nine")).to_have_count(0)
    choose(person, "38", 2)
    expect(person.at("#go")).to_contain_text("Play 2")
    screen_reader = show(set_up_game, person, hands=[[*NINE, "3", "5"], *IDLE], top="40")
    tab_to(person.page, "#nine")
    person.page.keyboard.press("Enter")
    expect(person.at("#nine")).to_have_attribute("aria-pressed", "true")
    for kind in ("38", *[kind for kind in NINE if kind != "38"]):
        choose(person, kind)
    press(person, "#go")
    expect(person.at("#action")).to_have_attribute("data-phase", "give")
    answer(person)
    screen_reader.await_word("Give exactly 1 card to somebody.")
    await_turn(person)
    assert screen_reader.misses() == []


def test_a_window_and_the_end_by_keyboard(invite: Invite, set_up_game: SetUpGame) -> None:
    """A bot's leopard seal is rejected; then a bot puts its last card down, and I let it be."""
    person = sit_down(invite)
    screen_reader = show(set_up_game, person, hands=[["107", "5", "3"], ["26", "26", "38"], IDLE[1]], top="25")
    press(person, DRAW)
    screen_reader.await_word("Do you reject it?")
    press_until_gone(person, "#action [data-move*='107']")
    expect(person.at("#log")).to_contain_text("The play is rejected and does nothing.")
    await_turn(person)
    assert screen_reader.misses() == []
    screen_reader = show(set_up_game, person, hands=[["107", "5", "6"], ["38"], IDLE[1]], top="40")
    press(person, DRAW)
    screen_reader.await_word("is about to win. Do you stop them?")
    press_until_gone(person, "#action [data-move*='decline']")
    expect(person.at("#outcome")).to_be_focused()
    screen_reader.await_word("The game is over.")
    assert screen_reader.misses() == []


def test_a_whole_game_by_keyboard(invite: Invite, on_server: OnServer) -> None:
    person = invite()
    person.go("/games/super-zwierzaki/new/")
    begin_by_keys(person, seats="2", bots="1", turn_seconds="600", minutes="60")
    screen_reader, phases = ScreenReader(person), Counter[str]()
    while not is_over(person.page):
        phases[answer(person)] += 1
        if phases.total() == QUESTIONS_ASKED:
            on_server(lambda: ring(person.table))
        await_turn(person)
    expect(person.at("#outcome")).to_be_focused()
    screen_reader.await_word("The game is over.")
    assert screen_reader.misses() == []
    assert "turn" in phases


def ring(table: str) -> None:
    """The bell, which in a club rings when its time has come."""
    sitting.ring_bell(table, store.fetch(table).host_id, now=time.time())


# Fingers on keys


def sit_down(invite: Invite) -> Visitor:
    """A table with two bots, at which time is no matter."""
    person = invite()
    fields = {"seats": 3, "bots": 2, "turn_seconds": 600, "win_seconds": 60, "reaction_seconds": 25, "call_seconds": 60}
    person.start_game("super-zwierzaki", minutes="", **fields)
    return person


def show(set_up_game: SetUpGame, person: Visitor, **setup: Any) -> ScreenReader:
    """The game begins anew from here; the page shows it, and somebody listens."""
    set_up_game(person.table, {"order": [0, 1, 2], "draw": PILE, **setup})
    person.show_table()
    return ScreenReader(person)


def play(person: Visitor, kind: str, count: int) -> None:
    """Copies of a kind, by keys."""
    choose(person, kind, count)
    press(person, "#hand .k:focus")


def choose(person: Visitor, kind: str, count: int = 1) -> None:
    """Along the hand to this pile, and space for each copy."""
    page = person.page
    tab_to(page, "#hand .k[tabindex='0']")
    page.keyboard.press("Home")
    for _ in range(person.at("#hand .k").count()):
        if page.locator("#hand .k:focus").get_attribute("data-k") == kind:
            break
        page.keyboard.press("ArrowRight")
    expect(page.locator(f"#hand .k[data-k='{kind}']")).to_be_focused()
    for _ in range(count):
        page.keyboard.press("Space")
    expect(page.locator(f"#hand .k[data-k='{kind}']")).to_have_attribute("aria-pressed", "true")


def press(person: Visitor, button: str) -> None:
    """Tab to it and Enter, until it takes: just after a question has come it does not."""
    before = person.view()["ply"]
    tab_to(person.page, button)

    def has_taken() -> bool:
        if person.view()["ply"] > before:
            return True
        if person.page.locator("#go", has_text="Sending …").count() == 0 and person.at(button).count():
            person.page.keyboard.press("Enter")
            person.page.wait_for_timeout(150)
        return False

    wait_until(has_taken, person.page, what=f"{button} is pressed")


_FOCUS = "button => (document.querySelector(button)?.focus(), !!document.activeElement?.closest(button))"


def press_until_gone(person: Visitor, button: str) -> None:
    """Tab to it and Enter, until it is not offered any more: in a window the others answer as well, at any moment."""
    tab_to(person.page, button)

    def is_gone() -> bool:
        if not person.page.evaluate(_FOCUS, button):
            return True
        person.page.keyboard.press("Enter")
        person.page.wait_for_timeout(150)
        return not person.at(button).count()

    wait_until(is_gone, person.page, what=f"{button} is taken")


def answer(person: Visitor) -> str:
    """What is asked, by keys. Returns the phase."""
    phase = person.at("#action").get_attribute("data-phase") or ""
    _ANSWERS.get(phase, answer_at_once)(person)
    return phase


def answer_at_once(person: Visitor) -> None:
    """A turn, a duel, a window: the first pile that goes, else the last button."""
    piles = person.at("#hand .k:not(.dim)")
    if piles.count() and person.at("#go").count():
        return play(person, piles.first.get_attribute("data-k") or "", 1)
    return press(person, "#action .buttons > [data-move]:not(:has(~ [data-move]))")


def answer_name(person: Visitor) -> None:
    tab_to(person.page, "#kind")
    person.page.keyboard.press("ArrowDown")
    press(person, "#go")


def answer_swap(person: Visitor) -> None:
    press_people(person, 2)
    press(person, "#go")


def answer_discard(person: Visitor) -> None:
    gather(person)
    press(person, "#go")


def answer_give(person: Visitor) -> None:
    gather(person)
    press_people(person, 1)
    press(person, "#go")


def answer_sigma(person: Visitor) -> None:
    """The first two hands change places."""
    for seat, key in ((0, "ArrowDown"), (1, "ArrowUp")):
        tab_to(person.page, f"select.sigma[data-seat='{seat}']")
        person.page.keyboard.press(key)
    press(person, "#go")


def press_people(person: Visitor, count: int) -> None:
    for at in range(count):
        button = f".wheel .person:nth-child({at + 1})"
        tab_to(person.page, button)
        person.page.keyboard.press("Space")
        expect(person.at(button)).to_have_attribute("aria-pressed", "true")


def gather(person: Visitor) -> None:
    """As many cards as are asked for."""
    left = int(person.at("#action").get_attribute("data-need") or 0)
    for kind, count in person.at("#hand .k").evaluate_all("all => all.map((k) => [k.dataset.k, +k.dataset.count])"):
        if left:
            choose(person, kind, min(left, count))
            left -= min(left, count)


def answer_colour(person: Visitor) -> None:
    press(person, ".wheel .hue")


_ANSWERS = {
    "colour": answer_colour,
    "name": answer_name,
    "swap": answer_swap,
    "discard": answer_discard,
    "give": answer_give,
    "sigma": answer_sigma,
}
