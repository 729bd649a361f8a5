"""The Celery worker and its beat inside the server process, for clubs that need no more than one."""

from __future__ import annotations

import logging
import threading
from typing import Any

from celery import Celery
from celery.app import app_or_default
from celery.beat import EmbeddedService
from celery.worker import WorkController
from django.conf import settings
from django.db import connection

from games.serving import broker
from games.serving.beat_scheduler import SteadyScheduler
from games.work import bot_thinking

logger = logging.getLogger(__name__)

TASKS_A_CONNECTION = 1000
"""Tasks for which the worker keeps its connection to SQLite: opening one takes longer than a bot's move."""
START_SECONDS = 10.0
"""Seconds within which the worker must be ready, or the server does not start."""
STOP_SECONDS = 5.0
"""Seconds that the server waits for the worker's thread to end."""


class QuietController(WorkController):
    """A worker that leaves signals and logging to the process it lives in."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.is_ready = threading.Event()
        super().__init__(*args, **kwargs)

    def on_consumer_ready(self, consumer: Any) -> None:
        """Called when messages are being taken."""
        super().on_consumer_ready(consumer)
        self.is_ready.set()


class EmbeddedWorker:
    """A worker with one task thread, and a beat, as daemon threads of this process."""

    def __init__(self) -> None:
        self._app: Celery = app_or_default()
        self._worker: QuietController | None = None
        self._beat: Any = None
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start both and wait until messages are taken. Raises RuntimeError if they do not come up."""
        self._app.finalize()
        bot_thinking.start(settings.BOT_PROCESSES)
        if connection.vendor == "sqlite":  # a connection to PostgreSQL can break, and is looked at before each task
            self._app.conf.CELERY_DB_REUSE_MAX = TASKS_A_CONNECTION
        self._worker = QuietController(
            app=self._app,
            hostname="embedded@localhost",
            pool="threads",
            concurrency=1,
            loglevel=logging.WARNING,
            without_heartbeat=True,
            without_mingle=True,
            without_gossip=True,
        )
        self._thread = threading.Thread(target=self._run, name="worker", daemon=True)
        self._thread.start()
        if not self._worker.is_ready.wait(START_SECONDS):
            raise RuntimeError("The embedded worker did not start.")
        self._beat = EmbeddedService(self._app, thread=True, scheduler_cls=SteadyScheduler)
        self._beat.daemon = True
        self._beat.start()

    def _run(self) -> None:
        assert self._worker is not None  # noqa: S101 - set in start()
        try:
            self._worker.start()
        except Exception:
            logger.exception("the embedded worker stopped")

    def stop(self) -> None:
        """Stop both; what is not done is in the database, and done after the next start."""
        bot_thinking.stop()
        if self._beat is not None:
            self._beat.stop()
        if self._worker is not None:
            self._worker.stop(in_sighandler=False)
            broker.stop_waiting()
        if self._thread is not None:
            self._thread.join(STOP_SECONDS)
