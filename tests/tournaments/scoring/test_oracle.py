"""Standings against a second reading of the specification: whole tournaments by chance, everything worked out anew.

Nothing of the code under test is called here but what is tested. The second reading is slow and plain: fractions, no
sums carried on, every pair looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from itertools import combinations
from random import Random
from typing import TypeAlias

import pytest

from tournaments.scoring.points import Scheme
from tournaments.scoring.results import FORFEIT, NO_SHOW, PLAYS, PodResult, RoundResult
from tournaments.scoring.standings import rank

ROUND_WON = 840
Key: TypeAlias = Callable[[str], Fraction | None]
TIE_BREAKS = ("opponents", "wins", "head-to-head", "best", "ratio", "lot")


def play_tournament(rng: Random) -> tuple[tuple[str, ...], tuple[RoundResult, ...]]:
    """Two to thirty people over up to six rounds. Some come late, leave or sit out."""
    people = [str(number) for number in range(1, rng.randint(2, 30) + 1)]
    least = rng.randint(2, 6)
    rounds, seen = [], set[str]()
    for _ in range(rng.randint(0, 6)):
        here = rng.sample(people, rng.randint(max(1, len(people) // 2), len(people)))
        away = [here.pop() for _ in range(rng.choice((0, 0, 1, 2))) if len(here) > 1]
        pods = []
        while len(here) >= least:
            size = rng.randint(least, min(8, max(least, len(here))))
            pods.append(play_pod(rng, [here.pop() for _ in range(size)]))
        seen |= {*here, *away, *(one for pod in pods for one in pod.entrants)}
        penalties = {rng.choice(people): rng.choice((-420, 84, 840, 1260)) for _ in range(rng.choice((0, 0, 1, 2)))}
        rounds.append(RoundResult(tuple(pods), tuple(here), tuple(away), penalties))
    return tuple(sorted(seen)), tuple(rounds)


def play_pod(rng: Random, people: Sequence[str]) -> PodResult:
    """Places as they come in: shared everywhere or nowhere, as scores say or by themselves."""
    scores = tuple(rng.choice((-3, 0, 0, 7, 7, 41, 90_000)) for _ in people) if rng.random() < 0.7 else None
    game_scores = scores or tuple(rng.randint(-rng.choice((1, 3, 8)), 0) for _ in people)
    places = tuple(1 + sum(other > one for other in game_scores) for one in game_scores)
    fates = tuple(rng.choice((PLAYS,) * 8 + (NO_SHOW, FORFEIT)) for _ in people)
    return PodResult(tuple(people), places, scores, fates, is_void=rng.random() < 0.08)


class Oracle:
    """What a tournament has come to, worked out anew for every question."""

    def __init__(self, people: Sequence[str], rounds: Sequence[RoundResult], scheme: Scheme) -> None:
        self.people, self.rounds, self.scheme = people, rounds, scheme

    def worth(self, pod: PodResult, seat: int) -> Fraction:
        """What a chair is worth, in 840ths."""
        if pod.is_void:
            return Fraction(0)
        if pod.fate(seat) != PLAYS:
            return Fraction(self.scheme.no_show if pod.fate(seat) == NO_SHOW else self.scheme.forfeit)
        if self.scheme.points == "score":
            return Fraction(ROUND_WON * pod.scores[seat]) if pod.scores else Fraction(0)
        ahead, equal, behind = self.count(pod, seat)
        if self.scheme.points == "beaten":
            others = len(pod.entrants) - 1
            return ROUND_WON * (behind + Fraction(equal, 2)) / others
        table = [*self.scheme.table, 0, 0, 0, 0, 0, 0, 0, 0]
        shared = Fraction(sum(table[ahead : ahead + equal + 1]), equal + 1)
        return Fraction(ROUND_WON * shared)

    def count(self, pod: PodResult, seat: int) -> tuple[int, int, int]:
        """How many are ahead of a chair whose person played, equal to it, and behind: those who did not play are."""
        mine, playing = pod.places[seat], [index for index in range(len(pod.places)) if pod.fate(index) == PLAYS]
        ahead = sum(pod.places[one] < mine for one in playing)
        equal = sum(pod.places[one] == mine for one in playing) - 1
        return ahead, equal, len(pod.entrants) - 1 - ahead - equal

    def of_round(self, played: RoundResult, person: str) -> Fraction | None:
        """What somebody has of a round; nothing if they were not in it."""
        for pod in played.pods:
            if person in pod.entrants:
                return self.worth(pod, pod.entrants.index(person))
        if person in played.byes:
            return Fraction(self.scheme.bye)
        return Fraction(self.scheme.absent) if person in played.absent else None

    def points(self, person: str) -> Fraction:
        """All of them, less penalties."""
        values = (self.of_round(played, person) for played in self.rounds)
        taken = sum(played.penalties.get(person, 0) for played in self.rounds)
        return sum((one for one in values if one is not None), Fraction(0)) - taken

    def games(self, person: str) -> list[tuple[PodResult, int]]:
        """The pods that somebody played in and that count."""
        return [
            (pod, pod.entrants.index(person))
            for played in self.rounds
            for pod in played.pods
            if person in pod.entrants and not pod.is_void and pod.fate(pod.entrants.index(person)) == PLAYS
        ]

    def met(self, person: str) -> list[str]:
        """Opponents, one entry for each meeting."""
        return [
            other
            for pod, seat in self.games(person)
            for index, other in enumerate(pod.entrants)
            if index != seat and pod.fate(index) == PLAYS
        ]

    def opponents(self, person: str) -> Fraction | None:
        """The average of their points; nothing for somebody who has met nobody."""
        met = [self.points(other) for other in self.met(person)]
        return sum(met, Fraction(0)) / len(met) if met else None

    def wins(self, person: str) -> Fraction:
        """First places, shared ones as well."""
        return Fraction(sum(self.count(pod, seat)[0] == 0 for pod, seat in self.games(person)))

    def best(self, person: str) -> Fraction | None:
        """The best game."""
        return max((self.worth(pod, seat) for pod, seat in self.games(person)), default=None)

    def ratio(self, person: str) -> Fraction | None:
        """Own scores of all scores at one's tables; nothing unless all of these have scores."""
        scored = [(pod.scores, seat) for pod, seat in self.games(person) if pod.scores is not None]
        if not scored or len(scored) < len(self.games(person)):
            return None
        own, of_all = sum(scores[seat] for scores, seat in scored), sum(sum(scores) for scores, _ in scored)
        return Fraction(own, of_all) if of_all > 0 else Fraction(0)

    def lot(self, person: str) -> Fraction:
        """48 bits of the published seed and the number."""
        return Fraction(int(sha256(f"{self.scheme.lot_seed}:{person}".encode()).hexdigest()[:12], 16))

    def among(self, tied: Sequence[str]) -> Key:
        """Shares of each other beaten, if every two of them have met."""
        if any(other not in self.met(one) for one, other in combinations(tied, 2)):
            return lambda person: None
        won = dict.fromkeys(tied, Fraction(0))
        for one, other in combinations(tied, 2):
            for pod, seat in self.games(one):
                if other in pod.entrants and pod.fate(pod.entrants.index(other)) == PLAYS:
                    mine, theirs = pod.places[seat], pod.places[pod.entrants.index(other)]
                    won[one] += Fraction(ROUND_WON * ((mine < theirs) * 2 + (mine == theirs)), 2)
                    won[other] += Fraction(ROUND_WON * ((theirs < mine) * 2 + (mine == theirs)), 2)
        return won.__getitem__

    def order(self) -> list[tuple[str, int, list[Fraction | None]]]:
        """Everybody with their place and the values of the tie-breaks, best first, equals as listed."""
        return self.part(
            sorted(self.people, key=lambda one: (len(one), one)),
            [self.points_of, *map(self.key_of, self.scheme.tie_breaks)],
            1,
            [],
        )

    def points_of(self, tied: Sequence[str]) -> Key:
        """What parts people first."""
        return self.points

    def key_of(self, name: str) -> Callable[[Sequence[str]], Key]:
        """What parts these, by the name of a tie-break."""
        if name == "head-to-head":
            return lambda tied: self.among(tied) if len(tied) > 1 else lambda person: None
        of_person: Key = getattr(self, name)
        return lambda tied: of_person

    def part(
        self,
        tied: Sequence[str],
        keys: Sequence[Callable[[Sequence[str]], Key]],
        place: int,
        parts: list[Fraction | None],
    ) -> list[tuple[str, int, list[Fraction | None]]]:
        """Those who are equal so far, parted by the first of these keys, each part by the next."""
        if not keys:
            return [(person, place, parts) for person in tied]
        value = keys[0](tied)
        lines = []
        values = {person: value(person) for person in tied}
        for equal in self.part_by(tied, values):
            lines += [
                (who, at, [*parts, values[who], *more]) for who, at, more in self.part(equal, keys[1:], place, [])
            ]
            place += len(equal)
        return lines

    def part_by(self, tied: Sequence[str], values: Mapping[str, Fraction | None]) -> list[list[str]]:
        """By value, if nobody who has played lacks it; who has not played and lacks it is behind."""
        lacking = [person for person in tied if values[person] is None]
        if any(self.games(person) for person in lacking):
            return [list(tied)]
        found = sorted({value for value in values.values() if value is not None}, reverse=True)
        parts = [[person for person in tied if values[person] == value] for value in found]
        return [*parts, lacking] if lacking else parts


