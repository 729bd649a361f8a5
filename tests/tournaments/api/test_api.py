"""The JSON API: what can be read, results by key, and refusals with a sentence."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from games import models
from tests.cast import NOW, browser, person
from tests.tournaments.cast import NAMES, begin, decide_all, found, play_round, release
from tournaments.flow.clubs import api_keys, membership
from tournaments.flow.rounds import results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.models import ApiKey, Pod, PodSeat, Result, Tournament


@pytest.fixture
def tournament(ana: models.Player) -> Tournament:
    """One complete round, and one that is released."""
    one = begin(ana, NAMES[:8], least=4, most=4, rounds_planned=2)
    play_round(ana, one, 1)
    release(ana, one, 2)
    one.refresh_from_db()
    return one


def test_everything_can_be_read(tournament: Tournament) -> None:
    client, base = Client(), f"/api/v1/tournaments/{tournament.pk}"
    whole = client.get(base).json()
    assert (whole["name"], whole["phase"], whole["entrants"], whole["version"]) == (
        "Thursday", "running", 8, tournament.version,
    )  # fmt: skip
    assert [one["name"] for one in client.get(f"{base}/entrants").json()] == list(NAMES[:8])
    rounds = client.get(f"{base}/rounds").json()
    assert [one["status"] for one in rounds] == ["complete", "released"]
    assert [seat["place"] for seat in rounds[0]["pods"][0]["seats"]] == [1, 2, 3, 4]
    assert [seat["place"] for seat in rounds[1]["pods"][0]["seats"]] == [None] * 4
    standings = client.get(f"{base}/standings").json()
    assert (standings["after"], [line["points"] for line in standings["lines"]]) == (
        1, [840, 840, 560, 560, 280, 280, 0, 0],
    )  # fmt: skip
    assert client.get(f"/api/v1/clubs/{tournament.club.slug}/tournaments").json()[0]["id"] == tournament.pk
    assert client.get("/api/v1/openapi.json").json()["info"]["title"] == "Menagerie"


def test_a_program_enters_a_result_with_a_key(ana: models.Player, tournament: Tournament) -> None:
    key = api_keys.make(tournament.club, ana, "score desk")
    url = f"/api/v1/tournaments/{tournament.pk}/rounds/2/tables/1/result"
    body = {"places": [2, 1, 3, 3]}
    assert Client().post(url, body, content_type="application/json").status_code == 401
    wrong = {"Authorization": "Bearer mng_wrong"}
    assert Client().post(url, body, content_type="application/json", headers=wrong).status_code == 401
    right = {"Authorization": f"Bearer {key}"}
    answer = Client().post(url, body, content_type="application/json", headers=right)
    assert answer.status_code == 200
    assert [seat["place"] for seat in answer.json()["pods"][0]["seats"]] == [2, 1, 3, 3]
    assert (answer.json()["number"], answer.json()["status"]) == (2, "released")
    again = Client().post(url, body, content_type="application/json", headers=right)
    assert again.status_code == 200
    assert Result.objects.filter(pod__round__number=2, status="accepted").count() == 1
    bad = Client().post(url, {"places": [1, 2]}, content_type="application/json", headers=right)
    assert (bad.status_code, bad.json()["sentence"]) == (400, "Enter a place for each of the 4 seats.")
    worse = Client().post(url, {"places": "x"}, content_type="application/json", headers=right)
    assert worse.status_code == 422
    nowhere = Client().post(url.replace("tables/1", "tables/9"), body, content_type="application/json", headers=right)
    assert nowhere.status_code == 404


def test_a_result_that_is_sent_again_late_undoes_no_correction(ana: models.Player, tournament: Tournament) -> None:
    right = {"Authorization": f"Bearer {api_keys.make(tournament.club, ana, 'desk')}"}
    url = f"/api/v1/tournaments/{tournament.pk}/rounds/2/tables/1/result"

    def send(places: list[int], key: str, where: str = url) -> list[int]:
        body = {"places": places, "key": key}
        answer = Client().post(where, body, content_type="application/json", headers=right)
        assert answer.status_code == 200
        return [seat["place"] for seat in answer.json()["pods"][0]["seats"]]

    assert send([2, 1, 3, 3], "first") == [2, 1, 3, 3]
    pod = Pod.objects.get(round__tournament=tournament, round__number=2, number=1)
    results.decide(tournament, ana, pod.pk, ReportedResult((1, 2, 3, 4)), now=NOW)
    assert send([2, 1, 3, 3], "first") == [1, 2, 3, 4]
    assert send([2, 1, 3, 3], "second") == [2, 1, 3, 3]
    send([4, 3, 2, 1], "first", url.replace("tables/1", "tables/2"))
    assert Result.objects.filter(pod__round__number=2, pod__number=2, status="accepted").exists()
    too_long = {"places": [1, 2, 3, 4], "key": "k" * 49}
    assert Client().post(url, too_long, content_type="application/json", headers=right).status_code == 422


def test_a_program_need_not_say_where_those_finished_who_did_not_come(
    ana: models.Player, tournament: Tournament
) -> None:
    pod = Pod.objects.get(round__tournament=tournament, round__number=2, number=1)
    results.set_fate(tournament, ana, pod.seats.get(index=1).pk, PodSeat.Fate.NO_SHOW, now=NOW)
    right = {"Authorization": f"Bearer {api_keys.make(tournament.club, ana, 'desk')}"}
    url = f"/api/v1/tournaments/{tournament.pk}/rounds/2/tables/1/result"
    answer = Client().post(url, {"places": [2, None, 1, 3]}, content_type="application/json", headers=right)
    seats = next(one for one in answer.json()["pods"] if one["number"] == 1)["seats"]
    assert [(seat["place"], seat["fate"]) for seat in seats] == [
        (2, "plays"), (None, "no-show"), (1, "plays"), (3, "plays"),
    ]  # fmt: skip


def test_a_key_opens_only_its_own_club_and_only_while_its_maker_may(ana: models.Player, tournament: Tournament) -> None:
    rosa = person("Rosa")
    other = membership.found_club(rosa, name="Mountain Club")
    foreign = {"Authorization": f"Bearer {api_keys.make(other, rosa, 'mine')}"}
    url = f"/api/v1/tournaments/{tournament.pk}/rounds/2/tables/1/result"
    body = {"places": [1, 2, 3, 4]}
    assert Client().post(url, body, content_type="application/json", headers=foreign).status_code == 403
    other_key = {"Authorization": f"Bearer {api_keys.make(found(ana, 'Hill Club'), ana, 'hers')}"}
    assert Client().post(url, body, content_type="application/json", headers=other_key).status_code == 403
    key = api_keys.make(tournament.club, ana, "desk")
    assert ApiKey.objects.get(name="desk").digest != key
    api_keys.withdraw(tournament.club, ana, ApiKey.objects.get(name="desk").pk)
    gone = {"Authorization": f"Bearer {key}"}
    assert Client().post(url, body, content_type="application/json", headers=gone).status_code == 401
    assert Client().get(f"/api/v1/tournaments/{tournament.pk}", headers=gone).status_code == 401


def test_what_is_private_is_shown_to_its_people_only(ana: models.Player) -> None:
    one = begin(ana, NAMES[:4], least=4, most=4, is_public=False)
    release(ana, one, 1)
    decide_all(ana, one, 1)
    paths = [f"/api/v1/tournaments/{one.pk}{end}" for end in ("", "/entrants", "/rounds", "/standings")]
    assert [Client().get(path).status_code for path in paths] == [403] * 4
    assert [browser(ana).get(path).status_code for path in paths] == [200] * 4
    assert Client().get("/api/v1/tournaments/nowhere").status_code == 404
    assert Client().get(reverse("tournaments:tournament", args=[one.pk])).status_code == 403
