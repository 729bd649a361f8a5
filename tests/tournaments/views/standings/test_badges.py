"""Marks beside entrants: who runs the club, who has an account."""

from __future__ import annotations

from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from games.models import Player
from tests.cast import NOW, browser
from tests.html import read_page
from tests.tournaments.cast import NAMES, begin, enter, entrant, plan, play_round, release
from tournaments.flow.entry import attendance, sign_up, team_members
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


def test_they_are_marked_at_the_tables_of_a_round_too(ana: Player) -> None:
    tournament = begin(ana, NAMES[:3], venue="real", least=4, wanted=4, most=4)
    sign_up.enter(tournament, ana, now=NOW)
    attendance.check_in(tournament, ana, [entrant(tournament, "Ana").pk], now=NOW)
    Player.objects.filter(pk=ana.pk).update(user=get_user_model().objects.create_user("ana"))
    play_round(ana, tournament, 1)
    release(ana, tournament, 2)
    pages = {
        "pairings": 2,  # by table and by name
        "tournament": 3,  # the reader's own table, the leaders, the entrants
        "console": 1,
    }
    for name, times in pages.items():
        page = read_page(browser(ana).get(reverse(f"tournaments:{name}", args=[tournament.pk])))
        assert (name, page.count(">Owner</span>"), page.count('title="Has an account"')) == (name, times, times)
    for number in (1, 2):
        page = read_page(Client().get(reverse("tournaments:pod", args=[tournament.pk, number, 1])))
        assert page.count(">Owner</span>") == 1


def test_they_are_marked_in_teams(ana: Player) -> None:
    tournament = begin(ana, (), venue="online", team_size=2, has_open_teams=True)
    sign_up.enter(tournament, ana, now=NOW)
    team_members.choose_team(tournament, ana, None, team_name="Reds", now=NOW)
    page = read_page(Client().get(reverse("tournaments:teams", args=[tournament.pk])))
    assert page.count(">Owner</span>") == 1
