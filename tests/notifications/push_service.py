"""A push service on this machine: takes messages as RFC 8030 says, checks the signature (RFC 8292) and decrypts what a
browser would (RFC 8291), written from the RFCs and not with the library under test."""

from __future__ import annotations

import json
import threading
import time
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import digest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from games import models
from games.accounts.session import PLAYER
from games.notifications.devices import find_origin
from games.operation.signing_keys import decode, encode
from tests.cast import NOW

AUTH = b"0123456789abcdef"


class Received(NamedTuple):
    """A message as the browser of one device sees it."""

    path: str
    headers: dict[str, str]
    text: dict[str, Any]


@dataclass
class PushService:
    """answers: by the first part of a path, the status; slow: parts that never answer in time."""

    address: str = ""
    answers: dict[str, int] = field(default_factory=dict)
    slow: frozenset[str] = frozenset()
    received: list[Received] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    connections: int = 0
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    @property
    def point(self) -> bytes:
        """The public key of all its browsers."""
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def subscribe(self, player: models.Player, path: str = "ok/1", *, session: str = "") -> models.PushDevice:
        """A device of this person whose messages come here. Its session is that of a browser that is signed in."""
        endpoint = f"{self.address}/{path}"
        return models.PushDevice.objects.create(
            player=player,
            endpoint=endpoint,
            origin=find_origin(endpoint),
            digest=sha256(endpoint.encode()).hexdigest(),
            p256dh=encode(self.point),
            auth=encode(AUTH),
            name="Firefox, Linux",
            language="en",
            session=session or make_session(player),
            made_at=NOW,
        )

    def open(self, body: bytes) -> dict[str, Any]:
        """The text of an encrypted message (RFC 8188, RFC 8291)."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        assert length == 65
        assert len(sealed) <= size
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        secret = self.key.exchange(ec.ECDH(), theirs)
        extracted = digest(AUTH, secret, "sha256")
        material = digest(extracted, b"WebPush: info\0" + self.point + sender + b"\1", "sha256")
        pseudo = digest(salt, material, "sha256")
        key = digest(pseudo, b"Content-Encoding: aes128gcm\0\1", "sha256")[:16]
        nonce = digest(pseudo, b"Content-Encoding: nonce\0\1", "sha256")[:12]
        plain = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert plain.endswith(b"\2")
        found: dict[str, Any] = json.loads(plain[:-1])
        return found

    def check_signature(self, header: str) -> dict[str, Any]:
        """The claims of a VAPID header (RFC 8292, 3)."""
        scheme, _, rest = header.partition(" ")
        assert scheme == "vapid"
        parts = dict(part.strip().split("=", 1) for part in rest.split(","))
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(parts["k"], 65))
        claims: dict[str, Any] = jwt.decode(parts["t"], public, algorithms=["ES256"], audience=self.address)
        assert time.time() < claims["exp"] <= time.time() + 86_400
        assert claims["sub"].startswith("mailto:")
        head = json.loads(urlsafe_b64decode(parts["t"].split(".")[0] + "=="))
        assert head["alg"] == "ES256"
        return claims


def make_session(player: models.Player) -> str:
    """The key of a browser session of this person."""
    from django.contrib.sessions.backends.db import SessionStore

    session = SessionStore()
    session[PLAYER] = player.pk
    session.save()
    return session.session_key or ""


@contextmanager
def run_push_service() -> Iterator[PushService]:
    """One that takes messages until the end."""
    service = PushService()
    done = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def setup(self) -> None:
            super().setup()
            service.connections += 1

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            part = self.path.split("/")[1]
            service.requests.append(self.path)
            if part in service.slow:
                done.wait(30)
                return
            status = service.answers.get(part, 201)
            if status == 201:
                service.check_signature(self.headers["Authorization"])
                service.received.append(Received(self.path, dict(self.headers.items()), service.open(body)))
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_args: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    service.address = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield service
    finally:
        done.set()
        server.shutdown()
        server.server_close()
