"""All possible plays: cards of one number, with jokers standing in, or jokers alone.

All plays of a game are made once and shared, with the moves that name them; finding those that a hand
allows is arithmetic on the packed hand. Source: karriere-poker.md, Play; animal-poker.md, A round.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from games.catalogue.climbing.rules.cards import (
    HIGHEST,
    JOKER,
    JOKER_SHIFT,
    MAX_JOKERS,
    MAX_SETS,
    ONE_SET,
    Hand,
    read_kind,
)
from games.rules.base import Move

PASS: Final[Move] = {"pass": True}

_EIGHTS: Final = 8 * ONE_SET
_AT_LEAST: Final = tuple((8 - count) * ONE_SET for count in range(MAX_SETS + 1))
"""Added to a hand, this makes the top bit of a number's four say "at least count cards"."""
_ABOVE: Final = tuple(_EIGHTS >> 4 * number << 4 * number for number in range(HIGHEST + 1))
"""The top bits of all numbers above this one."""


@dataclass(frozen=True, slots=True, eq=False)
class Play:
    """One or more cards of one number. One object for each different play, so identity is equality.

    number: 14 for jokers alone; naturals: number cards among the `count`; cards: all of them, packed;
    words: as written, sorted; move: the move that plays them, shared and not to be changed.
    """

    number: int
    count: int
    naturals: int
    jokers: int
    cards: Hand
    words: tuple[str, ...]
    move: Move


class PlayIndex:
    """All plays of a game whose jokers are written `wild`."""

    def __init__(self, wild: str) -> None:
        self.wild = wild
        shapes = [(n, j) for n in range(1, MAX_SETS + 1) for j in range(MAX_JOKERS + 1)]
        self._of_shape = {
            (n, j): [self._make_play(number, n, j) for number in range(1, HIGHEST + 1)] for n, j in shapes
        }
        self._jokers_alone = [self._make_play(JOKER, 0, jokers) for jokers in range(1, MAX_JOKERS + 1)]
        every = [*self._jokers_alone, *(play for plays in self._of_shape.values() for play in plays)]
        self._by_words = {play.words: play for play in every}
        self._listed = lru_cache(maxsize=1 << 15)(self._list_moves)
        self._passable = lru_cache(maxsize=1 << 15)(lambda count, mask: (*self._list_moves(count, 0, mask), PASS))

    def _make_play(self, number: int, naturals: int, jokers: int) -> Play:
        words = (str(number),) * naturals + (self.wild,) * jokers
        cards = (naturals << 4 * (number - 1)) + (jokers << JOKER_SHIFT)
        return Play(number, naturals + jokers, naturals, jokers, cards, words, {"play": list(words)})

    def find(self, cards: Sequence[Any]) -> Play | None:
        """The play that consists of these words in any order; None if they are no play at all."""
        try:
            play = self._by_words.get(tuple(cards))
        except TypeError:  # something in it is no word: a list, an object
            return None
        return play or self._find_unsorted(cards)

    def _find_unsorted(self, cards: Sequence[Any]) -> Play | None:
        kinds = [read_kind(word, self.wild) for word in cards[: MAX_SETS + MAX_JOKERS + 1]]
        numbers = sorted(kind for kind in kinds if kind is not None)
        if len(numbers) < len(cards):
            return None
        return self._by_words.get(tuple(self.wild if kind == JOKER else str(kind) for kind in numbers))

    def list_leads(self, hand: Hand) -> tuple[Move, ...]:
        """The moves of a leader: everything of one number, and jokers alone."""
        jokers = hand >> JOKER_SHIFT
        moves: tuple[Move, ...] = ()
        for naturals in range(1, MAX_SETS + 1):
            mask = hand + _AT_LEAST[naturals] & _EIGHTS
            if not mask:
                break
            for used in range(jokers + 1):
                moves += self._listed(naturals, used, mask)
        for play in self._jokers_alone[:jokers]:
            moves += (play.move,)
        return moves

    def list_follows(self, hand: Hand, count: int, number: int, *, can_beat_jokers: bool) -> tuple[Move, ...]:
        """The moves of one who follows a play of `count` cards of `number` (above 13: jokers alone)."""
        above = _ABOVE[number] if number < HIGHEST else 0
        jokers = hand >> JOKER_SHIFT
        if not jokers:
            return self._passable(count, hand + _AT_LEAST[count] & above) if above and count <= MAX_SETS else (PASS,)
        moves: tuple[Move, ...] = ()
        if above:
            for used in range(max(0, count - MAX_SETS), min(jokers, count - 1) + 1):
                moves += self._listed(count - used, used, hand + _AT_LEAST[count - used] & above)
        if count <= jokers and (number <= HIGHEST or can_beat_jokers):
            moves += (self._jokers_alone[count - 1].move,)
        return (*moves, PASS)

    def _list_moves(self, naturals: int, jokers: int, mask: Hand) -> tuple[Move, ...]:
        """The moves with this many number cards and jokers, for the numbers whose top bit is in the mask."""
        plays = self._of_shape[naturals, jokers]
        return tuple(play.move for play in plays if mask >> 4 * play.number - 1 & 1)


def holds_play(hand: Hand, play: Play) -> bool:
    """Whether the hand holds the cards of the play."""
    if hand >> JOKER_SHIFT < play.jokers:
        return False
    return play.number == JOKER or hand >> 4 * (play.number - 1) & 15 >= play.naturals
