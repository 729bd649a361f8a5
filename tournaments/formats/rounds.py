"""The base class of most formats: rounds are drawn one after the other, and points decide the standings."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from games.rules.info import Text
from tournaments import draw
from tournaments.formats.base import (
    CURRENT_RULES,
    Columns,
    CupStage,
    DrawContext,
    Fault,
    GameFacts,
    OlderRules,
    Pairing,
    PairKind,
    Plan,
    PlayedResults,
    PlayedRound,
    ReportProgress,
    Sizes,
)
from tournaments.formats.stages import ELIMINATION
from tournaments.scoring.standings import Standing, rank_sums

ROUNDS = 5
"""The proposed number of rounds."""
MAX_ROUNDS = 50
"""The most rounds a plan may have; the full schedule of a round robin may need more."""


class RoundsFormat:
    """A format with drawn rounds. Subclasses define `slug`, `name`, `stage` and `pair`."""

    slug: ClassVar[str]
    name: ClassVar[Text]
    stage: ClassVar[str]
    """The stage of its rounds."""
    plan_fields: ClassVar[tuple[str, ...]] = ()
    unused_fields: ClassVar[tuple[str, ...]] = ()
    pair_kinds: ClassVar[tuple[PairKind, ...]] = ("apart", "together")
    columns: ClassVar[Columns] = Columns()
    has_rounds: ClassVar[bool] = True
    takes_seeds: ClassVar[bool] = False
    names_stages: ClassVar[bool] = False
    plans_ahead: ClassVar[bool] = False
    plays_until_bell: ClassVar[bool] = False
    can_last_days: ClassVar[bool] = True
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

    def foresee_stages(
        self, people: int, sizes: Sizes, *, advance: int, cut_to: int, smallest: int
    ) -> tuple[CupStage, ...]:
        """See `Format`."""
        return ()

    def rings_at_tables(self, plan: Plan) -> bool:
        """See `Format`."""
        return True

    def is_by_results(self, plan: Plan, rounds: Sequence[PlayedRound], number: int) -> bool:
        """See `Format`."""
        return False

    def is_elimination(self, plan: Plan, rounds: Sequence[PlayedRound], number: int) -> bool:
        """See `Format`."""
        return False

    def find_stage(self, context: DrawContext) -> str | None:
        """See `Format`."""
        return self.stage if len(context.rounds) < context.plan.rounds_planned else None

    def list_entitled(self, context: DrawContext, number: int, *, back: str = "") -> list[str]:
        """See `Format`."""
        return list_here(context, number, back)

    def has_room(self, context: DrawContext, number: int) -> bool:
        """See `Format`."""
        return True

    @abstractmethod
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

    def rank(self, played: PlayedResults, older: OlderRules = CURRENT_RULES) -> tuple[Standing, ...]:
        """See `Format`."""
        return rank_points(played, older)

    def explain_order(self, stages: Sequence[str]) -> Text:
        """See `Format`."""
        return ""


def list_here(context: DrawContext, number: int, back: str) -> list[str]:
    """The keys of who is present, without bots on empty seats. back: a key to be treated as present."""
    present = [key for key in context.list_present(number) if not context.people[key].is_filler and key != back]
    return [*present, back] if back else present


def rank_points(played: PlayedResults, older: OlderRules) -> tuple[Standing, ...]:
    """The standings by points and tie-breaks, of all rounds but those of a knockout."""
    results = [played.result(earlier.number) for earlier in played.rounds if earlier.stage not in ELIMINATION]
    return rank_sums(played.add_up(results), results, played.scheme, is_former=older.has_zero_tie_breaks)


def build_pairing(context: DrawContext, stage: str, solution: draw.Solution) -> Pairing:
    """The solution of one round as a pairing."""
    return build_named_pairing(context, stage, solution.pods, solution.byes, solution.to_json())


def build_named_pairing(
    context: DrawContext, stage: str, pods: Sequence[draw.Pod], byes: Sequence[str], solution: dict[str, Any]
) -> Pairing:
    """A pairing by keys, from a draw whose ids are names."""
    keys = {one.name: key for key, one in context.people.items()}
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
