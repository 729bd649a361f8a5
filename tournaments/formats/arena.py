"""An arena: open for an agreed time; people are seated again as soon as they are free, and every result counts at once.

`tournaments.scoring.arena` says when who is seated; `tournaments.flow.rounds.arena` does it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from games.play.errors import Stale
from games.rules.info import Text, gettext_noop
from tournaments.formats import stages
from tournaments.formats.base import (
    TEAM_FIELDS,
    Columns,
    DrawContext,
    Fault,
    GameFacts,
    Pairing,
    PairKind,
    Plan,
    ReportProgress,
    Sizes,
)
from tournaments.formats.rounds import RoundsFormat

MINUTES = 90
"""The proposed length of an arena."""
AT_BELL = "bell"
"""`at_end` of a plan in which games under way end when the arena closes."""


class Arena(RoundsFormat):
    """The format: one session, stored as a round, whose tables are made as it goes on."""

    slug: ClassVar[str] = "arena"
    name: ClassVar[Text] = gettext_noop("Arena")
    stage: ClassVar[str] = stages.ARENA
    plan_fields: ClassVar[tuple[str, ...]] = ("at_end",)
    unused_fields: ClassVar[tuple[str, ...]] = (
        "expected",
        "length",
        "rounds_planned",
        "clubs_apart",
        *TEAM_FIELDS,
    )
    pair_kinds: ClassVar[tuple[PairKind, ...]] = ("apart",)
    columns: ClassVar[Columns] = Columns(has_games=True)
    has_rounds: ClassVar[bool] = False
    can_last_days: ClassVar[bool] = False

    def propose(self, people: int, sizes: Sizes) -> Mapping[str, int]:
        """See `Format`."""
        return {"round_minutes": MINUTES}

    def find_fault(self, plan: Plan, game: GameFacts) -> Fault | None:
        """See `Format`."""
        if plan.round_minutes is None:
            return Fault("An arena needs a length. Enter the number of minutes.", "round_minutes")
        if game.has_jobs and not game.has_length:
            return Fault("An arena needs short games. Enter the number of deals or sessions per game.", "deals")
        if plan.bots_fill:
            return Fault(
                "Bots cannot fill empty seats in an arena, because it has no byes. Turn this off. People "
                "left over wait for the next table.",
                "bots_fill",
            )
        return None

    def count_rounds(self, plan: Plan) -> int:
        """See `Format`."""
        return 1

    def rings_at_tables(self, plan: Plan) -> bool:
        """Only if that was agreed."""
        return plan.at_end == AT_BELL

    def find_stage(self, context: DrawContext) -> str | None:
        """See `Format`."""
        return None if context.rounds else self.stage

    def pair(
        self,
        context: DrawContext,
        number: int,
        *,
        seed: str,
        locked: Sequence[Sequence[int]],
        report: ReportProgress | None = None,
    ) -> Pairing:
        """Raises Stale: people are seated whenever they are free."""
        raise Stale("This format has no rounds to draw.")


FORMAT = Arena()
