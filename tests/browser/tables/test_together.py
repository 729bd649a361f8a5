"""Two players and a spectator at one table: all see each move, and only the owner sees hidden cards."""

from __future__ import annotations

from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Invite
from tests.browser.network_line import NetworkLine, open_line
from tests.browser.playing import await_ply, click, is_mine, ply, take_turn, tap
from tests.browser.visitor import BROKEN_LINE, LAPTOP, PHONE, Visitor, list_overflowing, wait_until

pytestmark = pytest.mark.chromium


def test_two_people_and_a_spectator_play_a_deal(invite: Invite, server: str) -> None:
    with open_line(server) as line:
        party = Party(invite, line)
        party.gather()
        party.start()
        party.play(turns=4)
        party.guest_falls_off_and_comes_back()
        party.play(turns=2)
        party.guest_plays_without_socket()
        party.play_deal()
        party.look_at_exchange()


class Party:
    """Host and watcher with a phone, a guest with a laptop whose line can be cut, at a table with two bots."""

    def __init__(self, invite: Invite, line: NetworkLine) -> None:
        self.line = line
        self.host, self.guest = invite(size=PHONE, has_touch=True), invite(line.address, size=LAPTOP)
        self.watcher = invite(size=PHONE, has_touch=True)
        self.guest.expected.append(BROKEN_LINE)
        self.players = (self.host, self.guest)
        self.everybody = (*self.players, self.watcher)

    def gather(self) -> None:
        """By the invitation's link; who has no link does not come in."""
        link = self.host.fill_in_table("karriere-poker", seats=4, bots=2, deals=2, turn_seconds=600, is_public=False)
        for person in (self.guest, self.watcher):
            person.go(urlsplit(link).path)
        self.guest.at("#sit").click()
        for person in self.everybody:
            expect(person.at("#chairs .taken")).to_have_count(4)
            person.await_live()

    def start(self) -> None:
        """The host starts; all boards change by themselves."""
        with self.host.page.expect_navigation():
            self.host.at("#start").click()
        for person in self.players:
            expect(person.at("#hand .s i")).to_have_count(13)
        self.check()

    def play(self, *, turns: int) -> None:
        """So many turns of the two people."""
        for _ in range(turns):
            self.take_turn(self.await_mover())

    def play_deal(self) -> None:
        """Until the cards of the second deal are there."""
        while self.host.view()["view"]["deal"] == 1:
            mover = self.await_mover()
            if mover.view()["view"]["deal"] == 1:
                self.take_turn(mover)
        for person in self.everybody:
            expect(person.at("#bar")).to_contain_text("Deal 2 of 2")

    def await_mover(self) -> Visitor:
        """The one of the two whose turn it is."""
        wait_until(lambda: any(is_mine(person.page) for person in self.players), self.host.page, what="a person's turn")
        return next(person for person in self.players if is_mine(person.page))

    def take_turn(self, mover: Visitor) -> None:
        """One moves, and all see it."""
        take_turn(mover, tap if mover is self.host else click)
        shown = ply(mover.page)
        for person in self.everybody:
            await_ply(person, shown)
        self.check()

    def check(self) -> None:
        """Each player sees their own hand and nobody else's, and no page is too wide."""
        for person in self.players:
            wait_until(lambda person=person: hand(person) == person.view()["view"]["hand"], person.page, what="my hand")  # type: ignore[misc]
        assert self.watcher.view()["view"]["hand"] is None
        cards = ["#board i[class^=c]:not(.chair, #log i)", "#middle i"]
        counts = "parts => parts.map((part) => document.querySelectorAll(part).length)"
        on_board, in_the_middle = self.watcher.page.evaluate(counts, cards)
        assert on_board == in_the_middle
        expect(self.watcher.at("#hand")).to_be_hidden()
        for person in self.everybody:
            assert "\n".join(list_overflowing(person.page)) == ""

    def guest_falls_off_and_comes_back(self) -> None:
        """The WebSocket breaks and the page says so; after reconnecting it shows the present, and they play on."""
        while self.await_mover() is not self.host:
            self.take_turn(self.guest)
        place = self.host.at(f".seats li[data-seat='{self.guest.view()['seat']}']")
        self.line.cut()
        expect(self.guest.at("#connection")).to_have_text("Reconnecting … This may be out of date.")
        expect(self.guest.at("#connection")).to_be_visible()
        expect(place).to_contain_class("gone")
        take_turn(self.host, tap)
        self.line.mend()
        self.guest.await_live()
        expect(place).to_contain_class("here")
        await_ply(self.guest, ply(self.host.page))
        self.compare_with_fresh_page()
        while self.await_mover() is not self.guest:
            self.take_turn(self.host)
        self.take_turn(self.guest)

    def compare_with_fresh_page(self) -> None:
        """What the guest sees is what a page shows that is opened just now."""
        self.await_mover()
        fresh = self.guest.context.new_page()
        fresh.goto(self.guest.page.url)
        with suppress(AssertionError):
            wait_until(
                lambda: read_page_state(fresh) == read_page_state(self.guest.page), fresh, what="the same on both pages"
            )
        assert read_page_state(fresh) == read_page_state(self.guest.page)  # says what is different
        fresh.close()

    def guest_plays_without_socket(self) -> None:
        """Where sockets are blocked the page asks again and again, says so, and moves go by post."""
        self.line.refuse_sockets()
        expect(self.guest.at("#connection")).to_have_text("Weak connection: updating every few seconds")
        expect(self.guest.at(".seats li:is(.here, .gone)")).to_have_count(0)  # of that only a socket is told
        while self.await_mover() is not self.guest:
            self.take_turn(self.host)
        with self.guest.page.expect_response("**/moves/") as answer:
            self.take_turn(self.guest)
        assert answer.value.status == 200
        self.compare_with_fresh_page()
        self.line.takes_sockets = True
        self.guest.await_live()
        self.compare_with_fresh_page()

    def look_at_exchange(self) -> None:
        """Both players see what they gave and got, spectators who exchanged with each other; seats follow ranks."""
        view = self.watcher.view()["view"]
        assert view["order"] == sorted(range(4), key=view["ranks"].__getitem__)
        assert [gift["cards"] for gift in view["exchanges"]] == [None] * 4
        expect(self.watcher.at("#gifts")).to_be_hidden()
        for person in self.players:
            mine = person.view()
            seat = mine["seat"]
            gifts = [gift for gift in mine["view"]["exchanges"] if seat in (gift["giver"], gift["taker"])]
            for way, end in (("sent", "giver"), ("got", "taker")):
                cards = next(gift["cards"] for gift in gifts if gift[end] == seat)
                expect(person.at(f"#gifts .{way} .cards i")).to_have_text(cards)
            start = view["order"].index(seat)
            for place, other in enumerate(view["order"][start:] + view["order"][:start]):
                expect(person.at(".seats li").nth(place)).to_have_attribute("data-seat", str(other))
            expect(person.at(f"#seat-{seat} small")).to_contain_class(f"j{(1, 2, 3, 8)[view['ranks'][seat] - 1]}")


def hand(person: Visitor) -> list[str]:
    """The cards in the hand on the screen."""
    return person.at("#hand .s i").all_inner_texts()


def read_page_state(page: Page) -> dict[str, Any]:
    """Everything that the page tells of the game, at one moment; the seconds that are left run on."""
    parts = ["#bar", "#middle", "#turn", "#hand", "#action", "#history", "#gifts", ".seats", "#log li:last-child"]
    texts: dict[str, str] = page.evaluate(
        """parts => Object.fromEntries(parts.map((part) => {
          const copy = document.querySelector(part).cloneNode(true);
          for (const clock of copy.querySelectorAll(".left")) clock.remove();
          return [part, copy.textContent];
        }))""",
        parts,
    )
    return texts | {"ply": ply(page), "mine": is_mine(page)}
