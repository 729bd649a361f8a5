"""The view of a seat or spectator of a climbing game: what they may know, as JSON values."""

from __future__ import annotations

from typing import TypedDict


class Exchange(TypedDict):
    """One gift of the class privilege (Animal Poker: cashing in) before this deal.

    `cards` only for the two seats it passed between, None for everybody else.
    """

    giver: int
    taker: int
    count: int
    cards: list[str] | None


class PackView(TypedDict):
    """The cards of the table: so many of each number, and jokers."""

    sets: int
    jokers: int


class FinishedDeal(TypedDict):
    """A finished deal: `ranks` won in it, by seat, 1 = best."""

    deal: int
    ranks: list[int]


class ClimbingView(TypedDict):
    """The one shape for Karriere Poker and Animal Poker (whose deals are called sessions)."""

    game: str
    seat: int | None
    deal: int
    order: list[int]
    ranks: list[int] | None
    """Positions or jobs held in this deal, by seat, 1 = top; None in Karriere Poker's first deal."""
    rank_names: list[str]
    """Slug of every position or job in play, from the top: "boss" …, "ceo" …"""
    to_act: list[int]
    leader: int
    """Who led, or is to lead, the present round."""
    table: list[str]
    """The cards to beat, sorted; empty when the next play leads."""
    table_number: int | None
    table_seat: int | None
    passed: list[int]
    """Seats that have passed since the last play (Animal Poker: in this round)."""
    done: list[int]
    """Seats that have had their one turn in this round (Animal Poker; empty in Karriere Poker)."""
    hand_sizes: list[int]
    hand: list[str] | None
    """The viewer's own cards, sorted 1 … 13, then jokers; None for a spectator."""
    played: list[list[str]]
    """Cards played in this deal, sorted, by seat."""
    refused: list[dict[str, int]]
    """What each seat has passed on in this deal: number of cards, as text → lowest number on the table."""
    led: list[int]
    """Highest number that each seat has led in this deal, 0 for none. Leads are usually low cards."""
    pack: PackView
    wild: str
    """The word for a joker: "J", in Animal Poker "F"."""
    can_name_jokers: bool
    out: list[int]
    """Seats out of cards in this deal, first out first."""
    scores: list[int] | None
    exchanges: list[Exchange]
    exchanged_now: bool
    """True until the first move of the deal."""
    past: list[FinishedDeal]
    last_deal: bool
    """The deal under way is certainly the last: the number is reached or the bell has rung."""
    deals: int | None
    """Agreed number of deals, if any."""
    minutes: int | None
    over: bool
    places: list[int] | None
