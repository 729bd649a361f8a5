"""Phones lose the network: results wait on them, and arrive once and in order when the network is back."""

from __future__ import annotations

import json
import re
import time

import pytest
from playwright.sync_api import Route, expect

from games.models import Player
from tests.browser.conftest import Invite
from tests.browser.network_line import NetworkLine, open_line
from tests.browser.pages.test_installed_app import await_worker
from tests.browser.server_state import OnServer
from tests.browser.tournaments.test_club_night import call_oneself
from tests.browser.visitor import BROKEN_LINE, PHONE, REFUSED, Visitor, list_overflowing
from tests.cast import person
from tests.tournaments import cast
from tournaments.flow.entry import duties
from tournaments.models import Duty, Pod, Result, Round, Step

pytestmark = [pytest.mark.chromium, pytest.mark.usefixtures("cast_now")]


TEN_MINUTES_MS = 600_000


def make(organiser: str = "") -> tuple[str, str]:
    """A round at three real tables; returns its tournament's id and the path of a scorer's link."""
    ana = Player.objects.filter(name=organiser).latest("pk") if organiser else person("Ana")
    one = cast.begin(ana, cast.NAMES[:12], venue="real", round_minutes=30)
    cast.release(ana, one, 1, now=time.time())
    link = duties.give_duty(one, ana, Duty.SCORER, name="Otto", now=time.time())
    return one.pk, f"/tournaments/{one.pk}/duties/{link.token}/"


def enter(scorer: Visitor, table: int, places: list[int]) -> None:
    """Enter the result of a table on the scorer's page, without a look at what comes of it."""
    part = scorer.at(f"#enter-{table}")
    part.locator("summary").click()
    for seat, place in enumerate(places):
        part.locator(f".result-rows > li:nth-child({seat + 1}) .places label:nth-child({place})").click()
    part.get_by_role("button", name="Save result").click()


def list_decided(tournament: str) -> list[tuple[int, str]]:
    """Table and places of every result that was ever decided, in the order in which they came."""
    steps = Step.objects.filter(tournament=tournament, kind="decide").order_by("pk")
    rows = Result.objects.filter(pod__round__tournament=tournament, status="accepted")
    places = dict(rows.values_list("pod__number", "places"))
    return [(number, places[number]) for number in (json.loads(one.details)["table"] for one in steps)]


def test_results_wait_on_the_phone_and_arrive_once_and_in_order(
    invite: Invite, on_server: OnServer, server: str
) -> None:
    tournament, link = on_server(make)
    with open_line(server) as line:
        scorer = invite(line.address, size=PHONE)
        scorer.expected += [BROKEN_LINE, REFUSED]
        scorer.go(link)
        with scorer.page.expect_navigation():
            scorer.at("main form button").click()
        scorer.go(f"/tournaments/{tournament}/results/")

        # With a network a result is there at once.
        enter(scorer, 1, [4, 3, 2, 1])
        expect(scorer.at("#done summary")).to_contain_text("1")
        expect(scorer.at("#waiting")).to_be_hidden()

        # The answer to the first one is lost: the server has it already. Then the network is gone.
        def lose(route: Route) -> None:
            route.fetch(max_redirects=0)
            line.cut()
            route.abort()

        scorer.page.route("**/rounds/**", lose, times=1)
        enter(scorer, 2, [1, 2, 3, 4])
        expect(scorer.at("#waiting li")).to_have_count(1)
        expect(scorer.at("#waiting")).to_contain_text("Round 1, table 2 waits for a connection")
        enter(scorer, 3, [2, 2, 1, 4])
        expect(scorer.at("#waiting li")).to_have_count(2)
        expect(scorer.at("#waiting li").last).to_contain_text("Round 1, table 3 waits for a connection")
        assert list_overflowing(scorer.page) == []
        line.mend()
        expect(scorer.at("#waiting")).to_be_hidden()
        expect(scorer.at("#say")).to_have_text("All results are sent.")
        expect(scorer.at("#done summary")).to_contain_text("3")
        assert on_server(lambda: list_decided(tournament)) == [(1, "[4,3,2,1]"), (2, "[1,2,3,4]"), (3, "[2,2,1,4]")]


