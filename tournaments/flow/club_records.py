"""The records of a club: what its members have managed so far, each found by an index made for it."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import F, Q, QuerySet

from games.models import Player
from games.rules import registry
from tournaments.flow.careers import name_ranks
from tournaments.flow.leaderboards import Line, Query, list_page
from tournaments.models import CareerEntry, Club, Membership, PersonResult, TimedSession

SHOWN = 5
EVENINGS = 10


class Best(NamedTuple):
    """A record: whose, and how much: deals of a climbing game, else what its feat is counted in."""

    player_id: int
    name: str
    avatar: str
    amount: int


class GameRecords(NamedTuple):
    """The records of one game, None for one that nobody has set: three of a climbing game, the feat of another."""

    game: str
    reign: Best | None = None
    bottom: Best | None = None
    climb: Best | None = None
    feat: Best | None = None


def list_records(club: Club) -> list[GameRecords]:
    """The records of the games that members have played."""
    records = [_find(club, game) if _has_ranks(game) else _find_feat(club, game) for game in registry.slugs()]
    return [record for record in records if any(record[1:])]


def _listed(club: Club) -> Q:
    return Q(player__is_listed=True, player__in=Membership.objects.filter(club=club).values("player"))


def _find_feat(club: Club, game: str) -> GameRecords:
    rows = PersonResult.objects.filter(_listed(club), game=game, feat__isnull=False).select_related("player")
    best = rows.order_by("-feat", "ended_at").first()
    return GameRecords(game, feat=None if best is None else _of(best.player, best.feat or 0))


def _of(player: Player, amount: int) -> Best:
    return Best(player.pk, player.name, player.avatar, amount)


def _has_ranks(game: str) -> bool:
    return bool(name_ranks(game, registry.find(game).seat_counts[0], {}))


def _find(club: Club, game: str) -> GameRecords:
    entries = CareerEntry.objects.filter(_listed(club), game=game).select_related("player")
    top = entries.filter(rank=1)
    return GameRecords(
        game,
        reign=_best(top.order_by("-spell", "at"), "spell"),
        bottom=_best(entries.filter(rank=F("of")).order_by("-spell", "at"), "spell"),
        climb=_best(top.filter(climb__isnull=False).order_by("climb", "at"), "climb"),
    )


def _best(entries: QuerySet[CareerEntry], column: str) -> Best | None:
    entry = entries.first()
    return None if entry is None else _of(entry.player, getattr(entry, column))


def list_best(club: Club, season: int = 0) -> tuple[Line, ...]:
    """The first members by rating."""
    return list_page(Query(club=club.slug, season=season), club).lines[:SHOWN]


def list_evenings(club: Club) -> list[TimedSession]:
    """The latest evenings."""
    return list(TimedSession.objects.filter(club=club).order_by("-starts_at")[:EVENINGS])
