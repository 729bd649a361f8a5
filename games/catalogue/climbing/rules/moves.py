"""Parses moves: any JSON value becomes a pass or a play with its number, or raises IllegalMove."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.catalogue.climbing.rules.cards import HIGHEST, JOKER
from games.catalogue.climbing.rules.plays import Play, PlayIndex
from games.rules.base import IllegalMove, Move, quote

MAX_NAMED: Final = 999_999_999
_MAX_EXPLAINED: Final = 20
"""Cards of a play that a refusal looks at, so that a long one costs nothing."""


def read_move(move: Move, book: PlayIndex, *, can_name_jokers: bool) -> tuple[Play | None, int | None]:
    """(None, None) for a pass, else the play and the number its jokers are named, if they are.

    Raises IllegalMove for everything that is a move in no position of this game.
    """
    if not isinstance(move, dict) and not isinstance(move, Mapping):
        raise IllegalMove("A move must be an object with “play” or “pass”.")
    if len(move) == 1 and "play" in move:
        return _read_play(move["play"], book), None
    if len(move) == 1 and "pass" in move:
        if move["pass"] is not True:
            raise IllegalMove("To pass, “pass” must be true.")
        return None, None
    return _read_named(move, book, can_name_jokers=can_name_jokers)


def _read_play(value: Any, book: PlayIndex) -> Play:
    if not isinstance(value, list) or not value:
        raise IllegalMove("“play” must be a list of at least one card.")
    play = book.find(value)
    if play is None:
        raise _explain(value, book)
    return play


def _explain(value: list[Any], book: PlayIndex) -> IllegalMove:
    for word in value[:_MAX_EXPLAINED]:
        if not isinstance(word, str) or book.find([word]) is None:
            return IllegalMove("“%(card)s” is not a card of this game.", card=quote(word))
    return IllegalMove(
        "All cards you play must have the same number. %(wild)s stands in for any number.", wild=book.wild
    )


def _read_named(move: Move, book: PlayIndex, *, can_name_jokers: bool) -> tuple[Play, int]:
    allowed_keys = ("play", "as") if can_name_jokers else ("play",)
    for key in move:
        if key not in (*allowed_keys, "pass"):
            raise IllegalMove("A move cannot have “%(key)s”. Play cards or pass.", key=quote(key))
    if "play" not in move or "pass" in move:
        raise IllegalMove("Either play cards or pass.")
    return _name_jokers(_read_play(move["play"], book), move["as"])


def _name_jokers(play: Play, number: object) -> tuple[Play, int]:
    if play.number != JOKER:
        raise IllegalMove(
            "You can name a number only for jokers alone. Played with number cards, jokers take their number."
        )
    if type(number) is not int or not HIGHEST < number <= MAX_NAMED:
        raise IllegalMove(
            "For jokers alone you can name a whole number from %(least)s to %(most)s.",
            least=HIGHEST + 1,
            most=MAX_NAMED,
        )
    return play, number
