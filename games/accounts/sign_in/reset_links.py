"""Password reset links, made by administrators and organisers: most sites send no email.

The maker of a link could open it themselves. So it is never silent: the person reads who made it and whether it was
used, is signed out everywhere when it is, and still needs their second factor. A link does not sign anybody in.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import QuerySet

from games.models import ResetLink, User
from games.play.errors import NotAllowed, NotFound

logger = logging.getLogger(__name__)

LASTS_SECONDS: Final = 24 * 3600.0
LASTS_HOURS: Final = round(LASTS_SECONDS / 3600)
SHOWN_SECONDS: Final = 90 * 86_400.0
"""How long people read on their page that a link was made for them."""


class LinkMaker(NamedTuple):
    """The maker of a link. user: None for the command; club: the name of an organiser's club."""

    kind: ResetLink.Kind
    user: User | None = None
    club: str = ""


def make(user: User, maker: LinkMaker, *, now: float) -> str:
    """The token of a new link, which replaces an older one that is open. Raises NotAllowed for a closed account."""
    if not user.is_active:
        raise NotAllowed("This account is deactivated. Activate it again first.")
    token = secrets.token_urlsafe(32)
    with transaction.atomic():
        _open(now=now).filter(user=user).update(withdrawn_at=now)
        ResetLink.objects.create(
            user=user, kind=maker.kind, made_by=maker.user, club=maker.club, digest=_digest(token), made_at=now,
            ends_at=now + LASTS_SECONDS,
        )  # fmt: skip
    by = "the command" if maker.user is None else f"account {maker.user.pk}"
    logger.warning("a link for a new password of account %s was made by %s", user.pk, by)
    return token


def make_as_administrator(user: User, actor: User, *, now: float) -> str:
    """As `make`. Only superusers make links for staff. Raises NotAllowed."""
    is_above = actor.is_superuser or not (user.is_staff or user.is_superuser)
    if not actor.has_perm("games.change_user") or not is_above:
        raise NotAllowed("Only a superuser can create a reset link for an administrator.")
    return make(user, LinkMaker(ResetLink.Kind.ADMINISTRATOR, actor), now=now)


def find(token: str, *, now: float) -> ResetLink:
    """The open link with this token. Raises NotFound."""
    link = _open(now=now).filter(digest=_digest(token)).select_related("user", "made_by__player").first()
    if link is None:
        raise NotFound("This link has expired, or it was already used or withdrawn. Ask for a new one.")
    return link


def use(link: ResetLink, password: str, *, now: float) -> None:
    """Set the account's password, once; every browser is signed out. Raises NotFound."""
    with transaction.atomic():
        if not _open(now=now).filter(pk=link.pk).update(used_at=now):
            raise NotFound("This link has expired, or it was already used or withdrawn. Ask for a new one.")
        link.user.set_password(password)
        link.user.save(update_fields=["password"])
    logger.warning("account %s has a new password by a link", link.user_id)


def withdraw(user: User, *, now: float) -> bool:
    """Withdraw the account's open link; returns whether there was one."""
    return bool(_open(now=now).filter(user=user).update(withdrawn_at=now))


def withdraw_link(link: ResetLink, *, now: float) -> bool:
    """Withdraw this link; returns whether it was open."""
    return bool(_open(now=now).filter(pk=link.pk).update(withdrawn_at=now))


def list_recent(user: User, *, now: float) -> list[ResetLink]:
    """The links that were made for this account in the last ninety days, the newest first."""
    links = ResetLink.objects.filter(user=user, made_at__gt=now - SHOWN_SECONDS)
    return list(links.select_related("made_by__player").order_by("-made_at", "-pk"))


def is_open(link: ResetLink, *, now: float) -> bool:
    """Whether it can still be used."""
    return link.used_at is None and link.withdrawn_at is None and link.ends_at > now


def _open(*, now: float) -> QuerySet[ResetLink]:
    return ResetLink.objects.filter(user__is_active=True, used_at=None, withdrawn_at=None, ends_at__gt=now)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
