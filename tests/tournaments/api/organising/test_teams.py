"""What a program reads of teams, and what an organiser's program changes."""

from __future__ import annotations

from tests.live.streams.opening import account
from tests.tournaments.api.described import Description
from tests.tournaments.api.organising.organiser import Organiser
from tests.tournaments.cast import NAMES, begin, play_round


def test_teams_are_named_filled_and_scored(described: Description) -> None:
    host = account("Ana")
    desk = Organiser(described, host)
    one = begin(host, NAMES[:8], venue="real", least=4, most=4, rounds_planned=2)
    base = f"/tournaments/{one.pk}"
    desk.post(f"{base}/teams", 400, name="Foxes")
    answer = desk.post(f"{base}/plan", team_size=2, team_best=1)["agreement"]
    assert (answer["team_size"], answer["team_best"], answer["has_open_teams"]) == (2, 1, False)
    for name in ("Foxes", "Bears"):
        desk.post(f"{base}/teams", name=name, key=name)
    assert [row["name"] for row in desk.post(f"{base}/teams", name="Foxes", key="Foxes")] == ["Foxes", "Bears"]
    assert desk.post(f"{base}/teams/2", name="Owls")[1]["name"] == "Owls"
    members = f"{base}/teams/1/members"
    desk.post(members, entrants=[1, 2], role="member")
    desk.post(members, 400, entrants=[3], role="member")
    desk.post(members, entrants=[3, 4], role="substitute")
    desk.post(members, 400, entrants=[1, 2], role="captain")
    desk.post(members, entrants=[2], role="captain")
    desk.post(members, entrants=[4], role="none")
    desk.post(f"{base}/teams/2/members", entrants=[5, 6], role="member")
    desk.post(f"{base}/teams/9/members", 404, entrants=[5], role="member")
    foxes = desk.get(f"{base}/teams")[0]
    assert foxes["members"] == [
        {"entrant": 1, "name": "Ada", "first": 1, "last": None, "is_captain": False, "is_substitute": False},
        {"entrant": 2, "name": "Bea", "first": 1, "last": None, "is_captain": True, "is_substitute": False},
        {"entrant": 3, "name": "Cem", "first": 1, "last": None, "is_captain": False, "is_substitute": True},
    ]
    assert [row["team"] for row in desk.get(f"{base}/entrants")] == [1, 1, 1, None, 2, 2, None, None]
    assert desk.get(f"{base}/team-standings")["after"] is None
    play_round(host, one, 1)
    answer = desk.get(f"{base}/team-standings")
    points = {row["entrant"]: row["points"] for row in desk.get(f"{base}/standings")["lines"]}
    assert (answer["after"], answer["best"]) == (1, 1)
    assert {row["team"]: row["points"] for row in answer["lines"]} == {
        1: max(points[number] for number in (1, 2, 3)),
        2: max(points[number] for number in (5, 6)),
    }
    assert all(points[counted] == row["points"] for row in answer["lines"] for [counted] in row["counted"])


def test_without_teams_there_are_none(described: Description) -> None:
    host = account("Ana")
    one = begin(host, NAMES[:4], venue="real", least=4, most=4)
    desk = Organiser(described, host)
    assert desk.get(f"/tournaments/{one.pk}/teams") == []
    assert desk.get(f"/tournaments/{one.pk}/team-standings")["lines"] == []
