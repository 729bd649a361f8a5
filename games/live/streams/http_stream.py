"""A program's stream over HTTP: newline-delimited JSON, one message a line, until either side closes it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from django.utils import translation

from games.accounts import rate_limits
from games.live import database_threads
from games.live.streams import identification
from games.live.streams.feed import Feed
from games.play.errors import Refusal, TooFast
from games.play.sentences import say_sentence
from games.records import strict_json

Application = Callable[[Any, Any, Any], Awaitable[None]]
METHODS = ("GET",)
_HEADERS = [
    (b"content-type", b"application/x-ndjson"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]
"""`X-Accel-Buffering` tells nginx to send each line on at once."""


class HttpStream:
    """One answer that goes on and on."""

    def __init__(self, scope: Any, receive: Any, send: Any) -> None:
        self._scope, self._receive, self._send = scope, receive, send
        self._over = asyncio.Event()
        self._is_begun = False

    async def serve(self) -> None:
        """Answer the request."""
        address = str((self._scope.get("client") or ("", 0))[0])
        counted: tuple[str, int | None] | None = None
        feed: Feed | None = None
        try:
            token = await database_threads.run(identification.find_token, self._scope)
            table_id = identification.match_path(self._scope["path"]) or ""
            if rate_limits.sockets.enter(address, token.player_id):
                raise TooFast("Too many streams are open. Close one before you open another one.")
            counted = address, token.player_id
            feed = Feed(self, token, table_id, identification.read_after(self._scope, table_id))
            table = await database_threads.run(feed.enter)
            await self._send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            self._is_begun = True
            await feed.begin(table)
            await self._wait()
        except Refusal as refusal:
            await self._send_refusal(refusal)
        finally:
            if feed is not None:
                feed.end()
            if counted is not None:
                rate_limits.sockets.leave(*counted)
        await self._send({"type": "http.response.body", "body": b""})

    async def _wait(self) -> None:
        """Until the program has gone, or everything has been sent."""
        going = asyncio.ensure_future(self._watch_for_end())
        over = asyncio.ensure_future(self._over.wait())
        try:
            await asyncio.wait({going, over}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            going.cancel()
            over.cancel()

    async def _watch_for_end(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass

    async def _send_refusal(self, refusal: Refusal) -> None:
        if self._is_begun:  # there is no status any more that could say so: the program comes again
            return
        with translation.override(None):
            body = {"status": refusal.status, "sentence": say_sentence(refusal)}
        headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
        if refusal.status == 401:
            headers.append((b"www-authenticate", b"Bearer"))
        await self._send({"type": "http.response.start", "status": refusal.status, "headers": headers})
        await self._send({"type": "http.response.body", "body": strict_json.write(body).encode(), "more_body": True})

    async def deliver(self, frame: str) -> None:
        """Send one line."""
        if not self._over.is_set():
            await self._send({"type": "http.response.body", "body": f"{frame}\n".encode(), "more_body": True})

    async def dismiss(self, code: int = 4403) -> None:
        """End the answer; over HTTP there is no code that says why."""
        self._over.set()


def serve_streams(pages: Application) -> Application:
    """An ASGI application that answers requests for streams, and leaves all others to `pages`."""

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        if scope["method"] in METHODS and identification.match_path(scope["path"]) is not None:
            await HttpStream(scope, receive, send).serve()
        else:
            await pages(scope, receive, send)

    return answer


def serve_sockets(programs: Application, browsers: Application) -> Application:
    """An ASGI application that leaves sockets of programs to `programs`, and all others to `browsers`."""

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        is_stream = identification.match_path(scope["path"]) is not None
        await (programs if is_stream else browsers)(scope, receive, send)

    return answer
