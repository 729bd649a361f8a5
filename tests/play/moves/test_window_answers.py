"""Windows that are answered for people: at a time that tells nothing of a hand, and never instead of a decision."""

from __future__ import annotations

import json
import random
from bisect import bisect_right
from collections.abc import Sequence
from math import sqrt
from typing import Any

import pytest

from games import memo, models
from games.catalogue.super_zwierzaki.rules.kinds import KINDS, WORDS
from games.live.tables.screens import build_screen
from games.play.clocks import timers
from games.play.errors import Illegal, NotAllowed, Stale
from games.play.moves import submission, window_answers
from games.play.seats import arranged_tables, breaks
from games.play.seats.standing_answers import set_standing_answer
from games.play.storage import store
from games.play.storage.codec import read_runtime, write_runtime
from games.play.storage.table import AnswerDue, LoadedTable
from games.records.stand_ins import DecisionLog
from games.rules.base import Config
from games.rules.chance import Chance
from games.rules.clock import update_clocks
from tests.cast import NOW, person, start_table
from tests.play.moves.test_windows import send, start_super_zwierzaki

DELAY = 0.9
OTHERS = [word for number, word in WORDS.items() if number not in (1, 37, 40)]
"""Kinds that others may hold in a window after an ape (37) that seat 0 plays on a rat (40)."""
PLAIN = [word for word in OTHERS if KINDS[int(word)].function != "Cyr" and int(word) < 60]
"""Kinds that cannot be played in that window."""
WINDOW = 4.0
"""Seconds for a reaction."""


@pytest.fixture(name="cleo")
def _cleo(db: None) -> models.Player:
    return person("Cleo", "owl")


@pytest.fixture(autouse=True)
def _delay(settings: Any) -> None:
    settings.BOT_DELAY = DELAY


def phase(table: LoadedTable) -> str:
    return str(table.rules.view(table.state, None)["phase"])


def events(table: LoadedTable) -> list[dict[str, Any]]:
    """The stored moves of the table."""
    return [
        json.loads(event)
        for event in models.Ply.objects.filter(table=table.id).order_by("number").values_list("event", flat=True)
    ]


# When


def test_an_answer_comes_after_two_seconds_and_within_the_window() -> None:
    rng = random.Random(1)
    for left in (2.5, 4.0, 10.0, 60.0):
        delays = [window_answers.choose_delay(left, rng) for _ in range(2000)]
        assert all(delay is not None and 2 <= delay < left for delay in delays)
        assert max(delay for delay in delays if delay is not None) > 0.95 * left


@pytest.mark.parametrize("left", [0.0, 1.0, 2.0])
def test_a_window_that_is_too_short_runs_out(left: float) -> None:
    assert window_answers.choose_delay(left, random.Random(1)) is None


def find_distance(one: Sequence[float], other: Sequence[float]) -> float:
    """The statistic of Kolmogorov and Smirnov: the greatest difference of the two distribution functions."""
    first, second = sorted(one), sorted(other)
    return max(
        abs(bisect_right(first, x) / len(first) - bisect_right(second, x) / len(second)) for x in (*first, *second)
    )


def opened_window(table: LoadedTable, hand: Sequence[str], rng: random.Random) -> LoadedTable:
    """The table in a window that asks seats 1, 2 and 3, in which seat 1 holds this hand and the others what chance
    gives them."""
    hands = [["37", "1", "1"], list(hand), *(rng.sample(OTHERS, rng.randrange(1, 8)) for _ in range(2))]
    setup = {"hands": hands, "top": "40", "order": [0, 1, 2, 3]}
    state = table.rules.start(Config(4, {}, setup), Chance(bytes(32)))
    state, _ = table.rules.apply(state, 0, {"play": "37"})
    clocks = tuple(
        clock
        for clock in update_clocks((), table.rules.deadlines(state), turn_seconds=45, now=NOW)
        if clock.left is None
    )
    runtime = table.runtime._replace(clocks=clocks, answers=(), bots=(), bot_due=None)
    return table._replace(state=state, runtime=runtime)


