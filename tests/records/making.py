"""Records for tests: literal documents and their verdicts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from games.records.replay import verify

from .toy import find_toy

EXAMPLES = sorted((Path(__file__).parent / "examples").glob("*.json"))
TAKE = {"take": True}
ROLL = {"roll": 1}
TWICE = {"roll": 2}


def toy_record(*events: Any, **keys: Any) -> dict[str, Any]:
    """A record of the toy game: three seats, a pile of 5 and 9. A key of value ... is left out."""
    document = {
        "format": "menagerie-record/1",
        "game": "toy",
        "rules": 3,
        "options": {},
        "players": [{"name": "Ana"}, {"name": "Ben"}, {"name": "Cyd"}],
        "setup": {"pile": [5, 9]},
        "events": list(events),
    }
    return {key: value for key, value in {**document, **keys}.items() if value is not ...}


def encode(document: Any) -> bytes:
    """The bytes of a file."""
    return json.dumps(document).encode()


def find_fault(document: Any) -> str | None:
    """What verify_record would say is wrong with a toy record; None if it holds."""
    raw = document if isinstance(document, bytes) else encode(document)
    fault = verify(raw, find=find_toy).fault
    return None if fault is None else str(fault)
