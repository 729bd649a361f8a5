"""Whether this process can serve: its database, set up for this version, and Redis if it is to be there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from games.operation import state

_known = False
"""Once the database was seen to be set up it stays so for this process: the question costs a dozen queries."""


class Part(NamedTuple):
    """How one part is, in words, and whether nobody can be served so."""

    words: str
    is_missing: bool


def check() -> Mapping[str, Part]:
    """Every part by its name."""
    redis = Part("not used", is_missing=False) if settings.IS_EMBEDDED else _part(_check_redis())
    process = _part("is about to end" if state.is_draining else "")
    return {"database": _part(_check_database()), "redis": redis, "process": process}


def _part(fault: str) -> Part:
    return Part(fault or "ok", is_missing=bool(fault))


def _check_database() -> str:
    global _known
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        if not _known:
            if is_behind():
                return "not set up for this version: manage.py migrate"
            _known = True
    except DatabaseError:
        return "does not answer"
    return ""


def is_behind() -> bool:
    """Whether migrations wait to be run. Raises DatabaseError."""
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _check_redis() -> str:
    return "does not answer" if ask_redis() else ""


def ask_redis() -> str:
    """Why Redis does not answer, empty if it does."""
    from redis import Redis, RedisError

    client = Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2)
    try:
        client.ping()
    except (RedisError, OSError) as error:
        return str(error) or type(error).__name__
    finally:
        client.close()
    return ""
