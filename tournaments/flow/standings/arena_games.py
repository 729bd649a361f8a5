"""The games of an arena as its book has them, told on from those that an earlier book knew."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from tournaments.flow.standings.book import Book
from tournaments.models import Pod
from tournaments.scoring.results import PodResult, RoundResult


@dataclass(frozen=True, slots=True)
class Games:
    """playing: the tables at which people sit now; over: those that have a result, in the order in which they came to
    their end; told: these as scoring sees them."""

    playing: tuple[Pod, ...]
    over: tuple[Pod, ...]
    told: tuple[PodResult, ...]


def find_games(book: Book) -> Games:
    """The games of a book, looked up once."""
    made_of = (book.rounds, book.pods, book.seats, book.results)
    return book.derived.get(("all games",), made_of, lambda: _find_games(book))


def _find_games(book: Book) -> Games:
    playing, done = [], []
    for pod in chain.from_iterable(book.pods.get(played.id, ()) for played in book.rounds):
        if book.accepted(pod) is not None:
            done.append((book.results[pod.id][0].at, pod.number, pod))
        else:
            playing.append(pod)
    over = tuple([pod for _, _, pod in sorted(done, key=lambda row: row[:2])])
    return Games(tuple(playing), over, _tell(book, over))


def _tell(book: Book, over: tuple[Pod, ...]) -> tuple[PodResult, ...]:
    """Only those games are told anew that are not, one after the other, as they were."""
    rows = tuple([(book.seats.get(pod.id, ()), book.results.get(pod.id, ())) for pod in over])
    known: tuple[tuple[Any, ...], tuple[PodResult, ...]] = book.derived.peek(("games",)) or ((), ())
    before, told = known
    same = 0
    for (seats, results), (seats_before, results_before) in zip(rows, before, strict=False):
        if seats is not seats_before or results is not results_before:
            break
        same += 1
    new = (book.pod_result(pod) for pod in over[same:])
    told = (*told[:same], *(one for one in new if one is not None))
    book.derived.put(("games",), rows, told)
    return told


def find_ends(book: Book) -> Mapping[int, float]:
    """When everybody's last game was over, his own or one that he played for somebody, by entrant."""
    last: dict[int, float] = {}
    entrants = {one.player_id: one.pk for one in book.entrants.values() if one.player_id is not None}
    for pod in find_games(book).over:
        at = book.results[pod.id][0].at
        for seat in book.seats.get(pod.id, ()):
            last[seat.entrant_id] = at
            if seat.substitute_id in entrants:
                last[entrants[seat.substitute_id]] = at
    return last


def tell_result(book: Book, after: int | None) -> RoundResult:
    """An arena as scoring sees it: one round in which everybody sits at many tables."""
    penalties: dict[str, int] = defaultdict(int)
    for penalty in book.penalties:
        penalties[book.key(penalty.entrant_id)] += penalty.points
    return RoundResult(pods=find_games(book).told[:after], penalties=penalties)
