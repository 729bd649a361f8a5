"""animal-poker.md: Components; A session; the variant of lazy chaotic numbers."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from games.catalogue.animal_poker.rules import AnimalPoker
from games.catalogue.climbing.rules.cards import write_words
from games.rules.base import BadSetup, Config
from games.rules.chance import Chance
from tests.catalogue.climbing.rules.playouts import play_until_deal
from tests.rules.playing import ANIMAL, SEED, animal, expected, run, split

TEAMS = {
    4: ["ceo", "director", "assistant", "trainee"],
    5: ["ceo", "director", "specialist", "assistant", "trainee"],
    6: ["ceo", "director", "head-of-department", "specialist", "assistant", "trainee"],
    7: ["ceo", "director", "head-of-department", "specialist", "clerk", "assistant", "trainee"],
    8: ["ceo", "director", "head-of-department", "team-lead", "specialist", "clerk", "assistant", "trainee"],
}


def start(seats: int, *, lazy: bool = False, seed: Chance = SEED) -> Any:
    """The first session of an evening."""
    return ANIMAL.start(Config(seats, {"lazy": True} if lazy else {}), seed)


@pytest.mark.parametrize("seats", TEAMS)
def test_jobs_in_play(seats: int) -> None:
    assert ANIMAL.view(start(seats), None)["rank_names"] == TEAMS[seats]


@pytest.mark.parametrize("seats", TEAMS)
def test_components_are_a_set_for_each_player_and_three_freelancers(seats: int) -> None:
    state = start(seats)
    pack = AnimalPoker().pack(state.progress.terms)
    assert Counter(write_words(pack.whole, "F")) == {**{str(number): seats for number in range(1, 14)}, "F": 3}
    dealt = Counter(card for hand in expected(ANIMAL, state, "hands").values() for card in hand)
    assert dealt == Counter(write_words(pack.whole, "F"))


def test_jobs_are_shuffled_and_everyone_starts_with_one() -> None:
    jobs = [expected(ANIMAL, start(4, seed=Chance(bytes([n] * 32))), "jobs") for n in range(60)]
    assert {tuple(sorted(held)) for held in jobs} == {(1, 2, 3, 4)}
    assert {held[0] for held in jobs} == {1, 2, 3, 4}
    assert len({tuple(held) for held in jobs}) > 15


def test_clockwise_from_the_ceo_sit_the_others_in_falling_rank() -> None:
    state = animal("1 1 1", "2 2", "3 3", "4 4 4", ranks=[4, 2, 3, 1])
    assert expected(ANIMAL, state, "order", "jobs") == {"order": [3, 1, 2, 0], "jobs": [4, 2, 3, 1]}


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("seats", TEAMS)
def test_the_trainee_has_sixteen_cards_in_every_session(seats: int, lazy: bool) -> None:
    state = start(seats, lazy=lazy)
    for number in (1, 2):
        state = play_until_deal(ANIMAL, state, number)
        sizes = [expected(ANIMAL, state, "hand_sizes")[seat] for seat in state.deal.order]
        assert sizes == [13] * (seats - 1) + [16]


@pytest.mark.parametrize(
    ("seats", "pairs"),
    [
        (4, {(1, 4): 3, (2, 3): 2}),
        (5, {(1, 5): 3, (2, 4): 2}),
        (6, {(1, 6): 3, (2, 5): 2, (3, 4): 1}),
        (7, {(1, 7): 3, (2, 6): 2, (3, 5): 1}),
        (8, {(1, 8): 3, (2, 7): 2, (3, 6): 1}),
    ],
)
def test_superiors_cash_in_from_the_first_session_on(seats: int, pairs: dict[tuple[int, int], int]) -> None:
    state = start(seats)
    rank = dict(enumerate(expected(ANIMAL, state, "jobs")))
    both_ways = {**pairs, **{(lower, upper): count for (upper, lower), count in pairs.items()}}
    gifts = ANIMAL.view(state, None)["exchanges"]
    assert {(rank[gift["giver"]], rank[gift["taker"]]): gift["count"] for gift in gifts} == both_ways


def test_the_superior_gives_their_lowest_and_gets_the_highest_freelancers_above_all() -> None:
    state = animal("2 3 4 13", "5 6 7", "8 9 10", "1 12 13 F")
    assert expected(ANIMAL, state, "hands") == {
        "0": ["12", "13", "13", "F"],
        "1": ["7", "9", "10"],
        "2": ["5", "6", "8"],
        "3": ["1", "2", "3", "4"],
    }


def test_a_hand_too_small_to_cash_in_is_invalid() -> None:
    with pytest.raises(BadSetup, match=r"Seat 2 has too few cards for the exchange\. It needs at least 2"):
        animal("1 1 1", "2 2", "3", "4 4 4")


def test_the_ceo_starts_the_first_round() -> None:
    assert ANIMAL.to_act(animal("1 1 1", "2 2", "3 3", "4 4 4", ranks=[4, 2, 3, 1])) == (3,)


def test_lazy_numbers_come_from_all_eight_sets() -> None:
    state = start(4, lazy=True)
    most = max(
        Counter(card for hand in expected(ANIMAL, start(4, lazy=True, seed=Chance(bytes([n] * 32))), "hands").values()
                for card in hand if card != "F").most_common(1)[0][1]
        for n in range(20)
    )  # fmt: skip
    assert 4 < most <= 8
    pack = AnimalPoker().pack(state.progress.terms)
    assert Counter(write_words(pack.whole, "F")) == {**{str(number): 8 for number in range(1, 14)}, "F": 3}


def test_without_the_variant_no_number_comes_more_often_than_there_are_players() -> None:
    hands = {"sessions": [{"hands": split(["7 7 7", "7 7", "8 8", "9 9 9"])}], "jobs": [1, 2, 3, 4]}
    with pytest.raises(BadSetup, match=r"the card “7” too often\. The game has only 4"):
        ANIMAL.start(Config(4, {}, hands), SEED)
    assert ANIMAL.start(Config(4, {"lazy": True}, hands), SEED)


def test_jobs_won_are_held_in_the_next_session() -> None:
    state = animal("1 1 1", "2 2", "3 3", "13 13 13", ranks=[4, 2, 3, 1])
    state = ANIMAL.supply(state, [("hands", split(["1 1 1", "2 2 2", "3 3 3", "4 4 4"]))])
    assert expected(ANIMAL, state, "hands") == {
        "0": ["13", "13", "13"],
        "1": ["3", "3"],
        "2": ["2", "2"],
        "3": ["1", "1", "1"],
    }
    state = run(ANIMAL, state, "3: 1 1 1", "1: pass", "2: pass", "0: 13 13 13", "2: 2 2")
    assert expected(ANIMAL, state, "session", "jobs", "order") == {
        "session": 2,
        "jobs": [2, 4, 3, 1],
        "order": [3, 0, 2, 1],
    }
