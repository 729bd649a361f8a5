"""Moves by rules of thumb: take a group worth its crates, else split so that something good is left for this seat."""

from __future__ import annotations

from itertools import combinations
from typing import Final, NamedTuple

from games.catalogue.animals_on_board.bots.ark_value import value_ark
from games.catalogue.animals_on_board.bots.position import FORFEIT, BotPosition, PlannedMove
from games.catalogue.animals_on_board.rules.state import MAX_CRATES

CRATE_POINTS: Final = 1.0
"""Points that a crate is worth, as in the final score."""
TAKE_GAIN: Final = 5.0
"""Points that a group must gain to be better than a split and more turns. Set by hand."""
MAX_SPLIT_TILES: Final = 3
"""Most tiles that it splits off. Set by hand: more combinations cost time and seldom win."""


class Offer(NamedTuple):
    """A group that can be paid for, and what it gains."""

    gain: float
    move: PlannedMove


def choose_by_rule(position: BotPosition) -> PlannedMove:
    """The move of a sensible player who does not look ahead."""
    seat = position.turn
    offer = find_offer(position, seat)
    can_split = any(len(tiles) > 1 for tiles in position.groups)
    if not can_split:
        return offer.move if offer else FORFEIT
    if offer and offer.gain >= _find_least_gain(position, seat):
        return offer.move
    return choose_split(position, seat)


def _find_least_gain(position: BotPosition, seat: int) -> float:
    """What a group must gain to be better than a split."""
    split = -CRATE_POINTS if position.crates[seat] == MAX_CRATES else CRATE_POINTS
    return split if len(position.in_round) == 1 else TAKE_GAIN if split > 0 else 2.0


def find_offer(position: BotPosition, seat: int) -> Offer | None:
    """The affordable group that gains most."""
    ark, crates, pair_value = position.arks[seat], position.crates[seat], position.pair_value
    now = value_ark(ark, pair_value)
    best: Offer | None = None
    for at, tiles in enumerate(position.groups):
        if len(tiles) <= crates:
            gain = value_ark(ark + tiles, pair_value) - now - CRATE_POINTS * len(tiles)
            if best is None or gain > best.gain:
                best = Offer(gain, PlannedMove(at, tiles))
    return best


def choose_split(position: BotPosition, seat: int) -> PlannedMove:
    """Split the largest group into the tiles that this seat wants and could pay for next time, and the rest."""
    at = max(range(len(position.groups)), key=lambda index: len(position.groups[index]))
    tiles, ark, pair_value = position.groups[at], position.arks[seat], position.pair_value
    most = min(len(tiles) - 1, MAX_SPLIT_TILES, position.crates[seat] + 1)
    best = max(
        (off for size in range(1, most + 1) for off in combinations(tiles, size)),
        key=lambda off: value_ark(ark + off, pair_value) - CRATE_POINTS * len(off),
    )
    return PlannedMove(at, best)
