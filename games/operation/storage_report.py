"""The doctor's findings about stored games: their size, and what happens to old ones."""

from __future__ import annotations

import shutil
from pathlib import Path

from django.conf import settings
from django.db import connection

from games import models
from games.play.storage import codec

MB = 1024 * 1024


def say_standing() -> str:
    """The number of paused tables, and when they are closed."""
    playing = models.Table.objects.filter(status=models.Table.Status.PLAYING, wake_at=None)
    count = playing.filter(desk__contains=codec.STANDING).count()
    sentence = f"{count} tables stand" if count != 1 else "1 table stands"
    return (
        f"{sentence} still because nobody is there; it costs nothing. They are closed after "
        f"{settings.CLOSE_STANDING_DAYS} days (CLOSE_STANDING_DAYS)."
    )


def say_size() -> str:
    """The number of stored moves, and their size in bytes."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT greatest(reltuples, 0)::bigint, pg_total_relation_size(oid) FROM pg_class "
                "WHERE oid = 'games_ply'::regclass"
            )
            plies, size = cursor.fetchone()
            return f"About {plies:,} moves are stored, in {size / MB:,.0f} MB with their indexes."
        cursor.execute("SELECT count(*) FROM games_ply")
        (plies,) = cursor.fetchone()
    file = Path(connection.settings_dict["NAME"])
    size = file.stat().st_size if file.exists() else 0
    return f"{plies:,} moves are stored; the database file has {size / MB:,.0f} MB."


def say_retention() -> str:
    """Whether finished games are moved to files, and where these are."""
    filed = models.FiledGame.objects.count()
    where = f" {filed:,} are in {settings.GAMES_DIR}; backups hold them, too." if filed else ""
    if not settings.KEEP_GAMES_DAYS:
        return f"Finished games stay in the database for good (KEEP_GAMES_DAYS is 0).{where}"
    days = settings.KEEP_GAMES_DAYS
    return f"Finished casual games go to files after {days} days (KEEP_GAMES_DAYS).{where}"


def find_fault() -> str:
    """The problem with the folder of the files; empty if there is none, or no game is moved there."""
    if not settings.KEEP_GAMES_DAYS and not models.FiledGame.objects.exists():
        return ""
    folder = next(path for path in (settings.GAMES_DIR, *settings.GAMES_DIR.parents) if path.exists())
    if not folder.is_dir() or shutil.disk_usage(folder).free < MB:
        return f"Finished games cannot be written to {settings.GAMES_DIR}: make room there, or set GAMES_DIR."
    missing = models.FiledGame.objects.order_by("-at").values_list("file", flat=True).first()
    if missing and not (settings.GAMES_DIR / missing).exists():
        return f"{settings.GAMES_DIR} lacks {missing}, a finished game. Bring it back, or set GAMES_DIR to where it is."
    return ""
