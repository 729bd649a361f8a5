"""Roles for one night by API: a scorer enters and confirms results, the door checks people in; nothing beyond it."""

from __future__ import annotations

import pytest

from games.models import Player
from tests.cast import NOW
from tests.live.streams.opening import account
from tests.tournaments.api.described import Description
from tests.tournaments.api.organising.organiser import Organiser
from tests.tournaments.cast import begin, play_round, release
from tournaments.flow.entry import duties, sign_up
from tournaments.models import Entrant, NightDuty, Result, Tournament


@pytest.fixture
def night(host: Player) -> Tournament:
    return begin(host, ["Ada", "Bea", "Cem"], venue="real", least=4, most=4, rounds_planned=2)


def take(night: Tournament, host: Player, player: Player, duty: str) -> NightDuty:
    """This person takes the duty by a link."""
    link = duties.give_duty(night, host, duty, name=player.name, now=NOW)
    duties.take_duty(night, player, link.token, now=NOW)
    return link


def test_a_scorer_enters_and_confirms_results_of_the_round(
    described: Description, host: Player, night: Tournament
) -> None:
    zed, scorer = account("Zed"), account("Ben")
    sign_up.enter(night, zed, now=NOW)
    Entrant.objects.update(status="present")
    release(host, night, 1)
    here = f"/tournaments/{night.pk}/rounds/1"
    theirs = Organiser(described, scorer, "results")
    theirs.post(f"{here}/tables/1/result", 403, places=[1, 2, 3, 4])
    theirs.get(f"{here}/reports", 403)
    link = take(night, host, scorer, "scorer")
    Organiser(described, zed, "results").post(f"{here}/tables/1/report", places=[1, 2, 3, 4])
    [reported] = theirs.get(f"{here}/reports")
    assert (reported["number"], reported["reports"][0]["places"]) == (1, [1, 2, 3, 4])
    answer = theirs.post(f"/tournaments/{night.pk}/reports/{reported['reports'][0]['id']}/confirm")
    assert [seat["place"] for seat in answer["pods"][0]["seats"]] == [1, 2, 3, 4]
    assert theirs.get(f"{here}/reports") == []
    answer = theirs.post(f"{here}/tables/1/result", places=[4, 3, 2, 1], key="k")
    assert theirs.post(f"{here}/tables/1/result", places=[4, 3, 2, 1], key="k") == answer
    assert [seat["place"] for seat in answer["pods"][0]["seats"]] == [4, 3, 2, 1]
    assert zed.pk in [seat["person"] for seat in answer["pods"][0]["seats"]]
    theirs.post(f"{here}/tables/1/result", 403, counts_as="void")
    Organiser(described, scorer, "read").post(f"{here}/tables/1/result", 403, places=[1, 2, 3, 4])
    duties.withdraw_duty(night, host, link.pk, now=NOW)
    theirs.post(f"{here}/tables/1/result", 403, places=[1, 2, 3, 4])
    assert Result.objects.filter(status="accepted").count() == 1


def test_a_scorer_corrects_no_complete_round(described: Description, host: Player) -> None:
    made = begin(host, ["Ada", "Bea", "Cem", "Dan"], venue="real", least=4, most=4, rounds_planned=2)
    play_round(host, made, 1)
    scorer = account("Ben")
    take(made, host, scorer, "scorer")
    path = f"/tournaments/{made.pk}/rounds/1"
    Organiser(described, scorer, "results").post(f"{path}/tables/1/result", 403, places=[1, 2, 3, 4])
    Organiser(described, scorer, "results").get(f"{path}/reports", 404)


def test_the_door_checks_in_and_adds_people(described: Description, host: Player, night: Tournament) -> None:
    helper, base = account("Ben"), f"/tournaments/{night.pk}"
    Entrant.objects.filter(tournament=night, number=1).update(fixed_table=2)
    theirs = Organiser(described, helper)
    theirs.post(f"{base}/entrants", 403, name="Zoe")
    take(night, host, helper, "door")
    assert theirs.post(f"{base}/entrants", name="Zoe")["status"] == "present"
    for mark in ("missing", "present"):
        answer = theirs.post(f"{base}/attendance", entrants=[4], mark=mark)
    assert (answer[3]["status"], answer[0]["fixed_table"]) == ("present", None)
    theirs.post(f"{base}/attendance", 403, entrants=[1], mark="withdraw")
    theirs.post(f"{base}/entrants/1", 403, name="Zed")
    theirs.post(f"{base}/entrants", 403, name="Robo", bot="steady")
