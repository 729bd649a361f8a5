"""How long bots wait before they move: long enough to read what happened, longer where the choice looks harder.

Pure. A pause depends on what everybody can see, and on chance: how hard a choice looks is estimated from other deals
that a spectator could not tell from the real one. So a pause reveals nothing of a bot's cards.
"""

from __future__ import annotations

import random
from math import log2
from typing import Final

from games.play.storage.table import NORMAL, QUICK, SLOW, LoadedTable
from games.rules.base import Seat
from games.rules.clock import Clock

FACTORS: Final = {QUICK: 0.6, NORMAL: 1.0, SLOW: 2.0}
"""Pace → factor of all pauses. Set by hand: at BOT_DELAY 0.9 the shortest is longer than a card's motion (0.3 s)."""
EASY: Final = 0.8
"""Pause before a move without a choice, in units of BOT_DELAY."""
HARD: Final = 2.0
"""Pause before a choice among `MANY` moves or more, in units of BOT_DELAY."""
MANY: Final = 16
"""Legal moves; with this many a choice counts as hard. Set by hand."""
SPREAD: Final = 0.25
"""A pause varies by up to this fraction in both directions, so that it looks natural."""
LOOKS: Final = 3
"""Deals that are looked at to see how hard a choice is."""
REACTION_SECONDS: Final = 2.0
"""Seconds of a window in which bots leave a reaction to the people who are asked, too."""
MAX_TIME_SHARE: Final = 0.8
"""A bot takes at most this fraction of the time that is left, so that its own turn never runs out."""


def is_reserved(table: LoadedTable, clock: Clock) -> bool:
    """Whether this is a window in which people are asked, too: the first to react takes the reaction."""
    return is_window(clock) and any(table.bot_level(seat) is None for seat in clock.seats)


def is_window(clock: Clock) -> bool:
    """Whether it asks for something out of turn: a reaction, a win, a call."""
    return clock.event.get("clock") != "turn"


def choose_pause(
    table: LoadedTable, seat: Seat, clock: Clock, *, now: float, delay: float, rng: random.Random
) -> float | None:
    """Seconds that the bot on this seat waits, never so long that its time runs out; None: it lets this window pass.

    delay: the setting BOT_DELAY in seconds; 0 switches all pauses off. At a table of bots only it is all that counts.
    """
    left = max(0.0, clock.due - now)
    if table.is_over_days and is_reserved(table, clock):
        return left * MAX_TIME_SHARE
    if not any(table.bot_level(place.seat) is None for place in table.places):
        return min(delay * _random_factor(rng), left * MAX_TIME_SHARE)
    if is_window(clock):  # the same whatever there is to say: a quick answer would tell that there was nothing
        pause = delay * FACTORS[table.pace] * EASY * _random_factor(rng)
        if not delay or not is_reserved(table, clock):
            return min(pause, left * MAX_TIME_SHARE)
        if left <= REACTION_SECONDS:
            return None
        return REACTION_SECONDS + min(pause, (left - REACTION_SECONDS) * MAX_TIME_SHARE)
    if not delay:
        return 0.0
    pause = delay * FACTORS[table.pace] * scale_pause(count_choices(table, seat, rng)) * _random_factor(rng)
    return min(pause, left * MAX_TIME_SHARE)


def _random_factor(rng: random.Random) -> float:
    return 1 + SPREAD * (2 * rng.random() - 1)


def scale_pause(choices: float) -> float:
    """The pause before a choice among so many moves, in units of BOT_DELAY: each doubling adds the same."""
    return EASY + (HARD - EASY) * min(1.0, log2(max(1.0, choices)) / log2(MANY))


def count_choices(table: LoadedTable, seat: Seat, rng: random.Random) -> float:
    """How many moves this seat has, as far as a spectator can tell: the mean over possible deals, at most `MANY`."""
    found = 0
    for _ in range(LOOKS):
        legal = table.rules.legal_moves(table.rules.reshuffle_unseen(table.state, None, rng), seat)
        found += MANY if legal is None else min(MANY, len(legal))
    return found / LOOKS


def find_longest_pause(pace: str, delay: float) -> float:
    """The longest pause in seconds that `choose_pause` can return at this pace."""
    return (REACTION_SECONDS if delay else 0.0) + delay * FACTORS[pace] * HARD * (1 + SPREAD)
