"""A knockout: seeded tables; the best of each advance, until one table is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from games.rules.info import Text, gettext_noop
from tournaments.formats import elimination, stages
from tournaments.formats.base import (
    CURRENT_RULES,
    POINT_FIELDS,
    TEAM_FIELDS,
    Columns,
    CupStage,
    DrawContext,
    Fault,
    GameFacts,
    OlderRules,
    Pairing,
    PairKind,
    Person,
    Plan,
    PlayedResults,
    PlayedRound,
    ReportProgress,
    Sizes,
)
from tournaments.formats.rounds import RoundsFormat, list_here
from tournaments.scoring.standings import Standing, compute_lot
from tournaments.scoring.tally import Tallies


class Knockout(RoundsFormat):
    """The format. Its rounds give no points: results decide who advances."""

    slug: ClassVar[str] = "knockout"
    name: ClassVar[Text] = gettext_noop("Knockout")
    stage: ClassVar[str] = stages.KNOCKOUT
    plan_fields: ClassVar[tuple[str, ...]] = ("advance",)
    unused_fields: ClassVar[tuple[str, ...]] = (
        "length",
        "rounds_planned",
        "clubs_apart",
        "repeat_worth",
        *POINT_FIELDS,
        *TEAM_FIELDS,
    )
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

    def foresee_stages(
        self, people: int, sizes: Sizes, *, advance: int, cut_to: int, smallest: int
    ) -> tuple[CupStage, ...]:
        """See `Format`."""
        return elimination.foresee_stages(people, sizes, advance=advance, smallest=smallest)

    def is_by_results(self, plan: Plan, rounds: Sequence[PlayedRound], number: int) -> bool:
        """See `Format`."""
        return True

    def is_elimination(self, plan: Plan, rounds: Sequence[PlayedRound], number: int) -> bool:
        """See `Format`."""
        return True

    def find_stage(self, context: DrawContext) -> str | None:
        """See `Format`."""
        return elimination.find_next(context, self.list_entitled)

    def list_entitled(self, context: DrawContext, number: int, *, back: str = "") -> list[str]:
        """The best seed first: by the seeds of the organiser, then by lot; after the first stage who advances."""
        present = list_here(context, number, back)
        part = elimination.list_stages(context.rounds, number)
        if part:
            return elimination.list_next_stage(context, part, present, number)
        hints, seed = {key: one.rank_hint for key, one in context.people.items()}, context.plan.lot_seed
        return sorted(present, key=lambda key: (hints[key] is None, hints[key] or 0, -compute_lot(seed, key)))

    def pair(
        self,
        context: DrawContext,
        number: int,
        *,
        seed: str,
        locked: Sequence[Sequence[int]],
        report: ReportProgress | None = None,
    ) -> Pairing:
        """See `Format`."""
        return elimination.pair_stage(context, number, self.list_entitled(context, number))

    def rank(self, played: PlayedResults, older: OlderRules = CURRENT_RULES) -> tuple[Standing, ...]:
        """See `Format`."""
        part = [earlier for earlier in played.rounds if earlier.stage in stages.ELIMINATION]
        tallies = played.add_up([played.result(person.number) for person in part])
        return elimination.rank_stages(played, _rank_seeds(played.people, tallies), part, older)


def _rank_seeds(people: Mapping[str, Person], tallies: Tallies) -> tuple[Standing, ...]:
    """The standings before the first stage: by the seeds of the organiser; people without one share the last place."""
    hints = {key: one.rank_hint for key, one in people.items()}
    order = sorted(tallies, key=lambda key: (hints[key] is None, hints[key] or 0))
    lines, place = [], 0
    for index, key in enumerate(order, start=1):
        is_same = index > 1 and hints[key] == hints[order[index - 2]]
        place = place if is_same else index
        lines.append(Standing(key, place, 0, (), (), tallies[key].wins, tallies[key].played))
    return tuple(lines)


FORMAT = Knockout()
