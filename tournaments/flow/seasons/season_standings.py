"""The standings of a season, after any of its tournaments.

A process reads only what has changed since: the standings of a tournament, its people and what it is worth follow from
its version, and the table after the first tournaments changes with none that comes later.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TypeAlias

import msgspec
from django.db.models import Count, F, Q, QuerySet

from games.memo import DerivedValues, Memo
from games.models import Player
from tournaments.flow.seasons.season_people import Entry, match
from tournaments.flow.standings import ranking
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import Entrant, Phase, Season, SeasonName, Tournament
from tournaments.scoring.seasons import TIE_BREAKS, FinishedTournament, SeasonLine, SeasonScheme, rank_season
from tournaments.scoring.standings import Standing

OVER = (Phase.FINISHED, Phase.ARCHIVED)
Ranker = Callable[[Tournament], Sequence[Standing]]


def counted_of(season: Season) -> QuerySet[Tournament]:
    """The tournaments of the season, finished ones first, in the order in which they were finished."""
    return Tournament.objects.filter(season=season).order_by(F("finished_at").asc(nulls_last=True), "created_at", "pk")


def finished_of(season: Season) -> list[str]:
    """The ids of the finished tournaments."""
    return list(counted_of(season).filter(phase__in=OVER).values_list("pk", flat=True))


Rows: TypeAlias = tuple[tuple[int, str, int, str, int | None, str], ...]
"""The people of a tournament: id, tournament, number, name, account, animal."""
StoodIn: TypeAlias = Mapping[int, int]
"""Games of a tournament in which bots played for people, by entrant; entrants without any are left out."""


@dataclass(slots=True)
class _CachedStandings:
    """What a process remembers of a season. people: of each tournament, with its version, as rows; stood_in: likewise;
    derived: what was worked out of these."""

    people: dict[str, tuple[int, Rows]] = field(default_factory=dict)
    stood_in: dict[str, StoodIn] = field(default_factory=dict)
    derived: DerivedValues = field(default_factory=DerivedValues)


_seasons: Memo[str, _CachedStandings] = Memo("seasons", 16)
_ranks: Memo[str, tuple[int, tuple[Standing, ...]]] = Memo("final standings", 1024)
"""Tournament → its version, and its standings then."""


def read_entries(
    season: Season, counted: Sequence[Tournament], cached: _CachedStandings | None = None
) -> tuple[Entry, ...]:
    """Everybody of these tournaments but bots: the very same ones, as long as nothing of them has changed."""
    cached = cached or _CachedStandings()
    people = {event.pk: cached.people.get(event.pk, (-1, ())) for event in counted}
    behind = [event for event in counted if people[event.pk][0] != event.version]
    found = defaultdict(list)
    games: dict[str, dict[int, int]] = defaultdict(dict)
    rows = (
        Entrant.objects.filter(tournament__in=behind, bot="").order_by("number") if behind else Entrant.objects.none()
    )
    rows = rows.annotate(stood_in=Count("seats", filter=Q(seats__stand_in__gt="")))
    columns = ("pk", "tournament_id", "number", "name", "player_id", "avatar")
    for row in rows.values_list(*columns, "stood_in"):
        found[row[1]].append(row[:6])
        if row[6]:
            games[row[1]][row[0]] = row[6]
    for tournament in behind:
        new = tuple(found[tournament.pk])
        people[tournament.pk] = tournament.version, people[tournament.pk][1] if people[tournament.pk][1] == new else new
    new_games = {event.pk: games[event.pk] for event in behind if cached.stood_in.get(event.pk) != games[event.pk]}
    cached.people, cached.stood_in = people, {**cached.stood_in, **new_games}
    accounts: dict[int | None, str] = dict(
        Player.objects.filter(entries__tournament__season=season).distinct().values_list("pk", "name")
    )
    given_names = dict(SeasonName.objects.filter(season=season).values_list("entrant_id", "name"))
    parts = tuple(
        [_read_entries(cached.derived, event.pk, people[event.pk][1], accounts, given_names) for event in counted]
    )
    return cached.derived.get(("entries",), parts, lambda: tuple(chain.from_iterable(parts)))


def _read_entries(
    derived: DerivedValues, pk: str, rows: Rows, accounts: Mapping[int | None, str], given_names: Mapping[int, str]
) -> tuple[Entry, ...]:
    """The people of one tournament: the very same ones, as long as nobody's name, account or row has changed."""
    given = [accounts.get(row[4], "") for row in rows], [given_names.get(row[0], "") for row in rows]
    _made_of, (cached, entries) = derived.peek(("people", pk)) or ((), (None, ()))
    if cached is None or cached[0] is not rows or cached[1] != given:
        entries = tuple(Entry(*row[:5], account, name, row[5]) for row, account, name in zip(rows, *given, strict=True))
        derived.put(("people", pk), (), ((rows, given), entries))
    return entries


