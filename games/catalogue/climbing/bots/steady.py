"""Moves by rules of thumb: lead low cards first, keep equal cards together, keep jokers for the end.

Stop who is about to go out, and go out when possible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from games.rules.base import Move, View

JOKERS_NUMBER = 14
"""Number that a play of jokers alone counts as."""
HIGH = 11
"""Numbers above this one win most rounds. Rules of thumb like all weights here, set by hand."""
NEAR_THE_END = 3
"""Cards in the hand of a player who may be out at any moment."""
BREAK_COST = 4
"""Cost of leaving equal cards behind. Unit of all costs: two steps of a card's number."""
JOKER_COST = 5
"""Cost of each joker played."""
BASE_LIMIT = 7
"""Cost up to which a play is better than a pass, with eight cards or more in hand."""


class _Option(NamedTuple):
    """A play, with what it does to the hand. breaks: equal number cards stay behind; stacks: numbers left after it."""

    move: Move
    number: int
    width: int
    jokers: int
    breaks: bool
    stacks: int


def choose_steadily(view: View, legal: Sequence[Move]) -> Move:
    """One of `legal`."""
    hand: Counter[str] = Counter(view["hand"])
    options = [_rate_move(move, hand, view["wild"]) for move in legal if "play" in move]
    if not options:
        return legal[0]
    for option in options:
        if option.width == len(view["hand"]):
            return option.move
    if view["table_number"] is None:
        return _lead(options, view).move
    best = min(options, key=_cost)
    passing = next(move for move in legal if "pass" in move)
    return best.move if _cost(best) <= _find_limit(view, best) else passing


def rank_moves(view: View, legal: Sequence[Move]) -> list[Move]:
    """The plays among these moves, what costs least first."""
    hand: Counter[str] = Counter(view["hand"])
    options = [_rate_move(move, hand, view["wild"]) for move in legal if "play" in move]
    return [option.move for option in sorted(options, key=_cost)]


def _rate_move(move: Move, hand: Counter[str], wild: str) -> _Option:
    cards: Counter[str] = Counter(move["play"])
    jokers = cards.pop(wild, 0)
    word, naturals = next(iter(cards.items()), (wild, 0))
    breaks = bool(naturals) and hand[word] > naturals
    stacks = len([other for other in hand if other != wild]) - (bool(naturals) and not breaks)
    return _Option(move, int(word) if naturals else JOKERS_NUMBER, naturals + jokers, jokers, breaks, stacks)


def _lead(options: Sequence[_Option], view: View) -> _Option:
    """The lowest whole stack; with one stack to go afterwards, first what nobody is likely to beat."""
    whole = [option for option in options if not option.breaks]
    plain = [option for option in whole if option.jokers == 0] or whole
    last_but_one = [option for option in whole if option.stacks <= 1 and option.width < len(view["hand"])]
    winners = [option for option in last_but_one if option.number >= HIGH + 1]
    if winners:
        return max(winners, key=lambda option: (option.number, option.width))
    if min(_others(view)) == 1:
        pairs = [option for option in plain if option.width > 1]
        plain = pairs or [max(plain, key=lambda option: option.number)]
    return min(plain, key=lambda option: (option.number, -option.width))


def _cost(option: _Option) -> float:
    """The cost of playing these cards: half their number, and the weights above."""
    return option.number / 2 + BREAK_COST * option.breaks + JOKER_COST * option.jokers


def _find_limit(view: View, option: _Option) -> float:
    """The highest cost that is worth paying: more if this seat or another one is close to being out."""
    limit = BASE_LIMIT + max(0, 8 - len(view["hand"]))
    if option.stacks <= 1 or min(_others(view)) <= NEAR_THE_END:
        limit += JOKER_COST
    return limit


def _others(view: View) -> list[int]:
    """The sizes of the other hands that are still in play."""
    return [size for seat, size in enumerate(view["hand_sizes"]) if size and seat != view["seat"]]
