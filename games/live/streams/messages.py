"""The closed set of messages between a program and its stream.

To the program: `table`, `challenge`, `gone`, `heartbeat`, `answer`. From the program, over a WebSocket only: `move`,
`contribute`, `command`, `ping`. Anything else is refused and changes nothing. `table` may be left out on a table's own
stream.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from games.live.messages import MAX_FRAME
from games.play.moves.submission import MAX_KEY
from games.play.records import table_description
from games.play.storage import codec
from games.play.storage.table import LoadedTable

TableId = Annotated[str, msgspec.Meta(max_length=16)]
Key = Annotated[str, msgspec.Meta(max_length=MAX_KEY)]


class Move(msgspec.Struct, tag="move", frozen=True):
    """A move, decided at `ply`; `key` makes it once only."""

    ply: int
    key: str
    move: dict[str, Any]
    table: TableId = ""


class Contribute(msgspec.Struct, tag="contribute", frozen=True):
    """What the player adds to the deal, in answer to this commitment of the table."""

    commitment: str
    entropy: str
    table: TableId = ""
    key: Key = ""


class Command(msgspec.Struct, tag="command", frozen=True):
    """A command, which is not a move. name: `ready`, `here`, `auto_pass` (with `on`) or `standing` (with `value`)."""

    name: Literal["auto_pass", "here", "ready", "standing"]
    on: bool = True
    value: Annotated[str, msgspec.Meta(max_length=16)] = ""
    table: TableId = ""
    key: Key = ""


class Ping(msgspec.Struct, tag="ping", frozen=True):
    """Asks for a heartbeat."""


ProgramIn = Move | Contribute | Command | Ping


class Answer(msgspec.Struct, tag="answer", frozen=True):
    """What became of a message. status: as in HTTP. ply: of the table now. sentence: why it was refused, or empty."""

    table: str
    key: str
    status: int
    ply: int
    sentence: str = ""


class ChallengeMessage(msgspec.Struct, tag="challenge", frozen=True):
    """A challenge: an invitation to a table. challenger: the id of the person who invites. name: theirs."""

    id: int
    table: str
    game: str
    challenger: int
    name: str
    at: float


class TableGone(msgspec.Struct, tag="gone", frozen=True):
    """A table that is no longer followed: it does not exist any more, or is not for this player."""

    table: str


class Heartbeat(msgspec.Struct, tag="heartbeat", frozen=True):
    """A heartbeat, at the beginning, and when nothing else was sent for a while. now: in seconds since 1970."""

    now: float


StreamOut = Answer | ChallengeMessage | TableGone | Heartbeat

_decoder: msgspec.json.Decoder[ProgramIn] = msgspec.json.Decoder(ProgramIn)


def read(frame: str) -> ProgramIn:
    """The message of a frame. Raises ValueError for anything else."""
    if len(frame) > MAX_FRAME:
        raise ValueError("the frame is too long")
    try:
        return _decoder.decode(frame)
    except RecursionError as error:
        raise ValueError("the frame is nested too deeply") from error


def write(message: StreamOut) -> str:
    """The line of a message."""
    return codec.write(message)


def write_table(table: LoadedTable, player_id: int | None, events: list[dict[str, Any]]) -> str:
    """The line of a table as this player may know it, with the events since the line before."""
    return codec.write({"type": "table", **table_description.describe(table, player_id), "events": events})
