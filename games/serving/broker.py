"""How this program talks to the broker: it is back soon after the broker is."""

from __future__ import annotations

from typing import Any

from celery.app.amqp import AMQP
from kombu import Connection, Consumer

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


def _do_nothing(*_args: object, **_options: object) -> None:
    """Instead of a receipt."""


class PromptAMQP(AMQP):
    """Makes such connections, for workers, beats and whoever sends a message; workers give no receipts."""

    Connection = PromptConnection
    Consumer = NoReceipts