def scheme_of(rng: Random) -> Scheme:
    """How a club might count."""
    return Scheme(
        points=rng.choice(("beaten", "beaten", "table", "score")),
        table=rng.choice(((5, 3, 2, 1), (3,), (1, 0, -1, -2, -3, -4, -5, -6), (10, 8, 6, 5, 4, 3, 2, 1))),
        tie_breaks=tuple(rng.sample(TIE_BREAKS, rng.randint(0, 6))),
        bye=rng.choice((840, 420, 0, -84)),
        absent=rng.choice((0, 420)),
        no_show=rng.choice((0, -420)),
        forfeit=rng.choice((0, -840)),
        lot_seed=f"{rng.getrandbits(32):x}",
    )


@pytest.mark.parametrize("seed", range(8))
def test_standings_after_every_round_are_what_the_specification_says(seed: int) -> None:
    rng = Random(f"standings {seed}")
    for _ in range(12):
        people, rounds = play_tournament(rng)
        scheme = scheme_of(rng)
        for after in range(len(rounds) + 1):
            lines, oracle = rank(people, rounds[:after], scheme), Oracle(people, rounds[:after], scheme)
            actual = [(line.entrant, line.place, [line.points, *line.values]) for line in lines]
            assert actual == oracle.order()
            for line in lines:
                assert line.rounds == tuple(oracle.of_round(played, line.entrant) for played in rounds[:after])
                assert (line.played, Fraction(line.wins)) == (
                    len(oracle.games(line.entrant)),
                    oracle.wins(line.entrant),
                )


@pytest.mark.parametrize("size", range(2, 9))
def test_the_points_of_a_pod_come_to_half_a_round_won_for_each_of_its_people(size: int) -> None:
    rng = Random(size)
    for _ in range(60):
        pod = play_pod(rng, [str(number) for number in range(size)])
        for fates in ((), pod.fates):
            played = PodResult(pod.entrants, pod.places, pod.scores, fates)
            lines = rank(pod.entrants, [RoundResult((played,))], Scheme(tie_breaks=()))
            gone = sum(fate != PLAYS for fate in fates)  # they have nothing, not even of each other
            among_gone = Fraction(ROUND_WON * gone * (gone - 1), 2 * (size - 1))
            assert sum(line.points for line in lines) == Fraction(ROUND_WON * size, 2) - among_gone
