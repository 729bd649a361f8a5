"""The real proxy in front of two real servers: TLS, static files, sockets, and one server exchanged after the other."""

from __future__ import annotations

import gzip
import http.client
import re
import shutil
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.urls import get_resolver

from games.operation.trace import SECRET
from tests import programs
from tests.deploy.proxy import Proxy, run_nginx
from tests.guest import Guest
from tests.servers import Installation, Running
from tests.serving.processes.test_graceful_shutdown import Knocker
from tests.serving.watching import Watcher

pytestmark = [pytest.mark.nginx, pytest.mark.redis]


class Deployment:
    """Two servers behind nginx."""

    def __init__(self, club: Installation, proxy: Proxy, ports: list[int], stack: ExitStack) -> None:
        self.proxy = proxy
        self._club = club
        self._stack = stack
        self.ports = ports
        self.servers = [self.start(port) for port in ports]

    def start(self, port: int) -> Running:
        """A server at this port."""
        return self._stack.enter_context(self._club.serve(port=port))

    def guest(self) -> Guest:
        """Somebody who comes through the proxy."""
        return Guest(self.proxy.address, self.proxy.trust)


@pytest.fixture(scope="module")
def deployment(empty_club: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """As deploy/ sets it up, on one machine."""
    place = tmp_path_factory.mktemp("deployed")
    shutil.copytree(empty_club, place / "club")
    folder, build = place / "nginx", place / "build"
    folder.mkdir()
    (build / "static" / "css").mkdir(parents=True)
    (build / "static" / "css" / "built.1234.css").write_text("a {}")
    (build / "static" / "css" / "built.1234.css.gz").write_bytes(gzip.compress(b"a {}"))
    ports = [programs.free_port() for _ in range(2)]
    with ExitStack() as processes:
        redis = processes.enter_context(programs.run_redis())
        proxy = processes.enter_context(run_nginx(folder, ports, build))
        club = Installation(place / "club", {"REDIS_URL": redis.url, "SITE_URL": proxy.address})
        club.settings |= {"ALLOWED_HOSTS": "localhost", "BEHIND_PROXY": "1"}
        yield Deployment(club, proxy, ports, processes)


def fetch(proxy: Proxy, path: str, **headers: str) -> tuple[int, dict[str, str]]:
    """Status and headers of an answer, its cookies as one header."""
    connection = http.client.HTTPSConnection(urlsplit(proxy.address).netloc, timeout=60, context=proxy.trust)
    try:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("GET", path, headers=sent)
        answer = connection.getresponse()
        answer.read()
        return answer.status, {name: ", ".join(answer.headers.get_all(name, ())) for name in answer.headers}
    finally:
        connection.close()


def test_while_nobody_answers_people_read_why(tmp_path: Path) -> None:
    with run_nginx(tmp_path, [programs.free_port()], tmp_path) as proxy:
        answer = Guest(proxy.address, proxy.trust).get("/tournaments/")
    assert answer.status == 502
    for words in ("The club is not answering.", "Der Club antwortet nicht.", "Klub nie odpowiada."):
        assert words in answer.text


def test_the_log_keeps_nothing_that_opens_something(tmp_path: Path) -> None:
    found = [
        re.sub(r"<\w+:(key|token)>|\(\?P<key>.*?\)(?=/)", "open-sesame", path) for path in _list_paths(get_resolver())
    ]
    paths = [re.sub(r"<.*?>|\(\?P.*?\)", "harbour", path.replace("^", "").replace("$", "")) for path in found]
    with run_nginx(tmp_path, [programs.free_port()], tmp_path) as proxy:
        for path in (*paths, "clubs/harbour/calendar.ics?key=open-sesame"):
            fetch(proxy, f"/{path}", Referer="open-sesame")
            Guest(proxy.plain).get(f"/{path}")
    text = (tmp_path / "access.log").read_text()
    assert (len(paths) > 8, text.count("GET /"), "sesame" in text) == (True, 2 * len(paths) + 2, False)
    assert '"GET /clubs/harbour/invitations/..." 502' in text


def _list_paths(resolver: Any, before: str = "") -> Iterator[str]:
    """Every address of ours that has something in it that opens something."""
    for one in resolver.url_patterns:
        if hasattr(one, "url_patterns"):
            yield from _list_paths(one, before + str(one.pattern))
        elif set(SECRET) & set(one.pattern.regex.groupindex):
            yield before + str(one.pattern)


def test_tls_and_what_it_asks_of_browsers(deployment: Deployment) -> None:
    status, page = fetch(deployment.proxy, "/")
    assert (status, page["Strict-Transport-Security"]) == (200, "max-age=2592000")
    assert "Secure" in page["Set-Cookie"]
    assert len(page["X-Request-Id"]) == 32
    assert [fetch(deployment.proxy, path)[0] for path in ("/metrics", "/ready/", "/health/")] == [404, 404, 200]
    plain = Guest(deployment.proxy.plain).get("/about/")
    assert (plain.status, plain.location) == (301, "https://localhost/about/")


def test_what_a_browser_says_of_its_way_here_is_not_believed(deployment: Deployment) -> None:
    """Otherwise this would be a redirect to where it already is."""
    assert fetch(deployment.proxy, "/about/", X_Forwarded_Proto="http", X_Forwarded_For="10.9.8.7")[0] == 200


def test_static_files_come_without_the_application_where_they_are_built(deployment: Deployment) -> None:
    status, built = fetch(deployment.proxy, "/static/css/built.1234.css", Accept_Encoding="gzip")
    assert (status, built["Content-Encoding"], built["X-Content-Type-Options"]) == (200, "gzip", "nosniff")
    assert "immutable" in built["Cache-Control"]
    (sheet, *_rest) = re.findall(r'href="(/static/[^"]+\.css)"', deployment.guest().get("/").text)
    assert deployment.guest().get(sheet).status == 200
    assert fetch(deployment.proxy, "/static/../manage.py")[0] in (400, 404)


def test_one_server_after_the_other_is_exchanged_while_people_play(deployment: Deployment) -> None:
    guest = deployment.guest()
    table = guest.open_table(bots=4)
    knocker = Knocker(deployment.proxy.address, deployment.proxy.trust)
    knocker.start()
    for old, port in zip(deployment.servers, deployment.ports, strict=True):
        with guest.socket(table) as connection:
            watcher = Watcher(connection)
            watcher.until(lambda watcher=watcher: watcher.ply >= 0)  # type: ignore[misc]
            assert old.stop(signal.SIGTERM) == 0
            assert guest.view(table)["status"] == "waiting"
            assert guest.post(f"/tables/{table}/talk/say/", phrase="good-luck").status < 400
            deployment.start(port)
    assert knocker.finish() == {200}
    assert guest.post(f"/tables/{table}/start/").status == 302
