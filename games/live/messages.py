"""The closed set of messages on a table's socket.

From the browser: `move`, `contribute`, `command`, `ping`, `echo`. To the browser: `answer`, `pong`, `presence`,
`talk` as JSON objects, and fragments as HTML. Anything else is refused with a sentence and changes nothing.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from games.play.moves.submission import MAX_KEY

MAX_FRAME = 64 * 1024
"""Characters of a frame from a browser; a longer one is refused before it is parsed."""


class Move(msgspec.Struct, tag="move", frozen=True):
    """A move, decided at `ply`; `key` makes it once only."""

    ply: int
    key: str
    move: dict[str, Any]


class Contribute(msgspec.Struct, tag="contribute", frozen=True):
    """What a person adds to the deal, in answer to this commitment of the table."""

    commitment: str
    entropy: str
    key: Annotated[str, msgspec.Meta(max_length=MAX_KEY)] = ""


class Command(msgspec.Struct, tag="command", frozen=True):
    """A command that is not a move of the game. Its answer carries its `key`, or its name.

    `auto_pass`: a standing pass; `standing`: a standing answer for windows, which `value` names (empty: none);
    `here`: a sign of life; `ready`: the new deal has been seen.
    """

    name: Literal["auto_pass", "standing", "here", "ready"]
    on: bool = True
    value: Annotated[str, msgspec.Meta(max_length=MAX_KEY)] = ""
    key: Annotated[str, msgspec.Meta(max_length=MAX_KEY)] = ""


class Ping(msgspec.Struct, tag="ping", frozen=True):
    """Heartbeat: the version the browser shows, so that a gap is noticed."""

    version: int = -1


class Echo(msgspec.Struct, tag="echo", frozen=True):
    """A pong's token, sent back at once: so the server measures the way between them."""

    token: int


ClientIn = Move | Contribute | Command | Ping | Echo


class Answer(msgspec.Struct, tag="answer", frozen=True):
    """What became of a move or command: an HTTP status, the table's ply, and a sentence if refused."""

    key: str
    status: int
    ply: int
    sentence: str = ""


class Pong(msgspec.Struct, tag="pong", frozen=True):
    """The table's version, the server's time in milliseconds since 1970, and a token to be echoed."""

    version: int
    now: int
    token: int = 0


class Presence(msgspec.Struct, tag="presence", frozen=True):
    """Seats whose person is connected, rising, and how many others watch."""

    seats: tuple[int, ...]
    watchers: int


class Remark(msgspec.Struct, frozen=True):
    """One thing that was said. words: plain text; author: tells speakers apart, for muting; at: ms since 1970; role:
    what the author does here, in the reader's language; has_account: the author is no guest."""

    number: int
    author: str
    seat: int | None
    name: str
    words: str
    at: int
    role: str
    has_account: bool


class Talk(msgspec.Struct, tag="talk", frozen=True):
    """What was said, oldest first; everything numbered below `since` was cleared or is too old. hidden: the numbers of
    messages that were removed."""

    since: int
    remarks: tuple[Remark, ...]
    hidden: tuple[int, ...] = ()


ServerOut = Answer | Pong | Presence | Talk

_decoder: msgspec.json.Decoder[ClientIn] = msgspec.json.Decoder(ClientIn)
_encoder = msgspec.json.Encoder()


def read(frame: str) -> ClientIn:
    """The message of a frame. Raises ValueError for anything else."""
    if len(frame) > MAX_FRAME:
        raise ValueError("the frame is too long")
    try:
        return _decoder.decode(frame)
    except RecursionError as error:
        raise ValueError("the frame is nested too deeply") from error


def write(message: ServerOut) -> str:
    """The frame of a message."""
    return _encoder.encode(message).decode()
