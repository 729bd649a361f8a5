"""One decision: what the move played and the best one are worth, from the view of its seat and nothing else.

First the moves that come into question are compared (`choose_best`); then the best one and the move that was played are
measured again on fresh guesses, the same ones for both, so that the best is not the luckiest. What lies within
`ERRORS` standard errors counts as nothing lost. A loss is measured again on more guesses, which alone count:
of many decisions a few look like losses by chance. Where an appraiser can go on in several ways after a move, each move
is worth the best of them: a poor way to go on is not the fault of the move. What still seems to be a mistake is played
on with care where an appraiser can, and loses no more than that leaves possible. The same view, move and seed give the
same result.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import inf
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

from games.analysis.labels import MIN_INACCURATE, MIN_MISTAKE
from games.bots.appraisal import Appraiser, complete_view, open_appraiser
from games.bots.choosing import choose, list_bot_levels
from games.bots.hints import Reason, explain_move
from games.bots.search import POLICY_LEVEL, choose_best, pick_candidates
from games.rules import registry
from games.rules.base import IllegalMove, Move, Rules, View

CANDIDATES: Final = 8
"""Moves that are compared: what the strongest bot plays, what was played, and others."""
LISTED: Final = 8
"""Moves drawn at random where they are too many to list."""
SAMPLES: Final = 32
"""Guesses on which the best move and the one that was played are measured."""
CONFIRMING_SAMPLES: Final = 128
"""Fresh guesses on which a loss is measured again, and which alone count then."""
CAREFUL_SAMPLES: Final = 60
"""Guesses on which a mistake is played on with care, at most."""
CAREFUL_BATCH: Final = 12
"""Guesses after which it is looked whether the matter is clear."""
VALUE_SAMPLES: Final = 16
"""Guesses for the expected result where no moves are compared: a bot's decision, the luck of a deal."""
ERRORS: Final = 2.0
"""Standard errors within which two moves count as equally good."""


class Decision(NamedTuple):
    """value, best_value: expected results of the move played and of the best one; loss: what the first one cost.

    error: standard error of the difference. best: the move played, where nothing better was found.
    """

    move: Move
    best: Move
    value: float
    best_value: float
    loss: float
    error: float
    reason: Reason


def judge_decision(game: str, view: View, move: Move, seed: bytes) -> Decision | None:
    """The decision of the seat that sees `view`; None for a forced move. Raises IllegalMove if it could not be made."""
    rng, rules = random.Random(seed), registry.find(game)
    appraiser = open_appraiser(game, view, rng)
    guess = complete_view(game, view, rng)
    legal = _list_moves(rules, guess, view, rng)
    if len(legal) == 1 and rules.legal_moves(guess, view["seat"]) is not None:
        return None
    candidates = _list_candidates(game, rules, guess, view, legal, move, rng)
    best = choose_best(candidates, appraiser.draw, appraiser.value, playouts=appraiser.playouts)
    if best is candidates[0]:
        value = measure(appraiser, move, SAMPLES)
        return Decision(move, move, value, value, 0.0, 0.0, explain_move(game, view, legal, move))
    value, best_value, error = _compare(appraiser, move, best, SAMPLES)
    if best_value - value > ERRORS * error:
        value, best_value, error = _compare(appraiser, move, best, CONFIRMING_SAMPLES)
    loss = best_value - value
    if loss >= MIN_MISTAKE and appraiser.careful_value is not None:
        loss = min(loss, _limit_loss(appraiser, appraiser.careful_value, move, best))
    if loss <= ERRORS * error:
        best, loss = move, 0.0
    return Decision(move, best, value, max(value, best_value), loss, error, explain_move(game, view, legal, best))


def measure(appraiser: Appraiser, move: Move, samples: int) -> float:
    """The expected result of a move over so many guesses."""
    (values,) = _value_moves(appraiser, (move,), samples)
    return fmean(values)


def _value_moves(appraiser: Appraiser, moves: Sequence[Move], samples: int) -> list[list[float]]:
    """The values of each move on the same so many guesses, in the way of going on that is best for it on average."""
    ways = (appraiser.value, *appraiser.other_values)
    values: list[list[list[float]]] = [[[] for _ in ways] for _ in moves]
    for _ in range(samples):
        guess = appraiser.draw()
        for move, of_move in zip(moves, values, strict=True):
            for value, found in zip(ways, of_move, strict=True):
                found.append(value(guess, move))
    return [max(of_move, key=sum) for of_move in values]


def expect_result(game: str, view: View, seed: bytes, *, samples: int = VALUE_SAMPLES) -> float:
    """The expected result of the seat that sees `view` if it goes on as `steady` does."""
    rng, rules = random.Random(seed), registry.find(game)
    appraiser = open_appraiser(game, view, rng)
    legal = _list_moves(rules, complete_view(game, view, rng), view, rng)
    return measure(appraiser, choose(game, view, legal, rng, POLICY_LEVEL), samples)


def _list_moves(rules: Rules[Any], guess: Any, view: View, rng: random.Random) -> list[Move]:
    legal = rules.legal_moves(guess, view["seat"])
    if legal is not None:
        return list(legal)
    return [rules.legal_sample(guess, view["seat"], rng) for _ in range(LISTED)]


def _list_candidates(
    game: str, rules: Rules[Any], guess: Any, view: View, legal: Sequence[Move], move: Move, rng: random.Random
) -> list[Move]:
    """The move that was played first, then the strongest bot's, then others; none with the effect of another one."""
    seat = view["seat"]
    strong = choose(game, view, legal, rng, list_bot_levels(game)[-1])
    steady = choose(game, view, legal, rng, POLICY_LEVEL)
    found: list[Move] = []
    effects: list[Any] = []
    for candidate in (move, *pick_candidates([strong, steady, *legal], strong, CANDIDATES, rng)):
        try:
            effect = rules.expected(rules.apply(guess, seat, candidate)[0])
        except IllegalMove:
            if candidate is move:
                raise
            continue  # a bot's own move may name what only this guess does not have
        if effect not in effects:
            found.append(candidate)
            effects.append(effect)
    return found


def _limit_loss(appraiser: Appraiser, value: Callable[[Any, Move], float], move: Move, best: Move) -> float:
    """The most that the move can have lost, `ERRORS` standard errors included, if its seat goes on with care.

    Infinity as soon as that is a mistake beyond doubt.
    """
    losses: list[float] = []
    most = inf
    while len(losses) < CAREFUL_SAMPLES and most >= MIN_INACCURATE:
        for _ in range(CAREFUL_BATCH):
            guess = appraiser.draw()
            losses.append(value(guess, best) - value(guess, move))
        mean, error = fmean(losses), stdev(losses) / len(losses) ** 0.5
        if mean - ERRORS * error >= MIN_MISTAKE:
            return inf
        most = mean + ERRORS * error
    return most


def _compare(appraiser: Appraiser, move: Move, best: Move, samples: int) -> tuple[float, float, float]:
    """Expected results of both on the same so many guesses, and the standard error of their difference."""
    played, better = _value_moves(appraiser, (move, best), samples)
    error = stdev(high - low for low, high in zip(played, better, strict=True)) / samples**0.5
    return fmean(played), fmean(better), error
