"""The tournaments app: it follows the results of tables."""

from __future__ import annotations

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Connects the flow to the signal that a deal or a game is over."""

    name = "tournaments"

    def ready(self) -> None:
        """Connect: results, people and struck games."""
        from tournaments import tasks  # noqa: F401
