"""The hall display stays the present by itself, and what is printed comes out on the right number of pages."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Invite
from tests.browser.test_accessible import look
from tests.browser.visitor import BROKEN_LINE, parted_words, sticking_out
from tests.servers import Installation

pytestmark = pytest.mark.chromium

A4_PIXELS = (297 - 2 * 14) / 25.4 * 96
"""The height of a sheet within its margins."""

SCRIPT = """
import json, time
import tests.cast, tests.tournaments.cast as cast
from games.models import Player
cast.NOW = tests.cast.NOW = time.time()
ana = Player.objects.create(name="Ana", avatar="fox")
one = cast.begin(ana, cast.NAMES[:8], venue="real", least=4, most=4, rounds_planned=3, round_minutes=40)
cast.play_round(ana, one, 1)
cast.release(ana, one, 2, now=time.time())
print(json.dumps([one.pk, ana.pk]))
"""
DECIDE = """
from games.models import Player
from tournaments.models import Tournament
import tests.tournaments.cast as cast
cast.decide_all(Player.objects.get(pk={ana}), Tournament.objects.get(pk="{one}"), 2)
"""


FULL = """
import json, time
import tests.cast, tests.tournaments.cast as cast
from games.models import Player
cast.NOW = tests.cast.NOW = time.time()
ana = Player.objects.create(name="Ana", avatar="fox")
names = [f"Wolfgang Schmetterlingsberger {number}" if number % 4 else name for number, name in enumerate(cast.NAMES)]
one = cast.begin(ana, [*names, "Yan"], venue="real", wanted=5, least=5, most=5, rounds_planned=3, round_minutes=40,
                 name="The Thursday tournament of our friends at sea")
cast.play_round(ana, one, 1)
cast.release(ana, one, 2, now=time.time())
print(json.dumps(one.pk))
"""
BELL_AT = "wait => (document.querySelector('[data-ends]').dataset.ends = Date.now() + wait)"
FIT = "document.querySelector('.sheet:not([hidden])').style.getPropertyValue('--fit')"
BELOW = "document.documentElement.scrollHeight - innerHeight"


def test_every_sheet_fits_the_screen(invite: Invite, house: Installation) -> None:
    made = house.manage("shell", "-c", FULL)
    assert made.returncode == 0, made.stderr
    one = json.loads(made.stdout.splitlines()[-1])
    with house.serve() as server:
        hall = invite(server.address)
        hall.expected.append(BROKEN_LINE)
        hall.go(f"/tournaments/{one}/hall/")
        for width, height in ((1920, 1080), (1280, 720)):
            hall.page.set_viewport_size({"width": width, "height": height})
            for _ in range(hall.at(".sheet").count()):
                hall.page.keyboard.press("ArrowRight")
                hall.page.wait_for_timeout(100)
                assert hall.page.evaluate(BELOW) <= 0, hall.at(".sheet:visible").get_attribute("aria-label")
        hall.page.locator("#hold").click()
        for _ in range(hall.at(".sheet").count()):
            hall.page.evaluate(BELL_AT, 600_000)
            expect(hall.at(".countdown:not(.over)")).to_be_visible()
            hall.page.keyboard.press("ArrowRight")
            hall.page.evaluate(BELL_AT, -60_000)
            expect(hall.at(".countdown.over")).to_be_visible()
            fitted = hall.page.evaluate(FIT)
            hall.page.evaluate("dispatchEvent(new Event('resize'))")
            assert hall.page.evaluate(FIT) == fitted, "the head needs a line more"


SECOND_LINES = """[...document.querySelectorAll(".hall-pods ul li")].map((one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return [...range.getClientRects()].map((box) => Math.round(box.left));
}).filter((lefts) => lefts.length > 1).map((lefts) => lefts.at(-1) - lefts[0])"""


def test_long_names_are_read_as_names(invite: Invite, house: Installation) -> None:
    made = house.manage("shell", "-c", FULL)
    one = json.loads(made.stdout.splitlines()[-1])
    with house.serve() as server:
        hall = invite(server.address)
        hall.expected.append(BROKEN_LINE)
        hall.page.set_viewport_size({"width": 1920, "height": 1080})
        hall.go(f"/tournaments/{one}/hall/")
        expect(hall.at(".hall-pods").first).to_be_visible()
        indents = hall.page.evaluate(SECOND_LINES)
        assert (len(indents) > 0, min(indents) > 5) == (True, True)
        hall.page.emulate_media(media="print")
        hall.page.set_viewport_size({"width": 688, "height": 1000})
        hall.go(f"/tournaments/{one}/print/pairings/")
        assert parted_words(hall.page, ".print-pods span:not(.v)") == []


def test_the_hall_says_when_it_has_lost_the_server(invite: Invite, house: Installation) -> None:
    made = house.manage("shell", "-c", SCRIPT)
    one, _ = json.loads(made.stdout.splitlines()[-1])
    with house.serve() as server:
        hall = invite(server.address)
        hall.expected.append(BROKEN_LINE)
        hall.go(f"/tournaments/{one}/hall/")
        expect(hall.at(".hall-pods")).to_be_visible()
        expect(hall.at(".lost")).to_be_hidden()
    expect(hall.at(".lost")).to_be_visible(timeout=20_000)
    with house.serve():
        expect(hall.at(".lost")).to_be_hidden(timeout=20_000)


def test_the_hall_and_the_printer(invite: Invite, house: Installation) -> None:
    made = house.manage("shell", "-c", SCRIPT)
    assert made.returncode == 0, made.stderr
    one, ana = json.loads(made.stdout.splitlines()[-1])
    with house.serve() as server:
        hall = invite(server.address)
        hall.expected.append(BROKEN_LINE)
        hall.go(f"/tournaments/{one}/hall/")
        expect(hall.at(".hall-pods > li")).to_have_count(8 // 4)
        expect(hall.at(".hall-pods > li.done")).to_have_count(0)
        expect(hall.at(".countdown")).to_contain_text(":")
        assert list(look(hall)) == []
        assert house.manage("shell", "-c", DECIDE.format(ana=ana, one=one)).returncode == 0
        expect(hall.at(".hall-pods > li.done")).to_have_count(2)
        hall.page.keyboard.press("ArrowRight")
        expect(hall.at(".hall-names")).to_be_visible()
        expect(hall.at(".hall-pods")).to_be_hidden()
        paper = invite(server.address)
        paper.expected.append(BROKEN_LINE)
        for sheet, pages in (("pairings", 1), ("names", 1), ("cards", 1), ("standings", 1), ("certificates", 8)):
            paper.go(f"/tournaments/{one}/print/{sheet}/")
            assert list(look(paper)) == [], sheet
            assert sticking_out(paper.page) == []
            if sheet == "standings":
                paper.page.emulate_media(media="print")
                row = paper.page.locator("tbody tr").first.bounding_box()
                assert row is not None
                assert 40 * row["height"] < A4_PIXELS, "fewer than forty people on a sheet"
            pdf = paper.page.pdf(format="A4", prefer_css_page_size=True)
            assert pdf.count(b"/Type /Page\n") == pages, sheet
