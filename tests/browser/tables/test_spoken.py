"""A reader of screens hears when the page may be out of date, and when it is the present again."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Invite
from tests.browser.hearing import Ear
from tests.browser.line import lay
from tests.browser.visitor import BROKEN_LINE

pytestmark = pytest.mark.chromium


def test_a_connection_that_is_away_is_heard(invite: Invite, server: str) -> None:
    with lay(server) as line:
        person = invite(line.address)
        person.expected.append(BROKEN_LINE)
        person.play_now("karriere-poker")
        person.await_live()
        ear = Ear(person)
        line.cut()
        ear.await_word("Reconnecting … this may be out of date")
        line.mend()
        ear.await_word("Live")
