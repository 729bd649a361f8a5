"""The commitment to duplicate deals that each page of a tournament shows; an entrant's page contributes to it."""

from __future__ import annotations

from typing import NamedTuple

from games.models import Player
from tournaments.flow import duplicate_commitments
from tournaments.models import Entrant, Tournament


class ShownCommitment(NamedTuple):
    """The commitment to the deals that are played next or now.

    number: of the round; seating: of an arena, from 1, else 0; attempt: above 1 after a repeated draw; commitment: a
    SHA-256 in hex; givers: how many entrants have contributed; mine: the reader's contribution, or empty; may_add:
    whether the reader's page contributes by itself. The field names are the keys of `coming.json`.
    """

    number: int
    seating: int
    attempt: int
    commitment: str
    givers: int
    is_open: bool
    mine: str
    may_add: bool


def find_shown_commitment(tournament: Tournament, player: Player | None) -> ShownCommitment | None:
    """The commitment that the pages of this tournament show; None if there is none."""
    row = duplicate_commitments.find_shown(tournament)
    if row is None:
        return None
    me = Entrant.objects.filter(tournament=tournament, player=player).first() if player is not None else None
    is_open = row.closed_at is None and row.revealed_at is None
    return ShownCommitment(
        number=row.number,
        seating=row.seating,
        attempt=row.attempt,
        commitment=row.deal.commitment,
        givers=sum(given is not None for given in duplicate_commitments.list_contributions(row)),
        is_open=is_open,
        mine=(duplicate_commitments.find_contribution(row, me) or "") if me is not None else "",
        may_add=is_open and me is not None,
    )
