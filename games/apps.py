"""The games app: who listens to changes of tables."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    """Connects the edges to the use cases' signals."""

    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        """Connect: screens, bots and clocks follow every change."""
        from games.accounts import guest_linking  # noqa: F401
        from games.live import publish  # noqa: F401
        from games.notifications import devices  # noqa: F401
        from games.notifications import tasks as notices  # noqa: F401
        from games.operation import process_metrics, trace
        from games.play.days import awaited_turns  # noqa: F401
        from games.play.storage import store
        from games.work import analysis_tasks, hint_tasks, task_origin, tasks  # noqa: F401

        process_metrics.publish()
        trace.find_ply = lambda table_id: table.ply if (table := store.peek(table_id)) else None
