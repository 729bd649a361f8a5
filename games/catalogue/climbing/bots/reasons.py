"""Explains why a move of a climbing game is good, by facts that its seat can check, from its view alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from games.bots.hints import Reason
from games.catalogue.climbing.bots.completing import HiddenCards
from games.catalogue.climbing.bots.sharp import read_play
from games.catalogue.climbing.bots.steady import NEAR_THE_END
from games.catalogue.climbing.rules import cards
from games.catalogue.climbing.rules.cards import HIGHEST, JOKER, JOKER_SHIFT
from games.rules.base import Move, View

OUT: Final = Reason("These are your last cards: you are out.")
SURE_TO_GO_OUT: Final = Reason("Nobody can beat this any more, and the rest of your hand is one play.")
UNBEATABLE: Final = Reason("Nobody can beat this any more: all cards that could are played or in your hand.")
LOWEST: Final = Reason("You lead: these are your lowest cards, which are hard to get rid of later.")
SEVERAL: Final = Reason("You lead several equal cards: they go at once, and fewer hands can answer than a single card.")
LOW: Final = Reason("You lead a low card that has no equal in your hand. Your high cards stay for later rounds.")
MORE_THAN_ONE: Final = Reason("A player with one card left cannot answer several cards.")
CHEAPEST: Final = Reason("It is your lowest answer that keeps equal cards together and uses no joker.")
PASS_TO_KEEP_TOGETHER: Final = Reason("Any answer would split equal cards or use a joker. A pass costs no card.")
PASS_TO_SAVE: Final = Reason("Your answers are high cards that can win a later round, and nobody is about to go out.")

HARD_TO_BEAT_SHARE: Final = 0.25
"""A play is called hard to beat if at most this share of the unseen cards is higher. Set by hand."""

HIGH: Final = 9
"""The number from which on an answer is called high. Set by hand."""


def explain(view: View, legal: Sequence[Move], move: Move) -> Reason | None:
    """The first fact that applies to this move; None if there is none."""
    return _explain_pass(view, legal) if "pass" in move else _explain_play(view, legal, move)


def _explain_play(view: View, legal: Sequence[Move], move: Move) -> Reason | None:
    hand: Counter[str] = Counter(view["hand"])
    left = hand - Counter(move["play"])
    if not left:
        return OUT
    near = find_nearest(view)
    if is_unbeatable(view, move):
        return SURE_TO_GO_OUT if len(set(left) - {view["wild"]}) <= 1 else UNBEATABLE
    is_whole = not _parts_or_uses_joker(move, hand, view["wild"])
    if view["table_number"] is None:
        return _explain_lead(view, move, hand, is_whole=is_whole)
    if is_whole and move == _find_cheapest(legal, hand, view["wild"]):
        return CHEAPEST
    if near <= NEAR_THE_END:
        return Reason("Another player is close to going out. Fewest cards in a hand: %(count)s.", count=near)
    return Reason(
        "It is harder to beat than lower answers. Unseen cards above it: %(count)s.", count=count_above(view, move)
    )


def _explain_lead(view: View, move: Move, hand: Counter[str], *, is_whole: bool) -> Reason | None:
    if find_nearest(view) == 1 and len(move["play"]) > 1:
        return MORE_THAN_ONE
    numbers = sorted(int(card) for card in hand.elements() if card != view["wild"])
    if is_whole and numbers and str(numbers[0]) in move["play"]:
        return LOWEST
    above = count_above(view, move)
    if above <= HARD_TO_BEAT_SHARE * cards.count_cards(find_unseen(view, HiddenCards(view))):
        return Reason("You lead what is hard to beat. Unseen cards above it: %(count)s.", count=above)
    if not is_whole:
        return None
    if len(move["play"]) > 1:
        return SEVERAL
    return LOW if int(move["play"][0]) <= numbers[len(numbers) // 2] else None


def _explain_pass(view: View, legal: Sequence[Move]) -> Reason | None:
    hand: Counter[str] = Counter(view["hand"])
    whole = [move for move in legal if "play" in move and not _parts_or_uses_joker(move, hand, view["wild"])]
    if not whole:
        return PASS_TO_KEEP_TOGETHER
    is_calm = find_nearest(view) > NEAR_THE_END
    if is_calm and all(int(move["play"][0]) >= HIGH for move in whole):
        return PASS_TO_SAVE
    above = count_above(view, min(whole, key=lambda move: int(move["play"][0])))
    return (
        Reason("Your lowest answer can still be beaten. Unseen cards above it: %(count)s.", count=above)
        if above
        else None
    )


def count_above(view: View, move: Move) -> int:
    """How many cards that this seat does not see are higher than this play, jokers among them."""
    hidden = HiddenCards(view)
    number = read_play(move, view, hidden)[2]
    unseen = cards.list_kinds(find_unseen(view, hidden))
    return sum(kind > number or (kind == JOKER and view["can_name_jokers"]) for kind in unseen)


def find_unseen(view: View, hidden: HiddenCards) -> cards.Hand:
    """The cards that are neither played nor in this seat's hand."""
    return hidden.pack.whole - sum(hidden.played) - hidden.sure[hidden.order.index(view["seat"])]


def find_nearest(view: View) -> int:
    """The fewest cards that another seat still holds."""
    return min((size for seat, size in enumerate(view["hand_sizes"]) if size and seat != view["seat"]), default=0)


def _parts_or_uses_joker(move: Move, hand: Counter[str], wild: str) -> bool:
    played: Counter[str] = Counter(move["play"])
    return wild in played or any(hand[card] > count for card, count in played.items())


def _find_cheapest(legal: Sequence[Move], hand: Counter[str], wild: str) -> Move | None:
    """The lowest play that parts no equal cards and uses no joker."""
    whole = [move for move in legal if "play" in move and not _parts_or_uses_joker(move, hand, wild)]
    return min(whole, key=lambda move: int(move["play"][0]), default=None)


def is_unbeatable(view: View, move: Move) -> bool:
    """Whether the cards that this seat does not see hold nothing that beats this play, however they lie."""
    hidden = HiddenCards(view)
    _, count, number = read_play(move, view, hidden)
    if max(size for seat, size in enumerate(view["hand_sizes"]) if seat != view["seat"]) < count:
        return True
    unseen = find_unseen(view, hidden)
    jokers = unseen >> JOKER_SHIFT
    if jokers >= count and (number <= HIGHEST or view["can_name_jokers"]):
        return False
    naturals = Counter(kind for kind in cards.list_kinds(unseen) if kind != JOKER)
    return all(kind <= number or have + jokers < count for kind, have in naturals.items())
