"""Finds every legal play of a small position by brute force, independently of the solver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from games.catalogue.fancy_animals.rules.cards import ALL, CARDS, SUITS, list_ids
from games.catalogue.fancy_animals.rules.claims import list_offer
from games.catalogue.fancy_animals.rules.clothing import BY_ID, SLOTS
from games.catalogue.fancy_animals.rules.state import State
from games.rules.base import IllegalMove
from tests.catalogue.fancy_animals.rules.playing import FANCY

Words = tuple[str, ...]


def find_best_gain(state: State) -> int | None:
    """Most points that a play can gain for the seat to act; None if there is no legal play."""
    seat = state.turn
    before = FANCY.expected(state)["scores"][seat]
    gains = [FANCY.expected(after)["scores"][seat] - before for after in _list_plays(state)]
    return max(gains, default=None)


def _list_plays(state: State) -> Iterator[State]:
    hand = list_ids(state.hands[state.turn])
    worn = [piece for pile in state.worn[state.turn] for piece in pile]
    table = list_ids(state.tiles)
    melds = _list_melds((*table, *hand, *worn), state)
    claims = [{}, *_list_claims(state)]
    for laid in _cover(frozenset(table), melds):
        used = {tile for tiles, _ in laid for tile in tiles}
        move = {
            "play": [ALL[card].word for card in hand if card in used],
            "table": [list(words) for _, words in laid],
            "wilds": [BY_ID[piece].word for piece in worn if piece in used],
        }
        for claim in claims:
            try:
                yield FANCY.apply(state, state.turn, {**move, **claim})[0]
            except IllegalMove:
                continue


def _list_claims(state: State) -> list[dict[str, str]]:
    return [{"claim": BY_ID[piece].word, "spot": spot} for piece in list_offer(state.clothing) for spot in SLOTS]


def _list_melds(tiles: Sequence[int], state: State) -> list[tuple[frozenset[int], Words]]:
    """Everything that can be made of these tiles, each meld once."""
    top = state.top
    by_cell: dict[tuple[int, int], list[tuple[int, str]]] = {}
    for tile in tiles:
        for number, suit, word in _meanings(tile, top):
            by_cell.setdefault((number, suit), []).append((tile, word))
    shapes = [
        [(number, suit) for suit in suits]
        for number in range(1, top + 1)
        for size in (3, 4)
        for suits in combinations(range(4), size)
    ]
    shapes += [
        [((start + step - 1) % top + 1, suit) for step in range(length)]
        for suit in range(4)
        for start in range(1, top + 1)
        for length in range(3, top + 1)
        if state.loop or start + length - 1 <= top
    ]
    found: dict[frozenset[str], tuple[frozenset[int], Words]] = {}
    for shape in shapes:
        for pieces in product(*(by_cell.get(cell, []) for cell in shape)):
            chosen = frozenset(tile for tile, _ in pieces)
            if len(chosen) == len(shape):
                found.setdefault(frozenset(word for _, word in pieces), (chosen, tuple(word for _, word in pieces)))
    return list(found.values())


def _meanings(tile: int, top: int) -> list[tuple[int, int, str]]:
    if tile < CARDS:
        card = ALL[tile]
        return [(card.number, suit, f"{card.word}:{SUITS[suit]}") for suit in card.suits]
    piece = BY_ID[tile]
    return [(number, piece.suit, f"{piece.word}:{number}") for number in range(1, top + 1)]


def _cover(
    must: frozenset[int], melds: Sequence[tuple[frozenset[int], Words]]
) -> Iterator[list[tuple[frozenset[int], Words]]]:
    """All choices of melds without a common tile that hold what must lie there."""
    if not melds:
        if not must:
            yield []
        return
    (tiles, words), rest = melds[0], melds[1:]
    apart = [meld for meld in rest if not meld[0] & tiles]
    for laid in _cover(must - tiles, apart):
        yield [(tiles, words), *laid]
    if must <= frozenset().union(*(other for other, _ in rest)):
        yield from _cover(must, rest)
