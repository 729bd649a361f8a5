"""Windows in which several are asked at once: answers, bots, lateness, and clocks that stand still."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest
from django.core.cache import cache

from games import memo, models
from games.bots import is_slow
from games.catalogue.super_zwierzaki import bots
from games.play.clocks import timers
from games.play.errors import Illegal, Stale
from games.play.moves import advance, submission
from games.play.moves.submission import ANSWER_GRACE
from games.play.storage import round_trips, store
from games.play.storage.codec import read_runtime, write_runtime
from games.play.storage.table import LoadedTable
from games.rules.base import Config
from games.rules.chance import Chance
from games.rules.clock import update_clocks
from tests.cast import NOW, at_once, person, start_table


@pytest.fixture(autouse=True)
def _no_trips() -> None:
    """Nobody is far away."""
    cache.clear()


def start_super_zwierzaki(
    hands: str, *people: models.Player, seats_wished: int = 3, turn_seconds: int = 45, **setup: Any
) -> LoadedTable:
    """A table of Super Zwierzaki with these hands, "37 1 1 / 107 3 / 5 5", at which seat 0 is to act."""
    table = start_table(*people, game="super-zwierzaki", seats_wished=seats_wished, turn_seconds=turn_seconds)
    given = {"hands": [hand.split() for hand in hands.split("/")], "top": "40", "order": list(range(seats_wished))}
    options = setup.pop("options", {})
    draw = ["8", "9", "10", "11", "12", "16", "18", "19", "20", "21"]
    state = table.rules.start(Config(seats_wished, options, {**given, "draw": draw, **setup}), Chance(bytes(32)))
    clocks = update_clocks((), table.list_deadlines(state), turn_seconds=turn_seconds, now=NOW, ply=table.ply)
    desk = table.runtime._replace(clocks=clocks, bots=(), bot_due=None)
    after = advance.schedule_bots(table.changed(state=state, runtime=desk), now=NOW, delay=0.9, rng=random.Random(1))
    return store.commit(table, after)


def send(
    table: LoadedTable, player: models.Player, move: Any, *, ply: int, now: float = NOW, key: str = ""
) -> LoadedTable:
    """A move that was decided at this ply."""
    name = key or f"k{ply}-{player.pk}-{next(iter(move))}"
    return submission.submit_move(table.id, player.pk, move, ply=ply, key=name, now=now).table


@pytest.fixture(name="cleo")
def _cleo(db: None) -> models.Player:
    return person("Cleo", "owl")


def test_an_answer_that_others_overtook_still_counts(ana: Any, ben: Any, cleo: Any) -> None:
    table = start_super_zwierzaki("37 1 1/107 3/5 5", ana, ben, cleo)
    opened = send(table, ana, {"play": "37"}, ply=table.ply)
    send(table, ben, {"decline": True}, ply=opened.ply, now=NOW + 1)
    closed = send(table, cleo, {"decline": True}, ply=opened.ply, now=NOW + 1)
    assert closed.rules.expected(closed.state)["phase"] == "duel"


def test_an_answer_to_a_question_that_has_changed_does_not(ana: Any, ben: Any, cleo: Any) -> None:
    table = start_super_zwierzaki("37 1 1/107 3/107 5", ana, ben, cleo)
    opened = send(table, ana, {"play": "37"}, ply=table.ply)
    send(table, ben, {"react": "107"}, ply=opened.ply)
    with pytest.raises(Stale, match="changed in the meantime"):
        send(table, cleo, {"react": "107"}, ply=opened.ply)


def test_one_decision_pressed_twice_does_not_answer_the_next_question_too(ana: Any, ben: Any, cleo: Any) -> None:
    table = start_super_zwierzaki("99 99 3 3/1/5", ana, ben, cleo, top="97")
    opened = send(table, ana, {"play": "99", "n": 2}, ply=table.ply)
    asked = timers.run_clock(table.id, now=NOW + 5)
    assert (opened.ply, asked.rules.expected(asked.state)["phase"]) == (table.ply + 1, "colour")
    after = send(table, ana, {"decline": True}, ply=asked.ply, now=NOW + 6)
    assert after.rules.expected(after.state)["phase"] == "discard"
    with pytest.raises(Stale):
        send(table, ana, {"decline": True}, ply=asked.ply, now=NOW + 6, key="again")


def test_a_call_that_others_overtook_counts(ana: Any, ben: Any, cleo: Any) -> None:
    table = start_super_zwierzaki("38 1/1 3 3/5 5", ana, ben, cleo)
    owing = send(table, ana, {"play": "38"}, ply=table.ply)
    send(table, ben, {"draw": True}, ply=owing.ply)
    actual = send(table, ana, {"call": True}, ply=owing.ply)
    assert actual.rules.expected(actual.state)["must_call"] == []


def test_the_turn_stands_still_during_a_window_and_goes_on_after_it(ana: Any, ben: Any, cleo: Any) -> None:
    table = start_super_zwierzaki("99 99 3 3/1/5", ana, ben, cleo, top="97")
    send(table, ana, {"play": "99", "n": 2}, ply=table.ply, now=NOW + 40)
    later = timers.run_clock(table.id, now=NOW + 44 + ANSWER_GRACE)
    assert later.runtime.clocks[0].due == pytest.approx(NOW + 44 + ANSWER_GRACE + 5)
    assert read_runtime(write_runtime(later.runtime)) == later.runtime


def test_a_held_clock_survives_the_database(ana: Any, ben: Any, cleo: Any) -> None:
    table = start_super_zwierzaki("99 99 3 3/107 1/107 5", ana, ben, cleo, top="97")
    opened = send(table, ana, {"play": "99", "n": 2}, ply=table.ply, now=NOW + 40)
    memo.forget_all()
    again = store.fetch(table.id)
    assert (again.runtime, again.runtime.clocks[1].left, again.wake_at) == (opened.runtime, 5.0, NOW + 44)


def test_a_window_closes_by_the_clock_and_not_before(ana: Any, ben: Any, cleo: Any) -> None:
    table = start_super_zwierzaki("37 1 1/107 3/5 5", ana, ben, cleo)
    opened = send(table, ana, {"play": "37"}, ply=table.ply)
    assert timers.run_clock(table.id, now=NOW + 4 + ANSWER_GRACE / 2).ply == opened.ply
    closed = timers.run_clock(table.id, now=NOW + 4 + ANSWER_GRACE)
    assert (closed.ply, closed.rules.expected(closed.state)["phase"]) == (opened.ply + 1, "duel")


def test_every_call_has_its_own_clock(ana: Any, ben: Any, cleo: Any) -> None:
    table = start_super_zwierzaki("53 5/1 3/6", ana, ben, cleo, top="49")
    send(table, ana, {"play": "53"}, ply=table.ply)
    asked = timers.run_clock(table.id, now=NOW + 5)
    owing = send(table, ana, {"swap": [1, 2]}, ply=asked.ply, now=NOW + 6)
    assert [(clock.event, clock.due) for clock in owing.runtime.clocks] == [
        ({"clock": "turn"}, NOW + 51),
        ({"clock": "call", "seat": 0}, NOW + 16),
        ({"clock": "call", "seat": 1}, NOW + 16),
    ]
    send(table, ana, {"call": True}, ply=owing.ply, now=NOW + 7)
    late = timers.run_clock(table.id, now=NOW + 17)
    assert late.rules.expected(late.state)["must_call"] == []


def test_a_call_that_comes_too_late_is_told_so_although_it_is_the_callers_turn(ana: Any, ben: Any, cleo: Any) -> None:
    table = start_super_zwierzaki("53 5/1 3/6", ana, ben, cleo, top="49")
    send(table, ana, {"play": "53"}, ply=table.ply)
    asked = timers.run_clock(table.id, now=NOW + 5)
    owing = send(table, ana, {"swap": [1, 2]}, ply=asked.ply, now=NOW + 6)
    with pytest.raises(Stale, match="Time ran out before your move arrived"):
        send(table, ben, {"call": True}, ply=owing.ply, now=NOW + 17)
    with pytest.raises(Illegal, match="You can only say it when you have come down to one card"):
        send(table, ben, {"call": True}, ply=store.fetch(table.id).ply, now=NOW + 17, key="again")


def test_an_answer_on_its_way_is_forgiven_half_a_round_trip(ana: Any, ben: Any, cleo: Any) -> None:
    table = start_super_zwierzaki("37 1 1/107 3/5 5", ana, ben, cleo)
    opened = send(table, ana, {"play": "37"}, ply=table.ply)
    round_trips.record_delay(table.id, 1, 0.3)
    assert timers.run_clock(table.id, now=NOW + 4 + 0.3 + ANSWER_GRACE / 2).ply == opened.ply
    reacted = send(table, ben, {"react": "107"}, ply=opened.ply, now=NOW + 4.29)
    assert reacted.rules.expected(reacted.state)["top"] == "107"


def test_but_no_more_than_that_and_nobody_else(ana: Any, ben: Any, cleo: Any) -> None:
    table = start_super_zwierzaki("37 1 1/107 3/107 5", ana, ben, cleo)
    opened = send(table, ana, {"play": "37"}, ply=table.ply)
    round_trips.record_delay(table.id, 1, 0.3)
    for player, late in ((cleo, 0.01), (ben, 0.31)):
        with pytest.raises(Stale, match="Time ran out"):
            send(table, player, {"react": "107"}, ply=opened.ply, now=NOW + 4 + late)


def test_nobody_is_forgiven_more_than_half_a_second(ana: Any, ben: Any, cleo: Any) -> None:
    round_trips.record_delay("table", 1, 9.0)
    round_trips.record_delay("table", 2, -1.0)
    assert (
        round_trips.find_longest_delay("table", (1,)),
        round_trips.find_longest_delay("table", (2,)),
        round_trips.find_longest_delay("table", (0, 3)),
    ) == (
        0.5,
        0,
        0,
    )
    assert round_trips.find_longest_delay("table", (0, 1, 2)) == 0.5


def test_bots_answer_a_window_each_at_a_moment_of_its_own_whatever_they_hold(ana: Any, settings: Any) -> None:
    settings.BOT_DELAY = 0.9

    def moments(hands: str) -> list[tuple[int, float | None]]:
        table = start_super_zwierzaki(hands, ana, seats_wished=4)
        submission._rng.seed(5)
        opened = send(table, ana, {"play": "37"}, ply=table.ply)
        return [(bot.seat, bot.due) for bot in opened.runtime.bots]

    holding, empty = moments("37 1 1/107 24 3/107 46/107"), moments("37 1 1/5 5 3/6 6/8")
    assert holding == empty
    assert [seat for seat, _ in holding] == [1, 2, 3]
    assert len({due for _, due in holding}) == 3
    assert all(due is not None and NOW < due < NOW + 4 for _, due in holding)


@pytest.mark.parametrize("level", ["random", "steady", "sharp"])
def test_no_bot_thinks_longer_in_a_window_if_it_can_react(ana: Any, level: str) -> None:
    """A level that searches only among several moves would answer later with a teal than without."""
    table = start_super_zwierzaki("37 1 1/107 24 3/5 5/8", ana, seats_wished=4)
    opened = send(table, ana, {"play": "37"}, ply=table.ply)
    can_react, cannot = (submission.ask_bot(opened, seat)._replace(level=level) for seat in (1, 2))
    assert (len(can_react.legal) > 1, len(cannot.legal)) == (True, 1)
    assert is_slow(can_react) == is_slow(cannot)


def test_the_moments_of_other_bots_stay_when_one_has_answered(ana: Any, settings: Any) -> None:
    settings.BOT_DELAY = 0.9
    table = start_super_zwierzaki("37 1 1/5 3/6 6/8 8", ana, seats_wished=4)
    opened = send(table, ana, {"play": "37"}, ply=table.ply)
    first = advance.find_next_bot(opened)
    after = submission.play_bot(table.id, ply=opened.ply, now=NOW + 1)
    assert after is not None
    assert set(after.runtime.bots) == {bot for bot in opened.runtime.bots if bot.seat != first}
    assert opened.runtime.bot_due == min(bot.due for bot in opened.runtime.bots if bot.due is not None)


@pytest.mark.parametrize(("forgets", "owes"), [(0.0, []), (1.0, [2])])
def test_a_bot_says_it_out_of_turn_unless_it_forgets(
    ana: Any, ben: Any, monkeypatch: pytest.MonkeyPatch, forgets: float, owes: list[int]
) -> None:
    monkeypatch.setitem(bots.SILENCE_PROBABILITIES, "random", forgets)
    table = start_super_zwierzaki("53 3 5/6/1 3", ana, ben, top="49")
    send(table, ana, {"play": "53"}, ply=table.ply)
    asked = timers.run_clock(table.id, now=NOW + 5)
    owing = send(table, ana, {"swap": [1, 2]}, ply=asked.ply, now=NOW + 6)
    assert (owing.rules.expected(owing.state)["must_call"], [bot.seat for bot in owing.runtime.bots]) == ([2], [2])
    submission.play_bot(table.id, ply=owing.ply, now=NOW + 7)
    after = store.fetch(table.id)
    assert after.rules.expected(after.state)["must_call"] == owes
    assert after.runtime.bot_due is None
    assert after.ply == owing.ply + (not owes)
    timers.run_clock(table.id, now=NOW + 17)
    sizes = after.rules.expected(store.fetch(table.id).state)["hand_sizes"]
    assert sizes == ([2, 2, 3] if owes else [2, 2, 1])


@pytest.mark.parametrize("key", ["first", "second", "third"])
def test_a_reaction_and_the_end_of_the_window_are_decided_once(transactional_db: None, key: str) -> None:
    ana, ben, cleo = person("Ana"), person("Ben"), person("Cleo")
    table = start_super_zwierzaki("37 1 1/107 3/5 5", ana, ben, cleo)
    opened = send(table, ana, {"play": "37"}, ply=table.ply)
    came, closed = at_once(
        lambda: send(table, ben, {"react": "107"}, ply=opened.ply, now=NOW + 3.999, key=key),
        lambda: timers.run_clock(table.id, now=NOW + 4 + ANSWER_GRACE),
    )
    plies = models.Ply.objects.filter(table_id=table.id, number__gt=opened.ply)
    events = list(plies.order_by("number").values_list("event", flat=True))
    after = store.reload(table.id)
    assert isinstance(closed, LoadedTable)
    if isinstance(came, Stale):
        assert events == ['{"clock":"reaction"}']
        assert after.rules.expected(after.state)["phase"] == "duel"
    else:
        assert isinstance(came, LoadedTable)
        assert events[0] == '{"seat":1,"move":{"react":"107"}}'
        assert after.rules.expected(after.state)["top"] == "107"


def test_time_is_real(ana: Any, ben: Any, cleo: Any) -> None:
    """One second of waiting: the window is open before, and closed after."""
    table = start_super_zwierzaki("37 1 1/107 3/5 5", ana, ben, cleo, options={"reaction_seconds": 1})
    now = time.time()
    opened = send(table, ana, {"play": "37"}, ply=table.ply, now=now)
    early = timers.run_clock(table.id, now=time.time())
    assert early.ply == opened.ply or time.time() > now + 1  # the machine had something else to do for a whole second
    time.sleep(max(0.0, now + 1 + ANSWER_GRACE - time.time()) + 0.01)
    assert timers.run_clock(table.id, now=time.time()).ply == opened.ply + 1
