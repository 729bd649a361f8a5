"""Playing cards as a person does: look, tap stacks until the button says what it will do, press it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Protocol

from playwright.sync_api import Locator, Page
from playwright.sync_api import TimeoutError as TooLateError

from tests.browser.visitor import Visitor, until

LOOK_AGAIN_MS = 2000


class Tap(Protocol):
    """How somebody touches what he sees, once it is there; after so many milliseconds he gives up."""

    def __call__(self, target: Locator, timeout: float | None = None) -> None: ...


def click(target: Locator, timeout: float | None = None) -> None:
    """With a mouse."""
    target.click(timeout=timeout)


def tap(target: Locator, timeout: float | None = None) -> None:
    """With a finger."""
    target.tap(timeout=timeout)


def touch_again(touch: Tap, target: Locator) -> None:
    """Once more, if it is still there: the touch before may be taken at this moment."""
    with suppress(TooLateError):
        touch(target, LOOK_AGAIN_MS)


def is_mine(page: Page) -> bool:
    """Whether the page says that it is my turn."""
    return page.locator("#action.mine").count() > 0


def is_over(page: Page) -> bool:
    """Whether the page shows the end of the game."""
    return page.locator("#board[data-status=over]").count() > 0


def ply(page: Page) -> int:
    """The ply that the page shows."""
    return int(page.locator("#board").get_attribute("data-ply") or -1)


def take_turn(person: Visitor, touch: Tap = click) -> str:
    """Play the first stack that goes, or pass. Returns what the button said."""
    before, said = ply(person.page), choose(person, touch)
    press(person, "#go", touch)
    await_ply(person, before + 1)
    return said


def choose(person: Visitor, touch: Tap = click) -> str:
    """Tap stacks until the button would play them; else leave it at passing. Returns what the button says."""
    button = person.at("#go")

    def has_chosen() -> bool:
        """Again where the table was drawn anew under the hand, as at the start of a deal."""
        for number in person.page.locator("#hand .s:not(.dim)").evaluate_all("all => all.map(s => s.dataset.n)"):
            touch(person.at(f"#hand .s[data-n='{number}']"))
            if button.inner_text().startswith("Play"):
                return True
        return button.inner_text() == "Pass"

    until(has_chosen, person.page, what="something that can be played")
    return button.inner_text()


def press(person: Visitor, button: str, touch: Tap = click) -> None:
    """Press a button of the table until it takes: just after the turn has come it does not, for a third of a second."""
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

    until(has_taken, page, what=f"{button} is pressed")


def await_ply(person: Visitor, least: int) -> None:
    """Until the page shows this ply or a later one."""
    until(lambda: ply(person.page) >= least, person.page, what=f"ply {least}")


def await_turn(person: Visitor) -> None:
    """Until it is this person's turn, or the game is over."""
    until(lambda: is_mine(person.page) or is_over(person.page), person.page, what="my turn")
