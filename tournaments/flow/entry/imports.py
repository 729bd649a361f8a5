"""Parses a list of entrants from CSV text, and names all errors before anything is written."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from unicodedata import combining, normalize

from games.models.spelling import collapse_spaces, fold
from games.play.errors import BadInput
from tournaments.flow.entry.entrant_names import clean_name

COLUMNS = ("name", "club", "seed", "bot", "where", "team")
ALIASES = {
    "imię": "name", "imię i nazwisko": "name", "nazwa": "name", "gracz": "name", "spieler": "name", "player": "name",
    "klub": "club", "verein": "club", "rozstawienie": "seed", "setzplatz": "seed", "wo": "where", "gdzie": "where",
    "mannschaft": "team", "drużyna": "team",
}  # fmt: skip
"""The columns as spreadsheets in German and Polish call them."""
PLACES = {
    "device": True, "room": False, "gerät": True, "raum": False, "urządzenie": True, "sala": False,
}  # fmt: skip
"""What stands in the column `where`: whether this person plays on a device."""
SEPARATORS = ",;\t"
DECLARED = re.compile(r"\s*\"?sep=(?P<separator>[,;\t])\"?[ ,;\t]*(\r\n|\r|\n)")
"""A first line by which some spreadsheets say what separates."""
UNSEEN = "\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
"""Marks of direction and of no width, which cells bring along and nobody sees."""
MAX_LINES = 1000
MAX_CHARACTERS = 200_000
MAX_NAMED = 6
"""Names in a sentence of doubt."""
STROKES = str.maketrans("łđøßı", "ldosi")
"""Letters with strokes, which no standard takes apart."""


@dataclass(frozen=True, slots=True)
class ImportedLine:
    """A line as it was understood. number: in the file, the header's is 1; fault: what is wrong with it."""

    number: int
    name: str
    club: str = ""
    seed: int | None = None
    bot: str = ""
    is_on_device: bool = False
    team: str = ""
    fault: BadInput | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """All lines in order; those who are in the tournament already are counted, and left as they are.

    is_bare: nothing but names, and no line above them that says so; doubts: what can be imported and is perhaps a slip.
    """

    lines: tuple[ImportedLine, ...]
    known: int
    is_bare: bool = False
    doubts: tuple[BadInput, ...] = ()

    @property
    def good(self) -> tuple[ImportedLine, ...]:
        """Lines that can be imported."""
        return tuple(line for line in self.lines if line.fault is None)

    @property
    def bad(self) -> tuple[ImportedLine, ...]:
        """Lines that cannot, each with its fault."""
        return tuple(line for line in self.lines if line.fault is not None)


def preview(
    text: str, *, present: Collection[str] = (), levels: Collection[str] = (), has_teams: bool = True
) -> Preview:
    """What an import would do. present: names in the tournament; levels: known bots, none where no bot can play;
    has_teams: whether the tournament has any; else the column is passed over.

    The first line names the columns: name, and if wanted club, seed (a number, 1 = strongest), bot (its level), where
    (device or room, which is the default) and team. Commas, semicolons and tabs separate. A list with nothing but a
    name in each line needs no first line.
    Raises BadInput for a file that cannot be read as a whole.
    """
    if len(text) > MAX_CHARACTERS:
        raise BadInput("This file is too long. An import can have at most %(most)s lines.", most=MAX_LINES)
    rows = _read_rows(text.lstrip("\ufeff"))
    if not rows:
        raise BadInput("This file is empty. Its first line names the columns: name, club, seed, bot, where, team.")
    is_bare = all(len(_trim_cells(cells, 1)) == 1 for _, cells in rows) and _name_column(rows[0][1][0]) not in COLUMNS
    columns = ["name"] if is_bare else _read_columns(rows[0][1])
    rows = [(number, _trim_cells(cells, len(columns))) for number, cells in (rows if is_bare else rows[1:])]
    if len(rows) > MAX_LINES:
        raise BadInput(
            "Too many lines: %(count)s. An import can have at most %(most)s.", count=len(rows), most=MAX_LINES
        )
    seen: dict[str, int] = {}
    lines = tuple(_read_line(number, cells, columns, seen, levels) for number, cells in rows)
    present_names = {fold(name) for name in present}
    count = sum(line.fault is None and fold(line.name) in present_names for line in lines)
    unused = (
        ()
        if has_teams or "team" not in columns
        else (BadInput("This tournament has no teams, so the column “team” is ignored."),)
    )
    return Preview(lines, count, is_bare, (*unused, *_list_alike(lines, present), *_list_shared(lines)))


def _list_alike(lines: Collection[ImportedLine], present: Collection[str]) -> Iterator[BadInput]:
    """Names that differ only in accents, or in ß: "Jose" and "José"."""
    seen: dict[str, dict[str, str]] = {}
    for name in (*sorted(present, key=str.casefold), *(line.name for line in lines if line.fault is None)):
        seen.setdefault(_strip(name), {}).setdefault(fold(name), name)
    for alike in seen.values():
        if len(alike) > 1:
            yield BadInput("%(names)s: is this the same person?", names=", ".join(sorted(alike.values())[:MAX_NAMED]))


