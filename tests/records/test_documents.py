"""The program follows the limits and layout of docs/record-format.md."""

from __future__ import annotations

import re
from pathlib import Path

from games.records import document, events, simulate
from games.records import format as record_format

TEXT = (Path(__file__).parents[2] / "docs" / "record-format.md").read_text(encoding="utf-8")


def limits() -> dict[str, int]:
    rows = re.findall(r"^\| ([^|]+) \| ([\d,]+)[^|]*\|$", TEXT, re.MULTILINE)
    return {name: int(figure.replace(",", "")) for name, figure in rows}


def test_limits_are_as_documented() -> None:
    assert limits() == {
        "file": document.MAX_BYTES,
        "events": record_format.MAX_EVENTS,
        "players": record_format.MAX_PLAYERS,
        "nesting": document.MAX_DEPTH,
        "a string": document.MAX_TEXT,
        "a whole number": document.MAX_DIGITS,
        "a name, a game's name": record_format.MAX_NAME,
        "the name of a clock event": events.MAX_WORD,
        "the table's id": record_format.MAX_TABLE,
        "one entry of `entropy`": record_format.MAX_ENTROPY,
    }


def test_the_simulated_clock_is_as_documented() -> None:
    assert f"every move takes {simulate.MOVE_SECONDS} seconds" in TEXT
    assert f"{simulate.MAX_STEPS:,} steps" in TEXT
    assert f"is {30 * 60 // simulate.MOVE_SECONDS} moves" in TEXT
