"""Checks by writing whether the database can save: with a full disk, or read-only, it still answers queries."""

from __future__ import annotations

import logging
import os
import shutil
import time
from pathlib import Path
from typing import NamedTuple

from django.db import DatabaseError, connection, transaction

from games.memo import Memo
from games.models import WriteProbe

logger = logging.getLogger(__name__)

PROBE_BYTES = 16_384
"""Bytes that a check writes: as many pages as a move. They are random, because PostgreSQL compresses others."""
FRESH_SECONDS = 5.0
"""Seconds for which a successful check counts; after a failure every question tries again."""
LOCK_MS = 500
"""Milliseconds that PostgreSQL waits for a lock here: a probe must not queue behind a long transaction."""
_FULL = ("no space left", "disk is full", "file too large", "disk quota")
_READ_ONLY = ("read-only", "readonly")

PROBE = 1
"""Primary key of the one row that is written."""


class _Attempt(NamedTuple):
    """What came of a try: why nothing could be saved (empty: it could), and until when that counts (monotonic
    seconds)."""

    fault: str
    fresh_until: float


_tries: Memo[int, _Attempt] = Memo("write check", 1)
"""Primary key of the row → the last try."""


def find_fault() -> str:
    """Why nothing can be saved, in a few words; empty if it can. Waits for the database."""
    last = _tries.get(PROBE)
    if last is not None and time.monotonic() < last.fresh_until:
        return last.fault
    try:
        _write()
    except DatabaseError as error:
        logger.error("nothing can be saved: %s", " ".join(str(error).split()))
        made = _Attempt(_name_fault(str(error).lower()), float("-inf"))
    else:
        made = _Attempt("", time.monotonic() + FRESH_SECONDS)
    return _tries.put(PROBE, made).fault


def last_fault() -> str:
    """The result of the last check, for callers that cannot wait for a new one."""
    last = _tries.get(PROBE)
    return "" if last is None else last.fault


def _name_fault(why: str) -> str:
    if any(sign in why for sign in _FULL) or _is_disk_full():
        return "nothing can be saved: the disk is full"
    if any(sign in why for sign in _READ_ONLY):
        return "nothing can be saved: the database is read-only"
    if "locked" in why:
        return "nothing can be saved: the database is locked"
    return "nothing can be saved"


def _is_disk_full() -> bool:
    """Whether this error means a full disk. SQLite's message depends on what it was about to write."""
    if connection.vendor != "sqlite":
        return False
    return shutil.disk_usage(Path(connection.settings_dict["NAME"]).parent).free < PROBE_BYTES


def _write() -> None:
    """Write the row anew, and make it durable. Raises DatabaseError."""
    row = WriteProbe(pk=PROBE, payload=os.urandom(PROBE_BYTES))
    with transaction.atomic():
        if connection.vendor == "postgresql":
            _empty_table()
        WriteProbe.objects.bulk_create([row], update_conflicts=True, unique_fields=["id"], update_fields=["payload"])


def _empty_table() -> None:
    """Give the table new, empty files, which need room. In the old ones rows that are gone leave some.

    Nobody waits for a program that reads all tables (pg_dump) and holds this one, too: then the row is written over.
    """
    table = WriteProbe._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = {LOCK_MS}")
        try:
            with transaction.atomic():
                cursor.execute(f'TRUNCATE "{table}"')
        except DatabaseError as error:
            if getattr(error.__cause__, "sqlstate", "") != "55P03":  # lock_not_available
                raise
