"""A page connects while it is pressed, and reconnects after a break: nothing is rendered twice, and
nothing is left as it was that has changed."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, WebSocketRoute, expect

from games.models import Player
from games.play.seats import arranged_tables
from games.rules import registry
from tests.browser.conftest import Invite, Run
from tests.browser.fingers import middle_of
from tests.browser.network_line import open_line
from tests.browser.server_state import OnServer
from tests.browser.tournaments.test_club_night import call_oneself
from tests.browser.visitor import BROKEN_LINE, Visitor, wait_until
from tests.cast import open_table
from tests.cast import person as somebody
from tests.tournaments import cast
from tournaments.flow.entry import organiser_decisions
from tournaments.models import Tournament

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
        wait_until(lambda: bool(self._said), self.person.page, what="the server speaks")
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
def test_the_board_that_came_with_the_page_stays(invite: Invite, on_server: OnServer, game: str) -> None:
    person = invite()
    person.play_now(game)
    person.await_live()
    on_server(lambda: arranged_tables.pause(person.table, now=time.time()))  # or the bots go on meanwhile
    expect(person.at("#paused")).to_be_visible()
    held = Held(person)
    person.page.reload()
    person.at("#board").evaluate("board => (board.isMine = true)")
    held.let_go()
    version = person.at("#board").get_attribute("data-version")
    stays = person.at("#board").evaluate("board => Boolean(board.isMine)")
    assert (stays, version) == (True, str(person.view()["version"]))


def test_a_board_that_has_changed_since_the_page_came_is_drawn_anew(invite: Invite, on_server: OnServer) -> None:
    person = invite()
    person.play_now("karriere-poker")
    person.await_live()
    person.page.route_web_socket(re.compile("/ws/tables/"), lambda socket: socket.close())
    person.page.route("**/board/*", lambda route: route.abort())
    person.expected.append(BROKEN_LINE)
    person.page.reload()
    on_server(lambda: arranged_tables.pause(person.table, now=time.time()))
    person.page.unroute("**/board/*")
    expect(person.at("#action")).to_contain_text("Paused")


def test_a_pause_that_began_or_ended_while_the_line_was_cut_is_shown(
    invite: Invite, server: str, on_server: OnServer
) -> None:
    """What stands beside the board came with a whole one as letters, and nobody saw it."""
    with open_line(server) as line:
        person = invite(line.address)
        person.expected.append(BROKEN_LINE)
        person.play_now("karriere-poker")
        person.await_live()
        for change, is_paused in ((arranged_tables.pause, True), (arranged_tables.resume, False)):
            line.cut()
            expect(person.at("#connection")).to_have_attribute("data-state", "reconnecting")
            on_server(lambda change=change: change(person.table, now=time.time()))  # type: ignore[misc]
            line.mend()
            person.await_live()
            expect(person.at("#paused")).to_be_visible(visible=is_paused)


def press_while_it_comes(reader: Visitor, path: str, part: str, change: Callable[[], object]) -> None:
    """Press a part of a page for as long as it takes to show what has changed meanwhile."""
    coming: list[Route] = []

    def hold_back(route: Route) -> None:
        coming.append(route)

    reader.page.route(f"**{path}", hold_back)
    change()
    wait_until(lambda: bool(coming), reader.page, what="the page is fetched anew")
    reader.at(part).first.scroll_into_view_if_needed()
    reader.page.mouse.move(*middle_of(reader.at(part).first))
    answer = coming[0].fetch()
    reader.page.mouse.down()
    coming[0].fulfill(response=answer)
    reader.page.wait_for_timeout(300)
    reader.page.unroute_all(behavior="ignoreErrors")
    reader.page.mouse.up()


def create_tournament(organiser: str) -> Tournament:
    """A tournament in its first round, in the club of the person of this name."""
    ana = Player.objects.filter(name=organiser).latest("pk")
    one = cast.begin(ana, cast.NAMES[:8], venue="real")
    cast.release(ana, one, 1, now=time.time())
    return one


def come_late(one: Tournament) -> None:
    """What another organiser notes meanwhile."""
    ana, late = one.club.memberships.get().player, one.entrants.all()[0]
    organiser_decisions.penalise(one, ana, late.pk, points=840, reason="late", key="k", now=time.time())


@pytest.mark.usefixtures("cast_now")
def test_a_button_of_the_console_is_pressed_though_something_else_has_changed(
    invite: Invite, on_server: OnServer
) -> None:
    organiser = invite()
    call_oneself(organiser, "Mara")
    one = on_server(lambda: create_tournament("Mara"))
    path = f"/tournaments/{one.pk}/console/"
    organiser.go(path)
    organiser.page.wait_for_load_state("networkidle")
    with organiser.page.expect_response(lambda answer: answer.request.method == "POST"):
        press_while_it_comes(organiser, path, "button[value=pause]", lambda: on_server(lambda: come_late(one)))


@pytest.mark.usefixtures("cast_now")
def test_a_table_of_the_lobby_is_opened_though_another_one_is_new(invite: Invite, on_server: OnServer) -> None:
    reader = invite()
    first = on_server(lambda: open_table(somebody("Otto"), now=time.time()).id)
    reader.go("/")
    reader.page.wait_for_load_state("networkidle")
    press_while_it_comes(
        reader, "/", f"#to-{first}", lambda: on_server(lambda: open_table(somebody("Pia"), now=time.time()))
    )
    expect(reader.page).to_have_url(re.compile(f"/tables/{first}/"))


TWICE = """async (it) => {
  const feel = (kind) => dispatchEvent(new Event(kind)), seen = [];
  feel("pointerdown");
  const first = it.waitForRelease().then(() => seen.push("goes on"));
  feel("pointerup");
  feel("pointerdown");
  await new Promise((done) => setTimeout(done, 300));
  seen.push(it.isPressing());
  feel("pointerup");
  await first;
  return [...seen, it.isPressing()];
}"""
"""What waits for the end of a press, which is followed by another one at once."""


def test_the_second_of_two_taps_is_waited_for_too(run: Run) -> None:
    assert run("page/press-guard", TWICE, None) == [True, "goes on", False]


def test_the_deal_waits_for_no_other_script(invite: Invite) -> None:
    person = invite()
    held: list[Route] = []
    sent: list[str] = []
    person.page.route("**/js/page/talk*.js", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks it
    person.page.on("request", lambda request: sent.append(request.url))
    person.go("/")
    person.at("form[action='/games/karriere-poker/play-now/'] button").click(no_wait_after=True)
    wait_until(
        lambda: any(url.endswith("/contribute/") for url in sent), person.page, what="a contribution to the deal"
    )
    assert len(held) == 1
    held[0].continue_()
    expect(person.at("#hand .s").first).to_be_visible()


@pytest.mark.parametrize(("locale", "said"), [("de", "Deine Hand"), ("pl-PL", "Twoje karty")])
def test_a_table_goes_on_in_the_language_of_its_page(invite: Invite, locale: str, said: str) -> None:
    """Its browser need not send the socket the languages that it sent for the page."""
    person = invite(locale=locale)
    person.go_to_new_game("karriere-poker", seats=4, bots=3)
    person.await_live()
    expect(person.at("#hand")).to_have_attribute("aria-label", said)
