"""Nobody has a name of the site, a role or a bot, in any of its languages or with signs that look alike."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Player
from games.play.seats import sitting
from games.play.seats.player_changes import ANONYMOUS_NAME
from games.play.seats.reserved_names import is_reserved
from tests.cast import browser, open_table, person
from tests.html import read_page


@pytest.mark.parametrize(
    "name",
    ["Administrator", "АDMIN", "administration", "administrator  strony", ANONYMOUS_NAME, "Anonym", "bot", "Bot Berta",
     "B0T-7", "Вot", "Turnierleitung", "zarząd klubu", "0rganiser", "Menagerie", "Adm1nistrator", "ADM1N", "@dmin",
     "Adm!n", "Administrator 2", "Admin7", "★ Administrator ★", "Club Admin", "The Moderator", "Ａｄｍｉｎ",
     "Admi\u0323n", "🤖 Bot", "Ana (bоt)", "Ana［bot］", "Ana b0t", "Bot12", "m.e.n.a.g.e.r.i.e",
     "Ⓐdmin", "🅰dmin", "🇦🇩🇲🇮🇳", "Olga (owner)", "Olga – Owner", "Olga Owner", "Ołga [0wner]", "owner: Olga",
     "Olga | organiser", "Olga Organizer", "Organizator Jan", "Jan (host)", "Jan · gospodarz", "Olga Zarząd Klubu",
     "Olga (Support)", "Olga (Inhaberin)", "Veranstalter Ben", "Olga (official)", "Administratorin Eva", "Moderatorka",
     "Jan [mod]", "Jan Turnierleiter", "Olga – Właścicielka", "Vorstand"],
)  # fmt: skip
def test_these_are_reserved(name: str) -> None:
    assert is_reserved(name)


@pytest.mark.parametrize(
    "name",
    [
        "Botho",
        "Olga",
        "Robot",
        "Admina",
        "Anna Nym",
        "System of Ana",
        "Owner of 5 cats",
        "Ali 2",
        "🦊",
        "7",
        "",
        "Jan Gospodarz",
        "Eva Host",
        "Eva Müller-Host",
        "Downer",
        "Gastgeber",
        "Ruth Root",
        "Modest",
    ],
)
def test_these_are_not(name: str) -> None:
    assert not is_reserved(name)


def test_a_reserved_name_is_refused_with_a_sentence(db: None) -> None:
    client = Client()
    answer = client.post(reverse("me"), {"name": "Administrator", "avatar": "fox", "is_listed": "on"})
    assert (answer.status_code, Player.objects.count()) == (422, 0)
    assert "“Administrator” is reserved for this site, for roles or for bots. Choose another name." in read_page(answer)


def test_somebody_who_has_such_a_name_keeps_it_while_they_change_something_else(db: None) -> None:
    old = person("Bot Fan")
    client = browser(old)
    assert client.post(reverse("me"), {"name": "Bot Fan", "avatar": "owl", "is_listed": "on"}).status_code == 302
    assert client.post(reverse("me"), {"name": "Bot Fans", "avatar": "owl", "is_listed": "on"}).status_code == 422
    old.refresh_from_db()
    assert (old.name, old.avatar) == ("Bot Fan", "owl")


def test_an_account_has_no_reserved_name(db: None) -> None:
    words = {"username": "Administrator", "password1": "two-wild-geese", "password2": "two-wild-geese"}
    answer = Client().post(reverse("account_signup"), words)
    assert "is reserved for this site" in answer.content.decode()
    assert Player.objects.count() == 0


def test_two_at_a_table_have_different_names(ana: Player) -> None:
    table = open_table(ana)
    table = sitting.sit(table.id, person("Аna"), now=table.created_at)
    assert [place.name for place in table.places] == ["Ana", "Аna 2"]
