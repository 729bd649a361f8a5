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
from typing import NamedTuple

import msgspec
from django.db.models import F, QuerySet

from games.models import Player
from games.spelling import fold
from tournaments.flow.book import open_book
from tournaments.flow.recent import Recent
from tournaments.flow.shelf import Shelf
from tournaments.models import Entrant, LeagueName, Phase, Tournament
from tournaments.scoring.league import TIE_BREAKS, Finished, LeagueLine, Season, rank_season
from tournaments.scoring.standings import Standing

OVER = (Phase.FINISHED, Phase.ARCHIVED)
Ranker = Callable[[Tournament], Sequence[Standing]]


def counted_of(league: Tournament) -> QuerySet[Tournament]:
    """The tournaments of the season, finished ones first, in the order in which they were finished."""
    return Tournament.objects.filter(season=league).order_by(F("finished_at").asc(nulls_last=True), "created_at", "pk")


def finished_of(league: Tournament) -> list[str]:
    """The ids of those that are over."""
    return list(counted_of(league).filter(phase__in=OVER).values_list("pk", flat=True))


class Entry(NamedTuple):
    """An entrant of a counted tournament. account: the name of his account; said: the organiser's name for him."""

    pk: int
    tournament_id: str
    number: int
    name: str
    player_id: int | None
    account: str
    said: str
    avatar: str = ""


@dataclass(slots=True)
class _Known:
    """What a process knows of a season. people: of each tournament, with its version, as rows; entries: all of them,
    with what they were made of; shelf: what was made of these."""

    people: dict[str, tuple[int, tuple[tuple[int, str, int, str, int | None, str], ...]]] = field(default_factory=dict)
    entries: tuple[object, tuple[Entry, ...]] = (None, ())
    shelf: Shelf = field(default_factory=Shelf)


_seasons: Recent[str, _Known] = Recent(16)
_ranks: Recent[str, tuple[int, tuple[Standing, ...]]] = Recent(1024)
"""By tournament, with its version."""


def forget_all() -> None:
    """Keep nothing (between tests)."""
    _seasons.clear()
    _ranks.clear()


def read_entries(league: Tournament, counted: Sequence[Tournament], known: _Known | None = None) -> tuple[Entry, ...]:
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
    accounts = dict(Player.objects.filter(entries__tournament__season=league).distinct().values_list("pk", "name"))
    said = dict(LeagueName.objects.filter(tournament=league).values_list("entrant_id", "name"))
    made_of = (accounts, said, [people[one.pk][1] for one in counted])
    entries = known.entries
    if entries[0] != made_of:
        entries = known.entries = (
            made_of,
            tuple(
                Entry(pk, tournament, number, name, player, accounts.get(player or 0, ""), said.get(pk, ""), avatar)
                for one in counted
                for pk, tournament, number, name, player, avatar in people[one.pk][1]
            ),
        )
    return entries[1]


def match(entries: Sequence[Entry]) -> dict[int, str]:
    """Entrant → the name under which he stands in the season; equal names are one person.

    The organiser's word decides; else the account, where one has claimed the place; else the name: it is that of
    the one account that played under it, if that sat at no other chair of the same tournament, or simply the name.
    """
    accounts: dict[str, set[int]] = defaultdict(set)
    for one in entries:
        if one.player_id is not None and not one.said:
            accounts[fold(one.name)].add(one.player_id)
            accounts[fold(one.account)].add(one.player_id)
    there = {(one.tournament_id, one.player_id) for one in entries}
    keys: dict[int, tuple[str, str]] = {}
    for one in entries:
        keys[one.pk] = _key(one, accounts, there)
    _part_doubles(entries, keys)
    return _show(entries, keys)


def _key(one: Entry, accounts: Mapping[str, set[int]], there: set[tuple[str, int | None]]) -> tuple[str, str]:
    if one.player_id is not None and not one.said:
        return "account", str(one.player_id)
    name = fold(one.said or one.name)
    known = accounts.get(name, set())
    if len(known) == 1:
        (player,) = known
        if (one.tournament_id, player) not in there or one.player_id == player:
            return "account", str(player)
    return "name", name


