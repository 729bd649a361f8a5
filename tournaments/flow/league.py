"""A league: a season of finished tournaments of a club, added up person by person.

Nothing of a standing is stored: it follows from the standings of the tournaments that count, after any of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import msgspec
from django.db.models import F, QuerySet

from games.models import Player
from games.play.errors import BadInput, NotFound, Stale
from tournaments.flow.book import open_book
from tournaments.flow.names import clean_name
from tournaments.flow.permissions import require_role
from tournaments.flow.steps import Taking, take
from tournaments.models import Club, Entrant, Format, LeagueName, Phase, Role, Tournament
from tournaments.scoring.league import TIE_BREAKS, Finished, LeagueLine, Season, rank_season
from tournaments.scoring.standings import Standing

OVER = (Phase.FINISHED, Phase.ARCHIVED)
SETTLED = (*OVER, Phase.CALLED_OFF)
"""Nothing more is to be waited for."""
MOST_TOURNAMENTS = 100
"""Of a season."""
Ranker = Callable[[Tournament], Sequence[Standing]]


def open_season(league: Tournament, actor: Player | None, *, now: float) -> None:
    """From now on the table of the season stands. Twice is once. Raises NotAllowed, Stale."""
    require_role(league.club, actor.pk if actor else None, Role.ORGANISER)
    with take(league.pk, "open-season", actor=actor, now=now) as step:
        if step.tournament.format != Format.LEAGUE or step.tournament.phase not in (Phase.PLANNED, Phase.RUNNING):
            raise Stale("That does not come next: the tournament has moved on. Look again.")
        step.change(step.tournament, phase=Phase.RUNNING)


def count_tournament(league: Tournament, actor: Player | None, tournament_id: str, *, counts: bool, now: float) -> None:
    """Let a tournament of the club count for the season, or not. Twice is once.

    One that is not finished yet counts as soon as it is. Raises NotAllowed, NotFound, Stale.
    """
    require_role(league.club, actor.pk if actor else None, Role.ORGANISER)
    with take(league.pk, "count" if counts else "uncount", actor=actor, now=now) as step:
        _require_open(step)
        one = candidates(step.tournament).filter(pk=tournament_id).first()
        if one is None:
            raise NotFound("There is no such tournament in this club.")
        if counts and one.season_id not in (None, league.pk):
            raise Stale("“%(name)s” counts for another season already.", name=one.name)
        if counts and step.tournament.is_public and not one.is_public:
            raise BadInput("Everybody can look at this season, but not at “%(name)s”.", name=one.name)
        if counts and counted_of(league).count() >= MOST_TOURNAMENTS:
            raise BadInput("A season has at most %(most)s tournaments.", most=MOST_TOURNAMENTS)
        if not counts and one.season_id != league.pk:
            return
        step.details["name"] = one.name
        step.change(one, season_id=league.pk if counts else None)


def _require_open(step: Taking) -> None:
    if step.tournament.format != Format.LEAGUE or step.tournament.phase in OVER:
        raise Stale("This season is over. Take its end back first.")


def candidates(league: Tournament) -> QuerySet[Tournament]:
    """The tournaments of the club that this season could count."""
    rows = Tournament.objects.filter(club=league.club_id).exclude(format=Format.LEAGUE)
    return rows.filter(game=league.game) if league.game else rows


def counted_of(league: Tournament) -> QuerySet[Tournament]:
    """The tournaments of the season, finished ones first, in the order in which they were finished."""
    return Tournament.objects.filter(season=league).order_by(F("finished_at").asc(nulls_last=True), "created_at", "pk")


def name_person(league: Tournament, actor: Player | None, entrant_id: int, name: str, *, now: float) -> None:
    """Say under which name an entrant stands in this season; empty: under that of his own. Twice is once.

    So the same person under two names becomes one, and two of one name become two. Raises NotAllowed, NotFound,
    BadInput, Stale.
    """
    require_role(league.club, actor.pk if actor else None, Role.ORGANISER)
    name = clean_name(name) if name.strip() else ""
    with take(league.pk, "league-name", actor=actor, now=now) as step:
        _require_open(step)
        entrant = Entrant.objects.filter(pk=entrant_id, tournament__season=league).select_related("tournament").first()
        if entrant is None or entrant.bot:
            raise NotFound("This person is in no tournament of this season.")
        known = LeagueName.objects.filter(tournament=league, entrant=entrant).first()
        if name and _is_taken(league, entrant, name):
            raise BadInput(
                "“%(name)s” was in “%(tournament)s” as well: nobody sits there twice.",
                name=name, tournament=entrant.tournament.name,
            )  # fmt: skip
        step.details |= {"before": entrant.name, "name": name or entrant.name, "tournament": entrant.tournament.name}
        if known is not None and not name:
            step.delete(known)
        elif known is not None:
            step.change(known, name=name)
        elif name:
            step.create(LeagueName(tournament=league, entrant=entrant, name=name))


def _is_taken(league: Tournament, entrant: Entrant, name: str) -> bool:
    """Whether somebody else of this tournament stands under that name."""
    others = (one for one in _read_entries(league) if one.tournament_id == entrant.tournament_id)
    return any(one.pk != entrant.pk and _fold(one.said or one.account or one.name) == _fold(name) for one in others)


@dataclass(frozen=True, slots=True)
class Entry:
    """An entrant of a counted tournament. account: the name of his account; said: the organiser's name for him."""

    pk: int
    tournament_id: str
    number: int
    name: str
    player_id: int | None
    account: str
    said: str
    avatar: str = ""


