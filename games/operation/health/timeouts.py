"""Checks of other services, which may hang, with a timeout.

Whether it hangs is what a probe wants to know. So nobody's answer stands in line with pages that wait for it, too.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

from django.db import connection

T = TypeVar("T")


class SingleFlight(Generic[T]):
    """Runs a check in its own thread, one at a time: callers that come meanwhile share its answer."""

    def __init__(self, find: Callable[[], T]) -> None:
        self._find = find
        self._lock = threading.Lock()
        self._answer: Future[T] | None = None

    def ask(self, seconds: float) -> T:
        """The answer. Raises TimeoutError if there is none in this time, and what finding it out raises."""
        with self._lock:
            if self._answer is None or self._answer.done():
                self._answer = Future()
                threading.Thread(target=self._run, args=(self._answer,), name="probe", daemon=True).start()
            answer = self._answer
        return answer.result(seconds)

    def _run(self, answer: Future[T]) -> None:
        try:
            found = self._find()
        except Exception as error:  # noqa: BLE001 - it is raised where it was asked
            connection.close()
            answer.set_exception(error)
        else:
            connection.close()
            answer.set_result(found)