def _part_doubles(entries: Sequence[Entry], keys: dict[int, tuple[str, str]]) -> None:
    """Two chairs of one tournament are two people, however alike their names."""
    seen: set[tuple[str, tuple[str, str]]] = set()
    for one in entries:
        if (one.tournament_id, keys[one.pk]) in seen:
            keys[one.pk] = "entrant", str(one.pk)
        seen.add((one.tournament_id, keys[one.pk]))


def _show(entries: Sequence[Entry], keys: Mapping[int, tuple[str, str]]) -> dict[int, str]:
    """A name for everybody, different for different people: the organiser's, the account's, else the latest one."""
    names: dict[tuple[str, str], str] = {}
    for one in sorted(entries, key=lambda one: (bool(one.said), bool(one.account))):
        names[keys[one.pk]] = one.said or one.account or one.name
    shown: dict[tuple[str, str], str] = {}
    used: set[str] = set()
    for key in dict.fromkeys(keys[one.pk] for one in entries):
        more = (f"{names[key][:34]} ({times})" for times in range(2, len(entries) + 2))
        shown[key] = next(name for name in chain((names[key],), more) if fold(name) not in used)
        used.add(fold(shown[key]))
    return {one.pk: shown[keys[one.pk]] for one in entries}


@dataclass(frozen=True)
class Table:
    """A season as it stands. counted: all its tournaments; finished: those of them that are over, in order."""

    league: Tournament
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
    def season(self) -> Season:
        """How it counts."""
        return season_of(self.league)

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
        numbers = {(one.tournament_id, str(one.number)): self.names[one.pk] for one in self.entries}
        return tuple(self._tell_one(one.pk, lines, numbers) for one, lines in zip(self.finished, ranks, strict=True))

    def _tell_one(self, pk: str, lines: Sequence[Standing], numbers: Mapping[tuple[str, str], str]) -> Finished:
        """The one that is known already, if it says the same."""
        here = [(numbers[pk, line.entrant], line) for line in lines if (pk, line.entrant) in numbers]
        told = Finished(tuple([line.place for line in lines]), {name: (line.place, line.points) for name, line in here})
        _made_of, known = self.shelf.peek(("finished", pk)) or ((), None)
        if known != told:
            self.shelf.put(("finished", pk), (), told)
            return told
        return known  # type: ignore[no-any-return]

    def standing(self, after: int | None = None) -> tuple[LeagueLine, ...]:
        """How it stood after so many tournaments; None: after all that are finished."""
        made_of = self.results[: len(self.results) if after is None else after]
        way = ("standing", self.season) if len(made_of) == len(self.results) else ("earlier", self.season)
        return self.shelf.get(way, made_of, lambda: rank_season(made_of, self.season))

    def places(self, after: int) -> Mapping[str, int]:
        """Everybody's place after so many tournaments."""
        made_of = self.results[:after]
        return self.shelf.get(
            ("places", after, self.season), made_of, lambda: {one.person: one.place for one in self.standing(after)}
        )


def open_table(
    league: Tournament, *, rank_of: Ranker | None = None, counted: Sequence[Tournament] | None = None
) -> Table:
    """The season as it is now. rank_of: how a tournament's standing is found, if not by reading it whole.

    counted: its tournaments, if they are not there yet.
    """
    found = counted_of(league).select_related("club") if counted is None else counted
    rows = tuple(sorted(found, key=lambda one: one.phase not in OVER))
    return Table(league, rows, read_entries(league, rows), rank_of or _rank, Shelf())


def read_table(league: Tournament) -> Table:
    """The season as it is now, read on from what this process knows of it; to be looked at only."""
    known = _seasons.get(league.pk) or _Known()
    rows = tuple(sorted(counted_of(league).select_related("club"), key=lambda one: one.phase not in OVER))
    table = Table(league, rows, read_entries(league, rows, known), _keep_rank, known.shelf)
    _seasons.put(league.pk, known)
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


def season_of(league: Tournament) -> Season:
    """How a league counts; tie-breaks that mean nothing in a season are passed over."""
    wanted = msgspec.json.decode(league.tie_breaks)
    return Season(
        points=league.points,
        table=tuple(msgspec.json.decode(league.points_table)),
        best_of=league.best_of,
        tie_breaks=tuple(name for name in wanted if name in TIE_BREAKS),
        lot_seed=league.lot_seed,
    )
