"""Where somebody plays is a property of their entry: on a device or in the room. Nothing else decides it."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.urls import reverse

from games import models
from games.play.errors import BadInput, NotAllowed, Stale
from tests.cast import NOW, browser, person
from tests.tournaments.cast import (
    NAMES,
    begin,
    check_in,
    decide_all,
    draw,
    enter,
    entrant,
    import_file,
    plan,
    play_round,
    release,
    standing,
)
from tournaments.flow.archive import tournament_document
from tournaments.flow.drawing import draw_requests
from tournaments.flow.entry import attendance, imports, organiser_decisions, sign_up
from tournaments.flow.rounds import lifecycle
from tournaments.flow.standings.book_reading import open_book
from tournaments.flow.undo import step_undo
from tournaments.models import Entrant, PairRule, Pod, Round, Step, Tournament
from tournaments.words.step_words import say_step

FOURS: dict[str, Any] = {"venue": "mixed", "least": 4, "most": 4, "rounds_planned": 3}
PHONES = ("Zoe", "Yan", "Xav", "Wes")


def evening(owner: models.Player, **overrides: Any) -> tuple[Tournament, list[models.Player]]:
    """Four by name only, and four who entered on their phones; halves of the room are drawn apart."""
    tournament = begin(owner, NAMES[:4], **FOURS | {"venue": "apart"} | overrides)
    players = enter(tournament, *PHONES)
    tournament.entrants.update(status="present")
    return tournament, players


def on_devices(tournament: Tournament) -> set[str]:
    """Who plays on a device."""
    return set(tournament.entrants.filter(is_on_device=True).values_list("name", flat=True))


def at_online_tables(tournament: Tournament, number: int) -> set[str]:
    """Who sits at the online tables of a round."""
    pods = Pod.objects.filter(round__tournament=tournament, round__number=number, is_online=True)
    return set(pods.values_list("seats__entrant__name", flat=True))


def pages(tournament: Tournament) -> tuple[str, str]:
    """Where people and organisers send their forms."""
    return (reverse("tournaments:act", args=[tournament.pk]), reverse("tournaments:do", args=[tournament.pk]))


def test_people_by_name_play_in_the_room_and_phones_on_devices(ana: models.Player) -> None:
    tournament, _ = evening(ana)
    assert on_devices(tournament) == set(PHONES)
    draw(ana, tournament, 1)
    assert at_online_tables(tournament, 1) == set(PHONES)


def test_scanning_a_table_card_to_report_a_result_changes_nothing(ana: models.Player) -> None:
    """Four people at a real table report a result with their phones, and stay in the room in later rounds."""
    tournament = begin(ana, NAMES[:4], **FOURS)
    release(ana, tournament, 1)
    for name in NAMES[:4]:
        phone = Client()
        page = phone.get(reverse("tournaments:entry_link", args=[tournament.entry_token]) + "?table=1-1")["Location"]
        assert "Where do you play?" not in phone.get(page).content.decode()
        sent = {"action": "claim", "entrant": entrant(tournament, name).pk, "table": "1-1"}
        assert phone.post(pages(tournament)[0], sent)["Location"] == page
    assert not tournament.entrants.filter(player=None).exists()
    assert on_devices(tournament) == set()
    results = {f"place-{seat}": seat + 1 for seat in range(4)}
    phone.post(page, {"action": "enter", **results})
    decide_all(ana, tournament, 1)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    draw(ana, tournament, 2)
    assert at_online_tables(tournament, 2) == set()


@pytest.mark.parametrize(("sentence", "expected"), [("device", {"Ada"}), ("room", set()), ("", set())])
def test_who_claims_a_name_says_where_they_play(ana: models.Player, sentence: str, expected: set[str]) -> None:
    tournament = begin(ana, NAMES[:4], **FOURS)
    ada = entrant(tournament, "Ada")
    page, phone = reverse("tournaments:claim", args=[tournament.pk, ada.claim_token]), Client()
    shown = phone.get(page).content.decode()
    assert "Where do you play?" in shown
    assert 'value="room" required checked' in shown
    phone.post(page, {"where": sentence} if sentence else {})
    assert on_devices(tournament) == expected


def test_the_list_behind_the_link_asks_where(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], **FOURS)
    phone = Client()
    page = phone.get(reverse("tournaments:entry_link", args=[tournament.entry_token]))["Location"]
    shown = phone.get(page).content.decode().partition('id="who-i-am"')[2]
    assert "Where do you play?" in shown
    assert "checked" not in shown.partition("</form>")[0]
    ada = entrant(tournament, "Ada").pk
    phone.post(pages(tournament)[0], {"action": "claim", "entrant": ada, "where": "device"})
    assert on_devices(tournament) == {"Ada"}
    assert "You play on a device." in phone.get(page).content.decode()


@pytest.mark.parametrize(
    ("venue", "sentence", "is_on_device"),
    [("mixed", "device", True), ("mixed", "room", False), ("apart", "", True), ("real", "", False),
     ("real", "device", False), ("online", "room", True)],
)  # fmt: skip
def test_who_enters_says_where_if_both_are_played(
    ana: models.Player, venue: str, sentence: str, *, is_on_device: bool
) -> None:
    tournament = begin(ana, [], **FOURS | {"venue": venue})
    ben = browser(person("Ben"))
    asks = "Where do you play?" in ben.get(reverse("tournaments:tournament", args=[tournament.pk])).content.decode()
    assert asks == (venue in ("mixed", "apart"))
    ben.post(pages(tournament)[0], {"action": "enter", "name": "Ben", "where": sentence})
    assert entrant(tournament, "Ben").is_on_device == is_on_device


def test_people_change_it_until_the_next_draw_and_organisers_always(ana: models.Player) -> None:
    tournament, (zoe, *_) = evening(ana)
    page = reverse("tournaments:tournament", args=[tournament.pk])
    assert "Play in the room" in browser(zoe).get(page).content.decode()
    browser(zoe).post(pages(tournament)[0], {"action": "in-room"})
    assert not entrant(tournament, "Zoe").is_on_device
    browser(zoe).post(pages(tournament)[0], {"action": "on-device"})
    draw(ana, tournament, 1)
    shown = browser(zoe).get(page).content.decode()
    assert "Ask an organiser to change where you play." in shown
    assert 'value="in-room"' not in shown
    with pytest.raises(Stale, match="has already been drawn"):
        attendance.play_where(tournament, zoe, [entrant(tournament, "Zoe").pk], on_device=False, now=NOW)
    attendance.play_where(tournament, ana, [entrant(tournament, "Zoe").pk], on_device=False, now=NOW)
    assert at_online_tables(tournament, 1) == set()  # their table of the draft went to the room with them


def test_nobody_else_changes_it(ana: models.Player) -> None:
    tournament, (_, yan, *_) = evening(ana)
    with pytest.raises(NotAllowed):
        attendance.play_where(tournament, yan, [entrant(tournament, "Zoe").pk], on_device=False, now=NOW)
    assert on_devices(tournament) == set(PHONES)


def test_the_organiser_changes_several_at_once_and_takes_it_back(ana: models.Player) -> None:
    tournament, _ = evening(ana)
    ids = [entrant(tournament, name).pk for name in ("Zoe", "Yan")]
    desk, (_, do) = browser(ana), pages(tournament)
    desk.post(do, {"action": "people", "what": "in-room", "entrant": ids})
    assert on_devices(tournament) == {"Xav", "Wes"}
    step = Step.objects.filter(tournament=tournament).latest("number")
    assert say_step(step, format_slug="swiss") == "set to play in the room: Zoe, Yan"
    console = desk.get(reverse("tournaments:console", args=[tournament.pk])).content.decode()
    assert console.count("on a device</small>") == 2
    assert console.count("in the room</small>") == 6
    desk.post(do, {"action": "undo", "step": step.number})
    assert on_devices(tournament) == set(PHONES)
    undone = Step.objects.filter(tournament=tournament).latest("number")
    step_undo.revert(tournament, ana, undone.number, now=NOW)
    assert on_devices(tournament) == {"Xav", "Wes"}


def test_a_draw_is_not_done_again_where_somebody_plays_elsewhere_by_now(ana: models.Player) -> None:
    tournament, _ = evening(ana)
    draw(ana, tournament, 1)
    step = Step.objects.get(tournament=tournament, kind="draw")
    step_undo.revert(tournament, ana, step.number, now=NOW)
    undone = Step.objects.filter(tournament=tournament).latest("number")
    attendance.play_where(tournament, ana, [entrant(tournament, "Zoe").pk], on_device=False, now=NOW)
    with pytest.raises(Stale, match="a place to play has changed since this draw"):
        step_undo.revert(tournament, ana, undone.number, now=NOW)


def test_a_draw_under_way_is_made_anew_for_who_changes_places(
    ana: models.Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer that comes for the former places is not laid out."""
    tournament, _ = evening(ana)
    everybody = list(tournament.entrants.values_list("pk", flat=True))
    work_out = draw_requests._compute_draw

    def change_meanwhile(*args: Any, **kwargs: Any) -> Any:
        found = work_out(*args, **kwargs)
        attendance.play_where(tournament, ana, everybody, on_device=False, now=NOW)
        return found

    monkeypatch.setattr(draw_requests, "_compute_draw", change_meanwhile)
    draw(ana, tournament, 1)
    assert Round.objects.get(tournament=tournament).status == "draft"
    assert at_online_tables(tournament, 1) == set()


