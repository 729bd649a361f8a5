"""Legal moves of a seat: listed, or sampled if there are too many; and the move when its time runs out."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, Final

from games.catalogue.super_zwierzaki.rules import duels, turns, windows
from games.catalogue.super_zwierzaki.rules.kinds import (
    ALL,
    COLOURS,
    MATCHES,
    NONFUNCTIONAL,
    OF_COLOUR,
    WORDS,
    count_cards,
    list_cards,
    list_numbers,
    mask_held,
)
from games.catalogue.super_zwierzaki.rules.moves import may_call
from games.catalogue.super_zwierzaki.rules.state import State
from games.rules.base import IllegalMove, Move, Seat

DRAW: Final = {"draw": True}
ACCEPT: Final = {"accept": True}
DECLINE: Final = {"decline": True}
FOLD: Final = {"fold": True}
CALL: Final = {"call": True}
_COLOURS: Final[tuple[Move, ...]] = (*({"colour": colour} for colour in COLOURS), DECLINE)
_NAMES: Final[tuple[Move, ...]] = tuple({"name": WORDS[kind]} for kind in NONFUNCTIONAL)
_LISTED: Final[Mapping[str, tuple[Move, ...]]] = {"colour": _COLOURS, "name": _NAMES}
_NINE_PROBABILITY: Final = 0.25
"""Probability of playing the nine colours in a sampled turn that allows it; set by hand, so that random games have
both."""


@lru_cache(maxsize=1 << 12)
def _write_play(kind: int, count: int, calls: bool) -> dict[str, Any]:
    """Shared between games: not to be changed."""
    move: dict[str, Any] = {"play": WORDS[kind]}
    if count > 1:
        move["n"] = count
    return {**move, **CALL} if calls else move


@lru_cache(maxsize=64)
def _write_reaction(kind: int, calls: bool) -> dict[str, Any]:
    return {"react": WORDS[kind], **(CALL if calls else {})}


@lru_cache(maxsize=8)
def _list_swaps(seats: int) -> tuple[Move, ...]:
    return tuple({"swap": list(pair)} for pair in combinations(range(seats), 2))


def list_moves(state: State, seat: Seat) -> Sequence[Move] | None:
    """All moves that differ in effect; None where they are too many. Saying it rides where it may come true."""
    phase = state.phase
    if not state.asked >> seat & 1:
        return (CALL,) if may_call(state, seat) else ()
    if phase == "turn":
        return None if turns.has_nine(state, seat) else _with_call(state, seat, _list_turn(state, seat))
    if phase == "reaction" or phase == "win":
        return _with_call(state, seat, _list_reactions(state, seat))
    if phase == "duel":
        return _with_call(state, seat, _list_duel(state, seat))
    if phase == "swap":
        return _with_call(state, seat, _list_swaps(state.terms.seats))
    listed = _LISTED.get(phase)
    return None if listed is None else _with_call(state, seat, listed)


def _with_call(state: State, seat: Seat, moves: Sequence[Move]) -> Sequence[Move]:
    return (*moves, CALL) if may_call(state, seat) else moves


def _list_turn(state: State, seat: Seat) -> list[Move]:
    hand = state.hands[seat]
    playable = mask_held(hand) & turns.mask_playable(state)
    moves: list[Move] = []
    left = count_cards(hand) - 1  # after a play of one card
    while playable:
        low = playable & -playable
        kind = low.bit_length() >> 2
        playable ^= low
        for count in range(1, (hand >> 4 * kind & 15) + 1):
            moves.append(_write_play(kind, count, False))
            if left + 1 - count == 1:
                moves.append(_write_play(kind, count, True))
    if state.red:
        moves.append(ACCEPT)
    elif not (state.orc or state.stop):
        moves.append(DRAW)
    elif not moves:
        moves.append(ACCEPT)
    return moves


def _list_reactions(state: State, seat: Seat) -> Sequence[Move]:
    hand = state.hands[seat]
    playable = mask_held(hand) & windows.mask_reactions(state)
    if not playable:
        return (DECLINE,)
    moves: list[Move] = [DECLINE]
    for kind in list_numbers(playable):
        moves.append(_write_reaction(kind, False))
        if count_cards(hand) == 2:
            moves.append(_write_reaction(kind, True))
    return moves


def _list_duel(state: State, seat: Seat) -> Sequence[Move]:
    assert state.duel is not None  # noqa: S101 - the phase says so
    hand = state.hands[seat]
    moves: list[Move] = [FOLD]
    for kind in list_numbers(mask_held(hand) & duels.mask_answers(state.duel)):
        moves.append(_write_play(kind, 1, False))
        if count_cards(hand) == 2:
            moves.append(_write_play(kind, 1, True))
    return moves


def list_playable(state: State, seat: Seat) -> dict[str, int]:
    """What the seat may play, throw in or answer with now, if it is asked: kind word → most copies."""
    if not state.asked >> seat & 1:
        return {}
    hand = state.hands[seat]
    if state.phase == "turn":
        return {
            WORDS[kind]: hand >> 4 * kind & 15 for kind in list_numbers(mask_held(hand) & turns.mask_playable(state))
        }
    if state.phase == "reaction" or state.phase == "win":
        mask = windows.mask_reactions(state)
    elif state.phase == "duel" and state.duel is not None:
        mask = duels.mask_answers(state.duel)
    else:
        return {}
    return {WORDS[kind]: 1 for kind in list_numbers(mask_held(hand) & mask)}


def sample_move(state: State, seat: Seat, rng: random.Random) -> Move:
    """One legal move: of those that are listed, or a made-up choice of cards, players, a permutation."""
    moves = list_moves(state, seat)
    if moves is not None:
        if not moves:
            raise IllegalMove("It is not your turn.")
        return moves[int(rng.random() * len(moves))]
    if state.phase == "turn":
        if rng.random() < _NINE_PROBABILITY:
            return sample_nine(state, seat, rng)
        listed = _with_call(state, seat, _list_turn(state, seat))
        return listed[int(rng.random() * len(listed))]
    move = _sample_choice(state, seat, rng)
    return {**move, **CALL} if "decline" not in move and rng.random() < 0.5 and _leaves_one_card(state, seat) else move


def _leaves_one_card(state: State, seat: Seat) -> bool:
    return count_cards(state.hands[seat]) - state.need == 1


def _sample_choice(state: State, seat: Seat, rng: random.Random) -> dict[str, Any]:
    if state.phase == "sigma":
        giver, taker = rng.sample(range(state.terms.seats), 2)
        return {"sigma": rng.sample(range(state.terms.seats), state.terms.seats), "from": giver, "to": taker}
    is_nine = state.play is not None and bool(state.play.nine)
    if not is_nine and rng.random() < 0.25:
        return {"decline": True}
    some = [WORDS[kind] for kind in sorted(rng.sample(list_cards(state.hands[seat]), state.need))]
    if state.phase == "discard":
        return {"discard": some}
    return {"give": some, "to": rng.choice([other for other in range(state.terms.seats) if other != seat])}


def sample_nine(state: State, seat: Seat, rng: random.Random) -> dict[str, Any]:
    """Nine cards, one of each colour, the first of which matches."""
    kinds = mask_held(state.hands[seat])
    first = rng.choice(list_numbers(kinds & MATCHES[state.colour, state.group] & ~ALL))
    colours = [mask for mask in OF_COLOUR.values() if not mask >> 4 * first & 1]
    rest = [rng.choice(list_numbers(kinds & mask)) for mask in rng.sample(colours, len(colours))]
    calls = CALL if count_cards(state.hands[seat]) == len(COLOURS) + 1 else {}
    return {"nine": [WORDS[kind] for kind in (first, *rest)], **calls}


def choose_default(state: State, seat: Seat) -> Move:
    """The move for this seat when the time of its turn, choice or duel decision runs out. Source: *Time*."""
    phase = state.phase
    if phase == "turn":
        return _choose_default_turn(state, seat)
    if phase == "duel":
        return FOLD
    if phase == "name":
        return _NAMES[0]
    if phase == "swap":
        return {"swap": [0, 1]}
    if phase == "sigma":
        return {"sigma": list(range(state.terms.seats)), "from": 0, "to": 1}
    if phase == "give" and state.play is not None and state.play.nine:
        lowest = list_cards(state.hands[seat])[: state.need]
        return {"give": [WORDS[kind] for kind in lowest], "to": 0 if seat else 1}
    return DECLINE


def _choose_default_turn(state: State, seat: Seat) -> Move:
    if turns.is_obliged(state, seat):
        return _write_play(list_numbers(mask_held(state.hands[seat]) & turns.mask_playable(state))[0], 1, False)
    return ACCEPT if state.red or state.orc or state.stop else DRAW
