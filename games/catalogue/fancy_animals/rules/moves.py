"""Parses moves: any JSON value becomes one of four closed types, or raises IllegalMove."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from games.catalogue.fancy_animals.rules.cards import CARDS, ID_OF, Tiles
from games.catalogue.fancy_animals.rules.claims import SPECIAL_RULES
from games.catalogue.fancy_animals.rules.clothing import BY_WORD, SLOTS
from games.catalogue.fancy_animals.rules.names import name_card
from games.rules.base import IllegalMove, Move, quote

MAX_MELDS: Final = 42
"""All cards and clothes in melds of three."""
MAX_WILDS: Final = 48
_PLAY_KEYS: Final = frozenset({"play", "table", "wilds", "claim", "spot", "return"})
_ACTIVATE_KEYS: Final = frozenset({"activate", "set", "return"})


class Draw(NamedTuple):
    """Take the deck's first card."""


class Pass(NamedTuple):
    """Do nothing."""


class Play(NamedTuple):
    """Lay cards and rearrange the table. table: the words of its melds, not yet looked at; claim, returned: ids."""

    cards: Tiles
    table: list[Any]
    wilds: Tiles
    claim: int | None
    spot: int | None
    returned: int | None


class Activate(NamedTuple):
    """Lay a set, and switch a special rule on. words: of the set, not yet looked at."""

    rule: str
    words: list[Any]
    returned: int | None


Turn: TypeAlias = Draw | Pass | Play | Activate

_DRAW: Final = Draw()
_PASS: Final = Pass()


def read_move(move: Move) -> Turn:
    """The form of the move. Raises IllegalMove for everything that is a move in no position of this game."""
    if not isinstance(move, dict) and not isinstance(move, Mapping):
        raise IllegalMove("A move must be an object with “play”, “draw”, “activate” or “pass”.")
    kinds = [kind for kind in ("play", "draw", "activate", "pass") if kind in move]
    if len(kinds) != 1:
        raise IllegalMove("In one turn you do exactly one of these: play, draw, activate a special rule, or pass.")
    if kinds[0] == "play":
        return _read_play(move)
    if kinds[0] == "activate":
        return _read_activate(move)
    _check_keys(move, frozenset(kinds))
    if move[kinds[0]] is not True:
        raise IllegalMove("To draw or to pass, “%(key)s” must be true.", key=kinds[0])
    return _DRAW if kinds[0] == "draw" else _PASS


def _check_keys(move: Move, allowed: frozenset[str]) -> None:
    for key in move:
        if key not in allowed:
            raise IllegalMove("This move cannot have “%(key)s”.", key=quote(key))


def _read_play(move: Move) -> Play:
    _check_keys(move, _PLAY_KEYS)
    table = move.get("table")
    if not isinstance(table, list) or len(table) > MAX_MELDS or not all(isinstance(meld, list) for meld in table):
        raise IllegalMove("“table” must be a list of all melds after the move, at most %(most)s.", most=MAX_MELDS)
    claim, returned = _read_clothing(move, "claim"), _read_clothing(move, "return")
    if claim is not None and returned is not None:
        raise IllegalMove("You can put clothing back only if you take none.")
    return Play(_read_cards(move["play"]), table, _read_wilds(move), claim, _read_spot(move), returned)


def _read_cards(value: object) -> Tiles:
    if not isinstance(value, list) or not 0 < len(value) <= CARDS:
        raise IllegalMove("Play at least one card from your hand.")
    tiles = 0
    for word in value:
        at = ID_OF.get(word) if isinstance(word, str) else None
        if at is None:
            raise IllegalMove("“%(card)s” is not a card of this game.", card=quote(word))
        if tiles >> at & 1:
            raise IllegalMove(
                "There is only one of this, but you play it twice: %(card)s.", card=name_card(ID_OF[word])
            )
        tiles |= 1 << at
    return tiles


def _read_wilds(move: Move) -> Tiles:
    value = move.get("wilds", [])
    if not isinstance(value, list) or len(value) > MAX_WILDS:
        raise IllegalMove("“wilds” must be a list of clothing on your animal.")
    tiles = 0
    for word in value:
        piece = BY_WORD.get(word) if isinstance(word, str) else None
        if piece is None or tiles >> piece.id & 1:
            raise IllegalMove("“%(clothing)s” is not a piece of clothing or is listed twice.", clothing=quote(word))
        tiles |= 1 << piece.id
    return tiles


def _read_clothing(move: Move, key: str) -> int | None:
    if key not in move:
        return None
    word = move[key]
    piece = BY_WORD.get(word) if isinstance(word, str) else None
    if piece is None:
        raise IllegalMove("“%(clothing)s” is not a piece of clothing.", clothing=quote(word))
    return piece.id


def _read_spot(move: Move) -> int | None:
    if "spot" not in move:
        return None
    if "claim" not in move:
        raise IllegalMove("You can choose a spot only for clothing that you take.")
    if move["spot"] not in SLOTS:
        raise IllegalMove(
            "An animal has no spot “%(spot)s”. Its spots are hand, feet, body and head.", spot=quote(move["spot"])
        )
    return SLOTS.index(move["spot"])


def _read_activate(move: Move) -> Activate:
    _check_keys(move, _ACTIVATE_KEYS)
    rule, words = move["activate"], move.get("set")
    if rule not in SPECIAL_RULES:
        raise IllegalMove("There is no special rule “%(rule)s”.", rule=quote(rule))
    if not isinstance(words, list):
        raise IllegalMove("“set” must be a list of the cards in the set.")
    return Activate(str(rule), words, _read_clothing(move, "return"))
