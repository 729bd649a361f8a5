"""Offered undos and redos work, and the whole log offers every possible one."""

from __future__ import annotations

import re
from contextlib import suppress

from django.db import transaction

from games import memo, models
from games.play.errors import Stale
from tests.cast import NOW, browser, come_to_table
from tests.tournaments.cast import NAMES, begin, enter, entrant, found, play_round, release
from tests.tournaments.views.rounds.test_honest import page
from tournaments.flow.drawing import draw_requests
from tournaments.flow.entry import attendance
from tournaments.flow.evenings import jobs, sessions
from tournaments.flow.planning import phases
from tournaments.flow.rounds import lifecycle, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.undo import evening_undo, evening_undo_offers, step_undo
from tournaments.models import Membership, Phase, Pod, Result, Role, Step, Tournament

OFFERED = r'name="step" value="(\d+)"'


def test_what_several_have_done_alike_is_offered_back_by_their_names(ana: models.Player) -> None:
    """Labels of undo buttons name their subject, for screen readers, too."""
    tournament = begin(ana, ())
    enter(tournament, "Ada", "Bea")
    shown = re.findall(r'<span class="v">([^<]*)</span></button></form></li>', page(browser(ana), tournament, "log"))
    assert {": Ada signed up", ": Bea signed up"} <= {
        words.replace("\u2068", "").replace("\u2069", "") for words in shown
    }


def test_logs_and_chronicles_mark_what_the_reader_has_done(ana: models.Player, ben: models.Player) -> None:
    """In the console's latest steps, in the whole log, in the chronicle and in the log of an evening."""
    tournament = begin(ana, NAMES[:4], venue="real", most=4)
    Membership.objects.create(club=tournament.club, player=ben, role=Role.ORGANISER)
    release(ana, tournament, 1)
    evening = sessions.open_evening(
        tournament.club, ana, sessions.EveningPlan("Friday", "animal-poker", 30, NOW), now=NOW
    )
    sessions.extend(evening, ana, 5, version=evening.version, now=NOW)
    mark = '</b> <small class="soft you">(you)</small>'
    for name in ("console", "log", "chronicle"):
        shown = [page(browser(reader), tournament, name).count(f"Ana{mark}") for reader in (ana, ben)]
        assert (shown[0] > 0, shown[1]) == (True, 0), name
    shown = [
        browser(reader).get(f"/evenings/{evening.pk}/").content.decode().count(f"Ana{mark}") for reader in (ana, ben)
    ]
    assert (shown[0] > 0, shown[1]) == (True, 0)


def test_a_release_that_something_has_followed_from_is_not_offered_back(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], venue="real", most=4)
    release(ana, tournament, 1)
    assert "Undo: Ana released round 1" in page(browser(ana), tournament, "console")
    lifecycle.pause(tournament, ana, 1, now=NOW)
    text = page(browser(ana), tournament, "console")
    assert ("Undo: Ana released round 1" in text, "All tables are paused." in text) == (True, True)
    online = begin(ana, (), name="Friday", venue="online", most=4, round_minutes=30)
    players = enter(online, *NAMES[4:8])
    release(ana, online, 1)
    for player in players:
        come_to_table(Pod.objects.get(round__tournament=online).table_id or "", player.pk, now=NOW)
    assert "Undo: Ana released round 1" not in page(browser(ana), online, "console")


def test_what_a_draw_under_way_rests_on_is_not_offered_back(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], venue="real", most=4, rounds_planned=2)
    play_round(ana, tournament, 1)
    back = "Undo: Ana completed round 1</button>"
    assert back in page(browser(ana), tournament, "console")
    draw_requests.request_draw(tournament, ana, 2, again=False, now=NOW)
    assert back not in page(browser(ana), tournament, "console")


def test_one_step_after_the_other_is_taken_back_however_many(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], venue="real", most=4)
    release(ana, tournament, 1)
    for first in range(7):
        places = [1 + (seat + first) % 4 for seat in range(4)]
        results.decide(tournament, ana, Pod.objects.get().pk, ReportedResult((places[0], *places[1:])), now=NOW)
    for number in range(7):
        shown = page(browser(ana), tournament, "console")
        assert "Undo: Ana set the result of table 1" in shown, number
        [step] = re.findall(r'name="step" value="(\d+)"><button class="btn small" id="undo"', shown)
        step_undo.revert(tournament, ana, int(step), now=NOW)
    assert "Undo: Ana released round 1" in page(browser(ana), tournament, "console")
    for number in range(7):
        shown = page(browser(ana), tournament, "console")
        assert "Redo: Ana set the result of table 1" in shown, number
        [step] = re.findall(r'name="step" value="(\d+)"><button class="btn small" id="redo"', shown)
        step_undo.revert(tournament, ana, int(step), now=NOW)
        assert (
            Result.objects.get(status="accepted").places == f"[{','.join(str(1 + (s + number) % 4) for s in range(4))}]"
        )
    assert "Redo" not in page(browser(ana), tournament, "console")


def is_refused(owner: models.Player, tournament: Tournament, step: Step) -> bool:
    """Whether this step is not taken back; nothing stays of it."""
    try:
        with transaction.atomic():
            step_undo.revert(tournament, owner, step.number, now=NOW)
            transaction.set_rollback(True)
    except Stale:
        return True
    finally:
        memo.forget_all()
    return False


def test_the_log_offers_exactly_what_can_still_be_taken_back(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:5], venue="real", most=5, rounds_planned=2)
    attendance.withdraw(tournament, ana, [entrant(tournament, NAMES[4]).pk], now=NOW)
    play_round(ana, tournament, 1)
    release(ana, tournament, 2)
    for act in ("a round is played", "decided", "complete", "finished"):
        if act == "decided":
            results.decide(tournament, ana, Pod.objects.latest("pk").pk, ReportedResult((1, 2, 3, 4)), now=NOW)
        elif act == "complete":
            lifecycle.complete(tournament, ana, 2, now=NOW)
        elif act == "finished":
            phases.move_on(tournament, ana, Phase.FINISHED, now=NOW)
        offered = {int(number) for number in re.findall(OFFERED, page(browser(ana), tournament, "log"))}
        steps = Step.objects.filter(tournament=tournament)
        assert offered == {step.number for step in steps if not is_refused(ana, tournament, step)}, act
        assert offered, act
    assert "Undo: finished the tournament" in page(browser(ana), tournament, "console").replace("Ana ", "")


def test_an_evening_offers_exactly_what_can_still_be_taken_back(ana: models.Player, ben: models.Player) -> None:
    club = found(ana)
    Membership.objects.create(club=club, player=ben)
    evening = sessions.open_evening(club, ana, sessions.EveningPlan("Friday", "animal-poker", 30, NOW), now=NOW)
    sessions.extend(evening, ana, 15, version=0, now=NOW)
    sessions.extend(evening, ana, 20, version=1, now=NOW)
    for _ in range(2):
        sessions.add_table(evening, ana, [ben.pk], version=sessions.find(evening.pk).version, now=NOW)
        sessions.close_table(evening, ana, 1, now=NOW)
    steps = evening_undo.list_steps(evening)
    offered = evening_undo_offers.find_offered(steps, sessions.find(evening.pk), jobs.list_stories(evening), now=NOW)
    possible = set()
    for step in steps:
        with suppress(Stale), transaction.atomic():
            evening_undo.revert(evening, ana, step.number, now=NOW)
            possible.add(step.number)
            transaction.set_rollback(True)
        memo.forget_all()
    assert offered == possible
    assert [step.kind for step in steps if step.number in offered] == ["close", "close", "extend"]
