"""Marks beside the names of entrants: who runs the club, and who has an account."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from games.models import Player
from tournaments.flow.standings.book import Book
from tournaments.models import Entrant, Membership, Role
from tournaments.words.terms import ROLES


class Badge(NamedTuple):
    """role: "organiser", "owner" or empty."""

    role: str = ""
    has_account: bool = False

    @property
    def title(self) -> str:
        """The role in words; empty for anybody else."""
        return str(ROLES[Role(self.role)]) if self.role else ""


NO_BADGE = Badge()


def find_badge(book: Book, entrant: Entrant) -> Badge:
    """The marks of this entrant, as they were when the list of entrants last changed."""
    return book.derived.get(("badges",), (book.entrants,), lambda: _read(book)).get(entrant.pk, NO_BADGE)


def _read(book: Book) -> Mapping[int, Badge]:
    people = {entrant.player_id for entrant in book.entrants.values() if entrant.player_id is not None}
    leading = Membership.objects.filter(club=book.tournament.club_id, role__in=[Role.ORGANISER, Role.OWNER])
    roles = dict(leading.values_list("player", "role"))
    accounts = set(Player.objects.filter(pk__in=people, user__isnull=False).values_list("pk", flat=True))
    return {
        entrant.pk: Badge(roles.get(entrant.player_id, ""), entrant.player_id in accounts)
        for entrant in book.entrants.values()
        if entrant.player_id is not None
    }
