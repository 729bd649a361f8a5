"""The records of a club: what its members have managed so far, each found by an index made for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from django.db.models import QuerySet

from games.rules import registry
from tournaments.flow.counting.careers import name_ranks
from tournaments.flow.names_in_club import find_numbered_names
from tournaments.flow.profiles.leaderboards import LeaderboardLine, Query, filter_members, list_page
from tournaments.models import Club, Membership, PersonTotal, TimedSession

SHOWN = 5
EVENINGS = 10


MAX_HOLDERS = 500
"""Holders of one record that are named."""


class RecordHolder(NamedTuple):
    """A person who holds a record."""

    player_id: int
    name: str
    avatar: str


class ClubRecord(NamedTuple):
    """A record: how much (deals of a climbing game, else what its feat is counted in), and all who share it, the
    earliest first."""

    amount: int
    holders: tuple[RecordHolder, ...]


class GameRecords(NamedTuple):
    """The records of one game, None for one that nobody has set: three of a climbing game, the feat of another."""

    game: str
    reign: ClubRecord | None = None
    bottom: ClubRecord | None = None
    climb: ClubRecord | None = None
    feat: ClubRecord | None = None


def list_records(club: Club) -> list[GameRecords]:
    """The records of the games that members have played."""
    rows = PersonTotal.objects.filter(season=0, player__is_listed=True)
    rows = filter_members(rows, Membership.objects.filter(club=club))
    records = [_find_records(rows.filter(game=game), game) for game in registry.slugs()]
    bests = [best for record in records for best in record[1:] if isinstance(best, ClubRecord)]
    names = find_numbered_names(club.pk, {holder.player_id for best in bests for holder in best.holders})
    return [_rename(record, names) for record in records if any(record[1:])]


def _rename(record: GameRecords, names: Mapping[int, str]) -> GameRecords:
    """The same under the names by which a club tells its members apart."""
    return GameRecords(record.game, *(best and _rename_holders(best, names) for best in record[1:]))


def _rename_holders(best: ClubRecord, names: Mapping[int, str]) -> ClubRecord:
    holders = (holder._replace(name=names.get(holder.player_id, holder.name)) for holder in best.holders)
    return best._replace(holders=tuple(holders))


def _has_ranks(game: str) -> bool:
    return bool(name_ranks(game, registry.find(game).seat_counts[0], {}))


def _find_best(rows: QuerySet[PersonTotal], record: str, *, is_least: bool = False) -> ClubRecord | None:
    """The best of these in this record, with everybody who has reached it, the earliest first."""
    order = (record if is_least else f"-{record}", f"{record}_at")
    best = rows.filter(**{f"{record}__isnull": False}).order_by(*order).values_list(record, flat=True).first()
    if best is None:
        return None
    sharing = rows.filter(**{record: best}).order_by(f"{record}_at", "player")
    people = sharing.values_list("player", "player__name", "player__avatar")[:MAX_HOLDERS]
    return ClubRecord(best, tuple(RecordHolder(*row) for row in people))


def _find_records(rows: QuerySet[PersonTotal], game: str) -> GameRecords:
    if not _has_ranks(game):
        return GameRecords(game, feat=_find_best(rows, "feat"))
    return GameRecords(
        game, _find_best(rows, "reign"), _find_best(rows, "bottom"), _find_best(rows, "climb", is_least=True)
    )


def list_best(club: Club) -> tuple[LeaderboardLine, ...]:
    """The first members by rating."""
    return list_page(Query(club=club.slug), club).lines[:SHOWN]


def list_evenings(club: Club) -> list[TimedSession]:
    """The latest evenings."""
    return list(TimedSession.objects.filter(club=club).order_by("-starts_at")[:EVENINGS])
