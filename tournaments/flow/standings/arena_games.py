"""The games of an arena, computed from its book; what an earlier book has computed is reused."""

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
class ArenaGames:
    """playing: the pods without a result; over: those with one, in the order of their results; results: of these, as
    scoring sees them."""

    playing: tuple[Pod, ...]
    over: tuple[Pod, ...]
    results: tuple[PodResult, ...]


def find_games(book: Book) -> ArenaGames:
    """The games of a book, computed once."""
    made_of = (book.rounds, book.pods, book.seats, book.results)
    return book.derived.get(("all games",), made_of, lambda: _find_games(book))


def _find_games(book: Book) -> ArenaGames:
    playing, done = [], []
    for pod in chain.from_iterable(book.pods.get(played.id, ()) for played in book.rounds):
        if book.accepted(pod) is not None:
            done.append((book.results[pod.id][0].at, pod.number, pod))
        else:
            playing.append(pod)
    over = tuple([pod for _, _, pod in sorted(done, key=lambda row: row[:2])])
    return ArenaGames(tuple(playing), over, _list_results(book, over))


def _list_results(book: Book, over: tuple[Pod, ...]) -> tuple[PodResult, ...]:
    """The results of these pods; those of the longest unchanged prefix are reused."""
    rows = tuple([(book.seats.get(pod.id, ()), book.results.get(pod.id, ())) for pod in over])
    cached: tuple[tuple[Any, ...], tuple[PodResult, ...]] = book.derived.peek(("games",)) or ((), ())
    before, results = cached
    same = 0
    for (seats, given), (seats_before, given_before) in zip(rows, before, strict=False):
        if seats is not seats_before or given is not given_before:
            break
        same += 1
    new = (book.pod_result(pod) for pod in over[same:])
    results = (*results[:same], *(pod for pod in new if pod is not None))
    book.derived.put(("games",), rows, results)
    return results


def find_last_ends(book: Book) -> Mapping[int, float]:
    """Entrant id → when their last game ended (seconds since 1970): their own, or one they played as a substitute."""
    last: dict[int, float] = {}
    entrants = {entrant.player_id: entrant.pk for entrant in book.entrants.values() if entrant.player_id is not None}
    for pod in find_games(book).over:
        at = book.results[pod.id][0].at
        for seat in book.seats.get(pod.id, ()):
            last[seat.entrant_id] = at
            if seat.substitute_id in entrants:
                last[entrants[seat.substitute_id]] = at
    return last


def build_round_result(book: Book, after: int | None) -> RoundResult:
    """An arena as scoring sees it: one round in which people play at many tables. after: count so many games only."""
    penalties: dict[str, int] = defaultdict(int)
    for penalty in book.penalties:
        penalties[book.key(penalty.entrant_id)] += penalty.points
    return RoundResult(pods=find_games(book).results[:after], penalties=penalties)