def test_a_result_that_came_too_late_says_so(invite: Invite, on_server: OnServer, server: str) -> None:
    """Meanwhile the round was taken back. The page keeps the result until somebody has read the reason."""
    tournament, link = on_server(make)
    with open_line(server) as line:
        scorer = invite(line.address, size=PHONE)
        scorer.expected += [BROKEN_LINE, REFUSED]
        scorer.go(link)
        with scorer.page.expect_navigation():
            scorer.at("main form button").click()
        scorer.go(f"/tournaments/{tournament}/results/")
        line.cut()
        for table in (1, 2):
            enter(scorer, table, [1, 2, 3, 4])
        first, second = (scorer.at(f"#waiting li:nth-child({number})") for number in (1, 2))
        expect(second).to_contain_text("Round 1, table 2 waits")
        for name in ("again", "discard"):
            expect(first.locator(f".{name}")).to_be_hidden()
        on_server(lambda: Round.objects.filter(tournament=tournament).update(status="complete"))
        line.mend()
        expect(second).to_contain_text("Round 1, table 2 This round")
        scorer.page.reload()
        first.locator(".again").click()
        expect(first).to_contain_text("Round 1, table 1 This round")  # refused once more
        on_server(lambda: Round.objects.filter(tournament=tournament).update(status="released"))
        first.locator(".again").click()
        expect(scorer.at("#waiting li")).to_have_count(1)
        first.locator(".discard").click()
        expect(scorer.at("#waiting")).to_be_hidden()
        assert on_server(lambda: list_decided(tournament)) == [(1, "[1,2,3,4]")]


def make_for_players() -> tuple[str, str]:
    """A round at two real tables; the ids of its tournament and of its link."""
    ana = person("Ana")
    one = cast.begin(ana, cast.NAMES[:8], venue="real", most=4)
    cast.release(ana, one, 1, now=time.time())
    return one.pk, one.entry_token


def open_table_page(phone: Visitor, tournament: str, link: str, table: int, seat: int) -> None:
    """Scan the link and the card on the table, and say who one is."""
    phone.go(f"/enter/{link}/")
    phone.go(f"/tournaments/{tournament}/rounds/1/{table}/")
    phone.at("button[name=entrant]").nth(seat).click()
    expect(phone.at(".result-rows")).to_be_visible()


def test_two_players_without_a_network_enter_results_of_their_tables(
    invite: Invite, on_server: OnServer, server: str
) -> None:
    """Each result waits on its own phone. With the network back, both are there once, and others confirm them."""
    tournament, link = on_server(make_for_players)
    with open_line(server) as line:
        phones = [invite(line.address, size=PHONE) for _ in range(2)]
        for table, phone in enumerate(phones, 1):
            phone.expected += [BROKEN_LINE, REFUSED]
            open_table_page(phone, tournament, link, table, 0)
        line.cut()
        for table, phone in enumerate(phones, 1):
            for seat in range(4):
                phone.at(f"input[name=place-{seat}][value='{seat + 1}']").check()
            phone.page.get_by_role("button", name="Send the result").click()
            expect(phone.at("#waiting li")).to_contain_text(f"Round 1, table {table} waits for a connection")
            assert list_overflowing(phone.page) == []
        assert on_server(lambda: Result.objects.filter(pod__round__tournament=tournament).count()) == 0
        line.mend()
        for phone in phones:
            expect(phone.at("#waiting")).to_be_hidden()
        said = on_server(lambda: list(Result.objects.filter(pod__round__tournament=tournament).values_list("status")))
        assert said == [("proposed",)] * 2
    other = invite(size=PHONE)
    other.go(f"/enter/{link}/")
    other.go(f"/tournaments/{tournament}/rounds/1/1/")
    other.at("button[name=entrant]").first.click()
    other.page.get_by_role("button", name="Confirm the result").click()
    expect(other.page.get_by_role("heading", name="Result", exact=True)).to_be_visible()


# --- ten minutes without a network ---------------------------------------------------------------------------------


def come_as_scorer(invite: Invite, line: NetworkLine, tournament: str, link: str) -> Visitor:
    """A scorer on the page of results, in a browser with the site's service worker and a clock of its own."""
    scorer = invite(line.address, size=PHONE, service_workers="allow")
    scorer.expected += [BROKEN_LINE, REFUSED]
    scorer.page.clock.install()
    scorer.go(link)
    with scorer.page.expect_navigation():
        scorer.at("main form button").click()
    await_worker(scorer)
    scorer.go(f"/tournaments/{tournament}/results/")
    return scorer


def ring(tournament: str) -> None:
    """As if the end of the round had come meanwhile."""
    Round.objects.filter(tournament=tournament).update(ends_at=time.time() - 1)


