"""Throttles presence: at most one message per table and second, however many people come and go.

The first change is announced at once, so that two people who meet see each other; later ones within the second are
announced together at its end. Presence is not stored in the database.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

INTERVAL_SECONDS = 1.0
"""Seconds between two announcements for a table: fast enough for people, cheap with many spectators."""


class PresenceThrottle:
    """Announces presence changes. send: sends the presence of a table; spawn: runs a coroutine as a task."""

    def __init__(
        self, send: Callable[[str], Awaitable[None]], spawn: Callable[[Coroutine[Any, Any, None]], None]
    ) -> None:
        self._send = send
        self._spawn = spawn
        self._is_due: dict[str, bool] = {}
        """Tables announced within the last second, each with whether another announcement is due."""

    def note(self, table_id: str) -> None:
        """Presence at this table has changed (on the loop)."""
        is_throttled = table_id in self._is_due
        self._is_due[table_id] = True
        if not is_throttled:
            self._spawn(self._announce_repeatedly(table_id))

    async def _announce_repeatedly(self, table_id: str) -> None:
        try:
            while self._is_due[table_id]:
                self._is_due[table_id] = False
                await self._send(table_id)
                await asyncio.sleep(INTERVAL_SECONDS)
        finally:
            del self._is_due[table_id]