def _strip(name: str) -> str:
    plain = "".join(sign for sign in normalize("NFKD", name.casefold()) if not combining(sign))
    return plain.translate(STROKES)


def _list_shared(lines: Collection[ImportedLine]) -> Iterator[BadInput]:
    """Seeds that several have."""
    seeds: dict[int, list[str]] = {}
    for line in lines:
        if line.fault is None and line.seed is not None:
            seeds.setdefault(line.seed, []).append(line.name)
    for seed, names in sorted(seeds.items()):
        if len(names) > 1:
            listed = ", ".join(names[:MAX_NAMED])
            yield BadInput(
                "Several people have seed %(seed)s: %(names)s. A lot decides between them.", seed=seed, names=listed
            )


def _read_rows(text: str) -> list[tuple[int, list[str]]]:
    """The lines with something in them, each with its number in the file."""
    declared = DECLARED.match(text)
    text, number = (text[declared.end() :], 2) if declared else (text, 1)
    before = number - 1
    first = next((line for line in re.split(r"[\r\n]", text) if line.strip()), "")
    separator = declared["separator"] if declared else max(SEPARATORS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows = []
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                rows.append((number, row))
            number = before + reader.line_num + 1
    except csv.Error as error:
        raise BadInput("Line %(line)s has a missing or extra quotation mark.", line=number) from error
    return rows


def _name_column(cell: str) -> str:
    column = cell.strip().casefold()
    return ALIASES.get(column, column)


def _trim_cells(cells: list[str], least: int) -> list[str]:
    """Without the empty cells at the end that spreadsheets leave behind."""
    while len(cells) > least and not cells[-1].strip():
        cells = cells[:-1]
    return cells


def _read_columns(cells: list[str]) -> list[str]:
    cells = _trim_cells(cells, 0)
    columns = [_name_column(cell) for cell in cells]
    unknown = [cell.strip()[:40] for cell, column in zip(cells, columns, strict=True) if column not in COLUMNS]
    if unknown and len(unknown) == len(cells):
        raise BadInput(
            "The first line must name the columns. Add it above the list, with names from these: "
            "%(known)s. Put names that contain a comma in quotation marks.",
            known=", ".join(COLUMNS),
        )
    if unknown:
        raise BadInput(
            "Unknown columns: %(unknown)s. In the first line, use only these column names: %(known)s.",
            unknown=", ".join(unknown),
            known=", ".join(COLUMNS),
        )
    if "name" not in columns or len(set(columns)) != len(columns):
        raise BadInput("Name each column once in the first line. One of them must be “name”.")
    return columns


def _read_line(
    number: int, cells: list[str], columns: list[str], seen: dict[str, int], levels: Collection[str]
) -> ImportedLine:
    values = dict(zip(columns, map(_clean, cells), strict=False))
    name, club, seed, bot, where, team = (values.get(column, "") for column in COLUMNS)
    fault = _find_fault(name, club, seed, bot, levels, extra=len(cells) > len(columns))
    if fault is None and team:
        fault = _find_team_fault(team)
    if fault is None and where and where.casefold() not in PLACES:
        fault = BadInput("“%(where)s” is not a place to play. Use “device” or “room”", where=where[:20])
    if fault is None and fold(name) in seen:
        fault = BadInput("“%(name)s” is already in line %(line)s", name=name, line=seen[fold(name)])
    if fault is None:
        seen[fold(name)] = number
    place = int(seed) if seed.isdecimal() and len(seed) < 6 else None
    is_on_device = PLACES.get(where.casefold(), False)
    return ImportedLine(number, name[:40], club[:40], place, bot[:16], is_on_device, team[:40], fault)


def _find_team_fault(team: str) -> BadInput | None:
    try:
        clean_name(team)
    except BadInput as error:
        return error
    return None


def _clean(cell: str) -> str:
    return collapse_spaces(cell.strip(UNSEEN)).strip(UNSEEN)


def _find_fault(name: str, club: str, seed: str, bot: str, levels: Collection[str], *, extra: bool) -> BadInput | None:
    if extra:
        return BadInput("more cells than columns")
    if not name:
        return BadInput("the name is missing")
    try:
        clean_name(name)
    except BadInput as error:
        return error
    if len(club) > 40:
        return BadInput("the club name is longer than 40 characters")
    if seed and (not seed.isdecimal() or len(seed) > 5 or int(seed) < 1):
        return BadInput("“%(seed)s” is not a seed. Use a whole number from 1 (the strongest)", seed=seed[:20])
    if bot and not levels:
        return BadInput("bots play at online tables only, and this tournament is played at real tables")
    if bot and bot not in levels:
        return BadInput("there is no bot level “%(level)s”", level=bot[:20])
    return None
