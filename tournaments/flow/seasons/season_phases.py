"""The phases of a season: planned, open, finished, archived; or cancelled before anything of it was played."""

from __future__ import annotations

from django.db.models import QuerySet

from games.models import Player
from games.play.errors import Stale
from tournaments.flow.permissions import require_organiser
from tournaments.flow.seasons.season_standings import OVER, counted_of
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import SeasonStep, take_season_step
from tournaments.models import Club, Phase, Season

SETTLED = (*OVER, Phase.CALLED_OFF)
"""Nothing more is to be waited for."""
UNSETTLED = tuple(phase for phase in Phase if phase not in SETTLED)


def open_season(season: Season, actor: Player | None, *, now: float) -> None:
    """Open the season. Idempotent. Raises NotAllowed, Stale."""
    require_organiser(season.club, actor)
    with take_season_step(season.pk, Kind.OPEN_SEASON, actor=actor, now=now) as step:
        if step.season.phase not in (Phase.PLANNED, Phase.RUNNING):
            raise _moved_on()
        step.change(step.season, phase=Phase.RUNNING)


def finish(season: Season, actor: Player | None, *, now: float) -> None:
    """Finish the season. Idempotent. Raises NotAllowed, Stale while a tournament is under way, or none was played."""
    require_organiser(season.club, actor)
    with take_season_step(season.pk, Kind.FINISH, actor=actor, now=now) as step:
        if step.season.phase == Phase.FINISHED:
            return
        if step.season.phase != Phase.RUNNING:
            raise _moved_on()
        require_all_finished(step)
        step.change(step.season, phase=Phase.FINISHED, finished_at=now)


def archive(season: Season, actor: Player | None, *, now: float) -> None:
    """Put a finished season into the archive. Idempotent. Raises NotAllowed, Stale."""
    require_organiser(season.club, actor)
    with take_season_step(season.pk, Kind.ARCHIVE, actor=actor, now=now) as step:
        if step.season.phase not in (Phase.FINISHED, Phase.ARCHIVED):
            raise _moved_on()
        step.change(step.season, phase=Phase.ARCHIVED)


def call_off(season: Season, actor: Player | None, *, now: float) -> None:
    """It is not played, and nothing counts for it; taken back it goes on where it was. Idempotent.

    Raises NotAllowed, Stale once something of it has been played.
    """
    require_organiser(season.club, actor)
    with take_season_step(season.pk, Kind.CALL_OFF, actor=actor, now=now) as step:
        if step.season.phase == Phase.CALLED_OFF:
            return
        require_open(step.season)
        counted = list(counted_of(step.season))
        if any(event.phase in OVER for event in counted):
            raise Stale("Part of this season has been played. Finish it with the tournaments that count.")
        for tournament in counted:
            step.change(tournament, season_id=None)
        step.change(step.season, phase=Phase.CALLED_OFF)


def _moved_on() -> Stale:
    return Stale("This is no longer possible because the season has moved on. Reload the page.")


def require_open(season: Season) -> None:
    """Raises Stale once the season is over."""
    if season.phase == Phase.CALLED_OFF:
        raise Stale("This season was cancelled.")
    if season.phase in OVER:
        raise Stale("This season is finished. Undo that step first.")


def require_all_finished(step: SeasonStep) -> None:
    """Raises Stale while a tournament of the season is under way, or none has been played."""
    counted = list(counted_of(step.season))
    missing = [tournament.name for tournament in counted if tournament.phase not in SETTLED]
    if missing:
        raise Stale(
            "These tournaments are not finished yet: %(names)s. Finish them, or remove them from the season.",
            names=", ".join(missing),
        )
    if not any(tournament.phase in OVER for tournament in counted):
        raise Stale("Nothing has been played yet.")


def open_seasons(club: Club) -> QuerySet[Season]:
    """The seasons of a club that are not over."""
    return Season.objects.filter(club=club).exclude(phase__in=SETTLED).order_by("-created_at")
