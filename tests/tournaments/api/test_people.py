"""The API of people has the same content and the same permissions as their pages."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games.models import Player
from tests.cast import NOW, browser, finish, start_table
from tests.tournaments.cast import found
from tournaments.flow.clubs import api_keys, invitations, membership
from tournaments.flow.counting import finished_tables
from tournaments.flow.profiles import year_review
from tournaments.flow.profiles.queries import list_standings
from tournaments.models import Club

API = "/api/v1"


@pytest.fixture
def club(ana: Player, ben: Player) -> Club:
    """Ana's club, in which Ben is a member; the two have played."""
    club = found(ana)
    membership.accept(invitations.invite(club, ana).token, ben)
    play(ana, ben, sessions=2)
    return club


def play(ana: Player, ben: Player, *, sessions: int) -> None:
    """A game of theirs, against bots, that counts."""
    finished_tables.count_table(
        finish(start_table(ana, ben, game="animal-poker", options={"sessions": sessions})).id, now=NOW
    )


def get(path: str, reader: Player | None = None, *, status: int = 200) -> Any:
    """What a program is told."""
    answer = (browser(reader) if reader else Client()).get(API + path)
    assert answer.status_code == status, answer.content
    return answer.json()


def test_leaderboards_are_read_page_by_page(club: Club, ana: Player, ben: Player) -> None:
    page = get("/leaderboards?game=animal-poker&by=wins")
    assert (sorted(line["player_id"] for line in page["lines"]), page["after"]) == ([ana.pk, ben.pk], None)
    best = page["lines"][0]
    rest = get(f"/leaderboards?game=animal-poker&by=wins&after={best['wins']}_{best['player_id']}")
    assert rest["lines"] == page["lines"][1:]
    assert get(f"/leaderboards?club={club.slug}")["lines"] == get("/leaderboards")["lines"]
    get("/leaderboards?by=luck", status=400)


def test_a_profile_a_duel_and_a_year(club: Club, ana: Player, ben: Player) -> None:
    person = get(f"/people/{ana.pk}")
    assert [rating["number"] for rating in person["ratings"]] == [one.number for one in list_standings(ana)]
    (career,) = person["careers"]
    assert (career["deals"], len(career["latest"]), sum(career["jobs"].values())) == (2, 2, 2)
    assert [deal["deal"] for deal in career["latest"]] == [1, 2]
    whole = get(f"/people/{ana.pk}/careers/animal-poker?page=-3")
    assert (whole["deals"], whole["number"], whole["of"], whole["total"]) == (career["latest"], 1, 1, 2)
    get(f"/people/{ana.pk}/careers/karriere-poker", status=404)
    duel = get(f"/people/{ana.pk}/against/{ben.pk}")
    assert duel["ahead"] + duel["level"] + duel["behind"] == duel["tables"] == 1
    (year,) = person["years"]
    review = get(f"/people/{ana.pk}/years/{year}")
    assert (review["tables"], sum(review["months"])) == (1, 1)
    assert [rival["player_id"] for rival in review["company"]] == [ben.pk]
    assert review["gain"] == year_review.review(ana, year).gain
    get(f"/people/{ana.pk}/against/{ana.pk}", status=404)
    get(f"/people/{ana.pk}/years/1", status=404)


def test_the_records_of_a_club(club: Club, ana: Player, ben: Player) -> None:
    play(ana, ben, sessions=20)  # in so many deals one of the two was at the top or at the bottom
    (records,) = get(f"/clubs/{club.slug}/records")
    assert records["game"] == "animal-poker"
    best = [records[name]["player_id"] for name in ("reign", "bottom", "climb") if records[name]]
    assert (best != [], set(best) <= {ana.pk, ben.pk}) == (True, True)
    Club.objects.update(is_public=False)
    get(f"/clubs/{club.slug}/records", status=404)
    assert get(f"/clubs/{club.slug}/records", ben) == [records]


def test_who_is_private_is_private_for_programs_too(club: Club, ana: Player, ben: Player) -> None:
    browser(ben).post("/me/", {"name": "Ben", "avatar": "owl"})
    for path in (f"/people/{ben.pk}", f"/people/{ana.pk}/against/{ben.pk}", f"/people/{ben.pk}/years/2055"):
        get(path, status=403)
    assert [line["player_id"] for line in get("/leaderboards")["lines"]] == [ana.pk]
    assert get(f"/people/{ben.pk}", ben)["id"] == ben.pk


def test_a_key_opens_its_own_club_and_nobodys_profile(club: Club, ana: Player, ben: Player) -> None:
    other = found(ana, "Second Club")
    Club.objects.update(is_public=False)
    Player.objects.filter(pk=ana.pk).update(is_listed=False)
    program = Client(headers={"Authorization": f"Bearer {api_keys.make(club, ana, 'Scores')}"})
    paths = [f"/clubs/{club.slug}/records", f"/leaderboards?club={club.slug}", f"/clubs/{other.slug}/records"]
    assert [program.get(API + path).status_code for path in (*paths, f"/people/{ana.pk}")] == [200, 200, 404, 403]
    stranger = Client(headers={"Authorization": "Bearer mng_nothing"})
    assert stranger.get(f"{API}/leaderboards").status_code == 401


def test_the_description_names_them(db: None) -> None:
    paths = get("/openapi.json")["paths"]
    assert {f"{API}/leaderboards", f"{API}/people/{{person}}", f"{API}/clubs/{{slug}}/records"} <= set(paths)
