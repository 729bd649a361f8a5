"""Readiness: the database answers, is migrated and saves, and Redis answers where it is used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from games.memo import Memo
from games.operation.health import shutdown_state, write_check
from games.operation.health.timeouts import SingleFlight

DATABASE_SECONDS, REDIS_SECONDS = 2.0, 1.0
"""Seconds that each check may take: proxies give up on a readiness probe soon after."""

_set_up: Memo[str, bool] = Memo("set up", 1)
"""Alias of the database → True once it was seen to be set up, which it then stays: asking costs a dozen queries."""


class Part(NamedTuple):
    """The state of one part in words, and whether nobody can be served without it."""

    words: str
    is_missing: bool


def check() -> Mapping[str, Part]:
    """Check every part; by name."""
    redis = Part("not used", is_missing=False) if settings.IS_EMBEDDED else _build_part(_check_redis())
    process = _build_part("is about to end" if shutdown_state.is_draining else "")
    try:
        database, saved = _build_part(_check_database()), _check_saving()
    except TimeoutError:
        database, saved = _build_part("does not answer"), Part("not tried", is_missing=True)
    return {"database": database, "saving": saved, "redis": redis, "process": process}


def _build_part(fault: str) -> Part:
    return Part(fault or "ok", is_missing=bool(fault))


def _check_database() -> str:
    """Raises TimeoutError."""
    try:
        is_set_up = _is_set_up.ask(DATABASE_SECONDS)
    except DatabaseError:
        return "does not answer"
    return "" if is_set_up else "not set up for this version: manage.py migrate"


def _look_at_database() -> bool:
    """Whether the database is migrated. Raises DatabaseError."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return _set_up.get(connection.alias) or _set_up.put(connection.alias, not is_behind())


_is_set_up = SingleFlight(_look_at_database)


def _check_saving() -> Part:
    """Who waits for others that write can still save: until the database gives up, the last try counts."""
    try:
        return _build_part(_saved.ask(DATABASE_SECONDS))
    except TimeoutError:
        fault = write_check.last_fault()
        return Part(fault or "waits for what others write", is_missing=bool(fault))


_saved = SingleFlight(write_check.find_fault)


def is_behind() -> bool:
    """Whether migrations wait to be run. Raises DatabaseError."""
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _check_redis() -> str:
    return "does not answer" if ask_redis(REDIS_SECONDS) else ""


def ask_redis(seconds: float = 2.0) -> str:
    """Why Redis does not answer in this time, empty if it does."""
    from redis import Redis, RedisError
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    once = Retry(NoBackoff(), 0)
    client = Redis.from_url(settings.REDIS_URL, socket_timeout=seconds, socket_connect_timeout=seconds, retry=once)
    try:
        client.ping()
    except (RedisError, OSError) as error:
        return str(error) or type(error).__name__
    finally:
        client.close()
    return ""
