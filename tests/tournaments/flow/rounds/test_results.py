"""Results of real tables: entered by one, confirmed by another, or decided."""

from __future__ import annotations

import csv
import io
import re
import time

import pytest
from django.test import Client
from django.urls import reverse

from games import models
from games.play.errors import BadInput, NotAllowed, Stale
from tests.cast import NOW, browser, person
from tests.tournaments.cast import NAMES, begin, enter, release, standing
from tests.tournaments.flow.undo.test_undo import undo
from tournaments.flow.rounds import lifecycle, results
from tournaments.flow.rounds.result_reports import ReportedResult, check_result, read_result
from tournaments.models import Membership, Pod, PodSeat, Result, Step, Tournament
from tournaments.words.step_words import say_step

FIRST, SECOND = ReportedResult((1, 2, 3, 4)), ReportedResult((2, 1, 3, 4))


@pytest.fixture
def room(ana: models.Player) -> tuple[Tournament, Pod, list[models.Player]]:
    """A real table of four people with phones, in the order of their seats."""
    tournament = begin(ana, [], venue="real", most=4)
    enter(tournament, *NAMES[:4])
    release(ana, tournament, 1)
    pod = Pod.objects.get(round__tournament=tournament)
    seats = PodSeat.objects.filter(pod=pod).select_related("entrant__player").order_by("index")
    return tournament, pod, [seat.entrant.player for seat in seats if seat.entrant.player]


Room = tuple[Tournament, Pod, list[models.Player]]


def accepted(pod: Pod) -> list[str]:
    return list(Result.objects.filter(pod=pod, status="accepted").values_list("places", flat=True))


def test_one_enters_and_another_confirms(room: Room) -> None:
    tournament, pod, (first, second, *_) = room
    results.enter(tournament, first, pod.pk, FIRST, now=NOW)
    said = Result.objects.get(pod=pod)
    with pytest.raises(NotAllowed, match="Somebody else"):
        results.confirm(tournament, first, said.pk, now=NOW)
    for _ in range(2):
        results.confirm(tournament, second, said.pk, now=NOW)
    assert accepted(pod) == ["[1,2,3,4]"]
    with pytest.raises(Stale, match="decided"):
        results.enter(tournament, second, pod.pk, SECOND, now=NOW)


def test_the_log_gives_no_place_to_who_did_not_come(room: Room, ana: models.Player) -> None:
    tournament, pod, players = room
    results.set_fate(tournament, ana, pod.seats.get(index=1).pk, PodSeat.Fate.NO_SHOW, now=NOW)
    results.enter(tournament, players[0], pod.pk, ReportedResult((2, 4, 1, 3)), now=NOW)
    step = Step.objects.get(kind="result")
    said = say_step(step, format_slug="swiss")
    assert said.endswith(f": 1. {players[2].name}, 2. {players[0].name}, 3. {players[3].name}")


def test_nothing_is_lost_that_comes_with_the_bell_or_after_it(room: Room, ana: models.Player) -> None:
    tournament, pod, (first, second, *_) = room
    results.enter(tournament, first, pod.pk, FIRST, now=NOW)
    lifecycle.ring(tournament, ana, 1, now=NOW)
    assert [said.status for said in Result.objects.filter(pod=pod)] == ["proposed"]
    results.confirm(tournament, second, Result.objects.get(pod=pod).pk, now=NOW + 60)
    lifecycle.complete(tournament, ana, 1, now=NOW + 61)
    assert accepted(pod) == ["[1,2,3,4]"]


def test_the_same_said_twice_by_different_people_is_a_confirmation(room: Room) -> None:
    tournament, pod, (first, second, *_) = room
    for _ in range(2):
        results.enter(tournament, first, pod.pk, FIRST, now=NOW)
    assert accepted(pod) == []
    results.enter(tournament, second, pod.pk, FIRST, now=NOW)
    assert accepted(pod) == ["[1,2,3,4]"]


def test_two_say_different_things_and_the_organiser_decides(room: Room, ana: models.Player) -> None:
    tournament, pod, (first, second, *_) = room
    results.enter(tournament, first, pod.pk, FIRST, now=NOW)
    results.enter(tournament, second, pod.pk, SECOND, now=NOW)
    with pytest.raises(Stale, match="missing: table 1"):
        lifecycle.complete(tournament, ana, 1, now=NOW)
    results.enter(tournament, ana, pod.pk, SECOND, now=NOW)
    assert accepted(pod) == ["[2,1,3,4]"]


