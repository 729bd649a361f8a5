"""A tournament without a database, played by literal people: what a format works on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from tournaments import draw
from tournaments.formats.base import Format, Pairing, ReportProgress, Sizes
from tournaments.scoring.points import Scheme
from tournaments.scoring.results import PodResult, RoundResult
from tournaments.scoring.standings import Standing
from tournaments.scoring.tally import Tallies, add_up


@dataclass(frozen=True)
class PlainPlan:
    rounds_planned: int = 3
    wanted: int = 4
    least: int = 4
    most: int = 5
    advance: int = 2
    cut_to: int = 8
    round_minutes: int | None = None
    bots_fill: bool = False
    at_end: str = "finish"
    lot_seed: str = "lots"


@dataclass(frozen=True)
class PlainPerson:
    number: int
    name: str
    status: str = "present"
    is_away: bool = False
    is_filler: bool = False
    joined_round: int = 1
    rank_hint: int | None = None


@dataclass(frozen=True)
class PlainRound:
    number: int
    stage: str
    status: str
    solution: str


@dataclass
class PlainTournament:
    """A `DrawContext` and `PlayedResults`, of people named by their keys. Seats are places: first seat, first
    place."""

    form: Format
    plan: PlainPlan
    count: int
    rounds: list[PlainRound] = field(default_factory=list)
    results: list[RoundResult] = field(default_factory=list)
    scheme: Scheme = field(default_factory=Scheme)

    def __post_init__(self) -> None:
        self.people: Mapping[str, PlainPerson] = {
            str(number): PlainPerson(number, f"person {number}") for number in range(1, self.count + 1)
        }

    def play(self, paired: Pairing) -> None:
        """Everybody comes in as they sit."""
        self.rounds.append(
            PlainRound(len(self.rounds) + 1, paired.stage, "complete", msgspec.json.encode(paired.solution).decode())
        )
        pods = tuple(PodResult(keys, tuple(range(1, len(keys) + 1))) for keys, _reasons in paired.pods)
        self.results.append(RoundResult(pods, paired.byes))

    def result(self, number: int) -> RoundResult:
        return self.results[number - 1]

    def add_up(self, rounds: Sequence[RoundResult]) -> Tallies:
        return add_up(tuple(self.people), rounds, self.scheme)

    def list_playing(self, number: int) -> frozenset[str]:
        return frozenset()

    def is_last_complete(self, number: int) -> bool:
        return number == len(self.rounds)

    def list_seated(self, number: int) -> Mapping[int, tuple[str, ...]]:
        return {at: pod.entrants for at, pod in enumerate(self.result(number).pods, start=1)}

    def list_present(self, number: int) -> list[str]:
        return list(self.people)

    def find_standings(self) -> Sequence[Standing]:
        return self.form.rank(self)

    def can_fill(self, people: Sequence[str], number: int, more: int) -> bool:
        return False

    def find_smallest_table(self) -> int:
        return 2

    def build_problem(
        self, number: int, *, seed: str, locked: Sequence[Sequence[int]], rounds: int | None = None
    ) -> draw.Problem:
        names = {key: one.name for key, one in self.people.items()}
        return draw.Problem(
            entrants=tuple(draw.Entrant(name, 0) for name in names.values()),
            wanted=self.plan.wanted,
            min_size=self.plan.least,
            max_size=self.plan.most,
            seed=seed,
            time_limit=0.2,
            history=tuple(
                draw.PastRound(
                    pods=tuple(tuple(names[key] for key in pod.entrants) for pod in one.pods),
                    byes=tuple(names[key] for key in one.byes),
                )
                for one in self.results
            ),
            swiss=rounds is None,
            rounds=rounds,
        )

    def solve(self, number: int, problem: draw.Problem, report: ReportProgress | None) -> draw.Solution:
        return draw.solve(problem, report)


def list_sizes() -> list[Sizes]:
    """All that a plan can have."""
    numbers = range(2, 9)
    return [
        Sizes(wanted, least, most)
        for least in numbers
        for most in numbers
        for wanted in numbers
        if least <= wanted <= most
    ]
