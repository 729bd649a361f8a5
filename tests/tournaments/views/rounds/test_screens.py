"""Screens of the hall that show one thing, and the organiser's console by task."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Player
from tests.cast import NOW, browser
from tests.tournaments.cast import NAMES, begin, check_in, decide_all, draw, enter, plan, play_round, release
from tournaments.flow.entry import attendance, sign_up
from tournaments.flow.entry.imports import ImportedLine
from tournaments.flow.planning import phases
from tournaments.flow.rounds import lifecycle
from tournaments.models import Entrant, Phase, Tournament
from tournaments.views.rounds import console, hall, prints


def show(tournament: Tournament, query: str = "") -> str:
    return Client().get(reverse("tournaments:hall", args=[tournament.pk]) + query).content.decode()


def list_sheets(page: str) -> list[str]:
    return re.findall(r'class="sheet[^>]*?aria-label="([^"]+)"', page)


@pytest.fixture
def night(ana: Player) -> Tournament:
    """Two real tables, a round under way with a clock."""
    tournament = begin(ana, venue="real", round_minutes=60)
    release(ana, tournament, 1)
    return tournament


@pytest.mark.parametrize(
    ("query", "sheets"),
    [
        ("", ["Pairings", "By name"]),
        ("?show=names", ["By name"]),
        ("?show=tables", ["Pairings"]),
        ("?show=standings", ["Waiting"]),
        ("?show=timer", ["Time"]),
        ("?show=missing", ["Not here yet"]),
        ("?show=nonsense", ["Pairings", "By name"]),
    ],
)
def test_a_screen_shows_what_its_address_says(night: Tournament, query: str, sheets: list[str]) -> None:
    page = show(night, query)
    assert list_sheets(page) == sheets
    assert page.count("data-ends=") == 1


def test_several_screens_share_the_names(night: Tournament) -> None:
    found = [re.findall(r"<li><span>(\w+)</span>", show(night, f"?show=names&screen={at}&of=2")) for at in (1, 2)]
    assert found == [list(NAMES[:4]), list(NAMES[4:8])]
    assert re.findall(r"<li><span>(\w+)</span>", show(night, "?show=names&screen=9&of=2")) == list(NAMES[4:8])


def test_the_wall_names_those_who_are_missing_until_the_first_draw(ana: Player) -> None:
    tournament = plan(ana, venue="real")
    check_in(ana, tournament, NAMES[:8])
    ids = list(tournament.entrants.order_by("number").values_list("pk", flat=True))
    attendance.mark_missing(tournament, ana, ids[:2], now=NOW)
    page = show(tournament)
    assert list_sheets(page)[0] == "Not here yet"
    assert re.findall(r"<li><span>(\w+)</span></li>", page) == ["Ada", "Bea"]
    attendance.check_in(tournament, ana, ids[:2], now=NOW)
    assert "Everybody is here." in show(tournament, "?show=missing")
    assert "Not here yet" not in show(tournament)


def test_a_large_hall_shows_names_first_and_no_sheets_of_tables(ana: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = begin(ana, venue="real")
    release(ana, tournament, 1)
    monkeypatch.setattr(hall, "MAX_POD_SHEETS", 0)
    assert list_sheets(show(tournament)) == ["By name"]
    assert list_sheets(show(tournament, "?show=tables")) == ["Pairings"]


def test_a_knockout_shows_its_bracket_with_stages_by_name(ana: Player) -> None:
    cup = begin(ana, NAMES[:16], venue="real", format="knockout", wanted=4, least=4, most=4)
    page = reverse("tournaments:standings", args=[cup.pk])
    assert 'class="bracket"' not in Client().get(page).content.decode()
    play_round(ana, cup, 1)
    release(ana, cup, 2)
    shown = Client().get(page).content.decode()
    assert re.findall(r'class="stage"[^>]*>([^<]+)', shown) == ["Quarter-final", "Semi-final"]
    assert (shown.count("<rect"), shown.count("<path d=")) == (6, 8)
    assert len(re.findall(r'class="on"', shown)) == 8
    assert list_sheets(show(cup, "?show=bracket")) == ["Bracket"]
    assert "Semi-final" in browser(ana).get(reverse("tournaments:console", args=[cup.pk])).content.decode()
    printed = browser(ana).get(reverse("tournaments:print", args=[cup.pk, "standings"])).content.decode()
    assert re.findall(r'class="stage"[^>]*>([^<]+)', printed) == ["Quarter-final", "Semi-final"]


def test_on_the_wall_a_bracket_has_pages_whose_names_can_be_read(ana: Player) -> None:
    """Up to four tables of four stand above one another; beside the quarter-final, those that led to it."""
    crowd = [f"{name} {number}" for number in (1, 2, 3) for name in NAMES][:56]
    cup = begin(ana, crowd, venue="real", format="knockout", wanted=4, least=4, most=4, advance=1)
    release(ana, cup, 1)
    assert list_sheets(show(cup, "?show=bracket")) == ["Bracket"] * 2
    assert re.findall(r'class="stage"[^>]*>([^<]+)', show(cup, "?show=bracket")) == ["Last 56"] * 2
    assert show(cup, "?show=bracket").count("<rect") == 14
    decide_all(ana, cup, 1)
    lifecycle.complete(cup, ana, 1, now=NOW)
    release(ana, cup, 2)
    shown = show(cup, "?show=bracket")
    assert list_sheets(shown) == ["Bracket"] * 4
    assert re.findall(r'class="stage"[^>]*>([^<]+)', shown) == ["Last 56", "Quarter-final"] * 4
    assert shown.count("<rect") == 14 + 4 * (3 + 1)  # two people have a bye, in one box
    assert shown.count("<path d=") == 14


def test_slips_and_cards_have_boxes_for_places_and_for_scores_if_there_are_any(ana: Player) -> None:
    for game, has_scores in (("super-zwierzaki", False), ("karriere-poker", True)):
        tournament = begin(ana, venue="real", game=game, options={}, wanted=4, least=4, most=4)
        release(ana, tournament, 1)
        slips = Client().get(reverse("tournaments:print", args=[tournament.pk, "slips"])).content.decode()
        assert slips.count('<section class="slip">') == 2
        assert slips.count('<td class="box">') == (16 if has_scores else 8)
        cards = Client().get(reverse("tournaments:print", args=[tournament.pk, "cards"])).content.decode()
        assert cards.count('<span class="box"') == (16 if has_scores else 8)
        assert cards.count("<span>Score</span>") == (2 if has_scores else 0)


def test_the_list_for_the_door_has_a_box_for_everybody_and_lines_for_walk_ins(ana: Player) -> None:
    tournament = plan(ana, venue="real", capacity=2, fee="5 euros")
    phases.move_on(tournament, ana, Phase.ENTRY, now=NOW)
    enter(tournament, "Pia", "Ben", "Ada")
    phases.move_on(tournament, ana, Phase.CHECK_IN, now=NOW)
    here = tournament.entrants.get(name="Pia")
    attendance.check_in(tournament, ana, [here.pk], now=NOW)
    page = Client().get(reverse("tournaments:print", args=[tournament.pk, "entrants"])).content.decode()
    assert re.findall(r"<span>(\w+)</span></li>", page) == ["Ben", "Pia", "Ada"]  # Ada waits
    assert (page.count("<li><i>"), page.count('aria-hidden="true">×<')) == (3 + prints.FREE_LINES, 1)
    assert ("Fee: 5 euros" in page, "Signed up: 2" in page, "Waiting list" in page) == (True, True, True)


# --- the console by task ------------------------------------------------------------------------------------------


def list_parts(page: str) -> list[str]:
    ids = {"tables-title": "tables", "people": "people", "further": "further", "steps-title": "log"}
    return [name for mark, name in ids.items() if f'id="{mark}"' in page]


def test_a_small_console_is_one_page_and_a_large_one_a_page_for_each_task(
    ana: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = begin(ana, venue="real")
    client, url = browser(ana), reverse("tournaments:console", args=[tournament.pk])

    def read(query: str = "") -> list[str]:
        page = client.get(url + query).content.decode()
        assert page.count('id="next"') == 1, "the next step is on every page"
        return list_parts(page)

    draw(ana, tournament, 1)
    assert read() == ["tables", "people", "further", "log"]
    monkeypatch.setattr(console, "MAX_ON_ONE_PAGE", 7)
    assert read() == ["tables", "further"]
    assert read("?task=people") == ["people", "further"]
    assert read("?task=log") == ["log"]
    assert read("?task=results") == []
    assert read("?task=nonsense") == ["tables", "further"]


def test_a_long_draft_shows_names_and_what_to_look_at_first(ana: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight people at two tables of four meet again in the second round. Reasons are unfolded table by table."""
    tournament = begin(ana, venue="real", least=4, most=4)
    play_round(ana, tournament, 1)
    draw(ana, tournament, 2)
    client, url = browser(ana), reverse("tournaments:console", args=[tournament.pk])
    assert 'class="why"' not in client.get(url).content.decode()
    monkeypatch.setattr(console, "MAX_ON_ONE_PAGE", 7)
    page = client.get(url).content.decode()
    heading, *tables = re.findall(r'<li>(Tables where[^<]+)</li>|<a href="#pod-(\d)">', page)
    assert (heading[0], [number for _, number in tables]) == ("Tables where people meet again", ["1", "2"])
    [remarks, reasons] = (re.findall(rf"<{tag}>?[^<]* meet again ", page) for tag in ('p class="remark"', "li"))
    assert sorted(map(len, (remarks, reasons))) == [len(reasons)] * 2
    assert len(re.findall(r'<details class="why" id="why-\d"><summary><h3>Table', page)) == 2


