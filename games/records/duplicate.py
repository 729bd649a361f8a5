"""Duplicate deals in a record: the inputs of the seed of a tournament's round, besides its secret."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from games.records.faults import Fault
from games.records.fields import read_integer, read_list, read_object_at, read_text

MAX_TOURNAMENT: Final = 100
MAX_NUMBER: Final = 1_000_000
MAX_CONTRIBUTIONS: Final = 5_000
MAX_CONTRIBUTION: Final = 256


class RoundDeal(NamedTuple):
    """The deal that all tables of one size share in a round.

    tournament: its id; round: from 1; seating: of an arena from 1, else 0; seats: players at such a table;
    contributions: what the entrants added, in order of their numbers from 1, None for nothing.
    """

    tournament: str
    round: int
    seating: int
    seats: int
    contributions: tuple[str | None, ...]


def read_duplicate(document: Mapping[str, Any], players: int) -> RoundDeal | None:
    """The key `duplicate` of a record, if it is there. Raises Fault."""
    if document.get("duplicate") is None:
        return None
    if document.get("entropy") is not None:
        raise Fault("a record has either “entropy” (by seat) or “duplicate” (by entrant), not both")
    source = read_object_at(document, "duplicate")
    deal = RoundDeal(
        tournament=read_text(source, "tournament", MAX_TOURNAMENT),
        round=_read_number(source, "round"),
        seating=_read_number(source, "seating") if "seating" in source else 0,
        seats=_read_number(source, "seats"),
        contributions=_read_contributions(source),
    )
    if deal.seats != players:
        values = {"seats": deal.seats, "players": players}
        raise Fault("“duplicate” is for tables of %(seats)d players, but the record has %(players)d", values)
    return deal


def write_duplicate(deal: RoundDeal) -> dict[str, Any]:
    """The inverse of `read_duplicate`: the value of the key."""
    return {
        "tournament": deal.tournament,
        "round": deal.round,
        "seating": deal.seating,
        "seats": deal.seats,
        "contributions": list(deal.contributions),
    }


def _read_number(source: Mapping[str, Any], key: str) -> int:
    number = read_integer(source, key)
    if not 0 <= number <= MAX_NUMBER:
        raise Fault("“%(key)s” must be a number from 0 to %(most)d", {"key": key, "most": MAX_NUMBER})
    return number


def _read_contributions(source: Mapping[str, Any]) -> tuple[str | None, ...]:
    given = read_list(source, "contributions", MAX_CONTRIBUTIONS)
    for number, one in enumerate(given, start=1):
        if one is not None and not (isinstance(one, str) and len(one) <= MAX_CONTRIBUTION):
            values = {"number": number, "most": MAX_CONTRIBUTION}
            raise Fault(
                "“contributions”: the entry of entrant %(number)d must be null or a string of at most "
                "%(most)d characters",
                values,
            )
    return tuple(given)
