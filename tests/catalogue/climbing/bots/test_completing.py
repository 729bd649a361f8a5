"""Hidden hands of the climbing games: nothing made or lost, what an exchange and a pass say, and exact frequencies."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from itertools import combinations
from math import sqrt

import pytest

from games.catalogue.climbing.bots.completing import HiddenCards, KnownCards, complete_view, weigh_hand, weigh_pair
from games.catalogue.climbing.rules import cards
from games.catalogue.climbing.rules.cards import JOKER, Hand, count_cards, list_kinds, pack_hand
from games.catalogue.climbing.rules.state import State
from games.rules.base import Config, Rules, View
from games.rules.chance import Chance
from tests.catalogue.climbing.rules.playouts import step
from tests.rules.playing import ANIMAL, KARRIERE, karriere, run

GAMES = pytest.mark.parametrize("rules", [KARRIERE, ANIMAL], ids=["karriere-poker", "animal-poker"])


@GAMES
@pytest.mark.parametrize("seats", [4, 6])
def test_no_card_is_made_or_lost_in_whole_games(rules: Rules[State], seats: int) -> None:
    rng = random.Random(3)
    option = "deals" if rules is KARRIERE else "sessions"
    state = rules.start(Config(seats, {option: 2}), Chance(bytes([9] * 32)))
    while rules.outcome(state) is None:
        seat = rules.to_act(state)[0]
        other = complete_view(rules.view(state, seat), rng)
        hidden = HiddenCards(rules.view(state, seat))
        assert all(0 <= cards.count_kind(sum(other.deal.start), kind) <= cards.count_kind(hidden.pack.whole, kind)
                   for kind in range(1, JOKER + 1))  # fmt: skip
        assert [count_cards(hand) for hand in other.hands] == [count_cards(hand) for hand in state.hands]
        played = [start - hand for start, hand in zip(state.deal.start, state.hands, strict=True)]
        assert [start - hand for start, hand in zip(other.deal.start, other.hands, strict=True)] == played
        if rules.view(state, seat)["ranks"] is not None:  # all cards are dealt, so all of them are in hands
            assert sum(other.hands) == sum(state.hands)
        state = step(rules, state, rng)


def draw_often(view: View, hidden_seat: int, times: int) -> Counter[tuple[str, ...]]:
    """How often which hand of another seat."""
    rng, rules = random.Random(8), KARRIERE if view["wild"] == "J" else ANIMAL
    return Counter(tuple(rules.expected(complete_view(view, rng))["hands"][str(hidden_seat)]) for _ in range(times))


def test_who_gave_their_best_cards_keeps_none_above_them_and_has_what_they_were_given() -> None:
    """Of Karriere Poker with four, the first exchanges two cards with the last; first deals of tests have few cards."""
    state = karriere("1 2 9 9", "4 5", "6 7", "3 8 8 5", ranks=[1, 2, 3, 4])
    for hand in draw_often(KARRIERE.view(state, 0), 3, 60):
        assert {"1", "2"} <= set(hand)
        assert all(kind <= 8 for kind in list_kinds(pack(hand)))


def pack(words: tuple[str, ...]) -> Hand:
    """The hand of these words."""
    return pack_hand(cards.read_kind(word, "J") or 0 for word in words)


@pytest.mark.parametrize(
    ("limits", "hand", "weight"),
    [
        (KnownCards(1, 14, 0), "5 5 9", 1.0),
        (KnownCards(1, 14, 4), "3 9", 0.15),
        (KnownCards(1, 14, 4), "9 9", 1.0),
        (KnownCards(1, 14, 4), "9 10 J", 0.0225),
        (KnownCards(1, 14, 4 << 4), "9 9 10", 0.15),
        (KnownCards(1, 14, 4 << 4), "4 4 9", 1.0),
        (KnownCards(5, 14, 0), "4 9", 1e-6),
        (KnownCards(1, 8, 0), "4 9 J", 1e-12),
        (KnownCards(1, 14, 0, 5), "5 6 J", 1.0),
        (KnownCards(1, 14, 0, 5), "4 4 4 5", 0.15),
        (KnownCards(1, 14, 4, 6), "1 3 3 9", 0.15**3),
    ],
)
def test_what_a_hand_weighs(limits: KnownCards, hand: str, weight: float) -> None:
    packed = pack(tuple(hand.split()))
    assert weigh_hand(limits, packed, packed) == pytest.approx(weight)


def test_two_others_hold_only_what_their_exchange_leaves_possible() -> None:
    view = KARRIERE.view(karriere("1 2 9 9", "4 5 6", "6 7 12", "3 8 8 5", ranks=[1, 2, 3, 4]), 0)
    [pair] = HiddenCards(view).pairs
    assert (pair.upper, pair.lower, pair.given) == (1, 2, 1)
    assert weigh_pair(pair, pack(("4", "5", "12")), pack(("4", "6", "7"))) == 1.0
    assert weigh_pair(pair, pack(("4", "5", "6")), pack(("4", "6", "7"))) == pytest.approx(1e-6)
    assert weigh_pair(pair, pack(("1", "5", "12")), pack(("4", "6", "7"))) == pytest.approx(1e-6)


def enumerate_hands(hidden: HiddenCards) -> dict[tuple[Hand, ...], float]:
    """Every way to deal the hidden cards, one by one, with its weight; equal ways together."""
    found: dict[tuple[Hand, ...], float] = defaultdict(float)

    def deal(place: int, left: tuple[int, ...], hands: tuple[Hand, ...]) -> None:
        if place == len(hidden.order):
            weight = 1.0
            for at, hand in enumerate(hands):
                weight *= weigh_hand(hidden.known[at], hand - hidden.sure[at], hand)
            for pair in hidden.pairs:
                weight *= weigh_pair(pair, hands[pair.upper], hands[pair.lower])
            found[hands] += weight
            return
        for chosen in combinations(range(len(left)), hidden.missing[place]):
            rest = tuple(kind for at, kind in enumerate(left) if at not in chosen)
            hand = hidden.sure[place] + pack_hand(left[at] for at in chosen)
            deal(place + 1, rest, (*hands, hand))

    deal(0, tuple(hidden.pool), ())
    return found


def shorten_pool(hidden: HiddenCards, pool: list[int]) -> HiddenCards:
    """The same with few cards that may be hidden."""
    hidden.pool = pool
    hidden.owners = hidden.owners[: sum(hidden.missing)] + [-1] * (len(pool) - sum(hidden.missing))
    return hidden


@pytest.mark.parametrize("ranks", [None, [1, 2, 3, 4]])
def test_frequencies_over_many_samples_fit_exact_enumeration(ranks: list[int] | None) -> None:
    """Passes, an exchange of the viewer's and one between two others, over 2 or 3 hidden cards each."""
    state = karriere("2 3 9 9 10", "5 6 7", "6 7 8", "4 4 7 7 8", ranks=ranks)
    state = run(KARRIERE, state, "0: 9", "1: pass", "2: pass", "3: pass")
    view = KARRIERE.view(state, 0)
    pool = [4, 5, 6, 6, 7, 7, 8, 11, 12, 12]

    def small() -> HiddenCards:
        hidden = HiddenCards(view)
        return shorten_pool(hidden, [*pool, *([10, 10, 4] if sum(hidden.missing) > len(pool) else [])])

    exact = enumerate_hands(small())
    total, rng, times = sum(exact.values()), random.Random(4), 4000
    drawn = Counter(tuple(small().draw(rng)) for _ in range(times))
    assert set(drawn) <= set(exact)
    for place in range(1, 4):
        for kind in range(1, JOKER + 1):
            share = sum(weight for hands, weight in exact.items() if cards.count_kind(hands[place], kind)) / total
            seen = sum(n for hands, n in drawn.items() if cards.count_kind(hands[place], kind)) / times
            assert abs(seen - share) < 4 * sqrt(share * (1 - share) / times) + 0.01
