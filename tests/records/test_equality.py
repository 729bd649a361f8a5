"""Equality of JSON values."""

from __future__ import annotations

from typing import Any

import pytest

from games.records.equality import is_same


@pytest.mark.parametrize(
    ("actual", "wanted"),
    [
        (1, 1),
        (1, 1.0),
        (True, True),
        (None, None),
        ("7", "7"),
        ([], []),
        ((1, (2,)), [1, [2]]),
        ({0: [1], 1: []}, {"1": [], "0": [1]}),
    ],
)
def test_same(actual: Any, wanted: Any) -> None:
    assert is_same(actual, wanted)


@pytest.mark.parametrize(
    ("actual", "wanted"),
    [
        (1, True),
        (True, 1),
        (0, False),
        (0, None),
        (False, None),
        ("7", 7),
        ([], {}),
        ({}, []),
        ([], None),
        ([1, 2], [2, 1]),
        ([1], [1, 1]),
        ([1], 1),
        ("ab", ["a", "b"]),
        ({"0": 1}, {"0": 1, "1": 1}),
        ({"0": 1}, {"0": True}),
        ({"0": 1}, {"1": 1}),
    ],
)
def test_not_same(actual: Any, wanted: Any) -> None:
    assert not is_same(actual, wanted)
