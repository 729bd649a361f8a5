"""Parses moves: any JSON value becomes an action, or raises IllegalMove. Source: *Notation*."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from games.catalogue.super_zwierzaki.rules import duels, effects, turns, windows
from games.catalogue.super_zwierzaki.rules.kinds import (
    COLOURS,
    CYR,
    DZI,
    FUNCTIONS,
    KINDS,
    NUMBERS,
    ONE,
    Hand,
    count_kind,
    mask_held,
    pack_hand,
)
from games.catalogue.super_zwierzaki.rules.state import Draft, State
from games.catalogue.super_zwierzaki.rules.turn_end import is_single
from games.rules.base import IllegalMove, Move, Seat, quote

Handler: TypeAlias = Callable[[Draft, Seat, Any], None]


class ReadMove(NamedTuple):
    """A move that is allowed. do: what it does, with `what`; None if it only says "Codziennie niskie ceny!"."""

    do: Handler | None
    what: Any
    calls: bool


CALL: Final = ReadMove(None, None, calls=True)
MAX_COPIES: Final = 5


def read_move(state: State, seat: Seat, move: Any) -> ReadMove:
    """What the move does. Raises IllegalMove if this seat may not make it now."""
    if not isinstance(move, Mapping):
        raise IllegalMove("A move must be a JSON object.")
    if state.phase == "over":
        raise IllegalMove("The game is over.")
    if "call" in move:
        if move["call"] is not True:
            raise IllegalMove("To call, set “call” to true.")
        if len(move) == 1:
            return _read_call(state, seat)
    if type(seat) is not int or seat not in range(state.terms.seats):
        raise IllegalMove("There is no seat %(seat)s.", seat=quote(str(seat)))
    if not state.asked >> seat & 1:
        raise IllegalMove("It is not your turn.")
    verbs = _VERBS_BY_PHASE[state.phase]
    for verb in verbs:
        if verb in move:
            return _read_verb(state, seat, verb, move)
    raise IllegalMove("This move is not possible now.")


def _read_call(state: State, seat: Seat) -> ReadMove:
    if type(seat) is not int or seat not in range(state.terms.seats):
        raise IllegalMove("There is no seat %(seat)s.", seat=quote(str(seat)))
    if not may_call(state, seat):
        raise IllegalMove("You can only say it when you have come down to one card.")
    return CALL


def may_call(state: State, seat: Seat) -> bool:
    """Whether saying it alone is allowed: it is owed, or this is the way down to one card."""
    return is_single(state.hands[seat]) and bool(state.owing[seat] or state.more >> seat & 1)


def _read_verb(state: State, seat: Seat, verb: str, move: Move) -> ReadMove:
    extra, rides, reader, do = _MOVES[verb]
    rides = rides or (verb == "decline" and state.phase not in ("reaction", "win"))
    for key in move:
        if key != verb and key not in extra and not (key == "call" and rides):
            raise IllegalMove("“%(key)s” does not belong to this move.", key=quote(key))
    return ReadMove(do or _HANDLERS[state.phase, verb], reader(state, seat, move), "call" in move)


def _make_flag_reader(verb: str) -> Callable[[State, Seat, Move], None]:
    def read_flag(state: State, seat: Seat, move: Move) -> None:
        if move[verb] is not True:
            raise IllegalMove("“%(verb)s” must be true.", verb=verb)
        if verb in _FLAG_CHECKS:
            _FLAG_CHECKS[verb](state, seat)

    return read_flag


def _check_draw(state: State, seat: Seat) -> None:
    if state.red or state.orc or state.stop:
        raise IllegalMove("You cannot draw now. Play a card that changes the points, or accept them.")


def _check_accept(state: State, seat: Seat) -> None:
    if not (state.red or state.orc or state.stop):
        raise IllegalMove("There are no points to accept.")
    if turns.is_obliged(state, seat):
        raise IllegalMove("You have a card that changes the points, so you must play it.")


def _check_decline(state: State, seat: Seat) -> None:
    is_nine = state.play is not None and bool(state.play.nine) and state.phase == "give"
    if state.phase in ("name", "swap", "sigma") or is_nine:
        raise IllegalMove("This choice cannot be declined.")


_FLAG_CHECKS: Final = {"draw": _check_draw, "accept": _check_accept, "decline": _check_decline}


def _read_kind(word: Any) -> int:
    number = NUMBERS.get(word) if isinstance(word, str) else None
    if number is None:
        raise IllegalMove("“%(card)s” is not a card of this game.", card=quote(word))
    return number


def _read_play(state: State, seat: Seat, move: Move) -> tuple[int, int] | int:
    kind, count = _read_kind(move["play"]), move.get("n", 1)
    if state.phase == "duel":
        return _read_duel(state, seat, kind, "n" in move)
    if type(count) is not int or not 1 <= count <= MAX_COPIES:
        raise IllegalMove("“n” must be the number of cards, from 1 to %(most)s.", most=MAX_COPIES)
    if count_kind(state.hands[seat], kind) < count:
        raise IllegalMove("You do not have that many of this card.")
    if not turns.mask_playable(state) & ONE[kind]:
        raise _explain(state)
    return kind, count


def _explain(state: State) -> IllegalMove:
    if state.demand:
        return IllegalMove("You can only play the demanded animal, another Demand or a Veto now.")
    if state.red or state.orc or state.stop:
        return IllegalMove("This card does not change the points on the table, or it does not match.")
    return IllegalMove("A card must match the given colour or the given class.")


def _read_duel(state: State, seat: Seat, kind: int, has_count: bool) -> int:
    if has_count:
        raise IllegalMove("In a duel you play one card, without “n”.")
    if not mask_held(state.hands[seat]) & ONE[kind]:
        raise IllegalMove("You do not have this card.")
    assert state.duel is not None  # noqa: S101 - the phase says so
    if not duels.mask_answers(state.duel) & ONE[kind]:
        raise IllegalMove("This card does not change the points of this duel.")
    return kind


def _read_nine(state: State, seat: Seat, move: Move) -> tuple[int, ...]:
    kinds = tuple(_read_kind(word) for word in _read_list(move["nine"], "nine"))
    if sorted(KINDS[kind].colour for kind in kinds) != list(COLOURS):
        raise IllegalMove("The nine colours must be nine cards, one of each colour.")
    if not all(mask_held(state.hands[seat]) & ONE[kind] for kind in kinds):
        raise IllegalMove("You do not have all of these cards.")
    if state.red or state.orc or state.stop or state.demand:
        raise IllegalMove("You cannot play the nine colours while there are points on the table.")
    first = KINDS[kinds[0]]
    if state.colour not in (first.colour, "ALL") and state.group not in (first.group, "all"):
        raise IllegalMove("The first of the nine cards must match the given colour or the given class.")
    return kinds


def _read_list(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list | tuple) or len(value) > sum(kind.copies for kind in KINDS.values()):
        raise IllegalMove("“%(name)s” must be a list.", name=name)
    return list(value)


def _read_hand(state: State, seat: Seat, value: Any, name: str) -> Hand:
    kinds = [_read_kind(word) for word in _read_list(value, name)]
    if len(kinds) != state.need:
        raise IllegalMove("Choose exactly %(count)s of your cards.", count=state.need)
    if any(kinds.count(kind) > count_kind(state.hands[seat], kind) for kind in set(kinds)):
        raise IllegalMove("You do not have all of these cards.")
    return pack_hand(kinds)


def _read_discard(state: State, seat: Seat, move: Move) -> Hand:
    return _read_hand(state, seat, move["discard"], "discard")


def _read_give(state: State, seat: Seat, move: Move) -> tuple[Hand, Seat]:
    to = _read_seat(state, move.get("to"))
    if to == seat:
        raise IllegalMove("Give the cards to another player.")
    return _read_hand(state, seat, move["give"], "give"), to


def _read_seat(state: State, value: Any) -> Seat:
    if type(value) is not int or value not in range(state.terms.seats):
        raise IllegalMove("There is no seat %(seat)s.", seat=quote(str(value)))
    return value


def _read_colour(state: State, seat: Seat, move: Move) -> str:
    colour = move["colour"]
    if not isinstance(colour, str) or colour not in COLOURS:
        raise IllegalMove("The colour must be one of: %(known)s.", known=", ".join(COLOURS))
    return colour


def _read_name(state: State, seat: Seat, move: Move) -> int:
    kind = _read_kind(move["name"])
    if FUNCTIONS[kind]:
        raise IllegalMove("Only an animal without a function can be demanded.")
    return kind


def _read_swap(state: State, seat: Seat, move: Move) -> tuple[Seat, Seat]:
    pair = _read_list(move["swap"], "swap")
    if len(pair) != 2 or _read_seat(state, pair[0]) == _read_seat(state, pair[1]):
        raise IllegalMove("Choose two different players to swap hands.")
    return pair[0], pair[1]


def _read_sigma(state: State, seat: Seat, move: Move) -> tuple[tuple[int, ...], Seat, Seat]:
    sigma = tuple(_read_seat(state, item) for item in _read_list(move["sigma"], "sigma"))
    if sorted(sigma) != list(range(state.terms.seats)):
        raise IllegalMove("“sigma” must list every seat once: who gets the hand of seat 0, of seat 1 and so on.")
    giver, taker = _read_seat(state, move.get("from")), _read_seat(state, move.get("to"))
    if giver == taker:
        raise IllegalMove("“from” and “to” must be two different players.")
    return sigma, giver, taker


def _read_react(state: State, seat: Seat, move: Move) -> int:
    kind = _read_kind(move["react"])
    if not mask_held(state.hands[seat]) & ONE[kind]:
        raise IllegalMove("You do not have this card.")
    if not windows.mask_reactions(state) & ONE[kind]:
        if ONE[kind] & (CYR | DZI):
            raise IllegalMove("Only a Veto can be played here.")
        raise IllegalMove("This card cannot be played out of turn.")
    return kind


_TURN: Final = ("play", "draw", "accept", "nine")
_VERBS_BY_PHASE: Final[Mapping[str, tuple[str, ...]]] = {
    "turn": _TURN,
    "reaction": ("decline", "react"),
    "win": ("decline", "react"),
    "duel": ("fold", "play"),
    "colour": ("colour", "decline"),
    "name": ("name", "decline"),
    "swap": ("swap", "decline"),
    "discard": ("discard", "decline"),
    "give": ("give", "decline"),
    "sigma": ("sigma", "decline"),
}
"""What may be done in each phase."""

Reader: TypeAlias = Callable[[State, Seat, Move], Any]
_MOVES: Final[Mapping[str, tuple[tuple[str, ...], bool, Reader, Handler | None]]] = {
    "play": (("n",), True, _read_play, None),
    "nine": ((), True, _read_nine, turns.play_nine),
    "draw": ((), False, _make_flag_reader("draw"), turns.draw_one),
    "accept": ((), False, _make_flag_reader("accept"), turns.accept),
    "decline": ((), False, _make_flag_reader("decline"), None),
    "react": ((), True, _read_react, windows.react),
    "fold": ((), False, _make_flag_reader("fold"), lambda draft, seat, _: duels.fold(draft, seat)),
    "colour": ((), True, _read_colour, effects.choose_colour),
    "name": ((), True, _read_name, effects.name_kind),
    "swap": ((), True, _read_swap, effects.swap_hands),
    "discard": ((), True, _read_discard, effects.put_under),
    "give": (("to",), True, _read_give, effects.give_away),
    "sigma": (("from", "to"), True, _read_sigma, effects.permute),
}
"""Verb → further keys, whether the call may ride on it, its reader, what it does (None: the phase decides)."""


def _decline_reaction(draft: Draft, seat: Seat, _: object) -> None:
    windows.decline_reaction(draft, seat)


def _decline_choice(draft: Draft, seat: Seat, _: object) -> None:
    effects.decline_choice(draft, seat)


_HANDLERS: Final[Mapping[tuple[str, str], Handler]] = {
    ("turn", "play"): turns.play_cards,
    ("duel", "play"): duels.play_in_duel,
    ("reaction", "decline"): _decline_reaction,
    ("win", "decline"): _decline_reaction,
    ("colour", "decline"): _decline_choice,
    ("discard", "decline"): _decline_choice,
    ("give", "decline"): _decline_choice,
    ("name", "decline"): _decline_choice,
    ("swap", "decline"): _decline_choice,
    ("sigma", "decline"): _decline_choice,
}
