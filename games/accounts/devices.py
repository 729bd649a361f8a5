"""A cookie by which a browser that joined a club, or wrote there, is recognised: a ban then holds for its next guest.

The cookie is drawn by chance, signed, and opens nothing. The database keeps its hash only.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import Final

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse

COOKIE: Final = "browser"
LASTS_SECONDS: Final = 365 * 86_400
_SALT: Final = "games.accounts.devices"
_HASH_LETTERS: Final = 32
_NEW: Final = "_new_device"


def find_device(request: HttpRequest) -> str:
    """The hash that identifies this browser; empty for one without a cookie."""
    try:
        return _hash(Signer(salt=_SALT).unsign(request.COOKIES.get(COOKIE, "")))
    except BadSignature:
        return ""


def require_device(request: HttpRequest) -> str:
    """The hash that identifies this browser, which gets its cookie with `give_cookie` if it has none."""
    digest = find_device(request)
    if digest:
        return digest
    token = getattr(request, _NEW, None) or secrets.token_urlsafe(16)
    setattr(request, _NEW, token)
    return _hash(token)


def give_cookie(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The response, with the cookie of a browser that is new."""
    token = getattr(request, _NEW, None)
    if token is not None:
        response.set_cookie(
            COOKIE,
            Signer(salt=_SALT).sign(token),
            max_age=LASTS_SECONDS,
            httponly=True,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )
    return response


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()[:_HASH_LETTERS]
