"""Rate limits and shared memory while Redis is away: nobody is turned away because of it, and limits are limits."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.test import override_settings

from games import limits
from games.spare_cache import SpareCache
from tests import programs


@pytest.fixture
def nowhere() -> Iterator[str]:
    """The URL of a Redis that is not there."""
    url = f"redis://127.0.0.1:{programs.free_port()}/0"
    with override_settings(LIMITS_URL=url, GUESTS_PER_MINUTE=3):
        yield url


def test_while_redis_is_away_each_process_counts_for_itself(nowhere: str) -> None:
    assert [limits.allow_guest("10.0.0.1") for _ in range(5)] == [True, True, True, False, False]
    assert limits.allow_guest("10.0.0.2")


@pytest.mark.redis
def test_the_first_who_are_counted_may_come_at_once(redis: str) -> None:
    with override_settings(LIMITS_URL=redis, GUESTS_PER_MINUTE=8), ThreadPoolExecutor(16) as people:
        assert sorted(people.map(lambda _: limits.allow_guest("10.0.0.1"), range(16))) == [False] * 8 + [True] * 8


def test_while_redis_is_away_each_process_remembers_for_itself(nowhere: str) -> None:
    cache = SpareCache(nowhere, {})
    cache.set("a", 1)
    assert (cache.get("a"), cache.get_many(["a", "b"]), cache.has_key("b")) == (1, {"a": 1}, False)
    assert [cache.add("c", 5), cache.add("c", 5), cache.incr("c")] == [True, False, 6]
    assert (cache.touch("c"), cache.delete("c"), cache.get("c", 0)) == (True, True, 0)
