"""The JSON Schema of moves, for programs: see Notation in docs/rules/super-zwierzaki.md. Pure."""

from __future__ import annotations

from typing import Final

from games.rules.move_schemas import SEAT, TRUE, describe_list, describe_move, describe_moves, describe_text

_KIND: Final = describe_text("[1-9][0-9]{0,2}")
_CALL: Final = {"call": TRUE}
MOVE_SCHEMA: Final = describe_moves(
    describe_move({"play": _KIND}, {"n": {"type": "integer", "minimum": 1}, **_CALL}),
    describe_move({"nine": describe_list(_KIND, 9, 9)}, _CALL),
    describe_move({"draw": TRUE}),
    describe_move({"accept": TRUE}),
    describe_move(_CALL),
    describe_move({"decline": TRUE}),
    describe_move({"colour": {"type": "string"}}, _CALL),
    describe_move({"name": _KIND}, _CALL),
    describe_move({"swap": describe_list(SEAT, 2, 2)}, _CALL),
    describe_move({"discard": describe_list(_KIND)}, _CALL),
    describe_move({"give": describe_list(_KIND), "to": SEAT}, _CALL),
    describe_move({"sigma": describe_list(SEAT, 2), "from": SEAT, "to": SEAT}, _CALL),
    describe_move({"fold": TRUE}),
    describe_move({"react": _KIND}, _CALL),
)
