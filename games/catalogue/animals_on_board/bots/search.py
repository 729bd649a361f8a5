"""Search: from every promising move the round is played out with guesses at what is hidden; the best on average wins.

The work is bounded by numbers, not by time: so many moves, so many playouts, and most of them for the moves that
looked best so far (`games.bots.search.choose_best`).
"""

from __future__ import annotations

import random
from itertools import combinations
from typing import Final

from games.bots.search import choose_best
from games.catalogue.animals_on_board.bots.ark_value import value_ark
from games.catalogue.animals_on_board.bots.position import FORFEIT, BotPosition, PlannedMove, read_position
from games.catalogue.animals_on_board.bots.rule_of_thumb import CRATE_POINTS, choose_by_rule
from games.catalogue.animals_on_board.rules.scoring import BRACKETS
from games.rules.base import View

PLAYOUTS: Final = 400
"""Rounds that are played out for a move, see docs/performance.md."""
MAX_SPLITS: Final = 16
"""Splits that are played out."""
MAX_PLAYOUT_MOVES: Final = 40
"""Moves after which a playout stops."""

_MAX_WAYS: Final = 60
"""Combinations of one size that are valued; of more, this many at random."""


def search_move(view: View, rng: random.Random) -> PlannedMove:
    """The plan with the best average outcome of the round."""
    seat = view["seat"]
    candidates = list_candidates(read_position(view, rng), seat, rng)
    return choose_best(
        candidates,
        lambda: read_position(view, rng),
        lambda guess, move: _play_out(guess.copy(), move, seat),
        playouts=PLAYOUTS,
    )


def list_candidates(position: BotPosition, seat: int, rng: random.Random) -> list[PlannedMove]:
    """Every take that can be paid for, and the splits that promise most; a forfeit if there is neither."""
    takes = [PlannedMove(at, tiles) for at, tiles in enumerate(position.groups) if len(tiles) <= position.crates[seat]]
    return takes + _list_splits(position, seat, rng) or [FORFEIT]


def _list_splits(position: BotPosition, seat: int, rng: random.Random) -> list[PlannedMove]:
    """Splits: the best of each size for this seat's ark, a few of a group's first tiles, and a few at random."""
    ark, pair_value, found = position.arks[seat], position.pair_value, []
    for at, tiles in enumerate(position.groups):
        for size in range(1, min(len(tiles), 5)):
            ways = [
                (value_ark(ark + off, pair_value), PlannedMove(at, off)) for off in _sample_splits(tiles, size, rng)
            ]
            ways.sort(key=lambda way: way[0])
            found += [(ways[-1][0] - CRATE_POINTS * size, ways[-1][1]), (0.5 * ways[0][0], ways[0][1])]
    found.sort(key=lambda way: -way[0])
    return list(dict.fromkeys(move for _, move in found))[:MAX_SPLITS]


def _sample_splits(tiles: tuple[str, ...], size: int, rng: random.Random) -> list[tuple[str, ...]]:
    """All ways to choose so many tiles, or some of them where there are very many."""
    ways = list(combinations(tiles, size))
    return ways if len(ways) <= _MAX_WAYS else rng.sample(ways, _MAX_WAYS)


def _play_out(position: BotPosition, move: PlannedMove, seat: int) -> float:
    """How the round ends for this seat after this plan, when everybody plays by rule of thumb."""
    for _ in range(MAX_PLAYOUT_MOVES):
        position.play(move)
        if position.is_over:
            break
        move = choose_by_rule(position)
    return _evaluate(position, seat)


def _evaluate(position: BotPosition, seat: int) -> float:
    """This seat's points less half of the others' best and half of their mean; pairs count 0 if the game is over."""
    pair_value = 0.0 if max(map(len, position.arks)) >= BRACKETS else position.pair_value
    values = [
        value_ark(ark, pair_value) + CRATE_POINTS * crates
        for ark, crates in zip(position.arks, position.crates, strict=True)
    ]
    mine = values.pop(seat)
    return mine - 0.5 * max(values) - 0.5 * sum(values) / len(values)
