"""What the processes of one installation tell each other: of a table its changes, what is said, who is connected; and
which session has ended."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Coroutine
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, Protocol

from channels.layers import InMemoryChannelLayer, get_channel_layer

from games.live import channel_layer
from games.live.channel_layer import AwayError
from games.play.storage import store

logger = logging.getLogger(__name__)

PRESENCE_SECONDS = 45.0
"""How long another process's word about who is connected counts."""
RENEW_SECONDS = PRESENCE_SECONDS / 3
"""How often a process repeats its word."""
SESSIONS = "sessions"
"""The channel layer's group in which it is told who signs out."""
LAST_SECONDS = 2.0
"""How long a process that ends waits until its last words are said."""
AGAIN_SECONDS = 0.5
"""Before the channel layer is listened to again after it failed."""


class Crowd(NamedTuple):
    """Who is connected in one process, and when it said so (monotonic seconds)."""

    seats: frozenset[int]
    watchers: int
    at: float


class Home(Protocol):
    """What listens here: the hub of this process."""

    def is_open(self, table_id: str) -> bool:
        """Whether anybody here looks at this table."""

    def crowd_here(self, table_id: str) -> Crowd:
        """Who is connected here."""

    def notice(self, table_id: str, version: int) -> None:
        """A table has changed."""

    def notice_remark(self, table_id: str) -> None:
        """Something was said at a table."""

    def end_session(self, session_key: str) -> None:
        """Somebody has signed out."""

    def note_crowd(self, table_id: str) -> None:
        """Somebody has come or gone elsewhere."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do this beside everything else."""


