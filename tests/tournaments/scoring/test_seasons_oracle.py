"""Seasons by chance, held against a second reading of the specification."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from hashlib import sha256
from itertools import combinations
from random import Random

import pytest

from tournaments.scoring.seasons import FinishedTournament, SeasonScheme, rank_season

WHOLE = 840


def play_season(rng: Random) -> list[FinishedTournament]:
    """Up to six tournaments of two to twelve, bots among them, shared places everywhere."""
    people = [f"p{number}" for number in range(rng.randint(1, 12))]
    finished = []
    for _ in range(rng.randint(0, 6)):
        field = rng.sample(people, rng.randint(1, len(people))) + ["bot"] * rng.randint(0, 2)
        points = [rng.choice((-840, 0, 420, 840, 1260)) for _ in field]
        places = [1 + sum(other > one for other in points) for one in points]
        lines = {name: (places[index], points[index]) for index, name in enumerate(field) if name != "bot"}
        finished.append(FinishedTournament(tuple(places), lines))
    return finished


def score_tournament(one: FinishedTournament, person: str, season: SeasonScheme) -> Fraction:
    """What a tournament is worth to somebody who was in it."""
    place, points = one.lines[person]
    ahead, equal = sum(other < place for other in one.places), one.places.count(place)
    behind, others = len(one.places) - ahead - equal, len(one.places) - 1
    if season.points == "score":
        return Fraction(points)
    if season.points == "beaten":
        return WHOLE * (behind + Fraction(equal - 1, 2)) / others if others else Fraction(WHOLE)
    table = [*season.table, *([0] * 20)]
    return Fraction(WHOLE * sum(table[ahead : ahead + equal]), equal)


def total(finished: Sequence[FinishedTournament], person: str, season: SeasonScheme) -> Fraction:
    """The sum of the best ones."""
    worths = sorted((score_tournament(one, person, season) for one in finished if person in one.lines), reverse=True)
    return sum(worths[: season.best_of], Fraction(0))


def value(
    name: str, finished: Sequence[FinishedTournament], person: str, tied: Sequence[str], season: SeasonScheme
) -> Fraction:
    """What a tie-break says of somebody among these."""
    mine = [one for one in finished if person in one.lines]
    if name == "wins":
        return Fraction(sum(one.lines[person][0] == 1 for one in mine))
    if name == "best":
        return max(score_tournament(one, person, season) for one in mine)
    if name == "lot":
        return Fraction(int(sha256(f"{season.lot_seed}:{person}".encode()).hexdigest()[:12], 16))
    if any(not any(a in one.lines and b in one.lines for one in finished) for a, b in combinations(tied, 2)):
        return Fraction(0)
    duels = [(one.lines[person][0], one.lines[other][0]) for one in mine for other in tied if other in one.lines]
    return Fraction(sum((a < b) * 2 + (a == b) for a, b in duels) - len(mine))  # less the duel against oneself


def order(finished: Sequence[FinishedTournament], season: SeasonScheme) -> list[tuple[str, int]]:
    """Everybody with their place."""
    groups = [sorted({person for one in finished for person in one.lines})]
    for name in ("points", *season.tie_breaks):
        parts = []
        for tied in groups:
            values = {
                one: total(finished, one, season) if name == "points" else value(name, finished, one, tied, season)
                for one in tied
            }
            parts += [[one for one in tied if values[one] == found] for found in sorted({*values.values()})[::-1]]
        groups = parts
    before = 0
    lines = []
    for tied in groups:
        lines += [(one, before + 1) for one in tied]
        before += len(tied)
    return lines


@pytest.mark.parametrize("points", ["beaten", "table", "score"])
def test_a_season_is_what_the_specification_says_after_every_tournament(points: str) -> None:
    rng = Random(f"season {points}")
    for _ in range(60):
        finished = play_season(rng)
        breaks = rng.sample(("wins", "best", "head-to-head", "lot"), rng.randint(0, 4))
        best_of = rng.choice((None, 1, 2, 3, 9))
        season = SeasonScheme(
            points=points, best_of=best_of, tie_breaks=tuple(breaks), lot_seed="5eed", table=(5, 3, -1)
        )
        for after in range(len(finished) + 1):
            lines = rank_season(finished[:after], season)
            assert [(line.person, line.place) for line in lines] == order(finished[:after], season)
            for line in lines:
                assert line.points == total(finished[:after], line.person, season)
                assert sum(line.counts) == min(line.played, best_of or line.played)
