"""A hint by keyboard in the middle of a game, and the analysis of that game afterwards, on a laptop and a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Invite
from tests.browser.playing import await_turn
from tests.browser.server_state import OnServer
from tests.browser.visitor import PHONE, list_overflowing, resize
from tests.cast import finish_beside_server

pytestmark = pytest.mark.chromium

THINKING_MS = 30_000
ANALYSIS_MS = 120_000
"""Time for an analysis at low priority on a busy machine; mostly it takes ten seconds."""


def test_a_hint_and_an_analysis(invite: Invite, on_server: OnServer) -> None:
    person = invite()
    person.open_table("karriere-poker", seats=4, bots=3, turn_seconds=600, is_timed=True, deals=1)
    person.await_live()
    with person.page.expect_navigation():
        person.at("#start").click()
    person.await_live()
    await_turn(person)
    person.at("#ask-hint").focus()
    person.page.keyboard.press("Enter")
    words = person.at("#hint-note p[role='status']")
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
    person.at(".decisions a").first.click()
    expect(person.at("#replay")).to_be_visible()
