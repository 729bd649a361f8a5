"""Who is there: check-in, absence, withdrawal, return. Of many at once it is one step, taken back as one."""

from __future__ import annotations

from collections.abc import Iterable

from games.models import Player
from games.play.errors import Stale
from tournaments.flow.admission import next_round, require_not_over, require_open, require_room
from tournaments.flow.entry import find_entrants, name_changed, require_own, return_one
from tournaments.flow.steps import take
from tournaments.models import Entrant, Phase, Tournament


def check_in(tournament: Tournament, actor: Player | None, entrant_ids: Iterable[int], *, now: float) -> None:
    """These are here: said by an organiser, or by somebody of himself. Twice is once. Raises NotAllowed, Stale."""
    ids = list(entrant_ids)
    require_own(tournament, actor, ids)
    with take(tournament.pk, "present", actor=actor, now=now) as step:
        if step.tournament.phase not in (Phase.CHECK_IN, Phase.RUNNING):
            raise Stale("Check-in is not open yet.")
        for entrant in find_entrants(step.tournament, ids):
            if entrant.status == Entrant.Status.ENTERED:
                require_room(step)
                step.change(entrant, status=Entrant.Status.PRESENT, joined_round=next_round(step), ready_at=now)
        name_changed(step)


def mark_missing(tournament: Tournament, actor: Player | None, entrant_ids: Iterable[int], *, now: float) -> None:
    """Take check-ins back before the first draw. Raises NotAllowed, Stale."""
    ids = list(entrant_ids)
    require_own(tournament, actor, ids)
    with take(tournament.pk, "not-present", actor=actor, now=now) as step:
        if step.tournament.phase != Phase.CHECK_IN:
            raise Stale("The tournament is under way. Mark an absence instead.")
        for entrant in find_entrants(step.tournament, ids):
            if entrant.status == Entrant.Status.PRESENT and not entrant.bot:
                step.change(entrant, status=Entrant.Status.ENTERED)
        name_changed(step)


def set_away(
    tournament: Tournament, actor: Player | None, entrant_ids: Iterable[int], *, away: bool, now: float
) -> None:
    """Sit out the coming rounds, or be back. Raises NotAllowed, Stale once it is over."""
    ids = list(entrant_ids)
    require_own(tournament, actor, ids)
    with take(tournament.pk, "away" if away else "back", actor=actor, now=now) as step:
        require_not_over(step.tournament)
        for entrant in find_entrants(step.tournament, ids):
            if entrant.is_away != away:
                step.change(entrant, is_away=away, ready_at=entrant.ready_at if away else now)
        name_changed(step)


def withdraw(tournament: Tournament, actor: Player | None, entrant_ids: Iterable[int], *, now: float) -> None:
    """Leave the tournament; results stay. Raises NotAllowed, Stale once it is over."""
    ids = list(entrant_ids)
    require_own(tournament, actor, ids)
    with take(tournament.pk, "withdraw", actor=actor, now=now) as step:
        require_not_over(step.tournament)
        for entrant in find_entrants(step.tournament, ids):
            step.change(entrant, status=Entrant.Status.WITHDRAWN)
        name_changed(step)


def bring_back(tournament: Tournament, actor: Player | None, entrant_ids: Iterable[int], *, now: float) -> None:
    """Somebody who withdrew is in again, from the next round on. Raises NotAllowed."""
    ids = list(entrant_ids)
    require_own(tournament, actor, ids)
    with take(tournament.pk, "return", actor=actor, now=now) as step:
        require_open(step.tournament)
        for entrant in find_entrants(step.tournament, ids):
            if entrant.status == Entrant.Status.WITHDRAWN:
                return_one(step, entrant, now=now)
        name_changed(step)
