"""Who can be chosen for a new table of an evening: members of its club and guests who sit at no open table of it."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple, TypeAlias

from django.db.models import Count, Max, Q, QuerySet

from games.models import Player, Seat
from games.play.seats import player_names
from games.play.storage.table import PLAYING, WAITING
from tournaments.flow.evenings.guest_list import name_guests
from tournaments.flow.names_in_club import find_numbered_names
from tournaments.models import EveningGuest, Membership, TimedSession

MAX_SHOWN = 120
"""Candidates shown at a time, to keep the form short; the others are found by search."""


Mark: TypeAlias = tuple[object, ...]
"""A value that changes when the candidates may have changed."""


class Candidate(NamedTuple):
    """A member or guest who can be chosen. name: what the club calls them."""

    pk: int
    name: str
    avatar: str


class CandidateChoice(NamedTuple):
    """The candidates shown. chosen: already chosen; others: further ones; is_more: there may be more than these."""

    chosen: list[Candidate]
    others: list[Candidate]
    is_more: bool


def _query_candidates(evening: TimedSession) -> QuerySet[Player]:
    tables = Seat.objects.filter(
        table__session_table__timed_session=evening, table__status__in=[WAITING, PLAYING]
    ).exclude(player=None)
    members = Membership.objects.filter(club=evening.club).values("player")
    guests = EveningGuest.objects.filter(evening=evening).values("player")
    belongs = Q(pk__in=members) | Q(pk__in=guests)
    return Player.objects.filter(belongs).exclude(pk__in=tables.values("player"))


def _list_candidates(evening: TimedSession, people: QuerySet[Player]) -> list[Candidate]:
    rows = list(people.order_by("name", "pk").values_list("pk", "name", "avatar")[:MAX_SHOWN])
    names = {**find_numbered_names(evening.club_id, [pk for pk, _name, _avatar in rows]), **name_guests(evening)}
    return [Candidate(pk, names.get(pk, name), avatar) for pk, name, avatar in rows]


def list_candidates(evening: TimedSession) -> list[Candidate]:
    """The first candidates by name, at most `MAX_SHOWN`."""
    return _list_candidates(evening, _query_candidates(evening))


def read_mark(evening: TimedSession) -> Mark:
    """The present mark, made of the first candidates and the members of the club; empty once the bell has rung."""
    if evening.has_rung or evening.club_id is None:
        return ()
    members = Membership.objects.filter(club=evening.club_id).aggregate(count=Count("pk"), last=Max("pk"))
    return (*members.values(), *list_candidates(evening))


def pick(evening: TimedSession, player_ids: Collection[int]) -> list[Candidate]:
    """Those of these people (at most `MAX_SHOWN`) who are candidates."""
    return _list_candidates(evening, _query_candidates(evening).filter(pk__in=player_ids)) if player_ids else []


def search(evening: TimedSession, wanted: str) -> list[Candidate]:
    """Candidates whose names contain words with these beginnings, best match first."""
    ids = player_names.search_ids(wanted, most=MAX_SHOWN, among=Q(player__in=_query_candidates(evening)))
    found = {candidate.pk: candidate for candidate in pick(evening, ids)}
    return [found[pk] for pk in ids if pk in found]


def choose(evening: TimedSession, wanted: str, player_ids: Collection[int]) -> CandidateChoice:
    """The candidates to show. wanted: beginnings of words in names, "" for all; player_ids: already chosen."""
    found, chosen = search(evening, wanted) if wanted else list_candidates(evening), pick(evening, player_ids)
    return CandidateChoice(chosen, [person for person in found if person not in chosen], len(found) == MAX_SHOWN)
