"""Swiss rounds with a cut: the best of the standings advance to a knockout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from games.rules.info import Text, gettext_noop
from tournaments.formats import elimination, stages
from tournaments.formats.base import (
    CURRENT_RULES,
    CupStage,
    DrawContext,
    Fault,
    GameFacts,
    OlderRules,
    Pairing,
    Plan,
    PlayedResults,
    PlayedRound,
    ReportProgress,
    Sizes,
)
from tournaments.formats.rounds import RoundsFormat, build_pairing, list_here, rank_points
from tournaments.scoring.standings import Standing, compute_lot

ORDER = gettext_noop("Entrants in the knockout are ranked by how far they got. Points are from the rounds before it.")
CUT_TO = 8
"""The proposed number of people who advance to the knockout."""


class SwissCut(RoundsFormat):
    """The format."""

    slug: ClassVar[str] = "swiss-cut"
    name: ClassVar[Text] = gettext_noop("Swiss, then a knockout")
    stage: ClassVar[str] = stages.SWISS
    unused_fields: ClassVar[tuple[str, ...]] = ("length",)
    plan_fields: ClassVar[tuple[str, ...]] = ("advance", "cut_to")
    names_stages: ClassVar[bool] = True

    def propose(self, people: int, sizes: Sizes) -> Mapping[str, int]:
        """See `Format`."""
        advance = min(elimination.ADVANCE, sizes.least - 1)
        return {**super().propose(people, sizes), "advance": advance, "cut_to": max(CUT_TO, sizes.least)}

    def find_fault(self, plan: Plan, game: GameFacts) -> Fault | None:
        """See `Format`."""
        if fault := elimination.find_advance_fault(plan):
            return fault
        return (
            Fault("The cut must leave enough people for at least one table.", "cut_to")
            if plan.cut_to < plan.least
            else None
        )

    def foresee_stages(
        self, people: int, sizes: Sizes, *, advance: int, cut_to: int, smallest: int
    ) -> tuple[CupStage, ...]:
        """See `Format`."""
        return elimination.foresee_stages(min(people, cut_to), sizes, advance=advance, smallest=smallest)

    def is_by_results(self, plan: Plan, rounds: Sequence[PlayedRound], number: int) -> bool:
        """See `Format`."""
        return self.is_elimination(plan, rounds, number)

    def is_elimination(self, plan: Plan, rounds: Sequence[PlayedRound], number: int) -> bool:
        """In the knockout, which begins once all Swiss rounds are drawn."""
        return bool(elimination.list_stages(rounds, number)) or number > plan.rounds_planned

    def find_stage(self, context: DrawContext) -> str | None:
        """See `Format`."""
        if not self.is_elimination(context.plan, context.rounds, len(context.rounds) + 1):
            return self.stage
        return elimination.find_next(context, self.list_entitled)

    def list_entitled(self, context: DrawContext, number: int, *, back: str = "") -> list[str]:
        """In Swiss rounds everybody; after the cut those who made it, best seed first."""
        if not self.is_elimination(context.plan, context.rounds, number):
            return super().list_entitled(context, number, back=back)
        present = list_here(context, number, back)
        part = elimination.list_stages(context.rounds, number)
        if part:
            return elimination.list_next_stage(context, part, present, number)
        places, seed = {line.entrant: line.place for line in context.find_standings()}, context.plan.lot_seed
        present.sort(key=lambda key: (places.get(key, len(places) + 1), -compute_lot(seed, key)))
        return present[: context.plan.cut_to]

    def has_room(self, context: DrawContext, number: int) -> bool:
        """Not if the cut is full already."""
        if not self.is_elimination(context.plan, context.rounds, number):
            return True
        return len(self.list_entitled(context, number)) < context.plan.cut_to

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
        if self.is_elimination(context.plan, context.rounds, number):
            return elimination.pair_stage(context, number, self.list_entitled(context, number))
        problem = context.build_problem(number, seed=seed, locked=locked)
        return build_pairing(context, self.stage, context.solve(number, problem, report))

    def rank(self, played: PlayedResults, older: OlderRules = CURRENT_RULES) -> tuple[Standing, ...]:
        """See `Format`."""
        lines, part = (
            rank_points(played, older),
            [earlier for earlier in played.rounds if earlier.stage in stages.ELIMINATION],
        )
        return elimination.rank_stages(played, lines, part, older) if part else lines

    def explain_order(self, stages_played: Sequence[str]) -> Text:
        """See `Format`."""
        return ORDER if any(stage in stages.ELIMINATION for stage in stages_played) else ""


FORMAT = SwissCut()
