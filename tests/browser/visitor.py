"""A person with a browser context of their own, whose script and console errors are collected."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, expect
from playwright.sync_api import TimeoutError as TooLateError

PHONE = {"width": 360, "height": 740}
LAPTOP = {"width": 1280, "height": 800}

BROKEN_LINE = re.compile(r"WebSocket connection to|net::ERR_|Failed to fetch dynamically imported module")
"""Console messages of the browser when the server does not answer."""
REFUSED = re.compile(r"Failed to load resource: the server responded with a status of 4\d\d")
"""The console message of the browser for a 4xx response."""

TIMEOUT_MS = 30_000
"""Timeout of each wait in milliseconds. More tolerates busy machines; less reports failures sooner."""
expect.set_options(timeout=TIMEOUT_MS)


NO_CHANCE = "crypto.getRandomValues = (bytes) => bytes.fill(7);"
"""A script that makes the browser's contribution to the deal constant, so that a test always gets the same cards."""
ENTROPY = "07" * 16
"""That contribution."""
SHOWN = """() => {
  const told = [...document.querySelectorAll("#board, #action, #connection, #go, #why, :focus, .up, .held, .lifted")];
  const tags = told.map((one) => one.outerHTML.slice(0, Math.max(300, one.outerHTML.indexOf(">") + 1)));
  return [`${innerWidth} x ${innerHeight}, scrolled ${scrollY}`, ...tags, document.body.innerText].join("\\n");
}"""
"""A script for reports of failed tests: the state of the changing elements, and the page's text."""


CONTRIBUTION_REFUSED = re.compile(r"status of 409 .*/(?:tables/[^/]+|tournaments/[^/]+/deals)/contribute/")
"""On a busy machine a game may begin before a page's contribution has come. The browser itself reports the refusal."""

BLOCKED = re.compile("Service Worker registration blocked by Playwright")
"""What a browser says whose service workers a test does without."""


