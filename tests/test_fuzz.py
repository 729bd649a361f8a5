"""What comes from outside is read into closed types: any bytes, any JSON, any spoilt document is taken or refused
with a sentence, and nothing else ever happens."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.live import messages
from games.play.errors import BadInput
from games.records.faults import Fault
from games.records.replay import verify
from tournaments.draw import DrawError, parse
from tournaments.flow.archive import zip_import
from tournaments.flow.entry import imports

EXAMPLES = sorted((Path(__file__).parent / "records" / "examples").glob("*.json"))
FEW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
MANY = settings(max_examples=300, deadline=None)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
FRAMES: tuple[dict[str, Any], ...] = (
    {"type": "move", "ply": 3, "key": "k", "move": {"play": ["7", "7"]}},
    {"type": "command", "name": "here", "on": True},
    {"type": "ping", "version": 3},
)
PROBLEM: dict[str, Any] = {
    "format": "menagerie-draw/1", "wanted": 4, "min": 3, "max": 5, "seed": "s", "time_limit": 1,
    "entrants": [{"id": name, "score": 840} for name in "abcdefgh"],
    "history": [{"pods": [["a", "b", "c", "d"]], "byes": ["e"]}], "absent": ["h"], "forbidden": [["a", "b"]],
    "locked": [["c", "d"]],
}  # fmt: skip
ARCHIVE: dict[str, Any] = {
    "format": "menagerie-tournament/1", "club": "C", "lot_seed": "00",
    "agreement": {"name": "T1", "game": "karriere-poker"},
    "entrants": [{"number": number, "name": f"P{number}"} for number in range(1, 5)],
    "rounds": [{"number": 1, "stage": "swiss", "pods": [
        {"number": 1, "seats": [{"entrant": number} for number in range(1, 5)], "places": [1, 2, 3, 4]}]}],
}  # fmt: skip


def paths(value: Any, so_far: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every place in a document."""
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [so_far, *(path for step, inner in steps for path in paths(inner, (*so_far, step)))]


def spoil(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    """The document with another value at this place."""
    if not path:
        return value
    spoilt = deepcopy(document)
    at = spoilt
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    return spoilt


def to_bytes(value: Any) -> bytes:
    """As JSON, with NaN and lone surrogates as they come."""
    return json.dumps(value).encode()


@pytest.mark.slow
@MANY
@given(data=st.data())
def test_frames(data: st.DataObject) -> None:
    frame = data.draw(st.sampled_from(FRAMES))
    spoilt = json.dumps(spoil(frame, data.draw(st.sampled_from(paths(frame))), data.draw(JSON)))
    text = data.draw(st.just(spoilt) | st.text(max_size=40))
    try:
        message = messages.read(text)
    except ValueError:
        return
    assert json.loads(text)["type"] == type(message).__struct_config__.tag


@FEW
@given(data=st.data())
def test_records(data: st.DataObject) -> None:
    document = json.loads(data.draw(st.sampled_from(EXAMPLES)).read_text(encoding="utf-8"))
    path = data.draw(st.sampled_from(paths(document)))
    raw = data.draw(st.just(to_bytes(spoil(document, path, data.draw(JSON)))) | st.binary(max_size=60))
    sentence = "it holds"
    try:
        verify(raw)
    except Fault as fault:
        sentence = fault.sentence
    assert sentence


@pytest.mark.slow
@MANY
@given(path=st.sampled_from(paths(PROBLEM)), value=JSON, noise=st.binary(max_size=40), is_noise=st.booleans())
def test_draws(path: tuple[Any, ...], value: Any, noise: bytes, is_noise: bool) -> None:
    sentence = "it can be drawn"
    try:
        parse(noise if is_noise else to_bytes(spoil(PROBLEM, path, value)))
    except DrawError as error:
        sentence = str(error)
    assert sentence


@pytest.mark.slow
@MANY
@given(path=st.sampled_from(paths(ARCHIVE)), value=JSON, noise=st.binary(max_size=40), is_noise=st.booleans())
def test_archives(path: tuple[Any, ...], value: Any, noise: bytes, is_noise: bool) -> None:
    sentence = "it holds"
    try:
        zip_import.open_archive(noise if is_noise else to_bytes(spoil(ARCHIVE, path, value)))
    except BadInput as error:
        sentence = error.template % error.values
    assert sentence


@MANY
@given(text=st.text(max_size=80) | st.text("name,club;seed\tbot\n\"'=1é", max_size=80))
def test_lists_of_entrants(text: str) -> None:
    try:
        faults = [line.fault for line in imports.preview(f"name,seed\n{text}", levels=("steady",)).lines]
    except BadInput as error:
        faults = [error]
    assert all(fault is None or fault.template % fault.values for fault in faults)
