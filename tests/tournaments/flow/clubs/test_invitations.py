"""Links that end: by themselves, with the right of those who made them, and for people who were removed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Player
from games.play.errors import BadInput, NotAllowed, NotFound
from tests.cast import person
from tests.tournaments.cast import found
from tests.tournaments.flow.clubs.test_membership import member, roles
from tournaments.flow.clubs import invitations, membership
from tournaments.flow.people import deletion, merging
from tournaments.models import Club, Invitation, Removal, Role


@pytest.fixture
def club(ana: Player) -> Club:
    """Ana's."""
    return found(ana)


def let_pass(**time: int) -> None:
    """As if so much time had passed."""
    for one in Invitation.objects.exclude(expires_at=None):
        assert one.expires_at is not None
        Invitation.objects.filter(pk=one.pk).update(expires_at=one.expires_at - timedelta(**time))


def test_a_link_is_good_for_as_long_as_it_says(club: Club, ana: Player, ben: Player, eva: Player) -> None:
    week, always = invitations.invite(club, ana, days=7), invitations.invite(club, ana)
    assert week.expires_at is not None
    assert timedelta(days=6, hours=23) < week.expires_at - timezone.now() <= timedelta(days=7)
    let_pass(days=6, hours=23)
    membership.accept(week.token, ben)
    let_pass(hours=1)
    for act in (lambda: membership.accept(week.token, eva), lambda: invitations.find(week.token)):
        with pytest.raises(NotFound, match="no longer valid"):
            act()
    assert invitations.find(week.token, ben.pk) == week, "it has led them there"
    membership.accept(always.token, eva)
    assert roles(club) == {"Ana": "owner", "Ben": "member", "Eva": "member"}
    assert list(invitations.list_open(club).values_list("token", "came_in")) == [(always.token, 1)]
    for days in (0, -7, 8, 1000):
        with pytest.raises(BadInput, match="how long the link is valid"):
            invitations.invite(club, ana, days=days)


def test_the_last_use_of_a_link_lets_one_in(club: Club, ana: Player, ben: Player, eva: Player) -> None:
    """Both have found it while it was good."""
    link = invitations.invite(club, ana, uses=1)
    invitations.use(link, ben.pk)
    with pytest.raises(NotFound, match="no longer valid"):
        invitations.use(link, eva.pk)


def test_links_that_have_ended_stand_in_nobody_s_way(club: Club, ana: Player) -> None:
    for _ in range(invitations.MAX_INVITATIONS):
        invitations.invite(club, ana, days=1)
    with pytest.raises(BadInput, match="too many open invitations"):
        invitations.invite(club, ana)
    let_pass(days=1)
    invitations.invite(club, ana)


@pytest.mark.parametrize(("role", "left"), [
    (Role.OWNER, ["member", "organiser", "owner"]), (Role.ORGANISER, ["member"]), (Role.MEMBER, []), (None, []),
])  # fmt: skip
def test_a_link_goes_with_the_right_to_make_it(
    club: Club, ana: Player, ben: Player, role: Role | None, left: list[str]
) -> None:
    ben_member = member(club, ben, Role.OWNER)
    for one in Role:
        invitations.invite(club, ben, role=one)
    owner_link = invitations.invite(club, ana, role=Role.OWNER)
    if role is None:
        membership.leave(club, ana, ben_member.pk)
    else:
        membership.change_role(club, ana, ben_member.pk, role)
    assert sorted(one.role for one in invitations.list_open(club) if one.made_by == ben) == left
    assert invitations.find(owner_link.token) == owner_link


def test_who_was_taken_out_does_not_come_back_by_an_old_link(club: Club, ana: Player, ben: Player) -> None:
    old = invitations.invite(club, ana)
    membership.accept(old.token, ben)
    membership.leave(club, ana, club.memberships.get(player=ben).pk)
    with pytest.raises(NotAllowed, match="removed from this club"):
        membership.accept(old.token, ben)
    membership.accept(invitations.invite(club, ana).token, ben)
    assert roles(club) == {"Ana": "owner", "Ben": "member"}


def test_who_left_by_themselves_may_come_back(club: Club, ana: Player, ben: Player) -> None:
    link = invitations.invite(club, ana)
    membership.accept(link.token, ben)
    membership.leave(club, ben, club.memberships.get(player=ben).pk)
    membership.accept(link.token, ben)
    assert roles(club) == {"Ana": "owner", "Ben": "member"}


def test_a_guest_who_was_taken_out_is_so_under_their_account(club: Club, ana: Player, ben: Player) -> None:
    link, guest = invitations.invite(club, ana), person("Fox 42")
    membership.accept(link.token, guest)
    membership.leave(club, ana, club.memberships.get(player=guest).pk)
    for _ in range(2):
        merging.merge(guest.pk, ben.pk)
    with pytest.raises(NotAllowed):
        membership.accept(link.token, ben)
    Player.objects.filter(pk=ben.pk).update(left_at=timezone.now())
    deletion.forget(ben.pk)
    assert Removal.objects.count() == 0