class FormReader(HTMLParser):
    """Reads the form of a new table from its page.

    fields: what a browser would send if nothing was changed; unticked: names of boxes without a tick.
    """

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self.unticked: set[str] = set()
        self._is_inside = False
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a field, a choice of the last list of choices, or the form itself."""
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._is_inside = "options" in given.get("class", "").split()
        elif self._is_inside and tag == "option" and ("selected" in given or self._select not in self.fields):
            self.fields[self._select] = given["value"]
        elif self._is_inside and tag == "select":
            self._select = given["name"]
        elif self._is_inside and tag == "textarea":
            self.fields[given["name"]] = ""
        elif self._is_inside and tag == "input" and "name" in given:
            is_box = given["type"] in ("checkbox", "radio")
            if is_box and "checked" not in given:
                self.unticked.add(given["name"])
            else:
                self.fields[given["name"]] = given.get("value", "on" if is_box else "")


class Visitor:
    """A browser context at one address.

    complaints: errors and warnings that match no pattern of `expected`; console_lines: all console messages; started:
    id of a table whose game was started without a page, until its page is shown.
    """

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.context = context
        self.address = address
        self.complaints: list[str] = []
        self.console_lines: list[str] = []
        self.started = ""
        self.expected: list[re.Pattern[str]] = [CONTRIBUTION_REFUSED, BLOCKED]
        context.set_default_timeout(TIMEOUT_MS)
        context.add_init_script(NO_CHANCE)
        context.on("console", self._hear)
        context.on("weberror", lambda error: self._note(f"script: {error.error}"))
        self.page: Page = context.new_page()

    def _hear(self, message: ConsoleMessage) -> None:
        self.console_lines.append(f"{message.type}: {message.text}")
        if message.type in ("error", "warning"):
            self._note(f"{message.type}: {message.text} ({message.location['url']})")

    def _note(self, complaint: str) -> None:
        if not any(pattern.search(complaint) for pattern in self.expected):
            self.complaints.append(complaint)

    def describe(self) -> str:
        """What the page shows now and its console messages, for the report of a failure."""
        try:
            shown = str(self.page.wait_for_function(SHOWN, timeout=5_000).json_value())
        except Exception as error:  # noqa: BLE001 - if the page has crashed or hangs, the first failure must still be reported
            shown = repr(error)
        return "\n".join(
            [self.page.url, f"console: {self.console_lines[-20:]}", f"complaints: {self.complaints}", shown]
        )

    def go(self, path: str) -> int:
        """Open a page; returns its status."""
        answer = self.page.goto(self.address + path)
        assert answer is not None
        return answer.status

    def leave(self) -> None:
        """Close the page's document, so that a server which ends now cuts off nothing that is still loading."""
        self.page.goto("about:blank")

    def at(self, selector: str) -> Locator:
        """The elements of the page that match a CSS selector."""
        return self.page.locator(selector)

    @property
    def table(self) -> str:
        """The id of the table that was started, or that is in the page's address."""
        if self.started:
            return self.started
        found = re.search(r"/tables/(\w+)/", self.page.url)
        assert found is not None, self.page.url
        return found[1]

    def view(self) -> dict[str, Any]:
        """The view of the table that the server sends this person now."""
        answer = self.context.request.get(f"{self.address}/tables/{self.table}/view.json")
        assert answer.ok, answer.text()
        view: dict[str, Any] = answer.json()
        return view

    def get(self, path: str) -> str:
        """What the server answers to this browser, as text, without a page that shows it."""
        answer = self.context.request.get(self.address + path)
        assert answer.ok, answer.text()
        return answer.text()

    def post(self, path: str, **fields: str) -> str:
        """Send a form with this browser's cookies, without a page; returns the address to which the answer leads."""
        if not any(cookie["name"] == "csrftoken" for cookie in self.context.cookies(self.address)):
            self.context.add_cookies([{"name": "csrftoken", "value": "t" * 32, "url": self.address}])
        token = next(cookie["value"] for cookie in self.context.cookies(self.address) if cookie["name"] == "csrftoken")
        answer = self.context.request.post(
            self.address + path,
            form=fields,  # type: ignore[arg-type]
            headers={"X-CSRFToken": token, "Origin": self.address},
            max_redirects=0,
        )
        assert answer.status in (200, 302), answer.text()
        return answer.headers.get("location", "")

    def open_table(self, game: str, **fields: object) -> str:
        """Open a table and go there, past the form's page (`fill_in_table` opens it there); returns its invitation.

        fields: values that differ from those that the form proposes, by name; a box is ticked or not.
        """
        self.go(self._create_table(game, fields))
        return self.at("#invite").input_value()

    def start_game(self, game: str, *others: Visitor, **fields: object) -> None:
        """Start a game with bots and these others, without a page of any (`show_table` opens it).

        fields: of the table, as in `open_table`.
        """
        path = self._create_table(game, fields)
        for person in (*others, self):
            person.started = path.strip("/").rpartition("/")[2]
            if person is not self:
                person.post(f"{path}sit/")
            commitment = json.loads(person.get(f"{path}view.json"))["commitment"]
            person.post(f"{path}contribute/", commitment=commitment, entropy=ENTROPY)
        self.post(f"{path}start/")

    def show_table(self) -> None:
        """Open the page of the table anew, and wait until it is live."""
        path, self.started = f"/tables/{self.table}/", ""
        self.go(path)
        self.await_live()

    def go_to_new_game(self, game: str, **fields: object) -> None:
        """Start a game with bots, and open its page."""
        self.start_game(game, **fields)
        self.show_table()

    def _create_table(self, game: str, fields: Mapping[str, object]) -> str:
        """Open a table without a page; returns its path."""
        form = FormReader()
        form.feed(self.get(f"/games/{game}/new/"))
        assert fields.keys() <= form.fields.keys() | form.unticked, (fields, form.fields, form.unticked)
        changed = {name: "on" if value is True else str(value) for name, value in fields.items() if value is not False}
        kept = {name: form.fields[name] for name in form.fields.keys() - fields.keys() - {"csrfmiddlewaretoken"}}
        return self.post(f"/games/{game}/new/", **kept, **changed)

    def fill_in_table(self, game: str, **fields: object) -> str:
        """Fill in the form for a table on its page and press its button. As `open_table`."""
        self.go(f"/games/{game}/new/")
        for name, value in fields.items():
            field = self.at(f"form.options [name={name}]")
            if isinstance(value, bool):
                field.set_checked(value)
            elif field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(str(value))
            else:
                field.fill(str(value))
        with self.page.expect_navigation():  # also waits for the style sheets
            self.page.get_by_role("button", name="Open the table").click()
        return self.at("#invite").input_value()

    def play_now(self, game: str) -> None:
        """Start a game past the lobby's page (`press_play_now` starts it there), and wait for its cards."""
        self.go(self.post(f"/games/{game}/play-now/"))
        self.await_cards()

    def press_play_now(self, game: str) -> None:
        """Start a game from the lobby, and wait for its cards."""
        self.go("/")
        self.at(f"form[action='/games/{game}/play-now/'] button").click()
        self.await_cards()

    def await_cards(self) -> None:
        """Wait until cards of one's own and the style sheets are there."""
        expect(self.at("#hand .s, #hand .t, #hand .k, #choice .t").first).to_be_visible()
        self.page.wait_for_load_state()

    def await_live(self) -> None:
        """Wait until the page says that its connection is live."""
        expect(self.at("#connection")).to_have_attribute("data-state", "live")


