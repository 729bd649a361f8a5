"""Rate limits and the shared cache while Redis is away: no request fails because of it, and limits still hold."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from django.test import Client, override_settings

from games.accounts import rate_limits
from games.serving.connection_limits import MIN_CONNECTIONS, ConnectionCounter
from games.work import circuit_breaker
from games.work.fallback_cache import FallbackCache
from tests import programs


@pytest.fixture
def missing_redis() -> Iterator[str]:
    """The URL of a Redis that is not there."""
    url = f"redis://127.0.0.1:{programs.free_port()}/0"
    with override_settings(LIMITS_URL=url, GUESTS_PER_MINUTE=3):
        yield url


def test_while_redis_is_away_each_process_counts_for_itself(missing_redis: str) -> None:
    assert [rate_limits.allow_guest("10.0.0.1") for _ in range(5)] == [True, True, True, False, False]
    assert rate_limits.allow_guest("10.0.0.2")


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("192.0.2.7", "192.0.2.7"),
        ("key 7", "key 7"),
        ("", ""),
    ],
)
def test_of_ipv6_a_line_counts_once_however_many_addresses_it_has(address: str, network: str) -> None:
    assert rate_limits.network_of(address) == network


def test_who_changes_their_address_within_their_line_is_counted_on(db: None) -> None:
    with override_settings(GUESTS_PER_MINUTE=2, QUESTIONS_PER_MINUTE=2, SOCKETS_PER_ADDRESS=2):
        mine = [f"2001:db8::{number}" for number in (1, 2, 3)]
        assert [rate_limits.allow_guest(one) for one in mine] == [True, True, False]
        assert [rate_limits.allow_question(one) for one in mine] == [True, True, False]
        assert [rate_limits.sockets.enter(one, None) for one in mine] == ["", "", "network"]
        for one in mine[:2]:
            rate_limits.sockets.leave(one, None)
        connections = ConnectionCounter()
        assert [connections.enter(one) for one in mine * 10] == [True] * (2 * 2 + MIN_CONNECTIONS) + [False] * (
            30 - 2 * 2 - MIN_CONNECTIONS
        )
    tries = [
        Client(REMOTE_ADDR=f"2001:db8::{number}").post("/account/login/", {"login": f"nobody{number}", "password": "x"})
        for number in range(1, 64)
    ]
    assert b"Too many" in tries[-1].content
    assert b"Too many" not in tries[0].content


@pytest.mark.redis
def test_the_first_who_are_counted_may_come_at_once(redis: str) -> None:
    with override_settings(LIMITS_URL=redis, GUESTS_PER_MINUTE=8), ThreadPoolExecutor(16) as people:
        assert sorted(people.map(lambda _: rate_limits.allow_guest("10.0.0.1"), range(16))) == [False] * 8 + [True] * 8


def test_while_redis_is_away_each_process_remembers_for_itself(missing_redis: str) -> None:
    cache = FallbackCache(missing_redis, {})
    cache.set("a", 1)
    assert (cache.get("a"), cache.get_many(["a", "b"]), cache.has_key("b")) == (1, {"a": 1}, False)
    assert (cache.set_many({"d": 4, "e": 5}), cache.get("e")) == ([], 5)
    assert [cache.add("c", 5), cache.add("c", 5), cache.incr("c")] == [True, False, 6]
    assert (cache.touch("c"), cache.delete("c"), cache.get("c", 0)) == (True, True, 0)


@pytest.fixture
def silent_redis(monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """A Redis whose machine takes connections, and that says nothing."""
    monkeypatch.setattr(circuit_breaker, "TIMEOUT_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        with override_settings(LIMITS_URL=_url_of(server), GUESTS_PER_MINUTE=3):
            yield server


def _url_of(server: socket.socket) -> str:
    return f"redis://127.0.0.1:{server.getsockname()[1]}/0"


def test_nobody_waits_for_a_redis_that_hangs_after_the_first(silent_redis: socket.socket) -> None:
    cache = FallbackCache(_url_of(silent_redis), {})
    cache.set("a", 1)
    assert [cache.get("a"), cache.get_many(["a"])] == [1, {"a": 1}]
    assert [rate_limits.allow_guest("10.0.0.1") for _ in range(4)] == [True, True, True, False]
    silent_redis.accept()
    with pytest.raises(BlockingIOError):  # nobody else has tried
        silent_redis.accept()


def test_after_a_while_redis_is_asked_again_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(circuit_breaker, "time", SimpleNamespace(monotonic=lambda: now))
    breaker = circuit_breaker.CircuitBreaker()
    assert breaker.may_ask()
    breaker.note(has_answered=False)
    assert not breaker.may_ask()
    now += circuit_breaker.OPEN_SECONDS
    assert [breaker.may_ask() for _ in range(3)] == [True, False, False]
    breaker.note(has_answered=True)
    assert [breaker.may_ask() for _ in range(2)] == [True, True]
