"""Bytes → one sound JSON object, or a sentence."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.records.document import MAX_BYTES, read_document, read_object
from games.records.faults import Fault


def fault_of(raw: bytes | str) -> str:
    with pytest.raises(Fault) as caught:
        read_document(raw if isinstance(raw, bytes) else raw.encode())
    return str(caught.value)


def test_sound_document() -> None:
    assert read_document('{"a": [1, -2.5, true, null, "żubr 🦬"]}'.encode()) == {"a": [1, -2.5, True, None, "żubr 🦬"]}


def test_byte_order_mark_is_ignored() -> None:
    assert read_document(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}


def test_surrogate_pair_is_one_character() -> None:
    assert read_document(b'{"a": "\\ud83e\\uddac"}') == {"a": "🦬"}


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (b"", "the file is not valid JSON at line 1, column 1"),
        (b'{"a": 1', "the file is not valid JSON at line 1, column 8"),
        (b'{"a": 1}\n{"b": 2}', "the file is not valid JSON at line 2, column 1"),
        (b"\x00\xff", "the file is not valid UTF-8 at byte 1"),
        ('{"a": 1}'.encode("utf-16"), "the file is not valid UTF-8 at byte 0"),
        (b"[]", "expected one JSON object, but found a list"),
        (b"null", "expected one JSON object, but found null"),
        (b"true", "expected one JSON object, but found true or false"),
        (b"7", "expected one JSON object, but found a number"),
        (b"1.5", "expected one JSON object, but found a number"),
        (b'"x"', "expected one JSON object, but found a string"),
        (b'{"a": 1, "a": 1}', "the key “a” appears twice in one object"),
        (b'{"setup": {"a": 1, "b": 2, "a": 1}}', "setup: the key “a” appears twice in one object"),
        (b'{"a": NaN}', "a: NaN is not valid JSON"),
        (b'{"a": -Infinity}', "a: -Infinity is not valid JSON"),
        (b'{"a": 1e999}', "a: the number 1e999 is too large"),
        (b'{"a": "\\ud800x"}', "a: a string contains half a character (a lone surrogate)"),
        (b'{"\\udfff": 1}', "?: a string contains half a character (a lone surrogate)"),
        (b'{"a": ' + b"9" * 101 + b"}", "a: a number has more than 100 digits"),
        (b'{"a": "' + b"x" * 10_001 + b'"}', "a: a string is longer than 10000 characters"),
        (b'{"a": ' + b"[" * 24 + b"]" * 24 + b"}", "a: nested more than 24 levels deep"),
        (b"[" * 200_000, "nested more than 24 levels deep"),
        (b'{"events": [{}, {"clock": Infinity}]}', "event 1: Infinity is not valid JSON"),
        (b'{"events": [{"t": 1, "t": 2}]}', "event 0: the key “t” appears twice in one object"),
        (
            b'{"events": [[], {"expect": {"a": ["\\udc00"]}}]}',
            "event 1: a string contains half a character (a lone surrogate)",
        ),
        (b" " * (MAX_BYTES + 1), "the file is larger than 4194304 bytes, the limit for a record"),
    ],
)
def test_unsound_document(raw: bytes, sentence: str) -> None:
    assert fault_of(raw) == sentence


def test_limits_themselves_are_allowed() -> None:
    assert read_document(b'{"a": ' + b"9" * 100 + b"}") == {"a": 10**100 - 1}
    assert read_document(b'{"a": "' + b"x" * 10_000 + b'"}') == {"a": "x" * 10_000}
    assert read_document(b'{"a": ' + b"[" * 22 + b"]" * 22 + b"}")["a"]


def test_object_in_a_text() -> None:
    assert read_object('{"deals": 5}') == {"deals": 5}
    with pytest.raises(Fault, match="but found a list"):
        read_object("[5]")
    with pytest.raises(Fault, match="not valid UTF-8"):
        read_object('{"\udc80": 5}')


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@given(st.binary())
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    with suppress(Fault):
        assert isinstance(read_document(raw), dict)


@given(JSON)
def test_any_json_is_read_as_it_is_or_refused(value: Any) -> None:
    with suppress(Fault):
        assert read_document(json.dumps(value).encode()) == value
