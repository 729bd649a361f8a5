"""Where bots may sit: on screens. At a real table nobody could lay their cards.

Where a room plays both, a bot is drawn with people who have a screen. In rounds in which results alone say who sits
together bots play as long as everybody has one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tournaments import formats
from tournaments.flow.standings.book import Book
from tournaments.flow.tables.online_tables import plays_on_device
from tournaments.models import Entrant, Tournament, Venue
from tournaments.scoring.knockout import mix_sizes


def can_sit(book: Book, here: Sequence[Entrant], number: int) -> bool:
    """Whether the bots among these can be at tables on screens in this round."""
    bots = sum(bool(one.bot) for one in here)
    guests = _count_guests(book, here, number)
    return not bots or guests is None or any(_fits(book.tournament, bots + some) for some in guests)


def can_fill(book: Book, here: Sequence[Entrant], number: int, more: int) -> bool:
    """Whether so many bots on empty chairs, where all would fill tables, find theirs on screens."""
    bots = more + sum(bool(one.bot) for one in here)
    guests, people = _count_guests(book, here, number), more + len(here)
    return guests is None or any(
        _fits(book.tournament, bots + some) and _fits(book.tournament, people - bots - some) for some in guests
    )


def _count_guests(book: Book, here: Sequence[Entrant], number: int) -> range | None:
    """How many people there may be at the tables of bots, if there are any; None if everybody plays on screens."""
    tournament = book.tournament
    people = [one for one in here if not one.bot]
    with_screen = sum(map(plays_on_device, people))
    if tournament.venue == Venue.ONLINE or (tournament.venue != Venue.REAL and with_screen == len(people)):
        return None
    if tournament.venue == Venue.REAL or _is_by_results(book, number):
        return range(0)
    return range(1, with_screen + 1)


def _is_by_results(book: Book, number: int) -> bool:
    return formats.of(book.tournament).is_by_results(book.tournament, book.rounds, number)


def _fits(tournament: Tournament, people: int) -> bool:
    """Whether so many fill tables of the sizes agreed."""
    return bool(mix_sizes(people, wanted=tournament.wanted, least=tournament.least, most=tournament.most))


def keep_apart(tournament: Tournament, here: Sequence[Entrant]) -> Iterator[tuple[str, str]]:
    """The names of who may not meet: bots, and people who play in the room."""
    if tournament.venue == Venue.ONLINE:
        return
    in_room = [one.name for one in here if not one.bot and (tournament.venue == Venue.REAL or not plays_on_device(one))]
    for bot in here:
        if bot.bot:
            yield from ((bot.name, name) for name in in_room)
