"""In a club nobody is taken for somebody else: numbers, roles and accounts stand beside names."""

from __future__ import annotations

from functools import partial
from itertools import combinations

import pytest
from django.urls import reverse

from games.models import Player, User
from games.models.skeletons import are_alike
from games.play import signals
from tests.cast import NOW, at_once, browser, person
from tests.html import read_page
from tests.tournaments.cast import found
from tournaments.flow.clubs import club_talk, invitations, member_names, membership
from tournaments.models import Club, Membership, Role


@pytest.fixture
def club(ana: Player) -> Club:
    """Ana's, who has an account."""
    Player.objects.filter(pk=ana.pk).update(user=User.objects.create(username="ana"))
    return found(ana)


def join(club: Club, owner: Player, name: str, role: Role = Role.MEMBER) -> Player:
    """Somebody new under this name, by a link."""
    newcomer = person(name)
    membership.accept(invitations.invite(club, owner, role=role).token, newcomer)
    return newcomer


def rename(player: Player, name: str) -> None:
    Player.objects.filter(pk=player.pk).update(name=name)
    signals.person_changed.send_robust(sender=Player, player_id=player.pk)


def list_shown_names(club: Club) -> list[str]:
    """What the club calls its members, in the order in which they came."""
    return [one.shown_name for one in Membership.objects.filter(club=club).select_related("player").order_by("pk")]


def test_who_comes_under_the_name_of_somebody_else_gets_a_number(club: Club, ana: Player) -> None:
    for name in ("ANA", "Аna", "Ben", "Ana 2", "ben"):
        join(club, ana, name)
    assert list_shown_names(club) == ["Ana", "ANA 2", "Аna 3", "Ben", "Ana 2 2", "ben 2"]


def test_who_takes_another_name_gets_a_number_and_loses_it_with_the_name(club: Club, ana: Player) -> None:
    ben = join(club, ana, "Ben")
    rename(ben, "Ana")
    assert list_shown_names(club) == ["Ana", "Ana 2"]
    rename(ben, "Benno")
    assert list_shown_names(club) == ["Ana", "Benno"]


def test_organisers_keep_their_names_and_members_give_way(club: Club, ana: Player) -> None:
    join(club, ana, "Eva")
    second = join(club, ana, "Eva")
    member = Membership.objects.get(player=second)
    assert list_shown_names(club) == ["Ana", "Eva", "Eva 2"]
    membership.change_role(club, ana, member.pk, Role.ORGANISER)
    assert list_shown_names(club) == ["Ana", "Eva 2", "Eva"]
    third = join(club, ana, "Eva", Role.ORGANISER)
    assert list_shown_names(club) == ["Ana", "Eva 2", "Eva", "Eva 3"]
    assert Membership.objects.get(player=third).role == Role.ORGANISER


def test_members_from_before_are_told_apart_by_the_sweeper(club: Club, ana: Player) -> None:
    for name, role in (("Eva", Role.MEMBER), ("Eva", Role.ORGANISER), ("Ana", Role.MEMBER), ("Tom", Role.MEMBER)):
        Membership.objects.create(club=club, player=person(name), role=role)
    assert member_names.assign_missing_aliases() == 1
    assert list_shown_names(club) == ["Ana", "Eva 2", "Eva", "Ana 2", "Tom"]
    assert member_names.assign_missing_aliases() == 0


def test_talk_says_who_speaks(club: Club, ana: Player) -> None:
    double = join(club, ana, "Ana")
    for speaker in (double, ana):
        club_talk.say(club, speaker, words="The tournament is cancelled.", now=NOW)
    heard = club_talk.read_talk(club).remarks
    assert [(one.name, one.role, one.has_account) for one in heard] == [("Ana 2", "", False), ("Ana", "owner", True)]
    answer = browser(ana).get(reverse("tournaments:club_talk", args=[club.slug])).json()
    assert [(one["name"], one["role"], one["has_account"]) for one in answer["remarks"]] == [
        ("Ana 2", "", False), ("Ana", "Owner", True),
    ]  # fmt: skip
    page = read_page(browser(double).get(reverse("tournaments:club", args=[club.slug])))
    text = page[page.index('<ol id="remarks"') : page.index("</ol>")]
    assert text.count('<span class="badge">Owner</span>') == text.count('title="Has an account"') == 1
    assert "<b>Ana 2</b>" in text


def test_the_list_of_members_shows_numbers_and_accounts(club: Club, ana: Player) -> None:
    join(club, ana, "Ana")
    page = read_page(browser(ana).get(reverse("tournaments:club", args=[club.slug])))
    members = page[page.index('class="members"') :]
    assert ">Ana 2<" in members
    assert members.count('title="Has an account"') == 1


def test_people_who_come_in_at_the_same_moment_are_told_apart(transactional_db: None) -> None:
    owner = person("Ana")
    club = found(owner)
    link = invitations.invite(club, owner, role=Role.MEMBER).token
    twins = [person(name) for name in ("Zoe", "zoe", "ZOE", "Zое")]
    at_once(*(partial(membership.accept, link, one) for one in twins))
    names = list_shown_names(club)
    assert len(names) == 5
    assert all(not are_alike(one, other) for one, other in combinations(names, 2))


def test_a_tick_or_a_crown_makes_nobody_another_person(club: Club, ana: Player) -> None:
    for name in ("Ana ✔", "👑 Ana", "Anạ"):
        join(club, ana, name)
    assert list_shown_names(club) == ["Ana", "Ana ✔ 2", "👑 Ana 3", "Anạ 4"]
