"""The order of tests where several workers share them (`pytest -n 5 --dist worksteal`).

Each worker begins with an equal number of tests in a row, and later takes tests from the end of another's. Tests that
start servers and browsers take most of the time, a good part of it without the processor. As the folders come they
would nearly all be one worker's, and be left over in the end, when the others have nothing to do beside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

import pytest

BROWSER = "tests/browser/"
"""These share a server and a browser, as long as no other test comes between."""


def order_for_workers(items: Sequence[pytest.Item], workers: int) -> list[pytest.Item]:
    """The same tests in the order in which they are shared out.

    Half of the workers begin with what is served, dealt by module, the others with what is slow by itself; then, for
    all of them, comes the rest, which is short: so nobody is left with a long test in the end.
    """
    if workers < 2:
        return list(items)
    served = [item for item in items if item.get_closest_marker("served")]
    slow = [item for item in items if item.get_closest_marker("slow") and not item.get_closest_marker("served")]
    begun = {*served, *slow}
    rest = [item for item in items if item not in begun]
    rows = [*_deal(slow, workers // 2), *_deal(served, workers - workers // 2)]
    ordered: list[pytest.Item] = []
    for number, row in enumerate(rows):
        share = (len(items) - len(ordered)) // (workers - number) - len(row)  # as xdist counts it
        share = max(0, share) if number < workers - 1 else len(rest)
        ordered += [*row, *rest[:share]]
        del rest[:share]
    return ordered


def _deal(items: Iterable[pytest.Item], hands: int) -> list[list[pytest.Item]]:
    """The tests in so many rows, whole modules each; those in the browser come first."""
    modules = [list(tests) for _module, tests in groupby(items, lambda item: item.path)]
    modules.sort(key=lambda tests: not tests[0].nodeid.startswith(BROWSER))
    return [[item for module in modules[hand::hands] for item in module] for hand in range(hands)]
