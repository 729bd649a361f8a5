"""Constraints of the database."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from games import models as people
from tournaments.models import Club, Membership, Pod, Result, Role, Round, Tournament


def found_club() -> Club:
    return Club.objects.create(slug="harbour", name="Harbour Club", avatar="owl", feed_token="feed")


def plan(club: Club) -> Tournament:
    return Tournament.objects.create(
        id="t1", club=club, name="Thursday", game="karriere-poker", entry_token="entry", lot_seed="5eed"
    )


def test_a_person_is_in_a_club_once(ana: people.Player) -> None:
    club = found_club()
    Membership.objects.create(club=club, player=ana, role=Role.OWNER)
    with pytest.raises(IntegrityError), transaction.atomic():
        Membership.objects.create(club=club, player=ana)
    assert [(member.player, member.role) for member in club.memberships.all()] == [(ana, "owner")]


def test_a_pod_has_one_accepted_result_and_any_number_of_others(db: None) -> None:
    pod = Pod.objects.create(round=Round.objects.create(tournament=plan(found_club()), number=1, seed="1"), number=1)
    for status in ("rejected", "proposed", "proposed", "accepted"):
        Result.objects.create(pod=pod, status=status, source="player", places="[1,2,3,4]", at=0.0)
    with pytest.raises(IntegrityError), transaction.atomic():
        Result.objects.create(pod=pod, status="accepted", source="organiser", places="[4,3,2,1]", at=1.0)
