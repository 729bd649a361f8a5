"""Records that somebody has tampered with get a verdict, never an error of ours."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.records.explicit import write_explicit
from games.records.faults import Fault
from games.records.format import parse_record
from games.records.replay import verify

from .making import EXAMPLES, encode

DOCUMENTS = [json.loads(path.read_text(encoding="utf-8")) for path in EXAMPLES]
SCALARS: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, False, 0, 1, -1, 4, 13, 14, 1.5, 10**99, -(10**98), "", "7", "J", "F", "0", "Ω\n", [], {}, [[]], [{}]]
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "play", "0"]), inner, max_size=2),
)


def paths(value: Any, *path: Any) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, part in inner for found in paths(part, *path, key))]


PLACES = [(number, path) for number, document in enumerate(DOCUMENTS) for path in paths(document) if path]


def tamper(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    changed = copy.deepcopy(document)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return changed


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(st.sampled_from(PLACES), VALUES, st.booleans())
def test_any_value_anywhere(place: tuple[int, tuple[Any, ...]], value: Any, seeded: bool) -> None:
    number, path = place
    changed = tamper(DOCUMENTS[number], path, value)
    raw = encode({**changed, "seed": "5a" * 32} if seeded else changed)
    fault = verify(raw).fault
    if fault is not None:
        assert str(fault)
        return
    try:
        written = write_explicit(parse_record(raw))
    except Fault:
        raise AssertionError("a record that holds cannot be written out") from None
    assert verify(encode(written)).fault is None
    assert "seed" not in written
