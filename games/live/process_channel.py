"""Messages between the processes of one installation, over the channel layer: changes of tables, remarks, presence and
ended sessions."""

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
from games.live.channel_layer import UnavailableError
from games.operation import spans
from games.play.storage import store

logger = logging.getLogger(__name__)

PRESENCE_SECONDS = 45.0
"""Seconds for which another process's presence counts: three renewals, so that one may be lost."""
RENEW_SECONDS = PRESENCE_SECONDS / 3
"""Seconds between two renewals of a process's presence."""
SESSIONS = "sessions"
"""The channel layer's group for ended sessions."""
FLUSH_SECONDS = 2.0
"""Seconds that an ending process waits until its last messages are sent."""
RETRY_SECONDS = 0.5
"""Seconds before listening again after the channel layer failed."""


class ProcessPresence(NamedTuple):
    """Who is connected in one process, and when it said so (monotonic seconds). watchers: number of spectators."""

    seats: frozenset[int]
    watchers: int
    at: float


class LocalHub(Protocol):
    """The hub of this process, as far as it is needed here."""

    def is_open(self, table_id: str) -> bool:
        """Whether any socket of this process shows this table."""

    def find_local_presence(self, table_id: str) -> ProcessPresence:
        """Who is connected here."""

    def notice(self, table_id: str, version: int) -> None:
        """A table has changed."""

    def notice_remark(self, table_id: str) -> None:
        """There is a new remark at a table."""

    def end_session(self, session_key: str) -> None:
        """A session has ended."""

    def note_remote_presence(self, table_id: str) -> None:
        """Presence has changed in another process."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine as a task."""


