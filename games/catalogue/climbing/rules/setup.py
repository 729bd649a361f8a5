"""Reading a set-up position: order, ranks and hands, as in the Notation sections of the two games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from games.catalogue.climbing.rules import cards
from games.catalogue.climbing.rules.cards import Hand, Pack
from games.rules import reading
from games.rules.base import BadSetup, Seat, quote
from games.rules.reading import is_list, read_keys, read_permutation


class RecordKeys(NamedTuple):
    """The game's words for the same things: "positions"/"jobs", "deals"/"sessions", and a single one of these."""

    ranks: str
    deals: str
    deal: str


class Setup(NamedTuple):
    """What a set-up says. order: of the first deal; ranks: its ranks by seat; listed: hands by seat, deal 1, 2 …"""

    order: tuple[Seat, ...] | None
    ranks: tuple[int, ...] | None
    listed: tuple[tuple[Hand, ...] | None, ...]


def read_setup(given: Mapping[str, Any], seats: int, *, keys: RecordKeys, pack: Pack, wild: str) -> Setup:
    """The closed form of `setup`. Raises BadSetup; sizes that depend on who holds which rank come later."""
    read_keys(given, ("order", keys.ranks, keys.deals))
    order = _read_permutation(given.get("order"), range(seats), "order")
    ranks = _read_permutation(given.get(keys.ranks), range(1, seats + 1), keys.ranks)
    if ranks is not None:
        order = _order_by_rank(order, ranks, keys)
    listed = _read_deals(given.get(keys.deals), seats, keys=keys, pack=pack, wild=wild)
    return Setup(order, ranks, listed)


def _read_permutation(value: object, domain: range, name: str) -> tuple[int, ...] | None:
    return None if value is None else read_permutation(value, domain, name)


def _order_by_rank(order: tuple[Seat, ...] | None, ranks: tuple[int, ...], keys: RecordKeys) -> tuple[Seat, ...]:
    by_rank = tuple(sorted(range(len(ranks)), key=lambda seat: ranks[seat]))
    if order not in (None, by_rank):
        raise BadSetup(
            "“order” and “%(ranks)s” do not match. Seats must be in order of rank, highest first.", ranks=keys.ranks
        )
    return by_rank


def _read_deals(
    value: object, seats: int, *, keys: RecordKeys, pack: Pack, wild: str
) -> tuple[tuple[Hand, ...] | None, ...]:
    if value is None:
        return ()
    if not is_list(value):
        raise BadSetup("“%(deals)s” must be a list.", deals=keys.deals)
    return tuple(_read_deal(deal, seats, keys=keys, pack=pack, wild=wild) for deal in value)


def _read_deal(value: object, seats: int, *, keys: RecordKeys, pack: Pack, wild: str) -> tuple[Hand, ...] | None:
    if not isinstance(value, Mapping) or any(name != "hands" for name in value):
        raise BadSetup("Each entry of “%(deals)s” must be an object. Its only key can be “hands”.", deals=keys.deals)
    hands = value.get("hands")
    return None if hands is None else read_hands(hands, seats, pack=pack, wild=wild)


def read_hands(value: object, seats: int, *, pack: Pack, wild: str) -> tuple[Hand, ...]:
    """The hands by seat, from lists of card words. Raises BadSetup if they are not within the components."""
    hands = [_read_hand(hand, seat, wild) for seat, hand in enumerate(reading.read_hands(value, seats))]
    for kind in range(1, cards.JOKER + 1):
        most = cards.count_kind(pack.whole, kind)
        if sum(hand.count(kind) for hand in hands) > most:
            word = wild if kind == cards.JOKER else str(kind)
            raise BadSetup(
                "The hands contain the card “%(card)s” too often. The game has only %(most)s.", card=word, most=most
            )
    return tuple(cards.pack_hand(hand) for hand in hands)


def _read_hand(value: object, seat: Seat, wild: str) -> list[int]:
    if not is_list(value) or not value:
        raise BadSetup("The hand of seat %(seat)s must be a list of at least one card.", seat=seat)
    return [_read_card(word, wild) for word in value]


def _read_card(word: object, wild: str) -> int:
    kind = cards.read_kind(word, wild)
    if kind is None:
        raise BadSetup("“%(card)s” is not a card of this game.", card=quote(word))
    return kind


def check_sizes(hands: Sequence[Hand], pack: Pack, *, is_ranked: bool) -> None:
    """Raises BadSetup if hands by place, each of thirteen or more, are not what the dealer would deal.

    In a deal with ranks the last place keeps the extra cards; in one without they lie out.
    """
    sizes = [cards.count_cards(hand) for hand in hands]
    if min(sizes) < cards.HAND_SIZE:
        return  # a test position
    extra = pack.jokers if is_ranked else 0
    if sizes != [cards.HAND_SIZE] * (len(hands) - 1) + [cards.HAND_SIZE + extra]:
        raise BadSetup(
            "These hands are not a real deal. Each seat gets %(each)s cards, the last in rank %(last)s.",
            each=cards.HAND_SIZE,
            last=cards.HAND_SIZE + extra,
        )
