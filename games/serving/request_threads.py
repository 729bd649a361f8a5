"""Runs each page and form in one thread from the first middleware to the last.

Django's own ASGI handler switches between the event loop and threads ten times per request, and every switch waits for
whatever else the process is busy with.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import IO, Any

from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.signals import request_started
from django.http import HttpResponse
from django.http.response import HttpResponseBase, StreamingHttpResponse
from django.urls import set_script_prefix

HEALTH_PATH, PROBE_PATHS = "/health/", ("/ready/", "/metrics")
"""Paths of health checks and metrics, which have threads of their own: they answer while pages wait."""


class PageHandler(ASGIHandler):
    """Django over ASGI, without asynchronous views and middleware, which this site does not have.

    threads: requests answered at the same time, probes not counted. Further ones wait, and are dropped if their browser
    disconnects.
    """

    def __init__(self, threads: int) -> None:
        super().__init__()
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="page")
        health = ThreadPoolExecutor(1, thread_name_prefix="health")
        self._probe_threads = {
            HEALTH_PATH: health,
            **dict.fromkeys(PROBE_PATHS, ThreadPoolExecutor(4, thread_name_prefix="probe")),
        }

    def load_middleware(self, is_async: bool = False) -> None:
        """Load synchronous middleware."""
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            raise ValueError(f"This is for pages, not for {scope['type']}.")
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        loop = asyncio.get_running_loop()
        threads = self._probe_threads.get(scope["path"], self._threads)
        work = loop.run_in_executor(threads, copy_context().run, self._answer, scope, body)
        disconnect = loop.create_task(receive())  # after the body, the only message is that the browser disconnected
        try:
            await asyncio.wait({work, disconnect}, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                await self.send_response(work.result(), send)
        finally:
            work.cancel()  # has an effect only while it waits for a thread
            disconnect.cancel()

    def _answer(self, scope: Any, body: IO[bytes]) -> HttpResponseBase:
        """The whole response; all resources are released by then."""
        with body:
            set_script_prefix(get_script_prefix(scope))
            request_started.send(sender=type(self), scope=scope)
            request, refusal = self.create_request(scope, body)
            response: Any = refusal if request is None else self.get_response(request)
            response._handler_class = type(self)
            try:
                return _read_stream(response) if isinstance(response, StreamingHttpResponse) else response
            finally:
                response.close()


def _read_stream(response: StreamingHttpResponse) -> HttpResponse:
    """A streaming response as a plain one: its iterator may need this thread's database connection."""
    whole = HttpResponse(b"".join(response), status=response.status_code, headers=response.headers)
    whole.cookies = response.cookies
    return whole
