"""The player of a request, as the middleware found them."""

from __future__ import annotations

from django.http import HttpRequest

from games.models import Player


def player_of(request: HttpRequest) -> Player | None:
    """The person of this request; None for a stranger."""
    player: Player | None = request.player  # type: ignore[attr-defined]
    return player


def player_id(request: HttpRequest) -> int | None:
    """The id of the person of this request; None for a stranger."""
    player = player_of(request)
    return None if player is None else player.pk