def test_of_two_different_results_the_one_that_is_meant_is_confirmed_or_refused(room: Room) -> None:
    tournament, pod, (first, second, third, fourth) = room
    results.enter(tournament, first, pod.pk, FIRST, now=NOW)
    results.enter(tournament, second, pod.pk, SECOND, now=NOW)
    results.enter(tournament, third, pod.pk, ReportedResult((3, 2, 1, 4)), now=NOW)
    said = {one.entered_by_id: one for one in Result.objects.filter(pod=pod)}
    results.reject(tournament, fourth, said[third.pk].pk, now=NOW)
    with pytest.raises(Stale, match="replaced"):
        results.confirm(tournament, fourth, said[third.pk].pk, now=NOW)
    results.confirm(tournament, fourth, said[second.pk].pk, now=NOW)
    assert accepted(pod) == ["[2,1,3,4]"]
    assert Result.objects.get(status="accepted").confirmed_by == fourth
    with pytest.raises(Stale, match="replaced"):
        results.confirm(tournament, third, said[first.pk].pk, now=NOW)
    with pytest.raises(Stale, match="decided"):
        results.reject(tournament, third, said[second.pk].pk, now=NOW)
    assert accepted(pod) == ["[2,1,3,4]"]


def test_who_was_wrong_corrects_themselves(room: Room) -> None:
    tournament, pod, (first, *_) = room
    results.enter(tournament, first, pod.pk, FIRST, now=NOW)
    results.enter(tournament, first, pod.pk, SECOND, now=NOW)
    assert list(Result.objects.filter(pod=pod).order_by("pk").values_list("status", flat=True)) == [
        "rejected",
        "proposed",
    ]


def test_a_result_that_is_sent_again_does_not_replace_a_later_one(room: Room, ana: models.Player) -> None:
    """Its answer was lost, and its phone sends it once more after something else was entered or decided."""
    tournament, pod, (first, *_) = room
    results.enter(tournament, first, pod.pk, FIRST, key="result:1", now=NOW)
    results.enter(tournament, first, pod.pk, SECOND, key="result:2", now=NOW)
    results.enter(tournament, first, pod.pk, FIRST, key="result:1", now=NOW)
    proposed = Result.objects.filter(pod=pod, status="proposed")
    assert [list(read_result(one).places) for one in proposed] == [list(SECOND.places)]
    for reported, key in ((FIRST, "result:3"), (SECOND, "result:4"), (FIRST, "result:3")):
        results.enter(tournament, ana, pod.pk, reported, key=key, now=NOW)
    assert accepted(pod) == ["[2,1,3,4]"]


def test_a_result_that_has_waited_does_not_replace_what_somebody_else_entered_meanwhile(
    room: Room, ana: models.Player
) -> None:
    """A scorer entered it without a network; before it came, an organiser decided otherwise."""
    tournament, pod, _ = room
    otto = person("Otto")
    Membership.objects.create(club=tournament.club, player=otto, role="organiser")
    results.decide(tournament, ana, pod.pk, SECOND, now=NOW + 300)
    with pytest.raises(Stale, match="Somebody else has entered another result for this table meanwhile"):
        results.enter(tournament, otto, pod.pk, FIRST, key="result:1", since=NOW, now=NOW + 600)
    assert accepted(pod) == ["[2,1,3,4]"]
    results.enter(tournament, otto, pod.pk, SECOND, key="result:2", since=NOW, now=NOW + 600)  # it is the same
    results.enter(tournament, otto, pod.pk, FIRST, key="result:3", since=NOW + 601, now=NOW + 601)  # after a look
    assert accepted(pod) == ["[1,2,3,4]"]
    results.enter(tournament, otto, pod.pk, SECOND, key="result:4", since=NOW + 2, now=NOW + 602)  # one's own order
    assert accepted(pod) == ["[2,1,3,4]"]


