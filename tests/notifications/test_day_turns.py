"""Notifications of games over days over a simulated week: told once, warned once, closed when it is over."""

from __future__ import annotations

import pytest

from games import models
from games.notifications import attention, day_turns, delivery
from games.play.clocks import timers
from games.play.moves import submission
from games.play.storage.table import LoadedTable
from tests.cast import NOW, move_seat, person, start_table, to_move
from tests.notifications.push_service import PushService

DAY = 86_400.0
HOUR = 3600.0


@pytest.fixture
def table(ana: models.Player, ben: models.Player, transactional_db: None) -> LoadedTable:
    """A game of four people with two days for a turn."""
    return start_table(ana, ben, person("Cem"), person("Dan"), turn_seconds=2 * 86_400, options={"deals": 1})


def find_awaited(table: LoadedTable) -> models.Player:
    place = table.place(to_move(table))
    assert place is not None
    assert place.player_id is not None
    return models.Player.objects.get(pk=place.player_id)


def remind_and_deliver(now: float) -> int:
    """Look for turns, and send what is due."""
    reminded = day_turns.tell_awaited(now=now)
    for origin in delivery.list_origins(now):
        delivery.deliver_batch(origin, now=now)
    return reminded


def test_a_turn_is_told_once_and_warned_of_once(table: LoadedTable, push_service: PushService) -> None:
    push_service.subscribe(find_awaited(table))
    for hour in range(47):
        remind_and_deliver(NOW + 60 + hour * HOUR)
    titles = [received.text["title"] for received in push_service.received]
    assert titles == ["It is your turn", "Your time is running out"]
    due = models.AwaitedTurn.objects.get().due_at
    moments = [received.text["moment"] for received in push_service.received]
    assert moments == [{"text": "until %(time)s", "at": due}] * 2


@pytest.mark.parametrize(("seconds", "times"), [(60.0, 1), (DAY, 2)], ids=["a restart", "a holiday"])
def test_an_end_that_moves_far_is_told_again_also_before_it_was_sent(
    table: LoadedTable, push_service: PushService, seconds: float, times: int
) -> None:
    push_service.subscribe(find_awaited(table))
    day_turns.tell_awaited(now=NOW + 60)
    due_at = models.AwaitedTurn.objects.get().due_at
    models.AwaitedTurn.objects.update(due_at=due_at + seconds, notice_at=NOW + 60)
    day_turns.tell_awaited(now=NOW + 60)
    assert models.Notice.objects.count() == times
    delivery.deliver_batch(delivery.list_origins(NOW + 60)[0], now=NOW + 60)
    [received] = push_service.received
    assert (received.text["is_update"], received.text["moment"]["at"]) == (False, due_at + (times - 1) * DAY)


def test_it_is_closed_when_the_move_is_made(table: LoadedTable, push_service: PushService) -> None:
    player = find_awaited(table)
    push_service.subscribe(player)
    remind_and_deliver(NOW + 60)
    after = move_seat(table, now=NOW + HOUR)
    assert not models.AwaitedTurn.objects.filter(player=player, table=after.id).exists()
    assert models.Notice.objects.get(kind="day-turn").closed_at is not None


def test_who_has_the_table_open_is_not_told(table: LoadedTable, push_service: PushService) -> None:
    player = find_awaited(table)
    push_service.subscribe(player)
    attention.record({player.pk: [table.id]}, now=NOW + 60)
    assert (remind_and_deliver(NOW + 61), remind_and_deliver(NOW + 100), remind_and_deliver(NOW + 130)) == (0, 0, 1)


def test_weeks_in_which_nobody_comes_end_in_a_table_at_rest(table: LoadedTable) -> None:
    for now in (NOW + hour * HOUR for hour in range(0, 24 * 28, 6)):
        table = timers.run_clock(table.id, now=now)
        while table.runtime.bot_due is not None and (moved := submission.play_bot(table.id, ply=table.ply, now=now)):
            table = moved
        remind_and_deliver(now)
    assert (table.runtime.is_standing, table.wake_at) == (True, None)
    assert (len(table.runtime.stand_ins), models.AwaitedTurn.objects.count()) == (4, 0)
