"""Pages offer only possible actions, mark bots, and compare duplicate deals truthfully."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from games import models
from games.templatetags import menagerie
from tests.cast import NOW, browser, person
from tests.html import read_page
from tests.tournaments.cast import NAMES, begin, decide_all, enter, play_round, release
from tournaments.flow.entry import attendance, sign_up
from tournaments.flow.rounds import lifecycle, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.standings.book_reading import open_book
from tournaments.flow.undo import step_undo
from tournaments.models import Membership, Pod, PodSeat, Step, Tournament
from tournaments.views.standings import tournament_view as views


def page(client: Client, tournament: Tournament, name: str, *args: object) -> str:
    return read_page(client.get(reverse(f"tournaments:{name}", args=[tournament.pk, *args])))


@pytest.mark.parametrize(
    ("overrides", "opens"), [({}, True), ({"is_public": False}, True), ({"duplicate": True}, False)]
)
def test_a_table_is_to_be_watched_only_where_the_door_opens(
    ana: models.Player, overrides: dict[str, bool], opens: bool
) -> None:
    tournament = begin(ana, (), venue="online", most=4, **overrides)
    players = enter(tournament, *NAMES[:4])
    member = person("Mara")
    Membership.objects.create(club=tournament.club, player=member)
    release(ana, tournament, 1)
    door = reverse("table", args=[Pod.objects.get().table_id])
    assert (browser(member).get(door).status_code == 200) == opens
    assert (door in page(browser(member), tournament, "pairings")) == opens
    assert (door in page(browser(ana), tournament, "console")) == opens
    assert door in page(browser(players[0]), tournament, "pairings")
    assert door in page(browser(players[0]), tournament, "tournament")


def test_the_result_of_a_table_on_screens_is_entered_by_nobody(ana: models.Player) -> None:
    tournament = begin(ana, (), venue="online", most=4)
    players = enter(tournament, *NAMES[:4])
    release(ana, tournament, 1)
    shown = page(browser(players[0]), tournament, "pod", 1, 1)
    assert ("Its result comes in automatically." in shown, 'name="place-0"' in shown) == (True, False)


def test_a_substitute_sees_where_they_play(ana: models.Player, ben: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], venue="real", most=4)
    Membership.objects.create(club=tournament.club, player=ben)
    release(ana, tournament, 1)
    seat = Pod.objects.get().seats.get(entrant__name="Ada")
    lifecycle.substitute(tournament, ana, seat.pk, player=ben, now=NOW)
    shown = page(browser(ben), tournament, "tournament")
    assert "You play for Ada at table 1" in shown
    assert reverse("tournaments:pod", args=[tournament.pk, 1, 1]) in shown


def test_bots_are_marked_in_the_hall_and_on_paper(ana: models.Player) -> None:
    tournament = begin(ana, (), most=4, rounds_planned=2)
    enter(tournament, *NAMES[:3])
    sign_up.add_bot(tournament, ana, name="Bruno", level="steady", now=NOW)
    play_round(ana, tournament, 1)
    release(ana, tournament, 2)
    assert page(Client(), tournament, "hall").count("Bruno <small>bot</small>") == 3  # at the table, by name, in front
    assert "Bruno (bot)" in page(Client(), tournament, "print", "standings")
    assert "Bruno" not in page(Client(), tournament, "print", "certificates")


def test_the_same_cards_stand_beside_the_standing(ana: models.Player) -> None:
    tournament = begin(ana, (), venue="online", most=4, duplicate=True, rounds_planned=1)
    players = enter(tournament, *NAMES[:8])
    play_round(ana, tournament, 1)
    for name in ("standings", "pairings"):
        shown = page(browser(players[0]), tournament, name)
        assert "Same cards at other tables" in shown, name
        assert "Same cards at other tables" not in page(Client(), tournament, name)


def test_the_same_cards_lay_on_screens_only(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[8:12], venue="apart", least=4, most=4, duplicate=True, rounds_planned=1)
    players = enter(tournament, *NAMES[:8])
    release(ana, tournament, 1)
    last = PodSeat.objects.get(pod__number=3, index=2)
    results.set_fate(tournament, ana, last.pk, PodSeat.Fate.NO_SHOW, now=NOW)
    lifecycle.begin_now(tournament, ana, 1, now=NOW)
    decide_all(ana, tournament, 1)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    book = open_book(tournament)
    comparisons = {one.name: views.list_comparisons(book, book.rounds[0], one) for one in book.entrants.values()}
    assert [pod.is_online for pod in book.pods[book.rounds[0].pk]] == [False, True, True]
    assert {name for name, rows in comparisons.items() if not rows} == {
        *NAMES[8:12],
        *name_in_seat(2, 2),
        *name_in_seat(3, 2),
    }
    for player in players:
        rows = comparisons[player.name]
        assert [row["table"] for row in rows] == [2, 3][: len(rows)]
        assert [row["name"] for row in rows if row["is_me"]] == [player.name][: len(rows)]
        assert len({row["place"] for row in rows}) <= 1  # the first seat has won everywhere


def test_where_no_game_has_begun_nobody_had_the_same_cards(ana: models.Player) -> None:
    """They have played in the room, or not at all, and what that came to says nothing of the cards."""
    tournament = begin(ana, (), venue="online", most=4, duplicate=True, rounds_planned=1)
    enter(tournament, *NAMES[:12])
    release(ana, tournament, 1)
    results.decide(tournament, ana, Pod.objects.get(number=1).pk, ReportedResult((1, 2, 3, 4)), now=NOW)
    lifecycle.begin_now(tournament, ana, 1, now=NOW)
    lifecycle.complete(tournament, ana, 1, missing="shared", now=NOW)
    book = open_book(tournament)
    comparisons = [views.list_comparisons(book, book.rounds[0], one) for one in book.entrants.values()]
    assert sorted({tuple(row["table"] for row in rows) for rows in comparisons}) == [(), (2, 3)]


def name_in_seat(table: int, index: int) -> set[str]:
    """Who sat on this chair."""
    return {PodSeat.objects.get(pod__number=table, index=index).entrant.name}


def test_people_stand_in_the_order_in_which_they_came_in(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], venue="real", most=4)
    release(ana, tournament, 1)
    pod = Pod.objects.get()
    seated = list(pod.seats.order_by("index").values_list("entrant__name", flat=True))
    orders = [order(tournament, name, *place) for name, *place in PLACES_OF_NAMES]
    results.decide(tournament, ana, pod.pk, ReportedResult((3, 1, 4, 2)), now=NOW)
    finish = [seated[1], seated[3], seated[0], seated[2]]
    assert orders == [seated] * 3
    assert [order(tournament, name, *place) for name, *place in PLACES_OF_NAMES] == [finish] * 3


PLACES_OF_NAMES = (("pairings",), ("hall",), ("pod", 1, 1))


def order(tournament: Tournament, name: str, *args: object) -> list[str]:
    """The names at the only table of this page, in their order."""
    shown = page(browser(), tournament, name, *args)
    first = shown.index('class="seats' if name != "hall" else '<b class="number">')
    names = re.findall("|".join(NAMES[:4]), shown[first:])
    return names[:4]


def test_a_chronicle_of_two_days_has_a_line_for_each(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], venue="real", most=4)
    release(ana, tournament, 1)
    pod = Pod.objects.get()
    results.decide(tournament, ana, pod.pk, ReportedResult((3, 1, 4, 2)), now=NOW)
    lifecycle.complete(tournament, ana, 1, now=NOW + 86_400)
    for name, reader in (("chronicle", browser()), ("log", browser(ana))):
        shown = page(reader, tournament, name)
        assert re.findall(r'<li class="day"><b>(.*?)</b></li>', shown) == ["16 Jan 2055", "15 Jan 2055"]
        positions = [
            shown.index(text) for text in ("16 Jan 2055", "completed round 1", "15 Jan 2055", "set the result")
        ]
        assert positions == sorted(positions)


def test_a_chronicle_tells_a_result_as_soon_as_a_second_player_says_it(ana: models.Player) -> None:
    tournament = begin(ana, (), venue="real", most=4)
    one, other, *_ = enter(tournament, *NAMES[:4])
    tournament.entrants.update(status="present")
    release(ana, tournament, 1)
    for player, times in ((one, 0), (other, 1)):
        results.enter(tournament, player, Pod.objects.get().pk, ReportedResult((3, 1, 4, 2)), now=NOW)
        assert page(browser(), tournament, "chronicle").count("entered the result of table 1: 1. ") == times


def test_a_bell_that_waits_has_no_hour(ana: models.Player) -> None:
    tournament = begin(ana, (), venue="online", most=4, round_minutes=30)
    [player, *_] = enter(tournament, *NAMES[:4])
    release(ana, tournament, 1)
    assert "Ends at" in page(browser(ana), tournament, "console")
    assert "All tables are paused." not in page(browser(player), tournament, "tournament")
    lifecycle.pause(tournament, ana, 1, now=NOW)
    text = page(browser(ana), tournament, "console")
    assert ("Ends at" in text, "The clock is paused, too." in text) == (False, True)
    assert "All tables are paused." in page(browser(player), tournament, "tournament")


def test_nobody_lays_a_card_on_a_screen(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], venue="apart", least=4, most=4)
    enter(tournament, *NAMES[4:8])
    release(ana, tournament, 1)
    cards, sheet = (page(browser(ana), tournament, "print", name) for name in ("cards", "pairings"))
    assert (cards.count('class="qr-code"'), sheet.count("online")) == (1, 1)
    online = begin(ana, (), name="Friday", venue="online", most=4)
    enter(online, *NAMES[8:12])
    release(ana, online, 1)
    assert "Nothing to print. All tables of this round are online." in page(browser(ana), online, "print", "cards")


def test_a_knockout_knows_no_points_and_does_not_say_how_many_rounds_it_has(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], venue="real", most=4, format="knockout")
    release(ana, tournament, 1)
    text = page(browser(ana), tournament, "pairings"), page(browser(ana), tournament, "console")
    assert ["Points before this round" in one for one in text] == [False, False]
    assert re.findall(r'aria-current="step">(Round[^<]*)<', text[1]) == ["Round 1"]


@pytest.mark.parametrize(("language", "day"), [("en", "5 Nov 2026"), ("de", "05.11.2026"), ("pl", "05.11.2026")])
def test_a_day_in_a_list_is_written_as_its_readers_write_it(language: str, day: str) -> None:
    with translation.override(language):
        assert menagerie.day(datetime(2026, 11, 5, 12, tzinfo=UTC).timestamp()) == day


def test_who_did_not_play_has_no_place_anywhere(ana: models.Player) -> None:
    tournament = begin(ana, (), venue="real", most=4, rounds_planned=1)
    players = enter(tournament, *NAMES[:4])
    release(ana, tournament, 1)
    pod = Pod.objects.get()
    gone, first, second, third = (seat.entrant for seat in pod.seats.select_related("entrant").order_by("index"))
    results.set_fate(tournament, ana, pod.seats.get(index=0).pk, PodSeat.Fate.NO_SHOW, now=NOW)
    phones = [browser(player) for player in players if player.pk != gone.player_id]
    shown = page(phones[0], tournament, "pod", 1, 1)
    settling = page(browser(ana), tournament, "settle", 1)
    assert ['name="place-0"' in text for text in (shown, settling)] == [False, False]
    assert ['name="place-1"' in text for text in (shown, settling)] == [True, True]
    at = reverse("tournaments:pod", args=[tournament.pk, 1, 1])
    for phone in phones[:2]:
        phone.post(at, {"action": "enter", "place-1": 2, "place-2": 1, "place-3": 3})
    standing_of = [second.name, first.name, third.name, gone.name]
    for name, *place in PLACES_OF_NAMES:
        assert order(tournament, name, *place) == standing_of, name
    page_text = page(browser(), tournament, "pod", 1, 1)
    assert re.findall(r'<b class="place">(.*?)</b>', page_text) == ["1.", "2.", "3.", "–"]
    lifecycle.complete(tournament, ana, 1, now=NOW)
    table = page(browser(), tournament, "standings")
    assert sorted(standing_of, key=lambda name: table.index(f"{name}<")) == standing_of


def test_the_button_says_what_it_would_do_again(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], venue="real")
    for _time in range(2):
        step_undo.revert(tournament, ana, Step.objects.latest("number").number, now=NOW)
        assert "Redo: Ana added Dan</button>" in page(browser(ana), tournament, "console")
        step_undo.revert(tournament, ana, Step.objects.latest("number").number, now=NOW)
        assert "Redo" not in page(browser(ana), tournament, "console")


@pytest.mark.parametrize("venue", ["real", "mixed"])
def test_where_all_play_at_real_tables_nobody_is_asked_where_and_no_bot_is_offered(
    ana: models.Player, venue: str
) -> None:
    html = page(browser(ana), begin(ana, NAMES[:4], venue=venue), "console")
    assert ("in the room</small>" in html, "Penalties, names and bots" in html) == (venue == "mixed", venue == "mixed")


def test_a_name_with_a_comma_is_one_name_in_the_preview_of_a_list(ana: models.Player) -> None:
    url = reverse("tournaments:import", args=[begin(ana, ()).pk])
    html = read_page(browser(ana).post(url, {"text": 'name\n"Lee, Ann"\nBo'}))
    assert re.findall(r"<li>([^<]*?)\s*</li>", re.split('<ul class="people"[^>]*>', html)[1]) == ["Lee, Ann", "Bo"]


@pytest.mark.parametrize(("venue", "is_said"), [("mixed", True), ("online", True), ("real", False)])
def test_only_tables_on_screens_are_said_to_get_the_same_cards(ana: models.Player, venue: str, is_said: bool) -> None:
    html = page(Client(), begin(ana, (), venue=venue, duplicate=True), "tournament")
    assert ("Duplicate deals: all online tables" in html) == is_said


def test_a_step_about_very_many_is_told_in_short_beside_its_button_and_whole_in_the_log(ana: models.Player) -> None:
    people = tuple(f"Guest {number:02d}" for number in range(40))
    tournament = begin(ana, people)
    attendance.set_away(tournament, ana, list(tournament.entrants.values_list("pk", flat=True)), away=True, now=NOW)
    shown = page(browser(ana), tournament, "console")
    button = re.search(r'id="undo"[^>]*>(.*?)</button>', shown)
    assert button is not None
    assert button[1].startswith("Undo: Ana marked as sitting out: Guest 00, Guest 01")
    assert len(button[1]) < 130
    assert "Guest 38, Guest 39" not in shown
    assert "Guest 38, Guest 39" in page(browser(ana), tournament, "log")
