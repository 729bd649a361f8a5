"""Replaces names in stored lists, sentences and JSON text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from tournaments.models import Delivery, Pod, Round, Step

NAMED = frozenset({"name", "before", "first", "second", "by", "substitute_name", "names"})
"""What holds names in the log of steps."""
DRAWN = frozenset({"reason", "solution", "trouble"})
"""JSON text within the log: what a draw came to."""
NAMELESS = frozenset({"format", "objective", "stopped"})
"""What is said in a draw of the draw itself, in words by which somebody may be called, too."""


@dataclass(frozen=True)
class NameReplacement:
    """Names and their replacements."""

    names: frozenset[str]
    new: str

    @cached_property
    def _any(self) -> str:
        return "|".join(map(re.escape, sorted(self.names, key=len, reverse=True)))

    def in_list(self, text: str) -> str:
        """The list with its names replaced: one name, or several with commas between them."""
        return re.sub(rf"(?:^|(?<=, ))(?:{self._any})(?=$|, )", self.new, text)

    def in_sentence(self, text: str) -> str:
        """The sentence with its names replaced."""
        return re.sub(rf"(?<!\w)(?:{self._any})(?!\w)", self.new, text)

    def in_json(self, text: str, *, is_named: bool) -> str:
        """JSON text. is_named: any string in it may be a name, not only what is called so."""
        value = msgspec.json.decode(text)
        replaced = self.say(value, is_named=is_named)
        return text if replaced == value else msgspec.json.encode(replaced).decode()

    def say(self, value: Any, *, is_named: bool) -> Any:
        """A JSON value with all names replaced."""
        if isinstance(value, str):
            return self.in_list(value) if is_named else value
        if isinstance(value, list):
            return [self.say(item, is_named=is_named) for item in value]
        if isinstance(value, dict):
            return {key: self._say_field(key, one, is_named=is_named) for key, one in value.items()}
        return value

    def _say_field(self, key: str, value: Any, *, is_named: bool) -> Any:
        if key in NAMELESS:
            return value
        if key in DRAWN and isinstance(value, str):
            return self.in_json(value, is_named=True) if value[:1] in ("[", "{") else self.in_sentence(value)
        return self.say(value, is_named=is_named or key in NAMED)


def replace(row: Step | Round | Pod | Delivery, columns: Mapping[str, bool], words: NameReplacement) -> bool:
    """Say the names in a row otherwise; whether there was one. columns: of JSON text; whether any string in it may be a
    name."""
    texts = {column: text for column in columns if (text := getattr(row, column))}
    changed = {column: words.in_json(text, is_named=columns[column]) for column, text in texts.items()}
    if changed == texts:
        return False
    type(row)._base_manager.filter(pk=row.pk).update(**changed)
    return True
