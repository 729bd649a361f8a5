"""What came of a message to a webhook, for those who look after it."""

from __future__ import annotations

from django.utils.translation import gettext as _


def say_answer(answer: str) -> str:
    """The result of an attempt in the language of the reader: the status, or why there is none.

    answer: as stored by `webhook_requests.post`. Empty if nothing was tried yet.
    """
    if not answer or answer[0].isdigit():
        return answer and f"HTTP {answer}"
    error = answer.partition(":")[0]
    if "Timeout" in error:
        return _("No answer came in time.")
    if error == "gaierror":
        return _("This server was not found. Check the address.")
    if error == "PrivateAddress":
        return _("This address is in a private network.")
    if "CERTIFICATE" in answer:
        return _("The certificate of this server is not valid.")
    return _("The connection to this server failed.")