def test_a_phone_says_how_long_its_result_has_waited(room: Room, ana: models.Player) -> None:
    tournament, pod, _ = room
    otto = person("Otto")
    Membership.objects.create(club=tournament.club, player=otto, role="organiser")
    results.decide(tournament, ana, pod.pk, SECOND, now=time.time() - 60)
    places = {f"place-{seat}": place for seat, place in enumerate(FIRST.places)}
    url = reverse("tournaments:pod", args=[tournament.pk, 1, pod.number])
    for waited, status, counts in (("120", 409, "[2,1,3,4]"), ("x", 400, "[2,1,3,4]"), ("30", 302, "[1,2,3,4]")):
        form = {**places, "action": "enter", "key": f"k{waited}", "waited": waited}
        answer = browser(otto).post(url, form, headers={"accept": "application/json"})
        assert (answer.status_code, accepted(pod)) == (status, [counts])


def test_nobody_from_another_table_says_anything(room: Room, eva: models.Player) -> None:
    tournament, pod, (first, *_) = room
    with pytest.raises(NotAllowed):
        results.enter(tournament, eva, pod.pk, FIRST, now=NOW)
    results.enter(tournament, first, pod.pk, FIRST, now=NOW)
    for act in (results.confirm, results.reject):
        with pytest.raises(NotAllowed):
            act(tournament, eva, Result.objects.get(pod=pod).pk, now=NOW)


def test_who_did_not_come_is_last_and_has_what_was_agreed(room: Room, ana: models.Player) -> None:
    tournament, pod, _ = room
    seat = pod.seats.get(index=0)
    results.set_fate(tournament, ana, seat.pk, PodSeat.Fate.NO_SHOW, now=NOW)
    results.decide(tournament, ana, pod.pk, FIRST, now=NOW)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    assert [(place, points) for _, place, points in standing(tournament)] == [(1, 840), (2, 560), (3, 280), (4, 0)]
    assert standing(tournament)[3][0] == seat.entrant.name


def test_everywhere_the_same_is_told_of_who_forfeits_after_the_result(room: Room, ana: models.Player) -> None:
    """Nothing of them; the next one is the first. Where the table counts for nobody there is no place at all."""
    tournament, pod, _ = room
    results.decide(tournament, ana, pod.pk, ReportedResult((1, 2, 3, 4), (9, 5, 5, 1)), now=NOW)
    results.set_fate(tournament, ana, pod.seats.get(index=0).pk, PodSeat.Fate.FORFEIT, now=NOW)
    assert _tell(tournament, pod) == [("", ""), ("1", "5"), ("2", "5"), ("3", "1")]
    results.decide(tournament, ana, pod.pk, None, is_void=True, now=NOW)
    assert _tell(tournament, pod) == [("", "")] * 4


def _tell(tournament: Tournament, pod: Pod) -> list[tuple[str, str]]:
    """Place and score by seat, as file, programs and page tell them."""
    text = (
        Client().get(reverse("tournaments:download", args=[tournament.pk, "results.csv"])).content.decode("utf-8-sig")
    )
    in_file = [(row["place"], row["score"]) for row in csv.DictReader(io.StringIO(text))]
    [played] = Client().get(f"/api/v1/tournaments/{tournament.pk}/rounds").json()
    by_seat = [tuple("" if seat[key] is None else str(seat[key]) for key in ("place", "score"))
               for seat in played["pods"][0]["seats"]]  # fmt: skip
    assert in_file == by_seat
    hall = Client().get(reverse("tournaments:hall", args=[tournament.pk])).content.decode()
    assert re.findall(r'<b class="place">(\d)\.</b>', hall) == sorted(place for place, _ in in_file if place)
    return in_file


def test_a_substitute_plays_and_the_points_are_the_entrant_s(
    room: Room, ana: models.Player, eva: models.Player
) -> None:
    tournament, pod, (first, second, *_) = room
    seat = pod.seats.get(index=0)
    Membership.objects.create(club=tournament.club, player=eva)
    lifecycle.substitute(tournament, ana, seat.pk, player=eva, now=NOW)
    with pytest.raises(NotAllowed):
        results.enter(tournament, first, pod.pk, FIRST, now=NOW)
    results.enter(tournament, eva, pod.pk, FIRST, now=NOW)
    results.enter(tournament, second, pod.pk, FIRST, now=NOW)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    assert standing(tournament)[0] == (first.name, 1, 840)


