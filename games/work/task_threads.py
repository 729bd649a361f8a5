"""Threads for slow tasks, so that bots and clocks never wait for them.

A worker has few threads, and the embedded worker has one. A draw, the rating of a thousand results or a webhook that
does not answer would stop every game for as long as it takes. So the message of such a task only puts it into one of
several in-process queues with threads of their own. Jobs lost with the process are found again by the sweepers.
"""

from __future__ import annotations

import itertools
import logging
import threading
from collections.abc import Hashable
from contextvars import Context, copy_context
from functools import cache
from queue import SimpleQueue
from typing import Any, NamedTuple

from celery import Task
from django.db import connection

from games.operation import metrics

logger = logging.getLogger(__name__)


JOBS_A_CONNECTION = 1000
"""Jobs for which a thread keeps its connection to SQLite: opening one takes longer than many jobs."""


class _Job(NamedTuple):
    """A task and its arguments."""

    task: Any
    args: tuple[Hashable, ...]


class TaskQueue:
    """Runs jobs in `threads` threads. A job that is queued already is not queued twice.

    The same job never runs twice at a time: requested while it runs, it runs again after the others.
    """

    def __init__(self, name: str, threads: int = 1) -> None:
        self._jobs: SimpleQueue[_Job] = SimpleQueue()
        self._waiting: set[_Job] = set()
        self._under_way: set[_Job] = set()
        self._contexts: dict[_Job, Context] = {}
        """The log context of each waiting job: its lines belong to the request that queued it first."""
        self._lock = threading.Lock()
        for number in range(threads):
            threading.Thread(target=self._work, name=f"{name}-{number}", daemon=True).start()

    def put(self, task: Any, args: tuple[Hashable, ...]) -> None:
        """Queue a job."""
        job = _Job(task, args)
        with self._lock:
            if job in self._waiting:
                return
            self._waiting.add(job)
            self._contexts[job] = copy_context()
            if job not in self._under_way:
                self._jobs.put(job)

    def _work(self) -> None:
        for count in itertools.count(1):
            job = self._jobs.get()
            with self._lock:
                self._waiting.discard(job)
                self._under_way.add(job)
                context = self._contexts.pop(job)
            context.run(self._run, job)
            if connection.vendor != "sqlite" or connection.errors_occurred or not count % JOBS_A_CONNECTION:
                connection.close()  # one to PostgreSQL can break while nothing is done, and goes back to its pool
            self._end_job(job)

    def _run(self, job: _Job) -> None:
        try:
            job.task.run(*job.args)
        except Exception:
            logger.exception("%s", job.task.name)
            metrics.note_task_error(job.task.name)

    def _end_job(self, job: _Job) -> None:
        with self._lock:
            self._under_way.discard(job)
            if job in self._waiting:
                self._jobs.put(job)


@cache
def _get_queue(name: str, threads: int) -> TaskQueue:
    return TaskQueue(name, threads)


_Task: Any = Task


class ThreadedTask(_Task):  # type: ignore[misc]
    """A task that a worker hands to the threads of its queue; called directly it runs at once."""

    abstract = True
    queue_name = "default"
    """Name of its queue. Tasks of one queue wait for each other."""
    threads = 1
    """Jobs of the queue that run at a time."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run it, or queue it."""
        if self.request.called_directly or self.request.is_eager:
            return self.run(*args, **kwargs)
        _get_queue(self.queue_name, self.threads).put(self, args)
        return None


class SweeperTask(ThreadedTask):
    """Queue of the sweepers, which run every second what is due, undisturbed by slower tasks."""

    abstract = True
    queue_name = "watching"


class ComputationTask(ThreadedTask):
    """Queue for computations somebody waits for, kept short; slow ones belong to `LongTask`."""

    abstract = True
    queue_name = "reckoning"


class LongTask(ThreadedTask):
    """Queue for tasks that may take minutes and report their progress."""

    abstract = True
    queue_name = "lasting"


class OutgoingTask(ThreadedTask):
    """Queue for requests to other machines, four at a time as they mostly wait."""

    abstract = True
    queue_name = "outgoing"
    threads = 4


class OutgoingRetryTask(OutgoingTask):
    """As `OutgoingTask`, for machines that did not answer the last time, so that they do not delay the others."""

    abstract = True
    queue_name = "doubtful"
    threads = 2


class NoticeTask(ThreadedTask):
    """Queue for sending notifications, a push service at a time; ten thousand of them must delay nothing else."""

    abstract = True
    queue_name = "notices"
    threads = 4


class NoticeRetryTask(ThreadedTask):
    """As `NoticeTask`, for push services that did not answer the last time, so that they do not delay the others."""

    abstract = True
    queue_name = "doubtful-notices"
    threads = 2


class NoticeSearchTask(ThreadedTask):
    """Queue for finding out whom to notify, undisturbed by the sending."""

    abstract = True
    queue_name = "notice-search"
