"""A room of two halves: people on devices play with each other, the others at real tables.

Each half is drawn by itself. Where the numbers do not come out, as few as possible of those on devices sit down in
the room; they take turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from tournaments import draw
from tournaments.flow.standings.book import Book
from tournaments.flow.tables.online_tables import plays_on_device
from tournaments.models import Entrant, Rest
from tournaments.scoring.standings import compute_lot

FILLS_UP = "from the screens, to fill a table up: %(names)s"
MOST_WAYS = 3
"""To cut a room in halves, that are tried where rules about pairs are in the way of one."""


@dataclass(frozen=True, slots=True)
class Halves:
    """Who plays in the room, who on screens, and who of those in the room plays on a device but fills up a table.

    byes: how many the numbers leave over.
    """

    room: tuple[Entrant, ...]
    screens: tuple[Entrant, ...]
    guests: tuple[Entrant, ...] = ()
    byes: int = 0


def solve(problem: draw.Problem, ways: Sequence[Halves], tell: Callable[[int], None] | None = None) -> draw.Solution:
    """The draw in halves, in the first of these ways that leaves nobody over but for the numbers.

    Where rules about pairs leave no such way, everybody is drawn together if that seats more. Raises draw.DrawError
    if there is no draw at all.
    """
    found = []
    for way in ways[:MOST_WAYS]:
        try:
            solution = _solve_way(problem, way, tell)
        except draw.Conflict:
            continue
        if len(solution.byes) <= way.byes:
            return solution
        found.append(solution)
    return min([*found, draw.solve(problem, tell)], key=lambda solution: len(solution.byes))


def _solve_way(problem: draw.Problem, way: Halves, tell: Callable[[int], None] | None) -> draw.Solution:
    """Each half takes half of the time. What is said of people of the other half is passed over."""
    solved = []
    for index, half in enumerate((way.room, way.screens)):
        names = {one.name for one in half}
        here = tuple(one for one in problem.entrants if one.id in names)
        part = replace(problem, entrants=here, time_limit=problem.time_limit / 2)
        solved.append(draw.solve(part, None if tell is None else partial(_tell_half, tell, 50 * index)))
    return join(_greet(solved[0], way.guests), solved[1])


def _tell_half(tell: Callable[[int], None], begun: int, percent: int) -> None:
    tell(begun + percent // 2)


def _greet(room: draw.Solution, guests: Sequence[Entrant]) -> draw.Solution:
    """Say at each table who of its people plays on a device, and why they sit here."""
    names = {one.name for one in guests}
    return replace(
        room,
        pods=tuple(
            replace(pod, reason=(*pod.reason, draw.Sentence(FILLS_UP, {"names": found})))
            if (found := tuple(name for name in pod.seats if name in names))
            else pod
            for pod in room.pods
        ),
    )


def split(
    book: Book, present: Sequence[Entrant], number: int, *, tied: Sequence[Collection[int]], seed: str
) -> tuple[Halves, ...]:
    """The halves of a round, the best way first; none where everybody plays in one, or one could not fill a table.

    tied: ids of people who sit together; where one of them plays in the room, all of them do.
    """
    bound = _find_bound(present, tied)
    room = [one for one in present if one.pk in bound]
    others = [one for one in present if one.pk not in bound]
    free = [one for one in others if not one.bot and not any(one.pk in group for group in tied)]
    byes, sat = _count_byes(book, number), _count_tables(book, number)
    free.sort(key=lambda one: (sat[one.pk], compute_lot(seed, str(one.number))))
    ways = [_move(room, others, free[:count]) for count in range(len(free) + 1)]
    possible = [(_cost(book, way, byes), way) for way in ways if _fits(book, way.room) and _fits(book, way.screens)]
    return tuple(replace(way, byes=cost[0]) for cost, way in sorted(possible, key=lambda known: known[0]))


def _find_bound(present: Sequence[Entrant], tied: Sequence[Collection[int]]) -> set[int]:
    """Who must play in the room."""
    bound = {one.pk for one in present if not plays_on_device(one)}
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
    lines: list[draw.ObjectiveLine] = []
    for one, two in zip(room.objective, screens.objective, strict=True):
        bound = one.bound + two.bound
        lines.append(draw.ObjectiveLine(one.name, one.value + two.value, bound if _is_proven(lines) else min(0, bound)))
    return draw.Solution(
        pods=(*room.pods, *screens.pods),
        byes=(*room.byes, *screens.byes),
        objective=tuple(lines),
        stopped=room.stopped or screens.stopped,
        seconds=room.seconds + screens.seconds,
    )


def _is_proven(lines: Sequence[draw.ObjectiveLine]) -> bool:
    return all(line.is_proven for line in lines)
