"""Every form of a club and its tournaments is for everybody: axe finds nothing, and nothing sticks out."""

from __future__ import annotations

import time
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import expect

from games.models import Player
from tests.browser.conftest import Invite
from tests.browser.pages.test_accessible import examine, find_violations
from tests.browser.server_state import OnServer
from tests.browser.tournaments.test_club_night import call_oneself, press
from tests.browser.visitor import LAPTOP, PHONE, REFUSED, Visitor, resize
from tests.cast import person
from tests.tournaments import cast
from tournaments.flow.archive.import_job import AT_ONCE
from tournaments.flow.clubs import api_keys, invitations
from tournaments.flow.entry import organiser_decisions
from tournaments.flow.evenings import sessions
from tournaments.flow.seasons import season_changes, season_phases
from tournaments.models import PairRule, Role

pytestmark = [pytest.mark.chromium, pytest.mark.usefixtures("cast_now")]

WAYS = (("light", PHONE), ("dark", LAPTOP))
PEOPLE = ["Ada", "Bea", "Cem", "Wolfgang Amadeus Schmetterlingsberger", "Eli", "\u05e9\u05dc\u05d5\u05dd", "Gus"]


def fill_club() -> dict[str, str]:
    """The club of the newest player named Ana, with everything in it; returns the keys of its pages."""
    now = time.time()
    ana = Player.objects.filter(name="Ana").latest("pk")
    club = cast.found(ana)
    one = cast.begin(ana, PEOPLE, club=club, venue="apart", least=4, most=4, rounds_planned=3, round_minutes=40)
    cast.enter(one, "Pia")
    cast.play_round(ana, one, 1)
    ada, bea = (cast.entrant(one, name) for name in ("Ada", "Bea"))
    organiser_decisions.penalise(one, ana, ada.pk, points=420, reason="late", key="k", now=now)
    organiser_decisions.rule_pair(one, ana, ada.pk, bea.pk, PairRule.Kind.APART, now=now)
    cast.release(ana, one, 2, now=now)
    draft = cast.begin(ana, cast.NAMES[:8], club=club, name="Draft", rounds_planned=3)
    cast.draw(ana, draft, 1)
    ladder = cast.begin(ana, cast.NAMES[:8], club=club, name="Ladder", format="ladder", options={}, round_minutes=20)
    cast.play_round(ana, ladder, 1)
    cup = cast.begin(ana, cast.NAMES[:8], club=club, name="Cup", format="knockout", most=4, venue="real")
    organiser_decisions.seed(cup, ana, cast.entrant(cup, "Bea").pk, 1, now=now)
    season = cast.plan_season(ana, club, name="Winter", tie_breaks=["wins"])
    season_phases.open_season(season, ana, now=now)
    season_changes.count_tournament(season, ana, one.pk, counts=True, now=now)
    evening = sessions.open_evening(club, ana, sessions.EveningPlan("Friday", "animal-poker", 60, None), now=now)
    invitations.invite(club, ana, role=Role.MEMBER)
    api_keys.make(club, ana, "Screen in the hall")
    one.refresh_from_db()
    keys = {
        "one": one.pk,
        "draft": draft.pk,
        "ladder": ladder.pk,
        "cup": cup.pk,
        "season": season.pk,
        "evening": evening.pk,
    }
    return keys | {"club": club.slug, "claim": ada.claim_token, "link": one.entry_token}


def open_visitor(invite: Invite) -> Visitor:
    """Somebody whose pages may be refused."""
    visitor = invite()
    visitor.expected.append(REFUSED)
    return visitor


def test_every_page_of_an_organiser_is_for_everybody(invite: Invite, on_server: OnServer) -> None:
    ana = open_visitor(invite)
    call_oneself(ana, "Ana")
    pages = on_server(fill_club)
    club, one = f"/clubs/{pages['club']}/", f"/tournaments/{pages['one']}/"
    paths = [
        club, f"{club}edit/", f"{club}season/", f"{club}plan/", f"{club}evenings/new/", f"{club}connections/",
        f"{one}log/", f"/tournaments/{pages['draft']}/console/", f"/tournaments/{pages['cup']}/console/",
        f"/tournaments/{pages['season']}/console/",
    ]  # fmt: skip
    found = {path: list(examine(ana, path, 200, WAYS)) for path in paths}
    assert found == {path: [] for path in paths}


CROOKED = """() => {
  const fields = document.querySelectorAll(".options > .field:not(.wide)");
  const rows = Map.groupBy(fields, (one) => one.getBoundingClientRect().top);
  const top = (one) => one.querySelector("input, select").getBoundingClientRect().top;
  return [...rows.values()].filter((row) => new Set(row.map(top)).size > 1).length;
}"""
"""In how many rows the fields begin at different heights."""
BELOW = """() => [...document.querySelectorAll(".members details:not(.confirm)")].filter((one) =>
  one.getBoundingClientRect().left < one.parentElement.querySelector(".name").getBoundingClientRect().right).length"""
