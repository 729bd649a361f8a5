"""A ladder: numbered tables, the top one first; after each stretch the best move one table up, the last one down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from games.play.errors import Stale
from games.rules.info import Text, gettext_noop
from tournaments.formats import stages
from tournaments.formats.base import (
    CURRENT,
    Course,
    DrawnPlan,
    Fault,
    Former,
    GameFacts,
    Pairing,
    PairKind,
    Person,
    Plan,
    Played,
    PlayedRound,
    Sizes,
    Tell,
)
from tournaments.formats.rounds import RoundsFormat, rank_points
from tournaments.scoring.knockout import mix_sizes
from tournaments.scoring.ladder import cut, move, rank_ladder
from tournaments.scoring.standings import Standing, compute_lot

ORDER = gettext_noop(
    "Whoever sits higher on the ladder is ahead, at one table the better place in the last stretch. "
    "The points are told besides."
)
MINUTES = 20
"""Of a stretch unless a plan says otherwise."""


class Ladder(RoundsFormat):
    """The format. Rungs are numbered from 0 at the top; a stretch is a round."""

    slug: ClassVar[str] = "ladder"
    name: ClassVar[Text] = gettext_noop("Ladder")
    stage: ClassVar[str] = stages.LADDER
    pair_kinds: ClassVar[tuple[PairKind, ...]] = ()
    takes_seeds: ClassVar[bool] = True
    plays_until_bell: ClassVar[bool] = True
    shows_jobs: ClassVar[bool] = True

    def propose(self, people: int, sizes: Sizes) -> Mapping[str, int]:
        """See `Format`."""
        return {**super().propose(people, sizes), "round_minutes": MINUTES}

    def find_fault(self, plan: Plan, game: GameFacts) -> Fault | None:
        """See `Format`."""
        if not game.has_jobs:
            return Fault("A ladder needs a game in which everybody gets a job. Choose another game.", "game")
        if plan.round_minutes is None:
            return Fault(
                "A ladder is climbed in stretches of time: say how many minutes until the bell of a round.",
                "round_minutes",
            )
        return None

    def is_by_results(self, plan: Plan, rounds: Sequence[PlayedRound], number: int) -> bool:
        """See `Format`."""
        return True

    def pair(
        self, course: Course, number: int, *, seed: str, locked: Sequence[Sequence[int]], tell: Tell | None = None
    ) -> Pairing:
        """As the last stretch left the tables, newcomers at the bottom; seats are drawn by lot. Raises Stale."""
        plan, people = course.plan, course.people
        present = set(course.list_present(number))
        rungs = [key for key in dict.fromkeys([*climb(course), *sorted(present, key=int)]) if key in present]
        sizes = next(
            found
            for byes in range(len(rungs) + 1)
            if (found := mix_sizes(len(rungs) - byes, wanted=plan.wanted, least=plan.least, most=plan.most))
            or byes == len(rungs)
        )
        if not sizes:
            raise Stale("Too few people are here for another round.")
        rested = [key for one in course.rounds for key in course.result(one.number).byes]
        tables, byes = cut(rungs, sizes, rested)
        before = list_last_tables(course)
        return Pairing(
            self.stage,
            tuple(
                (
                    tuple(sorted(table, key=lambda key: compute_lot(seed, key))),
                    _say_moves(course, table, index, before),
                )
                for index, table in enumerate(tables, start=1)
            ),
            byes,
            {"ladder": [[people[key].name for key in table] for table in tables]},
        )

    def rank(self, played: Played, former: Former = CURRENT) -> tuple[Standing, ...]:
        """See `Format`."""
        lines, stretches = rank_points(played, former), [played.result(one.number) for one in played.rounds]
        if not stretches:
            return lines
        fillers = () if former.has_stages else [key for key, one in played.people.items() if one.is_filler]
        return rank_ladder(lines, _order_first(played.plan, played.people), stretches, fillers)

    def explain_order(self, stages_played: Sequence[str]) -> Text:
        """See `Format`."""
        return ORDER


def _order_first(plan: DrawnPlan, people: Mapping[str, Person]) -> tuple[str, ...]:
    """The rungs before the first stretch: by the organiser's seeds, then by lot."""
    there = [(key, one.rank_hint) for key, one in people.items() if one.joined_round == 1]
    order = sorted(there, key=lambda one: (one[1] is None, one[1] or 0, -compute_lot(plan.lot_seed, one[0])))
    return tuple(key for key, _hint in order)


def climb(course: Course) -> tuple[str, ...]:
    """The rungs for the next stretch, the top first: the first order, and what each stretch that is over made of it."""
    rungs = _order_first(course.plan, course.people)
    for one in course.rounds:
        if one.status == "complete":
            rungs = move(rungs, course.result(one.number))
    return rungs


def list_known(course: Course) -> set[str]:
    """Who was in a stretch before, also if they sat it out."""
    known: set[str] = set()
    for one in course.rounds:
        result = course.result(one.number)
        known.update(result.byes, result.absent, *course.list_seated(one.number).values())
    return known


def list_last_tables(course: Course) -> dict[str, int]:
    """At which table everybody sat in the last stretch; nobody before the first one."""
    last = course.list_seated(course.rounds[-1].number) if course.rounds else {}
    return {key: number for number, keys in last.items() for key in keys}


def _say_moves(course: Course, table: Sequence[str], number: int, before: Mapping[str, int]) -> list[Any]:
    """Who came up, who came down, who sat the last stretch out, who is new on the ladder."""
    names, known = {key: course.people[key].name for key in table}, list_known(course)
    kinds = (
        ("up to this table: %(names)s", [names[key] for key in table if before.get(key, 0) > number]),
        ("down to this table: %(names)s", [names[key] for key in table if 0 < before.get(key, number) < number]),
        ("stay at this table: %(names)s", [names[key] for key in table if before.get(key) == number]),
        ("sat out the last time: %(names)s", [names[key] for key in table if key not in before and key in known]),
        ("new on the ladder: %(names)s", [names[key] for key in table if key not in before and key not in known]),
    )
    return [[template, {"names": ", ".join(found)}] for template, found in kinds if found]


FORMAT = Ladder()
