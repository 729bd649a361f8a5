"""Check-in, absence, withdrawal and return of entrants. Each call is one step, for any number of them."""

from __future__ import annotations

from collections.abc import Iterable

from games.models import Player
from games.play.errors import Stale
from tournaments.flow.drawing.drafts import can_play_online, settle_venue
from tournaments.flow.entry.entry_deadline import next_round, require_not_over, require_open, require_room
from tournaments.flow.entry.sign_up import find_entrants, is_own, name_changed, require_own, return_one
from tournaments.flow.entry.waiting_list import move_up
from tournaments.flow.permissions import has_duty, is_at_least, require_duty, role_of
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import take_step
from tournaments.models import Duty, Entrant, Phase, Pod, Role, Round, Tournament


def check_in(tournament: Tournament, actor: Player | None, entrant_ids: Iterable[int], *, now: float) -> None:
    """Check people in: by an organiser, at the door, or by themselves. Idempotent.

    Somebody from the waiting list gets a place by it, but not by their own word. Raises NotAllowed, Stale.
    """
    ids = list(entrant_ids)
    is_by_themselves = _require_own_or_door(tournament, actor, ids)
    may_come = [Entrant.Status.ENTERED] if is_by_themselves else [Entrant.Status.ENTERED, Entrant.Status.WAITING]
    with take_step(tournament.pk, Kind.PRESENT, actor=actor, now=now) as step:
        if step.tournament.phase not in (Phase.CHECK_IN, Phase.RUNNING):
            raise Stale("The check-in has not started yet.")
        for entrant in find_entrants(step.tournament, ids):
            if entrant.status in may_come:
                require_room(step)
                step.change(entrant, status=Entrant.Status.PRESENT, joined_round=next_round(step), ready_at=now)
        name_changed(step)


def mark_missing(tournament: Tournament, actor: Player | None, entrant_ids: Iterable[int], *, now: float) -> None:
    """Cancel check-ins before the first draw. Raises NotAllowed, Stale."""
    ids = list(entrant_ids)
    _require_own_or_door(tournament, actor, ids)
    with take_step(tournament.pk, Kind.NOT_PRESENT, actor=actor, now=now) as step:
        if step.tournament.phase != Phase.CHECK_IN:
            raise Stale("The tournament has already begun. Let the person sit out instead.")
        for entrant in find_entrants(step.tournament, ids):
            if entrant.status == Entrant.Status.PRESENT and not entrant.bot:
                step.change(entrant, status=Entrant.Status.ENTERED)
        name_changed(step)


def _require_own_or_door(tournament: Tournament, actor: Player | None, ids: list[int]) -> bool:
    """Whether people act for themselves; others must be organisers or at the door. Raises NotAllowed."""
    if is_own(tournament, actor, ids):
        return not has_duty(tournament, actor, Duty.DOOR)
    require_duty(tournament, actor, Duty.DOOR)
    return False


def set_away(
    tournament: Tournament, actor: Player | None, entrant_ids: Iterable[int], *, away: bool, now: float
) -> None:
    """Sit out the coming rounds, or be back. Raises NotAllowed, Stale once it is over."""
    ids = list(entrant_ids)
    require_own(tournament, actor, ids)
    with take_step(tournament.pk, Kind.AWAY if away else Kind.BACK, actor=actor, now=now) as step:
        require_not_over(step.tournament)
        for entrant in find_entrants(step.tournament, ids):
            if entrant.is_away != away:
                step.change(entrant, is_away=away, ready_at=entrant.ready_at if away else now)
        name_changed(step)


def play_where(
    tournament: Tournament, actor: Player | None, entrant_ids: Iterable[int], *, on_device: bool, now: float
) -> None:
    """These play on a device from the next draw on, or in the room. Of a draft an organiser's word counts at once.

    Idempotent; bots stay as they are. Raises NotAllowed, Stale once it is over or, for one's own word, while a draft
    waits for its release, BadInput.
    """
    ids = list(entrant_ids)
    require_own(tournament, actor, ids)
    with take_step(tournament.pk, Kind.ON_DEVICE if on_device else Kind.IN_ROOM, actor=actor, now=now) as step:
        require_not_over(step.tournament)
        drafted = step.tournament.rounds.filter(status__in=[Round.Status.DRAWING, Round.Status.DRAFT])
        role = role_of(step.tournament.club, actor.pk if actor else None)
        if drafted.exists() and not is_at_least(role, Role.ORGANISER):
            raise Stale("The next round has already been drawn. Ask an organiser to change where you play.")
        pods = list(Pod.objects.filter(round__in=drafted, seats__entrant__in=ids).distinct())
        could = {pod.pk: can_play_online(pod) for pod in pods}
        for entrant in find_entrants(step.tournament, ids):
            if not entrant.bot:
                step.change(entrant, is_on_device=on_device)
        for pod in pods:
            settle_venue(step, pod, could_before=could[pod.pk])
        name_changed(step)


def withdraw(tournament: Tournament, actor: Player | None, entrant_ids: Iterable[int], *, now: float) -> None:
    """Leave the tournament; results stay. Raises NotAllowed, Stale once it is over."""
    ids = list(entrant_ids)
    require_own(tournament, actor, ids)
    with take_step(tournament.pk, Kind.WITHDRAW, actor=actor, now=now) as step:
        require_not_over(step.tournament)
        for entrant in find_entrants(step.tournament, ids):
            step.change(entrant, status=Entrant.Status.WITHDRAWN)
        name_changed(step)
        move_up(step)


def bring_back(tournament: Tournament, actor: Player | None, entrant_ids: Iterable[int], *, now: float) -> None:
    """Reinstate people who withdrew, from the next round on. Raises NotAllowed."""
    ids = list(entrant_ids)
    require_own(tournament, actor, ids)
    with take_step(tournament.pk, Kind.RETURN, actor=actor, now=now) as step:
        require_open(step.tournament)
        for entrant in find_entrants(step.tournament, ids):
            if entrant.status == Entrant.Status.WITHDRAWN:
                return_one(step, entrant, now=now)
        name_changed(step)
