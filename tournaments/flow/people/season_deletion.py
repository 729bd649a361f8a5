"""Deletes a person's names in seasons: those that organisers gave them, and those in the logs.

They stay one person there, and nobody else becomes one with them: their name in a season is nobody else's.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from django.db.models import Q

from games.models.spelling import fold
from games.play.seats.player_changes import ANONYMOUS_NAME
from tournaments.flow.people.name_replacement import NameReplacement, replace
from tournaments.flow.steps.recorder import bump_season_version, lock_season
from tournaments.models import BackgroundJob, Entrant, Season, SeasonName, Step, Tournament


def forget_in_seasons(player_id: int, names: Iterable[str]) -> None:
    """In every season of the clubs that they have played in, and where they have taken a step. names: what they are, or
    were, called in its tournaments."""
    mine = list(Entrant.objects.filter(player=player_id).values_list("pk", flat=True))
    clubs = Tournament.objects.filter(entrants__in=mine).values("club")
    acted = Step.objects.filter(actor=player_id).exclude(season=None).exclude(actor_name=ANONYMOUS_NAME)
    about = Season.objects.filter(Q(club__in=clubs) | Q(pk__in=acted.values("season")))
    for season_id in list(about.values_list("pk", flat=True)):
        with lock_season(season_id) as season:
            count = acted.filter(season=season).update(actor_name=ANONYMOUS_NAME)
            if _forget_in(season, mine, {*names}) or count:
                bump_season_version(season_id)
                season.background_jobs.filter(kind__in=(BackgroundJob.Kind.ARCHIVE, BackgroundJob.Kind.SEASON)).delete()


def _forget_in(season: Season, mine: list[int], names: set[str]) -> bool:
    """Whether there was anything to forget. Of walk-ins those are theirs that an organiser gave the same name."""
    rows = SeasonName.objects.filter(season=season)
    given = {fold(name) for name in rows.filter(entrant__in=mine).values_list("name", flat=True)}
    same = [row.pk for row in rows.filter(entrant__player=None) if fold(row.name) in given]
    own = rows.filter(Q(entrant__in=mine) | Q(pk__in=same))
    steps = _list_about(season, {*own.values_list("pk", flat=True)}, mine)
    shown = _list_names(steps) | {*own.values_list("name", flat=True)}
    if all(name.startswith(ANONYMOUS_NAME) for name in shown):
        return False
    words = NameReplacement(frozenset(names | shown), _free_name(season))
    own.update(name=words.new)
    for step in steps:
        replace(step, {"details": False, "changes": False}, words)
    return True


def _list_about(season: Season, own: set[int], mine: list[int]) -> list[Step]:
    """The steps that gave them one of these names, or one that is gone since, changed it or took it away."""
    steps = [(step, msgspec.json.decode(step.changes)) for step in Step.objects.filter(season=season)]
    rows = [
        (pk, (before or {}) | (after or {}))
        for _, changes in steps
        for kind, pk, before, after in changes
        if kind == "SeasonName"
    ]
    ids = own | {pk for pk, values in rows if values.get("entrant_id") in mine}
    return [step for step, changes in steps if any(kind == "SeasonName" and pk in ids for kind, pk, *_ in changes)]


def _list_names(steps: Iterable[Step]) -> set[str]:
    """All names in what these steps have changed."""
    changes = (values for step in steps for _, _, *both in msgspec.json.decode(step.changes) for values in both)
    return {values["name"] for values in changes if values and "name" in values}


def _free_name(season: Season) -> str:
    """One that nobody has, in the season or in its tournaments; those who go are called otherwise there."""
    taken = {*SeasonName.objects.filter(season=season).values_list("name", flat=True)}
    taken |= {*Entrant.objects.filter(tournament__season=season).values_list("name", flat=True)}
    return next(name for number in range(2, len(taken) + 3) if (name := f"{ANONYMOUS_NAME} ({number})") not in taken)
