"""The log context: request, table and ply of each line, set at the edges and read by the log only. And what
no line says."""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from traceback import walk_tb
from types import TracebackType
from typing import Any, TypeAlias

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.db import InternalError, OperationalError
from django.http import HttpRequest
from django.urls import get_resolver

PROJECT = Path(__file__).resolve().parents[2]

request_id: ContextVar[str] = ContextVar("request_id", default="")
table_id: ContextVar[str] = ContextVar("table_id", default="")

FindPly: TypeAlias = Callable[[str], int | None]
find_ply: FindPly | None = None
"""Tells the ply at which this process knows a table; the app puts it here."""


_SOUND = re.compile(r"[A-Za-z0-9_-]{8,64}")


def new_id() -> str:
    """A new id for one request, socket or task."""
    return secrets.token_hex(8)


def choose_id(given: str) -> str:
    """The id that the proxy gave, if there is a valid one; else a new one."""
    return given if settings.SECURE_PROXY_SSL_HEADER and _SOUND.fullmatch(given) else new_id()


class ContextFilter(logging.Filter):
    """Adds request, table and ply to every record of the log; a table and ply that a record names itself stay."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Always lets the record through."""
        request, table = request_id.get(), getattr(record, "table", None) or table_id.get()
        ply = getattr(record, "ply", None)
        if ply is None and table and find_ply is not None:
            ply = find_ply(table)
        context = {"request": request, "table": table, "ply": ply}
        belongs = "".join(f" [{name}={value}]" for name, value in context.items() if value not in ("", None))
        vars(record).update(context, belongs=belongs)
        return True


SECRET = ("key", "token")
"""Names of what opens something, in addresses."""
_SECRET = re.compile(rf"\(\?P<(?:{'|'.join(SECRET)})>")


class AddressFilter(logging.Filter):
    """Removes secrets (`say_path`) from the paths that the framework logs with every failed request."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Always lets the record through."""
        if isinstance(getattr(record, "request", None), HttpRequest) and isinstance(record.args, tuple):
            record.args = tuple(
                say_path(arg) if isinstance(arg, str) and arg[:1] == "/" else arg for arg in record.args
            )
        return True


def say_path(path: str) -> str:
    """The path in one line, without secrets that grant access: invitations, and links from e-mail.

    A mistyped link, with a character missing or too many, is cut as well.
    """
    begin = _match_secrets().match(path)
    path = path if begin is None else f"{path[: begin.end()]}…"
    return path if path.isprintable() else repr(path)[1:-1]


@cache
def _match_secrets() -> re.Pattern[str]:
    """How addresses with a secret in them begin, up to the secret."""
    return re.compile("|".join(f"(?:/{begin})" for begin in _list_beginnings(get_resolver())))


def _list_beginnings(resolver: Any, before: str = "") -> Iterator[str]:
    for one in resolver.url_patterns:
        pattern = before + one.pattern.regex.pattern.removeprefix("^")
        if hasattr(one, "url_patterns"):
            yield from _list_beginnings(one, pattern)
        elif secret := _SECRET.search(pattern):
            yield re.sub(r"\(\?P<\w+>", "(?:", pattern[: secret.start()])


class OutageFilter(logging.Filter):
    """Says in one line, and with the place where it showed, that the database is away, locked, full or read-only, or
    Redis is away; and a foreign host's name.

    The traceback is three errors long, the same for every request, and costs more than the request does: while the
    database is away it is what a server is busy with. Without Redis a beat has one twice a second, of 150 lines.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Always lets the record through."""
        _kind, error, trail = record.exc_info or (None, None, None)
        if error is None:
            return True
        if isinstance(error, DisallowedHost):  # somebody tries all addresses there are
            record.exc_info, record.exc_text = None, None
        if isinstance(error, (OperationalError, InternalError)) or _is_of_redis(error):
            message, why = record.getMessage().partition("\n")[0], " ".join(str(error).split())
            record.msg = f"{message}{'' if why in message else f': {why}'}{_find_place(trail)}"
            record.args, record.exc_info, record.exc_text = (), None, None
        return True


def _is_of_redis(error: BaseException | None) -> bool:
    """Whether Redis is away, as its client, Celery's broker or its beat says it."""
    from celery.beat import SchedulingError
    from kombu.exceptions import OperationalError as BrokerError
    from redis import exceptions  # not before something failed: without Redis nobody needs it

    if isinstance(error, SchedulingError):  # which tells its reason in words only
        return _is_of_redis(error.__context__)
    return isinstance(error, (exceptions.ConnectionError, exceptions.TimeoutError, BrokerError))


def _find_place(trail: TracebackType | None) -> str:
    """The last line of this project's own code in an error's traceback."""
    places = [(Path(frame.f_code.co_filename), line) for frame, line in walk_tb(trail)]
    ours = [f" ({file.relative_to(PROJECT)}:{line})" for file, line in places if _is_ours(file)]
    return ours[-1] if ours else ""


def _is_ours(file: Path) -> bool:
    return file.is_relative_to(PROJECT) and "site-packages" not in file.parts
