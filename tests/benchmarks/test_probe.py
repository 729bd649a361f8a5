"""Figures of benchmarks follow from their measurements."""

from __future__ import annotations

import pytest

from benchmarks.load.probe import percentile


@pytest.mark.parametrize(("part", "value"), [(0.5, 3.0), (0.95, 9.0), (0, 1.0), (1, 9.0)])
def test_a_percentile_is_the_same_in_whatever_order_the_values_came(part: float, value: float) -> None:
    assert percentile([9.0, 1.0, 4.0, 3.0, 2.0], part) == value
    assert percentile([], part) == 0