@dataclass(frozen=True)
class SeasonTable:
    """A season as it stands. counted: all its tournaments; finished: those of them that are over, in order;
    stood_in: by tournament."""

    season: Season
    counted: tuple[Tournament, ...]
    entries: tuple[Entry, ...]
    stood_in: Mapping[str, StoodIn]
    rank_of: Ranker
    derived: DerivedValues

    @cached_property
    def names(self) -> Mapping[int, str]:
        """Entrant → name in the season."""
        return self.derived.get(("names",), (self.entries,), lambda: match(self.entries))

    @cached_property
    def finished(self) -> tuple[Tournament, ...]:
        """Those that count now."""
        return tuple(event for event in self.counted if event.phase in OVER)

    @cached_property
    def scheme(self) -> SeasonScheme:
        """How it counts."""
        return scheme_of(self.season)

    @cached_property
    def players(self) -> Mapping[str, int]:
        """Name in the season → account, where there is one."""
        return self.derived.get(
            ("players",),
            (self.names,),
            lambda: {self.names[entry.pk]: entry.player_id for entry in self.entries if entry.player_id is not None},
        )

    @cached_property
    def avatars(self) -> Mapping[str, str]:
        """Name in the season → the animal as which this person played last."""
        return self.derived.get(
            ("avatars",), (self.names,), lambda: {self.names[entry.pk]: entry.avatar for entry in self.entries}
        )

    @cached_property
    def results(self) -> tuple[FinishedTournament, ...]:
        """What each finished tournament came to."""
        lines = [self.rank_of(tournament) for tournament in self.finished]
        return self.derived.get(("results",), (self.names, *lines), lambda: self._list_results(lines))

    def _list_results(self, ranks: Sequence[Sequence[Standing]]) -> tuple[FinishedTournament, ...]:
        people: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.entries:
            people[entry.tournament_id].append(entry)
        ranked = zip(self.finished, ranks, strict=True)
        return tuple([self._read_finished(one.pk, lines, people[one.pk]) for one, lines in ranked])

    def _read_finished(self, pk: str, lines: Sequence[Standing], people: Sequence[Entry]) -> FinishedTournament:
        """The one that is cached already, if it stands as it did and everybody in it is who they were."""
        names = {str(entry.number): self.names[entry.pk] for entry in people}
        made_of, cached = self.derived.peek(("finished", pk)) or (((), ()), None)
        if cached is not None and made_of[0] is lines and made_of[1] == names:
            return cached  # type: ignore[no-any-return]
        places = {names[line.entrant]: (line.place, line.points) for line in lines if line.entrant in names}
        finished = FinishedTournament(tuple([line.place for line in lines]), places)
        self.derived.put(("finished", pk), (lines, names), finished)
        return finished

    def standing(self, after: int | None = None) -> tuple[SeasonLine, ...]:
        """How it stood after so many tournaments; None: after all that are finished."""
        made_of = self.results[: len(self.results) if after is None else after]
        way = ("standing", self.scheme) if len(made_of) == len(self.results) else ("earlier", self.scheme)
        return self.derived.get(way, made_of, lambda: rank_season(made_of, self.scheme))

    def stand_ins(self, after: int | None = None) -> Mapping[str, int]:
        """In how many games bots played for somebody, by name in the season, after so many tournaments."""
        parts = tuple([self.stood_in[tournament.pk] for tournament in self.finished[:after]])

        def add_up() -> Mapping[str, int]:
            games: Counter[str] = Counter()
            for entrant, number in chain.from_iterable(part.items() for part in parts):
                games[self.names[entrant]] += number
            return games

        return self.derived.get(("stand-ins", len(parts)), (self.names, *parts), add_up)

    def places(self, after: int) -> Mapping[str, int]:
        """The place of each person after so many tournaments."""
        made_of = self.results[:after]
        return self.derived.get(
            ("places", after, self.scheme), made_of, lambda: {line.person: line.place for line in self.standing(after)}
        )


def open_table(
    season: Season, *, rank_of: Ranker | None = None, counted: Sequence[Tournament] | None = None
) -> SeasonTable:
    """The season as it is now. rank_of: how a tournament's standing is found, if not by reading it whole.

    counted: its tournaments, if they are not there yet.
    """
    found = counted_of(season).select_related("club") if counted is None else counted
    rows = tuple(sorted(found, key=lambda event: event.phase not in OVER))
    cached = _CachedStandings()
    return SeasonTable(
        season, rows, read_entries(season, rows, cached), cached.stood_in, rank_of or _rank, cached.derived
    )


def read_table(season: Season) -> SeasonTable:
    """The season as it is now, read on from what this process knows of it; to be looked at only."""
    cached = _seasons.get(season.pk) or _CachedStandings()
    rows = tuple(sorted(counted_of(season).select_related("club"), key=lambda event: event.phase not in OVER))
    table = SeasonTable(season, rows, read_entries(season, rows, cached), cached.stood_in, _keep_rank, cached.derived)
    _seasons.put(season.pk, cached)
    return table


def _rank(tournament: Tournament) -> tuple[Standing, ...]:
    return ranking.rank(open_book(tournament))


def _keep_rank(tournament: Tournament) -> tuple[Standing, ...]:
    cached = _ranks.get(tournament.pk)
    if cached is None or cached[0] != tournament.version:
        return remember_rank(tournament, _rank(tournament))
    return cached[1]


def remember_rank(tournament: Tournament, lines: tuple[Standing, ...]) -> tuple[Standing, ...]:
    """So it stands at its version: nobody needs to read it whole for that; the very lines that are cached, if so."""
    cached = _ranks.get(tournament.pk)
    remembered = cached[1] if cached is not None and cached[1] == lines else lines
    _ranks.put(tournament.pk, (tournament.version, remembered))
    return remembered


def scheme_of(season: Season) -> SeasonScheme:
    """How it counts; tie-breaks that mean nothing in a season are passed over."""
    wanted = msgspec.json.decode(season.tie_breaks)
    return SeasonScheme(
        points=season.points,
        table=tuple(msgspec.json.decode(season.points_table)),
        best_of=season.best_of,
        tie_breaks=tuple(name for name in wanted if name in TIE_BREAKS),
        lot_seed=season.lot_seed,
    )
