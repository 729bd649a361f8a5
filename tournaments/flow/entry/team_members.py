"""Who plays for which team: decided by organisers, and by people themselves where the plan allows it."""

from __future__ import annotations

from collections.abc import Iterable

from games.models import Player
from games.play.errors import BadInput, NotFound, Stale
from games.play.seats import reserved_names
from tournaments.flow.entry.entry_deadline import last_released, require_open
from tournaments.flow.entry.sign_up import find_entrants
from tournaments.flow.entry.teams import (
    find_or_create_team,
    find_place,
    find_team,
    join_team,
    leave_team,
    require_teams,
)
from tournaments.flow.permissions import require_organiser
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import take_step
from tournaments.models import Entrant, TeamMember, Tournament


def add_to_team(
    tournament: Tournament,
    actor: Player | None,
    entrant_ids: Iterable[int],
    team_id: int,
    *,
    is_substitute: bool = False,
    now: float,
) -> None:
    """These people play for this team from the next round on, as members or substitutes. Idempotent.

    Raises NotAllowed, NotFound, BadInput, Stale.
    """
    require_organiser(tournament.club, actor)
    with take_step(tournament.pk, Kind.JOIN_TEAM, actor=actor, now=now) as step:
        require_teams(step)
        team, entrants = find_team(step.tournament, team_id), find_entrants(step.tournament, list(entrant_ids))
        for one in entrants:
            if one.is_filler:
                raise BadInput("A bot that fills an empty seat plays for no team.")
            join_team(step, one, team, is_substitute=is_substitute)
        step.details |= {"name": ", ".join(entrant.name for entrant in entrants), "team": team.name}
        if is_substitute:
            step.details["as"] = "substitute"


def remove_from_team(tournament: Tournament, actor: Player | None, entrant_ids: Iterable[int], *, now: float) -> None:
    """These people play for no team from the next round on. Idempotent. Raises NotAllowed, NotFound, Stale."""
    require_organiser(tournament.club, actor)
    with take_step(tournament.pk, Kind.LEAVE_TEAM, actor=actor, now=now) as step:
        require_teams(step)
        entrants = find_entrants(step.tournament, list(entrant_ids))
        left = [place for entrant in entrants if (place := leave_team(step, entrant)) is not None]
        step.details["name"] = ", ".join(entrant.name for entrant in entrants)
        step.details["team"] = ", ".join(dict.fromkeys(place.team.name for place in left))


def make_captain(tournament: Tournament, actor: Player | None, entrant_id: int, *, now: float) -> None:
    """Make a person the captain of their team, instead of an earlier one. Idempotent.

    Raises NotAllowed, NotFound, BadInput, Stale.
    """
    require_organiser(tournament.club, actor)
    with take_step(tournament.pk, Kind.CAPTAIN, actor=actor, now=now) as step:
        require_teams(step)
        [entrant] = find_entrants(step.tournament, [entrant_id])
        place = find_place(entrant)
        if place is None:
            raise BadInput("Somebody without a team cannot be a captain. Put them into a team first.")
        step.details |= {"name": entrant.name, "team": place.team.name}
        for other in TeamMember.objects.filter(team=place.team, is_captain=True).exclude(pk=place.pk):
            step.change(other, is_captain=False)
        step.change(place, is_captain=True)


def choose_team(
    tournament: Tournament, player: Player, team_id: int | None, *, team_name: str = "", now: float
) -> None:
    """Choose the team that a person plays for: an existing one, a new one by name, or none. Idempotent.

    Only before the first round, and where the plan allows it. Raises NotFound, BadInput, Stale.
    """
    is_leaving = team_id is None and not team_name.strip()
    kind = Kind.LEAVE_TEAM if is_leaving else Kind.JOIN_TEAM
    with take_step(tournament.pk, kind, actor=player, now=now) as step:
        require_teams(step)
        require_open(step.tournament)
        if not step.tournament.has_open_teams:
            raise BadInput("In this tournament, organisers put people into teams. Ask one of them.")
        if last_released(step):
            raise Stale("The first round has begun. Ask an organiser to change your team.")
        entrant = Entrant.objects.filter(tournament=step.tournament, player=player).first()
        if entrant is None:
            raise NotFound("You are not in this tournament.")
        step.details["name"] = entrant.name
        if team_id is None and is_leaving:
            left = leave_team(step, entrant)
            step.details["team"] = left.team.name if left else ""
            return
        named = find_team(step.tournament, team_id) if team_id is not None else None
        if named is None:
            reserved_names.require_free(team_name)
        team = named or find_or_create_team(step, team_name)
        step.details["team"] = team.name
        join_team(step, entrant, team)
