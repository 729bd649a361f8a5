"""An exported, imported and again exported tournament gives the same files."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest

from games import models
from games.play.errors import BadInput
from games.play.seats.player_changes import delete_player
from tests.cast import NOW, person
from tests.tournaments.cast import (
    NAMES,
    begin,
    decide_all,
    draw,
    enter,
    entrant,
    found,
    import_file,
    play_round,
    release,
)
from tests.tournaments.flow.archive.test_tournament_document import replace
from tests.tournaments.flow.undo.test_undo import undo
from tournaments.flow.archive import zip_export
from tournaments.flow.entry import attendance, organiser_decisions, sign_up
from tournaments.flow.people import deletion
from tournaments.flow.rounds import lifecycle, results
from tournaments.flow.rounds.result_reports import ReportedResult, needs_scores
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import Pod, PodSeat, Round, Tournament

TABLES = {"standings.csv", "results.csv"}


def files_of(tournament: Tournament) -> dict[str, Any]:
    """Its archive, file by file, without what a copy has of its own: its club, and rounds that were not complete with
    their penalties.

    While one of those is drawn or played, the tables for people tell of it as well; before the first one they tell lots
    whose seed is in no file yet.
    """
    with zipfile.ZipFile(io.BytesIO(zip_export.write_zip(open_book(tournament)))) as file:
        files: dict[str, Any] = {name: file.read(name) for name in file.namelist()}
    document = json.loads(files["tournament.json"])
    played = {*Round.objects.filter(tournament=tournament).values_list("status", flat=True)}
    if played != {Round.Status.COMPLETE}:
        files = {name: content for name, content in files.items() if name not in TABLES}
    document["rounds"] = [one for one in document["rounds"] if one["is_complete"]]
    complete = {played["number"] for played in document["rounds"]}
    document["penalties"] = [one for one in document["penalties"] if one["round"] in complete]
    del document["club"]
    return files | {"tournament.json": document}


def there_and_back(tournament: Tournament, *, now: float = NOW) -> dict[str, Any]:
    """The files of the copy, which are those of the tournament; what went on ended as it came in.

    now: when it comes in. What ended later is said to have ended then.
    """
    club = found(person("Rosa"), "Mountain Club")
    copy = import_file(club, club.memberships.get().player, zip_export.write_zip(open_book(tournament)), now=now)
    files, sent = files_of(copy), files_of(tournament)
    if sent["tournament.json"]["finished_at"] is None:
        files["tournament.json"]["finished_at"] = None
    assert {name: files[name] for name in sent} == sent
    assert files.keys() - sent.keys() <= TABLES
    return files


@pytest.mark.parametrize("overrides", [
    {"format": "swiss", "rounds_planned": 2}, {"format": "round-robin", "rounds_planned": 2},
    {"format": "knockout", "advance": 2}, {"format": "swiss-cut", "rounds_planned": 1, "cut_to": 4},
    {"format": "ladder", "game": "animal-poker", "options": {"sessions": 1}, "round_minutes": 20},
    {"format": "swiss", "rounds_planned": 2, "duplicate": True},
    {"format": "swiss", "rounds_planned": 2, "game": "animals-on-board", "options": {}, "points": "score"},
], ids=lambda overrides: f"{overrides['format']} {len(overrides)}")  # fmt: skip
def test_every_format(ana: models.Player, overrides: dict[str, Any]) -> None:
    one = begin(ana, NAMES[:9], venue="real", least=4, most=4 if "game" in overrides else 5, **overrides)
    for number in (1, 2):
        release(ana, one, number)
        for pod in Pod.objects.filter(round__tournament=one, round__number=number):
            places = tuple(range(1, pod.seats.count() + 1))
            scores = tuple(100 - 7 * place for place in places) if needs_scores(one) else None
            results.decide(one, ana, pod.pk, ReportedResult(places, scores), now=NOW)
        lifecycle.complete(one, ana, number, now=NOW)
    there_and_back(one)


def test_games_on_screens(ana: models.Player) -> None:
    one = begin(ana, (), least=4, most=4, rounds_planned=2, venue="online", duplicate=True)
    enter(one, *NAMES[:8])
    one.entrants.update(status="present")
    play_round(ana, one, 1)
    assert {name for name in there_and_back(one) if name.startswith("records/")} == {
        "records/r1-t1.json", "records/r1-t2.json",
    }  # fmt: skip


def test_who_went_home_in_the_first_round_while_it_is_played(ana: models.Player) -> None:
    one = begin(ana, NAMES[:9], least=4, most=5, venue="real")
    draw(ana, one, 1)
    attendance.withdraw(one, ana, [entrant(one, NAMES[1]).pk], now=NOW)
    lifecycle.release(one, ana, 1, now=NOW)
    there_and_back(one)


def test_a_penalty_of_a_round_that_does_not_come_along_stays_behind(ana: models.Player) -> None:
    """It would stand below the standings of the copy and count nowhere."""
    one = begin(ana, NAMES[:8], least=4, most=4, rounds_planned=2, venue="real")
    play_round(ana, one, 1)
    organiser_decisions.penalise(one, ana, entrant(one, "Ada").pk, points=210, reason="Late.", key="1", now=NOW)
    release(ana, one, 2)
    organiser_decisions.penalise(one, ana, entrant(one, "Bea").pk, points=210, reason="Late.", key="2", now=NOW)
    copy = import_file(one.club, ana, zip_export.write_zip(open_book(one)))
    assert [(row.entrant.name, row.round_number) for row in copy.penalties.all()] == [("Ada", 1)]


def test_an_evening_on_which_everything_happened(ana: models.Player) -> None:
    """Late entry, absence, withdrawal, no-show, substitute, penalty, void and shared results, undo, deletion."""
    one = begin(ana, NAMES[:11], least=4, most=6, rounds_planned=3, venue="real", bye_points=420)
    (goner,) = enter(one, "Zyx")
    one.entrants.update(status="present")
    one.entrants.filter(name__in=NAMES[:3]).update(rank_hint=2, club_name="Höhenclub")
    release(ana, one, 1)
    first, second, third = Pod.objects.filter(round__tournament=one).order_by("number")
    chairs = list(first.seats.order_by("index"))
    lifecycle.substitute(one, ana, chairs[0].pk, name="Uncle Bob", now=NOW)
    results.set_fate(one, ana, chairs[1].pk, PodSeat.Fate.NO_SHOW, now=NOW)
    results.set_fate(one, ana, second.seats.order_by("index")[0].pk, PodSeat.Fate.FORFEIT, now=NOW)
    results.decide(one, ana, third.pk, None, now=NOW, is_void=True)
    decide_all(ana, one, 1)
    lifecycle.complete(one, ana, 1, now=NOW)
    undo(ana, one, "complete")
    results.decide(one, ana, second.pk, None, now=NOW)
    lifecycle.complete(one, ana, 1, now=NOW)
    organiser_decisions.penalise(
        one, ana, entrant(one, "Bea").pk, points=210, reason="Came late; said “=1+1”", key="k", now=NOW
    )
    sign_up.add_walk_in(one, ana, name="Łucja", now=NOW)
    attendance.set_away(one, ana, [entrant(one, "Cem").pk], away=True, now=NOW)
    attendance.withdraw(one, ana, [entrant(one, "Dan").pk], now=NOW)
    play_round(ana, one, 2)
    delete_player(goner.pk, now=NOW)
    deletion.forget(goner.pk)
    document = there_and_back(one)["tournament.json"]
    fates = {seat["fate"] for pod in document["rounds"][0]["pods"] for seat in pod["seats"]}
    assert (fates, [played["number"] for played in document["rounds"]]) == ({"plays", "no-show", "forfeit"}, [1, 2])
    assert [pod["is_void"] for pod in document["rounds"][0]["pods"]] == [False, False, True]
    assert [seat["substitute"] for pod in document["rounds"][0]["pods"] for seat in pod["seats"]].count(
        "Uncle Bob"
    ) == 1
    assert (document["penalties"][0]["points"], document["rounds"][1]["absent"]) == (210, [3])
    assert {one["name"] for one in document["entrants"]} == {*NAMES[:11], "Anonymous", "Łucja"}


@pytest.mark.parametrize(("change", "why"), [
    (lambda one: one["agreement"].update(game="animal-poker", options={}),
     "records/r1-t1.json cannot be imported: It does not match the game"),
    (lambda one: one["rounds"][0]["pods"][0].update(
        seats=one["rounds"][0]["pods"][0]["seats"][:3], places=[1, 2, 3], scores=None),
     "records/r1-t1.json cannot be imported: It does not match the game"),
    (lambda one: one["rounds"][0].update(deal_secret="00" * 32), "Round 1: the deals do not match their commitment"),
    (lambda one: one["rounds"][0].update(deal_secret="no digits"), "Round 1: the deals do not match their commitment"),
    (lambda one: one["rounds"][0].update(number=0), "The data of round 0 is invalid."),
    (lambda one: one["entrants"][0].update(number=0), "The data of entrant 0 is invalid."),
])  # fmt: skip
def test_what_contradicts_itself_is_refused(ana: models.Player, change: Any, why: str) -> None:
    one = begin(ana, (), least=4, most=4, rounds_planned=1, venue="online", duplicate=True)
    enter(one, *NAMES[:4])
    one.entrants.update(status="present")
    play_round(ana, one, 1)
    sent = zip_export.write_zip(open_book(one))
    with zipfile.ZipFile(io.BytesIO(sent)) as file:
        document = json.loads(file.read("tournament.json"))
    change(document)
    document["standings"] = []
    with pytest.raises(BadInput) as refused:
        import_file(one.club, ana, replace(sent, "tournament.json", json.dumps(document).encode()))
    assert why in str(refused.value)
