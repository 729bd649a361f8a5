"""Limits of an uploaded ZIP, checked before anything is unpacked; its files are read one at a time."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from games.play.errors import BadInput

MAX_BYTES = 20_000_000
"""Bytes of an upload, and of any one file in it."""
MAX_UNPACKED = 200_000_000
"""Bytes of all files of a ZIP together."""
MAX_FILES = 20_000
KINDS = (".json", ".zip")
"""What is looked at; the rest of a ZIP is for people and their spreadsheets."""
ZIP = b"PK"
"""How a ZIP begins."""
ENTRY = b"PK\x01\x02"
"""How each line of a ZIP's directory begins."""


class Zip:
    """The documents of a ZIP, and the ZIPs in it. size: bytes of all of them, unpacked."""

    def __init__(self, raw: bytes) -> None:
        """Look at its directory. Raises BadInput if it is too big or cannot be opened."""
        require_size(len(raw))
        if raw.count(ENTRY) > MAX_FILES:
            raise BadInput("This archive contains too many files. The limit is %(most)s.", most=MAX_FILES)
        with _opening():
            self._file = zipfile.ZipFile(io.BytesIO(raw))
            self._infos = {info.filename: info for info in self._file.infolist() if info.filename.endswith(KINDS)}
            if any(
                info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for info in self._infos.values()
            ):
                raise ValueError("packed in a way whose size cannot be bounded")
        self.size = sum(info.file_size for info in self._infos.values())
        require_size(self.size, MAX_UNPACKED)

    def __contains__(self, name: str) -> bool:
        """Whether there is a file of this name."""
        return name in self._infos

    def read(self, name: str) -> bytes:
        """A file. Raises BadInput if it is too big or broken."""
        info = self._infos[name]
        require_size(info.file_size)
        with _opening():
            return self._file.read(info)


def require_size(size: int, most: int | None = None) -> None:
    """Raises BadInput for more bytes than are taken. most: if not those of a file."""
    most = MAX_BYTES if most is None else most
    if size > most:
        raise BadInput("This archive is too large. The limit is %(most)s MB.", most=most // 1_000_000)


@contextmanager
def _opening() -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, RuntimeError, OSError, EOFError, ValueError, zlib.error) as error:
        raise BadInput("This archive cannot be opened. The file may be incomplete.") from error
