"""The schemas of playing in `openapi.json`: tables to open, seats, moves, challenges."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import Field

from tournaments.api.readers import Said
from tournaments.api.tables import TableOut

Key = Annotated[str, Field(max_length=48)]


class OptionOut(Schema):
    """An option of a game. kind: integer, flag, names, species or seat; choices: what to choose from."""

    name: str
    kind: str
    least: int
    most: int
    choices: list[str]


class PlayableGameOut(Schema):
    """A game that can be played here. move: the JSON Schema of its moves; levels: of the site's own bots.

    standing_answers: what the command `standing` can order for windows; empty if the game has none.
    """

    slug: str
    name: str
    seats: list[int]
    options: list[OptionOut]
    levels: list[str]
    standing_answers: list[str]
    move: dict[str, Any]


class AccountOut(Schema):
    """Whose token this is. games_at_once: the limit of a bot account, null for people. scopes: of the token.

    tables: ids of the tables at which the player sits that are not over.
    """

    id: int
    name: str
    is_bot: bool
    owner: int | None
    games_at_once: int | None
    scopes: list[str]
    tables: list[str]


class OpenIn(Schema):
    """A table to open. bots: seats for the site's own bots of this level. key: the same key twice opens one table.

    is_called: the game starts by itself as soon as every seat is taken. is_rated: never true for a bot account.
    turn_seconds: 5 to 3600; or 1, 2, 3 or 7 times 86400 for a game over days, in which nobody needs to be there.
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
    """The seat to take, from 0; null: the first free one."""

    seat: int | None = None


class StartIn(Schema):
    """fill: the level of the site's own bots for free seats; empty if all seats are taken."""

    fill: str = ""


class ContributionIn(Schema):
    """What the player adds to the deal. commitment: the table's, which proves that the sender has read it."""

    commitment: str
    entropy: str


class MoveIn(Schema):
    """A move, as the schema of the game describes it, decided at `ply`. The same key twice is one move."""

    move: dict[str, Any]
    ply: int
    key: str


class CommandIn(Schema):
    """What is not a move: `ready` (the new deal has been seen), `here`, `auto_pass` (with `on`), `standing`.

    value: of `standing`, one of the game's `standing_answers`; empty takes the order back.
    """

    name: Literal["ready", "here", "auto_pass", "standing"]
    on: bool = True
    value: Annotated[str, Field(max_length=16)] = ""


class AcceptedOut(Schema):
    """Done. ply: of the table now; repeat: this key had been accepted before."""

    table: str
    ply: int
    repeat: bool = False


class StaleOut(Said):
    """409: the table has moved on; `table` is how it is now."""

    table: TableOut | None = None


class ChallengeIn(Schema):
    """Who is to be challenged: the id of a person with an account, or of a bot account."""

    player: int


class ChallengeOut(Schema):
    """A challenge to play at a table. status: open, accepted or declined; at: seconds since 1970."""

    id: int
    table: str
    game: str
    challenger: int
    challenged: int
    status: str
    at: float
