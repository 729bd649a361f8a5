"""What every page of a tournament shows of its duplicate deals, so that an entrant's page contributes by itself."""

from __future__ import annotations

from typing import NamedTuple

from games.models import Player
from tournaments.flow import duplicate_commitments
from tournaments.models import Entrant, Tournament


class Promise(NamedTuple):
    """The deals that come next, or are played now, as every page of their tournament shows them.

    givers: how many have contributed; mine: what the reader has, empty for nothing; may_add: whether their page
    contributes by itself.
    """

    number: int
    seating: int
    attempt: int
    commitment: str
    givers: int
    is_open: bool
    mine: str
    may_add: bool


def find_promise(tournament: Tournament, player: Player | None) -> Promise | None:
    """What the pages of this tournament show of its duplicate deals; None where there are none to come."""
    row = duplicate_commitments.find_shown(tournament)
    if row is None:
        return None
    me = Entrant.objects.filter(tournament=tournament, player=player).first() if player is not None else None
    is_open = row.closed_at is None and row.revealed_at is None
    return Promise(
        number=row.number,
        seating=row.seating,
        attempt=row.attempt,
        commitment=row.deal.commitment,
        givers=sum(given is not None for given in duplicate_commitments.list_contributions(row)),
        is_open=is_open,
        mine=(duplicate_commitments.find_contribution(row, me) or "") if me is not None else "",
        may_add=is_open and me is not None,
    )
