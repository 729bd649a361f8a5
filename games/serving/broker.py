"""How this program talks to the broker: it is back soon after the broker is."""

from __future__ import annotations

import threading
from queue import Empty
from time import monotonic
from typing import Any

from celery.app.amqp import AMQP
from kombu import Connection, Consumer
from kombu.transport import TRANSPORT_ALIASES, memory

SOONEST, LATER, LATEST = 0.2, 0.2, 1.0
"""Seconds before the first new try, by which each further one is later, and at most."""


class PromptConnection(Connection):
    """A connection that is tried again every second. The library's own would wait for 2, 4, 6 … up to 30 seconds."""

    def ensure_connection(self, *args: Any, **options: Any) -> Any:
        """Try until it is there."""
        pace: dict[str, Any] = {"interval_start": SOONEST, "interval_step": LATER, "interval_max": LATEST}
        return super().ensure_connection(*args, **pace | options)


class NoReceipts(Consumer):
    """Takes messages for which no receipt is given. The library would give one all the same, and end with Redis."""

    def _receive_callback(self, message: Any) -> Any:
        message.ack_log_error = message.reject_log_error = _do_nothing
        return super()._receive_callback(message)


LOOK_SECONDS = 0.5
"""How often the embedded worker looks for messages though it was told of none."""
_news = threading.Event()
_is_over = threading.Event()


_Channel: Any = memory.Channel
_Transport: Any = memory.Transport


class PromptChannel(_Channel):  # type: ignore[misc]
    """The queue inside one process, which says when something was put there."""

    def _put(self, queue: str, message: Any, **options: Any) -> None:
        super()._put(queue, message, **options)
        _news.set()


class PromptMemory(_Transport):  # type: ignore[misc]
    """Wakes the worker when there is a message. The library's own looks fifty times a second, as long as it runs."""

    Channel = PromptChannel

    def drain_events(self, connection: Any, timeout: float | None = None) -> None:
        """Deliver one message. Raises TimeoutError if none comes within these seconds, or before `stop_waiting`."""
        last = None if timeout is None else monotonic() + timeout
        while True:
            _news.clear()
            try:
                self.cycle.get(self._deliver, timeout=timeout)
            except Empty:
                left = LOOK_SECONDS if last is None else min(LOOK_SECONDS, last - monotonic())
                if left <= 0 or _is_over.is_set():
                    raise TimeoutError from None
                _news.wait(left)
            else:
                return


def stop_waiting() -> None:
    """The worker inside this process looks whether it is to end, instead of waiting on for a message."""
    _is_over.set()
    _news.set()


TRANSPORT_ALIASES["memory"] = f"{__name__}:{PromptMemory.__name__}"


def _do_nothing(*_args: object, **_options: object) -> None:
    """Instead of a receipt."""


class PromptAMQP(AMQP):
    """Makes such connections, for workers, beats and whoever sends a message; workers give no receipts."""

    Connection = PromptConnection
    Consumer = NoReceipts
