"""The Celery worker and its beat inside the server process, for clubs that need no more than one."""

from __future__ import annotations

import logging
import threading
from typing import Any

from celery import Celery
from celery.app import app_or_default
from celery.beat import EmbeddedService
from celery.worker import WorkController

from games.serving.pace import SteadyScheduler

logger = logging.getLogger(__name__)

START_SECONDS = 10.0
STOP_SECONDS = 5.0


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
    """A beat, and a worker with one task thread for each queue, as daemon threads of this process.

    What takes long has a queue, and so a thread, of its own (`CELERY_TASK_ROUTES`): no clock waits for a draw.
    """

    def __init__(self) -> None:
        self._app: Celery = app_or_default()
        self._workers: list[QuietController] = []
        self._beat: Any = None
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Start both and wait until messages are taken. Raises RuntimeError if they do not come up."""
        self._app.finalize()
        for queue in self._app.amqp.queues:
            self._start(queue)
        self._beat = EmbeddedService(self._app, thread=True, scheduler_cls=SteadyScheduler)
        self._beat.daemon = True
        self._beat.start()

    def _start(self, queue: str) -> None:
        worker = QuietController(
            app=self._app,
            hostname=f"{queue}@localhost",
            queues=[queue],
            pool="threads",
            concurrency=1,
            loglevel=logging.WARNING,
            without_heartbeat=True,
            without_mingle=True,
            without_gossip=True,
        )
        thread = threading.Thread(target=self._run, args=[worker], name=f"worker {queue}", daemon=True)
        thread.start()
        self._workers.append(worker)
        self._threads.append(thread)
        if not worker.is_ready.wait(START_SECONDS):
            raise RuntimeError("The embedded worker did not start.")

    def _run(self, worker: QuietController) -> None:
        try:
            worker.start()
        except Exception:
            logger.exception("the embedded worker stopped")

    def stop(self) -> None:
        """Stop both; what is not done is in the database, and done after the next start."""
        if self._beat is not None:
            self._beat.stop()
        for worker in self._workers:
            worker.stop(in_sighandler=False)
        for thread in self._threads:
            thread.join(STOP_SECONDS)
