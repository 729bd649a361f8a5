"""The plan of a tournament over days in a browser: fields that do not matter for the pace are hidden."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Invite
from tests.browser.pages.test_accessible import find_violations
from tests.browser.tournaments.test_club_night import press
from tests.browser.tournaments.test_evening import found

pytestmark = pytest.mark.chromium


def test_a_plan_over_days_shows_its_own_fields(invite: Invite) -> None:
    organiser = invite()
    found(organiser, "Harbour Club")
    organiser.page.get_by_role("link", name="Plan a tournament").click()
    organiser.at("#id_name").fill("Post")
    expect(organiser.at("#id_round_days")).to_be_hidden()
    organiser.at("#id_pace").select_option("2")
    expect(organiser.at("#id_round_days")).to_be_visible()
    for name in ("#id_round_minutes", "#id_length", "[name=venue] >> nth=0"):
        expect(organiser.at(name)).to_be_hidden()
    organiser.page.get_by_text("Time limits and no-shows").click()
    expect(organiser.at("#id_grace_minutes")).to_be_visible()
    expect(organiser.at("#id_turn_seconds")).to_be_hidden()
    organiser.at("#id_format").select_option("arena")  # live only
    expect(organiser.at("#id_round_minutes")).to_be_visible()
    for name in ("#id_pace", "#id_round_days"):
        expect(organiser.at(name)).to_be_hidden()
    organiser.at("#id_format").select_option("swiss")
    organiser.at("#id_deals").fill("1")
    organiser.at("#id_round_days").fill("10")
    assert list(find_violations(organiser)) == []
    press(organiser, "Create plan")
    organiser.page.get_by_role("link", name="Overview").first.click()
    expect(organiser.page.get_by_text("2 days per turn · 10 days per round")).to_be_visible()
    assert list(find_violations(organiser)) == []
