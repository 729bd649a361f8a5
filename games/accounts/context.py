"""The template context of every page: its reader."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest


def player(request: HttpRequest) -> dict[str, Any]:
    """The reader as `player`: a Player, or None for a stranger."""
    return {"player": getattr(request, "player", None)}
