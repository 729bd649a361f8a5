"""Known devices: a long-lived signed cookie marks browsers in which an account has signed in before.

A stranger who tries passwords has none. So attempts with it are counted apart, and nobody can keep people out of their
own browsers (OWASP, device cookies). It opens nothing by itself, and another password ends it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from allauth.account.models import EmailAddress
from allauth.account.signals import password_changed, password_reset, password_set
from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.core.signing import BadSignature, TimestampSigner
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

from games.models import User

COOKIE: Final = "device-"
"""Prefix of the cookie's name; the account's number follows."""
PATH: Final = "/account/"
"""Path of the cookie: only there people sign in."""
LASTS_SECONDS: Final = 365 * 86_400
_SALT: Final = "games.accounts.known_devices"
_MARK: Final = "_known_device_of"


class Device(NamedTuple):
    """A browser that an account knows. name: drawn by chance when it signed in."""

    user: User
    name: str


class DeviceMiddleware:
    """Gives the cookie to a browser in which somebody has signed in, or has set another password."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        user = getattr(request, _MARK, None)
        if user is not None:
            response.set_cookie(
                f"{COOKIE}{user.pk}",
                TimestampSigner(salt=_SALT).sign(f"{user.pk}/{secrets.token_urlsafe(12)}/{_seal(user)}"),
                max_age=LASTS_SECONDS,
                path=PATH,
                httponly=True,
                samesite="Lax",
                secure=settings.SESSION_COOKIE_SECURE,
            )
        return response


@receiver(user_logged_in)
@receiver(password_changed)
@receiver(password_set)
@receiver(password_reset)
def note_device(request: HttpRequest | None, user: User, **_kwargs: Any) -> None:
    """Have the response to this request set the cookie."""
    if request is not None:
        setattr(request, _MARK, user)


def find_device(request: HttpRequest, login: str) -> Device | None:
    """The device, if this browser has signed in to the account of this name or e-mail address before."""
    for cookie in request.COOKIES:
        device = _read(request, cookie) if cookie.startswith(COOKIE) else None
        if device is not None and _is_login_of(login, device.user):
            return device
    return None


def read_device(request: HttpRequest, user: User) -> Device | None:
    """The device, if this browser has signed in to this account before."""
    return _read(request, f"{COOKIE}{user.pk}")


def _read(request: HttpRequest, cookie: str) -> Device | None:
    """The device of this cookie; None unless it is ours, of this account, and no older than its password."""
    try:
        text = TimestampSigner(salt=_SALT).unsign(request.COOKIES.get(cookie, ""), max_age=LASTS_SECONDS)
    except BadSignature:
        return None
    number, name, seal = text.split("/")
    user = User.objects.filter(pk=number, is_active=True).first() if cookie == f"{COOKIE}{number}" else None
    return Device(user, name) if user is not None and constant_time_compare(seal, _seal(user)) else None


def _is_login_of(login: str, user: User) -> bool:
    addresses = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
    return login.casefold() in {name.casefold() for name in (user.username, *addresses)}


def _seal(user: User) -> str:
    """Binds the cookie to the account and its present password."""
    return salted_hmac(_SALT, f"{user.pk}/{user.get_session_auth_hash()}", algorithm="sha256").hexdigest()[:32]
