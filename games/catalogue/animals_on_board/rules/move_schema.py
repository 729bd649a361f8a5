"""The JSON Schema of moves, for programs: see Notation in docs/rules/animals-on-board.md. Pure."""

from __future__ import annotations

from typing import Final

from games.rules.move_schemas import TRUE, Schema, describe_list, describe_move, describe_moves, describe_text

_GROUP: Final[Schema] = {"type": "integer", "minimum": 1}
MOVE_SCHEMA: Final = describe_moves(
    describe_move({"keep": describe_text("[a-z]+-[1-9][0-9]*")}),
    describe_move({"split": _GROUP, "off": describe_list(describe_text(r"[a-z]+-[1-9][0-9]*|\?"))}),
    describe_move({"take": _GROUP}),
    describe_move({"forfeit": TRUE}),
)
