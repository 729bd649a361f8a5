"""Pure functions about windows that are answered for people: when, and for which seats.

In games over days only standing answers count, which can be ordered with any hand: they are given at once.

A window asks several seats at once. A seat that can play nothing, or whose player has ordered a standing answer, is
answered for after a random delay. That delay is drawn for every person that the window asks, whatever they hold and
have ordered: their page holds back a "let it pass" until then, too. So the time of an answer tells nothing of a hand.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from math import sqrt

from games.play.moves.bot_pace import REACTION_SECONDS
from games.play.storage.table import PLAYING, AnswerDue, LoadedTable
from games.rules.base import Move, Seat
from games.rules.clock import Clock

EARLY_SECONDS = 0.05
"""Seconds before its time at which an answer may be given: clocks of computers are not exact."""
ORDERED_SECONDS = (2.0, 6.0)
"""In a game over days: seconds, from and to, after which a seat is answered for that lets a window pass by its order.
"""


def choose_delay(left: float, rng: random.Random) -> float | None:
    """Seconds until a seat of a window is answered for, at least `REACTION_SECONDS`; None: its time runs out.

    left: seconds until the window closes. The density falls linearly to zero at its end: a window of three mostly
    closes early, and no time within it is too late to be an answer that nobody thought about.
    """
    chance = rng.random()
    if left <= REACTION_SECONDS:
        return None
    return REACTION_SECONDS + (left - REACTION_SECONDS) * (1 - sqrt(1 - chance))


def schedule_answers(table: LoadedTable, *, now: float, delay: float, rng: random.Random) -> LoadedTable:
    """The table with the time at which each person that a window asks is answered for; times that are set stay.

    delay: the setting BOT_DELAY; 0 switches all pauses off. Called after `advance.schedule_bots`, whose `bot_due` is
    moved forward where such an answer comes first.
    """
    if not table.rules.windows and not table.runtime.answers:  # most games have none: a move does no work for them
        return table
    scheduled = {(answer.seat, answer.serial): answer for answer in table.runtime.answers}

    def choose(seat: Seat, clock: Clock) -> AnswerDue:
        if (answer := scheduled.get((seat, clock.serial))) is not None:
            return answer
        pause = rng.uniform(*ORDERED_SECONDS) if table.is_over_days else choose_delay(clock.due - now, rng)
        if not delay:
            pause = 0.0
        return AnswerDue(seat, clock.serial, None if pause is None else now + pause)

    answers = tuple(choose(seat, clock) for seat, clock in _list_asked_people(table))
    if answers != table.runtime.answers:
        table = table._replace(runtime=table.runtime._replace(answers=answers))
    return include_answers(table)


def include_answers(table: LoadedTable) -> LoadedTable:
    """The table whose `bot_due` is no later than the first answer that is to be given."""
    answer, due = find_next_answer(table), table.runtime.bot_due
    if answer is None or answer.due is None or (due is not None and due <= answer.due):
        return table
    return table._replace(runtime=table.runtime._replace(bot_due=answer.due))


def find_next_answer(table: LoadedTable) -> AnswerDue | None:
    """The answer whose time comes first, among the seats that need not be asked."""
    ready = [
        (answer.due, answer)
        for answer in table.runtime.answers
        if answer.due is not None and choose_answer(table, answer.seat) is not None
    ]
    return min(ready)[1] if ready else None


def choose_answer(table: LoadedTable, seat: Seat) -> Move | None:
    """The answer of this seat to the window that asks it; None where its player is to decide."""
    if table.status != PLAYING or table.outcome is not None or table.is_suspended:
        return None
    standing = get_standing_answer(table, seat)
    if table.is_over_days and not table.rules.is_covered(table.state, seat, standing):
        return None  # asked whatever the seat holds: an answer by itself would show an empty hand
    return table.rules.answer_window(table.state, seat, standing)


def is_awaited(table: LoadedTable, seat: Seat) -> bool:
    """Whether the game waits for the player of this seat; for an answer that is given for them it does not."""
    if table.status != PLAYING or table.is_suspended or seat not in table.rules.to_act(table.state):
        return False
    return choose_answer(table, seat) is None


def get_standing_answer(table: LoadedTable, seat: Seat) -> str:
    """What this seat's player has ordered; empty without an order."""
    return dict(table.runtime.standing_answers).get(seat, table.usual_standing_answer)


def is_ordered(table: LoadedTable, seat: Seat) -> bool:
    """Whether the answer of this seat follows from its standing answer alone: without that its player is asked."""
    if table.is_over_days:
        return any(ordered == seat for ordered, _standing in table.runtime.standing_answers)
    return table.rules.answer_window(table.state, seat, "") is None


def find_holds(table: LoadedTable) -> Mapping[Seat, float]:
    """Until when (seconds since 1970) the page of each person that a window asks holds back that they let it pass.

    In a game over days nothing is held back: a seat that is asked is never answered for, so there is nothing to hide.
    """
    if table.is_over_days:
        return {}
    dues = {answer.seat: answer.due for answer in table.runtime.answers}
    return {
        seat: clock.due if (due := dues[seat]) is None else due
        for seat, clock in _list_asked_people(table)
        if seat in dues
    }


def end_standing_answers(table: LoadedTable) -> LoadedTable:
    """The table without the standing answers that lapse in its present state."""
    if not table.runtime.standing_answers:
        return table
    kept = tuple(
        (seat, standing)
        for seat, standing in table.runtime.standing_answers
        if not table.rules.is_standing_over(table.state, seat, standing)
    )
    if kept == table.runtime.standing_answers:
        return table
    return table._replace(runtime=table.runtime._replace(standing_answers=kept))


def _list_asked_people(table: LoadedTable) -> Iterator[tuple[Seat, Clock]]:
    """The seats that a window asks and for which no bot plays, each with the window's clock."""
    if not table.rules.windows or table.status != PLAYING or table.outcome is not None or table.is_suspended:
        return
    for clock in table.runtime.clocks:
        if clock.left is None and clock.event.get("clock") in table.rules.windows:
            for seat in clock.seats:
                if table.bot_level(seat) is None:
                    yield seat, clock
