"""JSON Schemas (2020-12) of moves, for programs: which objects a game understands, not which are legal now. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

Schema: TypeAlias = Mapping[str, Any]

TRUE: Final[Schema] = {"type": "boolean", "enum": [True]}
"""The schema of `true`; an enumeration, because generators of clients write wrong code for a constant."""
SEAT: Final[Schema] = {"type": "integer", "minimum": 0}
ANY_MOVE: Final[Schema] = {"type": "object"}
"""The schema of a game that does not describe its moves."""


def describe_text(pattern: str) -> Schema:
    """A string that matches this regular expression as a whole."""
    return {"type": "string", "pattern": f"^(?:{pattern})$"}


def describe_list(items: Schema, least: int = 1, most: int | None = None) -> Schema:
    """A list of least to most such values."""
    return {"type": "array", "items": items, "minItems": least, **({} if most is None else {"maxItems": most})}


def describe_move(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    """An object with these keys and no others."""
    properties = {**required, **(optional or {})}
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def describe_moves(*moves: Schema) -> Schema:
    """One of these kinds of moves."""
    return {"type": "object", "anyOf": list(moves)}
