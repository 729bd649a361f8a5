"""The JSON Schema of moves, for programs: see Notation in docs/rules/fancy-animals.md. Pure."""

from __future__ import annotations

from typing import Final

from games.rules.move_schemas import TRUE, Schema, describe_list, describe_move, describe_moves, describe_text

_MATERIAL: Final = "[1-9][0-9]?[LGMC]{2}"
_CLOTHING: Final = "[a-z]+-[A-Z]-[0-9]+"
_CARD: Final = describe_text(_MATERIAL)
_PIECE: Final = describe_text(_CLOTHING)
_LAID: Final = describe_text(f"{_MATERIAL}:[LGMC]|{_CLOTHING}:[1-9][0-9]?")
_MELD: Final = describe_list(_LAID)
_NAME: Final[Schema] = {"type": "string"}
MOVE_SCHEMA: Final = describe_moves(
    describe_move({"draw": TRUE}),
    describe_move({"pass": TRUE}),
    describe_move(
        {"play": describe_list(_CARD, 0), "table": describe_list(_MELD, 0)},
        {"wilds": describe_list(_PIECE, 0), "claim": _PIECE, "spot": _NAME, "return": _PIECE},
    ),
    describe_move({"activate": _NAME, "set": _MELD}, {"return": _PIECE}),
)
