"""Pages and forms, each answered at one go by one thread.

Django's own handler for ASGI walks from the loop to a new thread and back for the signals, the middleware and the view:
ten changes of thread a request, each of which waits for whatever else the process is busy with.
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

LIFE, PROBES = "/health/", ("/ready/", "/metrics")
"""Whether the process answers at all, and how it is: asked while all pages wait for the database, too."""


class PageHandler(ASGIHandler):
    """Django over ASGI, without asynchronous views and middleware: this house has none.

    threads: requests that are answered at the same time, probes not counted. What comes besides waits, and is
    forgotten if its browser goes away meanwhile.
    """

    def __init__(self, threads: int) -> None:
        super().__init__()
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="page")
        life = ThreadPoolExecutor(1, thread_name_prefix="life")
        self._aside = {LIFE: life, **dict.fromkeys(PROBES, ThreadPoolExecutor(4, thread_name_prefix="probe"))}

    def load_middleware(self, is_async: bool = False) -> None:
        """As for a server of threads."""
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
        threads = self._aside.get(scope["path"], self._threads)
        work = loop.run_in_executor(threads, copy_context().run, self._answer, scope, body)
        going = loop.create_task(receive())  # what comes after the body is that the browser goes
        try:
            await asyncio.wait({work, going}, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                await self.send_response(work.result(), send)
        finally:
            work.cancel()  # if it has not begun, nobody begins it
            going.cancel()

    def _answer(self, scope: Any, body: IO[bytes]) -> HttpResponseBase:
        """The whole answer; everything that it needed is given back by then."""
        with body:
            set_script_prefix(get_script_prefix(scope))
            request_started.send(sender=type(self), scope=scope)
            request, refusal = self.create_request(scope, body)
            response: Any = refusal if request is None else self.get_response(request)
            response._handler_class = type(self)
            try:
                return _gather(response) if isinstance(response, StreamingHttpResponse) else response
            finally:
                response.close()


def _gather(response: StreamingHttpResponse) -> HttpResponse:
    """The same answer, read to its end: what makes it may need the thread's connection to the database."""
    whole = HttpResponse(b"".join(response), status=response.status_code, headers=response.headers)
    whole.cookies = response.cookies
    return whole
