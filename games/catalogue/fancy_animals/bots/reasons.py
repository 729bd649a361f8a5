"""Explains why a move of Fancy Animals is good, by facts that its seat can check, from its view alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.bots.hints import Reason
from games.catalogue.fancy_animals.rules.claims import put_on
from games.catalogue.fancy_animals.rules.clothing import BY_WORD, SLOTS
from games.catalogue.fancy_animals.rules.scoring import score
from games.rules.base import Move, View

FULL_HAND: Final = 12
"""Cards in hand from which on drawing soon ends: one below the hand limit."""

DRAW: Final = Reason("No clothing that you can pay for now is worth a turn. One more card makes longer runs.")
MUST_PASS: Final = Reason("You can neither draw nor play a card.")
EMPTY_HAND: Final = Reason("Your hand is nearly full, so you can hardly draw any more. This makes room.")


def explain(view: View, legal: Sequence[Move], move: Move) -> Reason | None:
    """The first fact that applies to this move; None if there is none."""
    if "claim" in move:
        return Reason(
            "It pays for new clothing. Points of your animal: %(points)s more.", points=count_points(view, move)
        )
    if "draw" in move:
        return DRAW
    if "pass" in move:
        return MUST_PASS
    count = len(move.get("play", ()))
    if len(view["hand"]) >= FULL_HAND:
        return EMPTY_HAND
    return Reason("No clothing can be paid for now. Cards that leave your hand: %(count)s.", count=count)


def count_points(view: View, move: Move) -> int:
    """What the claim of this move adds to the score of this seat's animal."""
    seat = view["seat"]
    worn = tuple(tuple(BY_WORD[word].id for word in view["worn"][seat].get(spot, ())) for spot in SLOTS)
    after = put_on(worn, BY_WORD[move["claim"]].id, SLOTS.index(move["spot"]))
    animal = view["animals"][seat]
    return score(after, animal) - score(worn, animal)
