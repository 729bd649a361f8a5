"""Finished casual games as record files: a compressed record each, in a folder a month, below GAMES_DIR.

The plies go from the database once the file is durable. What stays is what others are derived from: the table with its
people and its result, the plies with results in them, and who decided each move. So ratings, results and careers come
out as before, and the game can still be watched. A file names nobody: the people's names stand in the database only,
where somebody who goes takes theirs away.
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
from games.play.moves.deciders import read_done
from games.play.records import game_record
from games.play.signals import RESULTS
from games.play.storage import codec, store
from games.play.storage.table import OVER, Loaded
from games.records.format import parse_record
from games.records.writer import to_text

KEPT_KINDS = set(RESULTS)
"""Kinds of events whose plies stay. What is built on tables adds those from which it derives something."""


def list_old(*, before: float, most: int) -> list[str]:
    """Finished casual games that ended before this moment, the oldest first."""
    over = models.Table.objects.filter(status=OVER, ended_at__lt=before, filed=None, voided_at=None)
    casual = over.exclude(desk__contains=codec.ARRANGED).exclude(result="")
    return list(casual.order_by("ended_at").values_list("pk", flat=True)[:most])


def file_game(table_id: str, *, now: float) -> bool:
    """Write one finished game to its file, and take its plies out of the database; whether that was to be done.

    Whoever is killed in between leaves a file to which nothing refers, and the next one writes the same. Raises OSError
    if the file cannot be written, and then nothing was taken away.
    """
    table = store.reload(table_id)
    if table.status != OVER or table.outcome is None or models.FiledGame.objects.filter(pk=table_id).exists():
        return False
    text = to_text(game_record.export(_name_nobody(table)))
    parse_record(text.encode())
    file = f"{time.strftime('%Y-%m', time.gmtime(table.ended_at))}/{table_id}.json.gz"
    write_durably(settings.GAMES_DIR / file, gzip.compress(text.encode(), mtime=0))
    done = [list(one) for one in read_done([table_id]).get(table_id, ())]
    told = reduce(or_, (Q(events__contains=f'"{kind}"') for kind in sorted(KEPT_KINDS)))
    try:
        with transaction.atomic():
            filed = models.FiledGame.objects.create(
                table_id=table_id, file=file, plies=0, done=codec.write(done), at=now
            )
            filed.plies, _ = models.Ply.objects.filter(table=table_id).exclude(told).delete()
            filed.save(update_fields=["plies"])
    except IntegrityError:  # another process has done it at the same moment
        return False
    return True


def _name_nobody(table: Loaded) -> Loaded:
    places = [place if place.bot else place._replace(name=f"Seat {place.seat + 1}") for place in table.places]
    return table._replace(places=tuple(places))


def write_durably(path: Path, data: bytes) -> None:
    """Put this into a file, all of it or nothing, so that a power cut does not take it. Raises OSError."""
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
