"""Health, readiness, numbers and names of requests."""

from __future__ import annotations

import json
import logging
import math
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import kombu.exceptions
import pytest
import redis.exceptions
from celery.beat import SchedulingError
from django.core.exceptions import DisallowedHost
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.test import Client, override_settings
from django.urls import reverse

from games import models
from games.operation import trace
from games.operation.health import readiness, shutdown_state
from games.operation.log_format import LineFormatter, LogJsonFormatter
from games.play.storage import store
from games.views import operation
from tests.cast import browser, legal, start_table, wait_for


def numbers(client: Client | None = None) -> dict[str, float]:
    """The samples of /metrics by name and labels."""
    answer = (client or Client()).get(reverse("metrics"))
    assert answer.status_code == 200
    lines = [line for line in answer.content.decode().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def test_alive_and_ready(transactional_db: None) -> None:
    assert Client().get("/health/").json() == {"status": "alive"}
    answer = Client().get("/ready/")
    parts = {"database": "ok", "saving": "ok", "redis": "not used", "process": "ok"}
    assert answer.json() == {"status": "ready", "parts": parts}
    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")


def test_not_ready_while_it_ends(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutdown_state, "is_draining", False)
    shutdown_state.begin_draining()
    answer = Client().get("/ready/")
    assert (answer.status_code, answer.json()["parts"]["process"]) == (503, "is about to end")
    assert Client().get("/health/").status_code == 200


def test_not_ready_without_redis(db: None) -> None:
    with override_settings(IS_EMBEDDED=False, REDIS_URL="redis://127.0.0.1:1/0"):
        assert Client().get("/ready/").json()["parts"]["redis"] == "does not answer"


def test_not_ready_with_an_old_database(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "is_behind", lambda: True)
    answer = Client().get("/ready/")
    assert (answer.status_code, "manage.py migrate" in answer.json()["parts"]["database"]) == (503, True)


def test_a_database_that_hangs_keeps_no_probe_waiting(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes the question, and says nothing: as PostgreSQL on a machine that has stopped."""
    may_answer, asked = threading.Event(), Counter[str]()

    def hang(execute: Callable[..., object], sql: str, *args: object) -> object:
        asked[sql.split(maxsplit=1)[0]] += 1
        may_answer.wait(60)
        return execute(sql, *args)

    def open_hanging(*, sender: object, connection: BaseDatabaseWrapper, **_: object) -> None:
        if threading.current_thread().name == "probe":
            connection.execute_wrappers.append(hang)

    monkeypatch.setattr(readiness, "DATABASE_SECONDS", 0.01)
    monkeypatch.setattr(operation, "ANSWER_SECONDS", 0.01)
    connection_created.connect(open_hanging)
    try:
        for _ in range(2):
            answer = Client().get("/ready/")
            assert (answer.status_code, answer.json()["parts"]["database"]) == (503, "does not answer")
            found = numbers()
            assert math.isnan(found['menagerie_tables{status="playing"}'] + found["menagerie_overdue_tables"])
            assert found["menagerie_sockets"] == 0
        assert asked.total() == 2  # one question of each kind is under way, however often it is asked
    finally:
        connection_created.disconnect(open_hanging)
        may_answer.set()


@pytest.mark.django_db(transaction=True)
def test_moves_are_counted_and_timed(ana: models.Player) -> None:
    now = time.time()
    table = wait_for(start_table(ana, now=now), ana, now=now)
    before = numbers()
    move = {"move": legal(table, 0)[0], "ply": table.ply, "key": "k"}
    for _ in range(2):
        answer = browser(ana).post(reverse("moves", args=[table.id]), move, content_type="application/json")
        assert answer.status_code == 200
    after = numbers()
    name = 'menagerie_moves_total{status="200"}'
    assert after[name] - before.get(name, 0) == 2
    assert after["menagerie_move_seconds_count"] - before["menagerie_move_seconds_count"] == 2
    assert after['menagerie_tables{status="playing"}'] == 1
    assert after['menagerie_queue_length{queue="celery"}'] > 0, "the table's clock is set, and no worker runs here"
    assert after['menagerie_unknown{source="broker"}'] == 0


@pytest.mark.parametrize(
    ("settings", "headers", "address", "status"),
    [
        ({}, {}, "127.0.0.1", 200),
        ({}, {}, "::1", 200),
        ({}, {}, "10.0.0.7", 403),
        ({}, {"x-forwarded-for": "127.0.0.1"}, "127.0.0.1", 403),
        ({"METRICS_ALLOW": ["10.0.0.0/8"]}, {}, "10.0.0.7", 200),
        ({"METRICS_TOKEN": "long secret"}, {}, "127.0.0.1", 403),
        ({"METRICS_TOKEN": "long secret"}, {"authorization": "Bearer wrong"}, "127.0.0.1", 403),
        ({"METRICS_TOKEN": "long secret"}, {"authorization": "Bearer long secret"}, "10.0.0.7", 200),
    ],
)
def test_numbers_are_for_operators(
    db: None, settings: dict[str, Any], headers: dict[str, str], address: str, status: int
) -> None:
    with override_settings(**settings):
        assert Client(REMOTE_ADDR=address).get(reverse("metrics"), headers=headers).status_code == status


def test_probes_ask_a_process_at_its_own_address(transactional_db: None) -> None:
    """Behind a proxy ALLOWED_HOSTS holds the name that people use, and Prometheus says 10.0.0.5:8001."""
    with override_settings(ALLOWED_HOSTS=["cards.example.org"], METRICS_TOKEN="long secret"):
        client = Client(headers={"host": "10.0.0.5:8001", "authorization": "Bearer long secret"})
        assert [client.get(path).status_code for path in ("/health/", "/ready/", "/metrics", "/")] == [
            200,
            200,
            200,
            400,
        ]
        assert Client(headers={"host": "10.0.0.5:8001"}).get("/metrics").status_code == 403


def test_numbers_name_nobody(ana: models.Player) -> None:
    table = start_table(ana)
    text = Client().get(reverse("metrics")).content.decode()
    assert [word for word in (table.id, "Ana", table.secret) if word in text] == []


# --- names of requests -----------------------------------------------------------------------------


def test_every_answer_carries_the_name_of_its_request(db: None) -> None:
    first, second = (Client().get("/health/")["X-Request-ID"] for _ in range(2))
    assert re.fullmatch(r"[0-9a-f]{16}", first)
    assert first != second


@pytest.mark.parametrize(
    ("behind", "given", "is_kept"),
    [(True, "proxy-0001", True), (False, "proxy-0001", False), (True, "a\tb", False), (True, "x" * 65, False)],
)
def test_a_proxy_may_name_requests_soundly(db: None, behind: bool, given: str, is_kept: bool) -> None:
    header = ("HTTP_X_FORWARDED_PROTO", "https") if behind else None
    with override_settings(SECURE_PROXY_SSL_HEADER=header):
        answer = Client().get("/health/", headers={"x-request-id": given})
    assert (answer["X-Request-ID"] == given) is is_kept


def test_a_line_of_the_log_says_request_table_and_ply(ana: models.Player) -> None:
    table = wait_for(start_table(ana), ana)
    store.fetch(table.id)
    trace.request_id.set("r-1")
    trace.table_id.set(table.id)
    record = logging.LogRecord("games", logging.WARNING, "", 0, "hello %s", ("you",), None)
    assert trace.ContextFilter().filter(record)
    line = LineFormatter().format(record)
    assert line.endswith(f"WARNING games: hello you [request=r-1] [table={table.id}] [ply={table.ply}]")
    answer = json.loads(LogJsonFormatter().format(record))
    assert (answer["level"], answer["message"], answer["request"]) == ("WARNING", "hello you", "r-1")
    assert (answer["table"], answer["ply"]) == (table.id, table.ply)
    trace.request_id.set("")
    trace.table_id.set("")


def test_what_opens_something_is_not_in_the_log(db: None, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    browser = Client(enforce_csrf_checks=True)
    for path in ("/join/sesame/", "/join/sesame", "/clubs/in/sesame.", "/account/password/reset/key/1-sesame/"):
        browser.get(path)
    browser.post("/clubs/harbour/invitations/sesame/withdraw/")
    browser.get("/no%0Awhere/")
    [console] = [one for one in logging.getLogger().handlers if type(one) is logging.StreamHandler]
    messages = [record.getMessage() for record in caplog.records if console.filter(record)]
    assert [re.sub(r" \d{3} [\d.]+ ms$", "", line) for line in messages] == [
        "GET /join/…",
        "Not Found: /join/…",
        "GET /join/…",
        "GET /clubs/in/…",
        "Not Found: /clubs/in/…",
        "GET /account/password/reset/key/1-…",
        "Forbidden (CSRF token missing.): /clubs/harbour/invitations/…",
        "POST /clubs/harbour/invitations/…",
        "GET /no\\nwhere/",
        "Not Found: /no\\nwhere/",
    ]


def test_a_foreign_host_is_one_line_of_the_log() -> None:
    error = DisallowedHost("Invalid HTTP_HOST header: 'elsewhere'.")
    record = logging.LogRecord("django", logging.ERROR, "", 0, str(error), (), (DisallowedHost, error, None))
    assert trace.OutageFilter().filter(record)
    assert logging.Formatter("{message}", style="{").format(record) == str(error)


def test_a_database_that_is_away_is_one_line_of_the_log(db: None) -> None:
    def note(act: Callable[[], object]) -> str:
        try:
            act()
        except Exception:  # noqa: BLE001 - whatever it is, it is logged
            record = logging.LogRecord("games", logging.ERROR, "", 0, "at %s", ("/me/",), sys.exc_info())
        assert trace.OutageFilter().filter(record)
        return logging.Formatter("{message}", style="{").format(record)

    def lose() -> None:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA query_only = 1")
            try:
                cursor.execute("DELETE FROM games_player")
            finally:
                cursor.execute("PRAGMA query_only = 0")

    assert re.fullmatch(
        r"at /me/: attempt to write a readonly database \(tests/views/test_operation\.py:\d+\)", note(lose)
    )
    assert note(lambda: 1 // 0).endswith("ZeroDivisionError: integer division or modulo by zero")


def test_redis_that_is_away_is_one_line_of_the_log() -> None:
    def note(words: str, error: Exception) -> str:
        record = logging.LogRecord("celery", logging.ERROR, "", 0, words, (), (type(error), error, None))
        assert trace.OutageFilter().filter(record)
        return logging.Formatter("{message}", style="{").format(record)

    away = redis.exceptions.ConnectionError("Error 111 connecting to redis:6379.")
    assert note("nobody was told", away) == "nobody was told: Error 111 connecting to redis:6379."
    late = SchedulingError(f"Couldn't apply scheduled task sweep: {away}")
    late.__context__ = kombu.exceptions.OperationalError(str(away))
    sentence = f"Message Error: {late}"
    assert note(f"{sentence}\n['  File \"beat.py\", line 1']", late) == sentence
    other = SchedulingError("Couldn't apply scheduled task sweep: 1")
    other.__context__ = KeyError(1)
    assert note("Message Error", other).endswith("SchedulingError: Couldn't apply scheduled task sweep: 1")


POLICY = {
    "default-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
}


@pytest.mark.parametrize(
    "path", ["/", "/about/", "/games/karriere-poker/", "/accounts/login/", "/admin/login/", "/nowhere/", "/people/"]
)
def test_every_kind_of_page_has_the_one_policy(db: None, path: str) -> None:
    """No source but this server, nothing inline: there is no script-src or style-src that could be wider."""
    page = Client().get(path)
    assert set(page["Content-Security-Policy"].split("; ")) == POLICY
    assert re.findall(r"<script(?![^>]*\bsrc=)[^>]*>|<style\b|\sstyle=|\son\w+=", page.content.decode()) == []
