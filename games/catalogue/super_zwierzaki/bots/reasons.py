"""Explains why a move of Super Zwierzaki is good, by facts that its seat can check, from its view alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from games.bots.hints import Reason
from games.catalogue.super_zwierzaki.bots.hand_values import LIMITS, rate_card
from games.catalogue.super_zwierzaki.bots.turn_values import count_combination
from games.catalogue.super_zwierzaki.rules.kinds import KINDS, NUMBERS
from games.rules.base import Move, View

FEW_CARDS: Final = 3
"""Cards in the hand of a player who is close to winning."""

CALL: Final = Reason("You come down to one card: say it now, or you draw two cards.")
LAST: Final = Reason("These are your last cards.")
NINE: Final = Reason("You get rid of nine cards at once.")
CANNOT_PLAY: Final = Reason("None of your cards can be played now.")
KEEP_FOR_THE_END: Final = Reason("The card that you could play fits on many others. It is worth more at the end.")
STOP_WIN: Final = Reason("Otherwise they win now.")
DOES_NOT_HURT: Final = Reason("It does not take anything from you, so the card is worth more later.")
COMMONEST_COLOUR: Final = Reason("Most of your cards have this colour.")
CAN_ANSWER: Final = Reason("You have this animal yourself, so you can answer when it is your turn again.")
HARDEST: Final = Reason("These cards fit on the fewest others, so they are the hardest to play later.")
ONLY_PLAY: Final = Reason("It is the only one of your cards that you can play now.")
BALANCE: Final = Reason("It is the best balance of cards gone, cards that others draw, and what you can play next.")
DUEL: Final = Reason("Each card that you play in a duel is a card less in your hand.")


def explain(view: View, legal: Sequence[Move], move: Move) -> Reason | None:
    """The first fact that applies to this move; None if there is none."""
    if "play" in move and view["phase"] == "duel":
        return DUEL
    if "play" in move:
        return _explain_play(view, move)
    if "nine" in move:
        return NINE
    if "draw" in move:
        return _explain_draw(view)
    if "react" in move and view["phase"] == "win":
        return STOP_WIN
    if "discard" in move or "give" in move:
        return HARDEST
    return _explain_choice(view, move)


def _explain_draw(view: View) -> Reason:
    plays = view["mine"]["plays"]
    if not plays:
        return CANNOT_PLAY
    _, share, _ = LIMITS
    return KEEP_FOR_THE_END if min(rate_card(NUMBERS[word]) for word in plays) > share else BALANCE


def _explain_play(view: View, move: Move) -> Reason | None:
    kind, count = KINDS[NUMBERS[move["play"]]], move.get("n", 1)
    left = len(view["mine"]["hand"]) - count
    if not left:
        return LAST
    if count > 1:
        shed = count + count_combination(count, left)
        return Reason("With several of a kind you get rid of more cards at once: %(count)s.", count=shed)
    following = view["hand_sizes"][view["order"][1]]
    if kind.function in ("Red", "Orc", "Stp") and following <= FEW_CARDS:
        return Reason("It holds up the next player, who is close to winning. Their cards: %(count)s.", count=following)
    if "call" in move and left == 1:
        return CALL
    if sum(view["mine"]["plays"].values()) == 1:
        return ONLY_PLAY
    if len(view["mine"]["plays"]) > 1 and kind.number == min(
        (NUMBERS[word] for word in view["mine"]["plays"]), key=rate_card
    ):
        percent = round(100 * rate_card(kind.number))
        return Reason(
            "Of what you can play, it fits on the fewest others: %(percent)s %% of the deck.", percent=percent
        )
    return BALANCE


def _explain_choice(view: View, move: Move) -> Reason | None:
    hand = view["mine"]["hand"]
    if "colour" in move:
        held = Counter(KINDS[NUMBERS[word]].colour for word in hand)
        del held["ALL"]
        return COMMONEST_COLOUR if held and held[move["colour"]] == max(held.values()) else None
    if "name" in move:
        return CAN_ANSWER if move["name"] in hand else None
    if "swap" in move and view["seat"] in move["swap"]:
        other = next(seat for seat in move["swap"] if seat != view["seat"])
        sizes = view["hand_sizes"]
        fewer = sizes[view["seat"]] - sizes[other]
        return Reason("You get a smaller hand. Cards fewer: %(count)s.", count=fewer) if fewer > 0 else None
    return DOES_NOT_HURT if "decline" in move and view["phase"] == "reaction" else None
