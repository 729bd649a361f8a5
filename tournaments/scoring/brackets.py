"""The bracket of a knockout as a picture: stages from left to right, tables as boxes, lines to the next stage. Pure."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Row: TypeAlias = "tuple[int, BracketSeat, tuple[str, ...]]"
"""The y of its first line, who sits there, and the lines of the name."""

MAX_PEOPLE = 256
"""Seats of a stage that a picture on a page of the site shows. More would make it too long to read."""


@dataclass(frozen=True, slots=True)
class BracketLayout:
    """The lengths of a picture, all in its own unit.

    box_width, padding: of a table's box, the latter below its last name; gap_x, gap_y: between stages and between
    tables; line, head, top: the heights of a name, of a table's heading and of the stages' names; gutter: the width of
    the table's number beside the names, 0 if it stands above them; indent: from the edge of a box to its text;
    hang: from there to further lines of a name; head_baseline, baseline, top_baseline: from the upper edge of a line to
    the foot of its letters; letters: of one line of a name.
    """

    box_width: int
    padding: int
    gap_x: int
    gap_y: int
    line: int
    head: int
    top: int
    gutter: int
    indent: int
    hang: int
    head_baseline: int
    baseline: int
    top_baseline: int
    letters: int

    def head_of(self, table: BracketTable) -> int:
        """The height of the heading above a table's names; 0 if its number stands beside them."""
        return 0 if self.gutter and table.number is not None else self.head

    def wrap_name(self, name: str) -> tuple[str, ...]:
        """The lines of a name, parted between its words; a word is parted only if it is longer than a line."""
        return tuple(textwrap.wrap(name, self.letters)) or ("",)

    def height_of(self, tables: Sequence[BracketTable]) -> int:
        """The height of these tables above one another."""
        return sum(self._measure_table(table) for table in tables) + self.gap_y * (len(tables) - 1)

    def _measure_table(self, table: BracketTable) -> int:
        lines = sum(len(self.wrap_name(seat.name)) for seat in table.seats)
        return self.head_of(table) + self.line * lines + self.padding


ON_PAGE = BracketLayout(
    box_width=210,
    padding=4,
    gap_x=56,
    gap_y=14,
    line=22,
    head=26,
    top=34,
    gutter=0,
    indent=10,
    hang=14,
    head_baseline=18,
    baseline=15,
    top_baseline=20,
    letters=22,
)
"""Measures for a page and for paper, in pixels."""
ON_WALL = BracketLayout(
    box_width=560,
    padding=6,
    gap_x=60,
    gap_y=14,
    line=47,
    head=47,
    top=58,
    gutter=72,
    indent=4,
    hang=36,
    head_baseline=39,
    baseline=39,
    top_baseline=42,
    letters=17,
)
"""Measures for a wall of 1920 by 1080 pixels: letters at least 40 high, three stages side by side."""
ON_WALL_WIDE = replace(ON_WALL, box_width=820, gap_x=160, letters=29)
"""The same for one or two stages."""


@dataclass(frozen=True, slots=True)
class BracketSeat:
    """Somebody at a table. key: the same in every stage; place: empty without a result; advances: to the next stage."""

    key: str
    name: str
    place: str = ""
    advances: bool = False


@dataclass(frozen=True, slots=True)
class BracketTable:
    """A table of a stage. Those who have a bye are a table without a number."""

    number: int | None
    seats: tuple[BracketSeat, ...]


@dataclass(frozen=True, slots=True)
class BracketStage:
    """A stage with its name in words."""

    name: str
    tables: Sequence[BracketTable]


