"""Sends email from a background thread, so that no page waits for the mail server or fails because of it. So a page
also takes as long, and shows the same, whether or not the address is known."""

from __future__ import annotations

import atexit
import logging
import threading
from collections.abc import Sequence
from functools import cache
from queue import SimpleQueue

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.smtp import EmailBackend

from games.operation import metrics

logger = logging.getLogger(__name__)
LEAVE_SECONDS = 5.0
"""Seconds that an ending process waits for queued e-mail."""


def are_sent() -> bool:
    """Whether this site sends email: EMAIL_URL is set."""
    return not settings.EMAIL_BACKEND.endswith("dummy.EmailBackend")


class PostBackend(EmailBackend):
    """Django's SMTP backend, in the background."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Queue messages; none is refused."""
        for letter in email_messages:
            _get_outbox().put(letter)
        return len(email_messages)


def finish(seconds: float = LEAVE_SECONDS) -> bool:
    """Wait until the queue is empty, at most for so long; returns whether it is."""
    left = threading.Event()
    _get_outbox().put(left)
    return left.wait(seconds)


@cache
def _get_outbox() -> SimpleQueue[EmailMessage | threading.Event]:
    box: SimpleQueue[EmailMessage | threading.Event] = SimpleQueue()
    threading.Thread(target=_send_queued, args=(box,), name="letters", daemon=True).start()
    atexit.register(finish)
    return box


def _send_queued(box: SimpleQueue[EmailMessage | threading.Event]) -> None:
    while True:
        one = box.get()
        if isinstance(one, threading.Event):
            one.set()
        else:
            _send(one)


def _send(letter: EmailMessage) -> None:
    """The server's answer may contain the recipient, so it is not logged."""
    try:
        EmailBackend().send_messages([letter])
    except Exception as error:  # noqa: BLE001 - whatever it is, the next letter goes
        metrics.note_delivery("email", is_sent=False)
        logger.error("a letter could not be sent: %s (see manage.py doctor)", type(error).__name__)
    else:
        metrics.note_delivery("email", is_sent=True)