class OtherProcesses:
    """The other processes, reached over the channel layer; without one nothing is sent."""

    def __init__(self, hub: LocalHub) -> None:
        self.name = secrets.token_hex(6)
        self.subscribed: set[str] = set()
        """Tables whose group this process has joined."""
        self.announced: dict[str, ProcessPresence] = {}
        """Table → presence here as it was last announced to the others."""
        self._coming: set[str] = set()
        """Tables whose group this process is about to join."""
        self.presences: dict[str, dict[str, ProcessPresence]] = {}
        """Table → process → who is connected there."""
        self._hub = hub
        self._layer = get_channel_layer()
        self._channel: str | None = None
        self._hears_sessions = False
        self._under_way = 0
        """How many messages are being sent."""
        self._listening = asyncio.Lock()

    @property
    def is_only_process(self) -> bool:
        """Whether this process is the only one."""
        return self._layer is None or isinstance(self._layer, InMemoryChannelLayer)

    def has_no_viewers_of(self, table_id: str) -> bool:
        """Whether no other process shows this table, as far as they have announced (on any thread)."""
        if table_id not in self.subscribed:
            return self.is_only_process
        return not any(presence.seats or presence.watchers for presence in self.list_presences(table_id))

    def list_presences(self, table_id: str) -> list[ProcessPresence]:
        """Presence in other processes, as announced recently."""
        recently = time.monotonic() - PRESENCE_SECONDS
        return [presence for presence in list(self.presences.get(table_id, {}).values()) if presence.at > recently]

    def subscribe(self, table_id: str) -> None:
        """Join the table's group and ask for the others' presence, in the background."""
        if not self.is_only_process and table_id not in self.subscribed and table_id not in self._coming:
            self._coming.add(table_id)
            self._begin(self._renew(table_id))

    def unsubscribe(self, table_id: str) -> None:
        """Announce that nobody is left here and leave the table's group, in the background."""
        if not self.is_only_process:
            self._begin(self._unsubscribe(table_id))

    def renew(self, table_id: str) -> None:
        """Renew the presence of this process if that is due, in the background."""
        announced = self.announced.get(table_id)
        if not self.is_only_process and (announced is None or announced.at < time.monotonic() - RENEW_SECONDS):
            self._repeat(table_id)

    def announce(self, table_id: str) -> None:
        """Announce the presence of this process if it has changed, in the background."""
        here, announced = self._hub.find_local_presence(table_id), self.announced.get(table_id)
        if not self.is_only_process and (announced is None or announced[:2] != here[:2]):
            self._repeat(table_id)

    def _repeat(self, table_id: str) -> None:
        self.announced[table_id] = self._hub.find_local_presence(table_id)
        self._begin(self._renew(table_id))

    def _begin(self, sending: Coroutine[Any, Any, None]) -> None:
        self._under_way += 1
        self._hub.spawn(self._finish(sending))

    async def _finish(self, sending: Coroutine[Any, Any, None]) -> None:
        try:
            await sending
        finally:
            self._under_way -= 1

    async def flush(self) -> None:
        """Wait for messages under way, at most `FLUSH_SECONDS`: they tell others that nobody is here any more."""
        last = time.monotonic() + FLUSH_SECONDS
        while self._under_way and time.monotonic() < last:
            await asyncio.sleep(0.01)

    async def _renew(self, table_id: str) -> None:
        try:
            is_new = await self._join_group(table_id)
        finally:
            self._coming.discard(table_id)
        await self._send_presence(table_id, ask=is_new)

    async def _unsubscribe(self, table_id: str) -> None:
        await self._send_presence(table_id)
        if not self._hub.is_open(table_id):
            await self._leave_group(table_id)

    async def _join_group(self, table_id: str) -> bool:
        """Join the group of this table; returns whether this process was not in it before."""
        async with self._listening:
            if table_id in self.subscribed or not self._hub.is_open(table_id):
                return False
            layer: Any = self._layer
            try:
                if self._channel is None:
                    self._channel = await channel_layer.call(layer.new_channel)
                    self._hub.spawn(self._listen())
                if not self._hears_sessions:
                    await channel_layer.call(partial(layer.group_add, SESSIONS, self._channel))
                    self._hears_sessions = True
                await channel_layer.call(partial(layer.group_add, name_group(table_id), self._channel))
            except (
                UnavailableError
            ):  # the lookout looks at the database; the next word about who is here tries this again
                return False
            self.subscribed.add(table_id)
            return True

    async def _leave_group(self, table_id: str) -> None:
        async with self._listening:
            if self._hub.is_open(table_id):
                return
            self.presences.pop(table_id, None)
            self.announced.pop(table_id, None)
            if table_id not in self.subscribed:
                return
            self.subscribed.discard(table_id)
            layer: Any = self._layer
            with suppress(UnavailableError):
                await channel_layer.call(partial(layer.group_discard, name_group(table_id), self._channel))

    async def _send_presence(self, table_id: str, *, ask: bool = False) -> None:
        """Send the presence of this process. ask: the others are to answer with theirs."""
        here = self._hub.find_local_presence(table_id)
        if self._hub.is_open(table_id):
            self.announced[table_id] = here
        message = {
            "type": "presence",
            "table": table_id,
            "from": self.name,
            "ask": ask,
            "seats": sorted(here.seats),
            "watchers": here.watchers,
        }
        await channel_layer.send(name_group(table_id), message)

    async def _send_version(self, table_id: str) -> None:
        """Send the table's version to a process that has just joined: it did not get earlier changes."""
        table = store.peek(table_id)
        if table is not None:
            await channel_layer.send(
                name_group(table_id), {"type": "changed", "table": table_id, "version": table.version}
            )

    async def _listen(self) -> None:
        assert self._layer is not None  # noqa: S101
        assert self._channel is not None  # noqa: S101
        while True:
            try:
                await self._handle_message(await self._layer.receive(self._channel))
            except asyncio.CancelledError:
                raise
            except Exception:
                logger.exception("the channel layer failed; listening again")
                await asyncio.sleep(RETRY_SECONDS)

    async def _handle_message(self, message: dict[str, Any]) -> None:
        if message["type"] == "changed":
            spans.mark(message["table"], message.get("trace", ""))
            self._hub.notice(message["table"], message["version"])
        elif message["type"] == "said":
            self._hub.notice_remark(message["table"])
        elif message["type"] == "signed_out":
            self._hub.end_session(message["session"])
        elif message["from"] != self.name and self._hub.is_open(message["table"]):
            await self._hear_presence(message["table"], message)

    async def _hear_presence(self, table_id: str, message: dict[str, Any]) -> None:
        presences = self.presences.setdefault(table_id, {})
        before = presences.get(message["from"])
        now = ProcessPresence(frozenset(message["seats"]), message["watchers"], time.monotonic())
        presences[message["from"]] = now
        if message["ask"]:
            await self._send_presence(table_id)
            await self._send_version(table_id)
        if before is None or before[:2] != now[:2] or before.at < now.at - PRESENCE_SECONDS:
            self._hub.note_remote_presence(table_id)


def name_group(table_id: str) -> str:
    """The channel layer's group of a table."""
    return f"table.{table_id}"