"""How many members have their button not beside the name, but below it."""


def test_fields_stand_in_rows_and_buttons_beside_names(invite: Invite, on_server: OnServer) -> None:
    ana = open_visitor(invite)
    call_oneself(ana, "Ana")
    club = on_server(make_full_club)
    resize(ana.page, {"width": 1024, "height": 800})
    ana.go(f"/clubs/{club}/plan/")
    assert ana.page.evaluate(CROOKED) == 0
    resize(ana.page, {"width": 360, "height": 800})
    ana.go(f"/clubs/{club}/")
    expect(ana.at(".members details:not(.confirm)")).to_have_count(2)
    assert ana.page.evaluate(BELOW) == 0


COLLAPSED = """() => [...document.querySelectorAll(".members .name")].filter((one) =>
  one.getBoundingClientRect().width < 60).length"""
"""How many names have room for a few letters only."""


def test_a_question_below_a_key_leaves_room_for_its_name(invite: Invite, on_server: OnServer) -> None:
    ana = open_visitor(invite)
    call_oneself(ana, "Ana")
    pages = on_server(fill_club)
    for size in (PHONE, LAPTOP):
        resize(ana.page, size)
        ana.go(f"/clubs/{pages['club']}/connections/")
        ana.at(".members .confirm > summary").click()
        expect(ana.at(".members .confirm button")).to_be_visible()
        assert ana.page.evaluate(COLLAPSED) == 0


def test_a_plan_asks_what_its_format_needs(invite: Invite, on_server: OnServer) -> None:
    ana = open_visitor(invite)
    call_oneself(ana, "Ana")
    ana.go(f"/clubs/{on_server(make_full_club)}/plan/")
    fields = {name: ana.at(f"#id_{name}") for name in ("rounds_planned", "expected", "cut_to", "at_end")}
    seen = {}
    for slug in ("swiss", "round-robin", "swiss-cut", "arena"):
        ana.at("#id_format").select_option(slug)
        seen[slug] = [name for name, field in fields.items() if field.is_visible()]
    assert seen == {
        "swiss": ["rounds_planned", "expected"],
        "round-robin": ["rounds_planned", "expected"],
        "swiss-cut": ["rounds_planned", "expected", "cut_to"],
        "arena": ["at_end"],
    }
    ana.page.get_by_text("Points and tie-breaks").click()
    ana.at("#id_points").select_option("table")
    expect(ana.at("#id_points_table")).to_be_visible()
    for slug, is_shown in (("knockout", False), ("swiss", True), ("arena", True)):
        ana.at("#id_format").select_option(slug)
        for field in ("#id_points_table", ".in-order", "#id_bye_points"):
            expect(ana.at(field)).to_be_visible(visible=is_shown)
    expect(ana.at("#id_round_minutes")).to_have_value("90")
    ana.at("#id_round_minutes").fill("45")
    ana.at("#id_format").select_option("ladder")
    expect(ana.at("#id_round_minutes")).to_have_value("45")
    expect(ana.at("#id_deals")).to_have_value("")


CUT_OFF = """() => [...document.querySelectorAll("main select")].flatMap((one) => {
  if (!one.checkVisibility()) return [];
  const whole = one.cloneNode(true);
  whole.style.cssText = "position: absolute; width: max-content; min-width: 0; max-width: none";
  one.after(whole);
  const missing = whole.offsetWidth - one.offsetWidth;
  whole.remove();
  return missing > 1 ? [`${one.name}: ${missing} px`] : [];
})"""
"""The lists of choices that are narrower than their longest choice."""


@pytest.mark.parametrize("language", ["en", "de", "pl"])
def test_no_choice_of_a_plan_is_cut_off(invite: Invite, on_server: OnServer, language: str) -> None:
    ana = invite()
    call_oneself(ana, "Ana")
    ana.context.add_cookies([{"name": "django_language", "value": language, "url": ana.address}])
    ana.go(f"/clubs/{on_server(make_full_club)}/plan/")
    expect(ana.at("html")).to_have_attribute("lang", language)
    ana.page.evaluate("document.querySelectorAll('main details').forEach((one) => (one.open = true))")
    for size in (PHONE, LAPTOP):
        resize(ana.page, size)
        for slug in ("swiss", "round-robin", "knockout", "swiss-cut", "ladder", "arena"):
            ana.at("#id_format").select_option(slug)
            cut = ana.page.evaluate(CUT_OFF)
            assert not cut, (size, slug, cut)


def list_tie_breaks(visitor: Visitor) -> list[str]:
    """What stands in the list of tie-breaks, from the first one down."""
    return [one.input_value() for one in visitor.at(".in-order select").all()]


