"""Who is equal has the same place wherever places stand."""

from __future__ import annotations

import csv
import io
import re

import pytest
from django.test import Client
from django.urls import reverse

from games import models
from tests.cast import NOW
from tests.tournaments.cast import NAMES, begin, release
from tests.tournaments.flow.seasons.test_season_changes import count, season
from tournaments.flow.planning import phases
from tournaments.flow.rounds import lifecycle, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.models import Phase, Pod, Tournament


@pytest.fixture
def night(ana: models.Player) -> Tournament:
    """A finished tournament of two tables, at which the places were 1 1 3 4 and 1 2 2 2; no tie-breaks."""
    tournament = begin(ana, NAMES[:8], venue="real", most=4, rounds_planned=1, tie_breaks=[])
    release(ana, tournament, 1)
    for pod, places in zip(Pod.objects.order_by("number"), ((1, 1, 3, 4), (1, 2, 2, 2)), strict=True):
        results.decide(tournament, ana, pod.pk, ReportedResult(places), now=NOW)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    phases.move_on(tournament, ana, Phase.FINISHED, now=NOW)
    return tournament


def read(address: str) -> str:
    return Client().get(address).content.decode()


def test_places_are_the_same_everywhere(ana: models.Player, night: Tournament) -> None:
    answer = Client().get(f"/api/v1/tournaments/{night.pk}/standings").json()["lines"]
    places = [line["place"] for line in answer]
    points = [line["points"] for line in answer]
    assert points == [840, 700, 700, 280, 280, 280, 280, 0]
    assert places == [1, 2, 2, 4, 4, 4, 4, 8]

    def address(name: str, *args: object) -> str:
        return reverse(f"tournaments:{name}", args=[night.pk, *args])

    page = read(address("standings"))
    assert [int(place) for place in re.findall(r'<td class="place"[^>]*>(\d+)</td>', page)] == places
    paper = read(address("print", "standings"))
    assert [int(place) for place in re.findall(r"<tr><td>(\d+)</td>", paper)] == places
    honours = read(address("print", "certificates"))
    assert [int(place) for place in re.findall("Place (\\d+) of 8", honours)] == places
    sheet = Client().get(address("download", "standings.csv")).content.decode("utf-8-sig")
    assert [int(row["place"]) for row in csv.DictReader(io.StringIO(sheet))] == places
    archive = Client().get(address("download", "tournament.json")).json()
    assert [line["place"] for line in archive["standings"]] == places
    one = season(ana, night.club)
    count(ana, one, night)
    lines = Client().get(f"/api/v1/seasons/{one.pk}").json()
    assert [line["place"] for line in lines["lines"]] == places
