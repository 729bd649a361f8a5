"""Completes a view of a climbing game to a state that fits everything its seat has seen.

Certain is what was played, the sizes of hands, the viewer's own gifts, and what an exchange says: who gave their best
cards keeps none above them, who gave their lowest keeps none below, and two others can only hold what their exchange
leaves possible. Likely is what passes and leads say: who passed on two 5s hardly keeps a pair above them, and who led a
7 hardly keeps a lower number.

Hidden hands are drawn by exchanging two cards of two places again and again, accepted by the ratio of their weights
(Metropolis and others 1953). So a hand's frequency is its weight, among hands that are possible.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from games.catalogue.climbing.rules import cards
from games.catalogue.climbing.rules.cards import HIGHEST, JOKER, MAX_SETS, ONE_SET, Hand, Pack
from games.catalogue.climbing.rules.flow import ClimbingFlow
from games.catalogue.climbing.rules.rules import find_climbing
from games.catalogue.climbing.rules.state import (
    NOBODY,
    OVER,
    Deal,
    Gift,
    Progress,
    State,
    Terms,
    pack_led,
    pack_refused,
)
from games.rules.base import View
from games.rules.chance import Chance

FIRST_SWAPS: Final = 25
"""Exchanges of two cards that are tried for each hidden card before the first deal counts as drawn. Set by hand."""
SWAPS: Final = 16
"""Exchanges that are tried for each further deal, which goes on from the last one."""
PASS_WEIGHT: Final = 0.15
"""Weight of a hand for each stack with which it could have beaten what it passed on. Set by hand: `steady` never
passes then, people seldom do."""
LEAD_WEIGHT: Final = 0.15
"""Weight of a hand for each number in it that is lower than one it has led. Set by hand: `steady` leads its lowest
number but for the end, people mostly do. What it brings is in docs/performance.md, *How strong bots are*."""
IMPOSSIBLE: Final = 1e-6
"""Weight of a hand that cannot be, for each fact that says so: small, and above 0 so that drawing can begin there."""

_EIGHTS: Final = 8 * ONE_SET


class KnownCards(NamedTuple):
    """What is certain of a place's hidden cards. least, most: kinds that limit them; refused: see `note_refusal`.

    led: the highest number it has led, 0 for none.
    """

    least: int
    most: int
    refused: int
    led: int = 0


class Pair(NamedTuple):
    """Two places, neither the viewer's, that exchanged so many cards, and what each has played since."""

    upper: int
    lower: int
    given: int
    upper_played: Hand
    lower_played: Hand


