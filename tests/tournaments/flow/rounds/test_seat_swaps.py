"""Two people who sat down at each other's tables: put right while the round is played, and nothing counts there."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from games import models
from games.play.errors import BadInput, NotAllowed, Stale
from tests.cast import NOW, browser
from tests.tournaments.cast import NAMES, begin, decide_all, draw, enter, entrant, plan, release, standing
from tests.tournaments.flow.rounds.test_late_decisions import check_in_all, first_pod
from tests.tournaments.flow.undo.test_undo import undo
from tournaments.flow.drawing import drafts
from tournaments.flow.entry import organiser_decisions
from tournaments.flow.planning import phases
from tournaments.flow.rounds import disputes, lifecycle, results, seat_swaps
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.undo import step_undo, undo_offers
from tournaments.models import PairRule, Phase, PodSeat, Rest, Tournament


@pytest.fixture
def tournament(ana: models.Player) -> Tournament:
    """The first round of nine, with one bye, at two real tables of four."""
    tournament = begin(ana, NAMES[:9], venue="real", most=4)
    release(ana, tournament, 1)
    return tournament


def list_seats(tournament: Tournament) -> list[list[str]]:
    """Who sits where, pod by pod in the order of the chairs."""
    rows = PodSeat.objects.filter(pod__round__tournament=tournament).order_by("pod__number", "index")
    pods: dict[int, list[str]] = {}
    for number, name in rows.values_list("pod__number", "entrant__name"):
        pods.setdefault(number, []).append(name)
    return list(pods.values())


def swap(tournament: Tournament, owner: models.Player, *names: str, key: str = "k") -> None:
    first, second = (entrant(tournament, name).pk for name in names)
    seat_swaps.reseat(tournament, owner, 1, first, second, key=key, now=NOW)


def test_both_have_the_place_of_the_other_once_and_it_can_be_taken_back(
    ana: models.Player, tournament: Tournament
) -> None:
    before = first, second = list_seats(tournament)
    for _ in range(2):
        swap(tournament, ana, first[1], second[3])
    there = [[first[0], second[3], *first[2:]], [*second[:3], first[1]]]
    assert list_seats(tournament) == there
    undo(ana, tournament)
    assert list_seats(tournament) == before
    undo(ana, tournament, "undo")
    assert list_seats(tournament) == there
    decide_all(ana, tournament, 1)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    won = {name: points for name, _place, points in standing(tournament)}
    assert (won[second[3]], won[first[1]]) == (840 * 2 // 3, 0)


def test_not_once_something_counts_or_may_count_there(ana: models.Player, tournament: Tournament) -> None:
    first, second = list_seats(tournament)
    swap(tournament, ana, first[0], second[0])
    results.decide(tournament, ana, first_pod(tournament).pk, ReportedResult((1, 2, 3, 4)), now=NOW)
    there = list_seats(tournament)
    with pytest.raises(Stale, match="already has a result"):
        swap(tournament, ana, first[1], second[1], key="k2")
    with pytest.raises(Stale, match="already has a result"):
        undo(ana, tournament, "reseat")
    assert list_seats(tournament) == there
    steps = step_undo.list_steps(tournament, with_changes=True)
    offered = undo_offers.find_offered(tournament, steps, now=NOW)
    assert {step.kind for step in steps if step.number in offered} & {"reseat", "decide"} == {"decide"}
    undo(ana, tournament, "decide")
    undo(ana, tournament, "reseat")
    assert list_seats(tournament) == [first, second]


def test_only_who_plays_at_different_tables_of_a_round_that_is_played(
    ana: models.Player, ben: models.Player, tournament: Tournament
) -> None:
    (ada, bea, *_), (cem, *_) = before = list_seats(tournament)
    resting = next(name for name in NAMES[:9] if not any(name in pod for pod in before))
    with pytest.raises(BadInput, match="at different tables"):
        swap(tournament, ana, ada, bea)
    with pytest.raises(BadInput, match="has a bye"):
        swap(tournament, ana, ada, resting)
    with pytest.raises(NotAllowed):
        swap(tournament, ben, ada, cem)
    organiser_decisions.rule_pair(
        tournament, ana, entrant(tournament, ada).pk, entrant(tournament, before[1][1]).pk, PairRule.Kind.APART, now=NOW
    )
    with pytest.raises(BadInput, match="may not meet"):
        swap(tournament, ana, ada, cem)
    lifecycle.substitute(tournament, ana, first_pod(tournament).seats.get(index=1).pk, name="Zoe", now=NOW)
    with pytest.raises(Stale, match="has a substitute"):
        swap(tournament, ana, bea, cem)
    assert list_seats(tournament) == before
    decide_all(ana, tournament, 1)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    with pytest.raises(Stale, match="not being played"):
        swap(tournament, ana, before[0][2], cem)


def test_nobody_sits_wrong_on_screens(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], most=4, venue="online")
    release(ana, tournament, 1)
    first, second = list_seats(tournament)
    with pytest.raises(Stale, match=r"is an online table|The game at table \d has begun"):
        swap(tournament, ana, first[0], second[0])
    assert list_seats(tournament) == [first, second]


def test_what_was_said_and_called_wrong_before_is_not_told_of_others(ana: models.Player) -> None:
    tournament = plan(ana, most=4, venue="real")
    phases.move_on(tournament, ana, Phase.ENTRY, now=NOW)
    people = {player.name: player for player in enter(tournament, *NAMES[:8])}
    check_in_all(ana, tournament)
    release(ana, tournament, 1)
    pod = first_pod(tournament)
    here, there = list_seats(tournament)
    results.enter(tournament, people[here[0]], pod.pk, ReportedResult((1, 2, 3, 4)), now=NOW)
    result = pod.results.get()
    with pytest.raises(Stale, match="already has a result"):
        swap(tournament, ana, here[1], there[1])
    results.reject(tournament, people[here[2]], result.pk, now=NOW)
    assert [one.by for one in disputes.list_objections(pod)] == [here[2]]
    swap(tournament, ana, here[1], there[1])
    assert disputes.list_objections(pod) == []
    results.enter(tournament, people[there[1]], pod.pk, ReportedResult((2, 1, 3, 4)), now=NOW)
    results.confirm(tournament, people[here[2]], pod.results.latest("pk").pk, now=NOW)
    assert pod.results.filter(status="accepted").count() == 1


@pytest.mark.parametrize("page", ["pod", "do"])
def test_a_form_that_names_who_sat_there_before_enters_nothing(
    ana: models.Player, tournament: Tournament, page: str
) -> None:
    pod, ((first, *_), (second, *_)) = first_pod(tournament), list_seats(tournament)
    url = reverse("tournaments:do", args=[tournament.pk]) if page == "do" else ""
    url = url or reverse("tournaments:pod", args=[tournament.pk, 1, pod.number])
    seated = list(pod.seats.order_by("index").values_list("entrant", flat=True))
    places = {f"place-{index}": index + 1 for index in range(4)}
    form = {"action": "decide" if page == "do" else "enter", "pod": pod.pk, "seated": seated, **places}
    assert all(f'name="seated" value="{pk}"' in browser(ana).get(url).content.decode() for pk in seated) or page == "do"
    swap(tournament, ana, first, second)
    browser(ana).post(url, form)
    assert not pod.results.exists()
    undo(ana, tournament)
    browser(ana).post(url, form)
    assert pod.results.count() == 1


@pytest.mark.parametrize("action", ["swap", "reseat"])
def test_two_organisers_who_put_the_same_right_do_not_swap_it_back(ana: models.Player, action: str) -> None:
    """Each from the page on which both people sat wrong."""
    tournament = begin(ana, NAMES[:9], venue="real", most=4)
    (draw if action == "swap" else release)(ana, tournament, 1)
    client, url = browser(ana), reverse("tournaments:do", args=[tournament.pk])
    page = client.get(f"/tournaments/{tournament.pk}/console/").content.decode()
    first, second = list_seats(tournament)
    text = [re.search(rf'<option value="([\d-]+)">{name}<', page) for name in (first[0], second[0])]
    people = dict(zip(("first", "second"), [found[1] for found in text if found], strict=True))
    client.post(url, {"action": action, "round": 1, "key": "k", **people})
    late = client.post(url, {"action": action, "round": 1, "key": "l", **people}, follow=True)
    assert [pod[0] for pod in list_seats(tournament)] == [second[0], first[0]]
    assert "Somebody else has just changed this. Reload the page." in late.content.decode()


def test_who_came_from_the_bye_meanwhile_is_not_sent_back_to_it(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:9], venue="real", most=4)
    draw(ana, tournament, 1)
    resting = Rest.objects.get(round__tournament=tournament).entrant
    sitting = entrant(tournament, list_seats(tournament)[1][0])
    drafts.swap(tournament, ana, 1, resting.pk, sitting.pk, seen=(0, 2), key="k", now=NOW)
    with pytest.raises(Stale, match="Somebody else has just changed this"):
        drafts.swap(tournament, ana, 1, resting.pk, sitting.pk, seen=(0, 2), key="l", now=NOW)
    assert Rest.objects.get(round__tournament=tournament).entrant == sitting


def test_the_console_offers_it_while_two_tables_in_the_room_are_open(
    ana: models.Player, tournament: Tournament
) -> None:
    page, url = browser(ana), f"/tournaments/{tournament.pk}/console/"
    first, second = list_seats(tournament)
    assert 'id="reseat"' in page.get(url).content.decode()
    people = {"first": entrant(tournament, first[0]).pk, "second": entrant(tournament, second[0]).pk}
    page.post(reverse("tournaments:do", args=[tournament.pk]), {"action": "reseat", "round": 1, "key": "k", **people})
    assert [pod[0] for pod in list_seats(tournament)] == [second[0], first[0]]
    results.decide(tournament, ana, first_pod(tournament).pk, ReportedResult((1, 2, 3, 4)), now=NOW)
    assert 'id="reseat"' not in page.get(url).content.decode()
