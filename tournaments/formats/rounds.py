"""What most formats answer alike: some rounds are drawn one after the other, and the points say who is ahead."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from games.rules.info import Text
from tournaments import draw
from tournaments.formats.base import (
    CURRENT,
    Columns,
    Course,
    Fault,
    Former,
    GameFacts,
    Pairing,
    PairKind,
    Plan,
    Played,
    PlayedRound,
    Sizes,
    Tell,
)
from tournaments.formats.stages import ELIMINATION
from tournaments.scoring.standings import Standing, rank_sums

ROUNDS = 5
"""Of a plan that says nothing else."""
MOST_ROUNDS = 50
"""No tournament has more; the full schedule of a round robin may."""


class RoundsFormat:
    """A format with drawn rounds. `slug`, `name`, `stage` and `pair` are for each to say."""

    slug: ClassVar[str]
    name: ClassVar[Text]
    stage: ClassVar[str]
    """What kind of rounds it has."""
    plan_fields: ClassVar[tuple[str, ...]] = ()
    pair_kinds: ClassVar[tuple[PairKind, ...]] = ("apart", "together")
    columns: ClassVar[Columns] = Columns()
    has_rounds: ClassVar[bool] = True
    takes_seeds: ClassVar[bool] = False
    names_stages: ClassVar[bool] = False
    plans_ahead: ClassVar[bool] = False
    plays_until_bell: ClassVar[bool] = False
    shows_jobs: ClassVar[bool] = False

    def propose(self, people: int, sizes: Sizes) -> Mapping[str, int]:
        """See `Format`."""
        return {"rounds_planned": ROUNDS}

    def find_fault(self, plan: Plan, game: GameFacts) -> Fault | None:
        """See `Format`."""
        return None

    def count_rounds(self, plan: Plan) -> int:
        """See `Format`."""
        return plan.rounds_planned

    def count_schedule(self, people: int, sizes: Sizes) -> int | None:
        """See `Format`."""
        return None

    def rings_at_tables(self, plan: Plan) -> bool:
        """See `Format`."""
        return True

    def is_by_results(self, plan: Plan, rounds: Sequence[PlayedRound], number: int) -> bool:
        """See `Format`."""
        return False

    def is_elimination(self, plan: Plan, rounds: Sequence[PlayedRound], number: int) -> bool:
        """See `Format`."""
        return False

    def find_stage(self, course: Course) -> str | None:
        """See `Format`."""
        return self.stage if len(course.rounds) < course.plan.rounds_planned else None

    def list_entitled(self, course: Course, number: int, *, back: str = "") -> list[str]:
        """See `Format`."""
        return list_here(course, number, back)

    def has_room(self, course: Course, number: int) -> bool:
        """See `Format`."""
        return True

    @abstractmethod
    def pair(
        self, course: Course, number: int, *, seed: str, locked: Sequence[Sequence[int]], tell: Tell | None = None
    ) -> Pairing:
        """See `Format`."""

    def rank(self, played: Played, former: Former = CURRENT) -> tuple[Standing, ...]:
        """See `Format`."""
        return rank_points(played, former)

    def explain_order(self, stages: Sequence[str]) -> Text:
        """See `Format`."""
        return ""


def list_here(course: Course, number: int, back: str) -> list[str]:
    """Who is here, but for bots on empty seats. back: as if this one, who is away, were here."""
    here = [key for key in course.list_present(number) if not course.people[key].is_filler and key != back]
    return [*here, back] if back else here


def rank_points(played: Played, former: Former) -> tuple[Standing, ...]:
    """The standings by points and tie-breaks, of all rounds but those of a knockout."""
    told = [played.result(one.number) for one in played.rounds if one.stage not in ELIMINATION]
    return rank_sums(played.add_up(told), told, played.scheme, is_former=former.has_breaks)


def keep_solution(course: Course, stage: str, solution: draw.Solution) -> Pairing:
    """The draw of one round, as a pairing."""
    return name_people(course, stage, solution.pods, solution.byes, solution.to_json())


def name_people(
    course: Course, stage: str, pods: Sequence[draw.Pod], byes: Sequence[str], solution: dict[str, Any]
) -> Pairing:
    """A pairing by keys, of a draw by names."""
    keys = {one.name: key for key, one in course.people.items()}
    return Pairing(
        stage,
        tuple(
            (
                tuple(keys[name] for name in pod.seats),
                [[sentence.template, dict(sentence.values)] for sentence in pod.reason],
            )
            for pod in pods
        ),
        tuple(keys[name] for name in byes),
        solution,
    )