@dataclass(frozen=True, slots=True)
class BracketArea:
    """What a page has room for. columns: side by side; tallest: tables above one another, in the layout's unit.

    has_whole_words: names with a word longer than a line do not stand here.
    """

    layout: BracketLayout
    columns: int
    tallest: int
    has_whole_words: bool = False

    def fits(self, tables: Sequence[BracketTable]) -> bool:
        """Whether these tables can stand above one another."""
        if self.has_whole_words:
            words = (word for table in tables for seat in table.seats for word in seat.name.split())
            if any(len(word) > self.layout.letters for word in words):
                return False
        return self.layout.height_of(tables) <= self.tallest

    def split_tables(self, tables: Sequence[BracketTable]) -> list[Sequence[BracketTable]]:
        """As few columns as possible, as even as possible. A table too tall for one has a column of its own."""
        for count in range(1, len(tables)):
            columns = _split_evenly(tables, count)
            if all(self.fits(column) for column in columns):
                return columns
        return _split_evenly(tables, len(tables))

    def split_stage(self, stage: BracketStage) -> list[list[BracketStage]]:
        """Pages of its tables in columns; the stage's name stands above the first column of each."""
        count = -(-len(self.split_tables(stage.tables)) // self.columns)
        columns = _split_evenly(stage.tables, min(len(stage.tables), count * self.columns))
        pages = _split_evenly(columns, count)
        return [[BracketStage("" if at else stage.name, column) for at, column in enumerate(page)] for page in pages]

    def list_last(self, stages: Sequence[BracketStage]) -> list[BracketStage]:
        """The last stages, no more than there are columns: those after the last one that does not fit."""
        fitting: list[BracketStage] = []
        for stage in reversed(stages[-self.columns :]):
            if not self.fits(stage.tables):
                break
            fitting.insert(0, stage)
        return fitting


WALL = BracketArea(ON_WALL, columns=3, tallest=820, has_whole_words=True)
"""Below the head of the screen and the stages' names."""
WIDE_WALL = BracketArea(ON_WALL_WIDE, columns=2, tallest=820)
MAX_FIRST_PAGES = 2
"""Pages on the wall of a stage that has been followed by two others. With more, people would wait longer for theirs."""
PAPER = BracketArea(ON_PAGE, columns=3, tallest=940)
"""The area of an A4 or letter sheet; three columns are a little wider and are scaled down by a fourteenth."""


@dataclass(frozen=True, slots=True)
class BracketBox:
    """A table in the picture. x, y: its corner."""

    x: int
    y: int
    height: int
    number: int | None
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Bracket:
    """The picture. heads: (x, name of the stage); links: paths from somebody to their seat in the next stage."""

    layout: BracketLayout
    width: int
    height: int
    heads: tuple[tuple[int, str], ...]
    boxes: tuple[BracketBox, ...]
    links: tuple[str, ...]


def drop_large_stages(stages: Sequence[BracketStage]) -> Sequence[BracketStage]:
    """The stages with no more people than one picture can show, which are the last ones."""
    return [stage for stage in stages if sum(len(table.seats) for table in stage.tables) <= MAX_PEOPLE]


def arrange_bracket(stages: Sequence[BracketStage], layout: BracketLayout = ON_PAGE) -> Bracket | None:
    """The picture of these stages; None without one."""
    if not stages:
        return None
    heights = [layout.height_of(stage.tables) for stage in stages]
    tallest = max(heights)
    boxes: list[BracketBox] = []
    links: list[str] = []
    before: dict[str, tuple[int, int]] = {}
    for column, (stage, height) in enumerate(zip(stages, heights, strict=True)):
        x = column * (layout.box_width + layout.gap_x)
        free = (tallest - height) // (len(stage.tables) + 1)
        y, here = layout.top + free, {}
        for table in stage.tables:
            rows = _list_rows(table, y + layout.head_of(table), layout)
            box_height = layout.height_of([table])
            boxes.append(BracketBox(x, y, box_height, table.number, rows))
            for row, seat, lines in rows:
                here[seat.key] = (x, row + layout.line * len(lines) // 2)
                if seat.key in before:
                    links.append(_write_link(before[seat.key], here[seat.key], layout))
            y += box_height + layout.gap_y + free
        before = here
    width = len(stages) * (layout.box_width + layout.gap_x) - layout.gap_x
    heads = tuple((column * (layout.box_width + layout.gap_x), stage.name) for column, stage in enumerate(stages))
    return Bracket(layout, width, layout.top + tallest + layout.gap_y, heads, tuple(boxes), tuple(links))


def _list_rows(table: BracketTable, y: int, layout: BracketLayout) -> tuple[Row, ...]:
    rows: list[Row] = []
    for seat in table.seats:
        lines = layout.wrap_name(seat.name)
        rows.append((y, seat, lines))
        y += layout.line * len(lines)
    return tuple(rows)


def _write_link(start: tuple[int, int], end: tuple[int, int], layout: BracketLayout) -> str:
    x, y = start[0] + layout.box_width, start[1]
    middle = (x + end[0]) // 2
    return f"M{x} {y}C{middle} {y} {middle} {end[1]} {end[0]} {end[1]}"


def choose_wall_layout(columns: int) -> BracketLayout:
    """The layout of a page on the wall with so many columns."""
    return ON_WALL if columns > WIDE_WALL.columns else ON_WALL_WIDE


def split_for_wall(stages: Sequence[BracketStage]) -> list[list[BracketStage]]:
    """The pages of a bracket on the wall, of its last three stages at most. No column is too tall.

    These stand on one page, if they fit. If only long names or large tables prevent it, there are two or three pages:
    the first of them, in one or two parts, with the second beside it, and the second and third. Else the last two
    stand on one page. If only the last one fits, each page has some tables of the stage before beside it. If it does
    not fit either, its own tables stand in columns.
    """
    if not stages:
        return []
    latest = WALL.list_last(stages)
    if len(latest) == WALL.columns:
        return [latest]
    latest = list(stages[-WALL.columns :])
    last = WIDE_WALL.list_last(latest)
    if len(last) == WIDE_WALL.columns:
        return [*(_split_first(latest[0], latest[1]) if len(latest) == WALL.columns else ()), last]
    if not last:
        return min(WIDE_WALL.split_stage(latest[-1]), WALL.split_stage(latest[-1]), key=len)
    if len(latest) == 1:
        return [last]
    return [[BracketStage(latest[-2].name, column), *last] for column in WIDE_WALL.split_tables(latest[-2].tables)]


def _split_first(first: BracketStage, second: BracketStage) -> list[list[BracketStage]]:
    """Pages of a stage with the next one beside it; none if that takes more than MAX_FIRST_PAGES."""
    parts = WIDE_WALL.split_tables(first.tables)
    if len(parts) > MAX_FIRST_PAGES or not all(map(WIDE_WALL.fits, parts)):
        return []
    return [[BracketStage(first.name, part), second] for part in parts]


def split_for_paper(stages: Sequence[BracketStage]) -> list[list[BracketStage]]:
    """The pages of a whole bracket on paper, whose letters keep their size.

    From the last one back, stages that fit stand side by side, up to three. One too large has pages of its own.
    """
    pages: list[list[BracketStage]] = []
    left = list(stages)
    while left:
        last = PAPER.list_last(left)
        pages[:0] = [last] if last else PAPER.split_stage(left[-1])
        del left[-max(1, len(last)) :]
    return pages


def _split_evenly(items: Sequence[T], count: int) -> list[Sequence[T]]:
    return [items[len(items) * at // count : len(items) * (at + 1) // count] for at in range(count)]
