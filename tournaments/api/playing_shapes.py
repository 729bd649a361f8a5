"""The schemas of playing in `openapi.json`: tables to open, seats, moves, challenges."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import Field

from tournaments.api.readers import RefusalOut
from tournaments.api.tables import TableOut

Key = Annotated[str, Field(max_length=48)]


class OptionOut(Schema):
    """An option of a game. kind: `integer`, `flag`, `names`, `species` or `seat`. least: the lowest
    value. most: the highest value. choices:
    the values to choose from.
    """

    name: str
    kind: str
    least: int
    most: int
    choices: list[str]


class PlayableGameOut(Schema):
    """A game that can be played here. seats: how many people can play. options: those of a table. levels: of the
    site's own bots. standing_answers: values of the command `standing`, empty if the game has no windows. move: the
    JSON Schema of its moves.
    """

    slug: str
    name: str
    seats: list[int]
    options: list[OptionOut]
    levels: list[str]
    standing_answers: list[str]
    move: dict[str, Any]


class AccountOut(Schema):
    """The player for whom a token acts. owner: the id of the person who owns the bot account, null for people.
    games_at_once: the limit of a bot account, null for people. scopes: what the token may do. tables: the ids of the
    player's tables that are not over.
    """

    id: int
    name: str
    is_bot: bool
    owner: int | None
    games_at_once: int | None
    scopes: list[str]
    tables: list[str]


class OpenIn(Schema):
    """A table to open. seats: how many. bots: how many of them are for the site's own bots. level: of these bots.
    is_public: whether it is shown in the lobby. is_rated: whether it counts for ratings; never for a bot account.
    is_called: whether the game starts by itself as soon as every seat is taken. is_timed: whether a person alone
    against bots has a time limit. turn_seconds: 5 to 3600; or 1, 2, 3 or 7 times 86400 for a game over days. pace:
    how long bots wait before they move. talk: what can be written at the table: phrases, free text, or nothing.
    """

    game: str
    seats: int
    options: dict[str, Any] = Field(default_factory=dict)
    bots: int = 0
    level: str = ""
    is_public: bool = True
    is_rated: bool = False
    is_called: bool = True
    is_timed: bool = False
    turn_seconds: int = 45
    pace: Literal["quick", "normal", "slow"] = "normal"
    talk: Literal["phrases", "free", "off"] = "phrases"
    key: Key = ""


class SeatIn(Schema):
    """A seat to take. seat: its number, from 0; null for the first free one."""

    seat: int | None = None


class StartIn(Schema):
    """The start of a game. fill: the level of the bots for free seats; empty if all seats are taken."""

    fill: str = ""


class ContributionIn(Schema):
    """What a player adds to the deal. commitment: that of the table, to show that you have read it."""

    commitment: str
    entropy: str


class MoveIn(Schema):
    """A move. move: as the game describes it. ply: of the view that you decided on."""

    move: dict[str, Any]
    ply: int
    key: str


class CommandIn(Schema):
    """A command, which is not a move. name: `ready` says that you have seen the new deal, `here` that you are back,
    `auto_pass` passes for the rest of the round, `standing` answers windows in advance. on: of `auto_pass`. value: of
    `standing`, one of the game's `standing_answers`; empty to be asked again.
    """

    name: Literal["ready", "here", "auto_pass", "standing"]
    on: bool = True
    value: Annotated[str, Field(max_length=16)] = ""


class AcceptedOut(Schema):
    """An accepted change. ply: of the table now."""

    table: str
    ply: int
    repeat: bool = False


class StaleOut(RefusalOut):
    """A refusal because the table has moved on. table: how it is now."""

    table: TableOut | None = None


class ChallengeIn(Schema):
    """A challenge to send. player: the id of a person with an account, or of a bot account."""

    player: int


class ChallengeOut(Schema):
    """A challenge to play at a table. challenger: the id of the person who invites.
    challenged: the id of the person who is invited. status: `open`, `accepted` or
    `declined`.
    """

    id: int
    table: str
    game: str
    challenger: int
    challenged: int
    status: str
    at: float
