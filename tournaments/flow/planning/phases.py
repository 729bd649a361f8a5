"""The phases of a tournament: open for entry, check-in, running, finished, archived; or cancelled before it began."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.db.models import Case, F, Q, When

from games.models import Player
from games.play.errors import Stale
from tournaments.flow.entry import entry_deadline
from tournaments.flow.permissions import require_organiser
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import TournamentStep, take_step
from tournaments.models import Phase, Round, Tournament

NEXT = {
    Phase.PLANNED: Phase.ENTRY,
    Phase.ENTRY: Phase.CHECK_IN,
    Phase.CHECK_IN: Phase.RUNNING,
    Phase.RUNNING: Phase.FINISHED,
    Phase.FINISHED: Phase.ARCHIVED,
}
"""What follows what. Running begins with the first draw, which moves a tournament on by itself."""
NOT_BEGUN = (Phase.PLANNED, Phase.ENTRY, Phase.CHECK_IN)
"""The phases in which a tournament can still be cancelled."""
OVER = (Phase.FINISHED, Phase.ARCHIVED, Phase.CALLED_OFF)
"""The phases after the end."""
STEP_KINDS = {
    Phase.ENTRY: Kind.OPEN_ENTRY,
    Phase.CHECK_IN: Kind.CHECK_IN,
    Phase.FINISHED: Kind.FINISH,
    Phase.ARCHIVED: Kind.ARCHIVE,
}


def move_on(tournament: Tournament, player: Player | None, phase: Phase, *, now: float) -> None:
    """Go on to this phase. Idempotent. Raises NotAllowed, Stale if it does not follow the present one."""
    require_organiser(tournament.club, player)
    with take_step(tournament.pk, STEP_KINDS[phase], actor=player, now=now) as step:
        if step.tournament.phase == phase:
            return
        if NEXT.get(Phase(step.tournament.phase)) != phase:
            raise Stale("This is no longer possible because the tournament has moved on. Reload the page.")
        if phase == Phase.FINISHED:
            require_played(step)
            step.change(step.tournament, phase=phase, finished_at=now)
        else:
            step.change(step.tournament, phase=phase)


def is_coming(now: float) -> Q:
    """The filter for lists of coming tournaments: those not over, and cancelled ones until their day has passed."""
    return Q(phase__in=entry_deadline.OPEN) | is_cancelled_ahead(now)


def is_cancelled_ahead(now: float) -> Q:
    """The filter for cancelled tournaments that were planned for this day or later."""
    day_before = datetime.fromtimestamp(now, tz=UTC) - timedelta(hours=12)
    return Q(phase=Phase.CALLED_OFF, starts_at__gte=day_before)


NOW_FIRST = (
    Case(
        When(phase=Phase.RUNNING, then=0),
        When(phase=Phase.CHECK_IN, then=1),
        When(phase=Phase.CALLED_OFF, then=4),
        When(phase__in=OVER, then=3),
        default=2,
    ),
    Case(When(phase__in=(Phase.CHECK_IN, Phase.ENTRY, Phase.PLANNED), then=F("starts_at"))).asc(nulls_last=True),
    F("finished_at").desc(nulls_first=True),
    "-created_at",
    "pk",
)
"""The order of a list for people who plan to come: under way, check-in, what begins next, what was played last, and
at the end what never was."""


def call_off(tournament: Tournament, player: Player | None, *, now: float) -> None:
    """It does not take place. Its list stays, and taken back it goes on where it was. Idempotent.

    Raises NotAllowed, Stale once something has been drawn.
    """
    require_organiser(tournament.club, player)
    with take_step(tournament.pk, Kind.CALL_OFF, actor=player, now=now) as step:
        if step.tournament.phase == Phase.CALLED_OFF:
            return
        if step.tournament.rounds.exists():
            raise Stale("The tournament has begun. Undo its draw first, or finish it with the results so far.")
        if step.tournament.phase not in NOT_BEGUN:
            raise Stale("The tournament is over.")
        step.change(step.tournament, phase=Phase.CALLED_OFF)


def require_played(step: TournamentStep) -> None:
    """Raises Stale as long as a tournament has something to be played or settled."""
    rounds = Round.objects.filter(tournament=step.tournament)
    if not rounds.exists():
        raise Stale("Nothing has been played yet.")
    if rounds.exclude(status=Round.Status.COMPLETE).exists():
        raise Stale("A round is not complete. Complete it, or undo its draw.")
