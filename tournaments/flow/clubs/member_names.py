"""The names of members in their club: no two look alike.

A later member whose name looks like another one gets a number with it. Organisers and owners keep theirs:
a member who has it already gets the number then.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.db import transaction
from django.db.models import F

from games.models.skeletons import MAX_NUMBERED_NAME, collect_skeletons, list_skeletons, number_name
from tournaments.models import Club, Membership, Role

MAX_CLUBS = 20
"""Clubs whose names one sweep decides."""


class NamedPerson(NamedTuple):
    """A member. alias: the name with its number, "" without one, None if that is not decided yet."""

    pk: int
    player_id: int
    name: str
    role: str
    alias: str | None

    @property
    def shown(self) -> str:
        """What the club calls them."""
        return self.alias or self.name

    @property
    def is_leading(self) -> bool:
        """Whether they are an organiser or an owner."""
        return self.role != Role.MEMBER


def assign_alias(club_id: int, player_id: int) -> None:
    """Decide what the club calls a member who is new, or has another name or role."""
    with transaction.atomic():
        members = _lock(club_id)
        mine = next((member for member in members if member.player_id == player_id), None)
        if mine is None:
            return
        others = [member for member in members if member.player_id != player_id]
        wanted = list_skeletons(mine.name)
        alike = [member for member in others if not wanted.isdisjoint(list_skeletons(member.shown))]
        if mine.is_leading and not any(member.is_leading for member in alike):
            _write(mine, "")
            taken = collect_skeletons(member.shown for member in others if member not in alike) | wanted
            for namesake in alike:
                _write(namesake, alias := _find_free(namesake.name, taken))
                taken |= list_skeletons(alias or namesake.name)
        else:
            _write(mine, _find_free(mine.name, collect_skeletons(member.shown for member in others)))


def assign_aliases_of_person(player_id: int) -> None:
    """Decide in all clubs of a person what they are called, after their name has changed."""
    for club_id in list(Membership.objects.filter(player=player_id).values_list("club", flat=True)):
        assign_alias(club_id, player_id)


def assign_missing_aliases(most: int = MAX_CLUBS) -> int:
    """Decide the names of members who have none decided, such as those of restored backups. Returns how many clubs."""
    undecided = Membership.objects.filter(alias=None).order_by("club").values_list("club", flat=True).distinct()
    clubs = list(undecided[:most])
    for club_id in clubs:
        _assign_aliases_of_club(club_id)
    return len(clubs)


def _assign_aliases_of_club(club_id: int) -> None:
    """Organisers choose first, then accounts before guests, then earlier members before later ones."""
    with transaction.atomic():
        members = _lock(club_id)
        taken = collect_skeletons(member.shown for member in members if member.alias is not None)
        for newcomer in sorted(
            (member for member in members if member.alias is None), key=lambda member: not member.is_leading
        ):
            _write(newcomer, alias := _find_free(newcomer.name, taken))
            taken |= list_skeletons(alias or newcomer.name)


def _lock(club_id: int) -> list[NamedPerson]:
    Club.objects.filter(pk=club_id).update(name=F("name"))  # one change of members at a time
    rows = Membership.objects.filter(club=club_id).order_by(F("player__user").asc(nulls_last=True), "pk")
    return [NamedPerson(*row) for row in rows.values_list("pk", "player_id", "player__name", "role", "alias")]


def _find_free(name: str, taken: Iterable[str]) -> str:
    """The name with the first number that makes it unlike all others; empty if it needs none."""
    numbered = number_name(name, frozenset(taken), most=MAX_NUMBERED_NAME)
    return "" if numbered == name else numbered


def _write(one: NamedPerson, alias: str) -> None:
    if one.alias != alias:
        Membership.objects.filter(pk=one.pk).update(alias=alias)
