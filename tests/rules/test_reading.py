"""Untrusted values: what counts as a whole number, a list, a permutation; and the sentences that set-ups share."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules import options, reading
from games.rules.base import BadSetup


@pytest.mark.parametrize(
    ("value", "is_whole"),
    [
        *((0, True), (3, True), (-1, False), (4, False), (10**40, False), (True, False), (False, False)),
        *((1.0, False), (float("nan"), False), ("1", False), (None, False), ([1], False)),
    ],
)
def test_a_whole_number_is_neither_a_truth_nor_a_fraction(value: Any, is_whole: bool) -> None:
    assert reading.is_whole(value, 0, 3) is is_whole


@pytest.mark.parametrize(
    ("value", "is_list"),
    [([0, 1], True), ((0, 1), True), ([0], False), ([], False), ("01", False), ({0: 0, 1: 1}, False), (None, False)],
)
def test_a_list_has_its_size_and_is_no_text(value: Any, is_list: bool) -> None:
    assert reading.is_list(value, 2) is is_list


@pytest.mark.parametrize(
    ("value", "is_permutation"),
    [
        *(([2, 0, 1], True), ([0, 1], False), ([0, 1, 1], False), ([0, 1, 3], False), ([False, True, 2], False)),
        *(([0.0, 1.0, 2.0], False), (["0", "1", "2"], False), ([[0], 1, 2], False), ("012", False), (None, False)),
    ],
)
def test_a_permutation_has_each_number_once(value: Any, is_permutation: bool) -> None:
    assert reading.is_permutation(value, range(3)) is is_permutation


@pytest.mark.parametrize(
    ("read", "sentence"),
    [
        (lambda: reading.read_keys([], ("deck",)), "“setup” must be an object."),
        (
            lambda: reading.read_keys({"d" * 90: 1}, ("deck", "top")),
            f"“setup” has no key “{'d' * 40}”. It can have: deck, top.",
        ),
        (
            lambda: reading.read_permutation([0, 0], range(2), "order"),
            "“order” must contain each number from 0 to 1 exactly once.",
        ),
        (lambda: reading.read_count(True, "round", 1, 9), "“round” must be a whole number from 1 to 9."),
        (lambda: reading.read_hands([[]], 2), "“hands” must be a list of 2 lists of cards, one for each seat."),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_sentence(read: Any, sentence: str) -> None:
    with pytest.raises(BadSetup) as refused:
        read()
    assert str(refused.value) == sentence


def test_an_option_of_a_game_without_any_is_refused_without_an_empty_list() -> None:
    with pytest.raises(BadSetup) as refused:
        options.check_option_names({"deals": 3}, ())
    assert str(refused.value) == "There is no option “deals”. This game has no options."
