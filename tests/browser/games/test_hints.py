"""A hint by keyboard in the middle of a game, and the analysis of that game afterwards, on a laptop and a phone."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Locator, expect

from games import models
from tests.browser.conftest import Invite
from tests.browser.pages.test_accessible import find_violations
from tests.browser.playing import await_turn
from tests.browser.server_state import OnServer
from tests.browser.visitor import PHONE, Visitor, list_overflowing, resize
from tests.cast import finish_beside_server

pytestmark = pytest.mark.chromium

AT_ONCE_MS = 1_000
THINKING_MS = 30_000
ANALYSIS_MS = 120_000
"""Time for an analysis at low priority on a busy machine; mostly it takes ten seconds."""


def test_a_hint_and_an_analysis(invite: Invite, on_server: OnServer) -> None:
    person = invite(has_touch=True)
    person.go_to_new_game("karriere-poker", seats=4, bots=3, turn_seconds=600, is_timed=True, deals=1)
    await_turn(person)
    words = person.at("#hint-note p[role='status']")
    await_hint(person, words)
    person.at("#ask-hint").focus()
    person.page.keyboard.press("Enter")
    expect(words).to_contain_text(".", timeout=THINKING_MS)
    expect(person.at("#close-hint")).to_be_visible()
    resize(person.page, PHONE)
    assert list_overflowing(person.page) == []
    person.page.keyboard.press("Escape")
    expect(words).to_be_empty()
    expect(person.at("#close-hint")).to_be_hidden()
    on_server(lambda: finish_beside_server(person.table))
    assert person.go(f"/tables/{person.table}/replay/") == 200
    person.page.get_by_role("link", name="Analyse this game").click()
    person.at("#analyse").click()
    expect(person.at(".curve polyline").first).to_be_attached(timeout=ANALYSIS_MS)
    assert list_overflowing(person.page) == []
    assert list(find_violations(person)) == []
    resize(person.page, PHONE)
    press_circles(person, on_server(lambda: mark_turning_points(person.table)))
    person.at(".decisions a").first.click()
    expect(person.at("#replay")).to_be_visible()


def mark_turning_points(table: str) -> list[int]:
    """Let three points of the stored curve be its turning points, wherever this game turned; their plies."""
    stored = models.GameAnalysis.objects.get(key=table)
    found = json.loads(stored.text)
    plies = sorted({point["ply"] for point in found["curve"]})
    found["turning_points"] = [plies[0], plies[len(plies) // 2], plies[-1]]
    models.GameAnalysis.objects.filter(pk=stored.pk).update(text=json.dumps(found))
    return list(found["turning_points"])


def press_circles(person: Visitor, plies: list[int]) -> None:
    """A circle leads to its moment of the replay: by mouse, by a finger that just misses it, and by keyboard."""
    analysis = f"/tables/{person.table}/analysis/"
    person.go(analysis)
    circles = person.page.get_by_role("link", name="Turning point: move")
    expect(circles).to_have_count(len(plies))
    circles.first.click()
    expect(person.at("#scene")).to_have_attribute("data-ply", str(plies[0] - 1))
    person.go(analysis)
    circles.nth(1).scroll_into_view_if_needed()
    box = circles.nth(1).bounding_box()
    assert box is not None
    person.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] + 5)
    expect(person.at("#scene")).to_have_attribute("data-ply", str(plies[1] - 1))
    person.go(analysis)
    circles.last.focus()
    person.page.keyboard.press("Enter")
    expect(person.at("#scene")).to_have_attribute("data-ply", str(plies[2] - 1))
    person.go(analysis)
    person.page.get_by_text("Chart as a table").press("Enter")
    rows = person.at("tr:has(.label)")
    expect(rows).to_have_count(len(plies))
    rows.last.get_by_role("link").click()
    expect(person.at("#scene")).to_have_attribute("data-ply", str(plies[2] - 1))
    person.go(analysis)


def await_hint(person: Visitor, words: Locator) -> None:
    """While a bot thinks the page says so at once, until it is not my turn any more, whatever else happens."""
    thinking = {"status": 202, "move": None, "sentence": ""}
    person.page.route("**/hint/", lambda route: route.fulfill(status=202, json=thinking))
    person.at("#ask-hint").click()
    expect(words).to_have_text("Looking for a good move …", timeout=AT_ONCE_MS)
    update = """(by) => document.dispatchEvent(new CustomEvent("menagerie:updated", {
      detail: { ply: Number(document.getElementById("board").dataset.ply) + by } }))"""
    for by in (0, 1):
        person.page.evaluate(update, by)
        expect(words).to_have_text("Looking for a good move …", timeout=AT_ONCE_MS)
    person.at("#action").evaluate("action => action.classList.remove('mine')")
    person.page.evaluate(update, 2)
    expect(words).to_be_empty()
    person.at("#action").evaluate("action => action.classList.add('mine')")
    person.page.unroute("**/hint/")
