"""Simultaneous requests: one wins, the other is refused, and nothing happens twice."""

from __future__ import annotations

import pytest

from games import models
from games.accounts.animal_pictures import AVATARS
from games.play.clocks import timers
from games.play.errors import Stale
from games.play.moves import submission
from games.play.moves.submission import AcceptedMove
from games.play.seats import opening, sitting
from games.play.storage import store
from games.play.storage.table import OVER, PLAYING, WAITING, LoadedTable
from tests.cast import (
    NOW,
    at_once,
    contribute_all,
    finish,
    legal,
    open_table,
    person,
    start_table,
    version_of,
    wait_for,
    wait_for_choice,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _database(transactional_db: None) -> None:
    """Threads see what others have committed."""


def test_two_different_moves_for_one_ply(ana: models.Player) -> None:
    table = wait_for_choice(start_table(ana), ana)
    one, other = legal(table, 0)[:2]
    results = at_once(
        lambda: submission.submit_move(table.id, ana.pk, one, ply=table.ply, key="a", now=NOW),
        lambda: submission.submit_move(table.id, ana.pk, other, ply=table.ply, key="b", now=NOW),
    )
    assert sorted(type(result).__name__ for result in results) == ["AcceptedMove", "Stale"]
    assert models.Ply.objects.filter(table_id=table.id, number=table.ply + 1).count() == 1
    assert store.reload(table.id).ply == table.ply + 1


def test_one_move_sent_many_times(ana: models.Player) -> None:
    table = wait_for(start_table(ana), ana)
    move = legal(table, 0)[0]

    def send() -> AcceptedMove:
        return submission.submit_move(table.id, ana.pk, move, ply=table.ply, key="same", now=NOW)

    results = at_once(*[send] * 4)
    assert all(isinstance(result, AcceptedMove) for result in results), results
    assert [result.is_repeat for result in results if isinstance(result, AcceptedMove)].count(False) == 1
    assert store.reload(table.id).ply == table.ply + 1


def test_two_on_the_last_chair(ana: models.Player, ben: models.Player, eva: models.Player) -> None:
    table = open_table(ana, bots=2)
    results = at_once(lambda: sitting.sit(table.id, ben, now=NOW), lambda: sitting.sit(table.id, eva, now=NOW))
    assert sorted(type(result).__name__ for result in results) == ["LoadedTable", "Stale"]
    assert models.Seat.objects.filter(table_id=table.id, index=1).count() == 1


def test_one_person_on_two_chairs(ana: models.Player, ben: models.Player) -> None:
    table = open_table(ana)
    results = at_once(
        lambda: sitting.sit(table.id, ben, chair=1, now=NOW), lambda: sitting.sit(table.id, ben, chair=2, now=NOW)
    )
    assert all(isinstance(result, LoadedTable) for result in results), results
    assert models.Seat.objects.filter(table_id=table.id, player=ben).count() == 1


def test_a_double_start(ana: models.Player) -> None:
    table = contribute_all(open_table(ana))

    def start() -> LoadedTable:
        return opening.start(table.id, ana.pk, fill="random", avatars=AVATARS, now=NOW)

    results = at_once(start, start)
    assert sorted(type(result).__name__ for result in results) == ["LoadedTable", "Stale"]
    assert models.Seat.objects.filter(table_id=table.id).count() == 4
    assert version_of(table.id) == table.version + 1


def test_leaving_while_the_host_starts(ana: models.Player, ben: models.Player) -> None:
    """Either the chair is filled, or a bot stands in: never a game with an empty chair."""
    table = contribute_all(open_table(ana, ben))
    results = at_once(
        lambda: opening.start(table.id, ana.pk, fill="random", avatars=AVATARS, now=NOW),
        lambda: sitting.leave(table.id, ben.pk, now=NOW),
    )
    assert not any(isinstance(result, Exception) for result in results), results
    after = store.reload(table.id)
    assert (after.status, len(after.places)) == (PLAYING, 4)
    assert after.bot_level(1) is not None


def test_the_host_leaves_while_another_sits_down(ana: models.Player, ben: models.Player) -> None:
    table = open_table(ana)
    at_once(lambda: sitting.leave(table.id, ana.pk, now=NOW), lambda: sitting.sit(table.id, ben, now=NOW))
    after = store.reload(table.id)
    persons = [place.player_id for place in after.places]
    assert (after.status, after.host_id, persons) in [(WAITING, ben.pk, [ben.pk]), (OVER, None, [])]


def test_a_double_rematch(ana: models.Player, ben: models.Player) -> None:
    table = finish(start_table(ana, ben, options={"deals": 1}))
    results = at_once(
        lambda: sitting.play_again(table.id, ana, avatars=AVATARS, now=NOW),
        lambda: sitting.play_again(table.id, ben, avatars=AVATARS, now=NOW),
    )
    assert all(isinstance(result, LoadedTable) for result in results), results
    assert {result.id for result in results if isinstance(result, LoadedTable)} == {store.reload(table.id).rematch_id}
    assert models.Table.objects.count() == 2
    new = store.reload(store.reload(table.id).rematch_id or "")
    assert {place.player_id for place in new.places} == {ana.pk, ben.pk, None}


def test_a_move_and_the_timer_at_the_deadline(ana: models.Player) -> None:
    """Answered in time, the move counts; the timer, which is late on purpose, finds nothing to do."""
    table = wait_for(start_table(ana, turn_seconds=30), ana)
    due = table.runtime.clocks[0].due
    move = legal(table, 0)[0]
    results = at_once(
        lambda: submission.submit_move(table.id, ana.pk, move, ply=table.ply, key="k", now=due - 0.01).table,
        lambda: timers.run_clock(table.id, now=due + submission.ANSWER_GRACE / 2),
    )
    assert not any(isinstance(result, Exception) for result in results), results
    assert store.reload(table.id).ply == table.ply + 1
    assert store.reload(table.id).runtime.timeouts == (0, 0, 0, 0)


def test_the_sweeper_and_a_timer_run_one_timeout(ana: models.Player) -> None:
    table = wait_for(start_table(ana, turn_seconds=30), ana)
    late = table.runtime.clocks[0].due + 1
    results = at_once(*[lambda: timers.run_clock(table.id, now=late)] * 3)
    assert not any(isinstance(result, Exception) for result in results), results
    assert models.Ply.objects.filter(table_id=table.id, event='{"clock":"turn"}').count() == 1


def test_two_workers_play_one_move_for_a_bot(ana: models.Player) -> None:
    table = start_table(ana, bots=3)
    if table.rules.to_act(table.state) == (0,):
        table = submission.submit_move(table.id, ana.pk, legal(table, 0)[0], ply=table.ply, key="k", now=NOW).table
    results = at_once(*[lambda: submission.play_bot(table.id, ply=table.ply, now=NOW)] * 3)
    assert [result for result in results if isinstance(result, Exception)] == []
    assert [result is None for result in results].count(False) == 1
    assert store.reload(table.id).ply == table.ply + 1


def test_stale_is_what_the_slower_one_reads(ana: models.Player) -> None:
    table = wait_for_choice(start_table(ana), ana)
    one, other = legal(table, 0)[:2]
    submission.submit_move(table.id, ana.pk, one, ply=table.ply, key="a", now=NOW)
    with pytest.raises(Stale, match="The table has changed in the meantime"):
        submission.submit_move(table.id, ana.pk, other, ply=table.ply, key="b", now=NOW)


def test_many_sit_down_at_once(ana: models.Player) -> None:
    table = open_table(ana, seats_wished=8)
    crowd = [person(f"P{number}") for number in range(6)]
    results = at_once(*[lambda who=who: sitting.sit(table.id, who, now=NOW) for who in crowd])
    assert all(isinstance(result, LoadedTable) for result in results), results
    assert sorted(place.seat for place in store.reload(table.id).places) == [0, 1, 2, 3, 4, 5, 6]