def test_where_a_bot_sits_at_the_table_of_the_draft_it_is_swapped_first(ana: models.Player) -> None:
    tournament = begin(ana, [], **FOURS)
    enter(tournament, "Zoe", "Yan", "Xav")
    tournament.entrants.update(status="present")
    sign_up.add_bot(tournament, ana, name="Robot", level="steady", now=NOW)
    draw(ana, tournament, 1)
    with pytest.raises(BadInput, match="Cannot play at a real table: Robot"):
        attendance.play_where(tournament, ana, [entrant(tournament, "Zoe").pk], on_device=False, now=NOW)
    assert entrant(tournament, "Zoe").is_on_device


def test_by_name_alone_nobody_is_drawn_onto_an_online_table(ana: models.Player) -> None:
    """Somebody who is to play on a device and has not claimed their name: nobody could open the table for them."""
    tournament = begin(ana, NAMES[:4], **FOURS)
    attendance.play_where(tournament, ana, [one.pk for one in tournament.entrants.all()], on_device=True, now=NOW)
    page = browser(ana).get(reverse("tournaments:console", args=[tournament.pk])).content.decode()
    assert page.count("on a device, name not claimed yet</small>") == 4
    draw(ana, tournament, 1)
    assert at_online_tables(tournament, 1) == set()


