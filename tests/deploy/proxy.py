"""nginx as deploy/nginx.conf sets it up: at ports of its own, with a certificate of its own."""

from __future__ import annotations

import os
import ssl
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests import programs
from tests.programs import Program
from tests.servers import ROOT

HOST = "localhost"
_MAIN = """{user}
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    include /etc/nginx/mime.types;
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/sites/*.conf;
}}
"""


@dataclass(frozen=True, slots=True)
class Proxy:
    """Its address with TLS, the one without, and whose certificates a browser must trust."""

    address: str
    plain: str
    trust: ssl.SSLContext


@contextmanager
def run_nginx(folder: Path, ports: Sequence[int], static: Path) -> Iterator[Proxy]:
    """In front of the servers at these ports. static: the built files."""
    plain, secure = programs.free_port(), programs.free_port()
    write_first(folder, plain)
    _write(folder, secure, static)
    servers = "".join(f"server 127.0.0.1:{port} max_fails=0;\n" for port in ports)
    upstream = (ROOT / "deploy" / "nginx-upstream.conf").read_text()
    (folder / "upstream.conf").write_text(upstream.replace("server 127.0.0.1:8000;", servers))
    sign(folder, HOST)
    command = [str(programs.find("nginx")), "-c", str(folder / "main.conf"), "-e", str(folder / "error.log")]
    nginx = Program(command, folder, secure)
    try:
        nginx.start()
        trust = ssl.create_default_context(cafile=str(folder / "cert.pem"))
        # TLS 1.3 sends tickets after the handshake. While one thread of a client reads these, another must not write
        # its first request (python/cpython#151508: nothing keeps them apart), or it is never sent.
        trust.maximum_version = ssl.TLSVersion.TLSv1_2
        yield Proxy(f"https://{HOST}:{secure}", f"http://{HOST}:{plain}", trust)
    finally:
        nginx.stop()


def write_first(folder: Path, plain: int) -> None:
    """What nginx is first started with: port 80, and no certificate."""
    changes = {
        "    listen [::]:80;\n": "",
        "listen 80;": f"listen 127.0.0.1:{plain};",
        "cards.example.org": HOST,
        "/var/log/nginx/access.log": f"{folder}/access.log",
        "/var/www/html": f"{folder}/html",
    }
    (folder / "sites").mkdir(exist_ok=True)
    (folder / "sites" / "menagerie-http.conf").write_text(_change("nginx-http.conf", changes))
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "main.conf").write_text(_MAIN.format(folder=folder, user=user))


def _write(folder: Path, secure: int, static: Path) -> None:
    changes = {
        "/etc/nginx/menagerie-upstream.conf;": f"{folder}/upstream.conf;",
        "    listen [::]:443 ssl http2;\n": "",
        "listen 443 ssl": f"listen 127.0.0.1:{secure} ssl",
        "/etc/letsencrypt/live/cards.example.org/fullchain.pem": f"{folder}/cert.pem",
        "/etc/letsencrypt/live/cards.example.org/privkey.pem": f"{folder}/key.pem",
        "cards.example.org": HOST,
        "/var/log/nginx/access.log": f"{folder}/access.log",
        "root /opt/menagerie/build;": f"root {static};",
    }
    (folder / "sites" / "menagerie.conf").write_text(_change("nginx.conf", changes))


def _change(name: str, changes: Mapping[str, str]) -> str:
    """A file of deploy/ with the places of this test."""
    text = (ROOT / "deploy" / name).read_text()
    for was, becomes in changes.items():
        assert was in text, was
        text = text.replace(was, becomes)
    return text


def sign(folder: Path, host: str, names: tuple[str, str] = ("key.pem", "cert.pem")) -> None:
    """A certificate for this host, for a day. names: of the key's file and its own."""
    key, certificate = (str(folder / name) for name in names)
    name = ["-subj", f"/CN={host}", "-addext", f"subjectAltName=DNS:{host}"]
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    files = ["-keyout", key, "-out", certificate]
    subprocess.run([*command, "-days", "1", *files, *name], check=True, capture_output=True)
