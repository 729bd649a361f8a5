"""One thread answers a whole request; nobody waits for a client that does not wait for its answer."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from asgiref import testing
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from games import models
from games.serving.request_threads import PageHandler
from tests.cast import browser

SECONDS = 60
Wire: Any = testing.ApplicationCommunicator


async def ask(handler: PageHandler, path: str, *, cookie: str = "") -> Any:
    """A request that is under way."""
    headers = [(b"host", b"localhost"), (b"cookie", cookie.encode())]
    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": headers}
    wire = Wire(handler, scope | {"client": ("127.0.0.1", 50_000)})
    await wire.send_input({"type": "http.request", "body": b""})
    return wire


async def read(wire: Any) -> tuple[int, dict[bytes, bytes], bytes]:
    """Status, headers and body of the answer."""
    start = await wire.receive_output(SECONDS)
    body, has_more = b"", True
    while has_more:
        piece = await wire.receive_output(SECONDS)
        body, has_more = body + piece.get("body", b""), piece.get("more_body", False)
    await wire.wait(SECONDS)
    return start["status"], dict(start["headers"]), body


class Noting(PageHandler):
    """Notes which threads answer what; `/slow/` is answered when it may be."""

    def __init__(self, threads: int) -> None:
        super().__init__(threads)
        self.seen: list[tuple[str, str]] = []
        self.may_go_on, self.has_begun = threading.Event(), threading.Event()

    def get_response(self, request: HttpRequest) -> HttpResponseBase:
        self.seen.append((request.path, threading.current_thread().name))
        if request.path == "/slow/":
            self.has_begun.set()
            self.may_go_on.wait(SECONDS)
            return HttpResponse("slow")
        return super().get_response(request)


@pytest.mark.django_db(transaction=True)
async def test_a_page_is_answered_by_one_thread() -> None:
    handler = Noting(1)
    for path, status in (("/", 200), ("/no/such/page/", 404), ("/about/", 200)):
        found, headers, body = await read(await ask(handler, path))
        assert (found, int(headers[b"Content-Length"])) == (status, len(body))
    assert handler.seen == [("/", "page_0"), ("/no/such/page/", "page_0"), ("/about/", "page_0")]


@pytest.mark.django_db(transaction=True)
async def test_an_answer_that_is_made_bit_by_bit_comes_whole() -> None:
    ana = await models.Player.objects.acreate(name="Ana", avatar="fox")
    cookie = (await asyncio.to_thread(browser, ana)).cookies.output(header="", sep=";").strip()
    status, headers, body = await read(await ask(PageHandler(1), "/me/export/", cookie=cookie))
    assert (status, headers[b"Content-Type"]) == (200, b"application/json; charset=utf-8")
    assert body.startswith(b"{")
    assert body.rstrip().endswith(b"}")


async def test_what_nobody_waits_for_is_not_begun() -> None:
    handler = Noting(1)
    slow, late = await ask(handler, "/slow/"), await ask(handler, "/about/")
    assert await asyncio.to_thread(handler.has_begun.wait, SECONDS)
    await late.send_input({"type": "http.disconnect"})
    await late.wait(SECONDS)
    handler.may_go_on.set()
    assert (await read(slow))[0] == 200
    assert handler.seen == [("/slow/", "page_0")]


@pytest.mark.django_db(transaction=True)
async def test_the_process_says_how_it_is_though_every_page_waits() -> None:
    handler = Noting(1)
    slow = await ask(handler, "/slow/")
    assert await asyncio.to_thread(handler.has_begun.wait, SECONDS)
    assert [(await read(await ask(handler, path)))[0] for path in ("/health/", "/ready/", "/metrics")] == [200] * 3
    handler.may_go_on.set()
    assert (await read(slow))[0] == 200


async def test_who_goes_before_they_have_asked_is_no_request() -> None:
    wire = Wire(PageHandler(1), {"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": []})
    await wire.send_input({"type": "http.disconnect"})
    await wire.wait(SECONDS)
    assert await wire.receive_nothing()


async def test_it_is_for_pages_only() -> None:
    with pytest.raises(ValueError, match="websocket"):
        await PageHandler(1)({"type": "websocket"}, None, None)
