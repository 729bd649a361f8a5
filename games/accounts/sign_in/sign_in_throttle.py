"""Throttles attempts of passwords and codes: they get slower, but nobody can lock another person out.

Wrong attempts are counted for the account together with where they come from: a network address, or a browser that the
account knows. docs/security.md says what an attacker can try in an hour; keep its figures those of this module.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from django.forms import ValidationError
from django.http import HttpRequest
from django.utils.translation import ngettext_lazy

from games.accounts import rate_limits
from games.accounts.rate_limits import Slowdown
from games.accounts.sign_in.known_devices import find_device, read_device
from games.models import User

HERE: Final = Slowdown("password-here", at_once=5, seconds=120)
"""Limit for one account from one network address."""
ANYWHERE: Final = Slowdown("password-anywhere", at_once=60, seconds=20)
"""Limit for one account from all addresses together."""
NETWORK: Final = Slowdown("password-network", at_once=60, seconds=20)
"""Limit for one network address and all accounts together; only wrong passwords count."""
KNOWN_BROWSER: Final = Slowdown("password-known", at_once=10, seconds=120)
"""Limit for one account from a browser that it knows."""
CODE_ANYWHERE: Final = Slowdown("code-anywhere", at_once=20, seconds=60)
"""Second factors of one account from all addresses together: six digits are few."""

Count = tuple[Slowdown, tuple[str, ...]]
"""What is counted, and whose attempts."""


class Attempt(NamedTuple):
    """One try. taken: used up with it, given back if it was right; network: counted if it was wrong."""

    taken: tuple[Count, ...]
    network: str = ""


def begin_password(request: HttpRequest, login: str, network: str) -> Attempt:
    """Count a try of a password for this name or address. Raises ValidationError, with the seconds to wait.

    It is counted as it was typed: nobody learns by it which address belongs to which name.
    """
    device = find_device(request, login)
    if device is not None:
        return _count_attempt(Attempt(((KNOWN_BROWSER, (str(device.user.pk), device.name)),)))
    if not rate_limits.allow_sign_in(network):
        raise _wait_error(60)
    if not NETWORK.has_one(network):
        raise _wait_error(NETWORK.wait(network))
    name = login.casefold()
    return _count_attempt(Attempt(((HERE, (name, network)), (ANYWHERE, (name,))), network))


def begin_code(request: HttpRequest, user: User, network: str) -> Attempt:
    """Count a try of a second-factor code, after the right password. Raises ValidationError."""
    who = str(user.pk)
    device = read_device(request, user)
    if device is not None:
        return _count_attempt(Attempt(((KNOWN_BROWSER, (who, device.name, "code")),)))
    return _count_attempt(Attempt(((HERE, (who, network, "code")), (CODE_ANYWHERE, (who,)))))


def end(attempt: Attempt, *, is_right: bool) -> None:
    """Record whether the attempt succeeded. Attempts from elsewhere in between stay counted."""
    if is_right:
        slowdown, who = attempt.taken[0]
        slowdown.forget(*who)
    elif attempt.network:
        NETWORK.take(attempt.network)


def _count_attempt(attempt: Attempt) -> Attempt:
    """Use up one attempt of every count, or of none."""
    for ask in (Slowdown.has_one, Slowdown.take):
        for slowdown, who in attempt.taken:
            if not ask(slowdown, *who):
                raise _wait_error(slowdown.wait(*who))
    return attempt


def _wait_error(seconds: int) -> ValidationError:
    return ValidationError(
        ngettext_lazy(
            "Too many wrong attempts. Wait %(seconds)s second and try again.",
            "Too many wrong attempts. Wait %(seconds)s seconds and try again.",
            "seconds",
        ),
        code="too_many_login_attempts",
        params={"seconds": seconds},
    )
