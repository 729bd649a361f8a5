"""Swiss rounds: people with equal points meet, and nobody meets again as long as that can be avoided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from games.rules.info import Text, gettext_noop
from tournaments.formats import stages
from tournaments.formats.base import DrawContext, Pairing, ReportProgress
from tournaments.formats.rounds import RoundsFormat, build_pairing


class Swiss(RoundsFormat):
    """The format."""

    slug: ClassVar[str] = "swiss"
    name: ClassVar[Text] = gettext_noop("Swiss")
    stage: ClassVar[str] = stages.SWISS

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
        problem = context.build_problem(number, seed=seed, locked=locked)
        return build_pairing(context, self.stage, context.solve(number, problem, report))


FORMAT = Swiss()
