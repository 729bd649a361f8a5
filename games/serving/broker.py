"""Celery's connection to the broker: quick reconnects, no acknowledgements, and a memory queue that does not poll."""

from __future__ import annotations

import threading
from queue import Empty
from time import monotonic
from typing import Any

from celery.app.amqp import AMQP
from kombu import Connection, Consumer
from kombu.transport import TRANSPORT_ALIASES, memory

FIRST_RETRY_SECONDS, RETRY_STEP_SECONDS, MAX_RETRY_SECONDS = 0.2, 0.2, 1.0
"""Seconds before the first reconnect, added for each further one, and at most: a worker is back within a second."""


class FastRetryConnection(Connection):
    """Retries at least every second. Kombu's own connection waits for 2, 4, 6 … up to 30 seconds."""

    def ensure_connection(self, *args: Any, **options: Any) -> Any:
        """Retry until the connection is open."""
        pace: dict[str, Any] = {
            "interval_start": FIRST_RETRY_SECONDS,
            "interval_step": RETRY_STEP_SECONDS,
            "interval_max": MAX_RETRY_SECONDS,
        }
        return super().ensure_connection(*args, **pace | options)


class NoAckConsumer(Consumer):
    """Consumes without acknowledgements. Kombu would send them all the same, and fail when Redis is away."""

    def _receive_callback(self, message: Any) -> Any:
        message.ack_log_error = message.reject_log_error = _do_nothing
        return super()._receive_callback(message)


POLL_SECONDS = 0.5
"""Seconds between two looks of the embedded worker for messages of which it was not notified."""
_has_message = threading.Event()
_is_over = threading.Event()


_Channel: Any = memory.Channel
_Transport: Any = memory.Transport


class NotifyingChannel(_Channel):  # type: ignore[misc]
    """The queue inside one process, which notifies the worker of new messages."""

    def _put(self, queue: str, message: Any, **options: Any) -> None:
        super()._put(queue, message, **options)
        _has_message.set()


class NotifiedMemoryTransport(_Transport):  # type: ignore[misc]
    """Wakes the worker when there is a message. Kombu's memory transport polls fifty times a second."""

    Channel = NotifyingChannel

    def drain_events(self, connection: Any, timeout: float | None = None) -> None:
        """Deliver one message. Raises TimeoutError if none comes within these seconds, or before `stop_waiting`."""
        last = None if timeout is None else monotonic() + timeout
        while True:
            _has_message.clear()
            try:
                self.cycle.get(self._deliver, timeout=timeout)
            except Empty:
                left = POLL_SECONDS if last is None else min(POLL_SECONDS, last - monotonic())
                if left <= 0 or _is_over.is_set():
                    raise TimeoutError from None
                _has_message.wait(left)
            else:
                return


def stop_waiting() -> None:
    """Wake the worker of this process, so that it can end instead of waiting for a message."""
    _is_over.set()
    _has_message.set()


TRANSPORT_ALIASES["memory"] = f"{__name__}:{NotifiedMemoryTransport.__name__}"


def _do_nothing(*_args: object, **_options: object) -> None:
    """Replaces the acknowledgement."""


class FastRetryAMQP(AMQP):
    """Celery's AMQP with the connection and the consumer above."""

    Connection = FastRetryConnection
    Consumer = NoAckConsumer
