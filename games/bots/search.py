"""Search with sampled hidden information: guess what is hidden, play on, choose by the average result. Pure.

A game's bots may have `complete_view(view, rng)`, which makes a view into a whole state that fits everything seen. With
it, and `SEARCH = Search(complete_view)`, the level `sharp` needs nothing else: see docs/adding-a-game.md. The work is
bounded by numbers of playouts and moves, never by a clock, so that the same seed gives the same move.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from games.rules.base import Move, Outcome, Rules, Seat, View

S = TypeVar("S")
C = TypeVar("C")

CompleteView: TypeAlias = Callable[[View, random.Random], Any]
"""A view and chance → a state that fits it: `rules.view(state, view["seat"]) == view`, and no card made or lost."""
QuickPolicy: TypeAlias = Callable[[Any, Seat, random.Random], Move]
"""A state, the seat to act and chance → its move in a playout. It may see everything: it only has to be plausible."""
Estimate: TypeAlias = Callable[[Any, Seat], float]
"""A state of a game under way, and a seat → the share of the others that it will finish ahead of, 0 … 1."""
ChooseMove: TypeAlias = Callable[[View, Sequence[Move], random.Random, str], Move]

PLAYOUTS: Final = 64
"""Playouts of a decision unless a game says otherwise. Set by hand: a fifth of a second at 40 µs a move."""
PLAYOUT_MOVES: Final = 80
"""Moves after which a playout stops unless a game says otherwise."""
CANDIDATES: Final = 12
"""Moves that are compared, unless a game says otherwise; of more, these many at random and what `steady` plays."""
SEARCH_LEVEL: Final = "sharp"
"""The level that a game's `SEARCH` plays."""
POLICY_LEVEL: Final = "steady"
"""The level that plays on where a game has no quicker policy."""
UNDECIDED: Final = 0.5
"""What a playout that stopped is worth where a game has no estimate."""


class Search(NamedTuple):
    """How a game is searched. Only the first is needed; playouts, moves and candidates bound the work of a decision."""

    complete: CompleteView
    policy: QuickPolicy | None = None
    estimate: Estimate | None = None
    playouts: int = PLAYOUTS
    moves: int = PLAYOUT_MOVES
    candidates: int = CANDIDATES


def search_move(
    search: Search, rules: Rules[Any], choose: ChooseMove, view: View, legal: Sequence[Move], rng: random.Random
) -> Move:
    """The move with the best average result. `choose` plays on where the search has no policy of its own."""
    if len(legal) == 1:
        return legal[0]
    seat: Seat = view["seat"]
    policy = search.policy or play_by_level(rules, choose)

    def play_out(state: Any, move: Move) -> float:
        after, _ = rules.apply(state, seat, move)
        return play_on(rules, after, seat, policy=policy, estimate=search.estimate, moves=search.moves, rng=rng)

    candidates = pick_candidates(legal, choose(view, legal, rng, POLICY_LEVEL), search.candidates, rng)
    return choose_best(candidates, lambda: search.complete(view, rng), play_out, playouts=search.playouts)


def pick_candidates(legal: Sequence[Move], sensible: Move, most: int, rng: random.Random) -> list[Move]:
    """The sensible move first, then all others, or so many of them at random, in their order."""
    others = [move for move in legal if move != sensible]
    if len(others) >= most:
        others = [others[at] for at in sorted(rng.sample(range(len(others)), most - 1))]
    return [sensible, *others]


def choose_best(candidates: Sequence[C], draw: Callable[[], S], value: Callable[[S, C], float], *, playouts: int) -> C:
    """The candidate with the highest mean value, found by sequential halving; the first of equal ones.

    Every round draws states anew, values all candidates that are left on the same ones, and drops the worse half.
    About `playouts` values are computed. Source: Karnin, Koren, Somekh 2013, Almost optimal exploration.
    """
    left = list(range(len(candidates)))
    totals, counts = [0.0] * len(left), [0] * len(left)
    rounds = max(1, (len(left) - 1).bit_length())
    while len(left) > 1:
        for _ in range(max(1, playouts // (rounds * len(left)))):
            state = draw()
            for at in left:
                totals[at] += value(state, candidates[at])
                counts[at] += 1
        left.sort(key=lambda at: (-totals[at] / counts[at], at))
        del left[(len(left) + 1) // 2 :]
    return candidates[left[0]]


def play_on(
    rules: Rules[Any],
    state: Any,
    seat: Seat,
    *,
    policy: QuickPolicy,
    estimate: Estimate | None,
    moves: int,
    rng: random.Random,
) -> float:
    """The share of the others that this seat finishes ahead of, or is estimated to when so many moves are made."""
    for _ in range(moves):
        outcome = rules.outcome(state)
        if outcome is not None:
            return rate_outcome(outcome, seat)
        acting = rules.to_act(state)[0]
        state, _ = rules.apply(state, acting, policy(state, acting, rng))
    outcome = rules.outcome(state)
    if outcome is not None:
        return rate_outcome(outcome, seat)
    return UNDECIDED if estimate is None else estimate(state, seat)


def rate_outcome(outcome: Outcome, seat: Seat) -> float:
    """The share of the others that this seat finished ahead of; ties count half."""
    mine = outcome.places[seat]
    points = sum(1.0 if mine < place else 0.5 for place in outcome.places if mine <= place) - 0.5
    return points / max(1, len(outcome.places) - 1)


def play_by_level(rules: Rules[Any], choose: ChooseMove) -> QuickPolicy:
    """The policy of a game that has no quicker one: its level `steady`, which sees the view of the seat to act."""

    def play(state: Any, seat: Seat, rng: random.Random) -> Move:
        legal = rules.legal_moves(state, seat)
        if legal is None:
            legal = (rules.legal_sample(state, seat, rng),)
        return legal[0] if len(legal) == 1 else choose(rules.view(state, seat), legal, rng, POLICY_LEVEL)

    return play
