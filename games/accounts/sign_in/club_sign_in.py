"""Signing in with an account at the club's own provider (OpenID Connect), and the player that belongs to it."""

from __future__ import annotations

from typing import Any

from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.http import HttpRequest

from games.accounts.guest_linking import TABLE_NAME, find_guest
from games.models import User
from games.play.errors import BadInput
from games.play.seats.player_names import MAX_NAME, clean_name
from games.play.seats.reserved_names import require_free


class ClubSignInAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """The framework's sign-in by a provider. A guest of this browser stays the same person and keeps their name."""

    def populate_user(self, request: HttpRequest, sociallogin: Any, data: dict[str, Any]) -> User:
        """A new account with the provider's username, and its name at the tables if that may be one."""
        user: User = super().populate_user(request, sociallogin, data)
        if find_guest(request) is None:
            setattr(user, TABLE_NAME, _find_name(sociallogin.account.extra_data))
        return user


def _find_name(claims: dict[str, Any]) -> str:
    """The first claim that may be a name at tables; empty for none."""
    claims = {**claims, **claims.get("id_token", {}), **claims.get("userinfo", {})}
    for claim in ("nickname", "name", "given_name", "preferred_username"):
        try:
            name = clean_name(str(claims.get(claim) or "")[:MAX_NAME], most=MAX_NAME)
            require_free(name)
        except BadInput:
            continue
        return name
    return ""
