"""Steps that change which tournaments count for a season, and under which names entrants stand in it.

Nothing of a standing is stored (`season_standings`).
"""

from __future__ import annotations

from django.db.models import Q, QuerySet

from games.models import Player
from games.models.spelling import fold
from games.play.errors import BadInput, NotFound, Stale
from tournaments.flow.entry.entrant_names import clean_name
from tournaments.flow.permissions import require_organiser
from tournaments.flow.seasons.season_people import match
from tournaments.flow.seasons.season_phases import SETTLED, require_open
from tournaments.flow.seasons.season_standings import counted_of, read_entries
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import bump_season_version, take_season_step
from tournaments.models import Entrant, Phase, Season, SeasonName, Tournament

MAX_TOURNAMENTS = 100
"""Tournaments in one season, and those offered to be added."""


def count_tournament(season: Season, actor: Player | None, tournament_id: str, *, counts: bool, now: float) -> None:
    """Let a tournament of the club count for the season, or not. Idempotent.

    One that is not finished yet counts as soon as it is. Raises NotAllowed, NotFound, Stale.
    """
    require_organiser(season.club, actor)
    with take_season_step(season.pk, Kind.COUNT if counts else Kind.UNCOUNT, actor=actor, now=now) as step:
        require_open(step.season)
        one = candidates(step.season).filter(pk=tournament_id).first()
        if one is None:
            raise NotFound("This tournament does not exist in this club.")
        if counts and one.season_id not in (None, season.pk):
            raise Stale("“%(name)s” already counts for another season.", name=one.name)
        if counts and is_hidden_from(step.season, one):
            raise BadInput("Everybody can see this season, but not “%(name)s”.", name=one.name)
        if counts and counted_of(season).count() >= MAX_TOURNAMENTS:
            raise BadInput("A season has at most %(most)s tournaments.", most=MAX_TOURNAMENTS)
        if not counts and one.season_id != season.pk:
            return
        step.details["name"] = one.name
        step.change(one, season_id=season.pk if counts else None)


def is_hidden_from(season: Season, tournament: Tournament) -> bool:
    """Whether somebody can see the season but not this tournament: then it cannot count."""
    return season.is_public and not tournament.is_public


def candidates(season: Season) -> QuerySet[Tournament]:
    """The tournaments of the club that this season could count."""
    rows = Tournament.objects.filter(club=season.club_id)
    return rows.filter(game=season.game) if season.game else rows


def follow_account(player_id: int) -> None:
    """Invalidate the cached standings of seasons after a change of a person's name or account."""
    seasons = Season.objects.filter(counted__entrants__player=player_id)
    for season_id in seasons.distinct().values_list("pk", flat=True):
        bump_season_version(season_id)


def list_countable(season: Season) -> QuerySet[Tournament]:
    """The latest tournaments that it could count and does not; none once it is over."""
    if season.phase in SETTLED:
        return Tournament.objects.none()
    others = candidates(season).exclude(Q(season=season.pk, season__isnull=False) | Q(phase=Phase.CALLED_OFF))
    return others.order_by("-created_at", "pk")[:MAX_TOURNAMENTS]


def list_marks(season: Season) -> tuple[list[tuple[object, ...]], ...]:
    """What changes when its pages do: the tournaments that count, and those that are offered."""
    counted = Tournament.objects.filter(season=season).order_by("pk").values_list("pk", "version")
    available = list_countable(season).values_list("pk", "season", "name", "game", "is_public", "phase")
    return list(counted), list(available)


def name_person(season: Season, actor: Player | None, entrant_id: int, name: str, *, now: float) -> None:
    """Say under which name an entrant stands in this season; empty: under that of their own. Idempotent.

    So the same person under two names becomes one, and two of one name become two. Raises NotAllowed, NotFound,
    BadInput, Stale.
    """
    require_organiser(season.club, actor)
    name = clean_name(name) if name.strip() else ""
    with take_season_step(season.pk, Kind.SEASON_NAME, actor=actor, now=now) as step:
        require_open(step.season)
        entrant = Entrant.objects.filter(pk=entrant_id, tournament__season=season).select_related("tournament").first()
        if entrant is None or entrant.bot:
            raise NotFound("This person is not in any tournament of this season.")
        season_name = SeasonName.objects.filter(season=season, entrant=entrant).first()
        if name and _is_taken(season, entrant, name):
            raise BadInput(
                "“%(name)s” was also in “%(tournament)s”. Nobody can be in a tournament twice.",
                name=name, tournament=entrant.tournament.name,
            )  # fmt: skip
        step.details |= {"before": entrant.name, "name": name or entrant.name, "tournament": entrant.tournament.name}
        if season_name is not None and not name:
            step.delete(season_name)
        elif season_name is not None:
            step.change(season_name, name=name)
        elif name:
            step.create(SeasonName(season=season, entrant=entrant, name=name))


def _is_taken(season: Season, entrant: Entrant, name: str) -> bool:
    """Whether somebody else of this tournament stands under that name, or is called so."""
    entries = read_entries(season, list(counted_of(season)))
    shown = match(entries)
    others = [entry for entry in entries if entry.tournament_id == entrant.tournament_id and entry.pk != entrant.pk]
    return any(
        fold(name) in (fold(other.assigned_name or other.account or other.name), fold(shown[other.pk]))
        for other in others
    )
