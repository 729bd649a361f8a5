"""Becoming a guest once, though the answer that says so may be lost.

A stranger is nobody until he does something, and the answer to that brings his session. Were it lost, his browser
would be a stranger's still, and whatever he did a ghost's. So each page gives a stranger's browser a token first, and
the session that it leads to has a name derived from it: whoever comes with the token again, for whatever, is who he has
become. Session and token travel in one answer, one comes and the other goes: then the token is of no use any more.
"""

from __future__ import annotations

import secrets
import time

from django.conf import settings
from django.contrib.sessions.backends.base import CreateError, SessionBase
from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from games.accounts.session import PLAYER, renew

__all__ = ["COOKIE", "CreateError", "begin_session", "find_session", "give_token"]

COOKIE = "newcomer"
LASTS_SECONDS = 24 * 60 * 60
"""How long a page may lie open before its reader does something and is still found again."""
_SALT = "games.accounts.guest_creation"
_NAME_LETTERS = 32


def find_session(request: HttpRequest) -> SessionBase | None:
    """The session to which the token of this browser has led, if it has."""
    name = _read_name(request)
    if name is None:
        return None
    session: SessionBase = type(request.session)(name)
    return session if PLAYER in session else None


def begin_session(request: HttpRequest, player_id: int) -> None:
    """From now on this browser is this person's; durable with the transaction, whatever becomes of the answer.

    The session gets a new name, as whenever somebody becomes more than he was. Raises CreateError if the token has
    led to a session already (he has asked twice at the same moment).
    """
    name = _read_name(request)
    if name is None:
        request.session.cycle_key()
    else:
        before = request.session
        session: SessionBase = type(before)(name)
        session.save(must_create=True)
        session.update(dict(before.items()))
        if before.session_key:
            before.delete()
        request.session = session
    request.session[PLAYER] = player_id
    renew(request.session, now=time.time())
    request.session.save()


def give_token(request: HttpRequest, response: HttpResponse, *, is_stranger: bool) -> None:
    """With every page that a stranger is shown; taken back with the answer that knows who he is."""
    if not is_stranger:
        if COOKIE in request.COOKIES:
            response.delete_cookie(COOKIE, samesite="Lax")
        return
    is_page = request.method == "GET" and response.headers.get("Content-Type", "").startswith("text/html")
    if is_page and _read_name(request) is None:
        response.set_cookie(
            COOKIE,
            TimestampSigner(salt=_SALT).sign(secrets.token_urlsafe(16)),
            max_age=LASTS_SECONDS,
            httponly=True,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )


def _read_name(request: HttpRequest) -> str | None:
    """The name of the session to which the browser's token leads; None without a valid one."""
    try:
        token = TimestampSigner(salt=_SALT).unsign(request.COOKIES.get(COOKIE, ""), max_age=LASTS_SECONDS)
    except BadSignature:
        return None
    return salted_hmac(_SALT, token, algorithm="sha256").hexdigest()[:_NAME_LETTERS]