def _read_entries(league: Tournament) -> list[Entry]:
    said = dict(LeagueName.objects.filter(tournament=league).values_list("entrant_id", "name"))
    finished = F("tournament__finished_at").asc(nulls_last=True)
    rows = Entrant.objects.filter(tournament__season=league, bot="").order_by(finished, "tournament", "number")
    return [
        Entry(pk, tournament, number, name, player, account or "", said.get(pk, ""), avatar)
        for pk, tournament, number, name, player, account, avatar in rows.values_list(
            "pk", "tournament_id", "number", "name", "player_id", "player__name", "avatar"
        )
    ]


def _fold(name: str) -> str:
    return " ".join(name.split()).casefold()


def match(entries: Sequence[Entry]) -> dict[int, str]:
    """Entrant → the name under which he stands in the season; equal names are one person.

    The organiser's word decides; else the account, where one has claimed the place; else the name: it is that of
    the one account that played under it, if that sat at no other chair of the same tournament, or simply the name.
    """
    accounts: dict[str, set[int]] = defaultdict(set)
    for one in entries:
        if one.player_id is not None and not one.said:
            accounts[_fold(one.name)].add(one.player_id)
            accounts[_fold(one.account)].add(one.player_id)
    there = {(one.tournament_id, one.player_id) for one in entries}
    keys: dict[int, tuple[str, str]] = {}
    for one in entries:
        keys[one.pk] = _key(one, accounts, there)
    _part_doubles(entries, keys)
    return _show(entries, keys)


def _key(one: Entry, accounts: Mapping[str, set[int]], there: set[tuple[str, int | None]]) -> tuple[str, str]:
    if one.player_id is not None and not one.said:
        return "account", str(one.player_id)
    name = _fold(one.said or one.name)
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
        shown[key] = next(name for name in (names[key], *more) if _fold(name) not in used)
        used.add(_fold(shown[key]))
    return {one.pk: shown[keys[one.pk]] for one in entries}


@dataclass(frozen=True)
class Table:
    """A season as it stands. counted: all its tournaments; finished: those of them that are over, in order."""

    league: Tournament
    counted: tuple[Tournament, ...]
    entries: tuple[Entry, ...]
    rank_of: Ranker

    @cached_property
    def names(self) -> Mapping[int, str]:
        """Entrant → name in the season."""
        return match(self.entries)

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
        return {self.names[one.pk]: one.player_id for one in self.entries if one.player_id is not None}

    @cached_property
    def avatars(self) -> Mapping[str, str]:
        """Name in the season → the animal as which this person played last."""
        return {self.names[one.pk]: one.avatar for one in self.entries}

    @cached_property
    def results(self) -> tuple[Finished, ...]:
        """What each finished tournament came to."""
        numbers = {(one.tournament_id, str(one.number)): self.names[one.pk] for one in self.entries}
        found = []
        for one in self.finished:
            lines = self.rank_of(one)
            found.append(
                Finished(
                    tuple(line.place for line in lines),
                    {
                        numbers[one.pk, line.entrant]: (line.place, line.points)
                        for line in lines
                        if (one.pk, line.entrant) in numbers
                    },
                )
            )
        return tuple(found)

    def standing(self, after: int | None = None) -> tuple[LeagueLine, ...]:
        """How it stood after so many tournaments; None: after all that are finished."""
        return rank_season(self.results[: len(self.results) if after is None else after], self.season)


def open_table(
    league: Tournament, *, rank_of: Ranker | None = None, counted: Sequence[Tournament] | None = None
) -> Table:
    """The season as it is now. rank_of: how a tournament's standing is found, if not by reading it whole.

    counted: its tournaments, if they are not there yet.
    """
    found = counted_of(league).select_related("club") if counted is None else counted
    rows = sorted(found, key=lambda one: one.phase not in OVER)
    return Table(league, tuple(rows), tuple(_read_entries(league)), rank_of or _rank)


def _rank(tournament: Tournament) -> Sequence[Standing]:
    return open_book(tournament).standings()


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


def open_seasons(club: Club) -> QuerySet[Tournament]:
    """The leagues of a club that are not over."""
    return Tournament.objects.filter(club=club, format=Format.LEAGUE).exclude(phase__in=OVER).order_by("-created_at")


def require_all_finished(step: Taking) -> None:
    """Raises Stale while a tournament of the season is under way, or none has been played."""
    counted = list(counted_of(step.tournament))
    missing = [one.name for one in counted if one.phase not in SETTLED]
    if missing:
        raise Stale("These are not finished yet: %(names)s. Finish them, or take them out.", names=", ".join(missing))
    if not any(one.phase in OVER for one in counted):
        raise Stale("Nothing has been played yet.")
