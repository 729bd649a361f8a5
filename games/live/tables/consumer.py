"""One browser's socket to one table. It reads the closed set of messages, delegates, and answers."""

from __future__ import annotations

import logging
import secrets
import time
from contextlib import suppress
from typing import Any, ClassVar

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.utils import translation

from games.accounts import rate_limits, table_access
from games.accounts.session import invited_tables, language_of
from games.live import database_threads, messages
from games.live.base_socket import BAD_MESSAGE, NOT_FOUND, POLICY_VIOLATION, TRY_LATER, BaseSocket
from games.live.hub import get_hub
from games.live.tables.regions import RenderedTable
from games.operation import metrics, spans, trace
from games.play import permissions
from games.play.errors import Refusal, TooFast
from games.play.moves import submission
from games.play.seats import readiness, seat_roles, sitting, standing_answers
from games.play.sentences import say_sentence
from games.play.storage import round_trips, store
from games.play.storage.table import PLAYING, LoadedTable

logger = logging.getLogger(__name__)

STALE, BUSY = 409, 503
"""HTTP statuses of refusals after which the browser gets the current table."""
KEPT_DELAYS = 6
"""Delays that are kept; the shortest counts, as single measurements vary."""


class TableConsumer(BaseSocket):
    """The socket `/ws/tables/<id>/`. What it shows comes from the hub, not from a channel layer of its own."""

    table_id: str = ""
    seat: int | None = None
    language: str = "en"
    invited: frozenset[str] = frozenset()
    shown: RenderedTable | None = None
    answered_version: int = -1
    """The version that had been sent when the last heartbeat was answered."""
    heard: tuple[int, int] = (0, 0)
    sent_presence: str = ""
    asked: tuple[int, float] = (0, 0.0)
    """The token whose echo is expected, and when it was sent (monotonic seconds)."""
    ways: tuple[float, ...] = ()
    """The last delays of a frame in seconds: half of each round trip."""
    frames: tuple[int, int] = (0, 0)
    """The second of the last frame, and the number of frames in it."""

    async def connect(self) -> None:
        """Admit readers who may watch, and show the table; a player counts as returned."""
        self.table_id = self.scope["url_route"]["kwargs"]["table_id"]
        trace.table_id.set(self.table_id)
        table = await self.admit(self._enter)
        if table is None:
            return
        self.seat = table.seat_of(self.player_id)
        try:
            await get_hub().join(self, table)
            self.answered_version = self._shown_version()
            await get_hub().send_talk(self)
        except Refusal:  # the database went away in between; the browser comes again by itself
            await self.close(code=TRY_LATER)

    def _enter(self) -> LoadedTable:
        session = self.scope["session"]
        self.language = language_of(self.scope)
        table = store.refresh(self.table_id)
        self.invited = table_access.enter(table, self.player_id, session)
        seat_roles.read_organisers(table)
        if self.table_id in self.invited - invited_tables(
            session
        ):  # by what the table belongs to, and as long as they do
            self.recheck = lambda: table_access.enter(store.fetch(self.table_id), self.player_id, session)
        if table.seat_of(self.player_id) is None:  # as it was read just now: there is no seat to come back to
            return table
        return sitting.return_to_table(self.table_id, self.player_id, now=time.time())

    async def unregister(self) -> None:
        """Remove this socket from the hub, which announces the change."""
        await get_hub().leave(self)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Read one message and answer it."""
        received = time.time()
        if not self.is_open:
            return
        if self._is_flooding(int(received)):
            await self.close(code=POLICY_VIOLATION)
            return
        try:
            message = messages.read(text_data or "")
        except ValueError:
            await self.close(code=BAD_MESSAGE)
            return
        if isinstance(message, messages.Echo):
            await self._measure_delay(message)
        elif isinstance(message, messages.Ping):
            await self._pong(message)
        elif isinstance(message, messages.Move):
            await self._answer("move", message.key, self._move, message, received)
        elif isinstance(message, messages.Contribute):
            await self._answer("contribute", message.key or "contribute", self._contribute, message, received)
        else:
            await self._answer("command", message.key or message.name, self._command, message, received)

    def _is_flooding(self, second: int) -> bool:
        """Whether more frames arrive in one second than playing needs: pings cost a query."""
        self.frames = (second, self.frames[1] + 1) if second == self.frames[0] else (second, 1)
        return self.frames[1] > 2 * settings.MOVES_PER_SECOND

    async def _answer(self, kind: str, key: str, work: Any, message: Any, received: float) -> None:
        shown_at = -1
        try:
            if not rate_limits.allow_move(self.table_id, self.player_id):
                raise TooFast("That was too fast. Wait a moment and try again.")
            with (
                spans.browser(received, min(self.ways, default=None)),
                spans.span(f"web socket {kind}", table=self.table_id, request=trace.request_id.get()),
            ):
                table = await database_threads.run_change(work, message, received)
            answer, shown_at = messages.Answer(key, 200, table.ply), table.version
        except Refusal as refusal:
            remembered = store.peek(self.table_id)
            with translation.override(self.language):
                sentence = say_sentence(refusal)
            answer = messages.Answer(key, refusal.status, remembered.ply if remembered else 0, sentence)
            if refusal.status == STALE:  # first the present, and then why: a new board has nothing written on it
                await self._catch_up(whole=True)
        if self._shown_version() < shown_at:  # the table is about to be sent to this browser
            await self.deliver_with_next(messages.write(answer))
        else:
            await self.deliver(messages.write(answer))
        spent = time.time() - received
        metrics.note_move(answer.status, spent)
        if logger.isEnabledFor(logging.INFO):
            ms = round(1000 * spent, 1)
            logger.info("SOCKET %s %s %s ms", kind, answer.status, ms, extra={"status": answer.status, "ms": ms})
        if answer.status == BUSY:
            await self._catch_up(whole=True)

    def _move(self, message: messages.Move, received: float) -> LoadedTable:
        started_at, ply, key = time.time(), message.ply, message.key
        return submission.submit_move(
            self.table_id, self.player_id, message.move, ply=ply, key=key, now=received, started_at=started_at
        ).table

    def _contribute(self, message: messages.Contribute, received: float) -> LoadedTable:
        commitment, entropy = message.commitment, message.entropy
        return sitting.contribute(self.table_id, self.player_id, commitment=commitment, entropy=entropy, now=received)

    def _command(self, message: messages.Command, received: float) -> LoadedTable:
        if message.name == "auto_pass":
            return sitting.order_pass(self.table_id, self.player_id, on=message.on, now=received)
        if message.name == "standing":
            return standing_answers.set_standing_answer(
                self.table_id, self.player_id, standing=message.value, now=received
            )
        if message.name == "ready":
            return readiness.mark_ready(self.table_id, self.player_id, now=received)
        return sitting.return_to_table(self.table_id, self.player_id, now=received)

    async def _pong(self, ping: messages.Ping) -> None:
        get_hub().other_processes.renew(self.table_id)
        table = store.peek(self.table_id)  # the lookout keeps it fresh
        if table is None:
            await self._catch_up()
            table = store.peek(self.table_id)
        version = table.version if table else 0
        if table is not None and table.runtime.is_standing:
            with suppress(Refusal):  # the next heartbeat, or whatever they do, lets it go on
                await database_threads.run_change(sitting.note_viewing, table, self.player_id, now=time.time())
        # A browser that is behind what it was sent since its last heartbeat may only not have it yet.
        if ping.version >= 0 and not self.answered_version <= ping.version <= self._shown_version():
            await self._catch_up(whole=True)
        self.answered_version = self._shown_version()
        self.asked = secrets.randbits(31) + 1, time.monotonic()
        await self.deliver(messages.write(messages.Pong(version, round(time.time() * 1000), self.asked[0])))

    async def _measure_delay(self, echo: messages.Echo) -> None:
        """Store this player's network delay: the shortest of the last few, each echo counted once."""
        token, sent = self.asked
        if echo.token != token or not token:
            return
        self.asked = (0, 0.0)
        self.ways = (*self.ways, (time.monotonic() - sent) / 2)[-KEPT_DELAYS:]
        has_seat = self.shown is not None and self.shown.table.status == PLAYING  # before, it is only a chair
        if self.seat is not None and has_seat:
            await database_threads.run(round_trips.record_delay, self.table_id, self.seat, min(self.ways))

    def _shown_version(self) -> int:
        return self.shown.screen.version if self.shown else -1

    async def _catch_up(self, *, whole: bool = False) -> None:
        """Send the current table. whole: even if this socket has it already."""
        try:
            table = await database_threads.run(store.refresh, self.table_id)
            await get_hub().show(self, table, whole=whole)
        except Refusal as refusal:
            logger.info("table %s cannot be shown now: %s", self.table_id, refusal)

    def may_watch(self, table: LoadedTable) -> bool:
        """Whether this reader may still watch: a player who left a private table may not."""
        return permissions.can_watch(table, self.player_id, self.invited)


class UnknownPathConsumer(AsyncWebsocketConsumer):
    """Sockets at any other path: closed as not found."""

    channel_layer_alias: ClassVar[str] = "none"

    async def connect(self) -> None:
        """Accept and close with a code, which a page can read."""
        await self.accept()
        await self.close(code=NOT_FOUND)
