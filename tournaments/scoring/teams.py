"""Team standings: the best scores of a team's people in each round, from raw results alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from tournaments.scoring.points import Scheme
from tournaments.scoring.results import RoundResult
from tournaments.scoring.standings import Value, compute_lot
from tournaments.scoring.tally import Tallies, Tally, add_up

MIN_PEOPLE, MAX_PEOPLE = 2, 8
"""People in a team, substitutes included."""
TEAM_TIE_BREAKS = ("opponents", "wins", "best", "ratio", "lot")
"""The tie-breaks that decide between teams, too. Teams do not meet as such, so head-to-head is not one of them."""


class TeamPlayer(NamedTuple):
    """Somebody who plays for a team. first, last: their rounds for it, from 1; last is None while they stay."""

    entrant: str
    first: int = 1
    last: int | None = None

    def is_in(self, number: int) -> bool:
        """Whether they play for the team in the round of this number."""
        return self.first <= number and (self.last is None or number <= self.last)


class TeamLineup(NamedTuple):
    """A team and its people, also those who have left it. key: unique in the tournament; the lot is drawn from it."""

    key: str
    players: tuple[TeamPlayer, ...]


class TeamRound(NamedTuple):
    """What a team got in one round. points: of those who count, less penalties, in 840ths; None if nobody was in it.

    counted: the entrants whose scores count, the best first.
    """

    points: int | None
    counted: tuple[str, ...] = ()


class TeamStanding(NamedTuple):
    """One line of the team standings. Points are 840ths of a round won; place: shared by teams that nothing separates.

    values: by tie-break of `list_team_tie_breaks`, None where it does not apply.
    """

    team: str
    place: int
    points: int
    values: tuple[Value, ...]
    rounds: tuple[TeamRound, ...]
    penalties: int = 0


def list_team_tie_breaks(scheme: Scheme) -> tuple[str, ...]:
    """The tie-breaks of a scheme that decide between teams, in its order."""
    return tuple(name for name in scheme.tie_breaks if name in TEAM_TIE_BREAKS)


def rank_teams(
    teams: Sequence[TeamLineup], rounds: Mapping[int, RoundResult], scheme: Scheme, *, best: int
) -> tuple[TeamStanding, ...]:
    """The team standings after these rounds (by number, in order), best first; tied teams in the order given.

    best: how many scores count for a team in each round. A penalty counts in full, whether or not the score of the
    person counts. Points, byes and absences are worth what they are worth to the person.
    """
    entrants = sorted({player.entrant for team in teams for player in team.players})
    parts = {number: add_up(entrants, [played], scheme) for number, played in rounds.items()}
    everybody = sorted({entrant for played in rounds.values() for entrant in _list_all(played)} | set(entrants))
    points = {entrant: tally.points for entrant, tally in add_up(everybody, list(rounds.values()), scheme).items()}
    sums = {team.key: _add_team(team, parts, points, best) for team in teams}
    names = list_team_tie_breaks(scheme)
    values = {
        key: tuple(compute_lot(scheme.lot_seed, f"team:{key}") if name == "lot" else _MEASURES[name](one)
                   for name in names)
        for key, one in sums.items()
    }  # fmt: skip
    groups: list[list[str]] = _split([[team.key for team in teams]], {key: one.points for key, one in sums.items()})
    for at in range(len(names)):
        groups = _split(groups, {key: found[at] for key, found in values.items()})
    lines, place = [], 1
    for group in groups:
        lines += [
            TeamStanding(key, place, sums[key].points, values[key], sums[key].rounds, sums[key].penalties)
            for key in group
        ]
        place += len(group)
    return tuple(lines)


class _Sums(NamedTuple):
    """The sums of a team. opponents: the points of those whom its people met, one for each meeting."""

    rounds: tuple[TeamRound, ...]
    penalties: int
    games: tuple[Tally, ...]
    opponents: tuple[int, ...]

    @property
    def points(self) -> int:
        return sum(played.points for played in self.rounds if played.points is not None)


def _add_team(team: TeamLineup, parts: Mapping[int, Tallies], points: Mapping[str, int], best: int) -> _Sums:
    rounds, penalties, games = [], 0, []
    opponents: list[int] = []
    for number, tallies in parts.items():
        mates = list(dict.fromkeys(player.entrant for player in team.players if player.is_in(number)))
        own = {entrant: tallies[entrant] for entrant in mates}
        rounds.append(_count_round(own, best))
        penalties += sum(tally.penalties for tally in own.values())
        games += list(own.values())
        met = (other for tally in own.values() for other in tally.opponents if other not in own)
        opponents += [points[other] for other in met]
    return _Sums(tuple(rounds), penalties, tuple(games), tuple(opponents))


def _count_round(tallies: Mapping[str, Tally], best: int) -> TeamRound:
    scored = [(entrant, tally.rounds[0]) for entrant, tally in tallies.items()]
    found = sorted(((points, entrant) for entrant, points in scored if points is not None), key=lambda pair: -pair[0])
    penalties = sum(tally.penalties for tally in tallies.values())
    if not found:
        return TeamRound(-penalties if penalties else None)
    counted = found[:best]
    return TeamRound(sum(points for points, _ in counted) - penalties, tuple(entrant for _, entrant in counted))


def _list_all(played: RoundResult) -> list[str]:
    return [*(entrant for pod in played.pods for entrant in pod.entrants), *played.byes, *played.absent]


def _find_ratio(sums: _Sums) -> Fraction | None:
    """The share of game scores at the tables of a team's people; None unless every game has scores."""
    whole = sum(tally.all_scores for tally in sums.games)
    if whole <= 0 or any(tally.scored != tally.played for tally in sums.games):
        return None
    return Fraction(sum(tally.own_score for tally in sums.games), whole)


_MEASURES: Mapping[str, Callable[[_Sums], Value]] = {
    "opponents": lambda sums: Fraction(sum(sums.opponents), len(sums.opponents)) if sums.opponents else None,
    "wins": lambda sums: sum(tally.wins for tally in sums.games),
    "best": lambda sums: max((played.points for played in sums.rounds if played.points is not None), default=None),
    "ratio": _find_ratio,
}


def _split(groups: Sequence[list[str]], values: Mapping[str, Value]) -> list[list[str]]:
    """Each group split into groups of equal value, the highest first; it stays whole if a value is missing."""
    parts: list[list[str]] = []
    for group in groups:
        value_of = {key: value for key in group if (value := values[key]) is not None}
        if len(value_of) < len(group):
            parts.append(group)
            continue
        ordered = sorted(group, key=value_of.__getitem__, reverse=True)
        parts += [list(part) for _, part in groupby(ordered, key=value_of.__getitem__)]
    return parts