class HiddenCards:
    """The cards hidden from a viewer, dealt to places in a way that fits the view; place −1: out of the deal."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.rules = find_climbing(view["game"])
        self.order: tuple[int, ...] = tuple(view["order"])
        self.pack = Pack(view["pack"]["sets"], view["pack"]["jokers"])
        self.played = [self._read(view["played"][seat]) for seat in self.order]
        self.sure = self._list_certain_cards()
        self.known = [self._find_known(place) for place in range(len(self.order))]
        self.pairs = self._list_pairs()
        sizes = [view["hand_sizes"][seat] for seat in self.order]
        self.missing = [size - cards.count_cards(sure) for size, sure in zip(sizes, self.sure, strict=True)]
        self.pool = list(cards.list_kinds(self.pack.whole - sum(self.played) - sum(self.sure)))
        self.owners = [place for place, count in enumerate(self.missing) for _ in range(count)]
        self.owners += [NOBODY] * (len(self.pool) - len(self.owners))
        self.hands: list[Hand] = []

    def _read(self, words: Sequence[str]) -> Hand:
        return cards.pack_hand(cards.read_kind(word, self.view["wild"]) or 0 for word in words)

    def _list_certain_cards(self) -> list[Hand]:
        """By place: the viewer's hand, and gifts of theirs that cannot have been played yet."""
        view = self.view
        sure = [self._read(view["hand"]) if seat == view["seat"] else 0 for seat in self.order]
        for gift in view["exchanges"]:
            if gift["giver"] == view["seat"] and gift["cards"] is not None:
                taker = self.order.index(gift["taker"])
                left = list(cards.list_kinds(self._read(gift["cards"])))
                for kind in cards.list_kinds(self.played[taker]):
                    if kind in left:
                        left.remove(kind)
                sure[taker] = cards.pack_hand(left)
        return sure

    def _find_known(self, place: int) -> KnownCards:
        """What the viewer's own exchange says of the place they had it with."""
        view, seat = self.view, self.order[place]
        least, most = 1, JOKER
        for gift in view["exchanges"]:
            if gift["giver"] == seat and gift["cards"] is not None:
                given = cards.list_kinds(self._read(gift["cards"]))
                if place < self.order.index(gift["taker"]):
                    least = given[-1]
                else:
                    most = given[0]
        refused = sum(number << 4 * (int(count) - 1) for count, number in view["refused"][seat].items())
        return KnownCards(least, most, refused, view["led"][seat])

    def _list_pairs(self) -> tuple[Pair, ...]:
        found = []
        for gift in self.view["exchanges"]:
            upper, lower = self.order.index(gift["taker"]), self.order.index(gift["giver"])
            if gift["cards"] is None and upper < lower:
                found.append(Pair(upper, lower, gift["count"], self.played[upper], self.played[lower]))
        return tuple(found)

    def draw(self, rng: random.Random) -> list[Hand]:
        """Hidden hands by place, the certain cards among them. Each call goes on from the last one's."""
        swaps = SWAPS if self.hands else FIRST_SWAPS * len(self.pool)
        if not self.hands:
            rng.shuffle(self.pool)
            self._deal_limited_place()
            self.hands = list(self.sure)
            for kind, owner in zip(self.pool, self.owners, strict=True):
                if owner != NOBODY:
                    self.hands[owner] += cards.make_single(kind)
        if len(set(self.owners)) > 1:
            self._swap_often(rng, swaps)
        return list(self.hands)

    def _deal_limited_place(self) -> None:
        """Begin with cards that the place may hold with which the viewer exchanged, where there are any."""
        at = 0
        for limits, count in zip(self.known, self.missing, strict=True):
            if count and (limits.least > 1 or limits.most < JOKER):
                fits = [kind for kind in self.pool if limits.least <= kind <= limits.most][:count]
                for kind in fits:
                    self.pool.remove(kind)
                self.pool[at:at] = fits
                return
            at += count

    def _swap_often(self, rng: random.Random, swaps: int) -> None:
        pool, owners, hands = self.pool, self.owners, self.hands
        weights = [self._weigh_place(place, hand) for place, hand in enumerate(hands)]
        pairs = [weigh_pair(pair, hands[pair.upper], hands[pair.lower]) for pair in self.pairs]
        size, random_number = len(pool), rng.random
        for _ in range(swaps):
            one, two = int(random_number() * size), int(random_number() * size)
            first, second, kind, other = owners[one], owners[two], pool[one], pool[two]
            if first == second or kind == other:
                continue
            change = cards.make_single(other) - cards.make_single(kind)
            ratio, after = 1.0, {first: change, second: -change}
            after.pop(NOBODY, None)
            for place, more in after.items():
                ratio *= self._weigh_place(place, hands[place] + more) / weights[place]
            changed = []
            for at, pair in enumerate(self.pairs):
                if pair.upper in after or pair.lower in after:
                    upper = hands[pair.upper] + after.get(pair.upper, 0)
                    lower = hands[pair.lower] + after.get(pair.lower, 0)
                    weight = weigh_pair(pair, upper, lower)
                    ratio *= weight / pairs[at]
                    changed.append((at, weight))
            if ratio >= 1 or random_number() < ratio:
                pool[one], pool[two] = other, kind
                for place, more in after.items():
                    hands[place] += more
                    weights[place] = self._weigh_place(place, hands[place])
                for at, weight in changed:
                    pairs[at] = weight

    def _weigh_place(self, place: int, hand: Hand) -> float:
        limits = self.known[place]
        if limits == _NOTHING:
            return 1.0
        return weigh_hand(limits, hand - self.sure[place], hand)


_NOTHING: Final = KnownCards(1, JOKER, 0)


@lru_cache(maxsize=1 << 15)
def weigh_hand(limits: KnownCards, hidden: Hand, hand: Hand) -> float:
    """How likely a hand is by what is known of it, 1 for nothing against it. hidden: what is not certain of it."""
    weight = 1.0
    kinds = cards.list_kinds(hidden)
    for kind in kinds:
        if not limits.least <= kind <= limits.most:
            weight *= IMPOSSIBLE
    refused, count = limits.refused, 1
    while refused:
        number = refused & 15
        if number and number < HIGHEST:
            weight *= PASS_WEIGHT ** _mask_stacks(hand, count, number).bit_count()
        refused >>= 4
        count += 1
    if limits.led > 1:
        weight *= LEAD_WEIGHT ** _count_numbers_below(hand, limits.led)
    return weight


