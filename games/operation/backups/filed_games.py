"""Files of finished games (`games.play.records.filing`): written into a backup, and restored from one.

Each is one line after the rows, `{"file": name below GAMES_DIR, "data": its bytes in base64}`; all of them are the part
`files`, with a checksum as every part has. Which ones belong to a backup its rows say.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from django.conf import settings

from games import models
from games.operation.backups.backup_file import BackupError
from games.play.records.filing import write_durably
from games.records import strict_json

BATCH = 500
NAME = re.compile(r"\d{4}-\d{2}/[\w-]+\.json\.gz", re.ASCII)
"""A folder a month, a file a game: nothing else is written, whatever a backup names."""


class GameFile(NamedTuple):
    """A finished game's file. name: below GAMES_DIR; data: its bytes, None where it cannot be read."""

    name: str
    data: bytes | None


def read_all(alias: str) -> Iterator[GameFile]:
    """Every file to which the rows of this database refer. A file is written before its row: all should be there."""
    names = models.FiledGame.objects.using(alias).order_by("pk").values_list("file", flat=True)
    for name in names.iterator(chunk_size=BATCH):
        try:
            yield GameFile(name, (settings.GAMES_DIR / name).read_bytes())
        except OSError:
            yield GameFile(name, None)


def count_missing() -> int:
    """The number of missing files to which rows refer."""
    names = models.FiledGame.objects.values_list("file", flat=True)
    return sum(not (settings.GAMES_DIR / name).is_file() for name in names.iterator(chunk_size=BATCH))


def to_line(name: str, data: bytes) -> str:
    """A file as a line of a backup."""
    return strict_json.write({"file": name, "data": base64.b64encode(data).decode()}) + "\n"


class StagedFiles:
    """Files on their way from a backup into GAMES_DIR; where the block ends with an error, they are taken away."""

    def __init__(self) -> None:
        self.count = 0
        self._made: list[Path] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        for path in self._made if error is not None else ():
            with suppress(OSError):
                path.unlink()

    def put(self, line: bytes) -> None:
        """Write the file of this line, unless it is there already. Raises BackupError."""
        name, data = _read_line(line)
        path = settings.GAMES_DIR / name
        try:
            if not path.exists():
                self._made.append(path)
                write_durably(path, data)
            elif path.read_bytes() != data:
                raise BackupError(
                    f"{path} already exists and differs from the one in the backup. Set GAMES_DIR to an empty folder. "
                    "Nothing was changed."
                )
        except OSError as error:
            raise BackupError(f"{path} cannot be written: {error.strerror}. Nothing was changed.") from error
        self.count += 1


def _read_line(line: bytes) -> tuple[str, bytes]:
    try:
        entry = json.loads(line)
        name, data = entry["file"], base64.b64decode(entry["data"], validate=True)
    except (ValueError, KeyError, TypeError, binascii.Error):
        raise BackupError("A file in the backup cannot be read: it is not complete. Nothing was changed.") from None
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise BackupError(f"The backup contains {name!r}, which is not the file of a game. Nothing was changed.")
    return name, data
