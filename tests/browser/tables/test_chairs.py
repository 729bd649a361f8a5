"""The room before the game: who is there; and a page that gets no live connection says why."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Invite
from tests.browser.visitor import BROKEN_LINE, PHONE, Visitor, list_overflowing, wait_until
from tests.servers import Installation

pytestmark = pytest.mark.chromium

TOPS = """() => {
  const top = (one) => one.getBoundingClientRect().top;
  return [...Map.groupBy(document.querySelectorAll("#chairs li"), top).values()].map((row) => row.length);
}"""


def test_a_chair_is_chosen_by_keyboard_until_the_seats_are_drawn(invite: Invite) -> None:
    host, guest = invite(), invite(size=PHONE)
    link = host.open_table("karriere-poker", seats=8, bots=4, is_public=False)
    assert host.page.evaluate(TOPS) == [4, 4], "two rows alike"
    guest.go(urlsplit(link).path)
    guest.await_live()
    expect(guest.at(".invite")).to_be_visible()
    guest.at("#chair-2").focus()
    with guest.page.expect_navigation():
        guest.page.keyboard.press("Enter")
    assert guest.view()["seat"] == 2
    expect(host.at("#chairs li").nth(2)).to_have_class("taken")
    assert list_overflowing(guest.page) == []
    expect(host.at("#chairs li").nth(3)).to_have_class("free")
    expect(guest.at("#facts")).to_contain_text("Seats are drawn by lot at the start")
    assert guest.at("#chairs button").count() == 0


def test_one_page_too_many_says_so_and_looks_by_itself(installation: Installation, invite: Invite) -> None:
    with installation.serve(SOCKETS_PER_PLAYER="1") as server:
        ana = invite(server.address)
        ana.expected.append(BROKEN_LINE)  # the server stops before the browser does
        ana.play_now("karriere-poker")
        ana.await_live()
        first, ana.page = ana.page, ana.context.new_page()
        ana.go(f"/tables/{first.url.rstrip('/').rpartition('/')[2]}/")
        expect(ana.at("#connection")).to_have_attribute("data-state", "crowded_person")
        expect(ana.at("#connection")).to_contain_text("You have too many tables open.")


def test_the_host_starts_before_the_scripts_have_come(invite: Invite) -> None:
    host = invite()
    host.open_table("karriere-poker", seats=5, bots=4, is_public=False)
    expect(host.at(".invite")).to_be_hidden()  # nobody could sit down
    host.page.route("**/js/**", lambda route: route.continue_() if "/before-paint." in route.request.url else None)
    host.page.goto(host.page.url, wait_until="commit")
    with host.page.expect_response(lambda answer: answer.url.endswith("/start/")) as answer:
        host.at("form[action$='/start/'] button").first.click(no_wait_after=True)
    assert answer.value.status == 302
    host.page.unroute_all(behavior="ignoreErrors")


def test_who_looks_at_the_lobby_sees_a_chair_come_free(invite: Invite) -> None:
    host, looker = invite(), invite()
    looker.go("/")
    host.open_table("karriere-poker", seats=4)
    expect(looker.at(f"#to-{host.table}")).to_contain_text("Join")
    wait_until(lambda: counts_what_waits(looker), looker.page, what="the number of tables with a free chair")


def counts_what_waits(looker: Visitor) -> bool:
    """Whether the lobby says of how many tables it shows that they have a free chair; others may come and go."""
    draws, waiting = looker.page.evaluate(
        """() => [document.querySelector("#free-chairs a")?.textContent.trim(),
          [...document.querySelectorAll("#open a")].filter((link) => link.textContent.includes("Join")).length]"""
    )
    one, more = "1 table has a free seat: join", f"{waiting} tables have a free seat: join"
    return bool(draws == (one if waiting == 1 else more))
