"""Processes of their own for what bots compute: searching in a thread of the server would hold up everybody's moves.

A process gets plain data (`games.bots.Question`: what one seat sees) and gives back plain data. It is started when
there is first something to compute, at low priority and with bounded memory. One that dies is started anew, and what it
was computing is computed again. It ends with the server, however that ends: its pipe is closed then.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import resource
import signal
import threading
import traceback
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any, Final, NamedTuple, TypeVar

from games.rules import registry

logger = logging.getLogger(__name__)

T = TypeVar("T")

NICE: Final = 5
"""How far its priority is below the server's. Analyses have 15: bots come first."""
MEMORY_BYTES: Final = 1024**3
"""Address space of a process; what needs more fails with MemoryError. docs/performance.md says what is really used."""
MAX_ATTEMPTS: Final = 3
"""Processes that may die of one computation; then it is done in the server, as without processes."""
END_SECONDS: Final = 2.0
"""Seconds that the server waits for a process that it has killed."""


class ServerEnded(Exception):
    """The server ends, and so do the processes: this is not computed any more."""


class ComputationFailed(Exception):
    """The computation raised an exception, of which this is the traceback."""


class _Job(NamedTuple):
    """A computation, and the future of its result."""

    work: Callable[..., Any]
    args: tuple[Any, ...]
    done: Future[Any]


class ThinkingProcesses:
    """Computes jobs in `count` processes, urgent ones first, otherwise in order.

    A job is a function of a module, called with plain data. Cancelling the future of a waiting job removes the job.
    """

    def __init__(self, count: int, *, note_death: Callable[[], object]) -> None:
        """note_death: called when a process died while it computed."""
        self._note_death = note_death
        self._urgent: deque[_Job] = deque()
        self._waiting: deque[_Job] = deque()
        self._changed = threading.Condition()
        self._workers = [_Worker() for _ in range(count)]
        self._is_started = self._is_closed = False

    def submit(self, work: Callable[..., T], *args: object, is_urgent: bool = False) -> Future[T]:
        """Compute `work(*args)` in a process. The future raises Failed for what is raised there. Raises Ended."""
        job = _Job(work, args, Future())
        with self._changed:
            if self._is_closed:
                raise ServerEnded
            (self._urgent if is_urgent else self._waiting).append(job)
            self._start()
            self._changed.notify()
        return job.done

    def count_waiting(self) -> int:
        """How many jobs no process has begun."""
        return len(self._urgent) + len(self._waiting)

    def list_pids(self) -> list[int]:
        """The processes that live now."""
        return [worker.pid for worker in self._workers if worker.pid is not None]

    def close(self) -> None:
        """End at once: waiting jobs are cancelled, and so is what is being computed."""
        with self._changed:
            self._is_closed = True
            jobs = [*self._urgent, *self._waiting]
            self._urgent.clear()
            self._waiting.clear()
            self._changed.notify_all()
        for job in jobs:
            job.done.cancel()
        for worker in self._workers:
            worker.end()

    def _start(self) -> None:
        if self._is_started:
            return
        self._is_started = True
        for number, worker in enumerate(self._workers):
            threading.Thread(target=self._serve, args=(worker,), name=f"thinking-{number}", daemon=True).start()

    def _take_job(self) -> _Job | None:
        """The next job, waited for; None once closed."""
        with self._changed:
            while not self._is_closed:
                for jobs in (self._urgent, self._waiting):
                    while jobs:
                        job = jobs.popleft()
                        if job.done.set_running_or_notify_cancel():
                            return job
                self._changed.wait()
        return None

    def _serve(self, worker: _Worker) -> None:
        while (job := self._take_job()) is not None:
            try:
                result = self._compute(worker, job)
            except Exception as error:  # noqa: BLE001 - it is raised where the job was submitted
                job.done.set_exception(error)
            else:
                job.done.set_result(result)

    def _compute(self, worker: _Worker, job: _Job) -> Any:
        for _ in range(MAX_ATTEMPTS):
            try:
                return worker.ask(job.work, job.args)
            except _ProcessDied:
                if self._is_closed:
                    raise ServerEnded from None
                self._note_death()
                logger.warning("a process in which bots think has died; it is started again")
            except _SendError:
                logger.warning("a bot thinks in the server, as no process can be had", exc_info=True)
                break
        return job.work(*job.args)


class _ProcessDied(Exception):
    """The process ended before it had computed."""


class _SendError(Exception):
    """The system gives us no process, or the work is no plain data."""


class _Worker:
    """One process and the pipe to it; used by one thread, ended by any."""

    def __init__(self) -> None:
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None
        self._lock = threading.Lock()
        self._is_over = False

    @property
    def pid(self) -> int | None:
        """The number of the process, if it lives."""
        process = self._process
        return process.pid if process is not None and process.is_alive() else None

    def ask(self, work: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """What the process computes. Raises Failed, _Died, _NotSent."""
        try:
            message = pickle.dumps((work, args), pickle.HIGHEST_PROTOCOL)
        except Exception as error:  # a class may raise anything when it is pickled
            raise _SendError from error
        pipe = self._open()
        try:
            pipe.send_bytes(message)
            is_computed, result = pipe.recv()
        except (EOFError, OSError) as error:
            self._kill()
            raise _ProcessDied from error
        if not is_computed:
            raise ComputationFailed(result)
        return result

    def end(self) -> None:
        """Kill the process, whatever it computes; no other one is started."""
        with self._lock:
            self._is_over = True
            process = self._process
        if process is not None:
            process.kill()
            process.join(END_SECONDS)

    def _open(self) -> Connection:
        if self._pipe is not None:
            return self._pipe
        context = multiprocessing.get_context("spawn")  # the server has threads, which a forked process would not have
        with self._lock:
            if self._is_over:
                raise _ProcessDied
            ours, theirs = context.Pipe()
            try:
                self._process = context.Process(target=run, args=(theirs,), name="thinking", daemon=True)
                self._process.start()
            except OSError as error:
                self._process = None
                ours.close()
                raise _SendError from error
            finally:
                theirs.close()
            self._pipe = ours
        return ours

    def _kill(self) -> None:
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None:
            self._process.kill()
            self._process.join(END_SECONDS)
        self._pipe = self._process = None


def run(pipe: Connection) -> None:
    """What such a process does: compute what comes through its pipe until that is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then closes the pipe
    os.nice(NICE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    for info in registry.infos().values():
        import_module(info.bots)
    while True:
        try:
            work, args = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer = pickle.dumps((True, work(*args)), pickle.HIGHEST_PROTOCOL)
        except Exception:  # noqa: BLE001 - it is raised in the server
            answer = pickle.dumps((False, traceback.format_exc()), pickle.HIGHEST_PROTOCOL)
        try:
            pipe.send_bytes(answer)
        except OSError:
            return
