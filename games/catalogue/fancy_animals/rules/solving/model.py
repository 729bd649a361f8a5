"""The integer program of a rearrangement.

A cell is a number in a suit. Variables say which suit each card counts as, how many wilds of a suit stand for which
number, how many melds of each shape there are, and how the animal is dressed afterwards. What a cell holds is what
melds take from it. Runs of 3 to 5 are enough (a longer one is several), but for one that pays for clothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

from games.catalogue.fancy_animals.rules.cards import ALL, CARDS, FITTING, SUITS, Tiles, list_ids
from games.catalogue.fancy_animals.rules.clothing import BY_ID
from games.catalogue.fancy_animals.rules.melds import MAX_SET, MIN_MELD
from games.catalogue.fancy_animals.rules.solving.problem import Outfit, Problem
from games.catalogue.fancy_animals.rules.solving.program import Column, Program

Cell: TypeAlias = tuple[int, int]
"""A number and a suit."""

_SHORTEST_TWICE: Final = 2 * MIN_MELD
_MAX_ALIKE: Final = 8
"""Melds of the same shape on one table, at most."""
_PLAYED: Final = -3
_KEPT: Final = 1
"""What a card from the hand, and one that keeps its suit, is worth."""


class Shape(NamedTuple):
    """Melds that take one piece from each of these cells. is_own: a run laid from the hand, to stay apart (`mix`)."""

    cells: tuple[Cell, ...]
    is_own: bool = False


class Model:
    """The program for one problem, and what its variables stand for.

    outfits: the ways to dress that are looked at; is_mixed: clothing is paid for by two runs together, as the rule
    `mix` has it, and otherwise by one. Where several tables will do, one is preferred on which few cards are played
    and most keep their suit; that is also what leads the search quickly to an answer.
    """

    def __init__(self, problem: Problem, outfits: Sequence[Outfit], *, is_mixed: bool = False) -> None:
        self.problem = problem
        self.program = Program()
        self.cards: dict[tuple[int, int], Column] = {}
        self.wilds: dict[Cell, Column] = {}
        self.shapes: dict[Column, Shape] = {}
        self.outfits: dict[Column, Outfit] = {}
        self.hopeless: set[Column] = set()
        self._covering: defaultdict[Cell, list[Column]] = defaultdict(list)
        self._held: defaultdict[Cell, list[Column]] = defaultdict(list)
        self._add_cards()
        self._add_outfits(outfits)
        self._add_wilds()
        self._add_melds()
        self._add_claims(is_mixed)
        self._balance()

    @cached_property
    def table(self) -> Tiles:
        """The cards on the table."""
        return sum(meld.tiles for meld in self.problem.table) & ((1 << CARDS) - 1)

    # What there is

    def _add_cards(self) -> None:
        lying = {(piece.id, piece.suit) for meld in self.problem.table for piece in meld.pieces}
        played: dict[Column, int] = {}
        for card in list_ids(self.table | self.problem.hand):
            is_mine = bool(self.problem.hand >> card & 1)
            columns = []
            for suit in ALL[card].suits:
                column = self.program.add_column(1, _PLAYED if is_mine else _KEPT * ((card, suit) in lying))
                columns.append(column)
                self.cards[card, suit] = column
                self._held[ALL[card].number, suit].append(column)
            self.program.add_row(dict.fromkeys(columns, 1), 0 if is_mine else 1, 1)
            if is_mine:
                played |= dict.fromkeys(columns, 1)
        self.program.add_row(played, 1)

    def _add_outfits(self, outfits: Sequence[Outfit]) -> None:
        for outfit in outfits:
            self.outfits[self.program.add_column(1)] = outfit
        self.program.add_row(dict.fromkeys(self.outfits, 1), 1, 1)

    def _add_wilds(self) -> None:
        """Wilds of a suit are alike; a number that some of them meant must be held by as many pieces as before."""
        lying = [piece for meld in self.problem.table for piece in meld.pieces if piece.is_wild]
        homes = Counter((piece.number, piece.suit) for piece in lying)
        by_suit = Counter(piece.suit for piece in lying)
        for suit in range(len(SUITS)):
            brought = {column: _count_wilds(outfit.wilds, suit) for column, outfit in self.outfits.items()}
            if not by_suit[suit] and not any(brought.values()):
                continue
            placed = {}
            for number in range(1, self.problem.top + 1):
                column = self.program.add_column(_MAX_ALIKE)
                self.wilds[number, suit] = column
                self._held[number, suit].append(column)
                placed[column] = 1
            self.program.add_row(
                placed | {column: -count for column, count in brought.items() if count}, by_suit[suit], by_suit[suit]
            )
        for cell, count in homes.items():
            self.program.add_row(dict.fromkeys(self._held[cell], 1), count)

    # What may lie there

    def _add_melds(self) -> None:
        for number in range(1, self.problem.top + 1):
            suits = [suit for suit in range(len(SUITS)) if self._held[number, suit]]
            for size in (MIN_MELD, MAX_SET):
                for chosen in combinations(suits, size):
                    self._add_shape([(number, suit) for suit in chosen], _MAX_ALIKE)
        for suit in range(len(SUITS)):
            for length in range(MIN_MELD, _SHORTEST_TWICE):
                for cells in self._list_runs(suit, length):
                    self._add_shape(cells, _MAX_ALIKE)

    def _add_shape(self, cells: Iterable[Cell], most: int, *, is_own: bool = False) -> Column:
        column = self.program.add_column(most)
        self.shapes[column] = Shape(tuple(cells), is_own)
        for cell in self.shapes[column].cells:
            self._covering[cell].append(column)
        return column

    def _list_runs(self, suit: int, length: int) -> Iterator[list[Cell]]:
        """The runs of this length for which every cell could be held."""
        for start in range(1, self.problem.top + 1):
            cells = self.walk(start, suit, length)
            if cells is not None and all(self._held[cell] for cell in cells):
                yield cells

    def walk(self, start: int, suit: int, length: int) -> list[Cell] | None:
        """A number of cells upwards from one; None if they would pass the top number, or go round more than once."""
        top = self.problem.top
        if length > top or (start + length - 1 > top and not self.problem.loop):
            return None
        return [((start + step - 1) % top + 1, suit) for step in range(length)]

    # What pays

    def _add_claims(self, is_mixed: bool) -> None:
        wanted = {_key_of(outfit) for outfit in self.outfits.values() if outfit.claim is not None}
        paying = self._add_mixed(wanted) if is_mixed else {key: self._add_paying(*key) for key in wanted}
        for column, outfit in self.outfits.items():
            if outfit.claim is not None:
                ways = paying.get(_key_of(outfit), [])
                self.program.add_row({column: -1} | dict.fromkeys(ways, 1), 0)
                if not ways:
                    self.hopeless.add(column)

    def _add_paying(self, suit: int, length: int) -> list[Column]:
        """Runs that are long enough; of one that is longer by three or more, three can be a run of their own."""
        return [
            self._add_shape(cells, 1)
            for longer in range(length, length + MIN_MELD)
            for cells in self._list_runs(suit, longer)
        ]

    def _add_mixed(self, wanted: set[tuple[int, int]]) -> dict[tuple[int, int], list[Column]]:
        """By material and length, what pays with `mix`: a run from the hand and a stretch that adjoins it."""
        lengths = sorted({length for _, length in wanted})
        own = self._add_own_runs()
        mixed: defaultdict[tuple[int, int], list[Column]] = defaultdict(list)
        neighbours: dict[tuple[Cell, ...], Column] = {}
        for column, cells in own.items():
            for length in lengths:
                for suit in range(len(SUITS)):
                    keys = {(cells[0][1], length), (suit, length)} & wanted
                    if suit == cells[0][1] or not keys or not 0 < length - len(cells) <= self.problem.top - len(cells):
                        continue
                    for stretch in self._list_extensions(cells, suit, length - len(cells)):
                        pair = self._add_pair(column, stretch, neighbours)
                        if pair is not None:
                            for key in keys:
                                mixed[key].append(pair)
        return mixed

    def _add_own_runs(self) -> dict[Column, tuple[Cell, ...]]:
        """Runs that can be laid entirely from the hand; each takes its cards there."""
        hand = self.problem.hand
        own: dict[Column, tuple[Cell, ...]] = {}
        for suit in range(len(SUITS)):
            for length in range(MIN_MELD, self.problem.top + 1):
                for cells in self._list_runs(suit, length):
                    if all(FITTING[number][suit] & hand for number, _ in cells):
                        own[self._add_shape(cells, 1, is_own=True)] = tuple(cells)
        if own:
            self.program.add_row(dict.fromkeys(own, 1), 0, 1)
        for number, suit in {cell for cells in own.values() for cell in cells}:
            taking = {column: -1 for column, cells in own.items() if (number, suit) in cells}
            mine = [self.cards[card, suit] for card in list_ids(FITTING[number][suit] & hand)]
            self.program.add_row(taking | dict.fromkeys(mine, 1), 0)
        return own

    def _list_extensions(self, own: tuple[Cell, ...], suit: int, length: int) -> Iterator[list[Cell]]:
        """The cells above and below the run that would make it longer by so many."""
        top = self.problem.top
        above, below = own[-1][0] + 1, own[0][0] - length
        for start in (above, below):
            if self.problem.loop:
                start = (start - 1) % top + 1
            elif not 0 < start <= top:
                continue
            cells = self.walk(start, suit, length)
            if cells is not None and all(self._held[cell] for cell in cells):
                yield cells

    def _add_pair(self, own: Column, stretch: list[Cell], neighbours: dict[tuple[Cell, ...], Column]) -> Column | None:
        """Both together: the run from the hand, and one run that holds the stretch.

        One that is longer than the stretch by five or more can do without three at one of its ends.
        """
        holding = []
        for longer in range(_SHORTEST_TWICE - 1):
            for before in range(longer + 1):
                length = len(stretch) + longer
                start = stretch[0][0] - before
                if self.problem.loop:
                    start = (start - 1) % self.problem.top + 1
                cells = self.walk(start, stretch[0][1], length) if start > 0 and length >= MIN_MELD else None
                if cells is not None and all(self._held[cell] for cell in cells):
                    key = tuple(cells)
                    if key not in neighbours:
                        neighbours[key] = self._add_shape(cells, 1)
                    holding.append(neighbours[key])
        if not holding:
            return None
        pair = self.program.add_column(1)
        self.program.add_row({own: 1, pair: -1}, 0)
        self.program.add_row(dict.fromkeys(holding, 1) | {pair: -1}, 0)
        return pair

    def _balance(self) -> None:
        """Melds take from each cell what it holds."""
        for cell in {*self._held, *self._covering}:
            holding, taking = self._held[cell], self._covering[cell]
            if holding or taking:
                self.program.add_row(dict.fromkeys(holding, 1) | dict.fromkeys(taking, -1), 0, 0)


def _key_of(outfit: Outfit) -> tuple[int, int]:
    """Material and run length of what is taken."""
    piece = BY_ID[outfit.claim or 0]
    return piece.suit, piece.length


def _count_wilds(wilds: Tiles, suit: int) -> int:
    return sum(BY_ID[piece].suit == suit for piece in list_ids(wilds))
