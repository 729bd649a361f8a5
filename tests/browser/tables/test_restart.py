"""The server is killed in the middle of a game: the page says so, and comes back by itself."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, WebSocket, expect

from tests.browser.conftest import Invite
from tests.browser.network_line import NetworkLine, open_line
from tests.browser.playing import await_ply, await_turn, choose, ply, press, take_turn
from tests.browser.visitor import BROKEN_LINE, Visitor, wait_until
from tests.guest import Guest
from tests.servers import Installation

pytestmark = pytest.mark.chromium


def test_a_page_survives_its_server(invite: Invite, installation: Installation) -> None:
    address = f"http://127.0.0.1:{installation.port}"
    person = invite(address)
    person.expected.append(BROKEN_LINE)
    with installation.serve() as server:
        person.play_now("karriere-poker")
        person.await_live()
        await_turn(person)
        take_turn(person)
        await_turn(person)
        page, hand, at = person.page.url, person.at("#hand").inner_text(), ply(person.page)
        server.kill()
        expect(person.at("#connection")).to_have_text("Reconnecting … This may be out of date.")
        expect(person.at("body")).to_contain_class("stale")
    person.page.evaluate("() => { window.isSamePage = true; }")
    with installation.serve():
        person.await_live()
        assert person.page.evaluate("() => window.isSamePage") is True
        expect(person.at("body")).not_to_contain_class("stale")
        assert (person.page.url, person.at("#hand").inner_text(), ply(person.page)) == (page, hand, at)
        assert person.view()["ply"] == at
        take_turn(person)
        await_ply(person, at + 1)


def test_a_move_made_while_the_server_was_away_counts_once(invite: Invite, installation: Installation) -> None:
    """Pressed while nobody answers, it is sent until somebody does; the button says that it is on its way."""
    person = invite(f"http://127.0.0.1:{installation.port}")
    person.expected.append(BROKEN_LINE)
    with installation.serve() as server:
        person.play_now("animal-poker")
        person.await_live()
        await_turn(person)
        at = ply(person.page)
        server.kill()
    expect(person.at("#connection")).to_have_attribute("data-state", "reconnecting")
    choose(person)
    press(person, "#go")
    expect(person.at("#go")).to_have_text("Sending …")
    with installation.serve():
        person.await_live()
        await_ply(person, at + 1)
        expect(person.at("#why")).to_be_empty()


def test_a_page_whose_scripts_do_not_come_says_so(invite: Invite) -> None:
    person = invite()
    person.play_now("animal-poker")
    person.await_live()
    person.expected.append(BROKEN_LINE)
    person.page.route("**/js/table/connection.*", lambda route: route.abort())
    person.page.reload()
    expect(person.at("#connection")).to_have_text("Reconnecting … This may be out of date.")
    expect(person.at("#connection")).to_have_css("opacity", "1")


def test_who_looks_on_is_known_however_late_the_scripts_come(invite: Invite, server: str) -> None:
    """The first one opened a socket, and what that said was over before the last one was there."""
    host, watcher = Guest(server), invite()
    table = host.open_table("karriere-poker", bots=3)
    host.post(f"/tables/{table}/start/")
    held: list[Route] = []
    opened: list[WebSocket] = []

    def hold(route: Route) -> None:
        held.append(route)

    def note(socket: WebSocket) -> None:
        opened.append(socket)

    watcher.page.route("**/js/table/status.*", hold)
    watcher.page.on("websocket", note)
    watcher.page.goto(f"{server}/tables/{table}/", wait_until="commit")
    watcher.page.wait_for_function("() => Boolean(document.documentElement.dataset.connection)")
    wait_until(lambda: bool(held), watcher.page, what="the script that shows who is here")
    assert opened == []
    held[0].continue_()
    expect(watcher.at("#watchers")).to_be_visible()


def begin_with_set_clock(invite: Invite, line: NetworkLine) -> Visitor:
    """My turn in a game over this line. The test puts the page's clock forward."""
    person = invite(line.address)
    person.page.clock.install()
    person.play_now("animal-poker")
    person.await_live()
    await_turn(person)
    return person


def test_a_connection_that_has_fallen_silent_is_noticed(invite: Invite, server: str) -> None:
    """Nobody closes it, nothing comes: a heartbeat has no answer. The page's clock is put forward for that."""
    with open_line(server) as line:
        person = begin_with_set_clock(invite, line)
        at = ply(person.page)
        line.hold()
        for milliseconds in (10_500, 9_000):
            person.page.clock.fast_forward(milliseconds)
        expect(person.at("#connection")).to_have_attribute("data-state", "reconnecting")
        person.expected.append(BROKEN_LINE)
        line.mend()
        person.await_live()
        take_turn(person)
        await_ply(person, at + 1)


def test_a_move_that_gets_no_answer_is_said_to_be_under_way_and_goes_another_way(invite: Invite, server: str) -> None:
    """The line forgets the socket, and a new one would work: it is opened when no answer has come in time."""
    with open_line(server) as line:
        person = begin_with_set_clock(invite, line)
        choose(person)
        at = ply(person.page)
        line.forsake()
        press(person, "#go")
        person.page.clock.run_for(2_600)
        expect(person.at("#why")).to_have_text("No answer yet. Your move is still on its way.")
        person.page.clock.run_for(7_000)
        await_ply(person, at + 1)
        expect(person.at("#why")).to_be_empty()


LATE_ANSWER = """() => {
  const fetch = window.fetch;
  window.fetch = async (...asked) => {
    if (!String(asked[0]).includes("board/")) return fetch(...asked);
    return { ok: true, status: 200, text: () => new Promise((done) => (window.answerLate = () => done(""))) };
  };
}"""
"""A request for the board is answered at once, and the board is sent when the test says so."""


def test_an_answer_that_comes_after_the_socket_takes_nobody_away(invite: Invite, server: str) -> None:
    """Who is here was forgotten then, and nothing said it again until somebody came or went."""
    with open_line(server) as line:
        person = invite(line.address)
        person.play_now("animal-poker")
        person.await_live()
        person.page.evaluate(LATE_ANSWER)
        person.expected.append(BROKEN_LINE)
        line.refuse_sockets()
        person.page.wait_for_function("() => Boolean(window.answerLate)")
        line.takes_sockets = True
        person.await_live()
        expect(person.at(".seats li.here")).to_have_count(1)
        states = person.page.evaluate(
            "async () => { const line = document.documentElement.dataset, before = line.connection; answerLate();"
            " await new Promise((done) => setTimeout(done)); return [before, line.connection]; }"
        )
        assert states == ["live", "live"]
        expect(person.at(".seats li.here")).to_have_count(1)


def test_a_browser_that_is_offline_says_so_at_once(invite: Invite) -> None:
    person = invite()
    person.play_now("animal-poker")
    person.await_live()
    person.expected.append(BROKEN_LINE)
    person.context.set_offline(True)
    expect(person.at("#connection")).to_have_attribute("data-state", "reconnecting")
    person.context.set_offline(False)
    person.await_live()
