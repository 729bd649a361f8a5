"""Games over days: their clocks, stand-ins and windows over a simulated week, and what they cost at rest."""

from __future__ import annotations

from typing import Any

import pytest

from games import models
from games.play.clocks import downtime, due_tables, idle_tables, timers
from games.play.days import awaited_turns
from games.play.errors import BadInput, TooFast
from games.play.moves import submission, window_answers
from games.play.seats import sitting, table_limits
from games.play.seats.standing_answers import set_standing_answer
from games.play.storage import store
from games.play.storage.codec import read_runtime, write_runtime
from games.play.storage.table import OVER, LoadedTable
from games.rules import registry
from tests.cast import NOW, move_seat, open_table, person, start_table, to_move
from tests.play.moves.test_windows import send, start_super_zwierzaki

DAY = 86_400.0
HOUR = 3600.0


def over_days(*people: models.Player, days: int = 1, game: str = "karriere-poker", **overrides: Any) -> LoadedTable:
    """A game over days of these people and bots."""
    options = registry.infos()[game].agree_on_deals(1)
    return start_table(*people, game=game, turn_seconds=days * 86_400, options=options, **overrides)


def play_bots(table: LoadedTable, *, now: float) -> LoadedTable:
    """The table after the bots that are due have moved."""
    while table.runtime.bot_due is not None and table.runtime.bot_due <= now:
        played = submission.play_bot(table.id, ply=table.ply, now=now)
        assert played is not None
        table = played
    return table


@pytest.mark.parametrize("game", registry.slugs())
def test_every_game_waits_for_a_person_for_days(ana: models.Player, ben: models.Player, game: str) -> None:
    seats = {"seats_wished": registry.find(game).seat_counts[0] + 1}
    table = play_bots(over_days(ana, ben, game=game, days=3, **seats), now=NOW + 60)
    [clock] = [clock for clock in table.runtime.clocks if clock.left is None]
    assert NOW + 3 * DAY <= clock.due <= NOW + 3 * DAY + 60
    assert timers.run_clock(table.id, now=NOW + 2.9 * DAY).ply == table.ply
    after = timers.run_clock(table.id, now=NOW + 3 * DAY + 61)
    assert after.ply > table.ply or after.outcome is not None


def test_a_person_who_stays_away_gets_a_stand_in_and_is_back_with_one_move(
    ana: models.Player, ben: models.Player
) -> None:
    table, now = over_days(ana, ben), NOW
    ben_seat = table.seat_of(ben.pk)
    assert ben_seat is not None
    while ben_seat not in table.runtime.stand_ins:
        table = play_bots(table, now=now)
        if to_move(table) == ben_seat:
            now += DAY + 1
            table = timers.run_clock(table.id, now=now)
        else:
            now += HOUR
            table = move_seat(table, now=now)
        assert table.outcome is None
    assert sitting.return_to_table(table.id, ben.pk, now=now).runtime.stand_ins == frozenset()


def test_a_game_that_everybody_has_left_stands_still_until_somebody_is_back(ana: models.Player) -> None:
    table = play_bots(over_days(ana), now=NOW + 60)
    for days in (1, 2):
        table = timers.run_clock(table.id, now=NOW + days * (DAY + 100))
        table = play_bots(table, now=NOW + days * (DAY + 100) + 60)
    assert (table.runtime.is_standing, table.wake_at) == (True, None)
    back = sitting.return_to_table(table.id, ana.pk, now=NOW + 5 * DAY)
    assert (back.runtime.is_standing, back.runtime.stand_ins, back.wake_at is not None) == (False, frozenset(), True)


def test_nobody_need_be_there(ana: models.Player, ben: models.Player) -> None:
    table = play_bots(over_days(ana, ben), now=NOW + 60)
    assert idle_tables.pause_idle_tables(now=NOW + DAY / 2) == 0
    assert due_tables.list_due(until=NOW + DAY / 2) == []
    assert store.reload(table.id).runtime.paused_at is None


