"""The memo is bounded, never goes back to an older version, and is cleared all at once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from games import memo
from games.memo import DerivedValues, Memo


def test_what_was_used_longest_ago_goes_first() -> None:
    numbers: Memo[str, int] = Memo("numbers", 2)
    numbers.put("a", 1)
    numbers.put("b", 2)
    assert numbers.get("a") == 1
    numbers.put("c", 3)
    assert [numbers.get(key) for key in "abc"] == [1, None, 3]
    assert len(numbers) == 2


def test_an_older_version_replaces_no_newer_one() -> None:
    rows: Memo[str, tuple[int, str]] = Memo("rows", 2, version_of=lambda row: row[0])
    assert rows.put("a", (2, "new")) == (2, "new")
    assert rows.put("a", (1, "old")) == (2, "new")
    assert rows.put("a", (2, "again")) == (2, "again")
    assert rows.get("a") == (2, "again")


def test_a_value_is_made_once_and_a_failure_is_not_remembered() -> None:
    numbers: Memo[str, int] = Memo("numbers", 2)
    made = iter([1, 2])
    with pytest.raises(ZeroDivisionError):
        numbers.get_or_make("a", lambda: 1 // 0)
    assert [numbers.get_or_make("a", lambda: next(made)) for _ in range(2)] == [1, 1]


def test_a_key_is_dropped_alone() -> None:
    numbers: Memo[str, int] = Memo("numbers", 2)
    numbers.put("a", 1)
    numbers.put("b", 2)
    numbers.drop("a")
    numbers.drop("nothing")
    assert [numbers.get(key) for key in "ab"] == [None, 2]


def test_every_memo_is_emptied_at_once() -> None:
    one: Memo[str, int] = Memo("one", 2)
    other: Memo[str, int] = Memo("other", 2)
    one.put("a", 1)
    other.put("b", 2)
    memo.forget_all()
    assert (one.get("a"), other.get("b"), len(one), len(other)) == (None, None, 0, 0)


def test_no_two_have_the_same_name() -> None:
    numbers: Memo[str, int] = Memo("numbers", 2)
    with pytest.raises(ValueError, match="there is a memo called 'numbers' already"):
        Memo(numbers.name, 2)


def test_many_threads_leave_it_bounded_and_whole() -> None:
    numbers: Memo[int, int] = Memo("numbers", 50)
    derived = DerivedValues()
    derived._values = type(derived._values)(50)
    barrier = Barrier(4)

    def work(first: int) -> None:
        barrier.wait(60)
        for key in range(first, first + 4_000):
            assert numbers.get_or_make(key % 90, lambda key=key: key % 90) == key % 90  # type: ignore[misc]
            assert derived.get(key % 90, (numbers,), lambda key=key: key % 90) == key % 90  # type: ignore[misc]

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(0, 40, 10)))
    assert (len(numbers), derived._values.currsize, len(derived._values)) == (50, 50, 50)


def fail_if_called() -> int:
    raise AssertionError


@pytest.mark.parametrize(
    ("made_of", "is_same"),
    [
        (lambda row, other: (row, other), True),
        (lambda row, other: (other, row), False),
        (lambda row, other: (row, list(other)), False),
        (lambda row, other: (row,), False),
        (lambda row, other: (row, other, row), False),
    ],
    ids=["the same", "in another order", "an equal one", "one fewer", "one more"],
)
def test_what_was_derived_holds_for_the_very_same_rows(
    made_of: Callable[[object, list[int]], tuple[object, ...]], is_same: bool
) -> None:
    row, other, derived = object(), [1], DerivedValues()
    assert derived.get("sum", (row, other), lambda: 1) == 1
    given = made_of(row, other)
    assert derived.get("sum", given, fail_if_called if is_same else lambda: 2) == (1 if is_same else 2)
    assert derived.peek("sum") == (given, 1 if is_same else 2)
    assert derived.peek("nothing") is None
