"""Sends task messages in background threads, so that no move waits for a hanging broker.

Messages that are lost with the process, or not sent because Redis does not answer, are made up for by the sweepers,
which find what is due in the database.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from queue import Full, Queue

from django.conf import settings

from games.work import circuit_breaker

logger = logging.getLogger(__name__)

Send = Callable[[], object]

THREADS = 2
"""Sending threads: one more than is needed while the broker answers."""
MAX_QUEUED = 1000
"""Queued messages, which bounds the memory; further ones are left to the sweepers."""


class TaskSender:
    """Sends one message after the other."""

    def __init__(self) -> None:
        self._waiting: Queue[Callable[[], bool]] = Queue(MAX_QUEUED)
        self._starting = threading.Lock()
        self._has_started = False

    def put(self, send: Send) -> None:
        """Queue a message. Its log lines keep the current table and request id."""
        with self._starting:
            if not self._has_started:
                self._has_started = True
                for number in range(THREADS):
                    threading.Thread(target=self._work, name=f"outbox-{number}", daemon=True).start()
        try:
            self._waiting.put_nowait(partial(copy_context().run, _try_send, send))
        except Full:
            logger.info("too many messages wait to be sent")

    def _work(self) -> None:
        while True:
            is_sent = self._waiting.get()
            if circuit_breaker.redis.may_ask():
                circuit_breaker.redis.note(has_answered=is_sent())


_sender = TaskSender()


def send_task(send: Send) -> None:
    """Send a message: at once in the embedded mode, otherwise in the background. Never raises."""
    if settings.IS_EMBEDDED:
        _try_send(send)
    else:
        _sender.put(send)


def _try_send(send: Send) -> bool:
    try:
        send()
    except Exception:
        logger.warning("a message could not be sent; the sweeper will do it", exc_info=True)
        return False
    return True
