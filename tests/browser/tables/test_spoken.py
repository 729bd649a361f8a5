"""A reader of screens hears when the page may be out of date, and when it is the present again."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Invite
from tests.browser.network_line import open_line
from tests.browser.screen_reader import ScreenReader
from tests.browser.visitor import BROKEN_LINE

pytestmark = pytest.mark.chromium


def test_a_connection_that_is_away_is_heard(invite: Invite, server: str) -> None:
    with open_line(server) as line:
        person = invite(line.address)
        person.expected.append(BROKEN_LINE)
        person.play_now("karriere-poker")
        person.await_live()
        screen_reader = ScreenReader(person)
        line.cut()
        screen_reader.await_word("Reconnecting … This may be out of date.")
        line.mend()
        screen_reader.await_word("Live")
