"""The solver: the best play there is, held against trying everything."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.catalogue.fancy_animals.rules.cards import ALL, list_ids
from games.catalogue.fancy_animals.rules.claims import list_offer
from games.catalogue.fancy_animals.rules.clothing import BY_ID, BY_WORD, SLOTS, list_deck
from games.catalogue.fancy_animals.rules.melds import read_meld
from games.catalogue.fancy_animals.rules.solving.best import find_best
from games.catalogue.fancy_animals.rules.solving.problem import Problem, Solution
from games.catalogue.fancy_animals.rules.state import State
from games.rules.base import Config, IllegalMove
from games.rules.chance import Chance
from tests.catalogue.fancy_animals.rules.brute import find_best_gain
from tests.catalogue.fancy_animals.rules.playing import CLOTHING, FANCY, position


def solve(state: State) -> Solution | None:
    seat = state.turn
    problem = Problem(
        state.table,
        state.hands[seat],
        state.worn[seat],
        state.animals[seat],
        list_offer(state.clothing),
        state.active,
        state.top,
    )
    return find_best(problem)


def play(state: State, found: Solution) -> State:
    """The state after the play that was found."""
    move: dict[str, Any] = {
        "play": [ALL[card].word for card in list_ids(found.cards)],
        "table": [list(words) for words in found.table],
        "wilds": [BY_ID[piece].word for piece in list_ids(found.wilds)],
    }
    if found.claim is not None:
        move |= {"claim": BY_ID[found.claim].word, "spot": SLOTS[found.spot]}
    return FANCY.apply(state, state.turn, move)[0]


def solved_gain(state: State) -> int | None:
    """What the play that was found really gains; None if it found none."""
    found = solve(state)
    if found is None:
        return None
    before, after = (FANCY.expected(each)["scores"][state.turn] for each in (state, play(state, found)))
    assert after - before == found.gain
    return int(after - before)


FOUR = "3LG:G 4GM:G 5GC:G 6LG:G"


@pytest.mark.parametrize(
    ("state", "gain"),
    [
        (position("9LC", "1LM"), None),
        (position("", "1LM", table=FOUR), None),
        (position("9LC", "1LM", table=FOUR), None),
        (position("7GM", "1LM", table=FOUR), 4),
        # a card of a set changes its suit and goes into a run
        (position("8GM 9LG", "1LM", table=f"{FOUR} | 7GM:G 7LC:L 7MC:M 7GC:C"), 4),
        # the table is cut and joined anew: two sets become three runs
        (position("5LG 5LM 5GC", "1LM", table="3LG:G 3LM:M 3GC:C | 4LG:G 4LM:M 4GC:C"), 1),
        # clothing as a wild: 1 point is given for 4
        (
            position(
                "8GM 9LM", "1LM", table=FOUR, worn=[{"hand": ["hand-G-1"]}, {}], clothing={**CLOTHING, "hand": []}
            ),
            3,
        ),
        # a wild on the table moves when a card stands for it
        (position("3GM", "1LM", table="hand-G-3:3 4GM:G 5GC:G 6LG:G", clothing={**CLOTHING, "hand": []}), 4),
        (position("10LM 11LM 1LM", "1LC", active=("loop",)), 1),
        (position("10LM 11LM 1LM", "1LC"), None),
        (position("7LM 8LM 9LM", "1LM", table=FOUR, active=("mix",)), 5),
    ],
)
def test_known_positions(state: State, gain: int | None) -> None:
    assert solved_gain(state) == gain


def test_the_same_position_gives_the_same_play() -> None:
    state = position("7GM 8LM 9LM 2LG", "1LM", table=f"{FOUR} | 8LG:L 8GM:G 8GC:C")
    assert solve(state) == solve(state)


def test_few_cards_are_played_and_the_table_stays_much_as_it_was() -> None:
    state = position(
        "7GM 8GM 1LM 2LM 3LM",
        "1LC",
        table=f"{FOUR} | 9LM:L 9GM:G 9GC:C",
        clothing={"hand": [], "feet": ["feet-G-4"], "body": [], "head": []},
    )
    found = solve(state)
    assert found is not None
    assert [ALL[card].word for card in list_ids(found.cards)] == ["7GM"]
    assert sorted(found.table) == [("3LG:G", "4GM:G", "5GC:G", "6LG:G", "7GM:G"), ("9LM:L", "9GM:G", "9GC:C")]


@st.composite
def small_positions(draw: st.DrawFn) -> State:
    """A few melds of near numbers, a few cards, perhaps clothes, any special rules."""
    rng = random.Random(draw(st.integers(0, 10**9)))
    active = tuple(rule for rule in ("cover", "loop", "mix", "return") if rng.random() < 0.4)
    low = rng.choice((1, 4, 9))
    near = [
        card for card in range(66) if low <= ALL[card].number <= low + 4 or ("loop" in active and ALL[card].number < 3)
    ]
    rng.shuffle(near)
    table, rest = _lay_some(near, rng)
    worn: dict[str, list[str]] = {}
    if rng.random() < 0.5:
        worn = {"hand": [rng.choice(("hand-G-1", "hand-L-1", "hand-M-2"))]}
    if table and rng.random() < 0.4:
        table = _put_wild(table, rng)
    hand = [ALL[card].word for card in rest[: rng.randint(2, 5)]]
    used = {word.partition(":")[0] for meld in table for word in meld} | {
        piece for pile in worn.values() for piece in pile
    }
    clothing = {
        slot: rng.sample(
            [BY_ID[piece].word for piece in list_deck(at) if BY_ID[piece].word not in used and BY_ID[piece].length < 6],
            2,
        )
        if at < 2
        else []
        for at, slot in enumerate(SLOTS)
    }
    setup = {
        "hands": [hand, []],
        "animals": ["tiger", "pig"],
        "deck": [],
        "clothing": clothing,
        "table": table,
        "worn": [worn, {}],
        "active": list(active),
    }
    return FANCY.start(Config(2, {}, setup), Chance())


def _lay_some(cards: list[int], rng: random.Random) -> tuple[list[list[str]], list[int]]:
    """One or two melds that can be made of these cards, and the cards that are left."""
    table: list[list[str]] = []
    for _ in range(rng.randint(0, 2)):
        suit = rng.choice("LGMC")
        number = ALL[cards[0]].number
        run = [
            next((card for card in cards if ALL[card].number == number + step and suit in ALL[card].word), None)
            for step in range(3)
        ]
        if None not in run:
            table.append([f"{ALL[card].word}:{suit}" for card in run if card is not None])
            cards = [card for card in cards if card not in run]
            continue
        same = [card for card in cards if ALL[card].number == number]
        one = {
            suit: next((card for card in same if ALL[card].word.endswith(pair)), None)
            for suit, pair in zip("LGM", ("LM", "GC", "GM"), strict=True)
        }
        if None not in one.values():
            table.append([f"{ALL[card].word}:{suit}" for suit, card in one.items() if card is not None])
            cards = [card for card in cards if card not in one.values()]
    return table, cards


def _put_wild(table: list[list[str]], rng: random.Random) -> list[list[str]]:
    """The first meld with clothing in the place of one of its cards."""
    meld = list(table[0])
    at = rng.randrange(len(meld))
    word = meld[at]
    piece = {"L": "feet-L-3", "G": "feet-G-3", "M": "feet-M-3", "C": "feet-C-3"}[word[-1]]
    meld[at] = f"{piece}:{word.partition(':')[0].rstrip('LGMC')}"
    return [meld, *table[1:]]


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(small_positions())
def test_nothing_better_is_found_by_trying_everything(state: State) -> None:
    assert solved_gain(state) == find_best_gain(state)


class Shop:
    """Cards and clothes that are handed out once each, for a position in which a special rule decides."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.taken: set[str] = set()

    def card(self, number: int, suit: str) -> str:
        """A card that can count as this suit, or any of this number where none is left."""
        fits = [card.word for card in ALL if card.number == number and card.word not in self.taken]
        word = self.rng.choice([word for word in fits if suit in word] or fits)
        self.taken.add(word)
        return word

    def run(self, start: int, length: int, suit: str) -> list[str]:
        """Cards of a run, round the corner of eleven numbers."""
        return [self.card((start + step - 1) % 11 + 1, suit) for step in range(length)]

    def start(self, table: list[list[str]], hand: list[str], **rest: Any) -> State:
        """The position, with small clothes of all suits on offer."""
        worn = {word for pile in rest.get("worn", {}).values() for word in pile}
        decks = {
            slot: self.rng.sample(
                [BY_ID[at].word for at in list_deck(place) if BY_ID[at].length < 7 and BY_ID[at].word not in worn], 2
            )
            for place, slot in enumerate(SLOTS[:3])
        }
        setup = {
            "hands": [hand, []],
            "animals": ["tiger", "pig"],
            "deck": [],
            "clothing": {"head": [], **decks},
            "table": table,
            "worn": [rest.get("worn", {}), {}],
            "active": sorted(rest["active"]),
        }
        return FANCY.start(Config(2, {}, setup), Chance())


