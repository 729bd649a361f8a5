"""The bracket of a knockout as a picture: stages from left to right, tables as boxes, lines to the next stage. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

T = TypeVar("T")

MAX_PEOPLE = 256
"""Seats of a first stage that a picture shows. More would make it too long to read."""


@dataclass(frozen=True, slots=True)
class BracketLayout:
    """The lengths of a picture, all in its own unit.

    box_width, padding: of a table's box, the latter below its last name; gap_x, gap_y: between stages and between
    tables; line, head, top: the heights of a name, of a table's heading and of the stages' names; gutter: the width of
    the table's number beside the names, 0 if it stands above them; indent: from the edge of a box to its text;
    head_baseline, baseline, top_baseline: from the upper edge of a line to the foot of its letters; letters: of a name,
    before it is cut.
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
    head_baseline: int
    baseline: int
    top_baseline: int
    letters: int

    def head_of(self, table: BracketTable) -> int:
        """The height of the heading above a table's names; 0 if its number stands beside them."""
        return 0 if self.gutter and table.number is not None else self.head

    def height_of(self, tables: Sequence[BracketTable]) -> int:
        """The height of these tables above one another."""
        boxes = (self.head_of(table) + self.line * len(table.seats) + self.padding for table in tables)
        return sum(boxes) + self.gap_y * (len(tables) - 1)


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
    head_baseline=18,
    baseline=15,
    top_baseline=20,
    letters=22,
)
"""In pixels, for a page and for paper."""
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
    head_baseline=39,
    baseline=39,
    top_baseline=42,
    letters=17,
)
"""In pixels of a screen of 1920 by 1080, on which its letters are at least 40 high: three stages side by side."""
ON_WALL_WIDE = replace(ON_WALL, box_width=820, gap_x=160, letters=29)
"""The same for one or two stages."""
MAX_COLUMNS = 3
"""Stages that stand side by side on the wall."""
TALLEST_COLUMN = 820
"""Tables above one another on the wall, in its pixels: below the head of the screen and the stages' names."""


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
class BracketBox:
    """A table in the picture. x, y: its corner; rows: (y of the line, seat)."""

    x: int
    y: int
    height: int
    number: int | None
    rows: tuple[tuple[int, BracketSeat], ...]


@dataclass(frozen=True, slots=True)
class Bracket:
    """The picture. heads: (x, name of the stage); links: paths from somebody to their seat in the next stage."""

    layout: BracketLayout
    width: int
    height: int
    heads: tuple[tuple[int, str], ...]
    boxes: tuple[BracketBox, ...]
    links: tuple[str, ...]


def arrange_bracket(stages: Sequence[BracketStage], layout: BracketLayout = ON_PAGE) -> Bracket | None:
    """The picture of these stages; None without one, or with more people than it can show."""
    if not stages or sum(len(table.seats) for table in stages[0].tables) > MAX_PEOPLE:
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
            first = y + layout.head_of(table)
            rows = tuple((first + layout.line * at, seat) for at, seat in enumerate(table.seats))
            box_height = layout.height_of([table])
            boxes.append(BracketBox(x, y, box_height, table.number, rows))
            for row, seat in rows:
                here[seat.key] = (x, row + layout.line // 2)
                if seat.key in before:
                    links.append(_link(before[seat.key], here[seat.key], layout))
            y += box_height + layout.gap_y + free
        before = here
    width = len(stages) * (layout.box_width + layout.gap_x) - layout.gap_x
    heads = tuple((column * (layout.box_width + layout.gap_x), stage.name) for column, stage in enumerate(stages))
    return Bracket(layout, width, layout.top + tallest + layout.gap_y, heads, tuple(boxes), tuple(links))


def _link(start: tuple[int, int], end: tuple[int, int], layout: BracketLayout) -> str:
    x, y = start[0] + layout.box_width, start[1]
    middle = (x + end[0]) // 2
    return f"M{x} {y}C{middle} {y} {middle} {end[1]} {end[0]} {end[1]}"


def fits_wall(tables: Sequence[BracketTable]) -> bool:
    """Whether these tables can stand above one another on the wall with letters that are read from ten metres."""
    return ON_WALL.height_of(tables) <= TALLEST_COLUMN


def split_for_wall(stages: Sequence[BracketStage]) -> list[list[BracketStage]]:
    """The pages of a bracket on the wall. Each has up to `MAX_COLUMNS` columns, none of them too tall.

    The last stages stand on one page, if two of them fit. If only the last one fits, each page has some tables of the
    stage before beside it. If it does not fit either, its own tables stand in columns.
    """
    if not stages:
        return []
    fitting: list[BracketStage] = []
    for stage in reversed(stages[-MAX_COLUMNS:]):
        if not fits_wall(stage.tables):
            break
        fitting.insert(0, stage)
    if len(fitting) == 1 < len(stages):
        return [[BracketStage(stages[-2].name, column), *fitting] for column in _split_tables(stages[-2].tables)]
    if fitting:
        return [fitting]
    columns = _split_tables(stages[-1].tables)
    pages = _split_evenly(columns, -(-len(columns) // MAX_COLUMNS))
    return [[BracketStage("" if at else stages[-1].name, column) for at, column in enumerate(page)] for page in pages]


def _split_tables(tables: Sequence[BracketTable]) -> list[Sequence[BracketTable]]:
    """As few columns for the wall as possible, as even as possible. A table too tall for it has a column of its own."""
    for count in range(1, len(tables)):
        columns = _split_evenly(tables, count)
        if all(fits_wall(column) for column in columns):
            return columns
    return _split_evenly(tables, len(tables))


def _split_evenly(items: Sequence[T], count: int) -> list[Sequence[T]]:
    return [items[len(items) * at // count : len(items) * (at + 1) // count] for at in range(count)]
