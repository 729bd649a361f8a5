"""A room of two halves: who has a screen plays with those who have one, the others at real tables.

Each half is drawn by itself. Where the numbers do not come out, as few as possible of those with a screen sit down in
the room; they take turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from tournaments import draw
from tournaments.flow.book import Book
from tournaments.flow.tables import has_screen
from tournaments.models import Entrant, Rest
from tournaments.scoring.standings import draw_lot


@dataclass(frozen=True, slots=True)
class Halves:
    """Who plays in the room, who on screens, and who of those in the room has a screen but fills up a table."""

    room: tuple[Entrant, ...]
    screens: tuple[Entrant, ...]
    guests: tuple[Entrant, ...] = ()


def split(
    book: Book, present: Sequence[Entrant], number: int, *, tied: Sequence[Collection[int]], seed: str
) -> Halves | None:
    """The halves of a round; None where everybody plays in the same one, or one of them could not fill a table.

    tied: ids of people who sit together; where one of them has no screen, all of them play in the room.
    """
    bound = _find_bound(present, tied)
    room = [one for one in present if one.pk in bound]
    others = [one for one in present if one.pk not in bound]
    free = [one for one in others if not one.bot and not any(one.pk in group for group in tied)]
    byes, sat = _count_byes(book, number), _count_tables(book, number)
    free.sort(key=lambda one: (sat[one.pk], draw_lot(seed, str(one.number))))
    ways = [_move(room, others, free[:count]) for count in range(len(free) + 1)]
    possible = [way for way in ways if _fits(book, way.room) and _fits(book, way.screens)]
    return min(possible, key=lambda way: _cost(book, way, byes), default=None)


def _find_bound(present: Sequence[Entrant], tied: Sequence[Collection[int]]) -> set[int]:
    """Who must play in the room."""
    bound = {one.pk for one in present if not has_screen(one)}
    while more := {pk for group in tied if bound & set(group) for pk in group} - bound:
        bound |= more
    return bound


def _move(room: Sequence[Entrant], others: Sequence[Entrant], guests: Sequence[Entrant]) -> Halves:
    moved = {one.pk for one in guests}
    return Halves((*room, *guests), tuple(one for one in others if one.pk not in moved), tuple(guests))


def _fits(book: Book, half: Sequence[Entrant]) -> bool:
    return len(half) >= book.tournament.least


def _cost(book: Book, way: Halves, byes: Mapping[int, int]) -> tuple[int, int, int]:
    """Byes, byes for those who had one, and people who leave their screens."""
    halves = (way.room, way.screens)
    rests = [_count_left(len(half), book) for half in halves]
    again = sum(sum(sorted(byes[one.pk] for one in half)[:rest]) for half, rest in zip(halves, rests, strict=True))
    return sum(rests), again, len(way.guests)


def _count_left(people: int, book: Book) -> int:
    """How many are left over when tables are filled."""
    least, most = book.tournament.least, book.tournament.most
    return next(left for left in range(people + 1) if -(-(people - left) // most) * least <= people - left)


def _count_byes(book: Book, number: int) -> Counter[int]:
    return Counter(
        rest.entrant_id
        for played in book.before(number).rounds
        for rest in book.rests.get(played.pk, ())
        if rest.kind == Rest.Kind.BYE
    )


def _count_tables(book: Book, number: int) -> Counter[int]:
    """How often somebody sat at a real table."""
    return Counter(
        seat.entrant_id
        for played in book.before(number).rounds
        for pod in book.pods.get(played.pk, ())
        if not pod.is_online
        for seat in book.seats.get(pod.pk, ())
    )


def join(room: draw.Solution, screens: draw.Solution) -> draw.Solution:
    """Both halves as one draw. Nobody could meet across them, so the least of each line is the sum of theirs, as long
    as the lines before are proven."""
    lines: list[draw.Line] = []
    for one, two in zip(room.objective, screens.objective, strict=True):
        bound = one.bound + two.bound
        lines.append(draw.Line(one.name, one.value + two.value, bound if _is_proven(lines) else min(0, bound)))
    return draw.Solution(
        pods=(*room.pods, *screens.pods),
        byes=(*room.byes, *screens.byes),
        objective=tuple(lines),
        stopped=room.stopped or screens.stopped,
        seconds=room.seconds + screens.seconds,
    )


def _is_proven(lines: Sequence[draw.Line]) -> bool:
    return all(line.is_proven for line in lines)
