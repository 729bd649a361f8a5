"""A whole tournament as one ZIP, with the records of its games."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from games.play.permissions import require_finished
from games.play.records import game_record, replays
from games.play.storage import store
from games.records.writer import to_text
from tournaments.flow.archive.csv_export import to_file, write_results, write_standings
from tournaments.flow.archive.tournament_document import (
    TOURNAMENT_FILE,
    describe,
    list_recorded,
    public_rounds,
    record_name,
    write_json,
)
from tournaments.flow.standings.book import Book
from tournaments.models import Pod

Tell: TypeAlias = Callable[[int, int], None]
"""Hears that so many of so many are done."""


def say_nothing(_done: int, _of: int) -> None:
    """To nobody."""


Keep: TypeAlias = Callable[[bytes], None]
"""Keeps a ZIP that is not complete, to go on with it if it is interrupted."""
KEEP_SECONDS = 5.0
"""How much of the work an interruption may cost, as long as keeping it is quick."""
KEEP_SHARE = 20
"""At least so many times as long as keeping takes lies between two times."""


class ZipWriter:
    """A ZIP that grows, and goes on where an earlier one of the same content stopped."""

    def __init__(self, begun: bytes = b"", keep: Keep | None = None) -> None:
        self._raw = io.BytesIO(begun)
        self._file = self._open()
        self._keep, self._due_at = keep, time.monotonic() + KEEP_SECONDS

    def _open(self) -> zipfile.ZipFile:
        return zipfile.ZipFile(self._raw, "a", zipfile.ZIP_DEFLATED)

    def begin(self, files: Mapping[str, bytes]) -> None:
        """The files with which it begins. If what was begun begins with others, it is begun anew."""
        known = self._file.namelist()
        if all(name in known and self._file.read(name) == content for name, content in files.items()):
            return
        self._raw = io.BytesIO()
        self._file = self._open()
        for name, content in files.items():
            self._write(name, content)

    def __contains__(self, name: str) -> bool:
        return name in self._file.NameToInfo

    def add(self, name: str, content: str | bytes) -> None:
        """One more file. Every few seconds what there is is kept."""
        self._write(name, content)
        now = time.monotonic()
        if self._keep is not None and now >= self._due_at:
            self._keep(self.end())
            self._file, after = self._open(), time.monotonic()
            self._due_at = after + max(KEEP_SECONDS, KEEP_SHARE * (after - now))

    def _write(self, name: str, content: str | bytes) -> None:
        """Without the moment: the same content is the same file, whenever it is packed, and is not sent again."""
        told = zipfile.ZipInfo(name)
        told.external_attr = 0o644 << 16
        self._file.writestr(told, content, zipfile.ZIP_DEFLATED)

    def end(self) -> bytes:
        """The ZIP."""
        self._file.close()
        return self._raw.getvalue()


def write_zip(book: Book, tell: Tell = say_nothing, packing: ZipWriter | None = None) -> bytes:
    """tournament.json, standings.csv, results.csv and a record of every game played on screens.

    tell: hears after each record how many of how many are in. packing: that goes on with what was begun.
    """
    recorded, packing = list_recorded(book), packing or ZipWriter()
    packing.begin(
        {
            TOURNAMENT_FILE: write_json(describe(book, recorded=recorded)),
            "standings.csv": to_file(write_standings(book)),
            "results.csv": to_file(write_results(book)),
        }
    )
    for done, (name, pod) in enumerate(_list_records(book, recorded), start=1):
        if name not in packing:
            packing.add(name, _record(pod))
            tell(done, len(recorded))
    return packing.end()


def _list_records(book: Book, recorded: frozenset[int]) -> Iterator[tuple[str, Pod]]:
    for played in public_rounds(book):
        for pod in book.pods.get(played.pk, ()):
            if pod.pk in recorded:
                yield record_name(played, pod), pod


def _record(pod: Pod) -> str:
    if pod.table_id is None:
        return replays.read_upload(pod.record)
    table = store.refresh(pod.table_id)
    require_finished(table)
    return to_text(game_record.export(table))