def test_a_button_leads_back_to_its_task_and_the_main_one_to_the_next_step(ana: Player) -> None:
    tournament = begin(ana, venue="real")
    client, url = browser(ana), reverse("tournaments:do", args=[tournament.pk])
    came_from = {"referer": f"http://testserver{reverse('tournaments:console', args=[tournament.pk])}?task=people"}
    sent = client.post(url, {"action": "walk-in", "name": "Zoe", "part": "walk-in"}, headers=came_from)
    assert sent["Location"].endswith("/console/?task=people#walk-in")
    sent = client.post(url, {"action": "draw", "round": 1}, headers=came_from)
    assert sent["Location"].endswith("/console/#step")
    elsewhere = {"referer": "http://testserver/?task=<script>"}
    sent = client.post(url, {"action": "rename", "entrant": 0, "name": "X", "part": "people"}, headers=elsewhere)
    assert sent["Location"].endswith("/console/#people")


def test_a_page_of_one_task_is_a_fraction_of_the_console_of_200(ana: Player) -> None:
    tournament = plan(ana, venue="real")
    check_in(ana, tournament)
    lines = [ImportedLine(at, f"Person Number {at}") for at in range(200)]
    sign_up.add_imported(tournament, ana, lines, now=NOW)
    Entrant.objects.filter(tournament=tournament).update(status="present")
    client, url = browser(ana), reverse("tournaments:console", args=[tournament.pk])
    whole = len(client.get(url, {"task": "people"}).content)
    assert len(client.get(url, {"task": "results"}).content) < whole / 4
