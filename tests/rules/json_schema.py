"""A strict reading of the part of JSON Schema that moves of games are described in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_KINDS: Mapping[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "boolean": (bool,), "array": (list, tuple), "object": (dict,),
}  # fmt: skip
_KNOWN = {
    "type", "anyOf", "enum", "pattern", "minimum", "maximum", "items", "minItems", "maxItems", "properties",
    "required", "additionalProperties",
}  # fmt: skip


def matches(schema: Mapping[str, Any], value: Any) -> bool:
    """Whether the schema describes this value. Raises AssertionError for a schema that uses anything else."""
    assert set(schema) <= _KNOWN, set(schema) - _KNOWN
    if "type" in schema and type(value) not in _KINDS[schema["type"]]:
        return False
    if "enum" in schema and (type(value), value) not in [(type(one), one) for one in schema["enum"]]:
        return False
    if "anyOf" in schema and not any(matches(one, value) for one in schema["anyOf"]):
        return False
    if isinstance(value, str):
        return re.search(schema.get("pattern", ""), value) is not None
    if isinstance(value, list | tuple):
        is_sized = schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value))
        return is_sized and all(matches(schema.get("items", {}), one) for one in value)
    if isinstance(value, dict):
        return _matches_object(schema, value)
    return not isinstance(value, int) or schema.get("minimum", value) <= value <= schema.get("maximum", value)


def _matches_object(schema: Mapping[str, Any], value: Mapping[str, Any]) -> bool:
    properties = schema.get("properties", {})
    is_closed = schema.get("additionalProperties", True) is False
    if not set(schema.get("required", ())) <= set(value) or (is_closed and not set(value) <= set(properties)):
        return False
    return all(matches(properties.get(name, {}), one) for name, one in value.items())
