"""The teams of a tournament: named, renamed, removed, and who plays for them from which round on."""

from __future__ import annotations

from django.db.models import Max

from games.models import Player
from games.models.skeletons import collect_skeletons, list_skeletons
from games.play.errors import BadInput, NotFound
from tournaments.flow.entry.entrant_names import clean_name
from tournaments.flow.entry.entry_deadline import next_round, require_going
from tournaments.flow.permissions import require_organiser
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import TournamentStep, take_step
from tournaments.models import Entrant, Team, TeamMember, Tournament
from tournaments.scoring.teams import MAX_PEOPLE

MAX_TEAMS = 500
"""Teams in one tournament."""


def name_team(tournament: Tournament, actor: Player | None, name: str, *, now: float) -> None:
    """A new team without people. Raises NotAllowed, BadInput, Stale once the tournament is over."""
    require_organiser(tournament.club, actor)
    with take_step(tournament.pk, Kind.TEAM, actor=actor, now=now) as step:
        require_teams(step)
        step.details["name"] = create_team(step, name).name


def rename_team(tournament: Tournament, actor: Player | None, team_id: int, name: str, *, now: float) -> None:
    """Correct the name of a team. Raises NotAllowed, NotFound, BadInput, Stale."""
    require_organiser(tournament.club, actor)
    with take_step(tournament.pk, Kind.RENAME_TEAM, actor=actor, now=now) as step:
        require_teams(step)
        team = find_team(step.tournament, team_id)
        name = _clean_free(step.tournament, name, besides=team.pk)
        step.details |= {"before": team.name, "name": name}
        step.change(team, name=name)


def remove_team(tournament: Tournament, actor: Player | None, team_id: int, *, now: float) -> None:
    """Remove a team for which nobody has played. Idempotent. Raises NotAllowed, BadInput, Stale."""
    require_organiser(tournament.club, actor)
    with take_step(tournament.pk, Kind.NO_TEAM, actor=actor, now=now) as step:
        require_teams(step)
        team = Team.objects.filter(tournament=step.tournament, pk=team_id).first()
        if team is None:
            return
        if TeamMember.objects.filter(team=team, first_round__lt=next_round(step)).exists():
            raise BadInput("People have played for this team, so it cannot be removed.")
        step.details["name"] = team.name
        members = list(TeamMember.objects.filter(team=team).order_by("pk"))
        if members:
            step.delete_all(members)
        step.delete(team)


def require_teams(step: TournamentStep) -> None:
    """Raises BadInput in a tournament without teams, Stale once it is over."""
    require_going(step.tournament)
    if step.tournament.team_size is None:
        raise BadInput("This tournament has no teams. Switch them on in the plan.")


def find_team(tournament: Tournament, team_id: int) -> Team:
    """A team of this tournament. Raises NotFound."""
    found = Team.objects.filter(tournament=tournament, pk=team_id).first()
    if found is None:
        raise NotFound("There is no such team in this tournament. Reload the page.")
    return found


def find_or_create_team(step: TournamentStep, name: str) -> Team:
    """Within a step: the team of this name, or one that looks like it; else a new one. Raises BadInput."""
    wanted = list_skeletons(clean_name(name))
    for team in Team.objects.filter(tournament=step.tournament).order_by("number"):
        if not wanted.isdisjoint(list_skeletons(team.name)):
            return team
    return create_team(step, name)


def create_team(step: TournamentStep, name: str) -> Team:
    """Within a step: a new team. Raises BadInput."""
    name = _clean_free(step.tournament, name)
    last: int = Team.objects.filter(tournament=step.tournament).aggregate(last=Max("number"))["last"] or 0
    if last >= MAX_TEAMS:
        raise BadInput("A tournament can have at most %(most)s teams.", most=MAX_TEAMS)
    return step.create(Team(tournament=step.tournament, number=last + 1, name=name))


def _clean_free(tournament: Tournament, name: str, *, besides: int | None = None) -> str:
    name = clean_name(name)
    names = [team.name for team in Team.objects.filter(tournament=tournament) if team.pk != besides]
    if not collect_skeletons(names).isdisjoint(list_skeletons(name)):
        raise BadInput("There is already a team with this name. Choose another one.")
    return name


def find_place(entrant: Entrant) -> TeamMember | None:
    """The team that somebody plays for now."""
    return TeamMember.objects.select_related("team").filter(entrant=entrant, last_round=None).first()


def leave_team(step: TournamentStep, entrant: Entrant) -> TeamMember | None:
    """Within a step: somebody plays for their team no longer; what they scored for it stays. Returns the place left."""
    place = find_place(entrant)
    if place is None:
        return None
    number = next_round(step)
    if place.first_round >= number:
        step.delete(place)
    else:
        step.change(place, last_round=number - 1)
    return place


def join_team(step: TournamentStep, entrant: Entrant, team: Team, *, is_substitute: bool = False) -> None:
    """Within a step: somebody plays for this team from the next round on, and for no other. Idempotent.

    Raises BadInput if the team is full.
    """
    place = find_place(entrant)
    if place is not None and place.team_id == team.pk:
        if place.is_substitute != is_substitute:
            _require_room(step, team, entrant, is_substitute=is_substitute)
            step.change(place, is_substitute=is_substitute)
        return
    _require_room(step, team, entrant, is_substitute=is_substitute)
    if place is not None:
        leave_team(step, entrant)
    step.create(TeamMember(team=team, entrant=entrant, first_round=next_round(step), is_substitute=is_substitute))


def count_members(team: Team) -> tuple[int, int]:
    """How many people a team has now: in all, and how many of them are regular members."""
    rows = TeamMember.objects.filter(team=team, last_round=None)
    return rows.count(), rows.filter(is_substitute=False).count()


def _require_room(step: TournamentStep, team: Team, entrant: Entrant, *, is_substitute: bool) -> None:
    others = TeamMember.objects.filter(team=team, last_round=None).exclude(entrant=entrant)
    size = step.tournament.team_size or MAX_PEOPLE
    if others.count() >= MAX_PEOPLE:
        raise BadInput("“%(team)s” is full: a team has at most %(most)s people.", team=team.name, most=MAX_PEOPLE)
    if not is_substitute and others.filter(is_substitute=False).count() >= size:
        raise BadInput(
            "“%(team)s” already has %(most)s people. Add a substitute, or take somebody out first.",
            team=team.name,
            most=size,
        )
