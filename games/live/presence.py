"""Who is at a table is told at most once a second, however many come and go meanwhile.

The first change is told at once, so that two people who meet see each other; what follows within the second is told
together at its end. Who is connected stands in no row: this is no memory of the database.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

PAUSE_SECONDS = 1.0
"""From one word about a table to the next."""


class Attendance:
    """Tables at which somebody has come or gone. tell: says who is there now; spawn: does work beside everything."""

    def __init__(
        self, tell: Callable[[str], Awaitable[None]], spawn: Callable[[Coroutine[Any, Any, None]], None]
    ) -> None:
        self._tell = tell
        self._spawn = spawn
        self._is_due: dict[str, bool] = {}
        """Tables of which something was told within the last second: whether there is more to tell."""

    def note(self, table_id: str) -> None:
        """Somebody has come to this table, or left it (on the loop)."""
        is_told_lately = table_id in self._is_due
        self._is_due[table_id] = True
        if not is_told_lately:
            self._spawn(self._tell_on(table_id))

    async def _tell_on(self, table_id: str) -> None:
        try:
            while self._is_due[table_id]:
                self._is_due[table_id] = False
                await self._tell(table_id)
                await asyncio.sleep(PAUSE_SECONDS)
        finally:
            del self._is_due[table_id]
