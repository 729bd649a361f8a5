"""Django's admin for games: people can be edited, games are read-only."""

from __future__ import annotations

from games.admin import model_admins

__all__ = ["model_admins"]
