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
from tournaments.flow.archive.csv_export import to_file, write_results, write_standings, write_team_standings
from tournaments.flow.archive.tournament_document import (
    TOURNAMENT_FILE,
    describe,
    list_recorded,
    public_rounds,
    record_name,
    write_json,
)
from tournaments.flow.standings.book import Book
from tournaments.flow.standings.team_ranking import has_teams
from tournaments.models import Pod

ReportProgress: TypeAlias = Callable[[int, int], None]
"""Called with how many games are done, of how many."""


def ignore_progress(_done: int, _total: int) -> None:
    """For callers that show no progress."""


Keep: TypeAlias = Callable[[bytes], None]
"""Stores an unfinished ZIP, so that it can be continued after an interruption."""
KEEP_SECONDS = 5.0
"""How often an unfinished ZIP is stored, if that is quick: so much work an interruption costs."""
KEEP_SHARE = 20
"""Pause between two stored ZIPs, at least, as a multiple of the time that storing one takes."""


class ZipWriter:
    """A ZIP to which files are added. unfinished: an earlier one of the same content, which it continues."""

    def __init__(self, unfinished: bytes = b"", keep: Keep | None = None) -> None:
        self._raw = io.BytesIO(unfinished)
        self._file = self._open()
        self._keep, self._due_at = keep, time.monotonic() + KEEP_SECONDS

    def _open(self) -> zipfile.ZipFile:
        return zipfile.ZipFile(self._raw, "a", zipfile.ZIP_DEFLATED)

    def begin(self, files: Mapping[str, bytes]) -> None:
        """Add its first files. If the unfinished ZIP begins with others, it is dropped."""
        names = self._file.namelist()
        if all(name in names and self._file.read(name) == content for name, content in files.items()):
            return
        self._raw = io.BytesIO()
        self._file = self._open()
        for name, content in files.items():
            self._write(name, content)

    def __contains__(self, name: str) -> bool:
        return name in self._file.NameToInfo

    def add(self, name: str, content: str | bytes) -> None:
        """Add a file. Every few seconds the unfinished ZIP is stored."""
        self._write(name, content)
        now = time.monotonic()
        if self._keep is not None and now >= self._due_at:
            self._keep(self.end())
            self._file, after = self._open(), time.monotonic()
            self._due_at = after + max(KEEP_SECONDS, KEEP_SHARE * (after - now))

    def _write(self, name: str, content: str | bytes) -> None:
        """Without the time: the same content gives the same ZIP whenever it is made, and is not sent again."""
        info = zipfile.ZipInfo(name)
        info.external_attr = 0o644 << 16
        self._file.writestr(info, content, zipfile.ZIP_DEFLATED)

    def end(self) -> bytes:
        """The ZIP."""
        self._file.close()
        return self._raw.getvalue()


def write_zip(book: Book, report: ReportProgress = ignore_progress, unfinished: ZipWriter | None = None) -> bytes:
    """tournament.json, standings.csv, results.csv and a record of every game played on screens.

    Where there are teams, teams.csv, too. report: called after each record; unfinished: the ZIP to be continued.
    """
    recorded, writer = list_recorded(book), unfinished or ZipWriter()
    writer.begin(
        {
            TOURNAMENT_FILE: write_json(describe(book, recorded=recorded)),
            "standings.csv": to_file(write_standings(book)),
            "results.csv": to_file(write_results(book)),
            **({"teams.csv": to_file(write_team_standings(book))} if has_teams(book) else {}),
        }
    )
    for done, (name, pod) in enumerate(_list_records(book, recorded), start=1):
        if name not in writer:
            writer.add(name, _record(pod))
            report(done, len(recorded))
    return writer.end()


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
