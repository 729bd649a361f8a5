"""Solves the end of a deal between two players with known hands: who is out first.

Karriere Poker: the two answer each other until one passes, and the other leads. Animal Poker: one answer, then the last
to play leads. A hand is solved once; `Bounds` limit the work.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from games.catalogue.climbing.bots.playout import QuickPlay, list_stacks
from games.catalogue.climbing.rules.cards import HIGHEST, JOKER, JOKER_SHIFT, Hand, count_cards


class Bounds(NamedTuple):
    """What is solved: ends of up to so many cards in both hands together, looking at up to so many positions in all."""

    cards: int
    nodes: int


OF_MOVES: Final = Bounds(12, 6_000)
"""Of a bot's decision: some 10 ms. Larger ends did not win more, see docs/performance.md."""
OF_ANALYSES: Final = Bounds(22, 120_000)
"""Of an analysis: up to 0.2 s. There, a win that the playouts miss would be called a mistake."""


class TooLarge(Exception):
    """The end has more positions than may be looked at."""


class Endgame:
    """Ends of one game: `is_one_turn_each` and `jokers_beat_jokers` are its rules."""

    def __init__(self, *, is_one_turn_each: bool, jokers_beat_jokers: bool, bounds: Bounds = OF_MOVES) -> None:
        self._bounds = bounds
        self._is_one_turn_each = is_one_turn_each
        self._jokers_beat_jokers = jokers_beat_jokers
        self._solved: dict[tuple[Hand, Hand, int, int], bool] = {}
        self._nodes = 0

    def wins(self, mine: Hand, other: Hand, play: QuickPlay) -> bool:
        """Whether this play, a lead or an answer to the other's, makes its player the first to be out.

        An empty play is a pass: the other leads. Raises TooLarge.
        """
        gone, count, number = play
        if not gone:
            return not self._leads(other, mine)
        rest = mine - gone
        return not rest or self._wins_after(rest, other, count, number)

    def wins_answer(self, mine: Hand, other: Hand, play: QuickPlay) -> bool:
        """The same for my answer in a round of one turn each: it ends the round. Raises TooLarge."""
        gone, _, _ = play
        if not gone:
            return not self._leads(other, mine)
        rest = mine - gone
        return not rest or self._leads(rest, other)

    def _leads(self, mine: Hand, other: Hand) -> bool:
        """Whether I am out first when I lead."""
        key = (mine, other, 0, 0)
        wins = self._solved.get(key)
        if wins is None:
            self._count_node()
            wins = self._solved[key] = any(
                gone == mine or self._wins_after(mine - gone, other, count, number)
                for gone, count, number in list_leads(mine)
            )
        return wins

    def _wins_after(self, mine: Hand, other: Hand, count: int, number: int) -> bool:
        """Whether I am out first, having played this and kept `mine`; the other is to answer."""
        key = (mine, other, count, number)
        wins = self._solved.get(key)
        if wins is None:
            self._count_node()
            wins = self._solved[key] = self._survives(mine, other, count, number)
        return wins

    def _survives(self, mine: Hand, other: Hand, count: int, number: int) -> bool:
        for gone, width, value in list_answers(other, count, number, self._jokers_beat_jokers):
            if gone == other:
                return False
            rest = other - gone
            lost = self._leads(rest, mine) if self._is_one_turn_each else self._wins_after(rest, mine, width, value)
            if lost:
                return False
        return self._leads(mine, other)

    def _count_node(self) -> None:
        self._nodes += 1
        if self._nodes > self._bounds.nodes:
            raise TooLarge

    def is_small(self, mine: Hand, other: Hand) -> bool:
        """Whether an end is worth an attempt."""
        return count_cards(mine) + count_cards(other) <= self._bounds.cards


@lru_cache(maxsize=1 << 14)
def list_leads(hand: Hand) -> tuple[QuickPlay, ...]:
    """All leads that differ in effect, the largest first."""
    jokers = hand >> JOKER_SHIFT
    found: list[QuickPlay] = [(used << JOKER_SHIFT, used, JOKER) for used in range(1, jokers + 1)]
    for kind, have in list_stacks(hand):
        for naturals in range(1, have + 1):
            found += [
                ((naturals << 4 * (kind - 1)) + (used << JOKER_SHIFT), naturals + used, kind)
                for used in range(jokers + 1)
            ]
    return tuple(sorted(found, key=lambda play: (-play[1], play[2])))


@lru_cache(maxsize=1 << 14)
def list_answers(hand: Hand, count: int, number: int, jokers_beat_jokers: bool) -> tuple[QuickPlay, ...]:
    """All plays that beat this one."""
    jokers = hand >> JOKER_SHIFT
    found: list[QuickPlay] = []
    for kind, have in list_stacks(hand):
        if kind > number:
            for used in range(max(0, count - have), min(jokers, count - 1) + 1):
                found.append((((count - used) << 4 * (kind - 1)) + (used << JOKER_SHIFT), count, kind))
    if count <= jokers and (number <= HIGHEST or jokers_beat_jokers):
        found.append((count << JOKER_SHIFT, count, max(number, HIGHEST) + 1))
    return tuple(found)