class Neighbours:
    """The other processes, by way of the channel layer; where there is none, nothing is told to anybody."""

    def __init__(self, home: Home) -> None:
        self.name = secrets.token_hex(6)
        self.heard: set[str] = set()
        """Tables whose group this process has joined."""
        self.told: dict[str, Crowd] = {}
        """Who is connected here, as the others were last told."""
        self._coming: set[str] = set()
        """Tables whose group this process is about to join."""
        self.crowds: dict[str, dict[str, Crowd]] = {}
        """Table → process → who is connected there."""
        self._home = home
        self._layer = get_channel_layer()
        self._channel: str | None = None
        self._hears_sessions = False
        self._under_way = 0
        """How many words are being said."""
        self._listening = asyncio.Lock()

    @property
    def are_none(self) -> bool:
        """Whether this process is the only one."""
        return self._layer is None or isinstance(self._layer, InMemoryChannelLayer)

    def are_away_from(self, table_id: str) -> bool:
        """Whether nobody looks at this table elsewhere, as far as the others have told (on any thread)."""
        if table_id not in self.heard:
            return self.are_none
        return not any(crowd.seats or crowd.watchers for crowd in self.list_crowds(table_id))

    def list_crowds(self, table_id: str) -> list[Crowd]:
        """Who is connected elsewhere, as told lately."""
        recently = time.monotonic() - PRESENCE_SECONDS
        return [crowd for crowd in list(self.crowds.get(table_id, {}).values()) if crowd.at > recently]

    def greet(self, table_id: str) -> None:
        """From now on hear of this table, and ask who is connected to it elsewhere. Nobody waits for that."""
        if not self.are_none and table_id not in self.heard and table_id not in self._coming:
            self._coming.add(table_id)
            self._begin(self._renew(table_id))

    def part(self, table_id: str) -> None:
        """Hear no more of a table at which nobody is left, and say so. Nobody waits for that."""
        if not self.are_none:
            self._begin(self._part(table_id))

    def renew(self, table_id: str) -> None:
        """Repeat who is connected here, if that is due. Nobody waits for that."""
        told = self.told.get(table_id)
        if not self.are_none and (told is None or told.at < time.monotonic() - RENEW_SECONDS):
            self._repeat(table_id)

    def announce(self, table_id: str) -> None:
        """Say who is connected here, unless that was said. Nobody waits for that."""
        here, told = self._home.crowd_here(table_id), self.told.get(table_id)
        if not self.are_none and (told is None or told[:2] != here[:2]):
            self._repeat(table_id)

    def _repeat(self, table_id: str) -> None:
        self.told[table_id] = self._home.crowd_here(table_id)
        self._begin(self._renew(table_id))

    def _begin(self, word: Coroutine[Any, Any, None]) -> None:
        self._under_way += 1
        self._home.spawn(self._finish(word))

    async def _finish(self, word: Coroutine[Any, Any, None]) -> None:
        try:
            await word
        finally:
            self._under_way -= 1

    async def say_last(self) -> None:
        """Wait for what is being said, but not for long: others would believe that somebody is still here."""
        last = time.monotonic() + LAST_SECONDS
        while self._under_way and time.monotonic() < last:
            await asyncio.sleep(0.01)

    async def _renew(self, table_id: str) -> None:
        try:
            is_new = await self._come_to(table_id)
        finally:
            self._coming.discard(table_id)
        await self._tell(table_id, ask=is_new)

    async def _part(self, table_id: str) -> None:
        await self._tell(table_id)
        if not self._home.is_open(table_id):
            await self._go_from(table_id)

    async def _come_to(self, table_id: str) -> bool:
        """Listen to this table; whether that was not so before."""
        async with self._listening:
            if table_id in self.heard or not self._home.is_open(table_id):
                return False
            layer: Any = self._layer
            try:
                if self._channel is None:
                    self._channel = await channel_layer.ask(layer.new_channel)
                    self._home.spawn(self._listen())
                if not self._hears_sessions:
                    await channel_layer.ask(partial(layer.group_add, SESSIONS, self._channel))
                    self._hears_sessions = True
                await channel_layer.ask(partial(layer.group_add, group_of(table_id), self._channel))
            except AwayError:  # the lookout looks at the database; the next word about who is here tries this again
                return False
            self.heard.add(table_id)
            return True

    async def _go_from(self, table_id: str) -> None:
        async with self._listening:
            if self._home.is_open(table_id):
                return
            self.crowds.pop(table_id, None)
            self.told.pop(table_id, None)
            if table_id not in self.heard:
                return
            self.heard.discard(table_id)
            layer: Any = self._layer
            with suppress(AwayError):
                await channel_layer.ask(partial(layer.group_discard, group_of(table_id), self._channel))

    async def _tell(self, table_id: str, *, ask: bool = False) -> None:
        """Say who is connected here; ask: and be told who is elsewhere."""
        here = self._home.crowd_here(table_id)
        if self._home.is_open(table_id):
            self.told[table_id] = here
        word = {
            "type": "presence",
            "table": table_id,
            "from": self.name,
            "ask": ask,
            "seats": sorted(here.seats),
            "watchers": here.watchers,
        }
        await channel_layer.send(group_of(table_id), word)

    async def _tell_version(self, table_id: str) -> None:
        """To a process that has just come: what changed before we knew of it was not sent to it."""
        table = store.peek(table_id)
        if table is not None:
            await channel_layer.send(
                group_of(table_id), {"type": "changed", "table": table_id, "version": table.version}
            )

    async def _listen(self) -> None:
        assert self._layer is not None  # noqa: S101
        assert self._channel is not None  # noqa: S101
        while True:
            try:
                await self._hear(await self._layer.receive(self._channel))
            except asyncio.CancelledError:
                raise
            except Exception:
                logger.exception("the channel layer failed; listening again")
                await asyncio.sleep(AGAIN_SECONDS)

    async def _hear(self, message: dict[str, Any]) -> None:
        if message["type"] == "changed":
            self._home.notice(message["table"], message["version"])
        elif message["type"] == "said":
            self._home.notice_remark(message["table"])
        elif message["type"] == "signed_out":
            self._home.end_session(message["session"])
        elif message["from"] != self.name and self._home.is_open(message["table"]):
            await self._hear_presence(message["table"], message)

    async def _hear_presence(self, table_id: str, message: dict[str, Any]) -> None:
        crowds = self.crowds.setdefault(table_id, {})
        before = crowds.get(message["from"])
        now = Crowd(frozenset(message["seats"]), message["watchers"], time.monotonic())
        crowds[message["from"]] = now
        if message["ask"]:
            await self._tell(table_id)
            await self._tell_version(table_id)
        if before is None or before[:2] != now[:2] or before.at < now.at - PRESENCE_SECONDS:
            self._home.note_crowd(table_id)


def group_of(table_id: str) -> str:
    """The channel layer's group of a table."""
    return f"table.{table_id}"
