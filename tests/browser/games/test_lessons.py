"""Whole lessons by touch on a phone, each step as its hint shows it: what is pointed at can be pressed and does it."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from games.rules import registry
from games.rules.lessons import Lesson
from tests.browser.conftest import Invite
from tests.browser.pages.test_accessible import find_violations
from tests.browser.visitor import PHONE, REFUSED, Visitor, list_overflowing, wait_until

pytestmark = pytest.mark.chromium

GAMES = pytest.mark.parametrize("game", [slug for slug in registry.slugs() if registry.find_lesson(slug)])
SHOWN = """() => {
  const pointed = document.querySelector(".pointed");
  return [document.getElementById("lesson").dataset.slug, document.querySelector("#next") !== null,
    pointed?.outerHTML ?? "", document.querySelectorAll(".pointed").length].join(" ");
}"""
"""What changes with each press: the step, whether it is done, and what is pointed at."""
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""The hint points on one frame after what was pressed has changed: until then it points at what was pressed."""


COVERED = """() => {
  const box = (part) => part.getBoundingClientRect();
  const guide = box(document.getElementById("lesson")), tray = document.querySelector("#stage .tray");
  const isWhole = (part) => {
    const { top, bottom, left, right } = box(part);
    const floor = tray.contains(part) ? innerHeight : box(tray).top;
    const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return top >= guide.bottom - 1 && bottom <= floor + 1 && part.contains(there);
  };
  const pressed = [...document.querySelectorAll(".pointed")].filter((part) => !isWhole(part));
  const told = ["#middle", "#islands > .soft", "#heap", "#duel", "#window"].flatMap((part) =>
    [...document.querySelectorAll(part)].filter((one) => one.checkVisibility() && box(one).bottom > box(tray).top + 1));
  return [...pressed, ...told].map((part) => part.outerHTML.slice(0, 80));
}"""
"""What is to be pressed, or tells what lies on the table, and is under the guide or under what the learner holds."""


def lesson_of(game: str) -> Lesson:
    lesson = registry.find_lesson(game)
    assert lesson is not None
    return lesson


def begin(learner: Visitor, game: str) -> None:
    learner.go("/")
    learner.at(f".to-lesson a[href='/lessons/{game}/']").tap()
    expect(learner.at("#lesson")).to_be_visible()
    learner.page.wait_for_load_state()


def do_step(learner: Visitor, slug: str) -> None:
    """Do the step as its hint shows it."""
    expect(learner.at(f"#lesson[data-slug='{slug}']")).to_be_visible()
    learner.page.wait_for_timeout(400)  # what has just appeared is not pressed by mistake
    learner.at("#hint").tap()
    for _ in range(12):
        expect(learner.at(".pointed, #next").first).to_be_visible()
        if learner.at("#next").count():
            break
        press_pointed(learner)
    expect(learner.at("#next")).to_be_focused()


def press_pointed(learner: Visitor) -> None:
    """Press what the hint points at, and wait until something comes of it."""
    before = learner.page.evaluate(SHOWN)
    learner.at(".pointed").tap()
    wait_until(lambda: learner.page.evaluate(SHOWN) != before, learner.page, what="something comes of the press")
    learner.page.evaluate(TWO_FRAMES)
    expect(learner.at("#lesson .answer")).to_be_hidden()


def do_lesson(learner: Visitor, game: str) -> Iterator[str]:
    """Do all steps; yields the slug of each one that is done."""
    for step in lesson_of(game).steps:
        do_step(learner, step.slug)
        yield step.slug
        learner.at("#next").tap()


@GAMES
def test_a_whole_lesson_by_touch_on_a_phone(invite: Invite, game: str, capsys: pytest.CaptureFixture[str]) -> None:
    learner = invite(size=PHONE, has_touch=True)
    begin(learner, game)
    began = time.monotonic()
    for slug in do_lesson(learner, game):
        assert list_overflowing(learner.page) == [], slug
    expect(learner.at("#finished-title")).to_be_focused()
    seconds = time.monotonic() - began
    with capsys.disabled():
        sys.stdout.write(f"\n{game}: {len(lesson_of(game).steps)} steps in {seconds:.1f} s\n")
    learner.page.get_by_role("button", name="Play your first game").tap()
    expect(learner.at("#coach span")).not_to_be_empty()
    assert "first=1" in learner.page.url


@GAMES
def test_a_lesson_is_for_everybody(invite: Invite, game: str) -> None:
    learner = invite(size=PHONE, has_touch=True)
    begin(learner, game)
    first, second = lesson_of(game).steps[:2]
    faults = list(find_violations(learner))
    learner.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    do_step(learner, first.slug)
    faults += find_violations(learner)
    learner.at("#next").click()
    expect(learner.at(f"#lesson[data-slug='{second.slug}']")).to_be_visible()
    assert faults == []


@pytest.mark.parametrize(
    ("locale", "size"), [("de-DE", PHONE), ("pl-PL", {"width": 360, "height": 640})], ids=["de", "pl"]
)
def test_the_guide_covers_nothing_that_matters_on_a_phone(invite: Invite, locale: str, size: dict[str, int]) -> None:
    learner = invite(size=size, has_touch=True, is_mobile=True, locale=locale)
    covered = {}
    for game in registry.slugs():
        for step in lesson_of(game).steps:
            learner.go(f"/lessons/{game}/?step={step.slug}")
            learner.page.wait_for_load_state()
            shown = learner.page.evaluate(COVERED)
            learner.at("#hint").tap()
            expect(learner.at(".pointed")).to_be_visible()
            pointed = learner.page.evaluate(COVERED)
            if learner.at("#hand .pointed").count():  # more is asked, as the red button, once a card is chosen
                press_pointed(learner)
                pointed += learner.page.evaluate(COVERED)
            covered[game, step.slug] = [*shown, *pointed]
    assert {step: parts for step, parts in covered.items() if parts} == {}


def test_a_wrong_move_is_answered_and_the_lesson_is_resumed(invite: Invite) -> None:
    learner = invite(size=PHONE, has_touch=True)
    learner.expected.append(REFUSED)
    begin(learner, "karriere-poker")
    learner.at("#hand [data-n='8']").tap()
    learner.at("#go").tap()
    expect(learner.at("#lesson .answer")).to_have_text(
        "That is allowed, but it breaks up good cards. Lead all three 3s."
    )
    expect(learner.at("#say")).to_contain_text("Lead all three 3s.")
    learner.at("#hand [data-n='3']").tap()
    learner.at("#go").tap()
    expect(learner.at("#next")).to_be_focused()
    learner.go("/")
    learner.at(".to-lesson a[href='/lessons/karriere-poker/']").tap()
    expect(learner.at("#lesson")).to_have_attribute("data-slug", "beat")


def test_a_lesson_by_keyboard(invite: Invite) -> None:
    learner = invite()
    learner.go("/lessons/karriere-poker/")
    learner.page.wait_for_load_state()
    learner.at("#hand [data-n='3']").focus()
    learner.page.keyboard.press("Space")
    learner.page.keyboard.press("Enter")
    expect(learner.at("#next")).to_be_focused()
    learner.page.keyboard.press("Enter")
    expect(learner.at("#step-title")).to_be_focused()
    expect(learner.at("#say")).to_contain_text("Three 5s lie there.")
