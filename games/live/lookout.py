"""Whether the screens of this process show the present, to whom they may, asked of the database again and again.

A change is told to every process at once (`publish`), and that may fail: Redis is away, or the database does not answer
the process that was told. One look for all tables that are open here finds what was missed, and costs less than one
for each heartbeat of each browser. Now and then it asks as well whether those before the screens are still signed in: a
socket outlives the session by which it was opened.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Protocol

from games.accounts.middleware import find_lost
from games.live import database
from games.play import store
from games.play.errors import Refusal

logger = logging.getLogger(__name__)

LOOK_SECONDS = 2.0
LOOKS_A_ROLL_CALL = 5
"""After so many looks it is asked once who is still signed in."""


class Screens(Protocol):
    """What is shown here: the hub of this process."""

    def list_shown(self) -> Mapping[str, int]:
        """Open tables, each with the oldest version on any of its screens."""

    def notice(self, table_id: str, version: int) -> None:
        """A table has changed."""

    def list_sessions(self) -> AbstractSet[tuple[str, int]]:
        """The keys of the sessions by which people are here, each with its player."""

    async def send_lost_away(self, lost: AbstractSet[tuple[str, int]]) -> None:
        """Close the sockets of these sessions."""


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
        looks = 0
        while self._screens.list_shown():
            await asyncio.sleep(LOOK_SECONDS)
            await self.look()
            looks += 1
            if looks % LOOKS_A_ROLL_CALL == 0:
                await self.call_the_roll()

    async def look(self) -> None:
        """Have every table shown that is not shown as it is."""
        shown = self._screens.list_shown()
        try:
            versions = await database.run(store.read_versions, list(shown))
        except Refusal as refusal:  # the next look finds it
            logger.info("what is shown cannot be compared now: %s", refusal)
            return
        for table_id, version in versions.items():
            if version > shown[table_id]:
                self._screens.notice(table_id, version)

    async def call_the_roll(self) -> None:
        """Send away whoever is here by a session that is no longer his: signed out, or with another password now."""
        try:
            lost = await database.run(find_lost, self._screens.list_sessions())
        except Refusal as refusal:  # the next roll call finds them
            logger.info("who is signed in cannot be asked now: %s", refusal)
            return
        await self._screens.send_lost_away(lost)

    async def end(self) -> None:
        """Look no more."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
