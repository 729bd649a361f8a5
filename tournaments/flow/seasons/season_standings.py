"""The table of a season: who is who in its tournaments, and how it stands after any of them.

A process reads on what it knows: the standing of a tournament, its people and what it is worth follow from its version,
and the table after the first tournaments changes with none that comes later.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TypeAlias

import msgspec
from django.db.models import F, QuerySet

from games.models import Player
from tournaments.flow.recent import Recent
from tournaments.flow.seasons.season_people import Entry, match
from tournaments.flow.shelf import Shelf
from tournaments.flow.standings.book import open_book
from tournaments.models import Entrant, Phase, Season, SeasonName, Tournament
from tournaments.scoring.seasons import TIE_BREAKS, Finished, SeasonLine, SeasonScheme, rank_season
from tournaments.scoring.standings import Standing

OVER = (Phase.FINISHED, Phase.ARCHIVED)
Ranker = Callable[[Tournament], Sequence[Standing]]


def counted_of(season: Season) -> QuerySet[Tournament]:
    """The tournaments of the season, finished ones first, in the order in which they were finished."""
    return Tournament.objects.filter(season=season).order_by(F("finished_at").asc(nulls_last=True), "created_at", "pk")


def finished_of(season: Season) -> list[str]:
    """The ids of those that are over."""
    return list(counted_of(season).filter(phase__in=OVER).values_list("pk", flat=True))


Rows: TypeAlias = tuple[tuple[int, str, int, str, int | None, str], ...]
"""The people of a tournament: id, tournament, number, name, account, animal."""


@dataclass(slots=True)
class _Known:
    """What a process knows of a season. people: of each tournament, with its version, as rows; shelf: what was made of
    these."""

    people: dict[str, tuple[int, Rows]] = field(default_factory=dict)
    shelf: Shelf = field(default_factory=Shelf)


_seasons: Recent[str, _Known] = Recent(16)
_ranks: Recent[str, tuple[int, tuple[Standing, ...]]] = Recent(1024)
"""By tournament, with its version."""


def forget_all() -> None:
    """Keep nothing (between tests)."""
    _seasons.clear()
    _ranks.clear()


def read_entries(season: Season, counted: Sequence[Tournament], known: _Known | None = None) -> tuple[Entry, ...]:
    """Everybody of these tournaments but bots: the very same ones, as long as nothing of them has changed."""
    known = known or _Known()
    people = {one.pk: known.people.get(one.pk, (-1, ())) for one in counted}
    behind = [one for one in counted if people[one.pk][0] != one.version]
    found = defaultdict(list)
    rows = (
        Entrant.objects.filter(tournament__in=behind, bot="").order_by("number") if behind else Entrant.objects.none()
    )
    for row in rows.values_list("pk", "tournament_id", "number", "name", "player_id", "avatar"):
        found[row[1]].append(row)
    for one in behind:
        new = tuple(found[one.pk])
        people[one.pk] = one.version, people[one.pk][1] if people[one.pk][1] == new else new
    known.people = people
    accounts: dict[int | None, str] = dict(
        Player.objects.filter(entries__tournament__season=season).distinct().values_list("pk", "name")
    )
    said = dict(SeasonName.objects.filter(season=season).values_list("entrant_id", "name"))
    parts = tuple([_tell_part(known.shelf, one.pk, people[one.pk][1], accounts, said) for one in counted])
    return known.shelf.get(("entries",), parts, lambda: tuple(chain.from_iterable(parts)))


def _tell_part(
    shelf: Shelf, pk: str, rows: Rows, accounts: Mapping[int | None, str], said: Mapping[int, str]
) -> tuple[Entry, ...]:
    """The people of one tournament: the very same ones, as long as nobody's name, account or row has changed."""
    given = [accounts.get(row[4], "") for row in rows], [said.get(row[0], "") for row in rows]
    _made_of, (known, told) = shelf.peek(("people", pk)) or ((), (None, ()))
    if known is None or known[0] is not rows or known[1] != given:
        told = tuple(Entry(*row[:5], account, name, row[5]) for row, account, name in zip(rows, *given, strict=True))
        shelf.put(("people", pk), (), ((rows, given), told))
    return told


