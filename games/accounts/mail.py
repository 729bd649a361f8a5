"""Letters leave from a thread of their own: nobody's page waits for the mail server, and none fails because that one is
away. So a page also takes as long, and says the same, whether there was anybody to write to or not."""

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

logger = logging.getLogger(__name__)
LEAVE_SECONDS = 5.0
"""How long a process that ends waits for the letters that were asked of it just before."""


def are_sent() -> bool:
    """Whether this site sends e-mail at all: EMAIL_URL is set."""
    return not settings.EMAIL_BACKEND.endswith("dummy.EmailBackend")


class PostBackend(EmailBackend):
    """Django's for SMTP, later."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Put them into the box; none of them is refused there."""
        for letter in email_messages:
            _box().put(letter)
        return len(email_messages)


def finish(seconds: float = LEAVE_SECONDS) -> bool:
    """Wait until what is in the box has left it, or for so long. Whether it has."""
    left = threading.Event()
    _box().put(left)
    return left.wait(seconds)


@cache
def _box() -> SimpleQueue[EmailMessage | threading.Event]:
    box: SimpleQueue[EmailMessage | threading.Event] = SimpleQueue()
    threading.Thread(target=_empty, args=(box,), name="letters", daemon=True).start()
    atexit.register(finish)
    return box


def _empty(box: SimpleQueue[EmailMessage | threading.Event]) -> None:
    while True:
        one = box.get()
        if isinstance(one, threading.Event):
            one.set()
        else:
            _send(one)


def _send(letter: EmailMessage) -> None:
    """What the server answers may name who was written to; the log does not."""
    try:
        EmailBackend().send_messages([letter])
    except Exception as error:  # noqa: BLE001 - whatever it is, the next letter goes
        logger.error("a letter could not be sent: %s (see manage.py doctor)", type(error).__name__)
