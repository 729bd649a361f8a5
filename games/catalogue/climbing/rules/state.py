"""The immutable state of a climbing game.

A *place* is an index into `order`: clockwise from the one who sits first. Those who hold ranks sit in
falling rank, and in a deal without ranks the order stands in for them, so place + 1 is always the rank.
Sets of places are bit masks.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from games.catalogue.climbing.rules.cards import HIGHEST, MAX_SETS, Hand
from games.catalogue.climbing.rules.plays import Play
from games.rules.base import Seat
from games.rules.chance import Chance

REFUSED_BITS: Final = 4 * MAX_SETS
"""Bits that `State.refused` has for each place."""


class Terms(NamedTuple):
    """What the table agreed on. listed: the set-up's hands by seat for deal 1, 2 …, None where left out."""

    seats: int
    deals: int | None
    minutes: int | None
    names: tuple[str, ...]
    lazy: bool
    listed: tuple[tuple[Hand, ...] | None, ...]


class Gift(NamedTuple):
    """Cards that went from one seat to another before a deal."""

    giver: Seat
    taker: Seat
    cards: Hand


class Deal(NamedTuple):
    """What stays the same for a whole deal. start: hands by place after the exchange; serial: of its first turn."""

    number: int
    order: tuple[Seat, ...]
    is_ranked: bool
    start: tuple[Hand, ...]
    gifts: tuple[Gift, ...]
    serial: int


class Progress(NamedTuple):
    """The whole game: what stays from deal to deal. past: the ranks won in every finished deal, by seat."""

    terms: Terms
    past: tuple[tuple[int, ...], ...]
    bell: bool
    chance: Chance


class State(NamedTuple):
    """A position. acted, passed: masks of the places that are not asked again in this round."""

    progress: Progress
    deal: Deal
    hands: tuple[Hand, ...]
    """Cards in hand, by place in the playing order."""
    turn: int
    """The place to act, −1 when the game is over."""
    leader: int
    """The place that led, or is to lead, the round."""
    play: Play | None
    """The cards to beat."""
    number: int
    """Their number, 0 for none."""
    holder: int
    """The place that played them, −1 for none."""
    acted: int
    passed: int
    alive: int
    """Who holds cards."""
    out: tuple[int, ...]
    """Places without cards, first out first."""
    serial: int
    """Rises with every turn."""
    refused: int
    """What places have passed on in this deal, see `note_refusal`."""
    led: int
    """The highest number that each place has led in this deal, see `note_lead`."""


OVER = -1
NOBODY = -1


def _nearest(mask: int, place: int, step: int) -> int:
    ring = ((place + step * i) % 8 for i in range(1, 9))
    return next((near for near in ring if mask >> near & 1), NOBODY)


CLOCKWISE = tuple(tuple(_nearest(mask, place, 1) for place in range(8)) for mask in range(256))
"""CLOCKWISE[mask][place]: the next of these places after it."""
COUNTERCLOCKWISE = tuple(tuple(_nearest(mask, place, -1) for place in range(8)) for mask in range(256))


def list_places(mask: int) -> list[int]:
    """The places in a mask, rising."""
    return [place for place in range(8) if mask >> place & 1]


def begin_deal(progress: Progress, deal: Deal) -> State:
    """The first position of a deal: everybody holds cards, the first place leads."""
    alive = (1 << progress.terms.seats) - 1
    return State(progress, deal, deal.start, 0, 0, None, 0, NOBODY, 0, 0, alive, (), deal.serial, 0, 0)


def note_refusal(refused: int, place: int, count: int, number: int) -> int:
    """What places have passed on, with one more pass, on `count` cards of `number`.

    Packed into one integer: `REFUSED_BITS` for each place, of which four for each count, one card first: the lowest
    number that the place has passed on, 0 for none. Plays of jokers alone, and of more cards than a table has of a
    number, are left out.
    """
    if number > HIGHEST or count > MAX_SETS:
        return refused
    shift = REFUSED_BITS * place + 4 * count - 4
    lowest = refused >> shift & 15
    return refused + (number - lowest << shift) if number < lowest or not lowest else refused


def list_refused(refused: int, seats: int) -> list[int]:
    """By place, the refusals that `note_refusal` has packed into bits."""
    return [refused >> REFUSED_BITS * place & (1 << REFUSED_BITS) - 1 for place in range(seats)]


def pack_refused(places: Iterable[int]) -> int:
    """The inverse of `list_refused`."""
    return sum(bits << REFUSED_BITS * place for place, bits in enumerate(places))


def note_lead(led: int, place: int, number: int) -> int:
    """What places have led, with one more lead. Leads of jokers alone are left out.

    Packed into one integer, four bits for each place: the highest number that it has led, 0 for none.
    """
    shift = 4 * place
    highest = led >> shift & 15
    return led + (number - highest << shift) if highest < number <= HIGHEST else led


def list_led(led: int, seats: int) -> list[int]:
    """By place, the numbers that `note_lead` has packed."""
    return [led >> 4 * place & 15 for place in range(seats)]


def pack_led(places: Iterable[int]) -> int:
    """The inverse of `list_led`."""
    return sum(number << 4 * place for place, number in enumerate(places))


def rank_seats(order: tuple[Seat, ...]) -> list[int]:
    """The rank of each seat when they sit in this order, 1 = top."""
    return list(_rank(order))


@lru_cache(maxsize=1 << 12)
def _rank(order: tuple[Seat, ...]) -> tuple[int, ...]:
    return tuple(order.index(seat) + 1 for seat in range(len(order)))
