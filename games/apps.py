"""The games app: who listens to changes of tables."""

from __future__ import annotations

from functools import partial

from django.apps import AppConfig
from django.conf import settings
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
        from games.operation import process_metrics, spans, trace
        from games.operation.version import find_version
        from games.play.days import awaited_turns  # noqa: F401
        from games.play.storage import store
        from games.work import analysis_tasks, hint_tasks, task_origin, tasks  # noqa: F401

        process_metrics.publish()
        if settings.TRACES_URL:
            spans.start_tracing(settings.TRACES_URL, version=find_version())
            store.around_write = partial(spans.span, "database")
        trace.find_ply = lambda table_id: table.ply if (table := store.peek(table_id)) else None
