"""Swiss rounds: who has as many points meets, and nobody meets again as long as that can be avoided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from games.rules.info import Text, gettext_noop
from tournaments.formats import stages
from tournaments.formats.base import Course, Pairing, Tell
from tournaments.formats.rounds import RoundsFormat, keep_solution


class Swiss(RoundsFormat):
    """The format."""

    slug: ClassVar[str] = "swiss"
    name: ClassVar[Text] = gettext_noop("Swiss")
    stage: ClassVar[str] = stages.SWISS

    def pair(
        self, course: Course, number: int, *, seed: str, locked: Sequence[Sequence[int]], tell: Tell | None = None
    ) -> Pairing:
        """See `Format`."""
        problem = course.build_problem(number, seed=seed, locked=locked)
        return keep_solution(course, self.stage, course.solve(number, problem, tell))


FORMAT = Swiss()
