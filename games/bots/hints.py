"""Hints: the move that the strongest bot would make for a seat, and one sentence why. Pure.

A game's bots may have `explain(view, legal, move)`, which gives the reason as a fact that the seat can check: "Nobody
can beat this any more". It sees the view and nothing else. A game with it, or with a `find_hint(view)` of its own,
sets `has_hints`.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Final, NamedTuple

from games.bots.choosing import choose
from games.rules import registry
from games.rules.base import Move, View


class Reason:
    """Why a move is good: an English sentence with named places, translated where a person reads it.

    values: numbers and words of the notation, so that a reason can be stored as JSON.
    """

    def __init__(self, template: str, **values: object) -> None:
        self.template, self.values = template, values

    @classmethod
    def read(cls, template: str, values: Mapping[str, Any]) -> Reason:
        """A reason that was stored."""
        return cls(template, **values)

    def __str__(self) -> str:
        return self.template % self.values if self.values else self.template

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reason) and (self.template, self.values) == (other.template, other.values)

    def __hash__(self) -> int:
        return hash(self.template)


class Hint(NamedTuple):
    """A move that can be advised, and why; `move` is None where nothing can be advised."""

    move: dict[str, Any] | None
    reason: Reason


NOTHING_FOUND: Final = Reason("No play found: none of your cards can be played.")
ONLY_MOVE: Final = Reason("It is the only move that you have.")
BEST_ON_AVERAGE: Final = Reason("It came out best when the hidden cards were dealt anew many times.")
"""The reason where a game has no better one: how its bot found the move."""


def find_hint(game: str, view: View, legal: Sequence[Move]) -> Hint:
    """What the strongest bot would play for the seat that sees `view`; the same view gives the same hint.

    legal: the legal moves; where they are too many to list, a few of them. Raises KeyError for a game without hints.
    """
    info = registry.infos()[game]
    if not info.has_hints:
        raise KeyError(game)
    module = import_module(info.bots)
    if hasattr(module, "find_hint"):
        move: Move | None = module.find_hint(view)
        if move is None:
            return Hint(None, NOTHING_FOUND)
    else:
        move = choose(game, view, legal, random.Random(digest_view(view)), info.bot_levels[-1])
    return Hint(dict(move), explain_move(game, view, legal, move))


def explain_move(game: str, view: View, legal: Sequence[Move], move: Move) -> Reason:
    """Why this move is good, from what the seat sees."""
    if len(legal) == 1 and legal[0] == move:
        return ONLY_MOVE
    return give_reason(game, view, legal, move) or BEST_ON_AVERAGE


def give_reason(game: str, view: View, legal: Sequence[Move], move: Move) -> Reason | None:
    """What the game says of this move; None if nothing."""
    explain = getattr(import_module(registry.infos()[game].bots), "explain", None)
    found: Reason | None = None if explain is None else explain(view, legal, move)
    return found


def digest_view(view: View) -> bytes:
    """SHA-256 of a view, 32 bytes: equal views have equal digests."""
    return hashlib.sha256(json.dumps(view, sort_keys=True, allow_nan=False).encode()).digest()  # noqa: TID251 - never sent


def write_hint(hint: Hint) -> dict[str, Any]:
    """The hint as JSON values."""
    return {"move": hint.move, "reason": hint.reason.template, "values": dict(hint.reason.values)}


def read_hint(data: Mapping[str, Any]) -> Hint:
    """The inverse of `write_hint`."""
    move = data["move"]
    return Hint(None if move is None else dict(move), Reason.read(data["reason"], data["values"]))
