"""The standings of a tournament after a round, or of an arena after a number of results; cached in the book."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import is_
from typing import NamedTuple

from tournaments import formats
from tournaments.flow.standings import arena_games
from tournaments.flow.standings.book import Book
from tournaments.formats.base import OlderRules
from tournaments.models import Entrant, PodSeat, Rest, Round, Stage, Tournament
from tournaments.scoring.points import Scheme
from tournaments.scoring.results import PodResult, RoundResult
from tournaments.scoring.standings import Standing
from tournaments.scoring.tally import Tallies, add_round, add_up, penalise, tally_games

OLDER_RULES = (OlderRules(has_zero_tie_breaks=True), OlderRules(has_zero_tie_breaks=True, has_plain_knockout=True))
"""The rules by which older archives were ranked, the latest first."""


def rank(book: Book, after: int | None = None, *, live: bool = False) -> tuple[Standing, ...]:
    """The standings after this round, best first. after: None for all complete rounds; in an arena a number of results.

    live: include the results of the running round. While no input changes, the same tuple is returned.
    """
    if not formats.of(book.tournament).has_rounds:
        return _rank_games(book, after)
    counted = list_counted(book, after, live=live)
    keys = _list_keys(book, counted)
    plan, is_last = book.tournament, counted[-1:] == book.complete_rounds()[-1:]
    counts = (plan.format, plan.advance, book.scheme)
    way = ("standings", *counts, after, live, is_last, *(played.stage for played in counted))
    made_of = (book.entrants, keys, *map(book.round_result, counted))
    return book.derived.get(way, made_of, lambda: formats.of(plan).rank(PlayedRounds(book, counted, keys)))


def rank_by_older_rules(book: Book) -> Iterator[tuple[Standing, ...]]:
    """The final standings by each of `OLDER_RULES`."""
    form = formats.of(book.tournament)
    if not form.has_rounds:
        yield form.rank(PlayedGames(book, arena_games.build_round_result(book, None)), OLDER_RULES[0])
        return
    counted = list_counted(book)
    keys = _list_keys(book, counted)
    for older in OLDER_RULES:
        yield form.rank(PlayedRounds(book, counted, keys), older)


def list_tie_breaks(book: Book) -> tuple[str, ...]:
    """The tie-breaks that the standings show; none in formats without points."""
    return book.scheme.tie_breaks if formats.of(book.tournament).columns.has_points else ()


def list_counted(book: Book, after: int | None = None, *, live: bool = False) -> tuple[Round, ...]:
    """The rounds that count, up to the number `after`. live: include the one that is being played."""
    statuses = (Round.Status.COMPLETE, Round.Status.RELEASED) if live else (Round.Status.COMPLETE,)
    return tuple(
        played for played in book.rounds if (after is None or played.number <= after) and played.status in statuses
    )


@dataclass(frozen=True)
class PlayedRounds:
    """These rounds of a book as `formats.base.PlayedResults`. keys: of the entrants to be ranked."""

    book: Book
    rounds: tuple[Round, ...]
    keys: Sequence[str]

    @property
    def plan(self) -> Tournament:
        """The tournament."""
        return self.book.tournament

    @property
    def scheme(self) -> Scheme:
        """How it counts."""
        return self.book.scheme

    @property
    def people(self) -> Mapping[str, Entrant]:
        """The entrants by key."""
        return self.book.by_key

    def result(self, number: int) -> RoundResult:
        """A round, pods without a result left out."""
        return self.book.round_result(self.book.find_round(number))

    def add_up(self, rounds: Sequence[RoundResult]) -> Tallies:
        """The sums of these rounds. Those of all but the last are cached, since they no longer change."""
        scheme, derived = self.scheme, self.book.derived
        if not rounds:
            return add_up(self.keys, (), scheme)
        before = rounds[:-1]
        way, made_of = ("sums", scheme, len(before)), (self.keys, *before)
        sums = derived.get(way, made_of, lambda: add_up(self.keys, before, scheme))
        return add_round(sums, rounds[-1], scheme, number=len(rounds))

    def list_playing(self, number: int) -> frozenset[str]:
        """The keys of those who sit at a table without a result in this round."""
        book = self.book
        still = (pod for pod in book.pods.get(book.find_round(number).pk, ()) if book.pod_result(pod) is None)
        return frozenset(book.key(seat.entrant_id) for pod in still for seat in book.seats.get(pod.pk, ()))

    def is_last_complete(self, number: int) -> bool:
        """Whether this is the latest complete round."""
        return [played.number for played in self.book.complete_rounds()[-1:]] == [number]


class ArenaRound(NamedTuple):
    """The single round of an arena, as `formats.base.PlayedRound`."""

    number: int = 1
    stage: str = Stage.ARENA
    status: str = Round.Status.RELEASED
    solution: str = ""


@dataclass(frozen=True)
class PlayedGames:
    """The games of an arena as `formats.base.PlayedResults`: one round in which people play at many tables."""

    book: Book
    games: RoundResult
    keys: Sequence[str] | None = None
    """Who is ranked, by these games alone; None for everybody, by cached sums."""
    rounds: Sequence[ArenaRound] = (ArenaRound(),)

    @property
    def plan(self) -> Tournament:
        """The tournament."""
        return self.book.tournament

    @property
    def scheme(self) -> Scheme:
        """How it counts."""
        return self.book.scheme

    @property
    def people(self) -> Mapping[str, Entrant]:
        """The entrants by key."""
        return self.book.by_key

    def result(self, number: int) -> RoundResult:
        """All games."""
        return self.games

    def add_up(self, rounds: Sequence[RoundResult]) -> Tallies:
        """The sums of all games."""
        return _add_games(self.book, self.games) if self.keys is None else add_up(self.keys, rounds, self.scheme)

    def list_playing(self, number: int) -> frozenset[str]:
        """Nobody: every result counts at once."""
        return frozenset()

    def is_last_complete(self, number: int) -> bool:
        """Whether it is over."""
        return bool(self.book.complete_rounds())


def _rank_games(book: Book, after: int | None) -> tuple[Standing, ...]:
    played, form = arena_games.build_round_result(book, after), formats.of(book.tournament)
    if after is not None and after < len(arena_games.find_games(book).over):
        keys = sorted({entrant for pod in played.pods for entrant in pod.entrants})
        return form.rank(PlayedGames(book, played, keys))
    way = ("standings", book.scheme)
    made_of = (book.entrants, _list_keys(book), book.penalties, *played.pods)
    return book.derived.get(way, made_of, lambda: form.rank(PlayedGames(book, played)))


def _add_games(book: Book, played: RoundResult) -> Tallies:
    """The sums of all games; computed anew only for people whose games have changed."""
    way = ("sums", book.scheme)
    kept: tuple[dict[str, list[PodResult]], Tallies] = book.derived.get(way, (), lambda: ({}, {}))
    before, games_before = kept
    games: dict[str, list[PodResult]] = {key: [] for key in _list_keys(book)}
    for pod in played.pods:
        for key in pod.entrants:
            if key in games:
                games[key].append(pod)
    new = {key: pods for key, pods in games.items() if key not in before or not _is_same(pods, before[key])}
    fresh = tally_games(new, book.scheme)
    sums = {key: fresh[key] if key in fresh else games_before[key] for key in games}
    book.derived.put(way, (), (games, sums))
    return penalise(sums, played.penalties)


def _is_same(games: Sequence[object], before: Sequence[object]) -> bool:
    return len(games) == len(before) and all(map(is_, games, before))


def _list_keys(book: Book, counted: Sequence[Round] = ()) -> tuple[str, ...]:
    """The keys of who is ranked after these rounds: everybody who was in one of them, also if they have left since.

    Before the first round, and in an arena: everybody who has played or is checked in.
    """
    made_of = (book.entrants, *_list_places(book, counted))
    way = ("keys", *(played.number for played in counted))
    found = book.derived.get(way, made_of, lambda: find_keys(book, counted))
    return book.derived.get(("these", found), (), lambda: found)


def _list_places(book: Book, counted: Sequence[Round]) -> list[tuple[PodSeat, ...] | tuple[Rest, ...]]:
    """The seats, byes and absences of these rounds; of no rounds, all seats."""
    ids = [pod.id for played in counted for pod in book.pods.get(played.id, ())] if counted else book.seats
    return [*(book.seats.get(pk, ()) for pk in ids), *(book.rests.get(played.pk, ()) for played in counted)]


def find_keys(book: Book, counted: Sequence[Round]) -> tuple[str, ...]:
    """As `_list_keys`, without a cache."""
    entrants = {place.entrant_id for places in _list_places(book, counted) for place in places}
    return tuple(
        str(entrant.number)
        for entrant in book.entrants.values()
        if entrant.pk in entrants or (not counted and _is_present(entrant))
    )


def _is_present(entrant: Entrant) -> bool:
    return entrant.status == Entrant.Status.PRESENT and not (entrant.bot and entrant.is_away)
