"""What one program is sent: the table it follows, or all tables and challenges of its player."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Protocol

from games.accounts import access_tokens, table_access
from games.live import database_threads
from games.live.hub import get_hub
from games.live.session_sockets import find_session_sockets, get_session_sockets
from games.live.streams import messages
from games.live.streams.account_watch import AccountNews, find_watch, get_watch
from games.live.streams.followers import Follower
from games.models import AccessToken
from games.play import permissions
from games.play.errors import NotAllowed, Refusal
from games.play.seats import sitting
from games.play.storage import store
from games.play.storage.table import WAITING, LoadedTable

HEARTBEAT_SECONDS = 10.0
"""Seconds of silence after which a heartbeat is sent."""
NORMAL_END = 1000
"""Close code of RFC 6455: everything has been sent."""


class Transport(Protocol):
    """How messages reach the program."""

    async def deliver(self, frame: str) -> None:
        """Send one message; does not raise if the program has gone."""

    async def dismiss(self, code: int = ...) -> None:
        """Close the connection."""


class Feed:
    """The messages for one program. table_id: the table it follows; empty: all of its player's.

    after: by table, the last ply that the program knows; events after it are sent first. Without one it begins now.
    """

    session_key: str | None = None
    recheck: Callable[[], object] | None

    def __init__(self, transport: Transport, token: AccessToken, table_id: str, after: Mapping[str, int]) -> None:
        self.player_id: int | None = token.player_id
        self.table_id = table_id
        self.is_playing = access_tokens.PLAY in access_tokens.list_scopes(token)
        self._transport = transport
        self._token = token
        self._after = dict(after)
        self._invited: frozenset[str] = frozenset()
        self._followers: dict[str, Follower] = {}
        self._told: set[int] = set()
        """Challenges that the program knows."""
        self._sent_at = 0.0
        self._beating: asyncio.Task[None] | None = None
        self.recheck = self._check

    def enter(self) -> LoadedTable | None:
        """The table, if the program may follow it. On a database thread. Raises Refusal."""
        if not access_tokens.list_scopes(self._token) & {access_tokens.READ, access_tokens.PLAY}:
            raise NotAllowed("This token does not have the scope “%(scope)s”. Create one that has it.", scope="read")
        return self._load_watched(self.table_id) if self.table_id else None

    def _load_watched(self, table_id: str) -> LoadedTable:
        table = store.refresh(table_id)
        self._invited |= table_access.enter_by_token(table, self._token)
        is_called = table.status != WAITING or table.runtime.arranged is not None
        if table.seat_of(self.player_id) is None or not is_called or not self.is_playing:
            return table
        return sitting.return_to_table(table_id, self.player_id, now=time.time())

    def _check(self) -> None:
        """Raises NotAllowed if the token no longer works, or no longer shows this table. On a database thread."""
        access_tokens.require_working(self._token.pk, now=time.time())
        if self.table_id:
            table_access.enter_by_token(store.fetch(self.table_id), self._token)

    async def begin(self, table: LoadedTable | None) -> None:
        """Start sending. table: what `enter` has returned."""
        get_session_sockets().add(self)
        await self.deliver(messages.write(messages.Heartbeat(round(time.time(), 3))))
        self._beating = asyncio.get_running_loop().create_task(self._beat())
        if table is not None:
            await self._follow(table)
        else:
            get_watch().add(self)

    async def _follow(self, table: LoadedTable) -> None:
        follower = Follower(self, table, self._after.pop(table.id, None))
        self._followers[table.id] = follower
        await get_hub().follow(follower, table)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS / 4)
            for table_id in list(self._followers):
                get_hub().other_processes.renew(table_id)
            if self._sent_at <= time.monotonic() - HEARTBEAT_SECONDS * 3 / 4:
                await self.deliver(messages.write(messages.Heartbeat(round(time.time(), 3))))

    def end(self) -> None:
        """Stop sending. May be called twice."""
        if self._beating is not None:
            self._beating.cancel()
        if watch := find_watch():
            watch.remove(self)
        if sockets := find_session_sockets():
            sockets.remove(self)
        while self._followers:
            get_hub().unfollow(self._followers.popitem()[1])

    def count_tables(self) -> int:
        """How many tables are followed."""
        return len(self._followers)

    async def deliver(self, frame: str) -> None:
        """Send one message; does not raise if the program has gone."""
        self._sent_at = time.monotonic()
        await self._transport.deliver(frame)

    async def dismiss(self, code: int = 4403) -> None:
        """Close the connection: the token no longer works, or the code says why."""
        await self._transport.dismiss(code)

    def may_watch(self, table: LoadedTable) -> bool:
        """Whether the player may follow this table; on the account's stream only from a seat."""
        if not self.table_id:
            return table.seat_of(self.player_id) is not None
        return permissions.can_watch(table, self.player_id, self._invited)

    async def drop(self, follower: Follower) -> None:
        """This table is not for the player any more."""
        await self.deliver(messages.write(messages.TableGone(follower.table_id)))
        await self.finish(follower)

    async def finish(self, follower: Follower) -> None:
        """Stop following a table; a stream of this table alone ends."""
        self._followers.pop(follower.table_id, None)
        get_hub().unfollow(follower)
        if self.table_id:
            await self.dismiss(NORMAL_END)

    async def update(self, news: AccountNews) -> None:
        """Follow the player's new tables, and tell of new challenges."""
        for challenge in news.challenges:
            if challenge.id not in self._told:
                self._told.add(challenge.id)
                await self.deliver(messages.write(challenge))
        for table_id in sorted(news.tables - self._followers.keys()):
            try:
                table = await database_threads.run(partial(self._load_watched, table_id))
            except Refusal:  # it is gone, or the next look finds it
                continue
            await self._follow(table)
