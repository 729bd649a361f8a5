"""The view of a seat or spectator of Animals on Board: what they may know, as JSON values."""

from __future__ import annotations

from typing import TypedDict


class GroupView(TypedDict):
    """One group in the middle. tiles: as they lie, "?" for the one that lies face down."""

    number: int
    tiles: list[str]


class ArkScore(TypedDict):
    """What an ark is worth: tiles sorted; points of the animals, one for each crate, and both together.

    pairs and surplus are returned, see scoring.py.
    """

    pairs: list[str]
    surplus: list[str]
    singles: list[str]
    herds: list[list[str]]
    species: int
    points: int
    crates: int
    score: int


class AnimalsOnBoardView(TypedDict):
    """The whole view."""

    game: str
    seat: int | None
    seats: int
    species: list[str]
    """The species in play; empty in a test position that does not say."""
    round: int
    """0 while everybody chooses."""
    to_act: list[int]
    flag: int
    groups: list[GroupView]
    crates: list[int]
    tile_counts: list[int]
    in_round: list[int]
    dropped: list[int]
    stack_size: int
    drawn: list[str] | None
    """The viewer's own three tiles while they choose, in the order drawn."""
    ark: list[str] | None
    """The viewer's own tiles, sorted; None for a spectator."""
    load: ArkScore | None
    """What the viewer's own ark is worth now."""
    last_round: bool
    """The round under way is certainly the last: the bell has rung."""
    over: bool
    places: list[int] | None
    scores: list[int] | None
    loads: list[ArkScore] | None
    """All arks, by seat, once the game is over."""
