"""The tournaments app: it follows the results of tables."""

from __future__ import annotations

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Connects the flow to the signal that a deal or a game is over."""

    name = "tournaments"

    def ready(self) -> None:
        """Connect: results, people and struck games; organisers look after their clubs' tables."""
        from games.play.permissions import WARDENS
        from tournaments import tasks  # noqa: F401
        from tournaments.flow.permissions import runs_table

        if runs_table not in WARDENS:
            WARDENS.append(runs_table)
