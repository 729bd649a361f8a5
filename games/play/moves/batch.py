"""Several pieces of work whose changes are written in one transaction, each accepted or refused by itself.

They are decided one after the other on what this process remembers, and written at one go. Where that
was old, or where two of them are about one table, the work is done again by itself: nothing of it had
been written.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from django.db import DatabaseError, IntegrityError

from games.play.errors import Busy
from games.play.moves import submission
from games.play.storage import store
from games.play.storage.store import Alone
from games.play.storage.table_writes import Change


class Result(NamedTuple):
    """What became of a piece of work."""

    value: Any = None
    error: Exception | None = None


class _Decided(NamedTuple):
    """Work that is decided and not yet written. result: None if it must be done by itself."""

    work: Callable[[], Any]
    result: Result | None
    changes: Sequence[Change]


def do_batch(works: Sequence[Callable[[], Any]]) -> list[Result]:
    """What each gives or raises, in their order; what they changed is durable."""
    if len(works) == 1:
        return [_try(works[0])]
    noted: list[Change] = []
    decided = [_decide(work, noted) for work in works]
    began = time.monotonic()
    try:
        # In one order everywhere: two processes must not wait for each other's rows.
        moved = store.save(sorted(noted, key=lambda change: change.after.id)) if noted else frozenset()
    except IntegrityError:
        moved = frozenset()
    except DatabaseError:
        busy = Busy("The club's database could not save this. Nothing was changed; try again in a moment.")
        decided = [one._replace(result=Result(error=busy), changes=()) if one.changes else one for one in decided]
        moved = frozenset()
    if (waited := time.monotonic() - began) >= submission.LONG:
        for change in noted:
            if change.after.id in moved:
                submission.give_back(change.before, change.after, waited)
    return [_finish(one, moved) for one in decided]


def _decide(work: Callable[[], Any], noted: list[Change]) -> _Decided:
    first = len(noted)
    try:
        with store.gather(noted):
            result = _try(work)
    except Alone:
        del noted[first:]
        return _Decided(work, None, ())
    return _Decided(work, result, noted[first:])


def _finish(one: _Decided, moved: frozenset[str]) -> Result:
    is_written = all(change.after.id in moved for change in one.changes)
    return one.result if one.result is not None and is_written else _try(one.work)


def _try(work: Callable[[], Any]) -> Result:
    try:
        return Result(value=work())
    except Alone:
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, it is raised where the work was given
        return Result(error=error)
