"""The JSON Schema of moves of the climbing games, for programs. Pure."""

from __future__ import annotations

from games.rules.move_schemas import TRUE, Schema, describe_list, describe_move, describe_moves, describe_text


def describe_climbing_moves(wild: str, *, has_named_wilds: bool) -> Schema:
    """Playing and passing. wild: the word of a wild card; has_named_wilds: whether wilds alone may name a number."""
    cards = describe_list(describe_text(f"[1-9]|1[0-3]|{wild}"))
    named = {"as": {"type": "integer", "minimum": 14, "maximum": 999_999_999}} if has_named_wilds else {}
    return describe_moves(describe_move({"play": cards}, named), describe_move({"pass": TRUE}))