def _count_numbers_below(hand: Hand, number: int) -> int:
    """How many numbers below this one the hand has."""
    below = hand & (1 << 4 * (number - 1)) - 1
    return (below + 7 * ONE_SET & _EIGHTS).bit_count()


def _mask_stacks(hand: Hand, count: int, number: int) -> int:
    """The numbers above this one of which the hand has exactly so many cards; the top bit of a number's four."""
    numbers = hand & (1 << 4 * HIGHEST) - 1
    at_least = (numbers + (8 - count) * ONE_SET) & _EIGHTS
    more = (numbers + (7 - count) * ONE_SET) & _EIGHTS if count < MAX_SETS else 0
    return (at_least & ~more) >> 4 * number


@lru_cache(maxsize=1 << 15)
def weigh_pair(pair: Pair, upper: Hand, lower: Hand) -> float:
    """1 if these hands can be what an exchange left, else nearly 0.

    The upper place holds the best cards of the lower one, the lower place the lowest of the upper one.
    """
    high = cards.list_kinds(upper + pair.upper_played)
    low = cards.list_kinds(lower + pair.lower_played)
    weight = 1.0
    if len(high) >= pair.given and len(low) > pair.given and low[-1] > high[-pair.given]:
        weight *= IMPOSSIBLE
    if len(low) >= pair.given and len(high) > pair.given and high[0] < low[pair.given - 1]:
        weight *= IMPOSSIBLE
    return weight


def complete_view(view: View, rng: random.Random) -> State:
    """A state that fits everything the viewer has seen; frequencies are those of the weights above."""
    hidden = HiddenCards(view)
    return build_state(hidden, hidden.draw(rng), rng)


def build_state(hidden: HiddenCards, hands: Sequence[Hand], rng: random.Random) -> State:
    """The state with these hands by place."""
    view, order, rules = hidden.view, hidden.order, hidden.rules
    seats = len(order)
    start = tuple(hand + gone for hand, gone in zip(hands, hidden.played, strict=True))
    gifts = tuple(_read_gift(hidden, gift, start) for gift in view["exchanges"])
    deal = Deal(view["deal"], order, view["ranks"] is not None, start, gifts, 0)
    terms = Terms(
        seats, view["deals"], view["minutes"], tuple(view["rank_names"]), hidden.pack.sets != seats, listed=()
    )
    past = tuple(tuple(deal["ranks"]) for deal in view["past"])
    is_bell = view["last_deal"] and view["deal"] != view["deals"]
    progress = Progress(terms, past, bell=is_bell, chance=Chance(rng.randbytes(32)))
    place_of = order.index
    passed = sum(1 << place_of(seat) for seat in view["passed"])
    holder = NOBODY if view["table_seat"] is None else place_of(view["table_seat"])
    return State(
        progress=progress,
        deal=deal,
        hands=tuple(hands),
        turn=place_of(view["to_act"][0]) if view["to_act"] else OVER,
        leader=place_of(view["leader"]),
        play=rules.book.find(view["table"]) if view["table"] else None,
        number=view["table_number"] or 0,
        holder=holder,
        acted=_find_acted(rules, view, order, passed, holder),
        passed=passed,
        alive=sum(1 << place for place, hand in enumerate(hands) if hand),
        out=tuple(place_of(seat) for seat in view["out"]),
        serial=0 if view["exchanged_now"] else 1,
        refused=pack_refused(limits.refused for limits in hidden.known),
        led=pack_led(limits.led for limits in hidden.known),
    )


def _find_acted(rules: ClimbingFlow, view: View, order: Sequence[int], passed: int, holder: int) -> int:
    """The places that are not asked again in this round."""
    if rules.is_one_turn_each:
        return sum(1 << order.index(seat) for seat in view["done"])
    return 0 if holder == NOBODY else passed | 1 << holder


def _read_gift(hidden: HiddenCards, gift: View, start: Sequence[Hand]) -> Gift:
    """The viewer's own gifts as they were; of others' something that the taker holds."""
    giver, taker = gift["giver"], gift["taker"]
    if gift["cards"] is not None:
        return Gift(giver, taker, cards.pack_hand(cards.read_kind(w, hidden.view["wild"]) or 0 for w in gift["cards"]))
    place = hidden.order.index(taker)
    choose = cards.take_highest if place < hidden.order.index(giver) else cards.take_lowest
    return Gift(giver, taker, choose(start[place], gift["count"]))
