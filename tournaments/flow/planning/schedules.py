"""Whether a round robin has the rounds that a full schedule takes for its people."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from games.models import Player
from tournaments import formats
from tournaments.flow.planning import tournament_plan
from tournaments.flow.standings.book import Book
from tournaments.formats.base import Sizes
from tournaments.formats.rounds import MAX_ROUNDS
from tournaments.models import Entrant, Phase, Tournament


class Schedule(NamedTuple):
    """people: who would play; full: the rounds in which everybody can meet everybody; planned: those there are."""

    people: int
    full: int
    planned: int

    @property
    def proposed(self) -> int:
        """As many rounds as a plan may have."""
        return min(self.full, MAX_ROUNDS)


def find_shortfall(book: Book) -> Schedule | None:
    """The schedule of a round robin with fewer rounds than a full one takes; None where nothing is missing.

    For those who are entered, from the first draw on for those who are here; when it is over with the rounds played.
    """
    plan = book.tournament
    people = _count_people(book)
    full = formats.of(plan).count_schedule(people, Sizes(plan.wanted, plan.least, plan.most))
    is_over = plan.phase in (Phase.FINISHED, Phase.ARCHIVED)
    planned = len(book.complete_rounds()) if is_over else plan.rounds_planned
    return Schedule(people, full, planned) if full is not None and full > planned else None


def _count_people(book: Book) -> int:
    gone = {Entrant.Status.WITHDRAWN, Entrant.Status.WAITING} | ({Entrant.Status.ENTERED} if book.rounds else set())
    return sum(entrant.status not in gone and not entrant.is_filler for entrant in book.entrants.values())


def plan_rounds(tournament: Tournament, player: Player | None, rounds: int, *, now: float) -> None:
    """Plan so many rounds and change nothing else. Raises NotAllowed, BadInput."""
    agreement = tournament_plan.read(Tournament.objects.get(pk=tournament.pk))
    tournament_plan.revise(tournament, player, msgspec.structs.replace(agreement, rounds_planned=rounds), now=now)
