"""A knockout: seeded tables, the best of each go on, until one table is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from games.rules.info import Text, gettext_noop
from tournaments.formats import elimination, stages
from tournaments.formats.base import (
    CURRENT,
    Columns,
    Course,
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
from tournaments.formats.rounds import RoundsFormat, list_here
from tournaments.scoring.standings import Standing, compute_lot
from tournaments.scoring.tally import Tallies


class Knockout(RoundsFormat):
    """The format. Its rounds give no points: results say who goes on."""

    slug: ClassVar[str] = "knockout"
    name: ClassVar[Text] = gettext_noop("Knockout")
    stage: ClassVar[str] = stages.KNOCKOUT
    plan_fields: ClassVar[tuple[str, ...]] = ("advance",)
    pair_kinds: ClassVar[tuple[PairKind, ...]] = ()
    columns: ClassVar[Columns] = Columns(has_points=False)
    takes_seeds: ClassVar[bool] = True
    names_stages: ClassVar[bool] = True

    def propose(self, people: int, sizes: Sizes) -> Mapping[str, int]:
        """See `Format`."""
        return {"advance": min(elimination.ADVANCE, sizes.least - 1)}

    def find_fault(self, plan: Plan, game: GameFacts) -> Fault | None:
        """See `Format`."""
        return elimination.find_advance_fault(plan)

    def is_by_results(self, plan: Plan, rounds: Sequence[PlayedRound], number: int) -> bool:
        """See `Format`."""
        return True

    def is_elimination(self, plan: Plan, rounds: Sequence[PlayedRound], number: int) -> bool:
        """See `Format`."""
        return True

    def find_stage(self, course: Course) -> str | None:
        """See `Format`."""
        return elimination.find_next(course, self.list_entitled)

    def list_entitled(self, course: Course, number: int, *, back: str = "") -> list[str]:
        """The best seed first: by the organiser's seeds, then by lot; after the first stage who goes on."""
        present = list_here(course, number, back)
        part = elimination.list_stages(course.rounds, number)
        if part:
            return elimination.list_through(course, part, present, number)
        hints, seed = {key: one.rank_hint for key, one in course.people.items()}, course.plan.lot_seed
        return sorted(present, key=lambda key: (hints[key] is None, hints[key] or 0, -compute_lot(seed, key)))

    def pair(
        self, course: Course, number: int, *, seed: str, locked: Sequence[Sequence[int]], tell: Tell | None = None
    ) -> Pairing:
        """See `Format`."""
        return elimination.pair_stage(course, number, self.list_entitled(course, number))

    def rank(self, played: Played, former: Former = CURRENT) -> tuple[Standing, ...]:
        """See `Format`."""
        part = [one for one in played.rounds if one.stage in stages.ELIMINATION]
        tallies = played.add_up([played.result(one.number) for one in part])
        return elimination.rank_stages(played, _rank_seeds(played.people, tallies), part, former)


def _rank_seeds(people: Mapping[str, Person], tallies: Tallies) -> tuple[Standing, ...]:
    """The order before the first stage: by the organiser's seeds; without one, equal. With tables played and won."""
    hints = {key: one.rank_hint for key, one in people.items()}
    order = sorted(tallies, key=lambda key: (hints[key] is None, hints[key] or 0))
    lines, place = [], 0
    for index, key in enumerate(order, start=1):
        is_same = index > 1 and hints[key] == hints[order[index - 2]]
        place = place if is_same else index
        lines.append(Standing(key, place, 0, (), (), tallies[key].wins, tallies[key].played))
    return tuple(lines)


FORMAT = Knockout()