def test_what_a_missing_result_counts_as(ana: models.Player) -> None:
    for how, points in (("void", [0] * 4), ("shared", [420] * 4)):
        tournament = begin(ana, NAMES[:4], most=4)
        release(ana, tournament, 1)
        lifecycle.complete(tournament, ana, 1, missing=how, now=NOW)
        assert [found for _, _, found in standing(tournament)] == points


@pytest.mark.parametrize(
    ("places", "scores", "said"),
    [
        ((1, 2, 3), (None, None, None), ReportedResult((1, 2, 3))),
        ((1, 1, 2), (None, None, None), ReportedResult((1, 1, 3))),
        ((None, None, None), (5, 9, 5), ReportedResult((2, 1, 2), (5, 9, 5))),
    ],
)
def test_reading_a_result(places: list[int | None], scores: list[int | None], said: ReportedResult) -> None:
    assert check_result(places, scores, seats=3, needs_scores=False) == said


@pytest.mark.parametrize(
    ("places", "scores", "needs_scores"),
    [
        ((1, 2), (None, None), False),
        ((1, None, 2), (None, None, None), False),
        ((2, 2, 3), (None, None, None), False),
        ((1, 2, 4), (None, None, None), False),
        ((1, 2, 3), (5, None, 3), False),
        ((1, 2, 3), (None, None, None), True),
        ((1, 2, 3), (1, 2, 10**9), False),
    ],
)
def test_results_that_are_none(places: list[int | None], scores: list[int | None], needs_scores: bool) -> None:
    with pytest.raises(BadInput):
        check_result(places, scores, seats=3, needs_scores=needs_scores)


@pytest.mark.parametrize(
    ("places", "scores", "said"),
    [
        ((None, 1, 2), (None, None, None), ReportedResult((3, 1, 2))),
        ((3, 1, 2), (None, None, None), ReportedResult((3, 1, 2))),
        ((None, None, None), (None, 4, 9), ReportedResult((3, 2, 1), (0, 4, 9))),
        ((None, 1, 2), (None, 9, 4), ReportedResult((3, 1, 2), (0, 9, 4))),
    ],
)
def test_who_did_not_play_needs_no_place(
    places: list[int | None], scores: list[int | None], said: ReportedResult
) -> None:
    assert check_result(places, scores, seats=3, needs_scores=False, gone={0}) == said
    with pytest.raises(BadInput):
        check_result((None, None, None), (None, None, None), seats=3, needs_scores=False, gone={0})
    with pytest.raises(BadInput):
        check_result((None, None, 1), (None, None, None), seats=3, needs_scores=False, gone={0})


def read_table(room: Room, reader: models.Player) -> str:
    """What somebody reads on the page of the table."""
    tournament, pod, _ = room
    return browser(reader).get(reverse("tournaments:pod", args=[tournament.pk, 1, pod.number])).content.decode()


def test_everybody_at_the_table_reads_who_disagrees_with_what(room: Room, ana: models.Player) -> None:
    tournament, pod, (first, second, third, _) = room
    results.enter(tournament, first, pod.pk, FIRST, now=NOW)
    said = Result.objects.get(pod=pod)
    results.reject(tournament, second, said.pk, now=NOW)
    wrong = f"{second.name} disputes this result."
    for reader in (first, second, third):
        page = read_table(room, reader)
        assert (f"{first.name} says:" in page, wrong in page, "Final places" in page) == (True, True, True)
    console = browser(ana).get(reverse("tournaments:console", args=[tournament.pk])).content.decode()
    assert ("disputed</span>" in console, "Result disputed</b>" in console) == (True, True)
    undo(ana, tournament, "reject")
    assert wrong not in read_table(room, first)
    results.reject(tournament, second, said.pk, now=NOW)
    results.enter(tournament, first, pod.pk, SECOND, now=NOW)  # they have thought again
    assert wrong not in read_table(room, first)
    results.confirm(tournament, second, Result.objects.get(pod=pod, status="proposed").pk, now=NOW)
    assert wrong not in read_table(room, first)


def test_who_takes_their_own_word_back_disagrees_with_nobody(room: Room) -> None:
    tournament, pod, (first, *_) = room
    results.enter(tournament, first, pod.pk, FIRST, now=NOW)
    results.reject(tournament, first, Result.objects.get(pod=pod).pk, now=NOW)
    assert "disputes this result." not in read_table(room, first)
