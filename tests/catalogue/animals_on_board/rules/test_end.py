"""animals-on-board.md: End; the bell."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.catalogue.animals_on_board.rules.scoring import appraise, rank_scores
from games.catalogue.animals_on_board.rules.tiles import KINDS
from games.rules.base import IllegalMove
from tests.catalogue.animals_on_board.rules.positions import RULES, begin_game, position, read_expected_keys, run

NINE = "fox-1 fox-2 fox-3 lion-1 lion-2 lion-3 panda-1 panda-2 panda-3"


def test_the_game_is_over_at_the_end_of_a_round_in_which_someone_owns_ten() -> None:
    state = position([NINE, ""], ["tiger-1", "tiger-2"])
    state = run(state, "0: take 1")
    assert read_expected_keys(state, "over", "tile_counts") == {"over": False, "tile_counts": [10, 0]}
    state = run(state, "1: take 2")
    assert read_expected_keys(state, "over", "to_act", "scores") == {"over": True, "to_act": [], "scores": [46, 2]}


def test_nine_tiles_are_not_enough() -> None:
    eight = NINE.rpartition(" ")[0]
    state = run(position([eight, ""], ["tiger-1", "tiger-2"]), "0: take 1", "1: take 2")
    assert read_expected_keys(state, "over", "tile_counts", "round") == {
        "over": False,
        "tile_counts": [9, 1],
        "round": 2,
    }


def test_exactly_two_of_a_species_are_returned() -> None:
    assert appraise(["fox-4", "fox-5", "lion-2"]) == ((("fox-4", "fox-5")), (), ("lion-2",), (), 2)


def test_a_single_animal_scores_its_number_a_herd_five_a_tile() -> None:
    worth = appraise(["fox-1", "fox-2", "fox-3", "lion-1", "lion-2", "lion-3", "lion-5", "tiger-4"])
    assert worth.herds == (("fox-1", "fox-2", "fox-3"), ("lion-1", "lion-2", "lion-3", "lion-5"))
    assert (worth.singles, worth.points, worth.species) == (("tiger-4",), 39, 3)


def test_each_crate_left_scores_one() -> None:
    state = run(
        position(["fox-4", "lion-2"], ["tiger-1", "tiger-2"], crates=[5, 3], stack=""), "0: take 1", "1: take 2"
    )
    assert read_expected_keys(state, "scores") == [4 + 1 + 4, 2 + 2 + 2]


def test_after_pairs_more_than_ten_are_reduced_to_the_best_ten() -> None:
    ark = f"{NINE} tiger-1 zebra-5".split()
    worth = appraise(ark)
    assert (worth.surplus, worth.points, worth.species) == (("tiger-1",), 50, 4)


def test_pairs_go_first_and_leave_no_surplus() -> None:
    worth = appraise(f"{NINE} tiger-1 tiger-5 zebra-5".split())
    assert (worth.pairs, worth.surplus, worth.points) == (("tiger-1", "tiger-5"), (), 50)


def test_no_species_may_be_left_with_exactly_two() -> None:
    ark = [f"{one}-{number}" for one in ("fox", "lion", "panda", "tiger") for number in (1, 2, 3)]
    worth = appraise(ark)
    assert [len(herd) for herd in worth.herds] == [3, 3, 3]
    assert (worth.singles, worth.surplus, worth.points) == (("fox-3",), ("fox-1", "fox-2"), 48)


def test_on_equal_points_most_species_are_kept() -> None:
    ark = [f"{one}-{number}" for one in ("fox", "lion") for number in (1, 2, 3, 4, 5)] + ["tiger-5"]
    worth = appraise(ark)
    assert (worth.points, worth.species, worth.singles) == (50, 3, ("tiger-5",))
    assert len(worth.surplus) == 1


def test_a_species_that_does_not_sail_is_not_counted() -> None:
    ark = [f"{one}-{number}" for one in ("fox", "lion") for number in (1, 2, 3, 4, 5)] + ["crocodile-5"]
    worth = appraise(ark)
    assert (worth.points, worth.species, worth.singles) == (50, 3, ("crocodile-5",))


def best_by_trying(ark: list[str]) -> tuple[int, int]:
    """Points and species of the best ten, every choice tried."""
    counts: dict[str, list[str]] = {}
    for tile in ark:
        counts.setdefault(KINDS[tile][0], []).append(tile)
    left = [tile for tiles in counts.values() if len(tiles) != 2 for tile in tiles]
    found = []
    for kept in combinations(left, min(10, len(left))):
        kinds: dict[str, list[int]] = {}
        for tile in kept:
            kinds.setdefault(KINDS[tile][0], []).append(KINDS[tile][1])
        if all(len(numbers) != 2 for numbers in kinds.values()):
            points = sum(numbers[0] if len(numbers) == 1 else 5 * len(numbers) for numbers in kinds.values())
            found.append((points, len(kinds)))
    return max(found)


@settings(max_examples=60, deadline=None)
@given(ark=st.lists(st.sampled_from(list(KINDS)[:25]), min_size=1, max_size=13, unique=True))
def test_the_program_chooses_the_highest_score_then_most_species(ark: list[str]) -> None:
    worth = appraise(ark)
    assert (worth.points, worth.species) == best_by_trying(ark)
    herds = [tile for herd in worth.herds for tile in herd]
    assert sorted([*worth.pairs, *worth.surplus, *worth.singles, *herds]) == sorted(ark)
    assert len(worth.singles) + len(herds) == min(10, len(ark) - len(worth.pairs))


@pytest.mark.parametrize(
    ("scores", "species", "places"),
    [
        ((9, 7, 8), (1, 1, 1), (1, 3, 2)),
        ((8, 8, 7), (2, 3, 1), (2, 1, 3)),
        ((8, 8, 7), (3, 3, 1), (1, 1, 3)),
        ((5, 5, 5, 5), (1, 1, 1, 1), (1, 1, 1, 1)),
    ],
)
def test_most_points_win_then_more_species_then_it_is_shared(
    scores: tuple[int, ...], species: tuple[int, ...], places: tuple[int, ...]
) -> None:
    assert rank_scores(scores, species) == places


def test_species_are_counted_after_the_return_and_arks_stay_as_owned() -> None:
    state = position(["fox-1 fox-2 lion-5", "tiger-3 panda-1"], ["zebra-1", "zebra-2"], stack="")
    state = run(state, "0: take 1", "1: take 2")
    assert read_expected_keys(state, "species_counts", "scores") == {"species_counts": [2, 3], "scores": [6, 6]}
    assert read_expected_keys(state, "arks")["0"] == ["fox-1", "fox-2", "lion-5", "zebra-1"]
    assert RULES.outcome(state) == ((2, 1), (6, 6))


def test_at_the_end_everybody_sees_all_arks_and_what_they_are_worth() -> None:
    state = position(["fox-1 fox-2 lion-5", ""], ["zebra-1", "zebra-2"], crates=[2, 1], stack="")
    view = RULES.view(run(state, "0: take 1", "1: take 2"), None)
    assert view["loads"][0] == {
        "pairs": ["fox-1", "fox-2"],
        "surplus": [],
        "singles": ["lion-5", "zebra-1"],
        "herds": [],
        "species": 2,
        "points": 6,
        "crates": 1,
        "score": 7,
    }
    assert (view["places"], view["scores"]) == ([1, 2], [7, 2])


def test_what_an_ark_is_worth_now_is_known_to_its_owner() -> None:
    state = position(["fox-1 fox-2 fox-3 lion-5", ""], ["tiger-1"], crates=[2, 1])
    assert RULES.view(state, 0)["load"]["score"] == 22
    assert RULES.view(state, 1)["load"]["score"] == 1


def test_the_bell_lets_the_running_round_be_finished() -> None:
    state = run(position(["", ""], ["fox-1", "lion-2", "tiger-1"]), "time-up")
    assert read_expected_keys(state, "over", "to_act") == {"over": False, "to_act": [0]}
    state = run(state, "0: take 1", "1: take 2")
    assert read_expected_keys(state, "over", "round", "scores") == {"over": True, "round": 1, "scores": [1, 2]}


def test_while_tiles_are_chosen_the_bell_makes_round_one_the_last() -> None:
    state = run(begin_game(2), "time-up", "turn")
    assert read_expected_keys(state, "round", "over") == {"round": 1, "over": False}
    for _ in range(200):
        if read_expected_keys(state, "over"):
            break
        state = run(state, "turn")
    assert read_expected_keys(state, "round") == 1


def test_a_second_bell_changes_nothing_and_after_the_end_it_is_refused() -> None:
    once = run(position(["", ""], ["fox-1", "lion-2"], stack=""), "time-up")
    assert RULES.on_clock(once, {"clock": "time-up"}) == (once, ())
    over = run(once, "0: take 1", "1: take 2")
    for event in ("time-up", "turn"):
        with pytest.raises(IllegalMove, match="The game is over"):
            run(over, event)
    with pytest.raises(IllegalMove, match="The game is over"):
        run(over, "0: take 1")


def test_the_bell_of_a_round_without_drops_ends_the_game_when_all_have_forfeited() -> None:
    state = run(position(["", ""], ["fox-1"], crates=[0, 0]), "time-up", "0: forfeit", "1: forfeit")
    assert read_expected_keys(state, "over") is True
