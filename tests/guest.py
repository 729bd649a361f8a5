"""A person with a browser, as far as the server can tell: a cookie jar, pages, moves, and a socket."""

from __future__ import annotations

import http.client
import json
import secrets
import ssl
import string
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.cookies import SimpleCookie
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

TIMEOUT = 180.0


class Answer(NamedTuple):
    """What the server said."""

    status: int
    text: str
    location: str

    def json(self) -> Any:
        """The JSON value of the body."""
        return json.loads(self.text)


class Guest:
    """A guest of the server at this address. trust: for https, whose certificates count."""

    def __init__(self, address: str, trust: ssl.SSLContext | None = None) -> None:
        self.address = address
        self.trust = trust
        letters = string.ascii_letters + string.digits
        self.cookies = {"csrftoken": "".join(secrets.choice(letters) for _ in range(32))}

    def get(self, path: str) -> Answer:
        """Fetch a page."""
        return self._ask("GET", path, None, {})

    def post(self, path: str, **fields: object) -> Answer:
        """Send a form."""
        return self._ask("POST", path, urlencode(fields), {"Content-Type": "application/x-www-form-urlencoded"})

    def send(self, path: str, name: str, content: bytes) -> Answer:
        """Send a form with a file."""
        mark = secrets.token_hex(16)
        head = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        body = head.encode() + content + f"\r\n--{mark}--\r\n".encode()
        return self._ask("POST", path, body, {"Content-Type": f"multipart/form-data; boundary={mark}"})

    def _ask(self, method: str, path: str, body: str | bytes | None, headers: Mapping[str, str]) -> Answer:
        connection = self._connect()
        try:
            session_headers = {
                "Cookie": self._cookie(),
                "X-CSRFToken": self.cookies["csrftoken"],
                "Accept": "application/json",
            }
            origin = {"Origin": self.address} if method == "POST" else {}
            connection.request(method, path, body, {**session_headers, **origin, **headers})
            response = connection.getresponse()
            for header in response.headers.get_all("Set-Cookie", ()):
                self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(header).items()}
            return Answer(response.status, response.read().decode(), response.headers.get("Location", ""))
        finally:
            connection.close()

    def _connect(self) -> http.client.HTTPConnection:
        at = urlsplit(self.address)
        if at.scheme == "https":
            return http.client.HTTPSConnection(at.netloc, timeout=TIMEOUT, context=self.trust)
        return http.client.HTTPConnection(at.netloc, timeout=TIMEOUT)

    def _cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def play_now(self, game: str = "karriere-poker") -> str:
        """One click: a game against bots. Returns the table's id."""
        answer = self.post(f"/games/{game}/play-now/", seats=5)
        assert answer.status == 302, answer
        return self.contribute(answer.location.strip("/").rpartition("/")[2])

    def contribute(self, table: str, entropy: str = "") -> str:
        """Add to the table's deal what a browser adds by itself. Returns the table's id."""
        commitment = self.view(table)["commitment"]
        answer = self.post(
            f"/tables/{table}/contribute/", commitment=commitment, entropy=entropy or secrets.token_hex(16)
        )
        assert answer.status == 200, answer
        return table

    def sit(self, table: str) -> str:
        """Sit down and contribute to the deal. Returns the table's id."""
        answer = self.post(f"/tables/{table}/sit/")
        assert answer.status == 302, answer
        return self.contribute(table)

    def open_table(self, game: str = "karriere-poker", **fields: object) -> str:
        """A new table; returns its id."""
        form = {"seats": 5, "bots": 4, "bot_level": "steady", "turn_seconds": 45, "is_timed": "on", "is_public": "on"}
        answer = self.post(f"/games/{game}/new/", **form | fields)
        assert answer.status == 302, answer
        return self.contribute(answer.location.strip("/").rpartition("/")[2])

    def view(self, table: str) -> dict[str, Any]:
        """What I may know of the table now."""
        answer = self.get(f"/tables/{table}/view.json")
        assert answer.status == 200, answer
        view: dict[str, Any] = answer.json()
        return view

    def move(self, table: str, move: Mapping[str, Any], *, ply: int, key: str | None = None) -> Answer:
        """Make a move."""
        return self.post(f"/tables/{table}/moves/", move=json.dumps(move), ply=ply, key=key or secrets.token_hex(8))

    @contextmanager
    def socket(self, table: str) -> Iterator[ClientConnection]:
        """The table's live connection."""
        url = f"ws{self.address.removeprefix('http')}/ws/tables/{table}/"
        with connect(
            url,
            additional_headers={"Cookie": self._cookie()},
            origin=Origin(self.address),
            ssl=self.trust,
            open_timeout=TIMEOUT,
            close_timeout=1,
            compression=None,
        ) as connection:
            yield connection
