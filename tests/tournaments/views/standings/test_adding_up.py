"""Every standing shows all parts of its points: in each row they add up, on screens, on paper, in files and the API."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from fractions import Fraction
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Player
from tests.cast import NOW
from tests.tournaments.cast import NAMES, begin, entrant, import_file, play_round, standing
from tournaments.flow.archive import tournament_document
from tournaments.flow.entry import organiser_decisions
from tournaments.flow.rounds import arena, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import Pod, Tournament

FOURS = {"venue": "real", "least": 4, "most": 4, "rounds_planned": 3}
SHOWN = Fraction(1, 200)
"""Half of the last of two decimals."""


def penalise(owner: Player, one: Tournament) -> None:
    """Half a point from Ada, a third for Bea."""
    for name, points in (("Ada", 420), ("Bea", -280)):
        pk = entrant(one, name).pk
        organiser_decisions.penalise(one, owner, pk, points=points, reason="Late.", key=f"p{name}", now=NOW)


@pytest.fixture(params=["swiss", "ladder", "arena"])
def played(request: pytest.FixtureRequest, ana: Player) -> Tournament:
    """Two rounds, or two games of everybody, and two penalties."""
    of = request.param
    if of != "arena":
        one = begin(ana, NAMES[:8], format=of, round_minutes=20, **FOURS)
        for number in (1, 2):
            play_round(ana, one, number)
        penalise(ana, one)
        return one
    one = begin(ana, NAMES[:8], format="arena", round_minutes=60, **FOURS)
    arena.open_arena(one, ana, now=NOW)
    for at in (60, 200):
        arena.seat_free(one.rounds.get(), now=NOW + at)
        for pod in Pod.objects.filter(round__tournament=one, results=None):
            results.decide(one, ana, pod.pk, ReportedResult((1, 2, 3, 4)), now=NOW + at + 1)
    penalise(ana, one)
    return one


def read(text: str) -> Fraction:
    """A number of a cell; a dot in the middle is nothing."""
    text = unescape(re.sub(r"<[^>]*>", "", text)).strip()
    return Fraction(0) if text in ("·", "") else Fraction(text)


def get(name: str, *args: object) -> str:
    answer = Client().get(reverse(f"tournaments:{name}", args=args))
    assert answer.status_code == 200
    return answer.content.decode()


def list_rows(html: str) -> Iterator[dict[str, str]]:
    """The cells of a table of standings, by what stands over them."""
    head, body = re.search(r"<thead.*?</thead>", html, re.S), re.search(r"<tbody.*?</tbody>", html, re.S)
    assert head is not None
    assert body is not None
    heads = [re.sub(r"<[^>]*>", "", one).strip() for one in re.findall(r"<th[ >].*?</th>", head[0], re.S)]
    for row in re.findall(r"<tr.*?</tr>", body[0], re.S):
        cells = re.findall(r"<(?:td|th)[ >].*?</(?:td|th)>", row, re.S)
        yield dict(zip(heads, cells, strict=True))


@pytest.mark.parametrize("where", [("standings",), ("print", "standings")])
def test_each_row_of_a_page_adds_up(played: Tournament, where: tuple[str, ...]) -> None:
    rows = list(list_rows(get(where[0], played.pk, *where[1:])))
    assert len(rows) == 8
    for row in rows:
        parts = [cell for head, cell in row.items() if head in ("Penalty", "From games") or head.startswith("Round")]
        assert len(parts) >= 2
        assert abs(sum(map(read, parts)) - read(row["Points"])) <= SHOWN * (len(parts) + 1), row
    taken = {read(row["Penalty"]) for row in rows}
    assert taken == {Fraction(-1, 2), Fraction("0.33"), Fraction(0)}


def test_on_a_phone_only_a_penalty_that_there_is_takes_a_line(played: Tournament) -> None:
    rows = list(list_rows(get("standings", played.pk)))
    assert ["penalty none" in row["Penalty"] for row in rows] == [read(row["Penalty"]) == 0 for row in rows]


def test_each_row_of_the_file_adds_up(played: Tournament) -> None:
    rows = list(csv.DictReader(io.StringIO(get("download", played.pk, "standings.csv").lstrip("\ufeff"))))
    assert len(rows) == 8
    for row in rows:
        parts = [read(value) for head, value in row.items() if head.startswith("round ")]
        parts += [read(row[head]) for head in ("from games", "penalties") if head in row]
        assert abs(sum(parts) - read(row["points"])) <= Fraction(len(parts) + 1, 20_000), row
    assert {row["name"]: row["penalties"] for row in rows if row["penalties"] != "0"} == {
        "Ada": "-0.5",
        "Bea": "0.3333",
    }


def test_each_line_of_the_api_and_of_an_archive_adds_up(ana: Player, played: Tournament) -> None:
    answer = Client().get(f"/api/v1/tournaments/{played.pk}/standings").json()["lines"]
    document = json.loads(tournament_document.write_json(tournament_document.describe(open_book(played))))
    for lines in (answer, document["standings"] or answer):
        assert len(lines) == 8
        for line in lines:
            assert sum(points for points in line["rounds"] if points is not None) - line["penalties"] == line["points"]
        assert sorted(line["penalties"] for line in lines) == [-280, *[0] * 6, 420]


def test_an_archive_whose_lines_have_the_points_alone_is_read(ana: Player) -> None:
    one = begin(ana, NAMES[:8], **FOURS)
    play_round(ana, one, 1)
    penalise(ana, one)
    document = json.loads(tournament_document.write_json(tournament_document.describe(open_book(one))))
    for line in document["standings"]:
        del line["rounds"], line["penalties"]
    assert standing(import_file(one.club, ana, json.dumps(document).encode())) == standing(one)


def test_the_hall_says_what_a_penalty_took(played: Tournament) -> None:
    html = get("hall", played.pk)
    is_by_points = played.format != "ladder"
    assert ("penalty -0.5" in html, "penalty 0.33" in html) == (is_by_points, is_by_points)


def test_without_penalties_no_page_has_a_column_of_them(ana: Player) -> None:
    one = begin(ana, NAMES[:8], **FOURS)
    play_round(ana, one, 1)
    for where in (("standings",), ("print", "standings")):
        rows = list(list_rows(get(where[0], one.pk, *where[1:])))
        assert "Penalty" not in rows[0]
        assert all(abs(read(row["Round 1"]) - read(row["Points"])) <= SHOWN for row in rows)
