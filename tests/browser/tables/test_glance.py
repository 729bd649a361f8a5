"""Prompt, hand and buttons are in view together on every shape of screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.rules import registry
from tests.browser.conftest import Invite
from tests.browser.visitor import LAPTOP, PHONE, resize

pytestmark = pytest.mark.chromium

SHAPES = [
    {"width": 667, "height": 375},
    {"width": 740, "height": 360},
    {"width": 932, "height": 430},
    {"width": 768, "height": 1024},
    {"width": 1024, "height": 768},
    LAPTOP,
    {"width": 1280, "height": 740},
    PHONE,
]
"""Phones lying down, a tablet both ways, laptops, a phone upright."""
OUT_OF_VIEW = """() => {
  const box = (part) => part.getBoundingClientRect();
  const buttons = document.querySelector(".tray .buttons"), floor = Math.min(innerHeight, box(buttons).top);
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((part) => part.checkVisibility());
  const above = shown(".tray .ask, .tray #turn, #hand > :first-child, #choice > :first-child");
  const lost = above.filter((part) => box(part).top < 0 || box(part).bottom > floor + 1);
  if (box(buttons).bottom > innerHeight + 1) lost.push(buttons);
  return lost.map((part) => part.outerHTML.slice(0, 60));
}"""

EXAMPLE = Path(__file__).parents[2] / "records" / "examples" / "karriere-poker-exchange.json"
CUT_NAMES = """() => [...document.querySelectorAll(".seat > b")].filter((name) => {
  return name.scrollWidth > name.clientWidth + 1 || name.scrollHeight > name.clientHeight + 3;
}).map((name) => name.textContent)"""


@pytest.mark.parametrize("game", registry.slugs())
def test_a_glance_tells_what_is_asked_and_what_can_be_done(invite: Invite, game: str) -> None:
    person = invite(size=PHONE, locale="de-DE")
    person.play_now(game)
    person.await_live()
    for size in SHAPES:
        resize(person.page, size)
        assert person.page.evaluate(OUT_OF_VIEW) == [], size
        assert person.page.evaluate(CUT_NAMES) == [], size


@pytest.mark.parametrize("game", registry.slugs())
def test_the_link_to_the_full_log_stands_below_the_log(invite: Invite, game: str) -> None:
    person = invite(size=LAPTOP)
    person.play_now(game)
    person.await_live()
    log = person.at("#log").bounding_box()
    link = person.page.get_by_role("link", name="Full game log").bounding_box()
    assert log is not None
    assert link is not None
    assert (link["x"] >= log["x"], link["x"] + link["width"] <= log["x"] + log["width"]) == (True, True)
    assert log["y"] + log["height"] <= link["y"] <= LAPTOP["height"] - link["height"]


def test_a_replay_on_a_phone_lying_down_begins_with_the_table(invite: Invite) -> None:
    person = invite(size={"width": 740, "height": 360})
    person.go("/replays/")
    person.at("main input[type=file]").set_input_files(EXAMPLE)
    person.at("main form button").first.click()
    person.page.wait_for_selector(".felt")
    person.page.wait_for_load_state()  # all of its sheets
    assert person.at(".felt").evaluate("felt => felt.getBoundingClientRect().top") < 180
    resize(person.page, {"width": 360, "height": 640})
    assert person.at(".felt").evaluate("felt => felt.getBoundingClientRect().top") < 180
    person.at(".titles").get_by_role("link", name="Lobby").click()
    person.page.wait_for_url("**/")


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "pl-PL"])
def test_a_newcomer_reads_the_head_of_the_page_whole(invite: Invite, locale: str) -> None:
    person = invite(locale=locale)
    person.go("/")
    cut = person.at(".top :is(a, span)").evaluate_all(
        "all => all.filter((part) => part.scrollWidth > part.clientWidth + 1)"
    )
    assert cut == []
    assert person.at(".top").evaluate("top => top.offsetHeight") < 70  # one line


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "pl-PL"])
def test_no_link_of_the_head_is_cut_off_on_a_phone(invite: Invite, locale: str) -> None:
    person = invite(size=PHONE, locale=locale)
    person.go("/")
    outside = person.at(".top nav a").evaluate_all(
        "all => all.filter((link) => { const box = link.getBoundingClientRect(), row = link.parentElement;"
        " return box.left < 0 || box.right > innerWidth || row.scrollWidth > row.clientWidth; })"
    )
    assert outside == []
    assert person.at(".top").evaluate("top => top.offsetHeight") < 160
    gaps = person.at(".top nav a").evaluate_all(
        """links => {
          const words = links.map((link) => {
            const range = document.createRange();
            range.selectNodeContents(link);
            return range.getBoundingClientRect();
          });
          return words.slice(1).map((word, index) => word.left - words[index].right);
        }"""
    )
    assert min(gaps) >= 4, gaps
