"""The package as the flow uses it."""

from __future__ import annotations

from tournaments import draw


def test_it_draws_more_than_once() -> None:
    """A module of the function's name would take its place with the first draw."""
    problem = draw.Problem(tuple(draw.Entrant(name) for name in "abcd"), wanted=4, min_size=4, max_size=4)
    assert [len(draw.solve(problem).pods) for _ in range(2)] == [1, 1]
