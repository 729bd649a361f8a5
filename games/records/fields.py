"""Reads single fields of an untrusted object. Each function raises Fault with a sentence that names the key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from games.records.document import A_LIST, A_STRING, A_WHOLE_NUMBER, AN_OBJECT, name_json_kind
from games.records.faults import Fault
from games.rules.phrases import Phrase
from games.rules.reading import is_whole

_HEX: Final = re.compile(r"[0-9a-fA-F]{64}")


def read_text(source: Mapping[str, Any], key: str, most: int, *, event: int | None = None) -> str:
    """A string of at most `most` characters."""
    value = _require(source, key, event)
    if not isinstance(value, str):
        raise _field_error(key, A_STRING, value, event)
    if len(value) > most:
        raise Fault("“%(key)s” is longer than %(most)d characters", {"key": key, "most": most}, event=event)
    return value


def read_integer(source: Mapping[str, Any], key: str, *, event: int | None = None) -> int:
    """A whole number; true and false are none."""
    value = _require(source, key, event)
    if not is_whole(value):
        raise _field_error(key, A_WHOLE_NUMBER, value, event)
    return value


def read_list(source: Mapping[str, Any], key: str, most: int) -> list[Any]:
    """A list of at most `most` entries."""
    value = _require(source, key, None)
    if not isinstance(value, list):
        raise _field_error(key, A_LIST, value, None)
    if len(value) > most:
        raise Fault("“%(key)s” has more than %(most)d entries", {"key": key, "most": most})
    return value


def read_object_at(source: Mapping[str, Any], key: str, *, event: int | None = None) -> dict[str, Any]:
    """An object; {} where the key is absent."""
    value = source.get(key, {})
    if not isinstance(value, dict):
        raise _field_error(key, AN_OBJECT, value, event)
    return value


def read_hex(source: Mapping[str, Any], key: str) -> bytes:
    """32 bytes, written as 64 hexadecimal digits, small or capital."""
    value = _require(source, key, None)
    if not isinstance(value, str) or not _HEX.fullmatch(value):
        raise Fault("“%(key)s” must be 64 hexadecimal digits", {"key": key})
    return bytes.fromhex(value)


def _require(source: Mapping[str, Any], key: str, event: int | None) -> Any:
    if key not in source:
        raise Fault("“%(key)s” is missing", {"key": key}, event=event)
    return source[key]


def _field_error(key: str, wanted: str, value: object, event: int | None) -> Fault:
    values = {"key": key, "wanted": Phrase(wanted, wanted), "kind": name_json_kind(value)}
    return Fault("“%(key)s” must be %(wanted)s, but it is %(kind)s", values, event=event)