def mixed_position(rng: random.Random) -> State:
    """A run on the table, one in the hand that adjoins it below or above, perhaps round the corner."""
    shop, (here, there) = Shop(rng), rng.sample("LGMC", 2)
    loop = rng.random() < 0.5
    start = rng.randint(1, 11) if loop else rng.randint(1, 5)
    runs = [shop.run(start, 3, here), shop.run(start + 3, 3, there)]
    lying, held = rng.choice(((0, 1), (1, 0)))
    table = [[f"{word}:{(here, there)[lying]}" for word in runs[lying]]]
    hand = [*runs[held], shop.card(rng.randint(1, 11), there)]
    return shop.start(_in_order(table, loop=loop), hand, active=["mix", *(["loop"] if loop else [])])


def _in_order(table: list[list[str]], *, loop: bool) -> list[list[str]]:
    """The melds that are melds."""
    return [meld for meld in table if _is_meld(meld, loop=loop)]


def _is_meld(meld: list[str], *, loop: bool) -> bool:
    try:
        read_meld(tuple(meld), 11, loop)
    except IllegalMove:
        return False
    return True


def corner_position(rng: random.Random) -> State:
    """Cards on both sides of the corner, on the table and in the hand."""
    shop, suit = Shop(rng), rng.choice("LGMC")
    table = [[f"{word}:{suit}" for word in shop.run(rng.choice((9, 10, 11)), 3, suit)]]
    hand = [shop.card(number, suit) for number in rng.sample((8, 9, 10, 11, 1, 2, 3), 4)]
    return shop.start(_in_order(table, loop=True), hand, active=["loop"])


def dressed_position(rng: random.Random) -> State:
    """Clothes on top of clothes, and a run that pays for more."""
    shop, suit = Shop(rng), rng.choice("LGMC")
    table = [[f"{word}:{suit}" for word in shop.run(rng.randint(1, 6), 4, suit)]]
    worn = {"hand": ["hand-C-1", f"feet-{suit}-3"], "feet": ["feet-L-4" if suit != "L" else "feet-M-4"]}
    hand = [shop.card(rng.randint(1, 11), suit) for _ in range(3)]
    return shop.start(_in_order(table, loop=False), hand, worn=worn, active=["cover"])


@pytest.mark.slow
@settings(max_examples=24, deadline=None)
@given(make=st.sampled_from((mixed_position, corner_position, dressed_position)), number=st.integers(0, 10**9))
def test_nothing_better_is_found_where_a_special_rule_decides(make: Callable[..., State], number: int) -> None:
    state = make(random.Random(number))
    assert solved_gain(state) == find_best_gain(state)


def test_words_of_clothing_used_above_exist() -> None:
    assert {"hand-G-1", "hand-L-1", "hand-M-2", "feet-C-3"} <= set(BY_WORD)
