"""Bots of Super Zwierzaki. They see their view and nothing else.

`random` plays any legal move, all alike, and so it forgets to say "Codziennie niskie ceny!" half the time. `steady`
sheds as many cards as it can and now and then forgets it. `sharp` keeps teals and woodpeckers for what really
hurts, plays towards the colours it holds, and never forgets.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from games.catalogue.super_zwierzaki.rules.kinds import FUNCTIONS, KINDS, NUMBERS
from games.rules.base import Move, View

SILENCE_PROBABILITIES = {"random": 0.5, "steady": 0.06, "sharp": 0.0}
"""Level → probability that a bot does not call when it comes down to one card. Set by hand, to be human."""
_ATTACKS = frozenset({"Red", "Orc", "Stp", "Dem"})
_DEFENCES = frozenset({"Cyr", "Dzi"})
"""Functions that `sharp` keeps for defence: Cyraneczka (teal) and Dzięcioł (woodpecker)."""
_FEW_CARDS = 3
"""Cards in the hand of a player who is close to winning. Set by hand."""


def choose(view: View, legal: Sequence[Move], rng: random.Random, level: str) -> Move:
    """One of `legal`, or another legal choice of cards and players."""
    if level == "random":
        return legal[int(rng.random() * len(legal))]
    move = _choose(view, legal, rng, is_sharp=level == "sharp")
    return _add_call(view, move, rng, SILENCE_PROBABILITIES[level])


def _choose(view: View, legal: Sequence[Move], rng: random.Random, *, is_sharp: bool) -> Move:
    match view["phase"]:
        case _ if view["seat"] not in view["to_act"]:
            return legal[0]
        case "turn":
            return _choose_turn(view, legal, rng, is_sharp=is_sharp)
        case "reaction" | "win":
            return _choose_reaction(view, legal, is_sharp=is_sharp)
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
            return {"discard": _choose_spare_cards(view)}
        case _:
            return {"give": _choose_spare_cards(view), "to": _find_strongest(view)}


def _choose_turn(view: View, legal: Sequence[Move], rng: random.Random, *, is_sharp: bool) -> Move:
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
    if is_sharp:
        best = max(plays, key=lambda move: (_value_play(view, move), rng.random()))
        may_wait = any("draw" in move for move in legal)
        return {"draw": True} if may_wait and _value_play(view, best) < 0 else best
    return max(plays, key=lambda move: (move.get("n", 1), rng.random()))


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


def _value_play(view: View, move: Move) -> float:
    """What a play is worth in cards: shed now, likely to be shed next, and what it does to others."""
    facts, count = _find_kind(move["play"]), move.get("n", 1)
    hand, sizes = view["mine"]["hand"], view["hand_sizes"]
    left = len(hand) - count
    if not left:
        return 100.0
    value: float = count + _value_combination(count, left) + _value_function(view, facts.function, count, left)
    if facts.function in _DEFENCES:
        value -= 2.5 if min(sizes) > _FEW_CARDS else 5.0
    rest = [card for card in hand if card != move["play"]]
    follows = sum(
        _find_kind(card).colour in (facts.colour, "ALL") or _find_kind(card).group == facts.group for card in rest
    )
    return float(value + 0.5 * follows / max(1, len(rest)))


def _value_combination(count: int, left: int) -> float:
    """Cards that the combination gets rid of."""
    half = (left + 1) // 2
    return (0, 0, min(1, left), half, half, left - 1)[count]


def _value_function(view: View, function: str, count: int, left: int) -> float:
    """What the function is worth."""
    sizes, me = view["hand_sizes"], view["seat"]
    others = [size for seat, size in enumerate(sizes) if seat != me]
    if function in ("Pol", "Kaz"):
        return (left + 1) / 2
    if function == "War":
        smallest: int = min(others)
        return float(max(left - (smallest if count == 1 else (smallest + 1) // 2), 0))
    if function in ("Oth", "Giv"):
        able = sum(_find_kind(card).function in (function, "Red") for card in view["mine"]["hand"]) - count
        return 1.5 * able - 0.5
    if function in _ATTACKS:
        return 1.0 if sizes[_find_next(view)] <= _FEW_CARDS else 0.3
    return 0.0


def _choose_reaction(view: View, legal: Sequence[Move], *, is_sharp: bool) -> Move:
    cards = [move for move in legal if "react" in move and "call" not in move]
    declining: Move = {"decline": True}
    if not cards:
        return declining
    # A woodpecker where it is enough; the teal can do more.
    cheapest = min(cards, key=lambda move: FUNCTIONS[NUMBERS[move["react"]]] == "Cyr")
    return cheapest if _hurts(view, is_sharp=is_sharp) else declining


def _hurts(view: View, *, is_sharp: bool) -> bool:
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
    is_next = _find_next(view) == me
    function = FUNCTIONS[NUMBERS[play["card"]]]
    if function in ("Red", "Orc", "Stp"):
        return is_next and bool(play["count"] > 1 or not is_sharp)
    is_near = bool(view["hand_sizes"][play["seat"]] <= _FEW_CARDS)
    return is_near and (play["count"] > 1 or function in ("Pol", "Kaz", "War", "Oth"))


def _choose_in_duel(view: View, legal: Sequence[Move]) -> Move:
    """Every card played is a card less; the dearest ones last."""
    plays = [move for move in legal if "play" in move and "call" not in move]
    dear = {"Red": 1, "All": 2, "Cyr": 3}
    return min(plays, key=lambda move: dear.get(_find_kind(move["play"]).function, 0), default={"fold": True})


def _choose_spare_cards(view: View) -> list[str]:
    """The cards one can best do without: of rare colours first, teals and woodpeckers last."""
    hand = view["mine"]["hand"]
    held = Counter(_find_kind(card).colour for card in hand)
    order = sorted(hand, key=lambda card: (_find_kind(card).function in _DEFENCES, held[_find_kind(card).colour]))
    return order[: view["need"]]


def _choose_demand(view: View) -> str:
    """What one can answer oneself next time; else anything."""
    hand = Counter(card for card in view["mine"]["hand"] if not _find_kind(card).function)
    return hand.most_common(1)[0][0] if hand else "1"


def _find_commonest(view: View, what: str) -> str:
    colours = Counter(_find_kind(card).colour for card in view["mine"]["hand"] if _find_kind(card).colour != "ALL")
    return colours.most_common(1)[0][0] if colours else "DB"


def _choose_swap(view: View) -> Move:
    """My hand for the smallest one; if mine is that, the two others that differ most."""
    sizes, me = view["hand_sizes"], view["seat"]
    ranked = sorted(range(len(sizes)), key=lambda seat: (sizes[seat], seat))
    if ranked[0] != me and sizes[ranked[0]] < sizes[me]:
        return {"swap": [me, ranked[0]]}
    rest = [seat for seat in ranked if seat != me]
    pair = [rest[0], rest[-1]] if len(rest) > 1 else [me, rest[0]]
    return {"swap": pair}


def _choose_permutation(view: View) -> Move:
    """The smallest hand to me, less half of it; mine to where it came from."""
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
