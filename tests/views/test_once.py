"""Forms that create something do it once, if tapped twice or sent again after a lost response."""

from __future__ import annotations

import re

import pytest
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from games.models import Player, Table
from games.play.storage.table import WAITING
from tests.cast import browser
from tests.tournaments.cast import found
from tournaments.models import Club, Invitation, Season, TimedSession, Tournament

TABLE = {"seats": "5", "bots": "1", "bot_level": "random", "turn_seconds": "45", "deals": "2", "is_public": "on"}
SEASON = {"name": "Season", "points": "beaten", "points_table": "5, 3, 2, 1", "tie_breaks": "wins"}
EVENING = {"name": "Friday", "game": "animal-poker", "minutes": "30"}

FORMS: dict[str, tuple[str, str, str, dict[str, str] | None, type[Model]]] = {
    "play now": ("lobby", "play_now", "karriere-poker", {}, Table),
    "a table": ("new_table", "new_table", "karriere-poker", TABLE, Table),
    "a club": ("tournaments:new_club", "tournaments:new_club", "", {"name": "Quay Club"}, Club),
    "a tournament": ("tournaments:plan", "tournaments:plan", "club", None, Tournament),
    "a season": ("tournaments:new_season", "tournaments:new_season", "club", SEASON, Season),
    "an evening": ("tournaments:new_evening", "tournaments:new_evening", "club", EVENING, TimedSession),
    "an invitation": ("tournaments:club", "tournaments:invite", "club", {"role": "member"}, Invitation),
}


def read_key(client: Client, page: str, form: str) -> str:
    """The key that this page gives to its form with this address."""
    text = client.get(page).content.decode()
    forms = re.findall(r"<form[^>]*>.*?</form>", text, flags=re.DOTALL)
    here = [one for one in forms if f'action="{form}"' in one] or [one for one in forms if "data-once" in one]
    found_key = re.search(r'name="once" value="([^"]+)"', here[0])
    assert found_key is not None, here[0]
    return found_key[1]


def as_it_stands(client: Client, page: str) -> dict[str, object]:
    """The plan of a tournament with a name, everything else as the form proposes it."""
    form = client.get(page).context["form"]
    proposed = {name: form[name].value() for name in form.fields}
    kept = {name: value for name, value in proposed.items() if value not in (None, False)}
    return kept | {"name": "Friday", "game": "karriere-poker"}


@pytest.mark.parametrize("kind", FORMS)
def test_a_form_that_is_sent_twice_makes_one(ana: Player, kind: str) -> None:
    page_name, form_name, what, sent, made = FORMS[kind]
    club = found(ana)
    args = [club.slug] if what == "club" else [what] if what else []
    page = reverse(page_name, args=[] if page_name == "lobby" else args)
    form, client, before = reverse(form_name, args=args), browser(ana), made._default_manager.count()
    filled: dict[str, object] = as_it_stands(client, page) if sent is None else dict(sent)
    once = {"once": read_key(client, page, form)}
    answers = [client.post(form, filled | once) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302], answers[0].content.decode()
    assert answers[0]["Location"] == answers[1]["Location"]
    assert made._default_manager.count() == before + 1
    again = {"once": read_key(client, page, form)}
    client.post(form, filled | again)
    assert made._default_manager.count() == before + 2, "the page that is opened anew makes another"


def test_who_goes_back_and_wants_something_else_gets_it(ana: Player) -> None:
    client, url = browser(ana), reverse("new_table", args=["karriere-poker"])
    once = {"once": read_key(client, url, url)}
    addresses = {client.post(url, TABLE | once | {"bots": bots})["Location"] for bots in ("1", "2", "1")}
    assert sorted(Table.objects.values_list("seats__bot", flat=True)).count("random") == 3
    assert len(addresses) == 2


@pytest.mark.django_db
def test_a_stranger_who_taps_twice_is_one_guest_at_one_table() -> None:
    client, url = Client(), reverse("play_now", args=["karriere-poker"])
    once = {"once": read_key(client, reverse("lobby"), url)}
    token = client.cookies["newcomer"].value
    first = client.post(url, {"seats": "5", **once})
    client.cookies.clear()
    client.cookies["newcomer"] = token  # the answer with their session was lost
    second = client.post(url, {"seats": "5", **once})
    assert (first.status_code, second["Location"]) == (302, first["Location"])
    assert (Table.objects.count(), Player.objects.count()) == (1, 1)
    assert Table.objects.get().status == WAITING
