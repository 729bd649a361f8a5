"""Where deals come from: set-up, supplied values, seed; and how they are written out again."""

from __future__ import annotations

from typing import Any

import pytest

from games.catalogue.climbing.rules.state import State
from games.rules.base import BadSetup, Config, Rules
from games.rules.chance import Chance, NoChance
from tests.catalogue.climbing.rules.playouts import play_until_deal
from tests.rules.playing import ANIMAL, KARRIERE, NO_SEED, SEED, expected, karriere, run, split

BEFORE = ("0: 5", "1: 9", "2: pass", "3: pass")
ENDS = "2: 7"
NEXT = split(["1 2", "3 4", "5 6", "7 8"])
GAMES = pytest.mark.parametrize("rules", [KARRIERE, ANIMAL], ids=["karriere-poker", "animal-poker"])


def almost_over() -> State:
    """A deal without a seed that ENDS ends, in the order of seats."""
    return run(KARRIERE, karriere("5", "9", "7", "2 3"), *BEFORE)


def test_without_a_seed_the_event_that_ends_a_deal_needs_a_random_number() -> None:
    state = almost_over()
    before = KARRIERE.to_json(state)
    with pytest.raises(NoChance, match="needs chance"):
        run(KARRIERE, state, ENDS)
    assert KARRIERE.to_json(state) == before


def test_the_last_deal_needs_none() -> None:
    assert expected(KARRIERE, run(KARRIERE, almost_over(), "time-up", ENDS), "over") is True


def test_a_supplied_deal_is_used_and_wins_over_the_seed() -> None:
    state = almost_over()
    seeded = state._replace(progress=state.progress._replace(chance=SEED))
    for before in (state, seeded):
        after = run(KARRIERE, KARRIERE.supply(before, [("hands", NEXT)]), ENDS)
        assert expected(KARRIERE, after, "hands")["0"] == ["7", "8"]
        assert KARRIERE.chance(after).supplied == ()


def test_a_supplied_deal_stays_unused_while_the_deal_goes_on() -> None:
    state = KARRIERE.supply(karriere("5", "9", "7", "2 3"), [("hands", NEXT)])
    after = run(KARRIERE, state, "0: 5")
    assert KARRIERE.chance(after).supplied == (("hands", NEXT),)
    assert KARRIERE.chance(KARRIERE.settle(after)).supplied == ()


def test_the_setup_decides_before_anything_supplied() -> None:
    deals = [{"hands": split(["5", "9", "7", "2 3"])}, {"hands": NEXT}]
    state = KARRIERE.start(Config(4, {}, {"order": [0, 1, 2, 3], "deals": deals}), NO_SEED)
    other = split(["9 9", "9 9", "10 10", "10 10"])
    after = run(KARRIERE, KARRIERE.supply(run(KARRIERE, state, *BEFORE), [("hands", other)]), ENDS)
    assert (expected(KARRIERE, after, "hands")["0"], len(KARRIERE.chance(after).supplied)) == (["7", "8"], 1)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("draw", NEXT, "This game has no random value “draw”. It has: hands"),
        ("hands", NEXT[:3], "a list of 4 lists"),
        ("hands", {"0": NEXT[0]}, "a list of 4 lists"),
        ("hands", [*NEXT[:3], []], "at least one card"),
        ("hands", [*NEXT[:3], ["F"]], "“F” is not a card of this game"),
        ("hands", [["J"], ["J"], ["J"], ["1"]], "the card “J” too often"),
    ],
)
def test_an_impossible_supplied_value_is_refused(name: str, value: Any, sentence: str) -> None:
    with pytest.raises(BadSetup, match=sentence):
        KARRIERE.supply(almost_over(), [(name, value)])


