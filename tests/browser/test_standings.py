"""Standings on a phone: names are whole, and the chart shows first who came where."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Invite
from tests.browser.visitor import BROKEN_LINE, PHONE, parted_words, sticking_out
from tests.servers import Installation

pytestmark = pytest.mark.chromium

PLAYED = """
import json
import tests.tournaments.cast as cast
from games.models import Player
ana = Player.objects.create(name="Ana", avatar="fox")
names = ["Theres Oberstaufenbichler", "Bart Brzęczyszczykiewicz", *cast.NAMES[:2]]
one = cast.begin(ana, names, venue="real", least=4, most=4, rounds_planned=6)
for number in range(1, 7):
    cast.play_round(ana, one, number)
print(json.dumps(one.pk))
"""
OUT_OF_SIGHT = """[...document.querySelectorAll(".bump .name")].map((one) => {
  const name = one.getBoundingClientRect(), frame = one.closest(".scroll").getBoundingClientRect();
  return Math.max(frame.left - name.left, name.right - frame.right, 0);
})"""

LEFT = "one => document.querySelector(one).getBoundingClientRect().left"


def test_names_are_whole_and_in_sight(invite: Invite, house: Installation) -> None:
    made = house.manage("shell", "-c", PLAYED)
    assert made.returncode == 0, made.stderr
    one = json.loads(made.stdout.splitlines()[-1])
    with house.serve() as server:
        phone = invite(server.address, size=PHONE)
        phone.expected.append(BROKEN_LINE)
        phone.go(f"/tournaments/{one}/standings/")
        expect(phone.at(".bump")).to_be_visible()
        assert phone.page.evaluate(OUT_OF_SIGHT) == [0] * 4
        assert parted_words(phone.page, ".standings tbody th") == []
        assert sticking_out(phone.page) == []
        phone.page.set_viewport_size({"width": 1280, "height": 800})
        left, head = (phone.page.evaluate(LEFT, one) for one in (".bump", "h1"))
        assert abs(left - head) < 2
