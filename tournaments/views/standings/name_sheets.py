"""How many names stand on a sheet of the hall display, so that their letters can be read from ten metres."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final, NamedTuple


class NameColumns(NamedTuple):
    """An arrangement of a sheet. letters: of one line of a name, with letters of 40 of 1080 pixels."""

    columns: int
    letters: int


ROWS: Final = 14
"""Lines below one another in a column with letters of that size."""
NAMES_WITH_TABLES: Final = NameColumns(4, 14), NameColumns(3, 21), NameColumns(2, 36)
"""Beside each name the number of a table."""
NAMES_ALONE: Final = NameColumns(4, 18), NameColumns(3, 25), NameColumns(2, 39)


def split_names(names: Sequence[str], arrangements: Sequence[NameColumns], *, least: int = 1) -> list[tuple[int, int]]:
    """As few sheets as the best arrangement needs, as even as possible: the first name and the end of each.

    A name too long for a line takes several. least: of sheets, if there are so many names.
    """
    return min((_fill(names, arrangement, least) for arrangement in arrangements), key=len)


def _fill(names: Sequence[str], arrangement: NameColumns, least: int) -> list[tuple[int, int]]:
    lines = [max(1, len(textwrap.wrap(name, arrangement.letters))) for name in names]
    count = max(-(-sum(lines) // (arrangement.columns * ROWS)), min(least, len(names)))
    sheets: list[tuple[int, int]] = []
    begin = done = 0
    for at, height in enumerate(lines, start=1):
        done += height
        if done * count >= sum(lines) * (len(sheets) + 1):
            sheets.append((begin, at))
            begin = at
    return sheets