@pytest.mark.parametrize(
    ("hands", "sentence"),
    [
        (split(["1 2", "3 4", "5 6", "7"]), "Seat 3 has too few cards for the exchange. It needs at least 2"),
        ([[str(number) for number in range(1, 14)]] * 4, "These hands are not a real deal"),
    ],
)
def test_a_supplied_deal_that_does_not_fit_the_ranks_is_refused_when_it_is_dealt(hands: Any, sentence: str) -> None:
    state = KARRIERE.supply(almost_over(), [("hands", hands)])
    with pytest.raises(BadSetup, match=sentence):
        run(KARRIERE, state, ENDS)


@GAMES
def test_what_was_drawn_supplied_to_a_game_without_seed_gives_the_same_deal(rules: Rules[State]) -> None:
    after = play_until_deal(rules, rules.start(Config(6), SEED), 2)
    drawn = rules.chance(after).drawn
    assert [name for name, _ in drawn] == ["hands"]
    assert sorted(map(len, drawn[0][1])) == [13] * 5 + [16]
    explicit = rules.start(Config(6, {}, rules.setup_of(rules.start(Config(6), SEED))), NO_SEED)
    replayed = play_until_deal(rules, rules.supply(explicit, drawn), 2)
    assert rules.expected(replayed) == rules.expected(after)
    assert rules.chance(replayed).drawn == drawn


@GAMES
def test_a_settled_state_has_nothing_drawn(rules: Rules[State]) -> None:
    after = play_until_deal(rules, rules.start(Config(4), SEED), 2)
    assert rules.chance(rules.settle(after)) == SEED


@GAMES
@pytest.mark.parametrize("seats", [4, 5, 6, 7, 8])
def test_the_setup_of_a_first_state_needs_no_seed(rules: Rules[State], seats: int) -> None:
    first = rules.start(Config(seats), SEED)
    again = rules.start(Config(seats, {}, rules.setup_of(first)), NO_SEED)
    assert rules.expected(again) == rules.expected(first)
    assert [rules.view(again, seat) for seat in range(seats)] == [rules.view(first, seat) for seat in range(seats)]


def test_the_setup_of_a_setup_is_itself() -> None:
    setup = {
        "order": [1, 0, 3, 2],
        "positions": [2, 1, 4, 3],
        "deals": [{"hands": split(["1 2", "3 4", "5 6", "7 8"])}, {}, {"hands": split(["5", "9", "7", "2 3"])}],
    }
    assert KARRIERE.setup_of(KARRIERE.start(Config(4, {}, setup), NO_SEED)) == setup


def test_each_deal_has_its_own_stream() -> None:
    state = play_until_deal(ANIMAL, ANIMAL.start(Config(4), SEED), 3)
    (_, second), (_, third) = ANIMAL.chance(state).drawn
    assert sorted(second) != sorted(third)


def test_a_later_deal_does_not_depend_on_how_the_earlier_one_was_played() -> None:
    drawn = set()
    for seed in range(5):
        state = play_until_deal(KARRIERE, KARRIERE.start(Config(4), SEED), 2, seed)
        hands = KARRIERE.chance(state).drawn[0][1]
        drawn.add(str([hands[seat] for seat in state.deal.order]))
    assert len(drawn) == 1


FIRST_OF_ZEROS = {
    "order": [0, 1, 2, 3],
    "hands": {
        "0": ["3", "3", "6", "7", "7", "8", "8", "9", "9", "10", "12", "13", "J"],
        "1": ["1", "2", "4", "5", "7", "7", "8", "8", "9", "11", "11", "11", "12"],
        "2": ["1", "2", "2", "3", "4", "4", "5", "5", "5", "6", "10", "12", "13"],
        "3": ["1", "1", "2", "3", "4", "6", "9", "10", "10", "11", "12", "13", "J"],
    },
}


def test_a_first_deal_from_the_seed_word_for_word() -> None:
    state = KARRIERE.start(Config(4), Chance(bytes(32)))
    assert expected(KARRIERE, state, "order", "hands") == FIRST_OF_ZEROS
