"""Several jobs whose changes are written in one transaction, each accepted or refused by itself.

They run one after the other on the tables that this process remembers, and their changes are written together. A job
that used an outdated table, or a table of another job, runs again by itself: nothing of it was written.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from django.db import DatabaseError, IntegrityError

from games.play.errors import Busy
from games.play.moves import submission
from games.play.storage import store
from games.play.storage.store import NotBatchable
from games.play.storage.table_writes import Change


class BatchResult(NamedTuple):
    """What a job returned or raised."""

    value: Any = None
    error: Exception | None = None


class _PreparedJob(NamedTuple):
    """A job whose changes are not yet written. result: None if it must run by itself."""

    job: Callable[[], Any]
    result: BatchResult | None
    changes: Sequence[Change]


def run_batch(jobs: Sequence[Callable[[], Any]]) -> list[BatchResult]:
    """What each job returns or raises, in order; their changes are durable."""
    if len(jobs) == 1:
        return [_run_job(jobs[0])]
    changes: list[Change] = []
    decided = [_prepare(job, changes) for job in jobs]
    began = time.monotonic()
    try:
        # In one order everywhere: two processes must not wait for each other's rows.
        moved = store.save(sorted(changes, key=lambda change: change.after.id)) if changes else frozenset()
    except IntegrityError:
        moved = frozenset()
    except DatabaseError:
        busy = Busy("The database could not save this. Nothing was changed. Try again in a moment.")
        decided = [
            result._replace(result=BatchResult(error=busy), changes=()) if result.changes else result
            for result in decided
        ]
        moved = frozenset()
    if (waited := time.monotonic() - began) >= submission.SLOW_SECONDS:
        for change in changes:
            if change.after.id in moved:
                submission.return_lost_time(change.before, change.after, waited)
    return [_finish(result, moved) for result in decided]


def _prepare(job: Callable[[], Any], changes: list[Change]) -> _PreparedJob:
    first = len(changes)
    try:
        with store.collect_changes(changes):
            result = _run_job(job)
    except NotBatchable:
        del changes[first:]
        return _PreparedJob(job, None, ())
    return _PreparedJob(job, result, changes[first:])


def _finish(prepared: _PreparedJob, moved: frozenset[str]) -> BatchResult:
    is_written = all(change.after.id in moved for change in prepared.changes)
    return prepared.result if prepared.result is not None and is_written else _run_job(prepared.job)


def _run_job(job: Callable[[], Any]) -> BatchResult:
    try:
        return BatchResult(value=job())
    except NotBatchable:
        raise
    except Exception as error:  # noqa: BLE001 - it is raised where the job was submitted
        return BatchResult(error=error)
