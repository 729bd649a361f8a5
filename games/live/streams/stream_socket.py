"""A program's WebSocket: the messages of its stream, and moves and commands in the other direction."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from django.conf import settings

from games.accounts import access_tokens, rate_limits
from games.live import database_threads
from games.live.base_socket import BAD_MESSAGE, POLICY_VIOLATION, TRY_LATER, BaseSocket
from games.live.hub import get_hub
from games.live.streams import identification, messages
from games.live.streams.feed import Feed
from games.models import AccessToken, Player
from games.operation import metrics
from games.play.errors import Refusal, TooFast
from games.play.moves import submission
from games.play.seats import readiness, sitting, standing_answers
from games.play.sentences import say_sentence
from games.play.storage import store
from games.play.storage.table import LoadedTable

MAX_UNANSWERED = 100
"""Messages of one program that may wait for their answers at a time."""


class StreamSocket(BaseSocket):
    """The socket at `/api/v1/stream` or `/api/v1/tables/<id>/stream`."""

    feed: Feed | None = None
    token: AccessToken | None = None
    unanswered: int = 0
    frames: tuple[int, int] = (0, 0)
    """The second of the last frame, and the number of frames in it."""

    async def connect(self) -> None:
        """Admit a program with a token, and send what it follows."""
        await self.admit(self._enter)
        if self.feed is None or not self.is_open:
            return
        try:
            await self.feed.begin(self.entered)
        except Refusal:
            await self.close(code=TRY_LATER)

    entered: LoadedTable | None = None

    async def identify(self) -> Player | None:
        """The player of the token. Raises NoToken, TooFast."""
        self.token = await database_threads.run(identification.find_token, self.scope)
        return self.token.player

    def _enter(self) -> bool:
        table_id = identification.match_path(self.scope["path"])
        if self.token is None or table_id is None:
            raise identification.NoToken("The API key is missing or not valid. Check it, or ask for a new one.")
        feed = Feed(self, self.token, table_id, identification.read_after(self.scope, table_id))
        self.entered = feed.enter()
        self.feed = feed
        return True

    async def unregister(self) -> None:
        """Stop sending."""
        if self.feed is not None:
            self.feed.end()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Read one message; its answer follows as soon as the database has it, and may overtake earlier ones."""
        received = time.time()
        if not self.is_open or self.feed is None:
            return
        if self._is_flooding(int(received)) or self.unanswered >= MAX_UNANSWERED:
            await self.close(code=POLICY_VIOLATION)
            return
        try:
            message = messages.read(text_data or "")
        except ValueError:
            await self.close(code=BAD_MESSAGE)
            return
        if isinstance(message, messages.Ping):
            await self.feed.deliver(messages.write(messages.Heartbeat(round(received, 3))))
            return
        self.unanswered += 1
        get_hub().spawn(self._answer(message, received))

    def _is_flooding(self, second: int) -> bool:
        """Whether more frames arrive in one second than playing at its tables needs."""
        self.frames = (second, self.frames[1] + 1) if second == self.frames[0] else (second, 1)
        tables = max(1, self.feed.count_tables() if self.feed else 1)
        return self.frames[1] > 2 * settings.MOVES_PER_SECOND * tables

    async def _answer(self, message: Any, received: float) -> None:
        table_id = message.table or (self.feed.table_id if self.feed else "")
        key = message.key or (message.name if isinstance(message, messages.Command) else "")
        try:
            if self.token is not None:
                access_tokens.require_scope(self.token, access_tokens.PLAY)
            if not rate_limits.allow_move(table_id, self.player_id):
                raise TooFast("That was too fast. Wait a moment and try again.")
            table = await database_threads.run_change(self._choose_work(message, table_id, received))
            answer = messages.Answer(table_id, key, 200, table.ply)
        except Refusal as refusal:
            remembered = store.peek(table_id)
            answer = messages.Answer(
                table_id, key, refusal.status, remembered.ply if remembered else 0, say_sentence(refusal)
            )
        finally:
            self.unanswered -= 1
        await self.deliver(messages.write(answer))
        metrics.note_move(answer.status, time.time() - received)

    def _choose_work(self, message: Any, table_id: str, received: float) -> Callable[[], LoadedTable]:
        if isinstance(message, messages.Move):
            return partial(self._move, message, table_id, received)
        if isinstance(message, messages.Contribute):
            sent = {"commitment": message.commitment, "entropy": message.entropy}
            return partial(sitting.contribute, table_id, self.player_id, **sent, now=received)
        if message.name == "auto_pass":
            return partial(sitting.order_pass, table_id, self.player_id, on=message.on, now=received)
        if message.name == "standing":
            order = standing_answers.set_standing_answer
            return partial(order, table_id, self.player_id, standing=message.value, now=received)
        act = readiness.mark_ready if message.name == "ready" else sitting.return_to_table
        return partial(act, table_id, self.player_id, now=received)

    def _move(self, message: messages.Move, table_id: str, received: float) -> LoadedTable:
        started_at, ply, key = time.time(), message.ply, message.key
        return submission.submit_move(
            table_id, self.player_id, message.move, ply=ply, key=key, now=received, started_at=started_at
        ).table
