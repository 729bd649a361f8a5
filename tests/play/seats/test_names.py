"""The rules for names hold for every way to enter one."""

from __future__ import annotations

from collections.abc import Callable
from unicodedata import normalize

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Player
from games.play.errors import BadInput
from games.play.seats.player_names import MAX_NAME, clean_name
from games.views.forms import MeForm
from tests.cast import NOW
from tests.tournaments.cast import begin
from tournaments.flow.clubs import api_keys, membership
from tournaments.flow.entry import imports, organiser_decisions, sign_up
from tournaments.flow.evenings import sessions
from tournaments.models import Tournament

STACK = "Z" + 9 * "\u0301" + "oe"
MENDED = normalize("NFC", "Z" + 4 * "\u0301" + "oe")
TURNED = "Ana\u202eneB"
EMPTY = "\u3164\u3164"
WRONG = pytest.mark.parametrize("name", [STACK, TURNED, EMPTY], ids=["stack", "turned", "empty"])


@pytest.fixture
def tournament(ana: Player) -> Tournament:
    """One that takes people in."""
    return begin(ana, ["Ben"], format="swiss")


@WRONG
@pytest.mark.parametrize(
    "give",
    [
        lambda one, ana, name: clean_name(name, most=MAX_NAME),
        lambda one, ana, name: sign_up.enter(one, ana, name=name, now=NOW),
        lambda one, ana, name: sign_up.add_walk_in(one, ana, name=name, now=NOW),
        lambda one, ana, name: sign_up.add_bot(one, ana, name=name, level="steady", now=NOW),
        lambda one, ana, name: organiser_decisions.rename(one, ana, one.entrants.get().pk, name, now=NOW),
        lambda one, ana, name: membership.found_club(ana, name=name),
        lambda one, ana, name: sessions.open_evening(
            one.club, ana, sessions.EveningPlan(name, "animal-poker", 30), now=NOW
        ),
        lambda one, ana, name: api_keys.make(one.club, ana, name),
    ],
    ids=["any", "entrant", "walk-in", "bot", "rename", "club", "evening", "key"],
)
def test_a_name_that_nobody_could_read_is_refused(
    tournament: Tournament, ana: Player, give: Callable[[Tournament, Player, str], object], name: str
) -> None:
    with pytest.raises(BadInput, match=r"invisible characters|too many accents"):
        give(tournament, ana, name)


@WRONG
def test_a_list_with_such_a_name_says_in_which_line(name: str) -> None:
    (line,) = imports.preview(f"name\n{name}\n", levels=()).bad
    assert line.number == 2
    assert "name" in str(line.fault)


@WRONG
def test_the_form_for_ones_own_name_says_what_is_wrong(name: str) -> None:
    assert "name" in MeForm({"name": name, "avatar": "owl"}).errors


@WRONG
def test_an_account_has_no_such_name(db: None, name: str) -> None:
    secret = "correct horse battery"
    sent = {"username": name, "password1": secret, "password2": secret}
    answer = Client().post(reverse("account_signup"), sent)
    assert answer.context["form"].errors.keys() == {"username"}
    assert Player.objects.count() == 0


def test_an_old_name_enters_a_tournament_mended(tournament: Tournament, ben: Player) -> None:
    Player.objects.filter(pk=ben.pk).update(name=STACK)
    ben.refresh_from_db()
    sign_up.enter(tournament, ben, now=NOW)
    assert tournament.entrants.get(player=ben).name == MENDED


@WRONG
def test_a_stranger_does_not_become_a_guest_of_such_a_name(tournament: Tournament, name: str) -> None:
    before = Player.objects.count()
    Client().post(reverse("tournaments:act", args=[tournament.pk]), {"action": "enter", "name": name})
    assert (Player.objects.count(), tournament.entrants.count()) == (before, 1)
    Client().post(reverse("tournaments:act", args=[tournament.pk]), {"action": "enter", "name": "Zoë"})
    assert Player.objects.latest("pk").name == "Zoë"
