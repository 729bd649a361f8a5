"""A small OpenID Connect provider on this machine, which signs in the person that the test names, without asking."""

from __future__ import annotations

import json
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt

CLIENT, SECRET = "menagerie", "a secret of the test"


class Provider(ThreadingHTTPServer):
    """claims: of the person it signs in; codes: what each code was given for."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.claims: dict[str, str] = {}
        self.codes: dict[str, dict[str, str]] = {}
        self.url = f"http://127.0.0.1:{self.server_port}/realms/club"


class _Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        path, query = urlsplit(self.path).path, parse_qs(urlsplit(self.path).query)
        if path.endswith("/.well-known/openid-configuration"):
            url = self.server.url
            self._answer({
                "issuer": url, "authorization_endpoint": f"{url}/auth", "token_endpoint": f"{url}/token",
                "userinfo_endpoint": f"{url}/userinfo", "jwks_uri": f"{url}/keys",
                "token_endpoint_auth_methods_supported": ["client_secret_basic"],
            })  # fmt: skip
        elif path.endswith("/auth"):
            code = f"code-{len(self.server.codes)}"
            self.server.codes[code] = {name: values[0] for name, values in query.items()}
            answer = urlencode({"code": code, "state": query["state"][0]})
            self.send_response(302)
            self.send_header("Location", f"{query['redirect_uri'][0]}?{answer}")
            self.end_headers()
        elif path.endswith("/userinfo"):
            self._answer(self.server.claims if self.headers["Authorization"] == "Bearer open" else {}, 200)

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        asked = self.server.codes.pop(form["code"][0], None)
        proof = urlsafe_b64encode(sha256(form["code_verifier"][0].encode()).digest()).rstrip(b"=").decode()
        if asked is None or asked["code_challenge"] != proof:
            self._answer({"error": "invalid_grant"}, 400)
            return
        now = int(time.time())
        claims = {"iss": self.server.url, "aud": CLIENT, "iat": now, "exp": now + 60, **self.server.claims}
        token = jwt.encode(claims, "k" * 32, algorithm="HS256")
        self._answer({"access_token": "open", "token_type": "Bearer", "expires_in": 60, "id_token": token})

    def _answer(self, body: dict[str, Any], status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_args: object) -> None:
        """Say nothing."""


@contextmanager
def run_provider() -> Iterator[Provider]:
    """The provider, running."""
    provider = Provider()
    thread = Thread(target=provider.serve_forever, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        provider.shutdown()
        provider.server_close()
        thread.join()
