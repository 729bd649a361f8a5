"""Parses untrusted bytes into one valid JSON object, or raises Fault. Limits: docs/record-format.md.

Valid means: UTF-8, no key twice in one object, no NaN or infinity, no lone surrogates, and neither
nesting nor numbers nor strings beyond the limits. A mark is left where one of these is broken while
parsing, so that the fault can name the event in which it stands.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from games.records.faults import Fault
from games.rules.info import gettext_noop
from games.rules.phrases import Phrase

MAX_BYTES: Final = 4 * 1024 * 1024
MAX_DEPTH: Final = 24
MAX_DIGITS: Final = 100
MAX_TEXT: Final = 10_000
"""Characters of one string."""
A_STRING: Final = gettext_noop("a string")
A_LIST: Final = gettext_noop("a list")
AN_OBJECT: Final = gettext_noop("an object")
A_WHOLE_NUMBER: Final = gettext_noop("a whole number")
_A_NUMBER: Final = gettext_noop("a number")
_KINDS: Final = (
    (bool, gettext_noop("true or false")), (str, A_STRING), (int, _A_NUMBER), (float, _A_NUMBER), (list, A_LIST),
)  # fmt: skip
_MAX_SHOWN: Final = 60
"""Characters of a key or number that a sentence about it repeats."""


@dataclass(frozen=True)
class _Flaw:
    """Stands in the parsed document where something is unsound."""

    template: str
    values: Mapping[str, object] = field(default_factory=dict)


def read_document(raw: bytes) -> dict[str, Any]:
    """The one JSON object in `raw`. A byte order mark at the start is ignored. Raises Fault."""
    document = _parse(_decode(raw))
    if isinstance(document, _Flaw):
        raise Fault(document.template, document.values)
    if not isinstance(document, dict):
        raise Fault("expected one JSON object, but found %(kind)s", {"kind": name_json_kind(document)})
    _check_sound(document)
    return document


def read_object(text: str) -> dict[str, Any]:
    """The JSON object in `text`, sound in the same sense. Raises Fault."""
    return read_document(text.encode("utf-8", "surrogatepass"))


def name_json_kind(value: object) -> str:
    """The name of a JSON value's kind, with its article, for a sentence."""
    if value is None:
        return "null"
    name = next((name for kind, name in _KINDS if isinstance(value, kind)), AN_OBJECT)
    return Phrase(name, name)


def _decode(raw: bytes) -> str:
    if len(raw) > MAX_BYTES:
        raise Fault("the file is larger than %(most)d bytes, the limit for a record", {"most": MAX_BYTES})
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Fault("the file is not valid UTF-8 at byte %(at)d", {"at": error.start}) from error


def _parse(text: str) -> Any:
    try:
        return json.loads(
            text, object_pairs_hook=_read_pairs, parse_int=_read_int, parse_float=_read_float, parse_constant=_read_word
        )
    except json.JSONDecodeError as error:
        values = {"line": error.lineno, "column": error.colno}
        raise Fault("the file is not valid JSON at line %(line)d, column %(column)d", values) from error
    except RecursionError as error:
        flaw = _too_deep()
        raise Fault(flaw.template, flaw.values) from error


def _read_pairs(pairs: list[tuple[str, Any]]) -> Any:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    seen: set[str] = set()
    for name, _ in pairs:
        if name in seen:
            return _Flaw("the key “%(key)s” appears twice in one object", {"key": _shorten_key(name)})
        seen.add(name)
    return found


def _read_int(digits: str) -> Any:
    return (
        int(digits)
        if len(digits) <= MAX_DIGITS
        else _Flaw("a number has more than %(most)d digits", {"most": MAX_DIGITS})
    )


def _read_float(digits: str) -> Any:
    number = float(digits)
    return (
        number
        if math.isfinite(number)
        else _Flaw("the number %(digits)s is too large", {"digits": digits[:_MAX_SHOWN]})
    )


def _read_word(word: str) -> _Flaw:
    return _Flaw("%(word)s is not valid JSON", {"word": word})


def _check_sound(document: dict[str, Any]) -> None:
    for key, value in document.items():
        if key == "events" and isinstance(value, list):
            for number, event in enumerate(value):
                for flaw in _find_flaws(event, 2):
                    raise Fault(flaw.template, flaw.values, event=number)
        else:
            for flaw in _find_flaws({key: value}, 1):
                raise Fault("%(key)s: %(why)s", {"key": _shorten_key(key), "why": Fault(flaw.template, flaw.values)})


def _find_flaws(value: Any, depth: int) -> Iterator[_Flaw]:
    heap = [(value, depth)]
    while heap:
        value, depth = heap.pop()
        if isinstance(value, _Flaw):
            yield value
        elif isinstance(value, str):
            yield from _find_text_flaws(value)
        elif isinstance(value, dict | list):
            if depth >= MAX_DEPTH:
                yield _too_deep()
            elif isinstance(value, dict):
                heap.extend((part, depth + 1) for pair in value.items() for part in pair)
            else:
                heap.extend((part, depth + 1) for part in value)


def _find_text_flaws(text: str) -> Iterator[_Flaw]:
    if len(text) > MAX_TEXT:
        yield _Flaw("a string is longer than %(most)d characters", {"most": MAX_TEXT})
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        yield _Flaw("a string contains half a character (a lone surrogate)")


def _shorten_key(key: str) -> str:
    return key[:_MAX_SHOWN].encode("utf-8", "replace").decode()


def _too_deep() -> _Flaw:
    return _Flaw("nested more than %(most)d levels deep", {"most": MAX_DEPTH})