def test_tie_breaks_are_put_in_order_by_dragging_and_by_the_keyboard(invite: Invite, on_server: OnServer) -> None:
    ana = open_visitor(invite)
    call_oneself(ana, "Ana")
    ana.go(f"/clubs/{on_server(make_full_club)}/plan/")
    ana.page.get_by_text("Points and tie-breaks").click()
    for size in (PHONE, LAPTOP):
        resize(ana.page, size)
        before = list_tie_breaks(ana)
        handles = ana.at(".in-order .drag")
        handles.nth(3).scroll_into_view_if_needed()
        handles.nth(3).hover()
        ana.page.mouse.down()
        for row in (2, 1, 0):
            box = handles.nth(row).bounding_box()
            assert box is not None
            ana.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        expect(ana.at(".in-order li").first).to_have_class("dragged")
        ana.page.mouse.up()
        expect(ana.at(".in-order .dragged")).to_have_count(0)
        dragged = [before[3], *before[:3], *before[4:]]
        assert list_tie_breaks(ana) == dragged
        assert list(find_violations(ana, [("light", size)])) == []
        widths = "all => all.map((one) => one.offsetWidth)"
        assert min(ana.at(".in-order select").evaluate_all(widths)) >= 200, "the longest name is cut off"
        if size == PHONE:
            ana.page.reload()
            ana.page.get_by_text("Points and tie-breaks").click()
            continue
        ana.page.get_by_role("button", name="Move down: tie-break 1").focus()
        for _ in range(3):  # the focus goes along
            ana.page.keyboard.press("Enter")
        assert list_tie_breaks(ana) == before
        ana.page.get_by_role("button", name="Move up: tie-break 2").press("Enter")
        assert list_tie_breaks(ana) == [before[1], before[0], *before[2:]]


def make_full_club() -> str:
    """Ana's, with a member whose name is one long word."""
    club = cast.found(Player.objects.filter(name="Ana").latest("pk"))
    club.memberships.create(player=person("Donaudampfschiffkapitän"))
    return str(club.slug)


def test_every_form_of_an_evening_is_for_everybody(invite: Invite, on_server: OnServer, tmp_path: Path) -> None:
    ana, guest = open_visitor(invite), open_visitor(invite)
    call_oneself(ana, "Ana")
    pages = on_server(fill_club)
    club, one = f"/clubs/{pages['club']}/", f"/tournaments/{pages['one']}/"
    paths = [
        f"{one}standings/", f"{one}entrants/4/", f"/evenings/{pages['evening']}/",
        f"/tournaments/{pages['ladder']}/ladder/",
    ]  # fmt: skip
    found = {path: list(examine(ana, path, 200, WAYS)) for path in paths}
    found["console"] = open_decisions(ana, one)
    found["import"] = preview(ana, one)
    found["restore"] = upload_broken_archive(ana, club, tmp_path)
    guest.go(f"/enter/{pages['link']}/")
    found["on the list"] = list(find_violations(guest, WAYS))
    for path in (f"{one}claim/{pages['claim']}/", f"{one}rounds/2/1/"):
        found[path] = list(examine(guest, path, 200, WAYS))
    assert found == {name: [] for name in found}


def open_decisions(ana: Visitor, one: str) -> list[str]:
    """What an organiser decides about a table."""
    ana.go(f"{one}console/")
    ana.at("details.decide summary").first.click()
    expect(ana.at(".settle .substitute").first).to_be_visible()
    return list(find_violations(ana, WAYS))


def preview(ana: Visitor, one: str) -> list[str]:
    """A list with good lines and bad ones."""
    ana.go(f"{one}import/")
    ana.at("textarea").fill("name,club\nZoe,Harbour\nZoe,Harbour\nAda\n,nobody\n" + "x" * 50)
    press(ana, "Show preview")
    expect(ana.at(".note.error, table").first).to_be_visible()
    return list(find_violations(ana, WAYS))


def upload_broken_archive(ana: Visitor, club: str, tmp_path: Path) -> list[str]:
    """An archive that is none."""
    (tmp_path / "cut.zip").write_bytes(b"PK\x03\x04 cut off")
    ana.go(f"{club}restore/")
    ana.at("#file").set_input_files(tmp_path / "cut.zip")
    press(ana, "Import archive")
    expect(ana.at("[role=alert]")).to_contain_text("This archive cannot be opened.")
    found = list(find_violations(ana, WAYS))
    with zipfile.ZipFile(tmp_path / "long.zip", "w") as file:  # too long to be waited for
        file.writestr("pictures.json", "0" * 2 * AT_ONCE)
    ana.at("#file").set_input_files(tmp_path / "long.zip")
    press(ana, "Import archive")
    expect(ana.at("#errand")).to_contain_text("There is no tournament.json in this archive.")
    return found + list(find_violations(ana, WAYS))
