"""Plays turns of each game by touch, like people who try things out before they press the main button."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from playwright.sync_api import Locator, expect

from tests.browser.playing import LOOK_AGAIN_MS, await_ply, await_turn, is_over, ply, press, tap, touch_again
from tests.browser.playing import take_turn as take_climbing_turn
from tests.browser.visitor import Visitor, wait_until

BETWEEN_MS: Final = 150
"""Between two touches of one turn."""
MAX_TRIES: Final = 5
"""To choose something that the button can do."""


def play_turns(person: Visitor, game: str, turns: int) -> int:
    """So many turns, fewer if the game is over before; returns how many. The page shows a table."""
    take = TURNS[game]
    for turn in range(turns):
        await_turn(person)
        if is_over(person.page):
            return turn
        take(person)
    return turns


def _take_climbing_turn(person: Visitor) -> None:
    take_climbing_turn(person, tap)


def _take_quay_turn(person: Visitor) -> None:
    """Keep a tile, take a group that can be paid for, or split the largest one."""
    before = ply(person.page)
    phase = person.at("#action").get_attribute("data-phase")
    if phase == "keep":
        _touch(person, person.at("#choice .t").first)
        _touch(person, person.at("#choice .t").last)
    elif phase == "take" or (phase == "both" and before % 2):
        _touch(person, person.at(".price:not(.dear)").first)
    elif phase != "forfeit":
        for _ in range(3):  # chosen, put back, chosen
            _touch(person, person.at(".island:has(.t ~ .t) .t").first)
    for _ in range(MAX_TRIES):  # nothing is chosen, all is too dear, or an update has put back what was chosen
        if phase == "keep" or _has_chosen(person):
            break
        _touch(person, person.at(".island:has(.t ~ .t) .t").first)
    press(person, "#go", tap)
    wait_until(lambda: ply(person.page) > before or not _is_asked(person, phase), person.page, what="the move is taken")


def _has_chosen(person: Visitor) -> bool:
    """Whether the button can be pressed, at once or when a slow page has taken the last touch."""
    try:
        expect(person.at("#go")).not_to_have_attribute("aria-disabled", "true", timeout=LOOK_AGAIN_MS)
    except AssertionError:
        return False
    return True


def _is_asked(person: Visitor, phase: str | None) -> bool:
    now = person.at("#action")
    return now.get_attribute("data-phase") == phase and "mine" in (now.get_attribute("class") or "")


def _take_fancy_animals_turn(person: Visitor) -> None:
    """Lay cards, move one, take it all back, ask for a hint, and play that."""
    before = ply(person.page)
    hand = person.at("#hand .t:not([hidden])")
    for place in range(min(3, hand.count())):
        _touch(person, hand.nth(place))
    _touch(person, person.at("#go"))
    _touch(person, person.at("[data-do=undo]"))
    _touch(person, person.at("[data-do=reset]"))
    _touch(person, person.at("[data-do=larger]"))
    _touch(person, person.at("[data-do=smaller]"))
    _touch(person, person.at("[data-do=sort]"))
    _touch(person, person.at("[data-do=hint]"))
    wait_until(lambda: not person.at("#why").inner_text().startswith("Looking"), person.page, what="a hint")
    press(person, "#draw" if person.at("#go").get_attribute("aria-disabled") == "true" else "#go", tap)
    await_ply(person, before + 1)


def _take_zoo_turn(person: Visitor) -> None:
    """Play the first card that fits, and choose the first of what it asks for; else take the last button."""
    before = ply(person.page)
    if person.at("#action").get_attribute("data-phase") == "turn":
        for card in person.at("#hand .k:not(.dim)").all()[:1]:
            _touch(person, card)
    for choice in ("#action .wheel button", "#hand .k:not(.dim)"):
        for one in person.at(choice).all():
            if _is_ready(person) or ply(person.page) > before:
                break
            _touch(person, one)
    wait_until(lambda: _has_pressed(person, before), person.page, what="a move")


def _has_pressed(person: Visitor, before: int) -> bool:
    """Press what can be pressed; whether the game has gone on, as a window may do by itself."""
    button = person.at("#go") if _is_ready(person) else person.at("#action .buttons [data-move]").last
    if ply(person.page) == before and button.count():
        touch_again(tap, button)
    return ply(person.page) > before


def _is_ready(person: Visitor) -> bool:
    return person.at("#go:not([aria-disabled='true'])").count() > 0


def _touch(person: Visitor, target: Locator) -> None:
    """Tap what can be pressed now; between two looks it may go."""
    if target.count() and target.is_enabled():
        touch_again(tap, target)
    person.page.wait_for_timeout(BETWEEN_MS)


TURNS: Final[dict[str, Callable[[Visitor], None]]] = {
    "karriere-poker": _take_climbing_turn,
    "animal-poker": _take_climbing_turn,
    "animals-on-board": _take_quay_turn,
    "fancy-animals": _take_fancy_animals_turn,
    "super-zwierzaki": _take_zoo_turn,
}
"""By game."""
