"""Tasks that may take their time, in threads of their own: bots and clocks, which may not, wait for none of them.

A worker has few threads, and the one process without services has one. A draw that is worked out, a thousand results
that are counted, a webhook that does not answer: each of these would stop every game under way for as long as it
takes. So such a task only takes its place in a line, of which a worker has one for each kind. Whatever is lost with
the process the sweepers find again, as with every message.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Hashable
from functools import cache
from queue import SimpleQueue
from typing import Any, NamedTuple

from celery import Task
from django.db import connection

logger = logging.getLogger(__name__)


class _Job(NamedTuple):
    """A task, and what it was sent with."""

    task: Any
    args: tuple[Hashable, ...]


class Line:
    """Does one job after the other, or a few at a time; what waits already is not put there twice.

    Never the same job at once: whoever asks for it while it is being done has it done again, after the others.
    """

    def __init__(self, name: str, threads: int = 1) -> None:
        self._jobs: SimpleQueue[_Job] = SimpleQueue()
        self._waiting: set[_Job] = set()
        self._under_way: set[_Job] = set()
        self._lock = threading.Lock()
        for number in range(threads):
            threading.Thread(target=self._work, name=f"{name}-{number}", daemon=True).start()

    def put(self, task: Any, args: tuple[Hashable, ...]) -> None:
        """At the end of the line."""
        job = _Job(task, args)
        with self._lock:
            if job in self._waiting:
                return
            self._waiting.add(job)
            if job not in self._under_way:
                self._jobs.put(job)

    def _work(self) -> None:
        while True:
            job = self._jobs.get()
            with self._lock:
                self._waiting.discard(job)
                self._under_way.add(job)
            try:
                job.task.run(*job.args)
            except Exception:
                logger.exception("%s", job.task.name)
            finally:
                connection.close()
                self._end(job)

    def _end(self, job: _Job) -> None:
        with self._lock:
            self._under_way.discard(job)
            if job in self._waiting:
                self._jobs.put(job)


@cache
def _line(name: str, threads: int) -> Line:
    return Line(name, threads)


_Task: Any = Task


class ThreadedTask(_Task):  # type: ignore[misc]
    """A task that a worker hands to threads of its own, those of its line; called directly it is done at once."""

    abstract = True
    line = "default"
    """Those of one line wait for each other."""
    threads = 1
    """How many of a line are done at a time."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Do it, or have it done."""
        if self.request.called_directly or self.request.is_eager:
            return self.run(*args, **kwargs)
        _line(self.line, self.threads).put(self, args)
        return None


class Watching(ThreadedTask):
    """Looks every second for what is due, and does it, whatever else takes its time."""

    abstract = True
    line = "watching"


class Reckoning(ThreadedTask):
    """Is waited for by somebody, who shall not wait for sums besides."""

    abstract = True
    line = "reckoning"


class Lasting(ThreadedTask):
    """May take minutes, and shows how far it is."""

    abstract = True
    line = "lasting"


class Outgoing(ThreadedTask):
    """Waits for the answers of other machines: for a few of them at a time."""

    abstract = True
    line = "outgoing"
    threads = 4


class Doubtful(Outgoing):
    """As `Outgoing`, for machines that did not answer the last time: the others do not wait for them."""

    abstract = True
    line = "doubtful"
    threads = 2
