"""The Celery app: the same tasks embedded in the one process, or in workers of their own."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import beat_init, celeryd_init, setup_logging, worker_ready
from celery.worker import state

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("menagerie", amqp="games.serving.broker:FastRetryAMQP")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def keep_log(**_kwargs: Any) -> None:
    """Use the servers' logging (LOG_FORMAT): a receiver of this signal stops Celery from setting up its own."""


@beat_init.connect
@celeryd_init.connect
def log_everything(**_kwargs: Any) -> None:
    """Log the warnings of workers and the beat from their start on."""
    from games.operation.log_format import catch_all

    catch_all()


@worker_ready.connect
def serve_metrics(**_kwargs: Any) -> None:
    """Serve the metrics of a separate worker at METRICS_PORT; the embedded worker shares the server's."""
    from django.conf import settings
    from prometheus_client import start_http_server

    from games.operation import metrics

    metrics.BACKLOG.set_function(_count_backlog)
    if settings.METRICS_PORT and not settings.IS_EMBEDDED:
        start_http_server(settings.METRICS_PORT, addr="127.0.0.1")


def _count_backlog() -> float:
    return float(max(0, len(state.reserved_requests) - len(state.active_requests)))
