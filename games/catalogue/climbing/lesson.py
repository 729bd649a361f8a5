"""Helpers of both climbing games' lessons: moves from short texts, and checks of moves."""

from __future__ import annotations

from games.rules.base import Move, Seat
from games.rules.lessons import Fits, ScriptedMove

PASS: Move = {"pass": True}


def play(cards: str) -> Move:
    """The move that plays these cards, as "7 7 J"."""
    return {"play": cards.split()}


def follow(*entries: tuple[Seat, str]) -> tuple[ScriptedMove, ...]:
    """Plays of the others: the seat and its cards, or "" for a pass."""
    return tuple(ScriptedMove(seat, play(cards) if cards else PASS) for seat, cards in entries)


def point_at(number: str) -> tuple[str, ...]:
    """Where the hint points: the stack of this number in the hand, then the button."""
    return (f'#hand .s[data-n="{number}"][aria-pressed="false"]', "#go")


def plays(cards: str) -> Fits:
    """Whether a move plays these cards, in whatever order, and whatever jokers are called."""
    wanted = sorted(cards.split())
    return lambda move: sorted(move.get("play", ())) == wanted


def is_pass(move: Move) -> bool:
    """Whether a move is a pass."""
    return "pass" in move
