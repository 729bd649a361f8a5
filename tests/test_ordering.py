"""Tests are shared out so that waiting and computing go side by side, and nothing is lost or run twice."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.ordering import BROWSER, order_for_workers


@dataclass(eq=False)
class Item:
    """A test as far as it is looked at."""

    nodeid: str
    path: Path
    marks: tuple[str, ...]

    def get_closest_marker(self, name: str) -> str | None:
        """Something, where it has this mark."""
        return name if name in self.marks else None


def make_item(module: str, number: int, *marks: str) -> Any:
    """The test of this number in a module."""
    return Item(f"{module}::test_{number}", Path(module), marks)


def make_items() -> list[Any]:
    """Two hundred tests by folder, as pytest collects them."""
    browser = [make_item(f"{BROWSER}test_{module}.py", number, "served") for module in "abcd" for number in range(5)]
    short = [make_item(f"tests/rules/test_{module}.py", number) for module in "abcdef" for number in range(20)]
    serving = [
        make_item(f"tests/serving/test_{module}.py", number, "served") for module in "ab" for number in range(10)
    ]
    slow = [make_item("tests/test_slow.py", number, "slow") for number in range(40)]
    return [*browser, *short, *serving, *slow]


@pytest.mark.parametrize("workers", range(1, 9))
def test_nothing_is_lost(workers: int) -> None:
    items = make_items()
    ordered = order_for_workers(items, workers)
    assert sorted(item.nodeid for item in ordered) == sorted(item.nodeid for item in items)


def test_one_process_keeps_the_order() -> None:
    items = make_items()
    assert order_for_workers(items, 1) == items


def test_half_of_the_workers_begin_with_servers_and_all_end_with_what_is_short() -> None:
    items = make_items()
    ordered = order_for_workers(items, 4)
    shares = [ordered[start : start + 50] for start in range(0, 200, 50)]
    firsts = [share[0].nodeid.partition("::")[0] for share in shares]
    assert firsts == ["tests/test_slow.py", "tests/rules/test_a.py", f"{BROWSER}test_a.py", f"{BROWSER}test_b.py"]
    assert all(share[-1].path.parts[1] == "rules" for share in shares)


def test_modules_stay_together_and_so_do_browser_tests() -> None:
    for share in (make_items(), order_for_workers(make_items(), 4)[100:150]):
        served = [item for item in share if item.get_closest_marker("served")]
        places = [item.nodeid.startswith(BROWSER) for item in served]
        assert places == sorted(places, reverse=True)
        modules = [item.path for item in served]
        assert sum(one != other for one, other in pairwise(modules)) == len(set(modules)) - 1
