"""The hall display and lists refresh themselves; printouts have the expected number of pages."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import Route, WebSocketRoute, expect
from pytest_django import DjangoDbBlocker

from games.models import Player
from tests.browser.conftest import Invite
from tests.browser.pages.test_accessible import find_violations
from tests.browser.server_state import OnServer, run_with_database
from tests.browser.tournaments.test_club_night import call_oneself
from tests.browser.visitor import BROKEN_LINE, REFUSED, list_broken_words, list_overflowing, resize, wait_until
from tests.cast import open_table, person
from tests.servers import Installation
from tests.tournaments import cast
from tests.tournaments.flow.undo.test_undo import undo
from tournaments.flow.clubs import invitations, membership
from tournaments.models import Entrant, Phase, Role, Tournament
from tournaments.views.lookups import find_page_version

pytestmark = [pytest.mark.chromium, pytest.mark.usefixtures("cast_now")]

A4_PIXELS = (297 - 2 * 14) / 25.4 * 96
A4_ACROSS = int((210 - 2 * 14) / 25.4 * 96)
"""The height and width of a sheet within its margins."""
ON_A_SHEET = {"names": (".print-names li", 64 // 2), "cards": (".card", 4), "standings": ("tbody tr", 40)}
"""What stands in rows on a sheet, and how many of these fit on it."""

LONG = [f"Wolfgang Schmetterlingsberger {number}" if number % 4 else name for number, name in enumerate(cast.NAMES)]
THURSDAY = {"name": "The Thursday tournament of our friends at sea", "wanted": 5, "least": 5, "most": 5}


def create_tournament(names: Sequence[str], **overrides: Any) -> tuple[Tournament, Player]:
    """A tournament in its second round, and its organiser."""
    ana = person("Ana")
    one = cast.begin(ana, names, **{"venue": "real", "rounds_planned": 3, "round_minutes": 40, **overrides})
    cast.play_round(ana, one, 1)
    cast.release(ana, one, 2, now=time.time())
    return one, ana


def make_full() -> Tournament:
    """One with many people, whose names are long."""
    return create_tournament([*LONG, "Yan"], **THURSDAY)[0]


def make_small() -> tuple[Tournament, Player]:
    """One with two tables."""
    return create_tournament(cast.NAMES[:8], least=4, most=4)


BELL_AT = "wait => (document.querySelector('[data-ends]').dataset.ends = Date.now() + wait)"
FIT = "document.querySelector('.sheet:not([hidden])').style.getPropertyValue('--fit')"
BELOW = "document.documentElement.scrollHeight - innerHeight"


def test_every_sheet_fits_the_screen(invite: Invite, on_server: OnServer) -> None:
    one = on_server(make_full)
    hall = invite()
    hall.go(f"/tournaments/{one.pk}/hall/")
    for width, height in ((1920, 1080), (1280, 720)):
        resize(hall.page, {"width": width, "height": height})
        for _ in range(hall.at(".sheet").count()):
            hall.page.keyboard.press("ArrowRight")
            what = f"{hall.at('.sheet:visible').get_attribute('aria-label')} fits"
            wait_until(lambda: hall.page.evaluate(BELOW) <= 0, hall.page, what=what)
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


COUNT_STROKES = """window.strokes = 0;
const start = AudioScheduledSourceNode.prototype.start;
AudioScheduledSourceNode.prototype.start = function (...at) { window.strokes += 1; return start.apply(this, at); };"""


def test_the_bell_rings_once_if_it_is_wanted(invite: Invite, on_server: OnServer) -> None:
    one, _ = on_server(make_small)
    hall = invite()
    hall.page.add_init_script(COUNT_STROKES)
    hall.go(f"/tournaments/{one.pk}/hall/?show=timer")
    expect(hall.at("#sound")).to_be_hidden()
    on_server(lambda: Tournament.objects.filter(pk=one.pk).update(has_sound=True))
    hall.page.reload()
    hall.at("#sound").click()
    expect(hall.at("#sound")).to_be_hidden()
    assert hall.page.evaluate("strokes") == 3  # so that everybody in the room knows what it sounds like
    hall.page.evaluate(BELL_AT, 300)
    expect(hall.at(".countdown.over")).to_be_visible()
    assert (
        hall.page.evaluate("innerWidth - document.querySelector('.sheet .countdown').getBoundingClientRect().right") > 0
    )
    hall.page.wait_for_function("strokes === 6")
    hall.page.wait_for_timeout(1_200)  # two more looks at the clock
    assert hall.page.evaluate("strokes") == 6


SECOND_LINES = """[...document.querySelectorAll(".hall-pods ul li")].map((one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return [...range.getClientRects()].map((box) => Math.round(box.left));
}).filter((lefts) => lefts.length > 1).map((lefts) => lefts.at(-1) - lefts[0])"""


def test_long_names_are_read_as_names(invite: Invite, on_server: OnServer) -> None:
    one = on_server(make_full)
    hall = invite()
    hall.go(f"/tournaments/{one.pk}/hall/")
    hall.page.locator("#hold").click()  # or the next sheet comes by itself
    while not hall.at(".hall-pods").first.is_visible():
        hall.page.keyboard.press("ArrowRight")
    for width, height in ((820, 1180), (1280, 720), (1920, 1080)):
        resize(hall.page, {"width": width, "height": height})
        hall.page.evaluate("dispatchEvent(new Event('resize'))")
        assert list_broken_words(hall.page, ".sheet:not([hidden]) .hall-pods ul li") == [], width
        letters = hall.at(".hall-pods ul li").first.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
        assert letters > 20, width
    hall.page.evaluate("document.querySelector('.sheet').style.setProperty('--columns', 'repeat(5, 1fr)')")
    indents = hall.page.evaluate(SECOND_LINES)
    assert (len(indents) > 0, min(indents) > 5) == (True, True)
    hall.page.emulate_media(media="print")
    resize(hall.page, {"width": 688, "height": 1000})
    hall.go(f"/tournaments/{one.pk}/print/pairings/")
    assert list_broken_words(hall.page, ".print-pods span:not(.v)") == []
    hall.go(f"/tournaments/{one.pk}/print/certificates/")
    assert list_broken_words(hall.page, ".certificate .name") == []


def test_the_hall_says_when_it_has_lost_the_server(
    invite: Invite, installation: Installation, django_db_blocker: DjangoDbBlocker
) -> None:
    with django_db_blocker.unblock():
        one, _ = run_with_database(installation.folder / "menagerie.sqlite3", make_small)
    with installation.serve() as server:
        hall = invite(server.address)
        hall.expected.append(BROKEN_LINE)
        hall.go(f"/tournaments/{one.pk}/hall/")
        expect(hall.at(".hall-pods")).to_be_visible()
        expect(hall.at(".lost")).to_be_hidden()
    expect(hall.at(".lost")).to_be_visible(timeout=60_000)
    with installation.serve():
        expect(hall.at(".lost")).to_be_hidden(timeout=60_000)


@pytest.mark.parametrize(("name", "part"), [("hall", "#hall"), ("pairings", "#live")])
def test_what_is_told_while_a_page_is_on_its_way_is_shown_next(
    invite: Invite, on_server: OnServer, name: str, part: str
) -> None:
    one, ana = on_server(make_small)
    page = invite()
    collected: list[WebSocketRoute] = []
    held: list[Route] = []

    def listen(wire: WebSocketRoute) -> None:  # to one who repeats nothing
        collected.append(wire)

    def hold_first(route: Route) -> None:
        if held:
            route.continue_()
        held.append(route)

    page.expected.append(BROKEN_LINE)
    page.page.route_web_socket(re.compile("/ws/"), listen)
    page.page.route("**/pulse.json", lambda route: route.abort())
    page.go(f"/tournaments/{one.pk}/{name}/")
    wait_until(lambda: bool(collected), page.page, what="it follows")
    page.page.route(f"**/{name}/", hold_first)

    def announce_version() -> str:
        version = on_server(lambda: find_page_version(Tournament.objects.get(pk=one.pk)))
        collected[0].send(json.dumps({"version": version}))
        return version

    on_server(lambda: cast.decide_all(ana, one, 2))
    announce_version()
    wait_until(lambda: bool(held), page.page, what="it fetches itself anew")
    answer = held[0].fetch()
    on_server(lambda: undo(ana, one))
    last = announce_version()
    held[0].fulfill(response=answer)
    expect(page.at(part)).to_have_attribute("data-version", last)


def test_the_page_of_a_table_that_is_none_any_more_leads_to_the_tournament(invite: Invite, on_server: OnServer) -> None:
    one, ana = on_server(make_small)
    phone = invite()
    phone.expected.append(REFUSED)
    phone.go(f"/tournaments/{one.pk}/rounds/2/1/")
    on_server(lambda: undo(ana, one))
    expect(phone.page).to_have_url(re.compile(f"/tournaments/{one.pk}/$"))


def test_lists_stay_the_present_and_their_reader_where_they_are(invite: Invite, on_server: OnServer) -> None:
    one, ana = on_server(make_small)
    on_server(lambda: Tournament.objects.filter(pk=cast.plan(ana, one.club).pk).update(phase=Phase.ARCHIVED))
    reader = invite()
    call_oneself(reader, "Mara")
    pages = {path: reader.context.new_page() for path in ("/", "/tournaments/", f"/clubs/{one.club.slug}/")}
    for path, page in pages.items():
        page.goto(reader.address + path)
        expect(page.locator(f"#open-{one.pk}")).to_be_visible()
    lobby, _, club = pages.values()
    club.locator("#archive summary").press("Enter")
    table = on_server(lambda: open_table(Player.objects.filter(name="Mara").latest("pk"), now=time.time()).id)
    on_server(lambda: Tournament.objects.filter(pk=one.pk).update(name="Friday"))
    for page in pages.values():
        expect(page.locator(f".row-table:has(#open-{one.pk})")).to_contain_text("Friday")
    expect(lobby.locator(f"#mine #my-{table}")).to_be_visible()
    expect(club.locator("#archive .tables")).to_be_visible()
    expect(club.locator("#archive summary")).to_be_focused()


def test_a_club_shows_who_comes_in_and_takes_no_choice_away(invite: Invite, on_server: OnServer) -> None:
    owner = invite()
    call_oneself(owner, "Mara")
    club = on_server(lambda: cast.found(Player.objects.filter(name="Mara").latest("pk"), "Lighthouse"))
    made = on_server(lambda: invitations.invite(club, club.memberships.get().player, role=Role.MEMBER))
    owner.go(f"/clubs/{club.slug}/")

    def come_in(name: str) -> None:
        on_server(lambda: membership.accept(made.token, person(name)))

    come_in("Otto")
    expect(owner.at("#members .soft")).to_have_text("2")
    expect(owner.at("#invited")).to_contain_text("1 person joined")
    otto = owner.page.locator("#people li", has_text="Otto")
    otto.locator("summary").first.press("Enter")
    otto.locator("select").select_option("organiser")
    come_in("Pia")
    expect(owner.at("#invited")).to_contain_text("2 people joined")
    with owner.page.expect_response(lambda answer: answer.request.headers.get("hx-target") == "people"):
        pass
    expect(otto.locator("select")).to_have_value("organiser")
    otto.locator("select").select_option("member")
    otto.locator("summary").first.focus()
    expect(owner.at("#members .soft")).to_have_text("3")
    expect(otto.locator("select")).to_be_visible()
    expect(otto.locator("summary").first).to_be_focused()


def test_the_hall_and_the_printer(invite: Invite, on_server: OnServer) -> None:
    one, ana = on_server(make_small)
    on_server(lambda: Entrant.objects.filter(tournament=one, number=1).update(bot="steady"))
    hall = invite()
    hall.go(f"/tournaments/{one.pk}/hall/")
    expect(hall.at(".hall-pods > li small")).to_have_text("bot")
    expect(hall.at(".hall-pods > li")).to_have_count(8 // 4)
    expect(hall.at(".hall-pods > li.done")).to_have_count(0)
    expect(hall.at(".countdown")).to_contain_text(":")
    assert list(find_violations(hall)) == []
    on_server(lambda: cast.decide_all(ana, one, 2))
    expect(hall.at(".hall-pods > li.done")).to_have_count(2)
    hall.page.keyboard.press("ArrowRight")
    expect(hall.at(".hall-names")).to_be_visible()
    expect(hall.at(".hall-pods")).to_be_hidden()
    paper = invite()
    one_each = [(sheet, 1) for sheet in ("entrants", "pairings", "names", "cards", "standings")]
    for sheet, pages in (*one_each, ("certificates", 7)):
        paper.go(f"/tournaments/{one.pk}/print/{sheet}/")
        assert list(find_violations(paper)) == [], sheet
        assert list_overflowing(paper.page) == []
        paper.page.emulate_media(media="print")
        last = paper.page.locator(".paper > :last-child")
        assert last.evaluate("one => getComputedStyle(one).marginBottom") == "0px", "would begin an empty sheet"
        if sheet in ON_A_SHEET:
            part, rows = ON_A_SHEET[sheet]
            first = paper.page.locator(part).first
            step = first.evaluate(
                "it => it.getBoundingClientRect().height + parseFloat(getComputedStyle(it).marginBottom)"
            )
            assert first.evaluate("it => it.getBoundingClientRect().top") + rows * step < A4_PIXELS, (
                f"not {rows} {sheet}"
            )
        if sheet == "certificates":
            resize(paper.page, {"width": A4_ACROSS, "height": int(A4_PIXELS)})
            paper.at(".name").first.evaluate(
                "it => (it.textContent = 'Wolfeschlegelsteinhausen').length > 16 && it.classList.add('long')"
            )
            assert list_broken_words(paper.page, ".certificate .name") == []
            assert paper.at(".certificate h2").first.evaluate("it => it.getBoundingClientRect().height") < 60, (
                "two lines"
            )
        pdf = paper.page.pdf(format="A4", prefer_css_page_size=True)
        assert pdf.count(b"/Type /Page\n") == pages, sheet
        paper.page.emulate_media(media="screen")


@pytest.mark.parametrize("show", ["names", "tables", "standings", "missing"])
def test_on_a_screen_of_twice_the_pixels_letters_have_twice_the_size(
    invite: Invite, on_server: OnServer, show: str
) -> None:
    """A wall of 3840 by 2160 pixels is read from as far as one of 1920 by 1080."""
    one, _ = on_server(make_small)
    heights = []
    for width in (1920, 3840):
        hall = invite(size={"width": width, "height": width * 9 // 16})
        hall.go(f"/tournaments/{one.pk}/hall/?show={show}")
        sheet = hall.at(".sheet:not([hidden])")
        expect(sheet).to_be_visible()
        letters = sheet.locator("li, td, h2").first
        heights.append(letters.evaluate("one => parseFloat(getComputedStyle(one).fontSize)"))
    assert heights[1] == pytest.approx(2 * heights[0], rel=0.06)


MEASURE_BRACKET = """() => [...document.querySelectorAll('.sheet:not([hidden]) svg.bracket')].map((picture) => {
  const boxes = [...picture.querySelectorAll('rect')].map((one) => one.getBoundingClientRect());
  const names = [...picture.querySelectorAll('.on, .out, .plays')];
  const isInside = (name) => boxes.some((box) => box.left <= name.left && name.right <= box.right
    && box.top <= name.top + name.height / 4 && name.bottom - name.height / 4 <= box.bottom);
  return {
    letters: Math.min(...names.map((one) => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a)),
    outside: names.filter((one) => !isInside(one.getBoundingClientRect())).map((one) => one.textContent),
    names: names.length,
    cut: names.map((one) => one.textContent).filter((one) => one.includes("…") || one.length < 3),
  };
})[0]"""
ENOUGH_FOR_TEN_METRES = 40
"""Pixels of 1080: the letters that docs/club-night.md states."""


@pytest.mark.parametrize(
    ("people", "rounds", "pages", "names"), [(16, 3, 3, 16 + 3 * 8 + 4), (64, 1, 4, 64), (40, 2, 5, 40 + 5 * 10)]
)
def test_names_in_a_bracket_are_as_large_as_on_other_sheets(
    invite: Invite, on_server: OnServer, people: int, rounds: int, pages: int, names: int
) -> None:
    """What does not fit at that size stands on another page."""

    def make_cup() -> Tournament:
        ana = person("Ana")
        shape = {"venue": "real", "format": "knockout", "wanted": 4, "least": 4, "most": 4, "round_minutes": 40}
        crowd = [*LONG, *(f"Maximiliane {name} {row}" for row in (1, 2) for name in cast.NAMES)][:people]
        one = cast.begin(ana, crowd, advance=1 if people == 40 else 2, **shape)
        for number in range(1, rounds):
            cast.play_round(ana, one, number)
        cast.release(ana, one, rounds, now=time.time())
        return one

    cup = on_server(make_cup)
    hall = invite(size={"width": 1920, "height": 1080})
    hall.go(f"/tournaments/{cup.pk}/hall/?show=bracket")
    expect(hall.at(".sheet")).to_have_count(pages)
    if pages > 1:
        hall.page.locator("#hold").click()
    shown = []
    for _ in range(pages):
        shown.append(hall.page.evaluate(MEASURE_BRACKET))
        assert hall.page.evaluate(BELOW) <= 0
        hall.page.keyboard.press("ArrowRight")
    assert min(one["letters"] for one in shown) >= ENOUGH_FOR_TEN_METRES
    assert [one["outside"] for one in shown] == [[]] * pages
    assert [one["cut"] for one in shown] == [[]] * pages
    assert sum(one["names"] for one in shown) == names


ALL_LETTERS = """() => Math.min(...[...document.querySelectorAll(
  '.sheet:not([hidden]) :is(.hall-names span, .hall-pods ul li, .hall-lines th, .hall-lines td)')]
  .map((one) => parseFloat(getComputedStyle(one).fontSize)))"""
SHORT = ("Nowak", "Schulze", "Kowalska", "Berger", "Zielinski", "Hoffmann", "Lis", "Wagner", "Mazur")
WHOLE = ("Brzęczyszczykiewicz", "Schmetterlingsberger", "Kowalczyk-Lewandowska", "Müller", "Featherstonehaugh",
         "Wójcik", "Hoffmann", "Zielińska", "Leutheusser-Schnarrenberger")  # fmt: skip


@pytest.mark.parametrize(
    ("surnames", "given", "name_sheets"), [(SHORT, "", 4), (WHOLE, "Jadwiga", 8)], ids=["short", "whole"]
)
def test_all_that_is_on_the_wall_can_be_read_from_ten_metres(
    invite: Invite, on_server: OnServer, surnames: Sequence[str], given: str, name_sheets: int
) -> None:
    """A hall of 200, some of them at tables of five: each sheet has letters of the stated size, whole on the screen."""

    def make_crowd() -> Tournament:
        crowd = [f"{given or name} {surname} {name if given else ''}" for surname in surnames for name in cast.NAMES]
        ana = person("Ana")
        one = cast.begin(ana, [name[:40] for name in crowd[:201]], venue="real", wanted=4, least=4, most=5)
        cast.release(ana, one, 1, now=time.time())
        cast.decide_all(ana, one, 1)
        return one

    one = on_server(make_crowd)
    hall = invite(size={"width": 1920, "height": 1080})
    for show, sheets in (("names", name_sheets), ("tables", 13), ("standings", 3)):
        hall.go(f"/tournaments/{one.pk}/hall/?show={show}")
        expect(hall.at(".sheet")).to_have_count(sheets)
        hall.page.locator("#hold").click()
        for _ in range(sheets):
            assert hall.page.evaluate(ALL_LETTERS) >= ENOUGH_FOR_TEN_METRES, show
            assert hall.page.evaluate(BELOW) <= 0, show
            hall.page.keyboard.press("ArrowRight")
