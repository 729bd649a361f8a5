"""An archive of what a club has already becomes no second copy without a question."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from games.models import Player
from tests.cast import NOW, browser, person
from tests.tournaments.cast import NAMES, begin, found, plan_season, play_round
from tournaments.flow.archive import season_document, tournament_document, zip_export
from tournaments.flow.planning import phases
from tournaments.flow.seasons import season_changes, season_phases
from tournaments.flow.seasons.season_standings import read_table
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import Club, Phase, Tournament


@pytest.fixture
def night(ana: Player) -> Tournament:
    """A finished evening of four."""
    one = begin(ana, NAMES[:4], venue="real", least=4, most=4, rounds_planned=1)
    play_round(ana, one, 1)
    phases.move_on(one, ana, Phase.FINISHED, now=NOW)
    one.refresh_from_db()
    return one


def send(club: Club, who: Player, raw: bytes, **sentence: str) -> Any:
    """The response to an upload of this file."""
    file = SimpleUploadedFile("night.json", raw)
    return browser(who).post(reverse("tournaments:restore", args=[club.slug]), {"file": file, **sentence})


def test_its_own_club_is_asked_first(ana: Player, night: Tournament) -> None:
    raw = zip_export.write_zip(open_book(night))
    answer = send(night.club, ana, raw)
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "Already in this club" in html
    assert f'href="{reverse("tournaments:tournament", args=[night.pk])}">Thursday</a>' in html
    assert 'name="copy" value="1"' in html
    assert Tournament.objects.count() == 1
    assert send(night.club, ana, raw, copy="1").status_code == 302
    assert Tournament.objects.count() == 2
    assert send(night.club, ana, raw, copy="1").status_code == 302  # the same file sent twice is one copy
    assert Tournament.objects.count() == 2


def test_an_archive_written_elsewhere_is_known_by_what_came_of_it(ana: Player, night: Tournament) -> None:
    """Other bytes, and of a version that had fewer keys: the same evening all the same."""
    club = found(rosa := person("Rosa"), "Mountain Club")
    document = json.loads(tournament_document.write_json(tournament_document.describe(open_book(night))))
    assert send(club, rosa, json.dumps(document).encode()).status_code == 302
    for one in document["entrants"]:
        del one["is_on_device"]
    assert send(club, rosa, json.dumps(document).encode()).status_code == 409
    assert Tournament.objects.filter(club=club).count() == 1


def test_another_evening_of_the_same_people_is_another(ana: Player, night: Tournament) -> None:
    club = found(rosa := person("Rosa"), "Mountain Club")
    document = json.loads(tournament_document.write_json(tournament_document.describe(open_book(night))))
    send(club, rosa, json.dumps(document).encode())
    document["lot_seed"] = "5eed" * 16
    document["agreement"]["tie_breaks"] = []
    assert send(club, rosa, json.dumps(document).encode()).status_code == 302
    assert Tournament.objects.filter(club=club).count() == 2


def test_a_season_is_known_too(ana: Player, night: Tournament) -> None:
    season = plan_season(ana, night.club, name="Spring")
    season_phases.open_season(season, ana, now=NOW)
    season_changes.count_tournament(season, ana, night.pk, counts=True, now=NOW)
    season.refresh_from_db()
    raw = season_document.write_json(read_table(season))
    answer = send(night.club, ana, raw)
    assert answer.status_code == 409
    assert {one.pk for one in answer.context["known"]} == {season.pk, night.pk}
