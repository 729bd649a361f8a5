"""Messages to workers, sent beside whatever they follow from: nobody who moves waits for a broker that hangs.

What is lost with the process, or is not sent because Redis does not answer, the sweepers find in the database, as with
every message.
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
MOST = 1000
"""Messages that wait to be sent; what comes besides is left to the sweepers."""


class Outbox:
    """Sends one message after the other."""

    def __init__(self) -> None:
        self._waiting: Queue[Callable[[], bool]] = Queue(MOST)
        self._starting = threading.Lock()
        self._has_started = False

    def put(self, send: Send) -> None:
        """Send this soon; what the log says of it belongs to the same table and request."""
        with self._starting:
            if not self._has_started:
                self._has_started = True
                for number in range(THREADS):
                    threading.Thread(target=self._work, name=f"outbox-{number}", daemon=True).start()
        try:
            self._waiting.put_nowait(partial(copy_context().run, _try, send))
        except Full:
            logger.info("too many messages wait to be sent")

    def _work(self) -> None:
        while True:
            is_sent = self._waiting.get()
            if circuit_breaker.redis.may_ask():
                circuit_breaker.redis.note(has_answered=is_sent())


_outbox = Outbox()


def post(send: Send) -> None:
    """Send a message; inside the one process at once, else beside. Never raises."""
    if settings.IS_EMBEDDED:
        _try(send)
    else:
        _outbox.put(send)


def _try(send: Send) -> bool:
    try:
        send()
    except Exception:
        logger.warning("a message could not be sent; the sweeper will do it", exc_info=True)
        return False
    return True