def list_broken_words(page: Page, selector: str) -> list[str]:
    """Words that are broken inside, over two lines, in the visible text of the elements that match `selector`."""
    page.wait_for_load_state()
    parted: list[str] = page.evaluate(
        """(selector) => [...document.querySelectorAll(selector)].flatMap((one) => {
          const range = document.createRange(), broken = [];
          const walk = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
          while (walk.nextNode()) {
            const text = walk.currentNode, part = text.parentElement;
            if (!part.checkVisibility() || part.getBoundingClientRect().width <= 1) continue;
            for (const word of text.data.matchAll(/[^\\s\\u00ad-]+/g)) {
              range.setStart(text, word.index);
              range.setEnd(text, word.index + word[0].length);
              const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
              if (lines.size > 1) broken.push(word[0]);
            }
          }
          return broken;
        })""",
        selector,
    )
    return parted


def resize(page: Page, size: Mapping[str, int]) -> None:
    """Resize the window (CSS pixels), and wait two frames for scripts that measure."""
    page.set_viewport_size(size)  # type: ignore[arg-type]
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def list_overflowing(page: Page) -> list[str]:
    """Elements that make the page scroll sideways; empty if it does not."""
    page.wait_for_load_state()  # widths are final once its style sheets are loaded
    found: list[str] = page.evaluate(
        """() => {
          const room = document.documentElement.clientWidth;
          if (document.scrollingElement.scrollWidth <= room) return [];
          const wide = [...document.body.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > room);
          return ["the page", ...wide.map((e) => e.outerHTML.slice(0, 80))];
        }"""
    )
    return found


def list_collapsed(page: Page) -> list[str]:
    """Image elements smaller than 4 pixels; empty if there are none."""
    found: list[str] = page.evaluate(
        """() => [...document.body.querySelectorAll("*")].filter((e) => {
          const style = getComputedStyle(e), box = e.getBoundingClientRect();
          const isPicture = [style.backgroundImage, style.maskImage].some((image) => image.includes("url("));
          return isPicture && e.getClientRects().length && e.checkVisibility() && Math.min(box.width, box.height) < 4;
        }).map((e) => e.outerHTML.slice(0, 80))"""
    )
    return found


def wait_until(holds: Callable[[], bool], page: Page, *, what: str) -> None:
    """Check every 50 ms until this holds, at most `TIMEOUT_MS`. Raises AssertionError with `what`."""
    for _ in range(TIMEOUT_MS // 50):
        if holds():
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never: {what}")


def wait_in_page(page: Page, condition: str, given: object = None, *, what: str) -> None:
    """As `wait_until`, of a condition that the page checks by itself: far cheaper than asking it again and again.

    condition: a JavaScript function of `given`.
    """
    try:
        page.wait_for_function(condition, arg=given, polling=50, timeout=TIMEOUT_MS)
    except TooLateError:
        raise AssertionError(f"never: {what}") from None


def await_animations(page: Page) -> None:
    """Wait until all finite animations have ended."""
    page.evaluate(
        """() => Promise.allSettled(
          document.getAnimations()
            .filter((one) => Number.isFinite(one.effect.getComputedTiming().endTime))
            .map((one) => one.finished)
        ).then(() => {})"""
    )
