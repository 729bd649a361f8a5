"""A game watched again: by keyboard, by itself, without scripts; and a record of somebody else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Invite
from tests.browser.pages.test_accessible import find_violations
from tests.browser.visitor import BROKEN_LINE, LAPTOP, PHONE, Visitor, list_broken_words, resize, wait_until
from tests.guest import Guest
from tests.serving.playing import Person

pytestmark = pytest.mark.chromium

TWO_DEALS = Path(__file__).parents[2] / "records" / "examples" / "karriere-poker-two-deals.json"

HANDS_ARE_IN_SIGHT = """() => {
  const hands = document.querySelector(".hands").getBoundingClientRect();
  const bar = document.querySelector(".steps").getBoundingClientRect();
  return hands.height > 80 && hands.bottom <= bar.top + 2;
}"""
"""Whether open hands stand above the bar of steps, before anybody scrolls."""
HANDS_ARE_BESIDE = """() => document.querySelector(".felt").getBoundingClientRect().right <=
  document.querySelector(".hands").getBoundingClientRect().left + 1"""
MANY_DEALS = """() => {
  for (const row of document.querySelectorAll("#history tr"))
    for (let more = 0; more < 14; more++) row.append(row.lastElementChild.cloneNode(true));
  const frame = document.querySelector(".scroll:has(#history)").getBoundingClientRect();
  const cells = document.querySelector("#history tbody tr").children;
  const seen = [cells[0], cells[cells.length - 1]].map((cell) => cell.getBoundingClientRect());
  return seen.map((box) => box.left >= frame.left - 1 && box.right <= frame.right + 1);
}"""
"""After as many deals as are played on a long evening: whether a name is in sight, and the chair held last."""

LATER = re.compile(r"^([2-9]|\d\d+)$")
"""A moment after the second one: it goes on while nobody looks."""


def upload_record(visitor: Visitor) -> int:
    """Bring a record along; returns its last ply."""
    visitor.go("/replays/")
    visitor.at("input[type=file]").set_input_files(TWO_DEALS)
    visitor.page.get_by_role("button", name="Check and watch record").press("Enter")
    expect(visitor.at("#scene")).to_have_attribute("data-ply", "0")
    visitor.page.wait_for_load_state("load")  # by then its script listens to keys
    return int(visitor.at("#scene").get_attribute("data-last") or 0)


def test_a_replay_by_keyboard(invite: Invite) -> None:
    ana = invite()
    last = upload_record(ana)
    scene, keys = ana.at("#scene"), ana.page.keyboard
    for key, ply in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("Home", 0)):
        keys.press(key)
        expect(scene).to_have_attribute("data-ply", str(ply))
    keys.press("PageDown")
    expect(scene).not_to_have_attribute("data-ply", "0")
    deal = scene.get_attribute("data-ply")
    assert f"ply={deal}" in ana.page.url
    assert ana.at("#here").input_value() == ana.page.url
    ana.at("#eyes").select_option("1")
    expect(ana.at("#scene .hands")).to_have_count(0)
    expect(ana.at("#board")).to_have_attribute("data-seat", "1")
    keys.press("Tab")
    ana.at("#to-first").focus()
    keys.press("Enter")
    expect(scene).to_have_attribute("data-ply", "0")
    expect(ana.at("#to-first")).to_be_focused()
    ana.page.evaluate("document.activeElement.blur()")
    keys.press("Space")
    expect(ana.at("#autoplay")).to_have_text("Stop")
    expect(scene).to_have_attribute("data-ply", LATER)
    expect(ana.at("#say")).not_to_be_empty()
    keys.press("Space")
    expect(ana.at("#autoplay")).to_have_text("Play")
    ana.page.reload()
    expect(ana.at("#board")).to_have_attribute("data-seat", "1")
    ana.expected.append(BROKEN_LINE)
    ana.context.set_offline(True)
    ana.at("#eyes").select_option("watcher")
    expect(ana.at("#eyes")).to_have_value("1")  # what is shown, not what could not be had
    ana.context.set_offline(False)
    before = int(scene.get_attribute("data-ply") or 0)
    ana.at("#to-before").click()
    expect(scene).to_have_attribute("data-ply", str(before - 1))


def test_speed_results_and_help_by_keyboard(invite: Invite) -> None:
    ana = invite()
    last = upload_record(ana)
    scene, keys, speed = ana.at("#scene"), ana.page.keyboard, ana.at("#speed")
    expect(speed).to_have_value("1")
    for key, value in (("+", "2"), ("+", "4"), ("+", "8"), ("+", "8"), ("-", "4")):
        keys.press(key)
        expect(speed).to_have_value(value)
    expect(ana.at("#say")).to_have_text("4×")
    assert "speed=4" in ana.at("#here").input_value()
    keys.press("PageDown")
    expect(scene).not_to_have_attribute("data-ply", "0")
    first_deal = scene.get_attribute("data-ply") or ""
    assert "speed=4" in ana.page.url
    keys.press("PageDown")
    expect(scene).to_have_attribute("data-ply", str(last))
    keys.press("PageUp")
    expect(scene).to_have_attribute("data-ply", first_deal)
    keys.press("PageUp")
    expect(scene).to_have_attribute("data-ply", "0")
    keys.press("?")
    expect(ana.at("details.keys")).to_have_attribute("open", "")
    expect(ana.at("details.keys summary")).to_be_focused()
    keys.press("?")
    expect(ana.at("details.keys table")).to_be_hidden()
    ana.at("details.chapters summary").press("Enter")
    expect(ana.at("details.chapters")).to_have_attribute("open", "")
    results = ana.at("details.chapters a")
    expect(results).to_have_count(2)
    results.first.press("Enter")
    expect(scene).to_have_attribute("data-ply", first_deal)
    ana.page.reload()
    expect(speed).to_have_value("4")  # the link keeps it
    keys.press("?")
    assert list(find_violations(ana)) == []


def test_what_plays_by_itself_shows_every_moment_however_late_it_comes(invite: Invite) -> None:
    ana = invite()
    upload_record(ana)
    asked: list[Route] = []

    def hold(route: Route) -> None:
        asked.append(route)

    ana.page.route(re.compile(r"[?&]ply="), hold)
    ana.page.clock.install()
    ana.page.keyboard.press("Space")
    ana.page.clock.run_for(8_000)
    wait_until(lambda: bool(asked), ana.page, what="the next moment is asked for")
    asked[0].continue_()
    expect(ana.at("#scene")).to_have_attribute("data-ply", "1")
    ana.page.unroute_all(behavior="ignoreErrors")


def test_replay_and_proof_are_for_everybody(invite: Invite) -> None:
    ana = invite()
    last = upload_record(ana)
    for _ in range(3):
        ana.at("#to-after").click()
    expect(ana.at("#scene")).to_have_attribute("data-ply", "3")
    assert list(find_violations(ana)) == []
    assert ana.at("#history").evaluate("it => it.offsetWidth <= it.parentElement.clientWidth")  # a sentence yet
    ana.at("#to-last").click()
    ana.at("#to-before").click()
    expect(ana.at("#scene")).to_have_attribute("data-ply", str(last - 1))  # with more log than there is room for
    assert list(find_violations(ana)) == []
    resize(ana.page, PHONE)
    assert ana.at(".felt").evaluate("it => it.getBoundingClientRect().top + scrollY") < PHONE["height"] * 0.4
    for selector, words in (("h1", "Super Zwierzaki: Wiederholung"), ("a:last-child", "Andere Aufzeichnung öffnen")):
        ana.at(f".titles {selector}").evaluate("(it, words) => { it.textContent = words; }", words)
    assert list_broken_words(ana.page, ".titles") == []
    assert ana.page.evaluate(MANY_DEALS) == [True, True]
    assert list_broken_words(ana.page, "#history th") == []
    assert ana.page.evaluate(HANDS_ARE_IN_SIGHT)
    resize(ana.page, {"width": 640, "height": 360})
    assert ana.page.evaluate(HANDS_ARE_IN_SIGHT)
    assert ana.page.evaluate(HANDS_ARE_BESIDE)
    assert list(find_violations(ana)) == []
    resize(ana.page, LAPTOP)
    ana.page.get_by_role("link", name="Verify this deal").click()
    assert list(find_violations(ana)) == []
    ana.go("/replays/")
    assert list(find_violations(ana)) == []


def test_without_scripts_every_moment_is_a_page(invite: Invite) -> None:
    ben = invite(java_script_enabled=False)
    last = upload_record(ben)
    ben.at("#to-after").click()
    expect(ben.at("#scene")).to_have_attribute("data-ply", "1")
    ben.at("#eyes").select_option("watcher")
    ben.page.get_by_role("button", name="Show", exact=True).click()
    expect(ben.at("#scene")).to_have_attribute("data-eyes", "watcher")
    ben.at("#to-last").click()
    expect(ben.at("#scene")).to_have_attribute("data-ply", str(last))


def test_the_browser_works_out_the_proof_itself(invite: Invite, server: str) -> None:
    host = Guest(server)
    person = Person(host, host.open_table("karriere-poker", deals=1))
    host.contribute(person.table, "Dora typed this")
    host.post(f"/tables/{person.table}/start/")
    person.play()
    ana = invite()
    ana.go(f"/tables/{person.table}/")
    ana.at("#watch-again").click()
    ana.page.get_by_role("link", name="Verify this deal").click()
    expect(ana.at("#check-hash.holds")).to_have_text("The SHA-256 hash of the secret matches the commitment.")
    expect(ana.at("#check-seed.holds")).to_have_text(
        "The seed in this record follows from the secret, the table and the contributions."
    )
    expect(ana.at("#check-noted")).to_contain_text("has not noted a commitment for this table")
    expect(ana.at("#claim")).to_contain_text("Nobody could choose these cards")
    expect(ana.at("#verdict")).to_be_hidden()
