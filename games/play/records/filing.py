"""Finished casual games as record files: a compressed record each, in a folder a month, below GAMES_DIR.

The plies are deleted from the database once the file is durable. What ratings, results and careers are derived from
stays: the table with its players and result, the plies with results, and who decided each move. The game can still be
watched. A file contains no names: those stay in the database, where deleting a player removes them.
"""

from __future__ import annotations

import gzip
import os
import time
from functools import reduce
from operator import or_
from pathlib import Path

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q

from games import models
from games.play.moves.deciders import read_decided_moves
from games.play.records import game_record
from games.play.signals import RESULT_KINDS
from games.play.storage import codec, store
from games.play.storage.table import OVER, LoadedTable
from games.records.format import parse_record
from games.records.writer import to_text

KEPT_KINDS = set(RESULT_KINDS)
"""Kinds of events whose plies stay in the database. Apps built on tables add the kinds that they derive from."""


def list_old(*, before: float, most: int) -> list[str]:
    """Finished casual games that ended before this moment, the oldest first."""
    over = models.Table.objects.filter(status=OVER, ended_at__lt=before, filed=None, voided_at=None)
    casual = over.exclude(desk__contains=codec.ARRANGED).exclude(result="")
    return list(casual.order_by("ended_at").values_list("pk", flat=True)[:most])


def file_game(table_id: str, *, now: float) -> bool:
    """Write one finished game to its file and delete its plies; returns whether there was anything to do.

    A process killed in between leaves an unreferenced file, which the next run writes again. Raises OSError if the file
    cannot be written; nothing is deleted then.
    """
    table = store.reload(table_id)
    if table.status != OVER or table.outcome is None or models.FiledGame.objects.filter(pk=table_id).exists():
        return False
    text = to_text(game_record.export(_anonymise(table)))
    parse_record(text.encode())
    file = f"{time.strftime('%Y-%m', time.gmtime(table.ended_at))}/{table_id}.json.gz"
    write_durably(settings.GAMES_DIR / file, gzip.compress(text.encode(), mtime=0))
    done = [list(move) for move in read_decided_moves([table_id]).get(table_id, ())]
    is_kept = reduce(or_, (Q(events__contains=f'"{kind}"') for kind in sorted(KEPT_KINDS)))
    try:
        with transaction.atomic():
            filed = models.FiledGame.objects.create(
                table_id=table_id, file=file, plies=0, done=codec.write(done), at=now
            )
            filed.plies, _ = models.Ply.objects.filter(table=table_id).exclude(is_kept).delete()
            filed.save(update_fields=["plies"])
    except IntegrityError:  # another process has done it at the same moment
        return False
    return True


def _anonymise(table: LoadedTable) -> LoadedTable:
    places = [place if place.bot else place._replace(name=f"Seat {place.seat + 1}") for place in table.places]
    return table._replace(places=tuple(places))


def write_durably(path: Path, data: bytes) -> None:
    """Write a file atomically and flush it to the disk, so that it survives a power cut. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(f".{os.getpid()}.new")
    with new.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    for folder in (path.parent, path.parent.parent):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
