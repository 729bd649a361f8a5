"""What all sockets share: they are counted, served without a channel layer, and closed once."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ClassVar, Protocol, TypeVar

from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer

from games.accounts import rate_limits
from games.live import database_threads
from games.live.session_sockets import find_session_sockets, get_session_sockets
from games.live.socket_admission import get_admission
from games.models import Player
from games.operation import trace
from games.play.errors import Refusal

T = TypeVar("T")

logger = logging.getLogger(__name__)

NOT_FOUND, REFUSED, BAD_MESSAGE = 4404, 4403, 4400
"""Close codes of this site: not found, not allowed, message not understood."""
POLICY_VIOLATION, TRY_LATER = 1008, 1013
"""Close codes of RFC 6455: policy violation (too many messages), try again later."""
TOO_MANY_CODES = {"network": 4429, "person": 4430}
"""Close codes of this site: too many open sockets from this network address, or of this person."""
WIRE_EXTENSION = "menagerie.wire"
"""Key of the scope's extensions under which a server offers a `FrameWriter`, which is faster than ASGI's `send`."""


def choose_close_code(status: int) -> int:
    """The close code for a refusal of this HTTP status."""
    return {400: BAD_MESSAGE, 401: REFUSED, 403: REFUSED, 404: NOT_FOUND}.get(status, TRY_LATER)


class FrameWriter(Protocol):
    """Writes text frames to one browser directly, past ASGI (`games.serving.wire`)."""

    def send(self, text: str) -> None:
        """Send one text frame; nothing happens where the connection has gone."""

    def hold(self, text: str) -> None:
        """Send one text frame right after the next one; in a moment, if none comes."""


class BaseSocket(AsyncWebsocketConsumer):
    """One browser's socket."""

    channel_layer_alias: ClassVar[str] = "none"

    player: Player | None = None
    player_id: int | None = None
    session_key: str | None = None
    """Key of the session in which the player is signed in."""
    recheck: Callable[[], object] | None = None
    """Raises NotAllowed (on a database thread) if the reader may not watch any more; None if nothing needs checking."""
    is_open: bool = False
    counted: tuple[str, int | None] | None = None
    """The network address and the person for which this socket is counted."""
    wire: FrameWriter | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve this socket to its end. However it ends, it is removed from all counts and lists."""
        given = dict(scope.get("headers", ())).get(b"x-request-id", b"")
        trace.request_id.set(trace.choose_id(given.decode("latin-1")))
        try:
            await self._serve(scope, receive, send)
        finally:
            self.is_open = False
            self._uncount()
            if session_sockets := find_session_sockets():
                session_sockets.remove(self)
            await self.unregister()

    async def _serve(self, scope: Any, receive: Any, send: Any) -> None:
        """What Channels does for a consumer, without a channel layer to wait for beside the browser."""
        self.scope, self.base_send = scope, send
        self.wire = scope.get("extensions", {}).get(WIRE_EXTENSION)
        with suppress(StopConsumer):
            while True:
                await self.dispatch(await receive())

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Handle one event, without Channels' check of database connections: sockets use none of their own."""
        if message["type"] == "websocket.receive":  # most are
            await self.receive(message.get("text"), message.get("bytes"))
            return
        await getattr(self, get_handler_name(message))(message)

    async def unregister(self) -> None:
        """Remove this socket from the lists of those that receive changes. May be called twice."""

    async def disconnect(self, code: int) -> None:
        """The browser has gone."""
        self.is_open = False
        await self.unregister()

    async def admit(self, look: Callable[[], T]) -> T | None:
        """Run `look` on a database thread once `player` is known, and accept the socket. None if it was refused."""
        address = (self.scope.get("client") or ("", 0))[0]
        # Who is too many costs no look, and who is being looked at counts already.
        if exceeded := self._count_socket(address, None):
            await self._close_refused(TOO_MANY_CODES[exceeded])
            return None
        try:
            self.player = await self.identify()
            self.player_id = None if self.player is None else self.player.pk
            async with get_admission().turn:
                found = await database_threads.run(look)
        except Refusal as refusal:
            await self._close_refused(choose_close_code(refusal.status))
            return None
        self._uncount()
        if exceeded := self._count_socket(address, self.player_id):
            await self._close_refused(TOO_MANY_CODES[exceeded])
            return None
        await self.accept()
        self.is_open = True
        get_session_sockets().add(self)
        return found

    async def identify(self) -> Player | None:
        """The player whose socket this is; None for a stranger. Raises Refusal."""
        player = await get_admission().identify(self.scope["session"])
        self.session_key = self.scope["session"].session_key
        return player

    async def _close_refused(self, code: int) -> None:
        """Refuse with a close code, which a page can read only after the socket was accepted."""
        await self.accept()
        await self.close(code=code)

    def _count_socket(self, address: str, player_id: int | None) -> str:
        """Count this socket, or return the limit that it exceeds: "network" or "person"."""
        exceeded = rate_limits.sockets.enter(address, player_id)
        if not exceeded:
            self.counted = address, player_id
        return exceeded

    def _uncount(self) -> None:
        if self.counted is not None:
            rate_limits.sockets.leave(*self.counted)
            self.counted = None

    async def dismiss(self, code: int = REFUSED) -> None:
        """Close this socket with this code."""
        if self.is_open:
            self.is_open = False
            await self.close(code=code)

    async def deliver_with_next(self, frame: str) -> None:
        """Send one frame together with the next one, which is about to come: one system call for both."""
        if self.is_open and self.wire is not None:
            self.wire.hold(frame)
        else:
            await self.deliver(frame)

    async def deliver(self, frame: str) -> None:
        """Send one frame; a browser that has gone is no error."""
        if not self.is_open:
            return
        try:
            if self.wire is not None:
                self.wire.send(frame)
            else:
                await self.send(text_data=frame)
        except Exception as error:  # noqa: BLE001 - an error of one transport must not stop the others
            self.is_open = False
            logger.info("a socket broke: %s", error)
