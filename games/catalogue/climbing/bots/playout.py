"""Plays a deal to its end by rules of thumb, on packed hands: some hundred thousand moves a second."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from games.catalogue.climbing.bots.steady import BASE_LIMIT, BREAK_COST, HIGH, JOKER_COST, JOKERS_NUMBER, NEAR_THE_END
from games.catalogue.climbing.rules import cards
from games.catalogue.climbing.rules.cards import HIGHEST, JOKER, JOKER_SHIFT, MAX_SETS, ONE_SET, Hand
from games.catalogue.climbing.rules.state import CLOCKWISE

QuickPlay: TypeAlias = tuple[Hand, int, int]
"""Cards, how many, and their number: 14 or more for jokers alone. No cards: a pass."""
PASS: Final[QuickPlay] = (0, 0, 0)
_NEVER: Final = 1e9
_NUMBERS: Final = (1 << JOKER_SHIFT) - 1
_EIGHTS: Final = 8 * ONE_SET
_ABOVE: Final = tuple(_EIGHTS >> 4 * number << 4 * number for number in range(HIGHEST + 1))
"""The top bits of all numbers above this one."""


class Style(NamedTuple):
    """How one place goes on in a playout. leads_low: its lowest number even if another one has one card left.

    limit: what it would pay more, or less, for an answer than others do; the unit is that of `steady.py`.
    """

    leads_low: bool = False
    limit: int = 0


USUAL: Final = Style()


class QuickTable(NamedTuple):
    """A position without its hands. See `State`; width, number: cards and number of the play to beat, 0 for none."""

    seats: int
    is_one_turn_each: bool
    jokers_beat_jokers: bool
    find_next_leader: Callable[[int, int], int]
    turn: int
    width: int
    number: int
    holder: int
    acted: int
    alive: int


def play_out(table: QuickTable, hands: Sequence[Hand], play: QuickPlay, style: Style = USUAL) -> float:
    """The share of the others that the place to act finishes ahead of, if it plays this now and goes on like this."""
    leads_low, limit = style
    seats, one_turn, beat_jokers, find_next_leader, me, count, number, holder, acted, alive = table
    held = list(hands)
    sizes = [cards.count_cards(hand) for hand in hands]
    near = sum(1 << place for place, size in enumerate(sizes) if 0 < size <= NEAR_THE_END)
    single = sum(1 << place for place, size in enumerate(sizes) if size == 1)
    turn, bit = me, 1 << me
    while True:
        gone, width, value = play
        if gone:
            held[turn] -= gone
            size = sizes[turn] = sizes[turn] - width
            count, number, holder = width, value, turn
            if one_turn:
                acted |= bit
            else:
                acted = bit
            if size <= NEAR_THE_END:
                near |= bit
                if size == 1:
                    single |= bit
                elif not size:
                    alive &= ~bit
                    near &= ~bit
                    single &= ~bit
                    if turn == me:
                        return alive.bit_count() / (seats - 1)
                    if not alive & alive - 1:
                        return 0.0
        else:
            acted |= bit
        waiting = alive & ~acted
        if waiting:
            turn = CLOCKWISE[waiting][turn]
        else:
            turn = holder if alive >> holder & 1 else find_next_leader(holder, alive)
            count = number = acted = 0
        bit = 1 << turn
        if count:
            more = limit if turn == me else 0
            play = follow(held[turn], sizes[turn], count, number, bool(near & ~bit), beat_jokers, more)
        else:
            play = lead(held[turn], bool(single & ~bit) and not (leads_low and turn == me))


def follow(
    hand: Hand, size: int, count: int, number: int, is_near: bool, jokers_beat_jokers: bool, more: int = 0
) -> QuickPlay:
    """What a sensible player with `size` cards answers.

    is_near: another one may be out at any moment; more: that it pays beyond the usual limit.
    """
    if count > size:
        return PASS
    jokers = hand >> JOKER_SHIFT
    numbers = hand & _NUMBERS
    above = _ABOVE[number] if number < HIGHEST else 0
    held = (numbers + 7 * ONE_SET & _EIGHTS).bit_count()
    best, least, stacks = PASS, _NEVER, 0
    for used in range(min(jokers, count - 1) + 1) if above else ():
        naturals = count - used
        if naturals > MAX_SETS:
            continue
        enough = numbers + (8 - naturals) * ONE_SET & above
        if not enough:
            continue
        exact = enough & ~(numbers + (7 - naturals) * ONE_SET) if naturals < MAX_SETS else enough
        for mask, breaks in ((exact, 0), (enough & ~exact, 1)):
            if mask:
                kind = (mask & -mask).bit_length() >> 2
                cost = kind / 2 + BREAK_COST * breaks + JOKER_COST * used if count < size else 0.0
                if cost < least:
                    best = ((naturals << 4 * (kind - 1)) + (used << JOKER_SHIFT), count, kind)
                    least, stacks = cost, held - 1 + breaks
    if count <= jokers and (number <= HIGHEST or jokers_beat_jokers):
        cost = JOKERS_NUMBER / 2 + JOKER_COST * count if count < size else 0.0
        if cost < least:
            best, least, stacks = (count << JOKER_SHIFT, count, max(number, HIGHEST) + 1), cost, held
    limit = BASE_LIMIT + more + max(0, 8 - size)
    if stacks <= 1 or is_near:
        limit += JOKER_COST
    return best if least <= limit else PASS


def lead(hand: Hand, is_single: bool) -> QuickPlay:
    """What a sensible player leads. is_single: another one has one card left."""
    jokers = hand >> JOKER_SHIFT
    held = numbers = hand & _NUMBERS
    if not numbers:
        return (jokers << JOKER_SHIFT, jokers, JOKER)
    kind = ((numbers & -numbers).bit_length() + 3) >> 2
    have = numbers >> 4 * (kind - 1) & 15
    held -= have << 4 * (kind - 1)
    if not held:
        return (hand, have + jokers, kind)
    high = (held.bit_length() + 3) >> 2
    top = held >> 4 * (high - 1)
    if held == top << 4 * (high - 1) and high > HIGH:
        return (held + (jokers << JOKER_SHIFT), top + jokers, high)
    if is_single and have == 1:
        several = numbers + 6 * ONE_SET & _EIGHTS
        if not several:
            return _take_stack(high, top)
        kind = (several & -several).bit_length() >> 2
        have = numbers >> 4 * (kind - 1) & 15
    return _take_stack(kind, have)


def _take_stack(kind: int, have: int) -> QuickPlay:
    return (have << 4 * (kind - 1), have, kind)


@lru_cache(maxsize=1 << 16)
def list_stacks(hand: Hand) -> tuple[tuple[int, int], ...]:
    """Number and count of each number in the hand, rising; jokers left out."""
    found = []
    for kind in range(1, HIGHEST + 1):
        have = hand >> 4 * (kind - 1) & 15
        if have:
            found.append((kind, have))
    return tuple(found)
