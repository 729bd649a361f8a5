"""Draws of a split venue: people on devices play with each other, the others at real tables.

Each half is drawn by itself. If the numbers do not fill the tables, as few people on devices as possible play in the
room; they take turns.
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
MAX_SPLITS = 3
"""How many splits are tried if pair rules make the first ones impossible. Each costs the whole time limit of a draw."""


@dataclass(frozen=True, slots=True)
class VenueSplit:
    """One way to split the entrants of a round. guests: those in `room` who play on a device and fill up a table.

    byes: how many people are left over by the table sizes alone.
    """

    room: tuple[Entrant, ...]
    screens: tuple[Entrant, ...]
    guests: tuple[Entrant, ...] = ()
    byes: int = 0


def solve(
    problem: draw.Problem, splits: Sequence[VenueSplit], report: Callable[[int], None] | None = None
) -> draw.Solution:
    """Draw both halves of the first split without more byes than its table sizes imply.

    If pair rules leave no such split, the draw with the fewest byes, also of everybody together. Raises
    draw.DrawError if there is no draw at all.
    """
    found = []
    for split in splits[:MAX_SPLITS]:
        try:
            solution = _solve_split(problem, split, report)
        except draw.Conflict:
            continue
        if len(solution.byes) <= split.byes:
            return solution
        found.append(solution)
    return min([*found, draw.solve(problem, report)], key=lambda solution: len(solution.byes))


def _solve_split(problem: draw.Problem, split: VenueSplit, report: Callable[[int], None] | None) -> draw.Solution:
    """Each half gets half of the time limit. Rules about people of the other half are ignored."""
    solved = []
    for index, half in enumerate((split.room, split.screens)):
        names = {entrant.name for entrant in half}
        entrants = tuple(entrant for entrant in problem.entrants if entrant.id in names)
        part = replace(problem, entrants=entrants, time_limit=problem.time_limit / 2)
        solved.append(draw.solve(part, None if report is None else partial(_report_half, report, 50 * index)))
    return merge_solutions(_explain_guests(solved[0], split.guests), solved[1])


def _report_half(report: Callable[[int], None], begun: int, percent: int) -> None:
    report(begun + percent // 2)


def _explain_guests(room: draw.Solution, guests: Sequence[Entrant]) -> draw.Solution:
    """Add to the reasons of each table who plays on a device and only fills it up."""
    names = {entrant.name for entrant in guests}
    return replace(
        room,
        pods=tuple(
            replace(pod, reason=(*pod.reason, draw.Sentence(FILLS_UP, {"names": found})))
            if (found := tuple(name for name in pod.seats if name in names))
            else pod
            for pod in room.pods
        ),
    )


def list_splits(
    book: Book, present: Sequence[Entrant], number: int, *, tied: Sequence[Collection[int]], seed: str
) -> tuple[VenueSplit, ...]:
    """The splits of a round, best first; empty if one half could not fill a table.

    tied: ids of people who sit together; if one of them plays in the room, all of them do. seed: of the lots that
    decide whose turn it is to leave their screen.
    """
    bound = _find_bound(present, tied)
    room = [entrant for entrant in present if entrant.pk in bound]
    others = [entrant for entrant in present if entrant.pk not in bound]
    free = [entrant for entrant in others if not entrant.bot and not any(entrant.pk in group for group in tied)]
    byes, sat = _count_byes(book, number), _count_tables(book, number)
    free.sort(key=lambda entrant: (sat[entrant.pk], compute_lot(seed, str(entrant.number))))
    splits = [_move(room, others, free[:count]) for count in range(len(free) + 1)]
    possible = [
        (_cost_of_split(book, split, byes), split)
        for split in splits
        if _fills_table(book, split.room) and _fills_table(book, split.screens)
    ]
    return tuple(replace(split, byes=cost[0]) for cost, split in sorted(possible, key=lambda priced: priced[0]))


def _find_bound(present: Sequence[Entrant], tied: Sequence[Collection[int]]) -> set[int]:
    """The ids of who must play in the room: without a device, or tied to somebody without one."""
    bound = {entrant.pk for entrant in present if not plays_on_device(entrant)}
    while more := {pk for group in tied if bound & set(group) for pk in group} - bound:
        bound |= more
    return bound


def _move(room: Sequence[Entrant], others: Sequence[Entrant], guests: Sequence[Entrant]) -> VenueSplit:
    moved = {entrant.pk for entrant in guests}
    return VenueSplit((*room, *guests), tuple(other for other in others if other.pk not in moved), tuple(guests))


def _fills_table(book: Book, half: Sequence[Entrant]) -> bool:
    return len(half) >= book.tournament.least


def _cost_of_split(book: Book, split: VenueSplit, byes: Mapping[int, int]) -> tuple[int, int, int]:
    """What a split costs, the worst first: byes, earlier byes of those who get one, people who leave their screens."""
    halves = (split.room, split.screens)
    rests = [_count_left(len(half), book) for half in halves]
    again = sum(
        sum(sorted(byes[entrant.pk] for entrant in half)[:rest]) for half, rest in zip(halves, rests, strict=True)
    )
    return sum(rests), again, len(split.guests)


def _count_left(people: int, book: Book) -> int:
    """How many of so many people are left over when tables are filled."""
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
    """Entrant id → how often they sat at a real table before this round."""
    return Counter(
        seat.entrant_id
        for played in book.before(number).rounds
        for pod in book.pods.get(played.pk, ())
        if not pod.is_online
        for seat in book.seats.get(pod.pk, ())
    )


def merge_solutions(room: draw.Solution, screens: draw.Solution) -> draw.Solution:
    """Both halves as one draw. Nobody could meet across them, so the bound of each objective is the sum of theirs, as
    long as all objectives before it are proven."""
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
