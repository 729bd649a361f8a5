"""Teams on pages: the list, the standings, sign-up, printouts, the wall, files."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Player
from tests.cast import NOW, browser, person
from tests.tournaments.cast import entrant, found, import_file, plan, play_round, release, table_of
from tests.tournaments.flow.entry.test_teams import build, put_in_team
from tournaments.flow.archive import zip_export
from tournaments.flow.archive.tournament_document import describe, write_json
from tournaments.flow.archive.zip_import import open_archive
from tournaments.flow.entry import team_members
from tournaments.flow.planning import phases
from tournaments.flow.standings import team_ranking
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import Phase, Team, TeamMember, Tournament


@pytest.fixture
def desk(ana: Player) -> Client:
    return browser(ana)


def get(client: Client, name: str, tournament: Tournament, *more: str | int, query: str = "") -> str:
    answer = client.get(reverse(f"tournaments:{name}", args=[tournament.pk, *more]) + query)
    assert answer.status_code == 200, (name, answer.status_code)
    return b"".join(answer).decode("utf-8-sig")


def test_an_organiser_names_and_fills_teams(desk: Client, ana: Player) -> None:
    tournament = build(ana)
    here = reverse("tournaments:teams", args=[tournament.pk])
    desk.post(here, {"action": "new", "name": "Greens"})
    greens = Team.objects.get(name="Greens").pk
    ada, eli = entrant(tournament, "Ada").pk, entrant(tournament, "Eli").pk
    desk.post(here, {"action": "add", "team": greens, "entrant": [ada, eli], "substitute": "1"})
    desk.post(here, {"action": "captain", "entrant": eli})
    page = get(desk, "teams", tournament)
    assert page.count("substitute</small>") == 2
    assert "captain</small>" in page
    desk.post(here, {"action": "out", "entrant": ada})
    desk.post(here, {"action": "rename", "team": greens, "name": "Limes"})
    assert list(Team.objects.get(pk=greens).members.values_list("entrant__name", flat=True)) == ["Eli"]
    desk.post(here, {"action": "remove", "team": greens})
    assert not Team.objects.filter(name="Limes").exists()
    assert "Nobody is selected" in desk.post(here, {"action": "add", "team": "1"}, follow=True).content.decode()


def test_readers_see_teams_and_change_nothing(ana: Player) -> None:
    tournament = build(ana)
    page = get(Client(), "teams", tournament)
    assert "Reds" in page
    assert "Add people to a team" not in page
    assert Client().post(reverse("tournaments:teams", args=[tournament.pk]), {"action": "new"}).status_code == 403
    assert Client().get(reverse("tournaments:teams", args=[plan(ana, tournament.club).pk])).status_code == 404


def test_the_team_standings_are_in_every_output(ana: Player, desk: Client) -> None:
    tournament = build(ana)
    play_round(ana, tournament, 1)
    for name, more, query in (
        ("tournament", (), ""), ("standings", (), ""), ("standings", (), "?round=1"), ("teams", (), ""),
        ("print", ("standings",), ""), ("print", ("certificates",), ""), ("hall", (), ""), ("hall", (), "?show=teams"),
        ("download", ("teams.csv",), ""),
    ):  # fmt: skip
        page = get(Client(), name, tournament, *more, query=query)
        assert {"Reds", "Blues"} == {team for team in ("Reds", "Blues") if team in page}, (name, more, query)
    assert "teams.csv" in get(Client(), "outputs", tournament)
    rows = list(csv.DictReader(io.StringIO(get(Client(), "download", tournament, "teams.csv"))))
    lines = team_ranking.rank_teams(open_book(tournament))
    assert [(row["place"], round(float(row["points"]) * 840)) for row in rows] == [
        (str(line.place), line.points) for line in lines
    ]
    people = list(csv.DictReader(io.StringIO(get(Client(), "download", tournament, "standings.csv"))))
    assert {row["name"]: row["team"] for row in people}["Ada"] == "Reds"


TAGS = re.compile(r"<[^>]*>")


def test_beside_the_name_of_a_person_stands_their_team(ana: Player, desk: Client) -> None:
    """In what is played, in what came of it, on paper and in files; it is the team of that round."""
    tournament = build(ana)
    play_round(ana, tournament, 1)
    put_in_team(ana, tournament, "Blues", "Ada", is_substitute=True)
    release(ana, tournament, 2)
    table = next(number for number, names in enumerate(table_of(tournament, 2), start=1) if "Ada" in names)
    for name, more, query in (
        ("tournament", (), ""), ("standings", (), ""), ("pairings", (), ""), ("pod", (2, table), ""),
        ("hall", (), "?show=tables"), ("hall", (), "?show=standings"), ("print", ("pairings",), ""),
        ("print", ("cards",), ""), ("print", ("slips",), ""), ("print", ("standings",), ""),
        ("print", ("certificates",), ""),
    ):  # fmt: skip
        page = TAGS.sub(" ", get(Client(), name, tournament, *more, query=query))
        assert re.search(r"Ada\W+Blues", page), (name, more, query)
    assert re.search(r"Ada\W+Blues", TAGS.sub(" ", get(desk, "console", tournament)))
    earlier = TAGS.sub(" ", get(desk, "pairings", tournament, query="?round=1"))
    assert re.search(r"Ada\W+Reds", earlier)
    rows = list(csv.DictReader(io.StringIO(get(desk, "download", tournament, "results.csv"))))
    assert [(row["round"], row["team"]) for row in rows if row["name"] == "Ada"] == [("1", "Reds"), ("2", "Blues")]


def test_a_tournament_without_teams_says_nothing_of_them(ana: Player) -> None:
    tournament = build(ana, team_size=4)
    Tournament.objects.filter(pk=tournament.pk).update(team_size=None, team_best=None)
    tournament.refresh_from_db()
    play_round(ana, tournament, 1)
    for name in ("tournament", "standings", "outputs", "hall"):
        assert "eam" not in get(Client(), name, tournament).replace("Steam", ""), name
    assert Client().get(reverse("tournaments:download", args=[tournament.pk, "teams.csv"])).status_code == 404
    assert "team" not in get(Client(), "download", tournament, "standings.csv")
    assert "team" not in get(Client(), "download", tournament, "results.csv")


def test_people_choose_a_team_when_they_sign_up(ana: Player) -> None:
    tournament = plan(ana, venue="real", most=4, team_size=2, has_open_teams=True)
    phases.move_on(tournament, ana, Phase.ENTRY, now=NOW)
    act = reverse("tournaments:act", args=[tournament.pk])
    client = browser(person("Ben"))
    assert "New team" in get(client, "tournament", tournament)
    client.post(act, {"action": "enter", "name": "Ben", "team": "", "team_name": "Foxes"})
    foxes = Team.objects.get(name="Foxes")
    browser(person("Cem")).post(act, {"action": "enter", "name": "Cem", "team": foxes.pk})
    assert sorted(foxes.members.values_list("entrant__name", flat=True)) == ["Ben", "Cem"]
    client.post(act, {"action": "team", "team": ""})
    assert list(foxes.members.values_list("entrant__name", flat=True)) == ["Cem"]
    refused = client.post(act, {"action": "team", "team": "new", "team_name": " "}, follow=True)
    assert "Give your new team a name." in refused.content.decode()


def test_an_archive_keeps_teams_and_those_without_them_are_read(ana: Player) -> None:
    tournament = build(ana)
    team_members.make_captain(tournament, ana, entrant(tournament, "Bea").pk, now=NOW)
    play_round(ana, tournament, 1)
    team_members.remove_from_team(tournament, ana, [entrant(tournament, "Ada").pk], now=NOW)
    play_round(ana, tournament, 2)
    tournament.refresh_from_db()
    raw = zip_export.write_zip(open_book(tournament))
    copy = import_file(found(ana, "Hill Club"), ana, raw)
    book, again = open_book(tournament), open_book(copy)
    assert team_ranking.rank_teams(again) == team_ranking.rank_teams(book)
    columns = ("team__name", "entrant__name", "first_round", "last_round", "is_captain", "is_substitute")
    rows = [list(TeamMember.objects.filter(team__tournament=one).order_by("pk").values_list(*columns))
            for one in (tournament, copy)]  # fmt: skip
    assert sorted(rows[0], key=str) == sorted(rows[1], key=str)
    assert len(rows[0]) == 8
    document = json.loads(write_json(open_archive(raw).archive))
    assert document["teams"][0]["members"][0] == {
        "entrant": 1, "first": 1, "last": 1, "is_captain": False, "is_substitute": False,
    }  # fmt: skip
    del document["teams"], document["team_standings"]
    for name in ("team_size", "team_best", "has_open_teams"):
        del document["agreement"][name]
    older = import_file(found(ana, "Lake Club"), ana, json.dumps(document).encode())
    assert (older.team_size, older.teams.count()) == (None, 0)


@pytest.mark.parametrize(
    "change",
    [
        lambda one: one["teams"][0]["members"].append({"entrant": 99}),
        lambda one: one["teams"][1]["members"].append({"entrant": 1}),
        lambda one: one["teams"][1].update(name="Reds"),
        lambda one: one["teams"][1].update(number=0),
        lambda one: one["teams"][0]["members"][0].update(first=3, last=2),
        lambda one: one["team_standings"][0].update(points=1),
    ],
)
def test_teams_that_cannot_be_are_refused(ana: Player, change: object) -> None:
    tournament = build(ana)
    play_round(ana, tournament, 1)
    document = json.loads(write_json(describe(open_book(tournament))))
    change(document)  # type: ignore[operator]
    with pytest.raises(Exception, match=r"team|standings"):
        import_file(found(ana, "Hill Club"), ana, json.dumps(document).encode())
