"""One person with one browser, whose every complaint is heard: errors of scripts, of the console, of the policy."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, expect

PHONE = {"width": 360, "height": 740}
LAPTOP = {"width": 1280, "height": 800}

BROKEN_LINE = re.compile(r"WebSocket connection to|net::ERR_|Failed to fetch dynamically imported module")
"""What a browser itself says when nobody answers."""
REFUSED = re.compile(r"Failed to load resource: the server responded with a status of 4\d\d")
"""What a browser itself says of a page that is an error."""

PATIENCE_MS = 30_000
"""For whatever is waited for: what is right comes at once, and on a machine with much else to do late."""
expect.set_options(timeout=PATIENCE_MS)


NO_CHANCE = "crypto.getRandomValues = (bytes) => bytes.fill(7);"
"""What a browser adds to the deal is always the same: the server knows which cards a test is dealt."""
SHOWN = """() => {
  const told = [...document.querySelectorAll("#board, #action, #connection, #go, #why, :focus, .up, .held, .lifted")];
  const tags = told.map((one) => one.outerHTML.slice(0, Math.max(300, one.outerHTML.indexOf(">") + 1)));
  return [`${innerWidth} x ${innerHeight}, scrolled ${scrollY}`, ...tags, document.body.innerText].join("\\n");
}"""
"""What is told of a page where a test has failed: its places that change, and its words."""


class Visitor:
    """A browser of its own, at one address. complaints: what it had to say that nobody expected."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.context = context
        self.address = address
        self.complaints: list[str] = []
        self.said: list[str] = []
        self.expected: list[re.Pattern[str]] = []
        context.set_default_timeout(PATIENCE_MS)
        context.add_init_script(NO_CHANCE)
        context.on("console", self._hear)
        context.on("weberror", lambda error: self._note(f"script: {error.error}"))
        self.page: Page = context.new_page()

    def _hear(self, message: ConsoleMessage) -> None:
        self.said.append(f"{message.type}: {message.text}")
        if message.type in ("error", "warning"):
            self._note(f"{message.type}: {message.text} ({message.location['url']})")

    def _note(self, complaint: str) -> None:
        if not any(known.search(complaint) for known in self.expected):
            self.complaints.append(complaint)

    def describe(self) -> str:
        """What his page shows now, and all that it has said to the console: to understand a failure."""
        try:
            shown = str(self.page.wait_for_function(SHOWN, timeout=5_000).json_value())
        except Exception as error:  # noqa: BLE001 - it has crashed or hangs: what has failed before is to be told
            shown = repr(error)
        return "\n".join([self.page.url, f"console: {self.said[-20:]}", f"complaints: {self.complaints}", shown])

    def go(self, path: str) -> int:
        """Open a page; returns its status."""
        answer = self.page.goto(self.address + path)
        assert answer is not None
        return answer.status

    def at(self, selector: str) -> Locator:
        """A part of the page."""
        return self.page.locator(selector)

    @property
    def table(self) -> str:
        """The id of the table on the screen."""
        found = re.search(r"/tables/(\w+)/", self.page.url)
        assert found is not None, self.page.url
        return found[1]

    def view(self) -> dict[str, Any]:
        """What the server would tell this person of the table now."""
        answer = self.context.request.get(f"{self.address}/tables/{self.table}/view.json")
        assert answer.ok, answer.text()
        view: dict[str, Any] = answer.json()
        return view

    def open_table(self, game: str, **wishes: object) -> str:
        """Fill in the form for a new table, and open it; returns the invitation's address."""
        self.go(f"/games/{game}/new/")
        for name, wish in wishes.items():
            field = self.at(f"form.options [name={name}]")
            if isinstance(wish, bool):
                field.set_checked(wish)
            elif field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(str(wish))
            else:
                field.fill(str(wish))
        with self.page.expect_navigation():  # until the sheets that say how the room looks have come, too
            self.page.get_by_role("button", name="Open the table").click()
        return self.at("#invite").input_value()

    def play_now(self, game: str) -> None:
        """One click in the lobby, and wait until the cards are there, and all sheets that say how they look."""
        self.go("/")
        self.at(f"form[action='/games/{game}/play-now/'] button").click()
        expect(self.at("#hand .s, #hand .t, #hand .k, #choice .t").first).to_be_visible()
        self.page.wait_for_load_state()

    def await_live(self) -> None:
        """Until the page says that it shows the present."""
        expect(self.at("#connection")).to_have_attribute("data-state", "live")


def parted_words(page: Page, selector: str) -> list[str]:
    """Words that are broken in two lines inside themselves."""
    page.wait_for_load_state()
    parted: list[str] = page.evaluate(
        """(selector) => [...document.querySelectorAll(selector)].flatMap((one) => {
          const text = one.firstChild, range = document.createRange();
          return [...text.data.matchAll(/[^\\s-]+/g)].filter((word) => {
            range.setStart(text, word.index);
            range.setEnd(text, word.index + word[0].length);
            return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1;
          }).map(([word]) => word);
        })""",
        selector,
    )
    return parted


def resize(page: Page, size: Mapping[str, int]) -> None:
    """Of this size, and told so: a page with scripts that measure has done so two pictures later."""
    page.set_viewport_size(size)  # type: ignore[arg-type]
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def sticking_out(page: Page) -> list[str]:
    """What makes a page scroll sideways: nothing, it is hoped."""
    page.wait_for_load_state()  # before its sheets are there nothing is as wide as it will be
    found: list[str] = page.evaluate(
        """() => {
          const room = document.documentElement.clientWidth;
          if (document.scrollingElement.scrollWidth <= room) return [];
          const wide = [...document.body.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > room);
          return ["the page", ...wide.map((e) => e.outerHTML.slice(0, 80))];
        }"""
    )
    return found


def shrunken(page: Page) -> list[str]:
    """Pictures of which nothing is to be seen, though they have a place on the page: none, it is hoped."""
    found: list[str] = page.evaluate(
        """() => [...document.body.querySelectorAll("*")].filter((e) => {
          const style = getComputedStyle(e), box = e.getBoundingClientRect();
          const isPicture = [style.backgroundImage, style.maskImage].some((image) => image.includes("url("));
          return isPicture && e.getClientRects().length && e.checkVisibility() && Math.min(box.width, box.height) < 4;
        }).map((e) => e.outerHTML.slice(0, 80))"""
    )
    return found


def until(holds: Callable[[], bool], page: Page, *, what: str) -> None:
    """Look again and again until this holds. Raises AssertionError."""
    for _ in range(PATIENCE_MS // 50):
        if holds():
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never: {what}")


def lie_still(page: Page) -> None:
    """Until whatever moves for a while has arrived: on a busy machine it may stand for two frames before it starts."""
    page.evaluate(
        """() => Promise.allSettled(
          document.getAnimations()
            .filter((one) => Number.isFinite(one.effect.getComputedTiming().endTime))
            .map((one) => one.finished)
        ).then(() => {})"""
    )
