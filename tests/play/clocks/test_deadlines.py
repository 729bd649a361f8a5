"""Time runs by the server's clock: answered before the deadline counts, after it does not."""

from __future__ import annotations

import pytest

from games import models
from games.play.clocks import downtime, timers
from games.play.errors import Stale
from games.play.moves import submission
from games.play.moves.submission import ANSWER_GRACE
from games.play.seats import sitting
from games.play.storage import store
from games.play.storage.table import OVER, PLAYING
from tests.cast import NOW, legal, move_until, start_table, version_of, wait_for


def test_an_answer_before_the_deadline_counts_however_late_the_timer(ana: models.Player) -> None:
    table = wait_for(start_table(ana, turn_seconds=30), ana)
    due = table.runtime.clocks[0].due
    assert timers.run_clock(table.id, now=due + ANSWER_GRACE / 2).ply == table.ply
    made = submission.submit_move(table.id, ana.pk, legal(table, 0)[0], ply=table.ply, key="k", now=due - 0.001)
    assert made.table.ply == table.ply + 1
    assert made.table.runtime.timeouts == (0, 0, 0, 0)


@pytest.mark.parametrize("waited", [20.0, 3600.0, -3600.0])
def test_an_answer_that_had_to_wait_counts_and_the_next_turn_begins_when_it_is_taken_up(
    ana: models.Player, waited: float
) -> None:
    """Or the computer's clock was set meanwhile."""
    table = wait_for(start_table(ana, turn_seconds=30), ana)
    downtime.compensate_downtime(now=NOW)
    came = table.runtime.clocks[0].due - 0.001
    move = legal(table, 0)[0]
    made = submission.submit_move(table.id, ana.pk, move, ply=table.ply, key="k", now=came, started_at=came + waited)
    assert made.table.runtime.timeouts == (0, 0, 0, 0)
    assert [clock.due for clock in made.table.runtime.clocks] == [came + waited + 30]


def test_an_answer_at_the_deadline_is_too_late_though_no_timer_has_run(ana: models.Player) -> None:
    table = wait_for(start_table(ana, turn_seconds=30), ana)
    due = table.runtime.clocks[0].due
    with pytest.raises(Stale, match="Time ran out"):
        submission.submit_move(table.id, ana.pk, legal(table, 0)[0], ply=table.ply, key="k", now=due)
    after = store.reload(table.id)
    assert (after.ply, after.runtime.timeouts) == (table.ply + 1, (1, 0, 0, 0))
    assert after.log[-1].seat == 0 or after.log[-2].seat == 0


def test_a_timer_that_is_early_does_nothing(ana: models.Player) -> None:
    table = wait_for(start_table(ana, turn_seconds=30), ana)
    timers.run_clock(table.id, now=table.runtime.clocks[0].due - 0.001)
    assert version_of(table.id) == table.version


def test_a_turn_runs_out_once(ana: models.Player) -> None:
    table = wait_for(start_table(ana, turn_seconds=30), ana)
    late = table.runtime.clocks[0].due + 1
    once = timers.run_clock(table.id, now=late)
    twice = timers.run_clock(table.id, now=late)
    assert (once.ply, twice.ply) == (table.ply + 1, table.ply + 1)


def test_the_next_turn_has_its_whole_time(ana: models.Player) -> None:
    table = wait_for(start_table(ana, turn_seconds=30), ana)
    late = table.runtime.clocks[0].due + 100
    assert timers.run_clock(table.id, now=late).runtime.clocks[0].due == late + 30


def test_a_clock_event_is_written_like_a_move(ana: models.Player) -> None:
    table = wait_for(start_table(ana, turn_seconds=30), ana)
    timers.run_clock(table.id, now=NOW + 31)
    ply = models.Ply.objects.get(table_id=table.id, number=table.ply + 1)
    assert (ply.event, ply.key, ply.at) == ('{"clock":"turn"}', None, 31.0)


def test_the_bell_rings_by_itself_and_the_deal_is_played_to_its_end(ana: models.Player) -> None:
    table = start_table(ana, options={"minutes": 1}, turn_seconds=3600)
    assert {clock.event["clock"]: clock.due for clock in table.runtime.clocks} == {
        "turn": NOW + 3600,
        "time-up": NOW + 60,
    }
    rung = timers.run_clock(table.id, now=NOW + 61)
    assert (rung.status, [line.kind for line in rung.log]) == (PLAYING, ["dealt", "bell"])
    over = move_until(rung, lambda current: current.status == OVER, now=NOW + 62)
    assert over.outcome is not None
    assert (over.ended_at, over.wake_at, over.runtime.clocks) == (NOW + 62, None, ())


def test_the_bell_does_not_touch_the_turn_that_is_on(ana: models.Player) -> None:
    table = start_table(ana, options={"minutes": 1}, turn_seconds=3600)
    rung = sitting.ring_bell(table.id, ana.pk, now=NOW + 10)
    assert [clock.due for clock in rung.runtime.clocks] == [NOW + 3600]
    assert rung.rules.to_act(rung.state) == table.rules.to_act(table.state)


def test_turn_and_bell_that_are_both_overdue_happen_in_their_order(ana: models.Player) -> None:
    table = start_table(ana, options={"minutes": 1}, turn_seconds=30)
    late = timers.run_clock(table.id, now=NOW + 70)
    events = list(models.Ply.objects.filter(table_id=table.id).order_by("number").values_list("event", flat=True))
    assert events == ['{"clock":"turn"}', '{"clock":"time-up"}']
    assert late.ply == 2


def test_what_is_due_stands_in_the_row(ana: models.Player) -> None:
    table = wait_for(start_table(ana, turn_seconds=30), ana)
    assert models.Table.objects.get(pk=table.id).wake_at == table.runtime.clocks[0].due
