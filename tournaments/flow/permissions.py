"""Permissions in clubs, tournaments, seasons and evenings."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from games.models import Player, Table
from games.play.errors import NotAllowed
from tournaments.models import (
    Club,
    Duty,
    Entrant,
    Membership,
    NightDuty,
    Phase,
    Pod,
    Role,
    Season,
    SessionTable,
    Tournament,
)

OPENED = "tournaments"
"""Session key: tournaments whose entry link this browser has opened."""

RANK = {None: 0, Role.MEMBER: 1, Role.ORGANISER: 2, Role.OWNER: 3}


def role_of(club: Club, player_id: int | None) -> Role | None:
    """The role of this person in this club, or None."""
    if player_id is None:
        return None
    found = Membership.objects.filter(club=club, player_id=player_id).values_list("role", flat=True).first()
    return Role(found) if found else None


def is_at_least(role: Role | None, least: Role) -> bool:
    """Whether a role includes the rights of another one."""
    return RANK[role] >= RANK[least]


def require_role(club: Club, player_id: int | None, least: Role) -> Role:
    """The person's role. Raises NotAllowed if it is not enough."""
    role = role_of(club, player_id)
    if role is None or not is_at_least(role, least):
        sentences = {
            Role.OWNER: NotAllowed("Only an owner of this club can do this."),
            Role.ORGANISER: NotAllowed("Only an organiser of this club can do this."),
            Role.MEMBER: NotAllowed("Only members of this club can do this. Ask a member for an invitation."),
        }
        raise sentences[least]
    return role


def require_organiser(club: Club, actor: Player | None) -> Role:
    """The role of somebody who may lead what the club plays; None is nobody. Raises NotAllowed if it is not enough."""
    return require_role(club, actor.pk if actor else None, Role.ORGANISER)


ON_DUTY_IN = (Phase.PLANNED, Phase.ENTRY, Phase.CHECK_IN, Phase.RUNNING)
"""Phases in which the duties of a night count. They end with the tournament."""


def list_duties(tournament: Tournament, player_id: int | None) -> frozenset[Duty]:
    """The duties that this person has taken for this tournament, while they count."""
    if player_id is None or tournament.phase not in ON_DUTY_IN:
        return frozenset()
    rows = NightDuty.objects.filter(tournament=tournament, player=player_id).values_list("duty", flat=True)
    return frozenset(map(Duty, rows))


def has_duty(tournament: Tournament, actor: Player | None, duty: Duty) -> bool:
    """Whether this person may do what belongs to a duty: as an organiser, or because they have taken it."""
    me = actor.pk if actor else None
    return is_at_least(role_of(tournament.club, me), Role.ORGANISER) or duty in list_duties(tournament, me)


def require_duty(tournament: Tournament, actor: Player | None, duty: Duty) -> None:
    """Raises NotAllowed for everybody but organisers and those with this duty."""
    if not has_duty(tournament, actor, duty):
        require_organiser(tournament.club, actor)


def can_see_club(club: Club, player_id: int | None) -> bool:
    """Whether this person can see the club: everybody if it is public, else members."""
    return club.is_public or role_of(club, player_id) is not None


def can_see(tournament: Tournament, player_id: int | None, role: Role | None) -> bool:
    """Whether this person can see the tournament: everybody if it is public, else members and entrants."""
    if tournament.is_public or role is not None:
        return True
    if player_id is None:
        return False
    is_in = Entrant.objects.filter(tournament=tournament, player_id=player_id).exists()
    return is_in or bool(list_duties(tournament, player_id))


def can_see_season(season: Season, role: Role | None) -> bool:
    """Whether somebody with this role can see the season: everybody if it is public, else members."""
    return season.is_public or role is not None


def list_season_readers(season: Season) -> frozenset[int] | None:
    """The ids of everybody who can see the season; None for anybody."""
    return None if season.is_public else list_members(season.club_id)


def list_members(club_id: int) -> frozenset[int]:
    """Everybody who has a role in this club."""
    return frozenset(Membership.objects.filter(club=club_id).values_list("player", flat=True))


def list_organisers(club_id: int) -> list[int]:
    """Everybody who may lead what this club plays, always in the same order."""
    leading = Membership.objects.filter(club=club_id, role__in=[Role.ORGANISER, Role.OWNER])
    return sorted(leading.values_list("player", flat=True))


def list_readers(tournament: Tournament) -> frozenset[int] | None:
    """The ids of everybody who can see the tournament; None for anybody."""
    if tournament.is_public:
        return None
    entrants = Entrant.objects.filter(tournament=tournament).exclude(player=None).values_list("player", flat=True)
    on_duty = NightDuty.objects.filter(tournament=tournament).exclude(player=None).values_list("player", flat=True)
    return list_members(tournament.club_id) | frozenset(found for found in (*entrants, *on_duty) if found is not None)


def runs_table(table_id: str, player_id: int) -> bool:
    """Whether this person is an organiser of the club whose tournament or evening the table belongs to."""
    runs = Membership.objects.filter(player_id=player_id, role__in=[Role.ORGANISER, Role.OWNER]).values("club")
    if not runs.exists():
        return False
    pods = Pod.objects.filter(table_id=table_id, round__tournament__club__in=runs)
    return pods.exists() or SessionTable.objects.filter(table_id=table_id, timed_session__club__in=runs).exists()


def find_club_of_table(table_id: str) -> int | None:
    """The id of the club whose tournament or evening the table belongs to."""
    clubs = Pod.objects.filter(table_id=table_id).values_list("round__tournament__club", flat=True)
    evenings = SessionTable.objects.filter(table_id=table_id).values_list("timed_session__club", flat=True)
    return clubs.first() or evenings.first()


def list_table_organisers(table_id: str) -> list[int]:
    """The organisers of the club that the table belongs to."""
    club_id = find_club_of_table(table_id)
    return [] if club_id is None else list_organisers(club_id)


def find_silence(table_id: str, player_id: int, now: float) -> float:
    """For how many more seconds this person cannot write at tables of the club; 0 if they can."""
    members = Membership.objects.filter(club=find_club_of_table(table_id), player=player_id)
    return max(0.0, (members.values_list("silenced_until", flat=True).first() or 0.0) - now)


def list_club_tables(club: Club) -> QuerySet[Table, str]:
    """The ids of the online tables of a club's tournaments and evenings, for use in a query."""
    of_tournaments = Q(pk__in=Pod.objects.filter(round__tournament__club=club, table__isnull=False).values("table"))
    of_evenings = Q(pk__in=SessionTable.objects.filter(timed_session__club=club).values("table"))
    return Table.objects.filter(of_tournaments | of_evenings).values_list("pk", flat=True)


def seat_of(pod: Pod, player_id: int | None) -> int | None:
    """The seat index at which this person plays in this pod, for themselves or as a substitute; None if they do not."""
    if player_id is None:
        return None
    for seat in pod.seats.select_related("entrant"):
        if player_id == seat.player_id:
            return seat.index
    return None
