"""A league: a season of finished tournaments of a club: which of them count, and who is who in them.

Nothing of a standing is stored (`league_table`).
"""

from __future__ import annotations

from django.db.models import Q, QuerySet

from games.models import Player
from games.models.spelling import fold
from games.play.errors import BadInput, NotFound, Stale
from tournaments.flow.entry import entry_deadline
from tournaments.flow.entry.entrant_names import clean_name
from tournaments.flow.permissions import require_organiser
from tournaments.flow.seasons.season_people import match
from tournaments.flow.seasons.season_standings import OVER, counted_of, read_entries
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import Taking, stir, take
from tournaments.models import Club, Entrant, Format, LeagueName, Phase, Tournament

SETTLED = (*OVER, Phase.CALLED_OFF)
"""Nothing more is to be waited for."""
UNSETTLED = tuple(phase for phase in Phase if phase not in SETTLED)
MOST_TOURNAMENTS = 100
"""Of a season, and of those that it is offered."""


def open_season(league: Tournament, actor: Player | None, *, now: float) -> None:
    """From now on the table of the season stands. Twice is once. Raises NotAllowed, Stale."""
    require_organiser(league.club, actor)
    with take(league.pk, Kind.OPEN_SEASON, actor=actor, now=now) as step:
        if step.tournament.format != Format.LEAGUE or step.tournament.phase not in (Phase.PLANNED, Phase.RUNNING):
            raise Stale("That does not come next: the tournament has moved on. Look again.")
        step.change(step.tournament, phase=Phase.RUNNING)


def count_tournament(league: Tournament, actor: Player | None, tournament_id: str, *, counts: bool, now: float) -> None:
    """Let a tournament of the club count for the season, or not. Twice is once.

    One that is not finished yet counts as soon as it is. Raises NotAllowed, NotFound, Stale.
    """
    require_organiser(league.club, actor)
    with take(league.pk, Kind.COUNT if counts else Kind.UNCOUNT, actor=actor, now=now) as step:
        _require_open(step)
        one = candidates(step.tournament).filter(pk=tournament_id).first()
        if one is None:
            raise NotFound("There is no such tournament in this club.")
        if counts and one.season_id not in (None, league.pk):
            raise Stale("“%(name)s” counts for another season already.", name=one.name)
        if counts and is_hidden_from(step.tournament, one):
            raise BadInput("Everybody can look at this season, but not at “%(name)s”.", name=one.name)
        if counts and counted_of(league).count() >= MOST_TOURNAMENTS:
            raise BadInput("A season has at most %(most)s tournaments.", most=MOST_TOURNAMENTS)
        if not counts and one.season_id != league.pk:
            return
        step.details["name"] = one.name
        step.change(one, season_id=league.pk if counts else None)


def give_up(step: Taking) -> None:
    """Nothing counts for a season that is called off. Raises Stale once something of it has been played."""
    _require_open(step)
    counted = list(counted_of(step.tournament))
    if any(one.phase in OVER for one in counted):
        raise Stale("Something of this season has been played: finish it with what counts.")
    for one in counted:
        step.change(one, season_id=None)


def _require_open(step: Taking) -> None:
    entry_deadline.require_not_called_off(step.tournament)
    if step.tournament.format != Format.LEAGUE or step.tournament.phase in OVER:
        raise Stale("This season is over. Take its end back first.")


def is_hidden_from(league: Tournament, one: Tournament) -> bool:
    """Whether somebody may look at the season and not at this tournament: then it does not count."""
    return league.is_public and not one.is_public


def candidates(league: Tournament) -> QuerySet[Tournament]:
    """The tournaments of the club that this season could count."""
    rows = Tournament.objects.filter(club=league.club_id).exclude(format=Format.LEAGUE)
    return rows.filter(game=league.game) if league.game else rows


def follow_account(player_id: int) -> None:
    """He may be called something else from now on, and so he is in the tables of seasons."""
    for league_id in (
        Tournament.objects.filter(counted__entrants__player=player_id).distinct().values_list("pk", flat=True)
    ):
        stir(league_id)


def offered(league: Tournament) -> QuerySet[Tournament]:
    """The latest tournaments that it could count and does not; none once it is over."""
    if league.phase in SETTLED:
        return Tournament.objects.none()
    others = candidates(league).exclude(Q(season=league.pk, season__isnull=False) | Q(phase=Phase.CALLED_OFF))
    return others.order_by("-created_at", "pk")[:MOST_TOURNAMENTS]


def list_marks(league: Tournament) -> tuple[list[tuple[object, ...]], ...]:
    """What changes when its pages do: the tournaments that count, and those that are offered."""
    counted = Tournament.objects.filter(season=league).order_by("pk").values_list("pk", "version")
    told = offered(league).values_list("pk", "season", "name", "game", "is_public", "phase")
    return list(counted), list(told)


def name_person(league: Tournament, actor: Player | None, entrant_id: int, name: str, *, now: float) -> None:
    """Say under which name an entrant stands in this season; empty: under that of his own. Twice is once.

    So the same person under two names becomes one, and two of one name become two. Raises NotAllowed, NotFound,
    BadInput, Stale.
    """
    require_organiser(league.club, actor)
    name = clean_name(name) if name.strip() else ""
    with take(league.pk, Kind.LEAGUE_NAME, actor=actor, now=now) as step:
        _require_open(step)
        entrant = Entrant.objects.filter(pk=entrant_id, tournament__season=league).select_related("tournament").first()
        if entrant is None or entrant.bot:
            raise NotFound("This person is in no tournament of this season.")
        known = LeagueName.objects.filter(tournament=league, entrant=entrant).first()
        if name and _is_taken(league, entrant, name):
            raise BadInput(
                "“%(name)s” was in “%(tournament)s” as well: nobody sits there twice.",
                name=name, tournament=entrant.tournament.name,
            )  # fmt: skip
        step.details |= {"before": entrant.name, "name": name or entrant.name, "tournament": entrant.tournament.name}
        if known is not None and not name:
            step.delete(known)
        elif known is not None:
            step.change(known, name=name)
        elif name:
            step.create(LeagueName(tournament=league, entrant=entrant, name=name))


def _is_taken(league: Tournament, entrant: Entrant, name: str) -> bool:
    """Whether somebody else of this tournament stands under that name, or is called so."""
    entries = read_entries(league, list(counted_of(league)))
    shown = match(entries)
    others = [one for one in entries if one.tournament_id == entrant.tournament_id and one.pk != entrant.pk]
    return any(fold(name) in (fold(one.said or one.account or one.name), fold(shown[one.pk])) for one in others)


def open_seasons(club: Club) -> QuerySet[Tournament]:
    """The leagues of a club that are not over."""
    return Tournament.objects.filter(club=club, format=Format.LEAGUE).exclude(phase__in=SETTLED).order_by("-created_at")


def require_all_finished(step: Taking) -> None:
    """Raises Stale while a tournament of the season is under way, or none has been played."""
    counted = list(counted_of(step.tournament))
    missing = [one.name for one in counted if one.phase not in SETTLED]
    if missing:
        raise Stale("These are not finished yet: %(names)s. Finish them, or take them out.", names=", ".join(missing))
    if not any(one.phase in OVER for one in counted):
        raise Stale("Nothing has been played yet.")
