"""Who belongs to a club, in which role, and the links by which people come in."""

from __future__ import annotations

from functools import partial

import pytest
from django.urls import reverse

from games.models import Player
from games.play.errors import BadInput, NotAllowed, NotFound, Stale
from tests.cast import at_once, browser, person
from tests.tournaments.cast import found
from tournaments.flow.clubs import invitations, membership
from tournaments.models import Club, Invitation, Membership, Role


@pytest.fixture
def club(ana: Player) -> Club:
    """Ana's."""
    return found(ana)


def roles(club: Club) -> dict[str, str]:
    return dict(club.memberships.order_by("player__name").values_list("player__name", "role"))


def member(club: Club, player: Player, role: Role = Role.MEMBER) -> Membership:
    return Membership.objects.create(club=club, player=player, role=role)


def test_a_link_lets_in_as_many_as_it_is_for_and_nobody_twice(club: Club, ana: Player) -> None:
    token = invitations.invite(club, ana, uses=2).token
    ben, eva, tom = person("Ben"), person("Eva"), person("Tom")
    for player in (ben, ben, eva, ana):
        membership.accept(token, player)
    assert roles(club) == {"Ana": "owner", "Ben": "member", "Eva": "member"}
    for act in (lambda: membership.accept(token, tom), lambda: invitations.find(token)):
        with pytest.raises(NotFound, match="no longer valid"):
            act()
    assert browser(tom).get(reverse("tournaments:invitation", args=[token])).status_code == 404


def test_a_link_pressed_twice_at_the_same_moment_lets_in_one(
    transactional_db: None, club: Club, ana: Player, ben: Player
) -> None:
    token = invitations.invite(club, ana, uses=2).token
    answers = at_once(*(lambda: membership.accept(token, ben) for _ in range(3)))
    assert [type(answer) for answer in answers] == [Membership] * 3
    assert (roles(club), Invitation.objects.get().uses_left) == ({"Ana": "owner", "Ben": "member"}, 1)


def test_a_link_that_two_have_open_lets_in_as_many_as_it_is_for(club: Club, ana: Player, ben: Player) -> None:
    link = invitations.invite(club, ana, uses=1)
    seen = invitations.find(link.token, ben.pk)
    membership.accept(link.token, person("Faster"))
    with pytest.raises(NotFound, match="no longer valid"):
        invitations.use(seen, ben.pk)
    link.refresh_from_db()
    assert (link.uses_left, link.came_in) == (0, 1)


@pytest.mark.parametrize("name", ["x", " x ", "x" * 61])
def test_a_club_has_a_name_that_can_be_read(club: Club, ana: Player, name: str) -> None:
    with pytest.raises(BadInput, match="2 to 60"):
        membership.edit_club(club, ana, name=name, about="", is_public=True, can_talk=False)
    with pytest.raises(BadInput, match="2 to 60"):
        membership.found_club(ana, name=name)
    with pytest.raises(BadInput, match="invisible characters"):
        membership.found_club(ana, name="Har\0bour")
    for good in ("Xy", "x" * 60):
        assert membership.edit_club(club, ana, name=good, about="", is_public=True, can_talk=False).name == good


def test_a_link_that_was_withdrawn_leads_nowhere(club: Club, ana: Player, ben: Player) -> None:
    token = invitations.invite(club, ana).token
    with pytest.raises(NotAllowed):
        invitations.withdraw(club, ben, token)
    for _ in range(2):
        invitations.withdraw(club, ana, token)
    with pytest.raises(NotFound):
        membership.accept(token, ben)
    assert roles(club) == {"Ana": "owner"}


def test_a_link_raises_a_role_and_lowers_none(club: Club, ana: Player, ben: Player) -> None:
    member(club, ben)
    membership.accept(invitations.invite(club, ana, role=Role.ORGANISER).token, ben)
    assert roles(club)["Ben"] == "organiser"
    membership.accept(invitations.invite(club, ana).token, ben)
    assert roles(club)["Ben"] == "organiser"


@pytest.mark.parametrize(
    ("mine", "role", "may"),
    [
        (Role.MEMBER, Role.MEMBER, False),
        (Role.ORGANISER, Role.MEMBER, True),
        (Role.ORGANISER, Role.ORGANISER, False),
        (Role.ORGANISER, Role.OWNER, False),
        (Role.OWNER, Role.OWNER, True),
    ],
)
def test_nobody_invites_to_more_than_they_may(club: Club, ben: Player, mine: Role, role: Role, may: bool) -> None:
    member(club, ben, mine)
    if may:
        assert invitations.invite(club, ben, role=role).role == role
        return
    with pytest.raises(NotAllowed):
        invitations.invite(club, ben, role=role)
    assert Invitation.objects.count() == 0


def test_links_that_are_used_up_stand_in_nobody_s_way(club: Club, ana: Player, ben: Player) -> None:
    for _ in range(invitations.MAX_INVITATIONS):
        invitations.invite(club, ana, uses=1)
    with pytest.raises(BadInput, match="too many open invitations"):
        invitations.invite(club, ana)
    membership.accept(Invitation.objects.first().token, ben)  # type: ignore[union-attr]
    invitations.invite(club, ana)
    for uses in (0, 10_001):
        with pytest.raises(BadInput, match="1 to 10,000"):
            invitations.invite(club, ana, uses=uses)


def test_roles_are_changed_by_owners(club: Club, ana: Player, ben: Player, eva: Player) -> None:
    ben_member, eva_member = member(club, ben, Role.ORGANISER), member(club, eva)
    with pytest.raises(NotAllowed):
        membership.change_role(club, ben, eva_member.pk, Role.ORGANISER)
    membership.change_role(club, ana, eva_member.pk, Role.ORGANISER)
    membership.change_role(club, ana, ben_member.pk, Role.MEMBER)
    assert roles(club) == {"Ana": "owner", "Ben": "member", "Eva": "organiser"}
    with pytest.raises(NotFound):
        membership.change_role(club, ana, 9999, Role.MEMBER)


def test_the_last_owner_stays_until_there_is_another_one(club: Club, ana: Player, ben: Player) -> None:
    mine = club.memberships.get()
    with pytest.raises(Stale, match="needs an owner"):
        membership.leave(club, ana, mine.pk)
    with pytest.raises(Stale, match="needs an owner"):
        membership.change_role(club, ana, mine.pk, Role.MEMBER)
    ben_member = member(club, ben)
    membership.change_role(club, ana, ben_member.pk, Role.OWNER)
    for _ in range(2):
        membership.leave(club, ana, mine.pk)
    assert roles(club) == {"Ben": "owner"}


def test_of_two_owners_who_leave_at_the_same_moment_one_stays(
    transactional_db: None, club: Club, ana: Player, ben: Player
) -> None:
    pairs = ((ana, club.memberships.get()), (ben, member(club, ben, Role.OWNER)))
    answers = at_once(*(partial(membership.leave, club, who, one.pk) for who, one in pairs))
    assert sorted(type(answer).__name__ for answer in answers) == ["NoneType", "Stale"]
    assert list(roles(club).values()) == ["owner"]


def test_who_may_take_somebody_out(club: Club, ana: Player, ben: Player, eva: Player) -> None:
    member(club, ben, Role.ORGANISER)
    eva_member, mine = member(club, eva), club.memberships.get(player=ana)
    with pytest.raises(NotAllowed):
        membership.leave(club, eva, mine.pk)
    with pytest.raises(NotAllowed, match="Only an owner"):
        membership.leave(club, ben, mine.pk)
    membership.leave(club, ben, eva_member.pk)
    assert roles(club) == {"Ana": "owner", "Ben": "organiser"}
