"""The records of a club: what its members have managed so far, each found by an index made for it."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import F, Q, QuerySet

from games.rules import registry
from tournaments.flow.careers import name_ranks
from tournaments.flow.leaderboards import Line, Query, list_page
from tournaments.models import CareerEntry, Club, Membership, TimedSession

SHOWN = 5
EVENINGS = 10


class Best(NamedTuple):
    """A record: whose, of how many deals, in which job."""

    player_id: int
    name: str
    avatar: str
    deals: int
    job: str


class GameRecords(NamedTuple):
    """The records of one climbing game, None for one that nobody has set."""

    game: str
    reign: Best | None
    bottom: Best | None
    climb: Best | None


def list_records(club: Club) -> list[GameRecords]:
    """The records of the climbing games that members have played."""
    records = [_find(club, game) for game in registry.slugs() if _has_ranks(game)]
    return [record for record in records if record.reign or record.bottom]


def _has_ranks(game: str) -> bool:
    return bool(name_ranks(game, registry.find(game).seat_counts[0], {}))


def _find(club: Club, game: str) -> GameRecords:
    listed = Q(player__is_listed=True, player__in=Membership.objects.filter(club=club).values("player"))
    entries = CareerEntry.objects.filter(listed, game=game).select_related("player")
    top = entries.filter(rank=1)
    return GameRecords(
        game,
        reign=_best(top.order_by("-spell", "at"), "spell"),
        bottom=_best(entries.filter(rank=F("of")).order_by("-spell", "at"), "spell"),
        climb=_best(top.filter(climb__isnull=False).order_by("climb", "at"), "climb"),
    )


def _best(entries: QuerySet[CareerEntry], column: str) -> Best | None:
    entry = entries.first()
    if entry is None:
        return None
    return Best(entry.player_id, entry.player.name, entry.player.avatar, getattr(entry, column), entry.job)


def list_best(club: Club, season: int = 0) -> tuple[Line, ...]:
    """The first members by rating."""
    return list_page(Query(club=club.slug, season=season), club).lines[:SHOWN]


def list_evenings(club: Club) -> list[TimedSession]:
    """The latest evenings."""
    return list(TimedSession.objects.filter(club=club).order_by("-starts_at")[:EVENINGS])
