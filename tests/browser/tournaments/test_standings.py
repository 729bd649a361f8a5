"""Standings on a phone: names are whole, and the chart shows first who came where; results stand in lines."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Invite
from tests.browser.server_state import OnServer
from tests.browser.visitor import PHONE, list_broken_words, list_overflowing, resize
from tests.cast import NOW, person
from tests.tournaments import cast
from tournaments.flow.entry import organiser_decisions
from tournaments.flow.rounds import arena
from tournaments.models import Round, Tournament
from tournaments.scoring.arena import MAX_WAIT_SECONDS

pytestmark = pytest.mark.chromium

NAMES = ["Theres Oberstaufenbichler", "Bart Brzęczyszczykiewicz", *cast.NAMES[:2]]
OUT_OF_SIGHT = """[...document.querySelectorAll(".bump .name")].map((one) => {
  const name = one.getBoundingClientRect(), frame = one.closest(".scroll").getBoundingClientRect();
  return Math.max(frame.left - name.left, name.right - frame.right, 0);
})"""

WIDTHS = (360, 768, 1024, 1280)
BESIDE = """(() => { const frame = document.querySelector(".scroll[aria-label=Standings]");
  return frame.scrollWidth - frame.clientWidth; })()"""
UNDER_HEADS = """(() => {
  const right = (one) => one.getBoundingClientRect().right;
  const heads = [...document.querySelectorAll(".standings.folds thead th")].map(right);
  const rows = [...document.querySelectorAll(".standings.folds tbody tr")].map((row) => [...row.children]);
  const astray = (row) => row.filter((cell, at) => Math.abs(right(cell) - heads[at]) > 1);
  return rows.flatMap(astray).map((cell) => cell.textContent);
})()"""
"""What stands under another head than its own."""
TOLD = """[...document.querySelectorAll(".standings.folds tbody tr")].map((row) => [...row.children]
  .filter((cell) => cell.getBoundingClientRect().width > 1)
  .map((cell) => (getComputedStyle(cell, "::before").content.match(/"([^"]*)/)?.[1] ?? "") + cell.textContent))"""
"""What a row of the standings shows, each figure with its label."""

ASTRAY = """(() => {
  const lines = [...document.querySelectorAll(".standings.folds tbody tr")];
  const rows = lines.map((line) => [...line.querySelectorAll(".d0, .d1, .d2")]
    .filter((cell) => getComputedStyle(cell, "::before").content === "none"));
  const unit = (cell) => {
    const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode(), range = document.createRange();
    range.setStart(text, 0);
    range.setEnd(text, text.data.split(/[.,]/)[0].length);
    return range.getBoundingClientRect().right;
  };
  const astray = (row) => row.filter((cell, at) => Math.abs(unit(cell) - unit(rows[0][at])) > 1);
  return rows.flatMap(astray).map((cell) => cell.textContent);
})()"""
"""Points whose units do not stand below those of the first line; on a phone labelled figures are no column."""

LEFT = "one => document.querySelector(one).getBoundingClientRect().left"


def create_tournament() -> Tournament:
    """Six rounds of the four of them."""
    ana = person("Ana")
    one = cast.begin(ana, NAMES, venue="real", least=4, most=4, rounds_planned=6)
    for number in range(1, 7):
        cast.play_round(ana, one, number)
    return one


def make_ties() -> Tournament:
    """One round at two tables, after which one person loses a tenth of a point."""
    ana = person("Ana")
    one = cast.begin(ana, cast.NAMES[:8], venue="real", least=4, most=4, rounds_planned=2)
    cast.play_round(ana, one, 1)
    late = cast.entrant(one, cast.NAMES[0])
    organiser_decisions.penalise(one, ana, late.pk, points=84, reason="late", key="k", now=NOW)
    return one


def take_a_point(one: Tournament) -> None:
    """From Bart, for coming late."""
    late = cast.entrant(one, NAMES[1])
    organiser_decisions.penalise(
        one, one.club.memberships.get().player, late.pk, points=840, reason="late", key="k", now=NOW
    )


def test_names_are_whole_and_in_sight(invite: Invite, on_server: OnServer) -> None:
    one = on_server(create_tournament)
    phone = invite(size=PHONE)
    phone.go(f"/tournaments/{one.pk}/standings/")
    expect(phone.at(".bump")).to_be_visible()
    assert phone.page.evaluate(OUT_OF_SIGHT) == [0] * 4
    assert list_broken_words(phone.page, ".standings tbody th, .standings thead .points") == []
    assert list_overflowing(phone.page) == []
    chart, live = phone.at(".scroll:has(> .bump)"), phone.at("#live")
    chart.evaluate("one => (one.scrollLeft = -40)")
    before = live.get_attribute("data-version") or ""
    on_server(lambda: take_a_point(one))
    expect(live).not_to_have_attribute("data-version", before)
    assert chart.evaluate("one => one.scrollLeft") == -40
    for width in WIDTHS:
        resize(phone.page, {"width": width, "height": 800})
        assert phone.page.evaluate(BESIDE) <= 0, width
        assert phone.page.evaluate(UNDER_HEADS) == [] or width == PHONE["width"], width
        assert phone.page.evaluate(ASTRAY) == [], width
    left, head = (phone.page.evaluate(LEFT, one) for one in (".bump", "h1"))
    assert abs(left - head) < 2


def test_on_a_phone_only_what_decides_a_place_is_told_and_named(invite: Invite, on_server: OnServer) -> None:
    one = on_server(make_ties)
    phone = invite(size=PHONE)
    phone.go(f"/tournaments/{one.pk}/standings/")
    lines = phone.page.evaluate(TOLD)
    assert [line[0] for line in lines] == ["1", "2", "3", "4", "5", "6", "7", "8"]
    assert {line[1] for line in lines} == {*cast.NAMES[:8]}
    alike = Counter(line[2] for line in lines)
    assert {1} < {*alike.values()}
    for _place, name, points, *actual in lines:
        if name == cast.NAMES[0]:
            assert actual.pop(0) == "Penalty -0.1"
        assert bool(actual) == (alike[points] > 1)
        assert all(re.fullmatch(r"(Opponents' average|Wins|Best result|Lot) \S+", one) for one in actual), actual
    assert phone.page.evaluate(BESIDE) <= 0
    resize(phone.page, {"width": 1280, "height": 800})
    assert phone.page.evaluate(UNDER_HEADS) == []


IN_LINE = """[...document.querySelectorAll(".games-over b")].map((place) => {
  const boxes = [place, place.nextElementSibling].map((one) => one.getClientRects());
  return [boxes[0].length, Math.abs(boxes[0][0].bottom - boxes[1][0].bottom) < 6];
})"""


def make_arena() -> Tournament:
    """One game of it is over."""
    ana = person("Ana")
    one = cast.begin(ana, NAMES, format="arena", venue="real", least=4, most=4, round_minutes=60)
    arena.open_arena(one, ana, now=NOW)
    arena.seat_free(Round.objects.get(tournament=one), now=NOW + MAX_WAIT_SECONDS)
    cast.decide_all(ana, one, 1)
    return one


def test_results_of_an_arena_stand_in_lines(invite: Invite, on_server: OnServer) -> None:
    one = on_server(make_arena)
    phone = invite(size=PHONE)
    phone.go(f"/tournaments/{one.pk}/pairings/")
    assert phone.page.evaluate(IN_LINE) == [[1, True]] * 4
