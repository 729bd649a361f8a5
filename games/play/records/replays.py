"""Replays of finished games of this site, and of uploaded records."""

from __future__ import annotations

import secrets

from django.db import DatabaseError
from django.db.models import QuerySet

from games import models
from games.memo import Memo
from games.play import permissions
from games.play.errors import BadInput, Busy, NotAllowed, NotFound
from games.play.records import game_record
from games.play.storage.table import OVER, LoadedTable
from games.records.faults import Fault
from games.records.format import Record, parse_record
from games.records.playback import Playback, play_back
from games.records.replay import replay

MAX_BYTES = 1024 * 1024
"""Bytes of an uploaded record."""
MAX_EVENTS = 5_000
"""Events of an uploaded record, which bounds the time of checking it; `verify_record` takes longer ones."""
KEPT_SECONDS = 90 * 86_400
"""Seconds for which an upload is stored: 90 days."""
KEPT_UPLOADS = 5_000
"""Uploads that are stored at a time: at most 5 GB with `MAX_BYTES`."""
KEPT_REPLAYS = 48
"""Replays of tables, and as many of records, that each process remembers: each holds every state of a game."""
_of_tables: Memo[tuple[str, int], Playback] = Memo("replays of tables", KEPT_REPLAYS)
"""Replays of tables, by table id and version."""
_of_records: Memo[str, Playback] = Memo("replays of records", KEPT_REPLAYS)
"""Replays of uploaded records, by the upload's key; the text under a key never changes."""


def replay_table(table: LoadedTable) -> Playback:
    """The replay of a table's game.

    Raises NotAllowed, for everybody, while it is not over; NotFound without a game; Unreadable (`play_back_game`).
    """
    permissions.require_finished(table)
    return _of_tables.get_or_make((table.id, table.version), lambda: game_record.play_back_game(table))


def keep_record(player: models.Player | None, raw: bytes, *, now: float) -> str:
    """Check an uploaded record and store it for `KEPT_SECONDS`. Returns its key.

    Raises BadInput (too big, or invalid: with the sentence), NotAllowed (its table still plays here), Busy.
    """
    if len(raw) > MAX_BYTES:
        raise build_too_big_error()
    record = _parse(raw)
    if len(record.events) > MAX_EVENTS:
        raise BadInput("This record has more than %(most)s events. That is too long to watch here.", most=MAX_EVENTS)
    _require_no_game_of_ours(record)
    _watch(record)
    try:
        models.Upload.objects.filter(at__lt=now - KEPT_SECONDS, is_kept=False).delete()
        if models.Upload.objects.filter(is_kept=False).count() >= KEPT_UPLOADS:
            raise Busy("No more records can be stored right now. Try again tomorrow.")
        key = secrets.token_urlsafe(12)
        models.Upload.objects.create(key=key, player=player, text=raw.decode("utf-8-sig"), at=now)
    except DatabaseError as error:
        raise Busy("The database could not save this. Nothing was changed. Try again in a moment.") from error
    return key


def check_record(raw: bytes) -> None:
    """Check a record from an archive, of any length.

    Raises BadInput (invalid: with the sentence), NotAllowed (its table still plays here).
    """
    record = _parse(raw)
    _require_no_game_of_ours(record)
    try:
        for _step in replay(record):
            pass
    except Fault as fault:
        raise _build_error(fault) from fault


def keep_checked(player: models.Player | None, key: str, raw: bytes, *, now: float) -> None:
    """Store a record for good, under this key, after `check_record` accepted it. Idempotent."""
    fields = {"player": player, "text": raw.decode("utf-8-sig"), "at": now, "is_kept": True}
    models.Upload.objects.get_or_create(key=key, defaults=fields)


def list_kept(begin: str) -> frozenset[str]:
    """The keys with this prefix of records that are stored for good."""
    return frozenset(_list_uploads(begin).values_list("key", flat=True))


def delete_kept(begin: str) -> None:
    """Delete the records whose keys have this prefix."""
    _list_uploads(begin).delete()


def _list_uploads(begin: str) -> QuerySet[models.Upload]:
    return models.Upload.objects.filter(key__startswith=begin, is_kept=True)


def build_too_big_error() -> BadInput:
    """The error for a record of more than `MAX_BYTES`."""
    return BadInput("This record is too big. Choose a file of at most %(most)s kB.", most=MAX_BYTES // 1024)


def _parse(raw: bytes) -> Record:
    try:
        return parse_record(raw)
    except Fault as fault:
        raise _build_error(fault) from fault


def _watch(record: Record) -> Playback:
    try:
        return play_back(record)
    except Fault as fault:
        raise _build_error(fault) from fault


def _build_error(fault: Fault) -> BadInput:
    """The error for a fault, in the words of `verify_record` and docs/record-format.md."""
    why = Fault(fault.template, fault.values)
    if fault.event is None:
        return BadInput("This record is not valid: %(why)s.", why=why)
    return BadInput("This record is not valid at event %(event)s: %(why)s.", event=fault.event, why=why)


def _require_no_game_of_ours(record: Record) -> None:
    """Raises NotAllowed for a record of a game that is still under way here: it could show hidden cards."""
    if record.table is None:
        return
    status = models.Table.objects.filter(pk=record.table).values_list("status", flat=True).first()
    if status is not None and status != OVER:
        raise NotAllowed("This game is not over yet. You can watch it again when it is.")


def replay_upload(key: str) -> Playback:
    """The replay of an uploaded record. Raises NotFound, also if it is remembered here but was deleted."""
    if not models.Upload.objects.filter(pk=key).exists():
        raise _build_gone_error()
    return _of_records.get_or_make(key, lambda: _watch(_parse(read_upload(key).encode())))


def read_upload(key: str) -> str:
    """The text of an uploaded record, as it was sent. Raises NotFound."""
    text = models.Upload.objects.filter(pk=key).values_list("text", flat=True).first()
    if text is None:
        raise _build_gone_error()
    return text


def _build_gone_error() -> NotFound:
    return NotFound("This record was not found or is no longer stored. Upload it again.")
