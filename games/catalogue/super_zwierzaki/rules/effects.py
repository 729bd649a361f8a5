"""The effects of a play: its function, then its combination, with the choices they ask for. Source: *Functions*."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from games.catalogue.super_zwierzaki.rules.kinds import FUNCTIONS, WORDS, Hand, count_cards
from games.catalogue.super_zwierzaki.rules.piles import choose_half, give_cards, put_under_heap
from games.catalogue.super_zwierzaki.rules.state import Demand, Draft, Duel, Play
from games.catalogue.super_zwierzaki.rules.turn_end import finish_turn, mask_all_seats, zero_counters
from games.rules.base import Seat


def halve(count: int) -> int:
    """Half of x: x/2 rounded up."""
    return (count + 1) // 2


def list_effects(play: Play) -> tuple[str, ...]:
    """What a play will do, in order: the code of its function, then its combination."""
    if play.nine:
        return ("nine",)
    function = FUNCTIONS[play.kind]
    if function == "War" and play.copies == 2:
        return ("sigma",)
    combination = ("", "", "one", "Pol", "Kaz", "rest")[play.copies]
    return tuple(step for step in (function, combination) if step)


def begin_effects(draft: Draft) -> None:
    """The play stands."""
    assert draft.play is not None  # noqa: S101 - only a play has effects
    draft.todo = list_effects(draft.play)
    draft.chain = ()
    continue_effects(draft)


def continue_effects(draft: Draft) -> None:
    """The next steps, until somebody is asked or the turn is settled."""
    play = draft.play
    assert play is not None  # noqa: S101 - as above
    while draft.todo:
        step, *rest = draft.todo
        draft.todo = tuple(rest)
        if _EFFECTS[step](draft, play):
            return
    finish_turn(draft)


def _ask_choice(draft: Draft, phase: str, seat: Seat, need: int = 0) -> bool:
    """A choice within the turn: it is the turn's time that runs, unless another player has to choose."""
    draft.need = need
    wait = draft.turn_serial if seat == draft.turn else None
    draft.ask(phase, 1 << seat, wait)  # type: ignore[arg-type]
    return True


def _set_counter(draft: Draft, name: str, seat: Seat, value: int) -> None:
    setattr(draft, name, value)
    draft.emit("counter", seat, {"name": name, "value": value})


def _add_red(draft: Draft, play: Play) -> bool:
    _set_counter(draft, "red", play.seat, draft.red + 2 * play.copies)
    return False


def _add_orc(draft: Draft, play: Play) -> bool:
    _set_counter(draft, "orc", play.seat, draft.orc + 3 * play.copies)
    return _ask_choice(draft, "colour", play.seat)


def _clear_red(draft: Draft, play: Play) -> bool:
    if draft.red:
        _set_counter(draft, "red", play.seat, 0)
    return False


def _add_stop(draft: Draft, play: Play) -> bool:
    _set_counter(draft, "stop", play.seat, draft.stop + play.copies)
    return False


def _begin_duel(draft: Draft, play: Play) -> bool:
    draft.duel = Duel(FUNCTIONS[play.kind], play.copies, mask_all_seats(draft), after_red=False)
    draft.ask("duel", 1 << play.seat)
    draft.emit("duel_begun", play.seat, {"kind": draft.duel.kind, "points": play.copies})
    return True


def _ask_discard(draft: Draft, play: Play, count: int) -> bool:
    return bool(count) and _ask_choice(draft, "discard", play.seat, count)


def _discard_one(draft: Draft, play: Play) -> bool:
    return _ask_discard(draft, play, min(1, count_cards(draft.hands[play.seat])))


def _discard_half(draft: Draft, play: Play) -> bool:
    return _ask_discard(draft, play, halve(count_cards(draft.hands[play.seat])))


def _discard_all_but_one(draft: Draft, play: Play) -> bool:
    return _ask_discard(draft, play, max(0, count_cards(draft.hands[play.seat]) - 1))


def _give_half(draft: Draft, play: Play) -> bool:
    count = halve(count_cards(draft.hands[play.seat]))
    return bool(count) and _ask_choice(draft, "give", play.seat, count)


