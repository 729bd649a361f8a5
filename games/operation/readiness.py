"""Whether this process can serve: its database, set up for this version, and Redis if it is to be there."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from games.operation import state

_known = False
"""Once the database was seen to be set up it stays so for this process: the question costs a dozen queries."""


def check() -> Mapping[str, str]:
    """Part → what is wrong with it, an empty text where nothing is."""
    parts = {"database": _check_database(), "redis": _check_redis(), "process": ""}
    if state.is_draining:
        parts["process"] = "is about to end"
    return parts


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
    return "" if settings.IS_EMBEDDED or ask_redis() == "" else "does not answer"


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
