"""The view of a seat or spectator of Fancy Animals: what they may know, as JSON values."""

from __future__ import annotations

from typing import TypedDict


class FancyAnimalsView(TypedDict):
    """Seats play in the order of their numbers."""

    game: str
    seat: int | None
    to_act: list[int]
    top: int
    """The highest number in play: 13, with two players 11."""
    animals: list[str]
    """The animal of each seat."""
    table: list[list[str]]
    """Melds; each a list of pieces such as "7LG:G" or "hand-G-1:7"."""
    hand: list[str] | None
    """The viewer's own cards, sorted; None for a spectator."""
    hand_sizes: list[int]
    deck_size: int
    offer: list[list[str]]
    """The pieces on offer, first card first, by slot (hand, feet, body, head)."""
    clothing_sizes: list[int]
    """Cards left in each slot's deck, the pieces on offer included."""
    worn: list[dict[str, list[str]]]
    """What each seat's animal wears: spot → pieces, bottom first; empty spots are left out."""
    scores: list[int]
    active: list[str]
    """Special rules that are on, sorted."""
    can_draw: bool
    """Whether the seat to act may draw; otherwise it may pass."""
    passes: int
    """Passes in succession."""
    last_turns: list[int] | None
    """Seats still to have their final turn, in playing order."""
    over: bool
    places: list[int] | None
