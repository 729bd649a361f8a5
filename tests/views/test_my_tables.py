"""My tables, games over days: the list by urgency, the next table, news, private notes, holidays, the calendar."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import models
from games.play.seats import player_changes
from games.play.storage.table import LoadedTable
from games.rules import registry
from games.views import lobby
from tests.cast import browser, open_table, start_table, wait_for

NOTE = "Ben has a <seven>."


def game(*people: models.Player, to_act: models.Player) -> LoadedTable:
    """A game over days that waits for this person."""
    now = time.time()
    table = start_table(*people, now=now, turn_seconds=86_400, options={"deals": 1})
    return wait_for(table, to_act, now=now)


def read(reader: Client, name: str, *args: str) -> str:
    return reader.get(reverse(name, args=args)).content.decode()


@pytest.mark.parametrize("game", registry.slugs())
def test_any_game_can_be_opened_over_days(ana: models.Player, game: str) -> None:
    rules = registry.find(game)
    form = {"seats": rules.seat_counts[0], "bots": 0, "bot_level": "random", "turn_seconds": 45, "days": "3"}
    form |= registry.infos()[game].option_initial
    answer = browser(ana).post(reverse("new_table", args=[game]), form)
    table = models.Table.objects.get()
    assert (answer.status_code, table.turn_seconds) == (302, 3 * 86_400)
    assert "minutes" not in table.options


def test_the_list_has_what_waits_for_me_first_and_by_when(
    ana: models.Player, ben: models.Player, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        waits, other = game(ana, ben, to_act=ana), game(ana, ben, to_act=ben)
    reader = browser(ana)
    page = read(reader, "my_tables")
    assert page.index(f"my-{waits.id}") < page.index("Waiting for others") < page.index(f"my-{other.id}")
    assert "Until <time" in page
    assert reader.get(reverse("next_table"))["Location"] == reverse("table", args=[waits.id])
    assert browser(ben).get(reverse("next_table"))["Location"] == reverse("table", args=[other.id])
    assert reader.get(reverse("next_table") + f"?after={waits.id}")["Location"] == reverse("my_tables")


def test_an_old_table_that_waits_is_before_many_newer_ones(
    ana: models.Player, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        waits = game(ana, to_act=ana)
    for number in range(lobby.SHOWN_TABLES + 1):
        open_table(ana, now=time.time() + number, turn_seconds=86_400)
    for page in ("my_tables", "lobby"):
        shown = read(browser(ana), page)
        assert shown.index(f"my-{waits.id}") == shown.index('id="my-') + 4


def test_the_list_loads_no_board(ana: models.Player, monkeypatch: pytest.MonkeyPatch) -> None:
    game(ana, to_act=ana)
    monkeypatch.setattr("games.views.lobby.store.fetch", None)
    assert browser(ana).get(reverse("my_tables")).status_code == 200


def test_what_happened_since_is_shown_until_it_is_hidden(ana: models.Player, ben: models.Player) -> None:
    table, reader = wait_for(game(ana, ben, to_act=ben), ana, now=time.time()), browser(ana)  # somebody has played
    assert "Since you were last here" in read(reader, "table", table.id)
    reader.post(reverse("note_seen", args=[table.id]), {"ply": str(table.ply)})
    assert "Since you were last here" not in read(reader, "table", table.id)
    assert reader.post(reverse("note_seen", args=[table.id]), {"ply": "x"}).status_code == 400


def test_a_note_is_for_its_author_alone(ana: models.Player, ben: models.Player) -> None:
    table = game(ana, ben, to_act=ana)
    browser(ana).post(reverse("save_note", args=[table.id]), {"note": NOTE})
    assert "Ben has a &lt;seven&gt;." in read(browser(ana), "table", table.id)
    assert "seven&gt;" not in read(browser(ben), "table", table.id)
    assert browser(ana).post(reverse("save_note", args=[table.id]), {"note": "x" * 2001}).status_code == 400
    player_changes.anonymise_tables(ana.pk, now=time.time())
    assert not models.TableMark.objects.exists()


def test_a_holiday_is_planned_and_cancelled(ana: models.Player) -> None:
    reader, first = browser(ana), timezone.localdate() + timedelta(days=10)
    days = {"first": first.isoformat(), "last": (first + timedelta(days=1)).isoformat()}
    assert reader.post(reverse("holidays"), days).status_code == 302
    assert reader.post(reverse("holidays"), days).status_code == 422
    assert reader.post(reverse("holidays"), {"first": "soon", "last": ""}).status_code == 422
    assert "Cancel" in read(reader, "holidays")
    reader.post(reverse("holidays"), {"end": str(models.Holiday.objects.get().pk)})
    assert not models.Holiday.objects.exists()


def test_a_deadline_is_in_the_calendar(
    ana: models.Player, ben: models.Player, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        table = game(ana, ben, to_act=ana)
    models.NoticeWishes.objects.create(player=ana, feed_token="a" * 32)
    feed = read(Client(), "tournaments:my_calendar", "a" * 32)
    assert f"UID:turn-{table.id}@menagerie" in feed
    assert "SUMMARY:Karriere Poker: my turn ends" in feed


def test_live_tables_have_none_of_this(ana: models.Player) -> None:
    table = open_table(ana)
    page = read(browser(ana), "table", table.id)
    assert "My private note" not in page
