"""Checks in the database whether the sockets of this process show the newest versions.

Every process is told of a change at once (`publish`), but that may fail if Redis or the database does not answer. One
query for all open tables finds what was missed, and costs less than one for each browser's heartbeat.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from typing import Protocol

from games.live import database_threads
from games.notifications import attention
from games.play.errors import Refusal
from games.play.seats import last_seen
from games.play.storage import store

logger = logging.getLogger(__name__)

CHECK_SECONDS = 2.0
"""Seconds between two checks: the longest delay of a missed change, against one query per process each time."""


class ShownTables(Protocol):
    """The hub of this process, as far as it is needed here."""

    def list_shown_versions(self) -> Mapping[str, int]:
        """Open tables, each with the oldest version that any of its sockets shows."""

    def list_attended_tables(self) -> Sequence[str]:
        """Tables with a connected player who has no stand-in."""

    def list_present_players(self) -> Mapping[int, Sequence[str]]:
        """Players who are connected to tables at which they sit: the ids of these tables by player."""

    def notice(self, table_id: str, version: int) -> None:
        """A table has changed."""


class StalenessCheck:
    """Runs while any socket of this process shows a table."""

    def __init__(self, screens: ShownTables) -> None:
        self._screens = screens
        self._looking: asyncio.Task[None] | None = None
        self._attention_due = 0.0
        """When it is stored next who looks at which table (monotonic seconds)."""

    def begin(self) -> None:
        """Start checking (on the loop) unless it runs already."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.get_running_loop().create_task(self._check_repeatedly())

    async def _check_repeatedly(self) -> None:
        while self._screens.list_shown_versions():
            await asyncio.sleep(CHECK_SECONDS)
            await self.check()
            await self.record_players()

    async def check(self) -> None:
        """Compare versions with one query and have outdated tables shown."""
        shown = self._screens.list_shown_versions()
        try:
            versions = await database_threads.run(store.read_versions, list(shown))
        except Refusal as refusal:  # the next look finds it
            logger.info("what is shown cannot be compared now: %s", refusal)
            return
        for table_id, version in versions.items():
            if version > shown[table_id]:
                self._screens.notice(table_id, version)

    async def record_players(self) -> None:
        """Store at which tables players are present: those are not paused as idle, and they need no notification."""
        await database_threads.run(last_seen.record_presence, self._screens.list_attended_tables(), now=time.time())
        present = self._screens.list_present_players()
        if present and time.monotonic() >= self._attention_due:
            self._attention_due = time.monotonic() + attention.WRITE_SECONDS
            await database_threads.run(attention.record, present, now=time.time())

    async def end(self) -> None:
        """Stop checking."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
