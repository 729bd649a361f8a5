"""What every socket of the house does alike: it is counted, served without a channel layer, and closed once."""

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
from games.live.session_sockets import find_roll, get_roll
from games.live.socket_admission import get_admission
from games.models import Player
from games.operation import trace
from games.play.errors import Refusal

T = TypeVar("T")

logger = logging.getLogger(__name__)

GONE, REFUSED, BROKEN = 4404, 4403, 4400
"""Close codes of our own: nothing there, not for you, not understood."""
FLOOD, LATER = 1008, 1013
"""Close codes of the protocol: against the rules of the house, come again later."""
CROWDED = {"network": 4429, "person": 4430}
"""Close codes of our own: too many open sockets from this network address, or of this person."""
WIRE = "menagerie.wire"
"""Where a server that has a shorter way back to the browser than ASGI's says so, among the scope's extensions."""


def code_of(status: int) -> int:
    """The close code for a refusal of this HTTP status."""
    return {404: GONE, 403: REFUSED}.get(status, LATER)


class Wire(Protocol):
    """The shorter way."""

    def send(self, text: str) -> None:
        """Send one text frame; nothing happens where the connection has gone."""

    def hold(self, text: str) -> None:
        """Send it with the next one, after it, or in a moment."""


class CountedSocket(AsyncWebsocketConsumer):
    """One browser's socket."""

    channel_layer_alias: ClassVar[str] = "none"

    player: Player | None = None
    player_id: int | None = None
    session_key: str | None = None
    """Of the session by which the player was found."""
    ask_again: Callable[[], object] | None = None
    """What raises NotAllowed (on a database thread) if he may not look any more, where nothing else would say so."""
    is_open: bool = False
    counted: tuple[str, int | None] | None = None
    """The address and the person for which this socket is counted."""
    wire: Wire | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve this socket to its end; however it ends, nobody counts it as connected any more."""
        trace.request_id.set(trace.new_id())
        try:
            await self._serve(scope, receive, send)
        finally:
            self.is_open = False
            self._discount()
            if roll := find_roll():
                roll.leave(self)
            await self.forget()

    async def _serve(self, scope: Any, receive: Any, send: Any) -> None:
        """What Channels does for a consumer, without a channel layer to wait for beside the browser."""
        self.scope, self.base_send = scope, send
        self.wire = scope.get("extensions", {}).get(WIRE)
        with suppress(StopConsumer):
            while True:
                await self.dispatch(await receive())

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Handle one event, without the look at database connections that Channels takes first: none are used here."""
        await getattr(self, get_handler_name(message))(message)

    async def forget(self) -> None:
        """Take this socket off the lists of those that are told of changes; may come twice."""

    async def disconnect(self, code: int) -> None:
        """The browser has gone."""
        self.is_open = False
        await self.forget()

    async def admit(self, look: Callable[[], T]) -> T | None:
        """What this look (on a database thread) finds for `player`; None where they may not look, or are too many."""
        address = (self.scope.get("client") or ("", 0))[0]
        # Who is too many costs no look, and who is being looked at counts already.
        if crowd := self._count(address, None):
            await self._turn_away(CROWDED[crowd])
            return None
        try:
            self.player = await get_admission().identify(self.scope["session"])
            self.player_id = None if self.player is None else self.player.pk
            async with get_admission().turn:
                found = await database_threads.run(look)
        except Refusal as refusal:
            await self._turn_away(code_of(refusal.status))
            return None
        self._discount()
        if crowd := self._count(address, self.player_id):
            await self._turn_away(CROWDED[crowd])
            return None
        await self.accept()
        self.is_open = True
        self.session_key = self.scope["session"].session_key
        get_roll().enter(self)
        return found

    async def _turn_away(self, code: int) -> None:
        """By a close code, which a page can read only where it was let in before."""
        await self.accept()
        await self.close(code=code)

    def _count(self, address: str, player_id: int | None) -> str:
        """Count this socket, or say which limit it is beyond."""
        crowd = rate_limits.sockets.enter(address, player_id)
        if not crowd:
            self.counted = address, player_id
        return crowd

    def _discount(self) -> None:
        if self.counted is not None:
            rate_limits.sockets.leave(*self.counted)
            self.counted = None

    async def dismiss(self, code: int = REFUSED) -> None:
        """Send this reader away."""
        if self.is_open:
            self.is_open = False
            await self.close(code=code)

    async def deliver_with_next(self, frame: str) -> None:
        """Send one frame right after the next one, which is about to come: the kernel is called once for both."""
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
        except Exception as error:  # noqa: BLE001 - whatever the transport says, the others must be served
            self.is_open = False
            logger.info("a socket broke: %s", error)
