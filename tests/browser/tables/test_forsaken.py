"""A phone's connections go silent, or the network fails: its pages say so, and reconnect."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import expect

from games.models import Player
from tests.browser.conftest import Invite
from tests.browser.network_line import open_line
from tests.browser.server_state import OnServer
from tests.browser.visitor import BROKEN_LINE
from tests.cast import person
from tests.tournaments import cast
from tournaments.models import Tournament

pytestmark = [pytest.mark.chromium, pytest.mark.usefixtures("cast_now")]

HTMX = re.compile("htmx:(sendError|afterRequest)")
"""What htmx says itself of a request without an answer."""
SILENCE_MS = 15_000
"""So long without a word, and a page gives its socket up."""


def create_tournament() -> tuple[Tournament, Player]:
    """A tournament in its first round, and its organiser."""
    ana = person("Ana")
    one = cast.begin(ana, cast.NAMES[:8], venue="real")
    cast.release(ana, one, 1, now=time.time())
    return one, ana


@pytest.mark.parametrize(
    ("path", "done"), [("pairings/", ".pods :text-is('Result entered')"), ("hall/", ".hall-pods > li.done")]
)
def test_a_page_is_fetched_on_a_new_connection(
    invite: Invite, on_server: OnServer, server: str, path: str, done: str
) -> None:
    """Requests on the old connections would wait a minute, while the page looks up to date."""
    one, ana = on_server(create_tournament)
    with open_line(server) as line:
        reader = invite(line.address)
        reader.page.clock.install()
        reader.go(f"/tournaments/{one.pk}/{path}")
        reader.page.wait_for_load_state("networkidle")
        reader.expected.append(BROKEN_LINE)
        line.forsake()
        on_server(lambda: cast.decide_all(ana, one, 1))
        reader.page.clock.fast_forward(SILENCE_MS)
        expect(reader.at(done)).to_have_count(2)


@pytest.mark.parametrize(("path", "lost"), [("pairings/", "#pulse-remark"), ("hall/", "#hall .lost")])
def test_a_page_that_does_not_come_is_said_to_be_old(
    invite: Invite, on_server: OnServer, server: str, path: str, lost: str
) -> None:
    """What has changed is told by the socket, and the page itself never comes."""
    one, ana = on_server(create_tournament)
    reader = invite()
    reader.go(f"/tournaments/{one.pk}/{path}")
    reader.page.wait_for_load_state("networkidle")
    reader.expected.append(BROKEN_LINE)
    reader.page.route(f"**/{path}", lambda route: route.abort())
    on_server(lambda: cast.decide_all(ana, one, 1))
    expect(reader.at(lost)).to_have_text("No connection. This may be out of date.")
    reader.page.wait_for_timeout(6000)  # told the same version once more
    expect(reader.at(lost)).to_be_visible()
    reader.page.unroute(f"**/{path}")
    expect(reader.at(lost)).to_be_hidden()


@pytest.mark.parametrize("path", ["/", "/tournaments/"])
def test_a_list_says_once_that_nobody_answers_and_no_longer_than_it_is_so(invite: Invite, path: str) -> None:
    """One message, not one every five seconds, and none once the server answers again."""
    reader = invite()
    reader.go(path)
    reader.page.wait_for_load_state("networkidle")
    reader.expected += [BROKEN_LINE, HTMX]
    reader.context.set_offline(True)
    note = reader.at(".notes .error")
    expect(note).to_contain_text("The server does not answer.")
    note.evaluate("one => (one.id = 'first')")
    with reader.page.expect_event("requestfailed"):
        pass  # asked once more
    expect(note).to_have_id("first")
    reader.context.set_offline(False)
    expect(note).to_have_count(0)
