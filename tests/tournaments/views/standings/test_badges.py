"""Marks beside entrants: who runs the club, who has an account."""

from __future__ import annotations

from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from games.models import Player
from tests.cast import NOW
from tests.html import read_page
from tests.tournaments.cast import enter, plan
from tournaments.flow.entry import sign_up
from tournaments.flow.planning import phases
from tournaments.models import Phase


def test_organisers_and_accounts_are_marked_on_the_list_and_in_standings(ana: Player) -> None:
    tournament = plan(ana, venue="real", wanted=4, most=4)
    phases.move_on(tournament, ana, Phase.ENTRY, now=NOW)
    sign_up.enter(tournament, ana, now=NOW)
    (ben,) = enter(tournament, "Ben")
    Player.objects.filter(pk=ben.pk).update(user=get_user_model().objects.create_user("ben"))
    tournament.refresh_from_db()
    page = read_page(Client().get(reverse("tournaments:tournament", args=[tournament.pk])))
    assert [page.count(">Owner</span>"), page.count('title="Has an account"')] == [1, 1]
