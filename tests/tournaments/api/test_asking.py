"""How the API and its files are asked: HEAD, other methods, and 304 while nothing is new."""

from __future__ import annotations

import time

import pytest
from django.test import Client
from django.urls import reverse
from ninja import NinjaAPI

from games.models import Player
from tests.cast import browser, count_work, finish, start_table
from tests.tournaments.api.described import Description
from tests.tournaments.cast import NAMES, begin, play_round, release
from tournaments.flow.clubs import api_keys
from tournaments.models import Entrant, Tournament


@pytest.fixture
def tournament(ana: Player) -> Tournament:
    made = begin(ana, NAMES[:8], least=4, most=4, rounds_planned=2)
    play_round(ana, made, 1)
    return made


def paths_of(tournament: Tournament, ana: Player) -> list[str]:
    base = f"/api/v1/tournaments/{tournament.pk}"
    ends = ("", "/entrants", "/rounds", "/standings")
    return ["/api/v1/openapi.json", "/api/v1/clubs", f"/api/v1/people/{ana.pk}", *(base + end for end in ends)]


def test_head_is_get_without_a_body(tournament: Tournament, ana: Player) -> None:
    for path in paths_of(tournament, ana):
        whole, head = Client().get(path), Client().head(path)
        assert (head.status_code, head.content) == (200, b""), path
        assert (head["ETag"], head["Content-Type"]) == (whole["ETag"], whole["Content-Type"])
    assert Client().head("/api/v1/tournaments/nowhere").status_code == 404


def test_another_method_is_told_which_ones_there_are(tournament: Tournament, ana: Player) -> None:
    both = {
        f"/api/v1/tournaments/{tournament.pk}/entrants",
        f"/api/v1/clubs/{tournament.club.slug}/tournaments",
    }  # POST adds one
    for path in set(paths_of(tournament, ana)) - both:
        answer = Client(enforce_csrf_checks=True).post(path, {}, content_type="application/json")
        assert (answer.status_code, set(answer["Allow"].split(", "))) == (405, {"GET", "HEAD"}), path
        assert answer.json() == {
            "status": 405, "sentence": "This method is not allowed here. See the Allow header.",
        }  # fmt: skip
    for path in both:
        assert set(Client().delete(path)["Allow"].split(", ")) == {"GET", "HEAD", "POST"}, path


def test_who_has_an_answer_is_told_that_nothing_is_new(tournament: Tournament, ana: Player) -> None:
    for path in paths_of(tournament, ana):
        first = Client().get(path)
        assert first["Cache-Control"] == "private, no-cache"
        again = Client().get(path, headers={"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"]), path
    rounds = f"/api/v1/tournaments/{tournament.pk}/rounds"
    headers = {"If-None-Match": Client().get(rounds)["ETag"]}
    release(ana, tournament, 2)
    new = Client().get(rounds, headers=headers)
    assert (new.status_code, len(new.json())) == (200, 2)


def test_a_refusal_is_never_kept_for_an_answer(tournament: Tournament, ana: Player) -> None:
    key = api_keys.make(tournament.club, ana, "desk")
    path = f"/api/v1/tournaments/{tournament.pk}"
    headers = {"If-None-Match": Client().get(path)["ETag"]}
    assert Client().get(path, headers=headers | {"Authorization": f"Bearer {key}"}).status_code == 304
    assert Client().get(path, headers=headers | {"Authorization": "Bearer mng_wrong"}).status_code == 401
    Tournament.objects.update(is_public=False)
    refused = Client().get(path, headers=headers)
    assert (refused.status_code, "ETag" in refused) == (403, False)


def test_files_are_sent_once(tournament: Tournament, ana: Player, ben: Player) -> None:
    files = [
        reverse("tournaments:download", args=[tournament.pk, kind])
        for kind in ("tournament.json", "standings.csv", "results.csv", "archive.zip")
    ]
    over = finish(start_table(ana, ben)).id
    for path in (*files, reverse("record", args=[over]), f"/api/v1/tables/{over}/record"):
        client = browser(ana)
        first = client.get(path)
        assert first.status_code == 200
        again = client.get(path, headers={"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content) == (304, b""), path
        assert client.head(path)["ETag"] == first["ETag"]


def test_an_archive_is_the_same_file_whenever_it_is_packed(
    tournament: Tournament, ana: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each held the moment of its making, which goes on every two seconds: it was sent again though nothing was new."""
    path, client = reverse("tournaments:download", args=[tournament.pk, "archive.zip"]), browser(ana)
    first = client.get(path)
    later = time.localtime(time.time() + 60)
    monkeypatch.setattr(time, "localtime", lambda *_args: later)
    assert client.get(path).content == first.content
    assert client.get(path, headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_the_description_tells_of_304_and_not_of_head(tournament: Tournament) -> None:
    for methods in Description().document["paths"].values():
        assert set(methods) <= {"get", "post"}
        assert "get" not in methods or methods["get"]["responses"]["304"] == {
            "description": "Nothing has changed since `If-None-Match`."
        }


def test_the_description_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes a tenth of a second, and nothing of it changes."""
    first = Client().get("/api/v1/openapi.json")
    monkeypatch.setattr(NinjaAPI, "get_openapi_schema", lambda *_given, **_wishes: pytest.fail("told again"))
    assert Client().get("/api/v1/openapi.json").content == first.content


def test_a_list_counts_the_entrants_of_the_tournaments_on_its_page_alone(tournament: Tournament) -> None:
    def look() -> None:
        assert Client().get("/api/v1/tournaments?page=2").json() == []

    look()
    before = count_work(look)
    Entrant.objects.bulk_create(
        Entrant(tournament=tournament, number=number, name=f"No. {number}", claim_token=f"{number}")
        for number in range(100, 1100)
    )
    assert count_work(look) < 2 * before