def _give_all_but_one(draft: Draft, play: Play) -> bool:
    count = max(0, count_cards(draft.hands[play.seat]) - 1)
    return bool(count) and _ask_choice(draft, "give", play.seat, count)


def _ask_colour(draft: Draft, play: Play) -> bool:
    return _ask_choice(draft, "colour", play.seat)


def _ask_name(draft: Draft, play: Play) -> bool:
    return _ask_choice(draft, "name", play.seat)


def _ask_swap(draft: Draft, play: Play) -> bool:
    return _ask_choice(draft, "swap", play.seat)


def _ask_sigma(draft: Draft, play: Play) -> bool:
    return _ask_choice(draft, "sigma", play.seat)


def _reverse_order(draft: Draft, play: Play) -> bool:
    draft.order = draft.order[::-1]
    at = draft.order.index(draft.turn)
    draft.emit("reversed", play.seat, {"order": list(draft.order[at:] + draft.order[:at])})
    return False


def _zero(draft: Draft, play: Play) -> bool:
    zero_counters(draft, play.seat)
    return False


def _nothing(draft: Draft, play: Play) -> bool:
    return False


_EFFECTS: Final[Mapping[str, Callable[[Draft, Play], bool]]] = {
    "Red": _add_red,
    "Orc": _add_orc,
    "Oth": _begin_duel,
    "Giv": _begin_duel,
    "All": _clear_red,
    "Pol": _discard_half,
    "Kaz": _give_half,
    "War": _ask_swap,
    "Cch": _ask_colour,
    "Mch": _reverse_order,
    "Dem": _ask_name,
    "Stp": _add_stop,
    "Dzi": _nothing,
    "Cyr": _zero,
    "one": _discard_one,
    "rest": _discard_all_but_one,
    "sigma": _ask_sigma,
    "nine": _give_all_but_one,
}
"""What happens at each step; true if somebody is asked."""


# Answers


def decline_choice(draft: Draft, seat: Seat) -> None:
    """An offer is not taken."""
    draft.emit("declined", seat, {"what": draft.phase})
    continue_effects(draft)


def choose_colour(draft: Draft, seat: Seat, colour: str) -> None:
    """Choose a colour, which replaces the given ones; the class stays."""
    draft.colour = colour
    draft.emit("colour", seat, {"colour": colour})
    continue_effects(draft)


def name_kind(draft: Draft, seat: Seat, kind: int) -> None:
    """Demand a kind: only it, or another demand, may be played next."""
    assert draft.play is not None  # noqa: S101 - only a play asks for a name
    value = draft.demand + draft.play.copies
    draft.named = Demand(kind, seat, value)
    draft.emit("named", seat, {"card": WORDS[kind]})
    _set_counter(draft, "demand", seat, value)
    continue_effects(draft)


def swap_hands(draft: Draft, seat: Seat, pair: tuple[Seat, Seat]) -> None:
    """Two players swap hands."""
    one, other = pair
    first, second = draft.hands[one], draft.hands[other]
    draft.set_hand(one, second)
    draft.set_hand(other, first)
    draft.emit("swapped", seat, {"seats": list(pair)})
    continue_effects(draft)


def put_under(draft: Draft, seat: Seat, gone: Hand) -> None:
    """Cards go under the heap's top card."""
    put_under_heap(draft, seat, gone)
    continue_effects(draft)


def give_away(draft: Draft, seat: Seat, gift: tuple[Hand, Seat]) -> None:
    """Cards go to another player."""
    give_cards(draft, seat, gift[1], gift[0])
    continue_effects(draft)


def permute(draft: Draft, seat: Seat, chosen: tuple[tuple[int, ...], Seat, Seat]) -> None:
    """A random half from one to another, then the hand of each player i to player sigma[i], all at once."""
    sigma, giver, taker = chosen
    gift = choose_half(draft, giver)
    draft.emit("permuted", seat, {"sigma": list(sigma), "giver": giver, "taker": taker, "count": count_cards(gift)})
    if gift:
        give_cards(draft, giver, taker, gift)
    hands = list(draft.hands)
    for source, target in enumerate(sigma):
        hands[target] = draft.hands[source]
    draft.hands = tuple(hands)
    continue_effects(draft)
