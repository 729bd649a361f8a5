"""Bots of Super Zwierzaki. They see their view and nothing else.

`random` plays any legal move, all alike, and so it forgets to say "Codziennie niskie ceny!" half the time. `steady`
sheds as many cards as it can and now and then forgets it. `sharp` counts the turns that its hand will need
(hand_values.py), weighs what a play does to others (turn_values.py, against one other race_values.py), draws rather
than part with a card that it needs at the end, and never forgets.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from games.catalogue.super_zwierzaki.bots.hand_values import rate_card
from games.catalogue.super_zwierzaki.bots.race_values import value_draw as value_draw_in_race
from games.catalogue.super_zwierzaki.bots.race_values import value_race
from games.catalogue.super_zwierzaki.bots.turn_values import WEIGHTS, Weights, value_draw, value_play
from games.catalogue.super_zwierzaki.rules.kinds import FUNCTIONS, KINDS, NUMBERS
from games.rules.base import Move, View

QUICK_LEVELS = ("random", "steady", "sharp")
"""None of them searches: a decision takes 0.04 ms on average, 1.2 ms at most."""
SILENCE_PROBABILITIES = {"random": 0.5, "steady": 0.06, "sharp": 0.0}
"""Level → probability that a bot does not call when it comes down to one card. Set by hand, to be human."""
_DEFENCES = frozenset({"Cyr", "Dzi"})
"""Functions that are kept for defence: Cyraneczka (teal) and Dzięcioł (woodpecker)."""
_FEW_CARDS = 3
"""Cards in the hand of a player who is close to winning. Set by hand."""


def choose(view: View, legal: Sequence[Move], rng: random.Random, level: str, weights: Weights = WEIGHTS) -> Move:
    """One of `legal`, or another legal choice of cards and players.

    weights: with which `sharp` plays against several others.
    """
    if level == "random":
        return legal[int(rng.random() * len(legal))]
    move = _choose(view, legal, rng, weights if level == "sharp" else None)
    return _add_call(view, move, rng, SILENCE_PROBABILITIES[level])


def _choose(view: View, legal: Sequence[Move], rng: random.Random, weights: Weights | None) -> Move:
    """weights: of `sharp`, None for `steady`."""
    is_sharp = weights is not None
    match view["phase"]:
        case _ if view["seat"] not in view["to_act"]:
            return legal[0]
        case "turn":
            return _choose_turn(view, legal, rng, weights)
        case "reaction" | "win":
            return _choose_reaction(view, legal)
        case "duel":
            return _choose_in_duel(view, legal)
        case "colour":
            return {"colour": _find_commonest(view, "colour")}
        case "name":
            return {"name": _choose_demand(view)}
        case "swap":
            return _choose_swap(view)
        case "sigma":
            return _choose_permutation(view)
        case "discard":
            return {"discard": _choose_spare_cards(view, is_sharp=is_sharp)}
        case _:
            return {"give": _choose_spare_cards(view, is_sharp=is_sharp), "to": _find_strongest(view)}


def _choose_turn(view: View, legal: Sequence[Move], rng: random.Random, weights: Weights | None) -> Move:
    mine = view["mine"]
    if mine["nine"]:
        return {"nine": _choose_nine(view)}
    plays = [
        {"play": card, "n": count} if count > 1 else {"play": card}
        for card, most in mine["plays"].items()
        for count in range(1, most + 1)
    ]
    if not plays:
        return next(move for move in (*legal, {"draw": True}) if "call" not in move)
    if weights is not None:
        return _choose_sharply(view, plays, rng, weights)
    return max(plays, key=lambda move: (move.get("n", 1), _find_kind(move["play"]).colour != "ALL", rng.random()))


def _choose_sharply(view: View, plays: Sequence[Move], rng: random.Random, weights: Weights) -> Move:
    """The play that is worth most; it may be better to draw, and to keep a card for the end."""
    value: Callable[[View, Move], float]
    drawn: Callable[[View], float]
    if len(view["hand_sizes"]) == 2:
        value, drawn = value_race, value_draw_in_race
    else:
        value, drawn = partial(value_play, weights=weights), partial(value_draw, weights=weights)
    best = max(plays, key=lambda move: (value(view, move), rng.random()))
    may_draw = "draw" in view["mine"]["default"]
    return {"draw": True} if may_draw and drawn(view) > value(view, best) else best


def _choose_nine(view: View) -> list[str]:
    """One card of each colour; the first one matches what is given."""
    hand = [card for card in view["mine"]["hand"] if _find_kind(card).colour != "ALL"]
    given = view["given"]
    first = next(
        card
        for card in hand
        if _find_kind(card).colour in given["colours"] or _find_kind(card).group in given["classes"]
    )
    chosen = {
        _find_kind(card).colour: card
        for card in sorted(hand, key=lambda card: _find_kind(card).function not in _DEFENCES)
    }
    chosen[_find_kind(first).colour] = first
    return [first, *(card for card in chosen.values() if card != first)]


def _choose_reaction(view: View, legal: Sequence[Move]) -> Move:
    cards = [move for move in legal if "react" in move and "call" not in move]
    declining: Move = {"decline": True}
    if not cards:
        return declining
    # A woodpecker where it is enough; the teal can do more.
    cheapest = min(cards, key=lambda move: FUNCTIONS[NUMBERS[move["react"]]] == "Cyr")
    return cheapest if _is_worth_a_teal(view) else declining


def _is_worth_a_teal(view: View) -> bool:
    """Whether what would now take effect is worth a teal."""
    me = view["seat"]
    if view["phase"] == "win":
        return True
    if view["chain"]:
        saved = view["winner"] if view["winner"] is not None else view["play"]["seat"]
        is_rejected = len(view["chain"]) % 2 == 1
        return is_rejected == bool(saved == me)
    play = view["play"]
    if play["nine"]:
        return True
    is_next = bool(_find_next(view) == me)
    function = FUNCTIONS[NUMBERS[play["card"]]]
    if function in ("Red", "Orc", "Stp"):
        return is_next
    is_near = bool(view["hand_sizes"][play["seat"]] <= _FEW_CARDS)
    return is_near and (play["count"] > 1 or function in ("Pol", "Kaz", "War", "Oth"))


def _choose_in_duel(view: View, legal: Sequence[Move]) -> Move:
    """Every card played is a card less; the dearest ones last."""
    plays = [move for move in legal if "play" in move and "call" not in move]
    dear = {"Red": 1, "All": 2, "Cyr": 3}
    return min(plays, key=lambda move: dear.get(_find_kind(move["play"]).function, 0), default={"fold": True})


def _choose_spare_cards(view: View, *, is_sharp: bool) -> list[str]:
    """The least useful cards: of rare colours, or hardest to play; teals and woodpeckers last."""
    hand = view["mine"]["hand"]
    held = Counter(_find_kind(card).colour for card in hand)

    def rank(card: str) -> tuple[bool, float]:
        kind = _find_kind(card)
        return kind.function in _DEFENCES, rate_card(kind.number) if is_sharp else held[kind.colour]

    return sorted(hand, key=rank)[: view["need"]]


def _choose_demand(view: View) -> str:
    """The kind to demand: one that this seat can answer next time, else any."""
    hand = Counter(card for card in view["mine"]["hand"] if not _find_kind(card).function)
    return hand.most_common(1)[0][0] if hand else "1"


def _find_commonest(view: View, what: str) -> str:
    colours = Counter(_find_kind(card).colour for card in view["mine"]["hand"] if _find_kind(card).colour != "ALL")
    return colours.most_common(1)[0][0] if colours else "DB"


def _choose_swap(view: View) -> Move:
    """Swap this seat's hand for the smallest; if it is that already, swap the two others that differ most."""
    sizes, me = view["hand_sizes"], view["seat"]
    ranked = sorted(range(len(sizes)), key=lambda seat: (sizes[seat], seat))
    if ranked[0] != me and sizes[ranked[0]] < sizes[me]:
        return {"swap": [me, ranked[0]]}
    rest = [seat for seat in ranked if seat != me]
    pair = [rest[0], rest[-1]] if len(rest) > 1 else [me, rest[0]]
    return {"swap": pair}


