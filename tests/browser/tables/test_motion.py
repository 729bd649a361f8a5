"""Motion at a table: a played card travels from its hand in less than 300 ms; there is none if a reader wants none."""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.browser.conftest import Invite
from tests.browser.playing import await_turn, take_turn
from tests.browser.visitor import PHONE, Visitor, until

pytestmark = pytest.mark.chromium

MOST_MS: Final = 300
WATCH = """
window.travels = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (path, way) {
  const of = this.closest("#middle") ? "middle" : this.className;
  window.travels.push({ ms: way.duration, from: path[0].transform, of });
  return animate.call(this, path, way);
};
"""


def test_a_played_card_travels_from_its_hand_unless_no_motion_is_wanted(invite: Invite) -> None:
    person = invite(size=PHONE)
    person.context.add_init_script(WATCH)
    person.play_now("karriere-poker")
    person.await_live()
    await_turn(person)
    take_turn(person)
    until(lambda: any(_is_play(one) for one in _list_travels(person)), person.page, what="a card travels")
    assert [one for one in _list_travels(person) if one["ms"] >= MOST_MS] == []
    person.page.emulate_media(reduced_motion="reduce")
    person.page.evaluate("travels.length = 0")
    await_turn(person)
    take_turn(person)
    await_turn(person)
    assert _list_travels(person) == []


def _list_travels(person: Visitor) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = person.page.evaluate("travels")
    return found


def _is_play(travel: dict[str, Any]) -> bool:
    """A card arrives in the middle from elsewhere."""
    return travel["of"] == "middle" and str(travel["from"]).startswith("translate")