def test_when_an_answer_comes_tells_nothing_of_a_hand(
    ana: models.Player, ben: models.Player, cleo: models.Player
) -> None:
    """Over many deals: the time at which others learn that seat 1 lets it pass is distributed alike whether it can play
    nothing, could reject the play and has a standing answer, or could and its player decides within two seconds."""
    table = start_table(ana, ben, cleo, person("Dora"), game="super-zwierzaki", seats_wished=4)
    rng = random.Random(8)
    times: dict[str, list[float]] = {"nothing": [], "ordered": [], "decided": []}
    for _ in range(1500):
        rest = rng.sample(PLAIN, rng.randrange(1, 9))
        for name, hand, standing in (
            ("nothing", rest, ()),
            ("ordered", ["107", *rest], ((1, rng.choice(("pass", "wins"))),)),
            ("decided", ["107", *rest], ()),
        ):
            window = opened_window(table, hand, rng)
            window = window._replace(runtime=window.runtime._replace(standing_answers=standing))
            window = window_answers.schedule_answers(window, now=NOW, delay=DELAY, rng=rng)
            if name == "decided":
                assert window_answers.choose_answer(window, 1) is None
                pressed = NOW + 2 * rng.random()
                times[name].append(max(pressed, window_answers.find_holds(window)[1]) - NOW)
            else:
                assert window_answers.choose_answer(window, 1) == {"decline": True}
                due = {answer.seat: answer.due for answer in window.runtime.answers}[1]
                assert due is not None
                times[name].append(due - NOW)
    critical = 1.63 * sqrt(2 / 1500)  # 1 % of samples of one distribution differ by more
    assert find_distance(times["nothing"], times["ordered"]) < critical
    assert find_distance(times["nothing"], times["decided"]) < critical
    slower = [time + 0.15 for time in times["nothing"]]
    assert find_distance(slower, times["ordered"]) > critical  # it would be noticed


def test_the_same_chance_gives_the_same_times_whatever_anybody_holds(ana: Any, ben: Any, cleo: Any) -> None:
    def draw(hands: str, standing: str) -> list[AnswerDue]:
        table = start_super_zwierzaki(hands, ana, ben, cleo)
        if standing:
            set_standing_answer(table.id, ben.pk, standing=standing, now=NOW)
        submission._rng.seed(5)
        return list(send(table, ana, {"play": "37"}, ply=table.ply).runtime.answers)

    holding, ordered, empty = draw("37 1 1/107 3/107 5", ""), draw("37 1 1/107 3/5", "pass"), draw("37 1 1/3/5", "")
    assert holding == ordered == empty
    assert [answer.seat for answer in empty] == [1, 2]


def test_others_answers_and_later_orders_do_not_move_a_time_that_is_drawn(ana: Any, ben: Any, cleo: Any) -> None:
    table = start_super_zwierzaki("37 1 1/107 3/107 5", ana, ben, cleo)
    opened = send(table, ana, {"play": "37"}, ply=table.ply)
    times = {answer.seat: answer.due for answer in opened.runtime.answers}
    ordered = set_standing_answer(table.id, ben.pk, standing="pass", now=NOW + 0.5)
    assert {answer.seat: answer.due for answer in ordered.runtime.answers} == times
    assert (opened.runtime.bot_due, ordered.runtime.bot_due) == (None, times[1])
    after = send(table, cleo, {"decline": True}, ply=opened.ply, now=NOW + 1)
    assert {answer.seat: answer.due for answer in after.runtime.answers} == {1: times[1]}


def test_without_delays_windows_pass_at_once(ana: Any, ben: Any, cleo: Any, settings: Any) -> None:
    settings.BOT_DELAY = 0
    table = start_super_zwierzaki("37 1 1/3/5", ana, ben, cleo)
    opened = send(table, ana, {"play": "37"}, ply=table.ply)
    assert (opened.runtime.bot_due, {answer.due for answer in opened.runtime.answers}) == (NOW, {NOW})


# What


def test_a_window_in_which_nobody_can_play_closes_by_itself(ana: Any, ben: Any, cleo: Any) -> None:
    table = start_super_zwierzaki("37 1 1/3 3/5", ana, ben, cleo)
    opened = send(table, ana, {"play": "37"}, ply=table.ply)
    times = sorted(answer.due for answer in opened.runtime.answers if answer.due is not None)
    assert opened.runtime.bot_due == opened.wake_at == times[0]
    assert submission.play_bot(table.id, ply=opened.ply, now=times[0] - 0.5) is None  # an outdated message
    first = submission.play_bot(table.id, ply=opened.ply, now=times[0])
    assert first is not None
    assert (phase(first), first.runtime.bot_due) == ("reaction", times[1])
    assert submission.play_bot(table.id, ply=opened.ply, now=times[1]) is None  # sent twice
    closed = submission.play_bot(table.id, ply=first.ply, now=times[1])
    assert closed is not None
    assert (phase(closed), closed.runtime.answers) == ("duel", ())
    assert [event["by"] for event in events(table)[-2:]] == ["automatic", "automatic"]


