"""An arena's steps taken back, and its way out as a file and in again."""

from __future__ import annotations

import pytest

from games import models
from games.play.errors import Stale
from games.play.storage import store
from tests.cast import NOW, come_to_table, person
from tests.tournaments.cast import NAMES, found, import_file, standing
from tests.tournaments.flow.rounds.test_arena import END, decide, open_pods, opened
from tournaments.flow.archive import tournament_document, zip_export
from tournaments.flow.planning import phases
from tournaments.flow.rounds import lifecycle, results, sweeper
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.standings.book_reading import open_book
from tournaments.flow.undo import step_undo
from tournaments.models import Phase, Pod, Round, Step
from tournaments.scoring.arena import BREAK_SECONDS


def test_the_doors_close_again_until_a_game_has_begun(ana: models.Player) -> None:
    tournament = opened(ana, *NAMES[:4], venue="online")
    sweeper.sweep(now=NOW + BREAK_SECONDS)
    number = Step.objects.get(tournament=tournament, kind="open-arena").number
    step_undo.revert(tournament, ana, number, now=NOW + 20)
    tournament.refresh_from_db()
    assert (tournament.phase, Round.objects.count(), Pod.objects.count()) == (Phase.CHECK_IN, 0, 0)
    undone = Step.objects.filter(tournament=tournament, kind="undo").latest("number")
    step_undo.revert(tournament, ana, undone.number, now=NOW + 30)
    (pod,) = open_pods(tournament)
    for place in store.refresh(pod.table_id or "").places:
        come_to_table(pod.table_id or "", place.player_id, now=NOW + 31)
    undone = Step.objects.filter(tournament=tournament, reverted_by=None).latest("number")
    with pytest.raises(Stale, match="has begun"):
        step_undo.revert(tournament, ana, undone.number, now=NOW + 40)


def test_the_doors_of_an_arena_that_has_closed_stay_as_they_are(ana: models.Player) -> None:
    tournament = opened(ana, *NAMES[:4])
    lifecycle.ring(tournament, ana, 1, now=END)
    for status in ("released", "complete"):
        step = Step.objects.get(tournament=tournament, kind="open-arena")
        with pytest.raises(Stale, match="The arena has closed and cannot open again"):
            step_undo.revert(tournament, ana, step.number, now=END + 1)
        assert Round.objects.get(tournament=tournament).status == status
        sweeper.sweep(now=END + 2)
    phases.move_on(tournament, ana, Phase.FINISHED, now=END + 3)


def test_what_the_organiser_takes_back_the_house_does_not_do_again(ana: models.Player) -> None:
    tournament = opened(ana, *NAMES[:4])
    sweeper.sweep(now=NOW + BREAK_SECONDS)
    (pod,) = open_pods(tournament)
    decide(ana, tournament, pod, now=NOW + 20)
    sweeper.sweep(now=END)
    number = Step.objects.get(tournament=tournament, kind="complete").number
    step_undo.revert(tournament, ana, number, now=END + 1)
    sweeper.sweep(now=END + 2)
    assert Round.objects.get(tournament=tournament).status == "released"
    results.decide(tournament, ana, pod.pk, ReportedResult((4, 3, 2, 1)), now=END + 3)
    lifecycle.complete(tournament, ana, 1, now=END + 4)
    assert Round.objects.get(tournament=tournament).status == "complete"


def test_a_result_is_not_taken_back_from_people_who_play_elsewhere(ana: models.Player) -> None:
    tournament = opened(ana, *NAMES[:4])
    sweeper.sweep(now=NOW + BREAK_SECONDS)
    (pod,) = open_pods(tournament)
    decide(ana, tournament, pod, now=NOW + 60)
    step = Step.objects.get(tournament=tournament, kind="decide")
    step_undo.revert(tournament, ana, step.number, now=NOW + 61)
    assert open_pods(tournament) == [pod]
    step_undo.revert(tournament, ana, step.number + 1, now=NOW + 62)
    sweeper.sweep(now=NOW + 120)
    (again,) = open_pods(tournament)
    with pytest.raises(Stale, match="Ada now plays at another table"):
        step_undo.revert(tournament, ana, step.number + 2, now=NOW + 121)
    assert open_pods(tournament) == [again]
    results.decide(tournament, ana, pod.pk, ReportedResult((4, 3, 2, 1)), now=NOW + 122)
    assert sorted(points for _, _, points in standing(tournament)) == [0, 280, 560, 840]


def test_it_goes_out_as_a_file_and_comes_back(ana: models.Player) -> None:
    tournament = opened(ana, *NAMES[:8])
    for game in range(2):
        sweeper.sweep(now=NOW + (game + 1) * BREAK_SECONDS)
        for pod in open_pods(tournament):
            decide(ana, tournament, pod, now=NOW + (game + 1) * BREAK_SECONDS)
    running = tournament_document.describe(open_book(tournament))
    assert (running.standings, running.rounds[0].is_complete) == ((), False)
    sweeper.sweep(now=END)
    sent = zip_export.write_zip(open_book(tournament))
    club = found(person("Rosa"), "Mountain Club")
    copy = import_file(club, club.memberships.get().player, sent)
    assert standing(copy) == standing(tournament)
    first, second = (tournament_document.describe(open_book(one)).rounds[0].pods for one in (tournament, copy))
    assert second == first
