"""What is asked, what I hold and what I can do stand in one view, whatever the shape of the screen."""

from __future__ import annotations

import pytest

from games.rules import registry
from tests.browser.conftest import Invite
from tests.browser.visitor import LAPTOP, PHONE

pytestmark = pytest.mark.chromium

SHAPES = [
    {"width": 667, "height": 375},
    {"width": 740, "height": 360},
    {"width": 932, "height": 430},
    {"width": 768, "height": 1024},
    {"width": 1024, "height": 768},
    LAPTOP,
    PHONE,
]
"""Phones lying down, a tablet both ways, a laptop, a phone upright."""
OUT_OF_VIEW = """() => {
  const box = (part) => part.getBoundingClientRect();
  const buttons = document.querySelector(".tray .buttons"), floor = Math.min(innerHeight, box(buttons).top);
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((part) => part.checkVisibility());
  const above = shown(".tray .ask, .tray #turn, #hand > :first-child, #choice > :first-child");
  const lost = above.filter((part) => box(part).top < 0 || box(part).bottom > floor + 1);
  if (box(buttons).bottom > innerHeight + 1) lost.push(buttons);
  return lost.map((part) => part.outerHTML.slice(0, 60));
}"""

CUT_NAMES = """() => [...document.querySelectorAll(".seat > b")].filter((name) => {
  return name.scrollWidth > name.clientWidth + 1 || name.scrollHeight > name.clientHeight + 3;
}).map((name) => name.textContent)"""


@pytest.mark.parametrize("game", registry.slugs())
def test_a_glance_tells_what_is_asked_and_what_can_be_done(invite: Invite, game: str) -> None:
    person = invite(size=PHONE, locale="de-DE")
    person.play_now(game)
    person.await_live()
    for size in SHAPES:
        person.page.set_viewport_size(size)  # type: ignore[arg-type]
        assert person.page.evaluate(OUT_OF_VIEW) == [], size
        assert person.page.evaluate(CUT_NAMES) == [], size