def test_a_person_who_can_play_is_never_answered_for(ana: Any, ben: Any, cleo: Any) -> None:
    table = start_super_zwierzaki("37 1 1/107 3/5", ana, ben, cleo)
    opened = send(table, ana, {"play": "37"}, ply=table.ply)
    after = submission.play_bot(table.id, ply=opened.ply, now=NOW + WINDOW - 0.01)
    assert after is not None
    assert (after.rules.to_act(after.state), after.runtime.bot_due) == ((1,), None)
    assert submission.play_bot(table.id, ply=after.ply, now=NOW + WINDOW - 0.01) is None
    assert phase(send(table, ben, {"react": "107"}, ply=after.ply, now=NOW + 3.9)) == "reaction"


def test_a_standing_answer_works_with_every_page_closed_and_after_a_restart(ana: Any, ben: Any, cleo: Any) -> None:
    table = start_super_zwierzaki("37 1 1/107 3/5", ana, ben, cleo)
    set_standing_answer(table.id, ben.pk, standing="pass", now=NOW)
    opened = send(table, ana, {"play": "37"}, ply=table.ply)
    for _ in range(2):
        memo.forget_all()
        due = store.fetch(table.id).runtime.bot_due
        assert due is not None
        opened = submission.play_bot(table.id, ply=opened.ply, now=due) or opened
    assert phase(opened) == "duel"
    assert sorted(event["by"] for event in events(table)[-2:]) == ["automatic", "order"]


def test_it_lapses_when_my_turn_begins_and_only_wins_stays(ana: Any, ben: Any, cleo: Any) -> None:
    table = start_super_zwierzaki("38 9 9/107 3/5 8", ana, ben, cleo)
    set_standing_answer(table.id, ben.pk, standing="pass", now=NOW)
    set_standing_answer(table.id, cleo.pk, standing="wins", now=NOW)
    after = send(table, ana, {"play": "38"}, ply=table.ply)
    assert after.runtime.standing_answers == ((2, "wins"),)


def test_it_is_taken_back_with_one_command_and_replaced_with_one(ana: Any, ben: Any, cleo: Any) -> None:
    table = start_super_zwierzaki("37 1 1/107 3/5", ana, ben, cleo)
    assert set_standing_answer(table.id, ben.pk, standing="pass", now=NOW).runtime.standing_answers == ((1, "pass"),)
    again = set_standing_answer(table.id, ben.pk, standing="pass", now=NOW)
    assert again.version == store.fetch(table.id).version == table.version + 1
    assert set_standing_answer(table.id, ben.pk, standing="wins", now=NOW).runtime.standing_answers == ((1, "wins"),)
    assert set_standing_answer(table.id, ben.pk, standing="", now=NOW).runtime.standing_answers == ()


def test_what_cannot_be_ordered_is_refused(ana: Any, ben: Any, cleo: Any) -> None:
    table = start_super_zwierzaki("37 1 1/107 3/5", ana, ben, cleo)
    with pytest.raises(NotAllowed):
        set_standing_answer(table.id, person("Eva").pk, standing="pass", now=NOW)
    with pytest.raises(Illegal):
        set_standing_answer(table.id, ben.pk, standing="everything", now=NOW)
    with pytest.raises(Illegal):
        set_standing_answer(start_table(ana).id, ana.pk, standing="pass", now=NOW)
    breaks.pause(table.id, ana.pk, now=NOW)
    with pytest.raises(Stale):
        set_standing_answer(table.id, ben.pk, standing="pass", now=NOW)


def test_another_person_on_the_seat_does_not_inherit_it(ana: Any, ben: Any, cleo: Any) -> None:
    table = start_super_zwierzaki("37 1 1/107 3/5", ana, ben, cleo)
    runtime = set_standing_answer(table.id, ben.pk, standing="wins", now=NOW).runtime
    assert arranged_tables._forget_person(runtime, 1).standing_answers == ()
    assert arranged_tables._forget_person(runtime, 2).standing_answers == ((1, "wins"),)


def test_an_answer_of_the_server_is_no_decision_and_an_order_is_one(ana: Any, ben: Any, cleo: Any) -> None:
    table = start_super_zwierzaki("37 1 1/107 3/5", ana, ben, cleo)
    store.commit(table, table.changed(runtime=table.runtime._replace(decisions=DecisionLog((0, 0, 0)))))
    set_standing_answer(table.id, ben.pk, standing="pass", now=NOW)
    opened = send(table, ana, {"play": "37"}, ply=table.ply)
    first = submission.play_bot(table.id, ply=opened.ply, now=NOW + WINDOW)
    assert first is not None
    last = submission.play_bot(table.id, ply=first.ply, now=NOW + WINDOW)
    assert last is not None
    by_seat = {event["seat"]: number for number, event in enumerate(events(table), start=1) if "by" in event}
    assert last.runtime.decisions.decided == (opened.ply, by_seat[1], 0)


