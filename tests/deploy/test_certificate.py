"""The containers' certificate: asked for until there is one, renewed, and taken by nginx without anybody's help."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from tests import programs
from tests.servers import ROOT

DEPLOY = ROOT / "deploy"


def write_program(folder: Path, name: str, text: str) -> None:
    """A program that is found before the machine's own."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{text}\n")
    (folder / name).chmod(0o755)


def await_true(is_so: Callable[[], bool]) -> None:
    """At most for half a minute."""
    last = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < last
        time.sleep(0.02)


def test_certbot_asks_until_there_is_a_certificate_and_then_renews_it(tmp_path: Path) -> None:
    live, log = tmp_path / "letsencrypt" / "live" / "cards.example.org", tmp_path / "log"
    made = f'[ "$(wc -l <{log})" -lt 3 ] && exit 1; mkdir -p {live} && touch {live}/fullchain.pem'
    write_program(tmp_path / "bin", "certbot", f'echo "$@" >>{log}; [ "$1" = renew ] && exit 0; {made}')
    script = tmp_path / "certificate.sh"
    script.write_text(
        (DEPLOY / "certificate.sh").read_text().replace("/etc/letsencrypt", str(tmp_path / "letsencrypt"))
    )
    settings = {"SITE_HOST": "cards.example.org", "CERTIFICATE_EMAIL": "ana@example.org"}
    quick = {"RETRY_SECONDS": "0.05", "RENEW_SECONDS": "0.05", "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    asking = subprocess.Popen(["/bin/sh", str(script)], env=os.environ | settings | quick, stdout=subprocess.DEVNULL)
    try:
        await_true(lambda: log.exists() and log.read_text().count("renew") >= 2)
    finally:
        assert programs.stop(asking) == 0
    asked = (
        "certonly --non-interactive --agree-tos --email ana@example.org --webroot -w /var/www/html -d cards.example.org"
    )
    assert log.read_text().splitlines()[:5] == [asked, asked, asked, "renew --quiet", "renew --quiet"]


def test_nginx_takes_each_new_certificate_by_itself(tmp_path: Path) -> None:
    source, target, live, log = (tmp_path / name for name in ("menagerie", "conf.d", "live", "log"))
    for folder in (source, target, live):
        folder.mkdir()
    for name in ("nginx.conf", "nginx-http.conf"):
        text = (DEPLOY / name).read_text()
        (source / name).write_text(text.replace("/etc/letsencrypt/live/cards.example.org", str(live)))
    text = (DEPLOY / "nginx-certificate.sh").read_text()
    script = tmp_path / "script"
    script.write_text(text.replace("/etc/nginx/menagerie", str(source)).replace("/etc/nginx/conf.d", str(target)))
    write_program(tmp_path / "bin", "nginx", f'echo "$@" >>{log}')
    quick = {"WATCH_SECONDS": "0.05", "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    command = ["/bin/sh", "-c", f". {script}; wait"]
    watching = subprocess.Popen(command, env=os.environ | quick, stdout=subprocess.PIPE, start_new_session=True)
    try:
        assert watching.stdout is not None
        assert b"only port 80 is served" in watching.stdout.readline()
        assert (target / "menagerie-http.conf").exists()
        assert not (target / "menagerie.conf").exists()
        for number, words in enumerate(("first", "renewed"), start=1):
            (live / "new.pem").write_text(words)
            (live / "new.pem").rename(live / "fullchain.pem")
            await_true(lambda number=number: log.exists() and len(log.read_text().splitlines()) == number)  # type: ignore[misc]
            assert (target / "menagerie.conf").exists()
        assert log.read_text() == "-s reload\n" * 2
    finally:
        os.killpg(watching.pid, 15)
        watching.wait()
