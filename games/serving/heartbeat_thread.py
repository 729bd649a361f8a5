"""Writes the heartbeat of a server, however busy its worker is. See games/play/clocks/downtime.py."""

from __future__ import annotations

import logging
import threading
import time

from django.db import connection

from games.play.clocks import downtime
from games.play.errors import Refusal
from games.play.storage.heartbeat import BEAT_SECONDS

logger = logging.getLogger(__name__)

SECONDS = BEAT_SECONDS / 2
"""Seconds between two beats: half of what counts as due, so that no beat is missed."""


class HeartbeatThread:
    """A thread that writes the heartbeat from `start` to `stop`."""

    def __init__(self, *, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def start(self) -> None:
        """Begin; called once."""
        self._thread.start()

    def stop(self) -> None:
        """End, and wait for it."""
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            while not self._ended.wait(self._seconds):
                self._beat()
        finally:
            connection.close()

    def _beat(self) -> None:
        try:
            downtime.compensate_downtime(now=time.time())
        except Refusal as refusal:
            logger.warning("heartbeat: %s", refusal)
            connection.close()  # the next beat opens it anew
        except Exception:
            logger.exception("heartbeat")
