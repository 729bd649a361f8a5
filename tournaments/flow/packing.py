"""A whole tournament as one ZIP, with the records of its games."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator
from typing import TypeAlias

from games.play import records, replays, store
from games.play.permissions import require_finished
from games.records.write import to_text
from tournaments.flow.archive import TOURNAMENT_FILE, describe, list_recorded, public_rounds, record_name, write_json
from tournaments.flow.book import Book
from tournaments.flow.sheets import to_file, write_results, write_standings
from tournaments.models import Pod

Tell: TypeAlias = Callable[[int, int], None]
"""Hears that so many of so many are done."""


def say_nothing(_done: int, _of: int) -> None:
    """To nobody."""


def write_zip(book: Book, tell: Tell = say_nothing) -> bytes:
    """tournament.json, standings.csv, results.csv and a record of every game played on screens.

    tell: hears after each record how many of how many are in.
    """
    recorded = list_recorded(book)
    store_in = io.BytesIO()
    with zipfile.ZipFile(store_in, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(TOURNAMENT_FILE, write_json(describe(book, recorded=recorded)))
        file.writestr("standings.csv", to_file(write_standings(book)))
        file.writestr("results.csv", to_file(write_results(book)))
        for done, (name, text) in enumerate(_records(book, recorded), start=1):
            file.writestr(name, text)
            tell(done, len(recorded))
    return store_in.getvalue()


def _records(book: Book, recorded: frozenset[int]) -> Iterator[tuple[str, str]]:
    for played in public_rounds(book):
        for pod in book.pods.get(played.pk, ()):
            if pod.pk in recorded:
                yield record_name(played, pod), _record(pod)


def _record(pod: Pod) -> str:
    if pod.table_id is None:
        return replays.read_upload(pod.record)
    table = store.fetch(pod.table_id)
    require_finished(table)
    return to_text(records.export(table))