def test_downtime_is_given_back_to_a_turn_that_is_about_to_end(ana: models.Player) -> None:
    table = play_bots(over_days(ana), now=NOW + 60)
    due = table.wake_at
    assert due is not None
    models.Pulse.objects.update_or_create(pk=1, defaults={"at": NOW + HOUR})
    downtime.compensate_downtime(now=NOW + 2 * HOUR)
    assert store.reload(table.id).wake_at == due
    models.Pulse.objects.filter(pk=1).update(at=due - HOUR)
    downtime.compensate_downtime(now=due + HOUR)
    assert store.reload(table.id).wake_at == due + 2 * HOUR


def test_tables_at_rest_do_not_fill_the_memory(ana: models.Player, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = [open_table(ana, turn_seconds=86_400).id for _ in range(3)]
    live = open_table(ana).id
    store._resting._values = type(store._resting._values)(2)  # a smaller memory
    for table_id in (*tables, live):
        store.reload(table_id)
    assert len(store._resting) == 2
    assert store.peek(live) is not None


def test_a_length_must_be_agreed_and_no_minutes(ana: models.Player) -> None:
    with pytest.raises(BadInput, match="no time limit in minutes"):
        open_table(ana, turn_seconds=86_400, options={"minutes": 30})
    with pytest.raises(BadInput, match="needs an agreed length"):
        open_table(ana, game="animal-poker", turn_seconds=86_400)
    with pytest.raises(BadInput, match="1, 2, 3, 7"):
        open_table(ana, turn_seconds=5 * 86_400)


def test_they_are_counted_apart_from_live_tables(ana: models.Player, settings: Any) -> None:
    settings.TABLES_PER_GUEST = 1
    open_table(ana, turn_seconds=86_400)
    table_limits.require_below_limits(ana, "10.0.0.1")
    with pytest.raises(TooFast):
        table_limits.require_below_limits(ana, "10.0.0.1", turn_seconds=86_400)


def test_rows_say_who_a_table_waits_for(
    ana: models.Player, ben: models.Player, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        table = play_bots(over_days(ana, ben), now=NOW + 60)
    awaited = [ana, ben][to_move(table)]
    [row] = models.AwaitedTurn.objects.all()
    assert (row.player, row.version, row.due_at) == (awaited, table.version, table.wake_at)
    assert awaited_turns.find_next_table(awaited.pk) == table.id
    models.AwaitedTurn.objects.all().delete()  # as if the process had ended right after its change
    assert (awaited_turns.repair_rows(), awaited_turns.repair_rows()) == (1, 0)
    assert models.AwaitedTurn.objects.get().due_at == row.due_at
    with django_capture_on_commit_callbacks(execute=True):
        sitting.leave(table.id, awaited.pk, now=NOW + 90)
    assert not models.AwaitedTurn.objects.filter(player=awaited).exists()


def test_the_next_table_is_the_next_most_urgent_one(ana: models.Player) -> None:
    ids = [open_table(ana, turn_seconds=86_400).id for _ in range(3)]
    for number, table_id in enumerate(ids):
        models.AwaitedTurn.objects.create(table_id=table_id, player=ana, due_at=NOW + number, version=1)
    first, second, third = ids
    found = [awaited_turns.find_next_table(ana.pk, after=one) for one in ("", first, second, third, "elsewhere")]
    assert found == [first, second, third, first, first]
    models.AwaitedTurn.objects.exclude(table=third).delete()
    assert awaited_turns.find_next_table(ana.pk, after=third) is None


@pytest.fixture(name="cleo")
def _cleo(db: None) -> models.Player:
    return person("Cleo", "owl")


@pytest.fixture
def delays(settings: Any) -> None:
    """Bots and answers take their time."""
    settings.BOT_DELAY = 0.9


def open_window(hands: str, *people: models.Player, card: str, seats: int = 3) -> LoadedTable:
    """A game of Super Zwierzaki over days, after seat 0 has played this card on another of its kind."""
    table = start_super_zwierzaki(hands, *people, seats_wished=seats, turn_seconds=86_400, top=card)
    return send(table, people[0], {"play": card}, ply=table.ply)


def answer_ordered(table: LoadedTable, *, now: float) -> LoadedTable:
    """The table after everybody was answered for whose time has come."""
    while played := submission.play_bot(table.id, ply=table.ply, now=now):
        table = played
    return table


def phase(table: LoadedTable) -> str:
    return str(table.rules.view(table.state, None)["phase"])


@pytest.mark.usefixtures("delays")
def test_a_window_that_hits_nobody_passes_in_seconds_whatever_they_hold(ana: Any, ben: Any, cleo: Any) -> None:
    table = open_window("99 1 1/107 3/5 5", ana, ben, cleo, card="99")
    assert awaited_turns.list_awaited(table) == []
    delays = {answer.seat: answer.due for answer in table.runtime.answers}
    assert all(due is not None and NOW + 2 <= due <= NOW + 6 for due in delays.values())
    assert phase(answer_ordered(table, now=NOW + 6)) == "colour"


@pytest.mark.usefixtures("delays")
@pytest.mark.parametrize("held", ["107 3", "5 3"], ids=["a Veto", "nothing to answer with"])
def test_who_is_hit_is_asked_whatever_they_hold(ana: Any, ben: Any, cleo: Any, held: str) -> None:
    table = answer_ordered(open_window(f"25 1 1/{held}/107 5", ana, ben, cleo, card="25"), now=NOW + 60)
    assert (phase(table), table.rules.to_act(table.state)) == ("reaction", (1,))
    assert awaited_turns.list_awaited(table) == [(ben.pk, NOW + DAY)]
    assert window_answers.find_holds(table) == {}
    allowed = send(table, ben, {"decline": True}, ply=table.ply, now=NOW + 120)
    assert phase(allowed) == "turn"


@pytest.mark.usefixtures("delays")
def test_a_window_that_nobody_answers_closes_after_a_day(ana: Any, ben: Any, cleo: Any) -> None:
    table = answer_ordered(open_window("25 1 1/107 3/107 5", ana, ben, cleo, card="25"), now=NOW + 60)
    assert phase(timers.run_clock(table.id, now=NOW + DAY - 60)) == "reaction"
    assert phase(timers.run_clock(table.id, now=NOW + DAY + 1)) == "turn"


@pytest.mark.usefixtures("delays")
def test_an_order_is_followed_at_once_and_can_be_to_be_always_asked(ana: Any, ben: Any, cleo: Any) -> None:
    table = start_super_zwierzaki("99 1 1/107 3/107 5", ana, ben, cleo, turn_seconds=86_400, top="99")
    table = set_standing_answer(table.id, cleo.pk, standing="", now=NOW)
    assert read_runtime(write_runtime(table.runtime)) == table.runtime
    table = answer_ordered(send(table, ana, {"play": "99"}, ply=table.ply), now=NOW + 60)
    assert table.rules.to_act(table.state) == (2,)
    table = set_standing_answer(table.id, cleo.pk, standing="pass", now=NOW + 90)
    assert phase(answer_ordered(table, now=NOW + 91)) == "colour"


@pytest.mark.usefixtures("delays")
def test_a_bot_leaves_a_window_to_people_and_answers_when_they_have(ana: Any, ben: Any) -> None:
    table = answer_ordered(open_window("25 1 1/107 3/107 5", ana, ben, card="25"), now=NOW + 60)
    assert table.rules.to_act(table.state) == (1, 2)  # a bot with a Veto, and the person who is hit
    table = send(table, ben, {"decline": True}, ply=table.ply, now=NOW + HOUR)
    [bot] = table.runtime.bots
    assert bot.due is not None
    assert bot.due < NOW + HOUR + 10


def test_a_win_is_about_everybody(ana: Any, ben: Any, cleo: Any) -> None:
    table = open_window("40/107 3/5 5", ana, ben, cleo, card="40")
    assert phase(table) == "win"
    assert {one for one, _due in awaited_turns.list_awaited(table)} == {ben.pk, cleo.pk}
    over = timers.run_clock(table.id, now=NOW + DAY + 1)
    assert over.status == OVER