def test_a_list_says_where_people_play(ana: models.Player) -> None:
    tournament = plan(ana, **FOURS)
    check_in(ana, tournament)
    text = "name;wo\nAda;Gerät\nBea;Raum\nCem;\nDan;device\nEli;sala\nFay;Mars\n"
    found = imports.preview(text)
    assert [(one.number, one.fault.template % one.fault.values) for one in found.bad if one.fault] == [
        (7, "“Mars” is not a place to play. Use “device” or “room”")
    ]
    sign_up.add_imported(tournament, ana, found.good, now=NOW)
    assert on_devices(tournament) == {"Ada", "Dan"}


def test_the_api_and_an_archive_say_where_people_play(ana: models.Player) -> None:
    tournament, _ = evening(ana)
    answer = Client().get(f"/api/v1/tournaments/{tournament.pk}/entrants").json()
    assert {one["name"] for one in answer if one["is_on_device"]} == set(PHONES)
    play_round(ana, tournament, 1)
    document = json.loads(tournament_document.write_json(tournament_document.describe(open_book(tournament))))
    assert on_devices(import_file(tournament.club, ana, json.dumps(document).encode())) == set(PHONES)
    for one in document["entrants"]:
        del one["is_on_device"]  # as archives were before
    document["club"] = "Another"
    former = import_file(tournament.club, ana, json.dumps(document).encode())
    assert on_devices(former) == set()
    assert standing(former) == standing(tournament)


def test_every_tournament_keeps_its_meaning(ana: models.Player) -> None:
    """Who could be drawn onto online tables before the column was there still can be."""
    tournament, _ = evening(ana)
    sign_up.add_bot(tournament, ana, name="Robot", level="steady", now=NOW)
    Entrant.objects.update(is_on_device=False)
    migration = import_module("tournaments.migrations.0029_where_somebody_plays")
    migration.keep_places(apps, connection.schema_editor())
    assert on_devices(tournament) == {*PHONES, "Robot"}


def test_a_pair_with_somebody_in_the_room_sits_in_the_room(ana: models.Player) -> None:
    tournament, _ = evening(ana, most=5)
    attendance.play_where(tournament, ana, [entrant(tournament, "Zoe").pk], on_device=False, now=NOW)
    first, second = entrant(tournament, "Zoe"), entrant(tournament, "Yan")
    organiser_decisions.rule_pair(tournament, ana, first.pk, second.pk, PairRule.Kind.TOGETHER, now=NOW)
    draw(ana, tournament, 1)
    assert {"Zoe", "Yan"}.isdisjoint(at_online_tables(tournament, 1))
