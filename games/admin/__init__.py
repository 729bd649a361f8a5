"""The admin of games: people can be looked after; games are read-only."""

from __future__ import annotations

from games.admin import model_admins

__all__ = ["model_admins"]
