"""The list of known weaknesses of packages, played by this machine: a proxy that answers for the host that is asked."""

from __future__ import annotations

import json
import ssl
import subprocess
import threading
from collections.abc import Iterator, Set
from contextlib import contextmanager, suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

_signing = threading.Lock()


@contextmanager
def run_pypi(folder: Path, *, unknown: Set[str] = frozenset()) -> Iterator[dict[str, str]]:
    """The environment of programs that ask it. It knows no weakness, and nothing of the packages in `unknown`."""
    authority = _sign(folder, "authority")
    missing = unknown

    class Proxy(_Proxy):
        certificates = authority
        unknown = missing

    server = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        address = f"http://127.0.0.1:{server.server_port}"
        home = {"HOME": str(folder), "PIP_CACHE_DIR": str(folder / "cache")}  # nothing is known from before
        yield {"HTTPS_PROXY": address, "REQUESTS_CA_BUNDLE": str(authority), "NO_PROXY": "", **home}
    finally:
        server.shutdown()
        server.server_close()


class _Proxy(BaseHTTPRequestHandler):
    """Answers itself whatever is asked of any host."""

    certificates: ClassVar[Path]
    """Of the authority that signs for each host, with its key."""
    unknown: ClassVar[Set[str]]

    def do_CONNECT(self) -> None:
        """Speak TLS, as the host that is asked for."""
        self.send_response(HTTPStatus.OK)
        self.end_headers()
        host = self.path.rpartition(":")[0]
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(_sign(self.certificates.parent, host, by=self.certificates))
        with suppress(OSError), context.wrap_socket(self.connection, server_side=True) as secure:
            self.rfile, self.wfile = secure.makefile("rb"), secure.makefile("wb")
            self.close_connection = False
            while not self.close_connection:
                self.handle_one_request()
        self.close_connection = True

    def do_GET(self) -> None:
        """`/pypi/NAME/VERSION/json`."""
        name = self.path.split("/")[2]
        body = json.dumps({"vulnerabilities": []}).encode()
        self.send_response(HTTPStatus.NOT_FOUND if name in self.unknown else HTTPStatus.OK)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()
        self.close_connection = True

    def log_message(self, *_args: object) -> None:
        """Say nothing."""


def _sign(folder: Path, name: str, *, by: Path | None = None) -> Path:
    """A certificate for this name with its key, in one file; signed by that of an authority, or by itself."""
    file, key, made = (folder / f"{name}.{kind}" for kind in ("pem", "key", "cert"))
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    about = ["-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}", "-days", "1"]
    signer = [] if by is None else ["-CA", str(by), "-CAkey", str(by), "-addext", "basicConstraints=critical,CA:FALSE"]
    whole = [*command, *about, *signer, "-keyout", str(key), "-out", str(made)]
    with _signing:  # connections come side by side
        if not file.exists():
            subprocess.run(whole, check=True, capture_output=True)
            file.write_text(key.read_text() + made.read_text())
    return file
