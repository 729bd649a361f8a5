"""Where bots may sit: only at online tables, since at a real table nobody could lay their cards.

In a mixed venue a bot is drawn with people on devices. In rounds that are paired by results alone, bots play only if
everybody is on a device.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tournaments import formats
from tournaments.flow.standings.book import Book
from tournaments.flow.tables.online_tables import plays_on_device
from tournaments.models import Entrant, Tournament, Venue
from tournaments.scoring.knockout import mix_sizes


def can_sit(book: Book, present: Sequence[Entrant], number: int) -> bool:
    """Whether all bots among these entrants can sit at online tables in this round."""
    bots = sum(bool(entrant.bot) for entrant in present)
    guests = _count_guests(book, present, number)
    return not bots or guests is None or any(_fills_tables(book.tournament, bots + some) for some in guests)


def can_fill(book: Book, present: Sequence[Entrant], number: int, more: int) -> bool:
    """Whether so many more bots on empty seats would fill all tables, with every bot at an online table."""
    bots = more + sum(bool(entrant.bot) for entrant in present)
    guests, people = _count_guests(book, present, number), more + len(present)
    return guests is None or any(
        _fills_tables(book.tournament, bots + some) and _fills_tables(book.tournament, people - bots - some)
        for some in guests
    )


def _count_guests(book: Book, present: Sequence[Entrant], number: int) -> range | None:
    """How many people can share the tables of the bots; None if everybody plays online."""
    tournament = book.tournament
    people = [entrant for entrant in present if not entrant.bot]
    with_screen = sum(map(plays_on_device, people))
    if tournament.venue == Venue.ONLINE or (tournament.venue != Venue.REAL and with_screen == len(people)):
        return None
    if tournament.venue == Venue.REAL or _is_by_results(book, number):
        return range(0)
    return range(1, with_screen + 1)


def _is_by_results(book: Book, number: int) -> bool:
    return formats.of(book.tournament).is_by_results(book.tournament, book.rounds, number)


def _fills_tables(tournament: Tournament, people: int) -> bool:
    """Whether so many fill tables of the agreed sizes, with nobody left over."""
    return bool(mix_sizes(people, wanted=tournament.wanted, least=tournament.least, most=tournament.most))


def keep_apart(tournament: Tournament, present: Sequence[Entrant]) -> Iterator[tuple[str, str]]:
    """Pairs of names that may not meet: each bot with each person who plays in the room."""
    if tournament.venue == Venue.ONLINE:
        return
    in_room = [
        entrant.name
        for entrant in present
        if not entrant.bot and (tournament.venue == Venue.REAL or not plays_on_device(entrant))
    ]
    for bot in present:
        if bot.bot:
            yield from ((bot.name, name) for name in in_room)
