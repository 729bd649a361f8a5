"""Roles and settings that an owner changes are in the club's log, and are undone there."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Player
from tests.cast import NOW, browser
from tests.html import read_page
from tests.tournaments.cast import found
from tournaments.flow.clubs import club_changes, membership, moderation
from tournaments.models import Club, Membership, ModerationStep, Role


@pytest.fixture
def club(ana: Player, ben: Player, eva: Player) -> Club:
    """Ana's club; Ben is an organiser, Eva a member."""
    made = found(ana)
    for player, role in ((ben, Role.ORGANISER), (eva, Role.MEMBER)):
        membership.take_in(made.pk, player.pk, role)
    return made


def role_of(player: Player) -> str:
    return Membership.objects.get(player=player).role


def give(client: Client, club: Club, player: Player, role: str) -> None:
    member = Membership.objects.get(club=club, player=player)
    client.post(reverse("tournaments:member", args=[club.slug, member.pk]), {"role": role})


def undo(client: Client, club: Club, step: ModerationStep) -> str:
    """Press *Undo* in the log; the page that follows."""
    given = {"action": "undo", "step": step.pk, "part": "log"}
    return read_page(client.post(reverse("tournaments:moderate", args=[club.slug]), given, follow=True))


def test_a_role_is_given_and_taken_back(club: Club, ana: Player, ben: Player, eva: Player) -> None:
    owner = browser(ana)
    give(owner, club, eva, Role.ORGANISER)
    give(owner, club, eva, Role.ORGANISER)  # the same again is no change
    (step,) = ModerationStep.objects.all()
    page = undo(browser(ben), club, step)  # only owners give roles
    assert (role_of(eva), "Only an owner of this club can do this." in page) == (Role.ORGANISER, True)
    page = undo(owner, club, step)
    assert "changed the role of Eva: Member → Organiser" in page
    assert (role_of(eva), undo(owner, club, step).count("undone by Ana")) == (Role.MEMBER, 1)  # idempotent


def test_an_older_role_is_not_given_back_over_a_newer_one(club: Club, ana: Player, eva: Player) -> None:
    owner = browser(ana)
    give(owner, club, eva, Role.ORGANISER)
    give(owner, club, eva, Role.OWNER)
    step = ModerationStep.objects.earliest("pk")
    assert "has another role by now" in undo(owner, club, step)
    step.refresh_from_db()
    assert (role_of(eva), step.undone_at) == (Role.OWNER, None)


def edit(client: Client, club: Club, **fields: Any) -> int:
    given = {"name": club.name, "about": "", "place": "", "colour": "felt", "is_public": "on", "can_talk": "on"}
    given = {name: value for name, value in (given | fields).items() if value is not None}
    return client.post(reverse("tournaments:edit_club", args=[club.slug]), given).status_code


def test_settings_are_changed_and_come_back(club: Club, ana: Player, ben: Player) -> None:
    owner = browser(ana)
    assert edit(owner, club, about="Every Thursday.", place="The attic") == 302
    assert edit(owner, club, about="Every Thursday.", place="The attic") == 302  # nothing has changed
    assert edit(owner, club, place="The attic", is_public=None) == 302  # the description is gone by mistake
    first, second = ModerationStep.objects.order_by("pk")
    assert "changed again since" in undo(owner, club, first)
    assert "Only an owner" in undo(browser(ben), club, second)
    page = undo(owner, club, second)
    assert "changed the club: Description, Visible to everyone" in page
    club.refresh_from_db()
    assert (club.about, club.place, club.is_public) == ("Every Thursday.", "The attic", True)
    undo(owner, club, first)
    club.refresh_from_db()
    assert (club.about, club.place) == ("", "")


def test_who_removes_a_member_reads_where_to_undo_it(club: Club, ben: Player, eva: Player) -> None:
    organiser, member = browser(ben), Membership.objects.get(club=club, player=eva)
    url = reverse("tournaments:member", args=[club.slug, member.pk])
    page = read_page(organiser.post(url, {"role": ""}, follow=True))
    assert "was removed from the club. You can undo this in the log under Moderation." in page
    undo(organiser, club, ModerationStep.objects.get())
    assert role_of(eva) == Role.MEMBER


def test_what_is_done_on_the_page_of_organisers_can_be_undone_there(club: Club, ben: Player, eva: Player) -> None:
    given = {"action": "silence", "player": eva.pk, "hours": 1, "part": "people"}
    url = reverse("tournaments:moderate", args=[club.slug])
    assert "Done. You can undo this in the log below." in read_page(browser(ben).post(url, given, follow=True))
    assert "Done." not in undo(browser(ben), club, ModerationStep.objects.get())


def test_the_log_keeps_both_roles(club: Club, ana: Player, eva: Player) -> None:
    member = Membership.objects.get(club=club, player=eva)
    club_changes.change_role(club, ana, member.pk, Role.ORGANISER, now=NOW)
    (line,) = moderation.list_steps(club)
    assert (line.role, club_changes.read_details(line)) == ("member", {"role": "organiser"})
