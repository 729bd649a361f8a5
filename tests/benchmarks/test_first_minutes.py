"""Figures of pages on a slow phone: how much they jump, and what is claimed of the worst of them."""

from __future__ import annotations

import pytest

from benchmarks.load.slow_phone import Vitals, find_shift
from benchmarks.tables.first_minutes import FirstMinutes, list_claims, write_row


@pytest.mark.parametrize(
    ("shifts", "most"),
    [
        ([], 0.0),
        ([(100, 0.25), (900, 0.25)], 0.5),
        ([(100, 0.25), (1200, 0.5), (1300, 0.125)], 0.625),  # a gap of more than a second begins anew
        ([(900 * k, 0.125) for k in range(8)], 0.75),  # six of them within five seconds
    ],
)
def test_shifts_are_summed_within_windows(shifts: list[tuple[float, float]], most: float) -> None:
    assert find_shift(shifts) == most


def make_vitals(*, lcp: float = 1000, cls: float = 0, inp: float = 50) -> Vitals:
    return Vitals(lcp, 2000, cls, 9, inp, 2 * inp, "click go")


def test_the_worst_page_decides() -> None:
    rows = [
        FirstMinutes("one", 3, 4, 5, 60, 80, 8, make_vitals(lcp=2600), make_vitals(inp=150), 5, make_vitals()),
        FirstMinutes("two", 3, 4, 5, 60, 80, 8, make_vitals(), make_vitals(cls=0.2, inp=90), 5, make_vitals()),
    ]
    assert [(claim.value, claim.verdict) for claim in list_claims(rows)] == [
        (150, "reached"),
        (2600, "MISSED"),
        (0.2, "MISSED"),
    ]
    assert "INP p75 150 ms, worst 300 ms (click go) of 9 in 5 turns" in write_row(rows[0])