def test_after_ten_minutes_without_a_network_every_result_arrives_once(
    invite: Invite, on_server: OnServer, server: str
) -> None:
    """One phone is reloaded meanwhile, another one is locked. The bell rings. The console says what is missing."""
    olga = invite()
    call_oneself(olga, "Olga")
    tournament, link = on_server(lambda: make("Olga"))
    entry_token = on_server(lambda: Pod.objects.filter(round__tournament=tournament)[0].round.tournament.entry_token)
    olga.go(f"/tournaments/{tournament}/console/")
    with open_line(server) as line:
        scorer = come_as_scorer(invite, line, tournament, link)
        player = invite(line.address, size=PHONE)
        player.expected += [BROKEN_LINE, REFUSED]
        player.page.clock.install()
        open_table_page(player, tournament, entry_token, 3, 0)

        line.cut()
        for table in (2, 1):  # the order in which they end
            enter(scorer, table, [4, 3, 2, 1])
        expect(scorer.at("#waiting li")).to_have_count(2)
        scorer.page.reload()
        expect(scorer.at("h1")).to_have_text("No connection")
        expect(scorer.at("#waiting")).to_contain_text("Results on this device")
        waiting = [f"Round 1, table {table} waits for a connection" for table in (2, 1)]
        expect(scorer.at("#waiting li")).to_have_text(waiting)
        assert list_overflowing(scorer.page) == []
        for seat in range(4):
            player.at(f"input[name=place-{seat}][value='{seat + 1}']").check()
        player.page.get_by_role("button", name="Send the result").click()
        expect(player.at("#waiting li")).to_have_text(re.compile(r"Round 1, table 3\s+waits for a connection"))
        screen = player.context.new_cdp_session(player.page)
        screen.send("Page.setWebLifecycleState", {"state": "frozen"})  # the phone is locked

        scorer.page.clock.fast_forward(TEN_MINUTES_MS)
        on_server(lambda: ring(tournament))
        expect(olga.at("#said")).to_contain_text("The bell has rung.")
        expect(olga.at("#said")).to_contain_text("0 of 3 results are in.")
        expect(olga.at(".to-come li")).to_have_count(1 + 3)
        olga.at("#force summary").click()
        expect(olga.at("#force")).to_contain_text("Results can wait on phones that have no connection.")
        olga.at("#force summary").click()
        assert on_server(lambda: list_decided(tournament)) == []

        line.mend()
        expect(scorer.at("h1")).to_have_text("Thursday")  # the page has come back by itself
        expect(scorer.at("#waiting")).to_be_hidden()
        expect(olga.at("#said")).to_contain_text("2 of 3 results are in.")
        screen.send("Page.setWebLifecycleState", {"state": "active"})
        player.page.clock.fast_forward(TEN_MINUTES_MS)
        expect(player.at("#waiting")).to_be_hidden()
        expect(olga.at(".to-come li.asked")).to_contain_text("confirm")
        assert on_server(lambda: list_decided(tournament)) == [(2, "[4,3,2,1]"), (1, "[4,3,2,1]")]
        rows = on_server(lambda: list(Result.objects.filter(pod__round__tournament=tournament).values_list("status")))
        assert sorted(rows) == [("accepted",), ("accepted",), ("proposed",)]


def test_what_waits_is_sent_from_whatever_page_is_opened_next(invite: Invite, on_server: OnServer, server: str) -> None:
    tournament, link = on_server(make)
    with open_line(server) as line:
        scorer = come_as_scorer(invite, line, tournament, link)
        line.cut()
        enter(scorer, 1, [1, 2, 3, 4])
        expect(scorer.at("#waiting li")).to_have_count(1)
        scorer.page.goto(f"{scorer.address}/about/")
        expect(scorer.at("h1")).to_have_text("No connection")
        line.mend()
        expect(scorer.at("h1")).not_to_have_text("No connection")
        scorer.page.wait_for_function("() => !localStorage.getItem('waiting-results')")
        assert on_server(lambda: list_decided(tournament)) == [(1, "[1,2,3,4]")]


def test_a_result_that_has_waited_does_not_replace_a_later_one_of_somebody_else(
    invite: Invite, on_server: OnServer, server: str
) -> None:
    olga = invite()
    call_oneself(olga, "Olga")
    tournament, link = on_server(lambda: make("Olga"))
    with open_line(server) as line:
        scorer = come_as_scorer(invite, line, tournament, link)
        line.cut()
        for table in (1, 2):
            enter(scorer, table, [1, 2, 3, 4])
        expect(scorer.at("#waiting li")).to_have_count(2)
        olga.go(f"/tournaments/{tournament}/results/")
        enter(olga, 1, [4, 3, 2, 1])
        expect(olga.at("#done summary")).to_contain_text("1")
        line.mend()
        expect(scorer.at("#waiting li")).to_have_count(1)
        expect(scorer.at("#waiting li")).to_contain_text("Somebody else has entered another result for this table")
        assert on_server(lambda: list_decided(tournament)) == [(1, "[4,3,2,1]"), (2, "[1,2,3,4]")]