def _choose_permutation(view: View) -> Move:
    """Give the smallest hand, less half of it, to this seat, and this seat's hand to where it came from."""
    sizes, me = view["hand_sizes"], view["seat"]
    best = min(range(len(sizes)), key=lambda seat: (sizes[seat], seat))
    sigma = list(range(len(sizes)))
    sigma[best], sigma[me] = me, best
    taker = next(seat for seat in range(len(sizes)) if seat != best)
    return {"sigma": sigma, "from": best, "to": taker}


def _add_call(view: View, move: Move, rng: random.Random, forgets: float) -> Move:
    """The move with the call on it, where it leaves one card, unless the bot forgets."""
    mine = view["mine"]
    if mine["may_call"] and move.get("decline") and view["phase"] in ("reaction", "win"):
        return {"call": True} if view["seat"] in view["must_call"] and rng.random() >= forgets else move
    if any(key in move for key in ("draw", "accept", "fold", "call")):
        if mine["may_call"] and "call" not in move and view["seat"] in view["must_call"] and rng.random() >= forgets:
            return {"call": True}
        return move
    left = len(mine["hand"]) - _count_shed(view, move)
    may_come = left == 1
    rides = not (move.get("decline") and view["phase"] in ("reaction", "win"))
    return {**move, "call": True} if may_come and rides and rng.random() >= forgets else move


def _count_shed(view: View, move: Move) -> int:
    if "play" in move:
        return int(move.get("n", 1))
    if "nine" in move:
        return len(move["nine"])
    if "discard" in move or "give" in move:
        return int(view["need"])
    return 1 if "react" in move else 0


def _find_strongest(view: View) -> int:
    """The other player with fewest cards."""
    sizes, me = view["hand_sizes"], view["seat"]
    return min((seat for seat in range(len(sizes)) if seat != me), key=lambda seat: (sizes[seat], seat))


def _find_next(view: View) -> int:
    order: list[int] = view["order"]
    return order[1]


def _find_kind(card: str) -> Any:
    return KINDS[NUMBERS[card]]
