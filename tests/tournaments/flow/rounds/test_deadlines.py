"""Rounds over days: they begin without anybody, go on with stand-ins, and end at their deadline by themselves."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import models
from games.play.clocks import timers
from games.play.days import awaited_turns
from games.play.days.round_deadlines import find_deadlines
from games.play.errors import BadInput
from games.play.moves import submission
from games.play.seats import sitting
from games.play.storage import store
from games.play.storage.table import OVER, PLAYING, LoadedTable
from games.rules import registry
from tests.cast import NOW, open_table, person
from tests.tournaments.cast import begin, enter, found, plan, release
from tournaments.flow.announcements import deadlines
from tournaments.flow.archive import tournament_document
from tournaments.flow.evenings import sessions
from tournaments.flow.rounds import lifecycle, sweeper
from tournaments.flow.standings.book_reading import open_book
from tournaments.flow.undo import step_undo
from tournaments.models import Pod, Result, Round, Step, Tournament
from tournaments.words.step_words import say_step

DAY = 86_400.0
HOUR = 3600.0
NAMES = ("Bea", "Cem", "Dan", "Eli")
DAYS = {"turn_seconds": 86_400, "round_minutes": 14 * 1440, "venue": "online", "most": 4}


def start(owner: models.Player, *names: str, **overrides: Any) -> tuple[Tournament, list[models.Player], LoadedTable]:
    """A released round over days of these people and, on the other seats, bots; its only table."""
    tournament = begin(owner, [], **{**DAYS, "wanted": len(names), "least": len(names), "most": 4, **overrides})
    players = enter(tournament, *names)
    release(owner, tournament, 1)
    pod = Pod.objects.get(round__tournament=tournament)
    assert pod.table_id is not None
    return tournament, players, store.reload(pod.table_id)


def sweep_and_reload(table: LoadedTable, now: float) -> LoadedTable:
    """The table after a sweep and its clocks, and what bots have played in the hour that follows."""
    sweeper.sweep(now=now)
    table = timers.run_clock(table.id, now=now)
    while table.runtime.bot_due is not None and table.runtime.bot_due <= now + HOUR:
        played = submission.play_bot(table.id, ply=table.ply, now=max(now, table.runtime.bot_due))
        assert played is not None
        table = played
    return table


def find_round(tournament: Tournament) -> Round:
    return Round.objects.get(tournament=tournament, number=1)


def test_after_the_grace_the_game_begins_and_nobody_is_absent(ana: models.Player) -> None:
    _, _, table = start(ana, *NAMES, grace_minutes=5, no_show="forfeit")
    assert sweep_and_reload(table, NOW + 299).status == "waiting"
    begun = sweep_and_reload(table, NOW + 300)
    assert (begun.status, begun.runtime.stand_ins, len(begun.people)) == (PLAYING, frozenset(), 4)
    assert awaited_turns.list_awaited(begun)[0][1] == NOW + 300 + DAY


def test_while_its_games_go_on_a_round_costs_the_sweeper_nothing(ana: models.Player) -> None:
    sweeper.sweep(now=NOW)  # whatever is read once
    with CaptureQueriesContext(connection) as without:
        sweeper.sweep(now=NOW)
    _, _, table = start(ana, *NAMES)
    begun = sweep_and_reload(table, NOW + HOUR)
    with CaptureQueriesContext(connection) as running:
        sweeper.sweep(now=NOW + 2 * HOUR)
    assert (begun.status, len(running)) == (PLAYING, len(without))


@pytest.mark.parametrize("game", registry.slugs())
def test_at_the_deadline_stand_ins_play_the_rest_and_the_round_is_complete(ana: models.Player, game: str) -> None:
    options = registry.infos()[game].agree_on_deals(1) if registry.find(game).ends_by_clock else {}
    size = registry.find(game).seat_counts[0]
    tournament, _, table = start(
        ana, *NAMES[:size], game=game, options=options, most=max(size, 3), turn_seconds=7 * 86_400
    )
    begun = sweep_and_reload(table, NOW + HOUR)
    assert (begun.status, find_round(tournament).ends_at) == (PLAYING, NOW + 14 * DAY)
    assert sweep_and_reload(begun, NOW + 13.9 * DAY).status == PLAYING
    begun = sweep_and_reload(begun, NOW + 14 * DAY)
    assert (begun.outcome is not None, begun.runtime.stand_ins) == (True, frozenset(begun.people))
    sweeper.sweep(now=NOW + 14 * DAY + HOUR)
    assert Result.objects.get(status="accepted").source == "table"
    assert find_round(tournament).status == Round.Status.COMPLETE
    assert [step.actor for step in Step.objects.filter(kind__in=("bell", "complete"))] == [None, None]


def test_before_the_deadline_everybody_can_leave_and_the_game_goes_on(ana: models.Player) -> None:
    _, players, table = start(ana, *NAMES)
    begun = sweep_and_reload(table, NOW + HOUR)
    for player in players:
        begun = sitting.leave(begun.id, player.pk, now=NOW + HOUR)
    assert begun.runtime.paused_at is None
    assert sweep_and_reload(begun, NOW + 2 * HOUR).status == OVER


def test_a_round_completes_by_itself_only_once(ana: models.Player) -> None:
    tournament, players, table = start(ana, *NAMES)
    begun = sweep_and_reload(table, NOW + HOUR)
    for player in players:
        begun = sitting.leave(begun.id, player.pk, now=NOW + HOUR)
    sweep_and_reload(begun, NOW + 2 * HOUR)
    sweeper.sweep(now=NOW + 4 * HOUR)
    [done] = Step.objects.filter(kind="complete")
    assert say_step(done, format_slug="swiss") == "completed round 1"
    step_undo.revert(tournament, ana, done.number, now=NOW + 5 * HOUR)
    sweeper.sweep(now=NOW + 6 * HOUR)
    assert find_round(tournament).status == Round.Status.RELEASED
    lifecycle.complete(tournament, ana, 1, now=NOW + 7 * HOUR)
    assert find_round(tournament).status == Round.Status.COMPLETE


def test_a_pause_moves_the_deadline_and_nothing_completes_in_it(ana: models.Player) -> None:
    tournament, _, table = start(ana, *NAMES)
    begun = sweep_and_reload(table, NOW + HOUR)
    lifecycle.pause(tournament, ana, 1, now=NOW + DAY)
    assert sweep_and_reload(begun, NOW + 20 * DAY).ply == begun.ply
    lifecycle.resume(tournament, ana, 1, now=NOW + 21 * DAY)
    assert find_round(tournament).ends_at == NOW + 34 * DAY


def test_the_deadline_moves_by_days(ana: models.Player) -> None:
    tournament, _, _ = start(ana, *NAMES)
    lifecycle.extend(tournament, ana, 1, 3 * 1440, key="a", now=NOW + DAY)
    lifecycle.extend(tournament, ana, 1, -1440, key="b", now=NOW + DAY)
    assert find_round(tournament).ends_at == NOW + 16 * DAY
    sentences = [say_step(step, format_slug="swiss") for step in Step.objects.filter(kind="extend").order_by("number")]
    assert sentences == ["made round 1 longer by 3 days", "made round 1 shorter by 1 day"]
    with pytest.raises(BadInput, match="at most 30 days"):
        lifecycle.extend(tournament, ana, 1, 31 * 1440, key="c", now=NOW + DAY)


def test_everybody_can_read_the_deadline_of_their_table(ana: models.Player) -> None:
    tournament, [bea, *_], table = start(ana, *NAMES)
    assert find_deadlines([table.id, "other"]) == {table.id: NOW + 14 * DAY}
    assert [pod.table_id for pod in deadlines.list_own(bea.pk)] == [table.id]
    assert deadlines.list_own(ana.pk) == []
    played = find_round(tournament)
    assert [deadlines.is_near(played, now=NOW + days * DAY) for days in (11, 11.2, 14)] == [False, True, True]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"format": "arena"}, "at the same time"),
        ({"format": "ladder", "game": "karriere-poker"}, "at the same time"),
        ({"venue": "mixed"}, "played at online tables"),
        ({"round_minutes": None}, "needs a deadline"),
        ({"round_minutes": 91 * 1440}, "needs a deadline"),
        ({"turn_seconds": 5 * 86_400}, "1, 2, 3, 7"),
        ({"game": "animal-poker", "options": {}}, "agreed length"),
        ({"options": {"deals": 1, "minutes": 30}}, "no time limit in minutes"),
        ({"turn_seconds": 45}, "1 to 1,440 minutes"),
    ],
)
def test_a_plan_over_days_must_make_sense(ana: models.Player, wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        plan(ana, **{**DAYS, **wrong})


def test_a_knockout_over_days_goes_on_to_its_final(ana: models.Player) -> None:
    tournament, _, table = start(ana, *NAMES, format="knockout", advance=2)
    assert (sweep_and_reload(table, NOW + HOUR).status, find_round(tournament).stage) == (PLAYING, "final")


def test_the_archive_tells_pace_and_deadline(ana: models.Player) -> None:
    tournament, _, _ = start(ana, *NAMES)
    described = tournament_document.describe(open_book(tournament))
    assert (described.agreement.turn_seconds, described.agreement.round_minutes) == (86_400, 14 * 1440)


def test_a_game_over_days_is_not_added_to_an_evening(ana: models.Player) -> None:
    evening = sessions.open_evening(found(ana), ana, sessions.EveningPlan("Friday", "karriere-poker", 30), now=NOW)
    table = open_table(ana, person("Ben"), turn_seconds=86_400, options={"deals": 1})
    with pytest.raises(BadInput, match="over days cannot be added to an evening"):
        sessions.bring_table(evening, ana, table.id, version=evening.version, now=NOW)
    live = open_table(ana, person("Cem"))
    assert sessions.bring_table(evening, ana, live.id, version=evening.version, now=NOW) == 1
