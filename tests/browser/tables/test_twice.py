"""A button that is tapped twice opens one table; a tap after coming back to the page opens another. Of two
orders the later one counts."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import WebSocketRoute, expect

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


ORDER = """on => document.dispatchEvent(
  new CustomEvent("menagerie:command", { detail: { name: "auto_pass", on } })
)"""


def test_an_order_that_was_taken_back_is_not_sent_again(invite: Invite) -> None:
    person, collected = invite(), list[str]()

    def pass_on_all_but_answers(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def hear(message: str | bytes) -> None:
            collected.append(str(message))
            server.send(message)

        socket.on_message(hear)
        server.on_message(lambda message: None if '"answer"' in str(message) else socket.send(message))

    person.page.route_web_socket(re.compile("/ws/tables/"), pass_on_all_but_answers)
    person.page.clock.install()
    person.play_now("karriere-poker")
    person.await_live()
    for is_on in (True, False):
        person.page.evaluate(ORDER, is_on)
    person.page.clock.run_for(9_000)  # longer than an answer is waited for
    orders = [json.loads(message)["on"] for message in collected if '"auto_pass"' in message]
    assert orders == [True, False, False]
