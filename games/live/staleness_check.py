"""Whether the screens of this process show the present, asked of the database again and again.

A change is told to every process at once (`publish`), and that may fail: Redis is away, or the database does not answer
the process that was told. One look for all tables that are open here finds what was missed, and costs less than one
for each heartbeat of each browser.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from typing import Protocol

from games.live import database_threads
from games.play.errors import Refusal
from games.play.seats import last_seen
from games.play.storage import store

logger = logging.getLogger(__name__)

LOOK_SECONDS = 2.0


class Screens(Protocol):
    """What is shown here: the hub of this process."""

    def list_shown(self) -> Mapping[str, int]:
        """Open tables, each with the oldest version on any of its screens."""

    def list_attended(self) -> Sequence[str]:
        """Tables at which one of their people is."""

    def notice(self, table_id: str, version: int) -> None:
        """A table has changed."""


class Lookout:
    """Looks for as long as anybody here looks at a table."""

    def __init__(self, screens: Screens) -> None:
        self._screens = screens
        self._looking: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Look from now on (on the loop); nothing happens where that is done already."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.get_running_loop().create_task(self._look_on())

    async def _look_on(self) -> None:
        while self._screens.list_shown():
            await asyncio.sleep(LOOK_SECONDS)
            await self.look()
            await self.note_people()

    async def look(self) -> None:
        """Have every table shown that is not shown as it is."""
        shown = self._screens.list_shown()
        try:
            versions = await database_threads.run(store.read_versions, list(shown))
        except Refusal as refusal:  # the next look finds it
            logger.info("what is shown cannot be compared now: %s", refusal)
            return
        for table_id, version in versions.items():
            if version > shown[table_id]:
                self._screens.notice(table_id, version)

    async def note_people(self) -> None:
        """Have the database know at which tables people are, so that those do not stand still."""
        await database_threads.run(last_seen.note, self._screens.list_attended(), now=time.time())

    async def end(self) -> None:
        """Look no more."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
