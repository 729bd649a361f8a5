"""A button that is tapped twice opens one table; whoever comes back to the page and taps again wants another."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Invite

pytestmark = pytest.mark.chromium

AT_A_TABLE = re.compile("/tables/")
BUTTON = "form[action='/games/karriere-poker/play-now/'] button"


def test_a_double_tap_opens_one_table_and_coming_back_another(invite: Invite) -> None:
    person = invite()
    person.go("/")
    person.at(BUTTON).evaluate("button => { button.click(); setTimeout(() => button.click(), 40); }")
    expect(person.page).to_have_url(AT_A_TABLE)
    first = person.table
    person.go("/")
    assert person.page.locator("#mine .row-table").count() == 1
    person.page.go_back()
    person.page.go_back()
    person.at(BUTTON).click()
    expect(person.page).to_have_url(AT_A_TABLE)
    assert person.table != first
    person.go("/")
    assert person.page.locator("#mine .row-table").count() == 2
