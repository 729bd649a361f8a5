"""Invitations: how long and for how many they hold, who made each, and what people read who open one."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Player
from tests.cast import browser
from tests.html import read_page
from tests.tournaments.cast import found
from tournaments.flow.clubs import invitations, membership
from tournaments.models import Club, Invitation, Membership, Role


@pytest.fixture
def club(ana: Player) -> Club:
    """Ana's."""
    return found(ana)


def test_a_link_is_made_with_an_end_and_a_number(club: Club, ana: Player) -> None:
    mine, url = browser(ana), reverse("tournaments:invite", args=[club.slug])
    page = reverse("tournaments:club", args=[club.slug])
    assert '<option value="7" selected>7 days</option>' in read_page(mine.get(page))
    for days, uses in (("1", "3"), ("7", ""), ("", "1")):
        mine.post(url, {"role": "member", "days": days, "uses": uses})
    made = [
        (one.expires_at and round((one.expires_at - timezone.now()).total_seconds() / 86_400), one.uses_left)
        for one in Invitation.objects.order_by("pk")
    ]  # fmt: skip
    assert made == [(1, 3), (7, None), (None, 1)]
    membership.accept(Invitation.objects.all()[0].token, Player.objects.create(name="Eva", avatar="owl"))
    shown = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", read_page(mine.get(page))))
    assert shown.count("created by Ana,") == 3
    assert [shown.count(f"{left} more pe") for left in ("for 2", "for 1")] == [1, 1]
    assert [shown.count(remark) for remark in ("1 person joined", "0 people joined", "· until withdrawn")] == [
        1,
        2,
        1,
    ]
    for days, uses in (("9", ""), ("x", ""), ("", "0"), ("", "many"), ("", "99999999999999")):
        mine.post(url, {"role": "member", "days": days, "uses": uses})
    assert Invitation.objects.count() == 3


def test_who_belongs_already_is_told_so(club: Club, ana: Player, ben: Player) -> None:
    member, organiser = invitations.invite(club, ana), invitations.invite(club, ana, role=Role.ORGANISER)
    membership.accept(member.token, ben)

    def page(token: str) -> str:
        return read_page(browser(ben).get(reverse("tournaments:invitation", args=[token])))

    assert "You already belong to this club." in page(member.token)
    assert "Your role will be: Organiser." in page(organiser.token)


def test_who_was_taken_out_is_told_so_where_they_asked(club: Club, ana: Player, ben: Player) -> None:
    Club.objects.update(is_public=False)
    link, ben_browser = invitations.invite(club, ana), browser(ben)
    url = reverse("tournaments:invitation", args=[link.token])
    ben_browser.post(url)
    change = reverse("tournaments:member", args=[club.slug, Membership.objects.get(player=ben).pk])
    assert browser(ana).post(change, {"role": ""})["Location"] == f"/clubs/{club.slug}/#members"
    answer = ben_browser.post(url, follow=True)
    assert (answer.status_code, answer.redirect_chain) == (200, [(url, 302)])
    assert "You were removed from this club." in read_page(answer)
    assert not Membership.objects.filter(player=ben).exists()


def test_new_addresses_shut_the_old_ones(club: Club, ana: Player, ben: Player) -> None:
    membership.take_in(club.pk, ben.pk, Role.MEMBER)
    Club.objects.update(is_public=False)
    page = reverse("tournaments:connections", args=[club.slug])
    old = browser(ana).get(page).context
    assert [Client().get(old[name]).status_code for name in ("calendar", "news")] == [200, 200]
    assert browser(ben).post(page, {"action": "renew-feeds"}).status_code == 403
    browser(ana).post(page, {"action": "renew-feeds"})
    new = browser(ben).get(page).context
    assert [Client().get(old[name]).status_code for name in ("calendar", "news")] == [404, 404]
    assert [Client().get(new[name]).status_code for name in ("calendar", "news")] == [200, 200]
    assert "Create new links" not in read_page(browser(ben).get(page))
