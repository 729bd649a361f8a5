"""Letters leave from a thread of their own: nobody's page waits for the mail server, and none fails because that one is
away. So a page also takes as long, and says the same, whether there was anybody to write to or not."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache

from django.core.mail import EmailMessage
from django.core.mail.backends.smtp import EmailBackend

logger = logging.getLogger(__name__)


class PostBackend(EmailBackend):
    """Django's for SMTP, later."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Put them into the post box; none of them is refused there."""
        for letter in email_messages:
            post(letter)
        return len(email_messages)


def post(letter: EmailMessage) -> Future[None]:
    """Have it sent, after those before it."""
    return _postman().submit(_send, letter)


@cache
def _postman() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="letters")


def _send(letter: EmailMessage) -> None:
    """What the server answers may name who was written to; the log does not."""
    try:
        EmailBackend().send_messages([letter])
    except (OSError, ValueError) as error:
        logger.error("a letter could not be sent: %s (see manage.py doctor)", type(error).__name__)
