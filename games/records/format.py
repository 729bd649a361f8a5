"""`menagerie-record/1` as closed, frozen types, and the parser of untrusted documents.

Source: docs/record-format.md. What a game decides (options, set-up, moves, values of chance) stays JSON here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from games.records.document import read_document
from games.records.duplicate import RoundDeal, read_duplicate
from games.records.events import ClockEvent, ExpectEvent, MoveEvent, RandomEvent, RecordEvent, RefuseEvent, read_event
from games.records.faults import Fault
from games.records.fields import read_hex, read_integer, read_list, read_object_at, read_text
from games.rules.reading import is_permutation, is_whole_list

__all__ = [
    "FORMAT",
    "ClockEvent",
    "ExpectEvent",
    "MoveEvent",
    "Player",
    "RandomEvent",
    "Record",
    "RecordEvent",
    "RecordedResult",
    "RefuseEvent",
    "parse_record",
]

FORMAT: Final = "menagerie-record/1"
MAX_EVENTS: Final = 50_000
MAX_PLAYERS: Final = 16
MAX_NAME: Final = 200
MAX_ENTROPY: Final = 256
MAX_TABLE: Final = 100

Entropy: TypeAlias = tuple[str | None, ...]


class Player(NamedTuple):
    """Who sat on a seat. bot: the level of a bot, None for a person; a name says nothing of that."""

    name: str
    bot: str | None = None


class RecordedResult(NamedTuple):
    """What a record says of the end. scores: a list by seat, None for null; `scores_given`: whether it says so."""

    places: tuple[int, ...]
    scores: tuple[int, ...] | None
    scores_given: bool


class Record(NamedTuple):
    """One game. `source` is the document it was read from, unknown keys included."""

    game: str
    rules: int
    options: Mapping[str, Any]
    players: tuple[Player, ...]
    setup: Mapping[str, Any]
    events: tuple[RecordEvent, ...]
    result: RecordedResult | None
    seed: bytes | None
    commitment: bytes | None
    entropy: Entropy | None
    table: str | None
    secret: bytes | None
    duplicate: RoundDeal | None
    procedure: int
    chairs: tuple[int, ...] | None
    source: Mapping[str, Any]


def parse_record(raw: bytes) -> Record:
    """The record in a file's bytes. Raises Fault; that the game can be played so is for `replay` to say."""
    document = read_document(raw)
    _check_format(document)
    players = _read_players(document)
    return Record(
        game=read_text(document, "game", MAX_NAME),
        rules=read_integer(document, "rules"),
        options=read_object_at(document, "options"),
        players=players,
        setup=read_object_at(document, "setup"),
        events=_read_events(document),
        result=_read_result(document, len(players)),
        seed=_read_optional_hex(document, "seed"),
        commitment=_read_optional_hex(document, "commitment"),
        entropy=_read_entropy(document, len(players)),
        table=None if document.get("table") is None else read_text(document, "table", MAX_TABLE),
        secret=_read_optional_hex(document, "secret"),
        duplicate=read_duplicate(document, len(players)),
        procedure=1 if document.get("procedure") is None else read_integer(document, "procedure"),
        chairs=_read_chairs(document, len(players)),
        source=document,
    )


def _check_format(document: Mapping[str, Any]) -> None:
    named = read_text(document, "format", MAX_NAME)
    if named != FORMAT:
        values = {"named": named, "known": FORMAT}
        raise Fault("the format “%(named)s” is unknown (this program reads “%(known)s”)", values)


def _read_players(document: Mapping[str, Any]) -> tuple[Player, ...]:
    players = read_list(document, "players", MAX_PLAYERS)
    if not players:
        raise Fault("players: the list is empty")
    return tuple(Player(_read_name(seat, player), _read_bot(seat, player)) for seat, player in enumerate(players))


def _read_name(seat: int, player: object) -> str:
    name = player.get("name") if isinstance(player, dict) else None
    if not isinstance(name, str) or len(name) > MAX_NAME:
        values = {"seat": seat, "most": MAX_NAME}
        raise Fault("players: the “name” of seat %(seat)d must be a string of at most %(most)d characters", values)
    return name


def _read_bot(seat: int, player: Mapping[str, Any]) -> str | None:
    bot = player.get("bot")
    if bot is not None and not (isinstance(bot, str) and 0 < len(bot) <= MAX_NAME):
        values = {"seat": seat, "most": MAX_NAME}
        raise Fault("players: “bot” of seat %(seat)d must be a level, a string of 1 to %(most)d characters", values)
    return bot


def _read_events(document: Mapping[str, Any]) -> tuple[RecordEvent, ...]:
    return tuple(read_event(number, event) for number, event in enumerate(read_list(document, "events", MAX_EVENTS)))


def _read_result(document: Mapping[str, Any], seats: int) -> RecordedResult | None:
    if document.get("result") is None:
        return None
    result = read_object_at(document, "result")
    scores = result.get("scores")
    return RecordedResult(
        places=_read_numbers(result, "places", seats),
        scores=None if scores is None else _read_numbers(result, "scores", seats),
        scores_given="scores" in result,
    )


def _read_numbers(result: Mapping[str, Any], key: str, seats: int) -> tuple[int, ...]:
    numbers = read_list(result, key, MAX_PLAYERS)
    if not is_whole_list(numbers, seats):
        values = {"key": key, "seats": seats}
        raise Fault("result: “%(key)s” must be a list of %(seats)d whole numbers, one for each seat", values)
    return tuple(numbers)


def _read_entropy(document: Mapping[str, Any], seats: int) -> Entropy | None:
    if document.get("entropy") is None:
        return None
    entropy = read_list(document, "entropy", MAX_PLAYERS)
    if len(entropy) != seats:
        raise Fault("“entropy” must have one entry for each seat, %(seats)d in all", {"seats": seats})
    for seat, given in enumerate(entropy):
        if given is not None and not (isinstance(given, str) and len(given) <= MAX_ENTROPY):
            values = {"seat": seat, "most": MAX_ENTROPY}
            raise Fault("“entropy” of seat %(seat)d must be null or a string of at most %(most)d characters", values)
    return tuple(entropy)


def _read_chairs(document: Mapping[str, Any], seats: int) -> tuple[int, ...] | None:
    if document.get("chairs") is None:
        return None
    chairs = read_list(document, "chairs", MAX_PLAYERS)
    if not is_permutation(chairs, range(seats)):
        raise Fault("“chairs” must contain each number from 0 to %(last)d exactly once", {"last": seats - 1})
    return tuple(chairs)


def _read_optional_hex(document: Mapping[str, Any], key: str) -> bytes | None:
    return None if document.get(key) is None else read_hex(document, key)