@dataclass(frozen=True)
class Table:
    """A season as it stands. counted: all its tournaments; finished: those of them that are over, in order."""

    season: Season
    counted: tuple[Tournament, ...]
    entries: tuple[Entry, ...]
    rank_of: Ranker
    shelf: Shelf

    @cached_property
    def names(self) -> Mapping[int, str]:
        """Entrant → name in the season."""
        return self.shelf.get(("names",), (self.entries,), lambda: match(self.entries))

    @cached_property
    def finished(self) -> tuple[Tournament, ...]:
        """Those that count now."""
        return tuple(one for one in self.counted if one.phase in OVER)

    @cached_property
    def scheme(self) -> SeasonScheme:
        """How it counts."""
        return scheme_of(self.season)

    @cached_property
    def players(self) -> Mapping[str, int]:
        """Name in the season → account, where there is one."""
        return self.shelf.get(
            ("players",),
            (self.names,),
            lambda: {self.names[one.pk]: one.player_id for one in self.entries if one.player_id is not None},
        )

    @cached_property
    def avatars(self) -> Mapping[str, str]:
        """Name in the season → the animal as which this person played last."""
        return self.shelf.get(
            ("avatars",), (self.names,), lambda: {self.names[one.pk]: one.avatar for one in self.entries}
        )

    @cached_property
    def results(self) -> tuple[Finished, ...]:
        """What each finished tournament came to."""
        lines = [self.rank_of(one) for one in self.finished]
        return self.shelf.get(("results",), (self.names, *lines), lambda: self._tell(lines))

    def _tell(self, ranks: Sequence[Sequence[Standing]]) -> tuple[Finished, ...]:
        people: dict[str, list[Entry]] = defaultdict(list)
        for one in self.entries:
            people[one.tournament_id].append(one)
        told = zip(self.finished, ranks, strict=True)
        return tuple([self._tell_one(one.pk, lines, people[one.pk]) for one, lines in told])

    def _tell_one(self, pk: str, lines: Sequence[Standing], people: Sequence[Entry]) -> Finished:
        """The one that is known already, if it stands as it did and everybody in it is who he was."""
        names = {str(one.number): self.names[one.pk] for one in people}
        made_of, known = self.shelf.peek(("finished", pk)) or (((), ()), None)
        if known is not None and made_of[0] is lines and made_of[1] == names:
            return known  # type: ignore[no-any-return]
        here = {names[line.entrant]: (line.place, line.points) for line in lines if line.entrant in names}
        told = Finished(tuple([line.place for line in lines]), here)
        self.shelf.put(("finished", pk), (lines, names), told)
        return told

    def standing(self, after: int | None = None) -> tuple[SeasonLine, ...]:
        """How it stood after so many tournaments; None: after all that are finished."""
        made_of = self.results[: len(self.results) if after is None else after]
        way = ("standing", self.scheme) if len(made_of) == len(self.results) else ("earlier", self.scheme)
        return self.shelf.get(way, made_of, lambda: rank_season(made_of, self.scheme))

    def places(self, after: int) -> Mapping[str, int]:
        """Everybody's place after so many tournaments."""
        made_of = self.results[:after]
        return self.shelf.get(
            ("places", after, self.scheme), made_of, lambda: {one.person: one.place for one in self.standing(after)}
        )


def open_table(season: Season, *, rank_of: Ranker | None = None, counted: Sequence[Tournament] | None = None) -> Table:
    """The season as it is now. rank_of: how a tournament's standing is found, if not by reading it whole.

    counted: its tournaments, if they are not there yet.
    """
    found = counted_of(season).select_related("club") if counted is None else counted
    rows = tuple(sorted(found, key=lambda one: one.phase not in OVER))
    return Table(season, rows, read_entries(season, rows), rank_of or _rank, Shelf())


def read_table(season: Season) -> Table:
    """The season as it is now, read on from what this process knows of it; to be looked at only."""
    known = _seasons.get(season.pk) or _Known()
    rows = tuple(sorted(counted_of(season).select_related("club"), key=lambda one: one.phase not in OVER))
    table = Table(season, rows, read_entries(season, rows, known), _keep_rank, known.shelf)
    _seasons.put(season.pk, known)
    return table


def _rank(tournament: Tournament) -> tuple[Standing, ...]:
    return open_book(tournament).standings()


def _keep_rank(tournament: Tournament) -> tuple[Standing, ...]:
    known = _ranks.get(tournament.pk)
    if known is None or known[0] != tournament.version:
        return remember_rank(tournament, _rank(tournament))
    return known[1]


def remember_rank(tournament: Tournament, lines: tuple[Standing, ...]) -> tuple[Standing, ...]:
    """So it stands at its version: nobody needs to read it whole for that; the very lines that are known, if so."""
    known = _ranks.get(tournament.pk)
    told = known[1] if known is not None and known[1] == lines else lines
    _ranks.put(tournament.pk, (tournament.version, told))
    return told


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
