"""Formats log lines as text for people, or as JSON objects; times in ISO 8601 with their zone."""

from __future__ import annotations

import logging
import sys
import threading
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

from django.conf import settings
from pythonjsonlogger.json import JsonFormatter

from games.operation import trace

logger = logging.getLogger("menagerie.process")
FIELDS = ("asctime", "levelname", "name", "message", "request", "table", "ply")
NAMES = {"asctime": "time", "levelname": "level", "name": "logger"}


class LineFormatter(logging.Formatter):
    """A line for people; the traceback of an error follows it on lines of its own."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}{belongs}", style="{")

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802 - logging's name
        """As `write_time`."""
        return write_time(record)


class LogJsonFormatter(JsonFormatter):
    """One JSON object on one line for each event, its traceback included."""

    def __init__(self) -> None:
        super().__init__("".join(f"{{{name}}}" for name in FIELDS), style="{", rename_fields=NAMES)

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802 - logging's name
        """As `write_time`."""
        return write_time(record)

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        """The record without fields that only text lines need."""
        log_data.pop("belongs", None)
        return log_data


def write_time(record: logging.LogRecord) -> str:
    """When it happened: ISO 8601 in UTC, with milliseconds, for example `2026-07-01T18:30:00.123+00:00`."""
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


def write_event(words: str, *, now: float) -> str:
    """Write a line about the process itself, regardless of the log level, in the format of LOG_FORMAT."""
    if settings.LOG_FORMAT != "JSON":
        return words
    record = logging.LogRecord(logger.name, logging.INFO, "", 0, words, (), None)
    record.created = now
    trace.ContextFilter().filter(record)
    return LogJsonFormatter().format(record)


def catch_all() -> None:
    """Log warnings and uncaught exceptions, too."""
    logging.captureWarnings(True)
    sys.excepthook = _log_uncaught
    threading.excepthook = _log_of_thread


def _log_uncaught(kind: type[BaseException], error: BaseException, trail: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trail)
        return
    logger.critical("the process ends with an error", exc_info=(kind, error, trail))


def _log_of_thread(args: threading.ExceptHookArgs) -> None:
    if args.exc_value is None or args.exc_type is SystemExit:
        return
    name = args.thread.name if args.thread else "unknown"
    logger.error("the thread %s ends with an error", name, exc_info=(args.exc_type, args.exc_value, args.exc_traceback))
