"""A page comes alive while somebody presses it, and after it was away: nothing is drawn anew that is there already, and
nothing is left as it was that has changed."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import WebSocketRoute, expect

from games.play import arranged
from games.rules import registry
from tests.browser.arranged import InClub
from tests.browser.conftest import Invite
from tests.browser.fingers import middle_of
from tests.browser.line import lay
from tests.browser.visitor import BROKEN_LINE, Visitor, until

pytestmark = pytest.mark.chromium


class Held:
    """The sockets of a page, on which nothing comes before it is let go."""

    def __init__(self, person: Visitor) -> None:
        self._sockets: list[WebSocketRoute] = []
        self._said: list[str | bytes] = []
        self.person = person
        person.page.route_web_socket(re.compile("/ws/tables/"), self._hold)

    def _hold(self, socket: WebSocketRoute) -> None:
        self._sockets.append(socket)
        socket.connect_to_server().on_message(lambda message: self._said.append(message))  # noqa: PLW0108 - no builtin

    def let_go(self) -> None:
        """What the server has said so far comes."""
        until(lambda: bool(self._said), self.person.page, what="the server speaks")
        for message in self._said:
            self._sockets[-1].send(message)
        self.person.await_live()


def test_a_button_that_is_pressed_as_the_page_comes_alive_is_pressed(invite: Invite) -> None:
    host = invite()
    host.open_table("karriere-poker", seats=4, bots=3)
    host.await_live()
    held = Held(host)
    host.page.reload()
    host.at("#start").scroll_into_view_if_needed()
    host.page.mouse.move(*middle_of(host.at("#start")))
    host.page.mouse.down()
    held.let_go()
    with host.page.expect_response(lambda answer: answer.url.endswith("/start/")):
        host.page.mouse.up()


@pytest.mark.parametrize("game", registry.slugs())
def test_the_board_that_came_with_the_page_stays(invite: Invite, in_club: InClub, game: str) -> None:
    person = invite()
    person.play_now(game)
    person.await_live()
    in_club(lambda: arranged.pause(person.table, now=time.time()))  # or the bots go on meanwhile
    expect(person.at("#paused")).to_be_visible()
    held = Held(person)
    person.page.reload()
    person.at("#board").evaluate("board => (board.isMine = true)")
    held.let_go()
    version = person.at("#board").get_attribute("data-version")
    stays = person.at("#board").evaluate("board => Boolean(board.isMine)")
    assert (stays, version) == (True, str(person.view()["version"]))


def test_a_board_that_has_changed_since_the_page_came_is_drawn_anew(invite: Invite, in_club: InClub) -> None:
    person = invite()
    person.play_now("karriere-poker")
    person.await_live()
    person.page.route_web_socket(re.compile("/ws/tables/"), lambda socket: socket.close())
    person.page.route("**/board/*", lambda route: route.abort())
    person.expected.append(BROKEN_LINE)
    person.page.reload()
    in_club(lambda: arranged.pause(person.table, now=time.time()))
    person.page.unroute("**/board/*")
    expect(person.at("#action")).to_contain_text("Paused")


def test_a_pause_that_began_or_ended_while_the_line_was_cut_is_shown(
    invite: Invite, server: str, in_club: InClub
) -> None:
    """What stands beside the board came with a whole one as letters, and nobody saw it."""
    with lay(server) as line:
        person = invite(line.address)
        person.expected.append(BROKEN_LINE)
        person.play_now("karriere-poker")
        person.await_live()
        for change, is_paused in ((arranged.pause, True), (arranged.resume, False)):
            line.cut()
            expect(person.at("#connection")).to_have_attribute("data-state", "reconnecting")
            in_club(lambda change=change: change(person.table, now=time.time()))  # type: ignore[misc]
            line.mend()
            person.await_live()
            expect(person.at("#paused")).to_be_visible(visible=is_paused)
