"""The URL of Redis in the form that each library expects: they write a socket file differently."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from django.core.exceptions import ImproperlyConfigured

from config.environment import split_url

_FILE = "unix://"


def check(url: str) -> str:
    """The URL. Raises ImproperlyConfigured for a socket file that is none, or a database that is no number."""
    parts = split_url("REDIS_URL", url)
    if not url.startswith(_FILE):
        if not re.fullmatch(r"/?[0-9]*", parts.path):
            raise ImproperlyConfigured("REDIS_URL: the database after the host is a number, as in redis://host/0.")
        return url
    if not parts.path.startswith("/") or parts.path == "/" or parts.hostname:
        raise ImproperlyConfigured("REDIS_URL for a socket file is unix:///absolute/path/to/redis.sock, perhaps ?db=1.")
    if not _database(url).isdigit():
        raise ImproperlyConfigured("REDIS_URL: the database after ?db= is a number.")
    return url


def for_celery(url: str) -> str:
    """The broker's URL: redis+socket:// for a socket file, its database as virtual host."""
    if not url.startswith(_FILE):
        return url
    login, _, path = url.removeprefix(_FILE).partition("?")[0].rpartition("@")
    return f"redis+socket://{login}{'@' if login else ''}{path}?virtual_host={_database(url)}"


def for_limits(url: str) -> str:
    """The rate limits' URL: redis+unix:// for a socket file."""
    return f"redis+{url}" if url.startswith(_FILE) else url


def _database(url: str) -> str:
    return parse_qs(urlsplit(url).query).get("db", ["0"])[0]
