"""A worker that is killed between any two statements to the database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.db import connection, transaction

from tests.cast import as_other_process


class Killed(BaseException):
    """Raised where a process is killed."""


@contextmanager
def killed_before(number: int) -> Iterator[list[int]]:
    """Be killed before this statement, the first being 1. What it yields grows by one when that happens."""
    count, died = 0, []

    def watch(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal count
        if "SAVEPOINT" not in sql:
            count += 1
            if count == number:
                died.append(number)
                raise Killed
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch), suppress(Killed):
        yield died


def act_while_killed(act: Callable[[], object], sweep: Callable[[], object], *, before: Callable[[], object]) -> None:
    """Act, killed before the first, second, third … statement: it has happened wholly or not at all, as the sweeper
    leaves it; and once, when the button is pressed again. sweep, before: what is so after the sweeper, and at first.
    """

    def run(number: int) -> tuple[bool, object]:
        point = transaction.savepoint()
        with killed_before(number) as died:
            as_other_process(act)
        swept = as_other_process(sweep)
        as_other_process(act)
        again = as_other_process(sweep)
        transaction.savepoint_rollback(point)
        if number:
            assert swept in (at_first, after), number
        return bool(died), again

    at_first = as_other_process(before)
    after = run(0)[1]
    is_killed, number = True, 0
    while is_killed:
        number += 1
        is_killed, seen = run(number)
        assert seen == after, number
    assert number > 5
    assert at_first != after
