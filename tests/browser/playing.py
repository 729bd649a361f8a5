"""Playing a card game in the browser: choose stacks until the button says what it will play, then press it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Protocol

from playwright.sync_api import Locator, Page
from playwright.sync_api import TimeoutError as TooLateError

from tests.browser.visitor import Visitor, wait_in_page, wait_until

HAS_PLY = "(least) => Number(document.getElementById('board')?.dataset.ply || -1) >= least"
IS_MINE_OR_OVER = "() => document.querySelector('#action.mine, #board[data-status=over]') !== null"
LOOK_AGAIN_MS = 2000
"""Milliseconds that a repeated touch waits for its element, which may be gone."""


class Tap(Protocol):
    """Click or tap an element once it is there. timeout: in milliseconds; raises TimeoutError."""

    def __call__(self, target: Locator, timeout: float | None = None) -> None: ...


def click(target: Locator, timeout: float | None = None) -> None:
    """Click with the mouse."""
    target.click(timeout=timeout)


def tap(target: Locator, timeout: float | None = None) -> None:
    """Tap on the touch screen."""
    target.tap(timeout=timeout)


def touch_again(touch: Tap, target: Locator) -> None:
    """Touch once more if the element is still there, as the touch before may just have taken effect."""
    with suppress(TooLateError):
        touch(target, LOOK_AGAIN_MS)


def is_mine(page: Page) -> bool:
    """Whether the page shows that it is its player's turn."""
    return page.locator("#action.mine").count() > 0


def is_over(page: Page) -> bool:
    """Whether the page shows the end of the game."""
    return page.locator("#board[data-status=over]").count() > 0


def ply(page: Page) -> int:
    """The ply that the page shows."""
    return int(page.locator("#board").get_attribute("data-ply") or -1)


def take_turn(person: Visitor, touch: Tap = click) -> str:
    """Play the first legal stack, or pass. Returns the label of the button."""
    before, label = ply(person.page), choose(person, touch)
    press(person, "#go", touch)
    await_ply(person, before + 1)
    return label


def choose(person: Visitor, touch: Tap = click) -> str:
    """Select stacks until the button would play them, else leave it at passing. Returns the label of the button."""
    button = person.at("#go")

    def has_chosen() -> bool:
        """Tried again if the page replaces the hand meanwhile, as at the start of a deal."""
        for number in person.page.locator("#hand .s:not(.dim)").evaluate_all("all => all.map(s => s.dataset.n)"):
            touch(person.at(f"#hand .s[data-n='{number}']"))
            if button.inner_text().startswith("Play"):
                return True
        return button.inner_text() == "Pass"

    wait_until(has_chosen, person.page, what="something that can be played")
    return button.inner_text()


def press(person: Visitor, button: str, touch: Tap = click) -> None:
    """Press a button until it takes effect: in the first third of a second of a turn it does not."""
    page, before = person.page, ply(person.page)
    touch(person.at(button))

    def has_taken() -> bool:
        now: Any = page.evaluate(
            """button => [document.querySelector(button)?.textContent, document.getElementById("board").dataset.ply]""",
            button,
        )
        if now[0] == "Sending …" or int(now[1]) > before:
            return True
        touch_again(touch, person.at(button))
        return False

    wait_until(has_taken, page, what=f"{button} is pressed")


def await_ply(person: Visitor, least: int) -> None:
    """Wait until the page shows this ply or a later one."""
    wait_in_page(person.page, HAS_PLY, least, what=f"ply {least}")


def await_turn(person: Visitor) -> None:
    """Wait until it is this person's turn, or the game is over."""
    wait_in_page(person.page, IS_MINE_OR_OVER, what="my turn")
