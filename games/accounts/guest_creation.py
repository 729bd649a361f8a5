"""Creates one guest per stranger, even if the response with the session is lost.

A stranger becomes a guest with their first action, and its response brings the session cookie. If it is lost, the
browser is still a stranger's and would become a second guest. So every page first gives a stranger's browser a token,
and the key of the later session is derived from it: a request with the same token finds the same session. The response
that sets the session cookie deletes the token.
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
"""Seconds that a page may stay open before its reader acts and the token still counts: a day."""
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
    """Sign this browser in as this person. Durable with the transaction, even if the response is lost.

    The session gets a new key, as at every gain of rights. Raises CreateError if the token has led to a session already
    (two requests at the same moment).
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
    """Set the token with every page for a stranger; delete it once the person is known."""
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