def test_a_pause_draws_new_times(ana: Any, ben: Any, cleo: Any) -> None:
    """Those that are past when it ends would all be given at once, and show who was asked."""
    table = start_super_zwierzaki("37 1 1/3/5", ana, ben, cleo)
    send(table, ana, {"play": "37"}, ply=table.ply)
    paused = breaks.pause(table.id, ana.pk, now=NOW + 1)
    assert (paused.runtime.answers, paused.runtime.bot_due, paused.wake_at) == ((), None, None)
    resumed = breaks.resume(table.id, ana.pk, now=NOW + 100)
    assert all(answer.due is not None and NOW + 102 <= answer.due < NOW + 103 for answer in resumed.runtime.answers)
    assert len(resumed.runtime.answers) == 2


def test_who_owes_the_call_is_not_made_to_draw_two(ana: Any, ben: Any, cleo: Any) -> None:
    table = start_super_zwierzaki("38 9/5 37 1 1/5 8", ana, ben, cleo)
    first = send(table, ana, {"play": "38"}, ply=table.ply)
    assert first.rules.view(first.state, None)["must_call"] == [0]
    opened = send(table, ben, {"play": "37"}, ply=first.ply)
    assert opened.rules.to_act(opened.state) == (0, 2)
    ready = window_answers.find_next_answer(opened)
    assert ready is not None
    assert ready.seat == 2
    actual = send(table, ana, {"call": True}, ply=opened.ply, now=NOW + 0.5)
    answers = {answer.seat: answer.due for answer in actual.runtime.answers}
    assert (actual.runtime.bot_due, answers) == (min(answers.values()), {a.seat: a.due for a in opened.runtime.answers})  # type: ignore[type-var]


def test_the_clock_still_closes_what_nobody_has_answered(ana: Any, ben: Any, cleo: Any) -> None:
    table = start_super_zwierzaki("37 1 1/3/5", ana, ben, cleo)
    send(table, ana, {"play": "37"}, ply=table.ply)
    assert phase(timers.run_clock(table.id, now=NOW + WINDOW + 1)) == "duel"


def test_bots_and_people_answer_side_by_side(ana: Any, ben: Any) -> None:
    table = start_super_zwierzaki("37 1 1/3/5/8", ana, ben, seats_wished=4)
    opened = send(table, ana, {"play": "37"}, ply=table.ply)
    for _ in range(3):
        due = opened.runtime.bot_due
        assert due is not None
        after = submission.play_bot(table.id, ply=opened.ply, now=due)
        assert after is not None
        opened = after
    assert phase(opened) == "duel"


def test_orders_and_times_survive_the_database(ana: Any, ben: Any, cleo: Any) -> None:
    table = start_super_zwierzaki("37 1 1/107 3/5", ana, ben, cleo)
    set_standing_answer(table.id, ben.pk, standing="wins", now=NOW)
    opened = send(table, ana, {"play": "37"}, ply=table.ply)
    assert opened.runtime.answers
    assert read_runtime(write_runtime(opened.runtime)) == opened.runtime
    short = opened.runtime._replace(answers=(AnswerDue(1, 3, None),))
    assert read_runtime(write_runtime(short)) == short


def test_a_page_holds_back_that_its_player_lets_it_pass(ana: Any, ben: Any, cleo: Any) -> None:
    table = start_super_zwierzaki("37 1 1/107 3/5", ana, ben, cleo)
    opened = send(table, ana, {"play": "37"}, ply=table.ply)
    holds = build_screen(opened).holds
    assert {seat: pytest.approx(until / 1000, abs=0.001) for seat, until in holds.items()} == {
        answer.seat: answer.due for answer in opened.runtime.answers
    }
    short = start_super_zwierzaki("37 1 1/107 3/5", ana, ben, cleo, options={"reaction_seconds": 2})
    closing = send(short, ana, {"play": "37"}, ply=short.ply)
    assert set(build_screen(closing).holds.values()) == {round((NOW + 2) * 1000)}  # it runs out


def test_a_window_waits_for_nobody_for_whom_it_is_answered(ana: Any, ben: Any, cleo: Any) -> None:
    table = start_super_zwierzaki("37 1 1/107 3/5", ana, ben, cleo)
    opened = send(table, ana, {"play": "37"}, ply=table.ply)
    assert tuple(opened.rules.to_act(opened.state)) == (1, 2)
    assert [window_answers.is_awaited(opened, seat) for seat in range(3)] == [False, True, False]
    ordered = set_standing_answer(table.id, ben.pk, standing="pass", now=NOW)
    assert not window_answers.is_awaited(ordered, 1)
