"""The file format of backups: writing it, and checking that a file is complete and unchanged.

`menagerie-backup/2`: gzipped JSON lines. The first names format, time, migrations and key; then one a row, those of a
model together and in an order in which every row comes after those it refers to. The last line counts the rows and
carries the SHA-256 of every part (the first line, then each model's lines) and one over all these. It finds what was
damaged or changed by accident; it is no signature. Where finished games lie in files (`filed_games`), these follow
after the rows, as the last part. `menagerie-backup/1` had neither files nor checksums.
"""

from __future__ import annotations

import gzip
import hashlib
import hmac
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from games.records import strict_json

FORMAT, FORMAT_WITHOUT_CHECKSUMS = "menagerie-backup/2", "menagerie-backup/1"
HEAD, FILES = "head", "files"
FILE = b'{"file"'
"""The beginning of the line of a file."""
END = b'{"rows"'
"""and so the last line."""


class BackupError(Exception):
    """Why nothing was backed up or restored, as a sentence."""


class Part(NamedTuple):
    """One part's name (a model's label, `head` or `files`), its lines and their SHA-256 in hex."""

    name: str
    lines: int
    sha256: str


class Parts:
    """The lines of a backup, in their order, each counted and hashed with those of its part."""

    def __init__(self) -> None:
        self.done: list[Part] = []
        self._name, self._lines, self._hash = HEAD, 0, hashlib.sha256()

    def begin(self, name: str) -> None:
        """What is added from now on belongs to this part."""
        self._close()
        self._name, self._lines, self._hash = name, 0, hashlib.sha256()

    def add(self, name: str, line: bytes) -> None:
        """One more line, of this part."""
        if name != self._name:
            self.begin(name)
        self._lines += 1
        self._hash.update(line)

    def close(self) -> list[Part]:
        """All parts; nothing can be added any more."""
        self._close()
        return self.done

    def _close(self) -> None:
        if self._lines:
            self.done.append(Part(self._name, self._lines, self._hash.hexdigest()))
        self._lines = 0


class Writer:
    """Writes such a file. Text goes to `write` in pieces, as serializers give it; a line ends where a piece does."""

    def __init__(self, out: gzip.GzipFile, head: dict[str, Any]) -> None:
        self._out = out
        self._parts = Parts()
        self._name = HEAD
        self._line: list[str] = []
        self.write(strict_json.write({"format": FORMAT} | head) + "\n")

    def begin(self, name: str) -> None:
        """Begin the part with this name: the rows of a model, or the files."""
        self._name = name

    def write(self, text: str) -> None:
        """A piece of a line."""
        self._line.append(text)
        if text.endswith("\n"):
            line = "".join(self._line).encode()
            self._line.clear()
            self._parts.add(self._name, line)
            self._out.write(line)

    def close(self, rows: int) -> None:
        """The last line."""
        parts = self._parts.close()
        self._out.write(strict_json.write({"rows": rows, "parts": parts, "sha256": _sum_parts(parts)}).encode() + b"\n")


class CheckedBackup(NamedTuple):
    """A complete backup: first line, rows, files, and whether checksums prove that nothing was changed."""

    head: dict[str, Any]
    rows: int
    files: int
    has_checksums: bool


def check(file: Path) -> CheckedBackup:
    """Read the whole file. Raises BackupError if it is incomplete or was changed."""
    with reading(file), gzip.open(file, "rb") as lines:
        first = next(lines, b"")
        head = _read_head(file, first)
        parts = Parts()
        parts.add(HEAD, first)
        total = files = 0
        for line in lines:
            if line.startswith(END):
                has_checksums = _check_end(file, line, head, parts, total)
                if next(lines, b""):
                    raise BackupError(f"{file} continues after its end. It was changed after it was written.")
                return CheckedBackup(head, total, files, has_checksums)
            if line.startswith(FILE):
                parts.add(FILES, line)
                files += 1
                continue
            parts.add(read_row(line, total)["model"], line)
            total += 1
    raise BackupError(f"{file} ends after {total} rows. It is not complete.")


@contextmanager
def reading(file: Path) -> Iterator[None]:
    """Raises BackupError for what cannot be read, or is not compressed as it should be."""
    try:
        yield
    except (OSError, EOFError, UnicodeError, zlib.error) as error:
        why = getattr(error, "strerror", None)  # of the machine, not of what is in the file
        raise BackupError(f"{file} {f'cannot be read: {why}' if why else f'is not complete: {error}'}.") from error


def _read_head(file: Path, line: bytes) -> dict[str, Any]:
    try:
        head = json.loads(line)
    except ValueError:
        head = None
    formats = (FORMAT, FORMAT_WITHOUT_CHECKSUMS)
    if not isinstance(head, dict) or head.get("format") not in formats or not isinstance(head.get("migrations"), list):
        raise BackupError(f"{file} is not a backup of Menagerie ({' or '.join(formats)}).")
    return head


def read_row(line: bytes, total: int) -> dict[str, Any]:
    """One row as a serializer takes it. total: the rows before it. Raises BackupError."""
    try:
        row = json.loads(line)
    except ValueError:
        row = None
    if not isinstance(row, dict) or not isinstance(row.get("model"), str):
        raise BackupError(f"What follows row {total} of the backup is not a row. The backup is not complete.")
    return row


def _check_end(file: Path, line: bytes, head: dict[str, Any], parts: Parts, total: int) -> bool:
    """Whether there are checksums. Raises BackupError where one is wrong."""
    try:
        end = json.loads(line)
    except ValueError:
        raise BackupError(f"The last line of {file} cannot be read. The backup is not complete.") from None
    if end.get("rows") != total:
        raise BackupError(f"The backup has {total} rows and should have {end.get('rows')}. It is not complete.")
    if head["format"] == FORMAT_WITHOUT_CHECKSUMS:
        return False
    found = parts.close()
    named = [Part(*part) for part in end.get("parts", []) if isinstance(part, list) and len(part) == len(Part._fields)]
    wrong = sorted({part.name for part in set(found) ^ set(named)})
    if wrong or found != named or end.get("sha256") != _sum_parts(found):
        where = ", ".join(wrong) or "the last line"
        raise BackupError(f"{file} was changed or damaged after it was written: the checksum of {where} is wrong.")
    return True


def _sum_parts(parts: list[Part]) -> str:
    """The checksum over all parts."""
    return hashlib.sha256(strict_json.write(parts).encode()).hexdigest()


def fingerprint_key(key: str) -> str:
    """A fingerprint by which a key can be recognised, but not computed."""
    return hmac.new(key.encode(), b"menagerie-backup", "sha256").hexdigest()[:16]
