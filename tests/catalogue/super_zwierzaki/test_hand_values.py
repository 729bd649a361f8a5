"""How many turns hands of Super Zwierzaki need, and what follows for a game of two."""

from __future__ import annotations

import pytest

from games.bots.hints import give_reason
from games.catalogue.super_zwierzaki.bots import reasons
from games.catalogue.super_zwierzaki.bots.hand_values import (
    MAX_CARDS,
    TURNS_MORE,
    count_average_turns,
    count_classes,
    count_discards,
    count_turns,
    count_turns_after_drawing,
    keep_best,
    rate_card,
    solve,
)
from games.catalogue.super_zwierzaki.rules import RULES
from tests.catalogue.super_zwierzaki.rules.playing import make_state
from tests.catalogue.super_zwierzaki.test_bots import choice


def test_cards_are_in_four_classes_by_what_they_can_be_played_on() -> None:
    """A black mamba, a grizzly bear and an emperor penguin; an African lion and a teal go on everything."""
    assert rate_card(4) == rate_card(107) == 1.0
    assert rate_card(49) < rate_card(1) < rate_card(16) < 0.5
    assert count_classes(["49", "1", "16", "4", "107"]) == (1, 1, 1, 2)


def test_the_last_card_counts_most() -> None:
    assert count_turns([]) == 0.0
    assert count_turns(["4"]) == pytest.approx(1.0)
    assert 15 < count_turns(["16"]) < count_turns(["1"]) < count_turns(["49"]) < 40
    assert count_turns(["49", "4"]) < count_turns(["49"])
    assert count_turns(["49", "16"]) < count_turns(["49", "1"])


def test_more_cards_need_more_turns_and_a_drawn_one_is_an_average_one() -> None:
    averages = [count_average_turns(size) for size in range(12)]
    assert averages == sorted(averages)
    assert averages[0] == 0.0
    assert averages[11] - averages[10] == pytest.approx(TURNS_MORE)
    assert count_turns_after_drawing([]) == pytest.approx(averages[1])
    many = ["49"] * MAX_CARDS
    assert count_turns([*many, "49"]) == pytest.approx(count_turns(many) + TURNS_MORE)


def test_no_hand_is_better_by_one_more_turn_of_the_best_play() -> None:
    """Value iteration has come to rest: an average hand of three does not move by a thousandth of a turn."""
    assert solve() is solve()
    assert count_average_turns(3) == pytest.approx(36.4, abs=1.5)


@pytest.mark.parametrize(
    ("function", "count", "left", "gone"),
    [("", 1, 5, 0), ("", 2, 5, 1), ("", 3, 5, 3), ("", 5, 5, 4), ("Pol", 1, 5, 3), ("Pol", 2, 5, 4), ("", 2, 0, 0)],
)
def test_what_a_play_discards(function: str, count: int, left: int, gone: int) -> None:
    assert count_discards(function, count, left) == gone


def test_what_is_hardest_to_play_is_discarded() -> None:
    rest = ["49", "4", "16", "1"]
    keep_best(rest, 2)
    assert rest == ["4", "16"]


def test_a_card_that_is_needed_at_the_end_is_kept() -> None:
    """Only the lion could be played; with it a hand of three ends twice as soon."""
    assert choice(make_state("4 1 3", "5 5 5", top="49")) == {"draw": True}
    assert choice(make_state("4 1", "5 5 5", top="5"))["play"] == "1"


def test_against_many_others_few_cards_count_more_than_the_end() -> None:
    others = ["5 5 5", "6 6 6", "9 9 9", "50 50 50", "52 52 52"]
    assert choice(make_state("4 1 3", *others[:3], top="49")) == {"draw": True}
    assert choice(make_state("4 1 3", *others, top="49")) == {"play": "4"}


def test_a_draw_is_explained_by_what_could_be_played() -> None:
    kept = RULES.view(make_state("4 1 3", "5 5 5", "6 6 6", top="49"), 0)
    assert give_reason("super-zwierzaki", kept, (), {"draw": True}) == reasons.KEEP_FOR_THE_END
    rare = RULES.view(make_state("50 1 3", "5 5 5", "6 6 6", top="49"), 0)
    assert give_reason("super-zwierzaki", rare, (), {"draw": True}) == reasons.BALANCE
    none = RULES.view(make_state("1 3", "5 5 5", "6 6 6", top="49"), 0)
    assert give_reason("super-zwierzaki", none, (), {"draw": True}) == reasons.CANNOT_PLAY


@pytest.mark.parametrize(
    ("hand", "top", "played"),
    [("4 49 61", "49", "49"), ("1 1 39 3", "25", {"play": "1", "n": 2})],
    ids=["what is hardest to play", "two at once"],
)
def test_what_is_played_first_against_several_others(hand: str, top: str, played: object) -> None:
    move = choice(make_state(hand, "6 6 6", "9 9 9", "52 52 52", top=top))
    assert move == (played if isinstance(played, dict) else {"play": played})


@pytest.mark.parametrize(("hand", "reason"), [("49 16 5", reasons.ONLY_PLAY), ("49 49 5", reasons.BALANCE)])
def test_the_only_card_that_can_be_played_is_called_so(hand: str, reason: object) -> None:
    """Of two copies neither is the only one."""
    view = RULES.view(make_state(hand, "6 6 6", "9 9 9", "52 52 52", top="50"), 0)
    assert give_reason("super-zwierzaki", view, (), {"play": "49"}) == reason
