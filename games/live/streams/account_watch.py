"""Finds new tables and challenges of the players whose streams are open in this process.

Every second one query looks for all of them; what changes in this process wakes it at once.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple, Protocol

from games.live import database_threads
from games.live.event_loops import LoopSingleton
from games.live.streams.messages import ChallengeMessage
from games.models import Seat
from games.play.errors import Refusal
from games.play.seats import challenges
from games.play.storage.table import PLAYING, WAITING, LoadedTable

logger = logging.getLogger(__name__)

LOOK_SECONDS = 1.0
"""Seconds between two looks: the delay of a seat or a challenge that another process has written."""


class AccountNews(NamedTuple):
    """Tables at which a player sits that are not over, and the open challenges for them."""

    tables: frozenset[str]
    challenges: tuple[ChallengeMessage, ...]


class AccountStream(Protocol):
    """A program's stream of everything that concerns its player."""

    player_id: int | None

    async def update(self, news: AccountNews) -> None:
        """Follow these tables, and send the challenges that are new."""


class AccountWatch:
    """The account streams of one process."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self._streams: dict[AccountStream, None] = {}
        self._players: frozenset[int] = frozenset()
        self._followed: dict[int, frozenset[str]] = {}
        """Player → their tables at the last look."""
        self._woken = asyncio.Event()
        self._looking: asyncio.Task[None] | None = None

    def add(self, stream: AccountStream) -> None:
        """Add a stream; the first one starts the looks."""
        self._streams[stream] = None
        self._count_players()
        self._woken.set()
        if self._looking is None or self._looking.done():
            self._looking = self.loop.create_task(self._look_repeatedly())

    def remove(self, stream: AccountStream) -> None:
        """Remove a stream."""
        self._streams.pop(stream, None)
        self._count_players()

    def _count_players(self) -> None:
        self._players = frozenset(stream.player_id for stream in self._streams if stream.player_id is not None)

    def note_table(self, table: LoadedTable) -> None:
        """A table has changed (on any thread): look at once if somebody sits there whose stream does not know it."""
        players = self._players
        if players and any(
            place.player_id in players and table.id not in self._followed.get(place.player_id or 0, ())
            for place in table.places
        ):
            self.loop.call_soon_threadsafe(self._woken.set)

    def note_player(self, player_id: int) -> None:
        """Something of this player has changed (on any thread)."""
        if player_id in self._players:
            self.loop.call_soon_threadsafe(self._woken.set)

    async def _look_repeatedly(self) -> None:
        while self._streams:
            self._woken.clear()
            try:
                await self._look()
            except Refusal as refusal:  # the next look finds it
                logger.info("the tables of streams cannot be read now: %s", refusal)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), LOOK_SECONDS)

    async def _look(self) -> None:
        news = await database_threads.run(read_news, self._players)
        self._followed = {player: one.tables for player, one in news.items()}
        for stream in list(self._streams):
            if stream.player_id in news:
                try:
                    await stream.update(news[stream.player_id])
                except Exception:  # whatever is wrong with one stream, the others go on
                    logger.exception("the stream of player %s could not be updated", stream.player_id)


def read_news(players: Iterable[int]) -> dict[int, AccountNews]:
    """What concerns these players now, by player. On a database thread."""
    wanted = sorted(players)
    seats = Seat.objects.filter(player__in=wanted, table__status__in=[WAITING, PLAYING])
    tables: dict[int, set[str]] = {player: set() for player in wanted}
    for player, table_id in seats.values_list("player_id", "table_id"):
        tables[player or 0].add(table_id)
    open_ones: dict[int, list[ChallengeMessage]] = {player: [] for player in wanted}
    for challenge in challenges.list_open(now=time.time()).filter(challenged__in=wanted):
        message = ChallengeMessage(
            challenge.pk,
            challenge.table_id,
            challenge.table.game,
            challenge.challenger_id,
            challenge.challenger.name,
            challenge.at,
        )
        open_ones[challenge.challenged_id].append(message)
    return {player: AccountNews(frozenset(tables[player]), tuple(open_ones[player])) for player in wanted}


_watch = LoopSingleton(AccountWatch)
get_watch, find_watch = _watch.get, _watch.find
