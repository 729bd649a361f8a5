"""One legal move by chance, of any kind: drawing, passing, activating, laying, adding, rebuilding, wilds, claims.

Moves are too many to list, so this is no uniform draw: first a kind of move, then one of that kind.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from games.rules.base import Move
from games.rules.fancy_animals.cards import ALL, CARDS, FITTING, SUITS, Tiles, list_ids
from games.rules.fancy_animals.claims import RULES, find_reach, list_offer, list_spots, take_off
from games.rules.fancy_animals.clothing import BY_ID, SLOTS
from games.rules.fancy_animals.melds import LEAST, MOST_IN_SET, Meld, read_meld
from games.rules.fancy_animals.rebuild import rebuild
from games.rules.fancy_animals.scoring import Worn
from games.rules.fancy_animals.state import State, can_draw

_IDLE: Final = 0.3
_ACTIVATE: Final = 0.12
_CLAIM: Final = 0.8
_RETURN: Final = 0.3
_MOST_POOLED: Final = 2
"""Melds that are taken apart at once."""

Words: TypeAlias = tuple[str, ...]


class Draft(NamedTuple):
    """A new table. taken: melds of the old one that are gone; laid: the words of new ones."""

    cards: Tiles
    taken: tuple[Meld, ...]
    laid: tuple[Words, ...]
    wilds: Tiles = 0


def sample_move(state: State, rng: random.Random) -> Move:
    """A legal move of the seat to act."""
    idle = {"draw": True} if can_draw(state, state.turn) else {"pass": True}
    kind = rng.random()
    if kind < _IDLE or not state.hands[state.turn]:
        return idle
    if kind < _IDLE + _ACTIVATE and (words := _find_set(state, rng)):
        return _finish_activation(state, words, rng)
    first = int(rng.random() * len(_SKETCHES))
    for sketch in _SKETCHES[first:] + _SKETCHES[:first]:
        draft = sketch(state, rng)
        if draft is not None:
            return _finish_play(state, draft, rng)
    return idle


def _word(card: int, suit: int) -> str:
    return f"{ALL[card].word}:{SUITS[suit]}"


def _hand(state: State, rng: random.Random) -> tuple[int, ...]:
    """The hand from any card on, and round to it again: a shuffle would cost more than the move."""
    hand = list_ids(state.hands[state.turn])
    first = int(rng.random() * len(hand))
    return hand[first:] + hand[:first]


# Ways to make a table


def _lay_set(state: State, rng: random.Random) -> Draft | None:
    words = _find_set(state, rng)
    return Draft(_tiles(words, state), (), (words,)) if words else None


def _tiles(words: Words, state: State) -> Tiles:
    return read_meld(words, state.top, state.loop).tiles


def _find_set(state: State, rng: random.Random) -> Words | None:
    by_number: dict[int, list[int]] = {}
    for card in _hand(state, rng):
        by_number.setdefault(ALL[card].number, []).append(card)
    for same in by_number.values():
        if len(same) >= LEAST:
            words = _assign(same[: MOST_IN_SET - (rng.random() < 0.5)], 0) or _assign(same[:LEAST], 0)
            if words:
                return words
    return None


def _assign(same: Sequence[int], used: int) -> Words | None:
    """Cards of one number with different suits, if they have them; used: the suits that are taken."""
    if not same:
        return ()
    for suit in ALL[same[0]].suits:
        if not used >> suit & 1 and (rest := _assign(same[1:], used | 1 << suit)) is not None:
            return (_word(same[0], suit), *rest)
    return None


def _lay_run(state: State, rng: random.Random) -> Draft | None:
    """A run from the hand, a piece of clothing in it now and then."""
    hand = _hand(state, rng)
    for suit in rng.sample(range(len(SUITS)), len(SUITS)):
        own = {ALL[card].number: card for card in hand if suit in ALL[card].suits}
        wild = _pick_wild(state, suit) if rng.random() < 0.5 else None
        if len(own) < LEAST - (wild is not None):
            continue
        words = {number: _word(card, suit) for number, card in own.items()}
        for start in own:
            run = _walk(start, words, wild, state)
            if len(run) >= LEAST:
                return _cut_run(run, own, wild, rng)
    return None


def _walk(start: int, words: dict[int, str], wild: int | None, state: State) -> dict[int, str]:
    run: dict[int, str] = {}
    number, top, loop = start, state.top, state.loop
    while number not in run and len(run) < top:
        if number in words:
            run[number] = words[number]
        elif wild is not None and number <= top:
            run[number] = f"{BY_ID[wild].word}:{number}"
            wild = None
        else:
            break
        number = number % top + 1 if loop else number + 1
    return run


def _cut_run(run: dict[int, str], own: dict[int, int], wild: int | None, rng: random.Random) -> Draft:
    length = rng.randint(LEAST, len(run))
    numbers = list(run)[:length]
    cards = sum(1 << own[number] for number in numbers if number in own and run[number].count("-") == 0)
    used = wild is not None and any("-" in run[number] for number in numbers)
    return Draft(cards, (), (tuple(run[number] for number in numbers),), 1 << wild if used and wild is not None else 0)


def _pick_wild(state: State, suit: int) -> int | None:
    tops = [pile[-1] for pile in state.worn[state.turn] if pile and BY_ID[pile[-1]].suit == suit]
    return tops[0] if tops else None


def _add(state: State, rng: random.Random) -> Draft | None:
    """A card at the end of a run, or to a set of three."""
    hand, table = state.hands[state.turn], state.table
    top, loop = state.top, state.loop
    first = int(rng.random() * len(table))
    for meld in (*table[first:], *table[:first]):
        found = _extend_run(meld, hand, top, loop) if meld.is_run else _extend_set(meld, hand)
        if found is not None:
            return Draft(1 << found[0], (meld,), (found[1],))
    return None


def _extend_run(meld: Meld, hand: Tiles, top: int, loop: bool) -> tuple[int, Words] | None:
    if len(meld.words) == top:
        return None
    before, after = meld.pieces[0].number - 1, meld.pieces[-1].number + 1
    if loop:
        before, after = before or top, after if after <= top else 1
    fits = FITTING[after][meld.suit] & hand
    if fits:
        card = list_ids(fits)[0]
        return card, (*meld.words, _word(card, meld.suit))
    fits = FITTING[before][meld.suit] & hand
    if fits:
        card = list_ids(fits)[0]
        return card, (_word(card, meld.suit), *meld.words)
    return None


def _extend_set(meld: Meld, hand: Tiles) -> tuple[int, Words] | None:
    if len(meld.words) == MOST_IN_SET:
        return None
    free = next(suit for suit in range(len(SUITS)) if all(piece.suit != suit for piece in meld.pieces))
    fits = FITTING[meld.pieces[0].number][free] & hand
    if not fits:
        return None
    card = list_ids(fits)[0]
    return card, (*meld.words, _word(card, free))


def _after(number: int, state: State) -> int:
    return number % state.top + 1 if state.loop else number + 1


def _dress_table(state: State, rng: random.Random) -> Draft | None:
    """A card that makes a run longer, and clothing after it."""
    draft = _add(state, rng)
    if draft is None:
        return None
    meld = read_meld(draft.laid[0], state.top, state.loop)
    wild = _pick_wild(state, meld.suit) if meld.is_run else None
    following = _after(meld.pieces[-1].number, state)
    if wild is None or following > state.top or len(meld.words) == state.top:
        return draft
    return draft._replace(laid=((*meld.words, f"{BY_ID[wild].word}:{following}"),), wilds=1 << wild)


def _replace_wild(state: State, rng: random.Random) -> Draft | None:
    """A card in the place of a wild, which goes to the end of that or another run."""
    if not state.tiles >> CARDS:
        return None
    hand = state.hands[state.turn]
    for meld in state.table:
        if not meld.tiles >> CARDS:
            continue
        for at, piece in enumerate(meld.pieces):
            fits = FITTING[piece.number][piece.suit] & hand if piece.is_wild else 0
            if fits:
                card = list_ids(fits)[int(rng.random() * fits.bit_count())]
                words = (*meld.words[:at], _word(card, piece.suit), *meld.words[at + 1 :])
                draft = _place_wild(state, meld, words, piece.name, piece.suit)
                if draft is not None:
                    return draft._replace(cards=1 << card)
    return None


def _place_wild(state: State, meld: Meld, words: Words, name: str, suit: int) -> Draft | None:
    changed = read_meld(words, state.top, state.loop)
    for target in (changed, *(other for other in state.table if other is not meld)):
        following = _after(target.pieces[-1].number, state)
        if target.suit == suit and following <= state.top and len(target.words) < state.top:
            longer = (*target.words, f"{name}:{following}")
            if target is changed:
                return Draft(0, (meld,), (longer,))
            return Draft(0, (meld, target), (words, longer))
    return None


def _rebuild(state: State, rng: random.Random) -> Draft | None:
    """Some melds taken apart and put together otherwise, with cards from the hand."""
    plain = [meld for meld in state.table if not meld.tiles >> CARDS]
    if not plain:
        return None
    taken = rng.sample(plain, min(len(plain), rng.randint(1, _MOST_POOLED)))
    old = sum(meld.tiles for meld in taken)
    laid = rebuild(list_ids(old), _hand(state, rng), rng)
    if laid is None:
        return None
    tiles = sum(_tiles(words, state) for words in laid)
    return Draft(tiles & ~old, tuple(taken), laid)


_SKETCHES: Final[tuple[Callable[[State, random.Random], Draft | None], ...]] = (
    _lay_set,
    _lay_run,
    _add,
    _dress_table,
    _replace_wild,
    _rebuild,
)


# What else belongs to the move


def _finish_activation(state: State, words: Words, rng: random.Random) -> Move:
    off = [rule for rule in RULES if rule not in state.active]
    if not off:
        draft = Draft(_tiles(words, state), (), (words,))
        return _finish_play(state, draft, rng)
    rule = rng.choice(off)
    move: dict[str, object] = {"activate": rule, "set": list(words)}
    if rule == "return" or "return" in state.active:
        _maybe_return(state, move, rng)
    return move


def _finish_play(state: State, draft: Draft, rng: random.Random) -> Move:
    left = [meld for meld in state.table if meld not in draft.taken]
    laid = [read_meld(words, state.top, state.loop) for words in draft.laid]
    move: dict[str, object] = {
        "play": [ALL[card].word for card in list_ids(draft.cards)],
        "table": [list(meld.words) for meld in (*left, *laid)],
    }
    if draft.wilds:
        move["wilds"] = [BY_ID[piece].word for piece in list_ids(draft.wilds)]
    worn = take_off(state.worn[state.turn], draft.wilds)
    paid = _list_paid(state, [*left, *laid], draft.cards)
    if worn is not None and paid and rng.random() < _CLAIM:
        _claim(state, worn, rng.choice(paid), move, rng)
    if "claim" not in move and "return" in state.active:
        _maybe_return(state, move, rng)
    return move


def _list_paid(state: State, melds: Sequence[Meld], played: Tiles) -> list[int]:
    reach = find_reach(melds, played, top=state.top, active=state.active)
    return [piece for piece in list_offer(state.clothing) if BY_ID[piece].length <= reach[BY_ID[piece].suit]]


def _claim(state: State, worn: Worn, piece: int, move: dict[str, object], rng: random.Random) -> None:
    spots = list_spots(piece, worn, state.active)
    if spots:
        move |= {"claim": BY_ID[piece].word, "spot": SLOTS[rng.choice(spots)]}


def _maybe_return(state: State, move: dict[str, object], rng: random.Random) -> None:
    offer = list_offer(state.clothing)
    if offer and rng.random() < _RETURN:
        move["return"] = BY_ID[rng.choice(offer)].word
