"""A page of another service on this host name has the visitor's cookies, and yet opens no socket in their name."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest

from tests.browser.conftest import Invite
from tests.browser.visitor import BROKEN_LINE

pytestmark = pytest.mark.chromium

OPEN = """url => new Promise(resolve => {
    const socket = new WebSocket(url);
    const frames = [];
    socket.onmessage = (event) => { frames.push(event.data); if (event.data.startsWith("<")) resolve("shown"); };
    socket.onclose = (event) => resolve(`closed ${event.code}`);
})"""


class Neighbour(BaseHTTPRequestHandler):
    """Another service; it notes the cookies that it is sent."""

    cookies: str = ""

    def do_GET(self) -> None:
        """An empty page."""
        type(self).cookies = self.headers.get("Cookie", "")
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()

    def log_message(self, *_args: object) -> None:
        """Say nothing."""


@pytest.fixture
def neighbour() -> Iterator[str]:
    """Its address: another port of this machine."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Neighbour) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_another_port_of_this_host_opens_no_socket(invite: Invite, neighbour: str) -> None:
    visitor = invite()
    visitor.play_now("karriere-poker")
    visitor.await_live()
    site = urlsplit(visitor.address)
    assert site.hostname == urlsplit(neighbour).hostname
    url = f"ws://{site.netloc}/ws/tables/{visitor.table}/"
    assert visitor.page.evaluate(OPEN, url) == "shown"
    visitor.expected.append(BROKEN_LINE)
    stranger = visitor.context.new_page()  # it has the same cookies
    stranger.goto(neighbour)
    assert "sessionid=" in Neighbour.cookies
    assert stranger.evaluate(OPEN, url) == "closed 1006"
