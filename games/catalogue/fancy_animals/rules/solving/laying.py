"""Turns the solver's integers into melds of cards and clothes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from games.catalogue.fancy_animals.rules.cards import ALL, Tiles, list_ids
from games.catalogue.fancy_animals.rules.clothing import BY_ID
from games.catalogue.fancy_animals.rules.melds import spell_card
from games.catalogue.fancy_animals.rules.solving.model import Cell, Model
from games.catalogue.fancy_animals.rules.solving.problem import Solution


def read_solution(model: Model, values: Sequence[int]) -> Solution:
    """The play that an answer of the model means."""
    outfit = next(outfit for column, outfit in model.outfits.items() if values[column])
    hand = model.problem.hand
    pools: defaultdict[Cell, list[str]] = defaultdict(list)
    played: Tiles = 0
    for (card, suit), column in model.cards.items():
        if values[column]:
            pools[ALL[card].number, suit].append(spell_card(card, suit))
            played |= 1 << card & hand
    for cell, words in _place_wilds(model, values, outfit.wilds).items():
        pools[cell] += words
    own = {spell_card(card, suit) for card in list_ids(played) for suit in ALL[card].suits}
    return Solution(played, outfit.wilds, _lay_melds(model, values, pools, own), outfit.claim, outfit.spot, outfit.gain)


def _lay_melds(
    model: Model, values: Sequence[int], pools: dict[Cell, list[str]], own: set[str]
) -> tuple[tuple[str, ...], ...]:
    """First the run that must come from the hand, then all others; runs that go on in each other are joined."""
    melds: list[tuple[str, ...]] = []
    runs: list[tuple[tuple[Cell, ...], tuple[str, ...]]] = []
    for column, shape in sorted(model.shapes.items(), key=lambda item: not item[1].is_own):
        for _ in range(values[column]):
            words = tuple(_take_word(pools[cell], own if shape.is_own else set()) for cell in shape.cells)
            if shape.is_own or shape.cells[0][0] == shape.cells[1][0]:
                melds.append(words)
            else:
                runs.append((shape.cells, words))
    return (*melds, *_join(runs, model))


def _take_word(pool: list[str], preferred: set[str]) -> str:
    word = next((word for word in pool if word in preferred), pool[0])
    pool.remove(word)
    return word


def _join(runs: list[tuple[tuple[Cell, ...], tuple[str, ...]]], model: Model) -> list[tuple[str, ...]]:
    left = sorted(runs)
    joined = []
    while left:
        cells, words = left.pop(0)
        while following := next((run for run in left if _can_follow(cells, run[0], model)), None):
            left.remove(following)
            cells, words = cells + following[0], words + following[1]
        joined.append(words)
    return joined


def _can_follow(cells: tuple[Cell, ...], more: tuple[Cell, ...], model: Model) -> bool:
    number, suit = cells[-1]
    return more[0] == (number + 1, suit) and model.walk(cells[0][0], suit, len(cells) + len(more)) is not None


def _place_wilds(model: Model, values: Sequence[int], brought: Tiles) -> dict[Cell, list[str]]:
    """Wilds stay where they are as far as the answer has wilds there; the rest goes where some are missing."""
    missing = Counter({cell: values[column] for cell, column in model.wilds.items() if values[column]})
    placed: defaultdict[Cell, list[str]] = defaultdict(list)
    free = [(BY_ID[piece].word, BY_ID[piece].suit) for piece in list_ids(brought)]
    for piece in [piece for meld in model.problem.table for piece in meld.pieces if piece.is_wild]:
        cell = piece.number, piece.suit
        if missing[cell]:
            missing[cell] -= 1
            placed[cell].append(piece.word)
        else:
            free.append((piece.name, piece.suit))
    for name, suit in free:
        cell = next(cell for cell, count in missing.items() if count and cell[1] == suit)
        missing[cell] -= 1
        placed[cell].append(f"{name}:{cell[0]}")
    return placed
