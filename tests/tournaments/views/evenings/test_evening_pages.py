"""The pages of an evening: a member opens one, seats people, sees the jobs; a stranger of a public club watches."""

from __future__ import annotations

import gzip
import re
import time
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Player, Ply, Table
from games.play.storage import store
from tests.cast import browser, come_to_table, move_until, person, start_table
from tests.tournaments.cast import found
from tournaments.flow.evenings import jobs, sessions
from tournaments.flow.undo import evening_undo
from tournaments.models import Club, Membership, SessionTable, TimedSession


def test_an_evening_through_its_pages(ana: Player, ben: Player) -> None:
    club = found(ben)
    Membership.objects.create(club=club, player=ana)
    mine = browser(ana)
    form = {"name": "Friday", "game": "animal-poker", "minutes": 30}
    answer = mine.post(reverse("tournaments:new_evening", args=[club.slug]), form)
    evening = TimedSession.objects.get()
    page = reverse("tournaments:evening", args=[evening.pk])
    assert answer["Location"] == page
    assert "No table yet. Choose who sits at the first one." in mine.get(page).content.decode()
    steer = reverse("tournaments:steer_evening", args=[evening.pk])
    for _ in range(2):
        mine.post(steer, {"action": "table", "player": [ana.pk], "version": 0})
    table_id = SessionTable.objects.get().table_id
    come_to_table(table_id, ana.pk, now=evening.starts_at)
    move_until(store.fetch(table_id), lambda one: one.rules.view(one.state, None)["deal"] == 3, now=evening.starts_at)
    watching = Client().get(page).content.decode()
    assert watching.count('<th scope="col"><span class="v">Deal </span>') == 2
    assert watching.count('<th scope="col">by lot</th>') == 1
    assert 'value="pause"' not in watching
    assert 'value="bring"' not in browser(person("Eva")).get(page).content.decode()  # Eva is no member
    assert all(f'value="{name}"' in mine.get(page).content.decode() for name in ("pause", "bring"))
    assert "Friday" in Client().get(reverse("tournaments:club", args=[club.slug])).content.decode()


def test_the_pulse_follows_deals_and_tables(ana: Player) -> None:
    club = found(ana)
    mine = browser(ana)
    form = {"name": "Friday", "game": "karriere-poker", "minutes": 30}
    mine.post(reverse("tournaments:new_evening", args=[club.slug]), form)
    evening = TimedSession.objects.get()

    def pulse() -> Any:
        return Client().get(reverse("tournaments:evening_pulse", args=[evening.pk])).json()["version"]

    steer, item = reverse("tournaments:steer_evening", args=[evening.pk]), [pulse()]
    mine.post(steer, {"action": "table", "player": [ana.pk], "version": 0})
    item.append(pulse())
    mine.post(steer, {"action": "begin", "table": 1})
    item.append(pulse())
    mine.post(steer, {"action": "pause"})
    item.append(pulse())
    assert len({*item}) == 4
    assert pulse() == item[-1]


def test_the_page_asks_as_much_for_three_tables_as_for_one(ana: Player) -> None:
    club = found(ana)
    mine = browser(ana)
    mine.post(
        reverse("tournaments:new_evening", args=[club.slug]), {"name": "Friday", "game": "animal-poker", "minutes": 30}
    )
    evening = TimedSession.objects.get()
    page, steer = (reverse(f"tournaments:{name}", args=[evening.pk]) for name in ("evening", "steer_evening"))
    counts = []
    for number in range(3):
        guest = Player.objects.create(name=f"Guest {number}", avatar="fox")
        Membership.objects.create(club=club, player=guest)
        mine.post(steer, {"action": "table", "player": [guest.pk], "version": number})
        with CaptureQueriesContext(connection) as asked:
            mine.get(page)
        counts.append(len(asked))
    assert counts[1] == counts[2] <= 16


def test_the_page_asks_as_much_after_many_undos_as_after_one(ana: Player) -> None:
    evening = sessions.open_evening(
        found(ana), ana, sessions.EveningPlan("Friday", "animal-poker", 30), now=time.time()
    )
    mine, page = browser(ana), reverse("tournaments:evening", args=[evening.pk])
    sessions.extend(evening, ana, 15, version=0, now=time.time())
    mine.get(page)  # the first look of a browser notes it among the devices
    counts = []
    for number in range(1, 7):
        evening_undo.revert(evening, ana, number, now=time.time())
        with CaptureQueriesContext(connection) as asked:
            shown = mine.get(page).content.decode()
        counts.append(len(asked))
        assert shown.count("Redo") == 2 * (number % 2)
    assert len(set(counts)) == 1


def test_what_was_taken_back_is_done_again_one_step_after_the_other(ana: Player) -> None:
    evening = sessions.open_evening(
        found(ana), ana, sessions.EveningPlan("Friday", "animal-poker", 30), now=time.time()
    )
    mine, page = browser(ana), reverse("tournaments:evening", args=[evening.pk])
    for version, minutes in enumerate((10, 20)):
        sessions.extend(evening, ana, minutes, version=version, now=time.time())
    for number in (2, 1):
        evening_undo.revert(evening, ana, number, now=time.time())
    for minutes in (10, 20):
        shown = mine.get(page).content.decode()
        assert f"Redo: Ana made the evening {minutes} minutes longer</button>" in shown
        [step] = re.findall(r'name="step" value="(\d+)"><button class="btn small" id="redo"', shown)
        evening_undo.revert(evening, ana, int(step), now=time.time())
    assert 'id="redo"' not in mine.get(page).content.decode()


def test_a_page_bears_the_version_of_what_it_shows(ana: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = sessions.open_evening(
        found(ana), ana, sessions.EveningPlan("Friday", "animal-poker", 30), now=time.time()
    )
    list_stories = jobs.list_stories

    def list_and_add_table(item: TimedSession) -> list[jobs.TableStory]:
        stories = list_stories(item)
        sessions.add_table(evening, ana, [ana.pk], version=0, now=time.time())
        return stories

    before = jobs.version_of(evening, now=time.time())
    monkeypatch.setattr(jobs, "list_stories", list_and_add_table)
    shown = browser(ana).get(reverse("tournaments:evening", args=[evening.pk])).content.decode()
    assert ("No table yet" in shown, f'data-version="{before}"' in shown) == (True, True)


def test_the_lobby_and_the_calendar_know_of_evenings(ana: Player, ben: Player) -> None:
    club = found(ana)
    hidden = found(ben, "Hidden Club")
    Club.objects.filter(pk=hidden.pk).update(is_public=False)
    now = time.time()
    for owner, one, name, starts_at in (
        (ana, club, "Friday", now), (ana, club, "In a month", now + 30 * 86400), (ben, hidden, "Secret", now)
    ):  # fmt: skip
        sessions.open_evening(one, owner, sessions.EveningPlan(name, "animal-poker", 30, starts_at), now=now)
    names = ("Friday", "In a month", "Secret")
    lobby = Client().get(reverse("lobby")).content.decode()
    assert [name in lobby for name in names] == [True, False, False]
    assert [name in browser(ben).get(reverse("lobby")).content.decode() for name in names] == [True, False, True]
    evening = TimedSession.objects.get(name="Friday")
    feed = Client().get(reverse("tournaments:calendar", args=[club.slug])).content.decode().replace("\r\n ", "")
    assert f"/evenings/{evening.pk}/" in feed
    assert "Add to my calendar" in browser(ana).get(reverse("tournaments:evening", args=[evening.pk])).content.decode()
    sessions.end(evening, ana, now=now)
    assert "Friday" not in Client().get(reverse("lobby")).content.decode()


def test_a_ladder_is_one_link_away_for_who_can_plan_it(ana: Player, ben: Player) -> None:
    club = found(ana)
    Membership.objects.create(club=club, player=ben)
    form = reverse("tournaments:new_evening", args=[club.slug])
    link = reverse("tournaments:plan", args=[club.slug]) + "?format=ladder&amp;game=animal-poker"
    assert [link in browser(one).get(form).content.decode() for one in (ana, ben)] == [True, False]
    planned = browser(ana).get(link.replace("&amp;", "&")).content.decode()
    assert '<option value="ladder" selected>' in planned
    assert '<option value="animal-poker" selected>' in planned


def test_the_page_tells_what_was_done_and_takes_it_back(ana: Player, ben: Player) -> None:
    club = found(ben)
    Membership.objects.create(club=club, player=ana)
    now = time.time()
    evening = sessions.open_evening(club, ana, sessions.EveningPlan("Friday", "animal-poker", 30), now=now)
    page, steer = (reverse(f"tournaments:{name}", args=[evening.pk]) for name in ("evening", "steer_evening"))
    browser(ana).post(steer, {"action": "extend", "minutes": 15, "version": 0})
    shown = browser(ana).get(page).content.decode()
    assert "Undo: Ana made the evening 15 minutes longer" in shown
    assert 'Undo<span class="v">: Ana made the evening 15 minutes longer</span>' in shown
    assert '<b>Ana</b> <small class="soft you">(you)</small> opened the evening' in shown
    browser(ben).post(steer, {"action": "undo", "step": 1})
    assert sessions.find(evening.pk).ends_at == evening.ends_at
    shown = browser(ana).get(page).content.decode()
    assert "<b>Ben</b> undid “made the evening 15 minutes longer”" in shown
    assert "Redo: Ana made the evening 15 minutes longer</button>" in shown
    assert shown.count("Redo") == 2
    cleo = Player.objects.create(name="Cleo", avatar="fox")
    Membership.objects.create(club=club, player=cleo)
    for reader, tells in ((Client(), False), (browser(cleo), True)):
        seen = reader.get(page).content.decode()
        assert ("undid" in seen, 'value="undo"' in seen) == (tells, False)


def test_an_evening_that_is_called_off(ana: Player) -> None:
    club = found(ana)
    now = time.time()
    evening = sessions.open_evening(club, ana, sessions.EveningPlan("Friday", "animal-poker", 30, now + 7200), now=now)
    page = reverse("tournaments:evening", args=[evening.pk])
    assert "Cancel the evening" in browser(ana).get(page).content.decode()
    browser(ana).post(reverse("tournaments:steer_evening", args=[evening.pk]), {"action": "end"})
    shown = browser(ana).get(page).content.decode()
    assert [words in shown for words in ("Cancelled", "Undo", "Nobody played")] == [True, True, False]
    feed = Client().get(reverse("tournaments:calendar", args=[club.slug])).content.decode()
    assert ("STATUS:CANCELLED" in feed, "DTEND" in feed) == (True, False)


def test_a_table_is_closed_and_one_brought_along_is_let_go(ana: Player, ben: Player) -> None:
    club = found(ana)
    Membership.objects.create(club=club, player=ben)
    evening = sessions.open_evening(club, ana, sessions.EveningPlan("Friday", "animal-poker", 30), now=time.time())
    page, steer = (reverse(f"tournaments:{name}", args=[evening.pk]) for name in ("evening", "steer_evening"))
    browser(ana).post(steer, {"action": "table", "player": [ana.pk], "version": 0})
    table = start_table(ben, game="animal-poker", options={"minutes": 60}, now=time.time())
    browser(ben).post(steer, {"action": "bring", "table": table.id, "version": 1})
    assert SessionTable.objects.count() == 2
    for reader, closes, lets_go in ((ana, 1, 1), (ben, 0, 1)):
        shown = browser(reader).get(page).content.decode()
        assert (shown.count("Close the table"), shown.count("Continue outside the evening")) == (closes, lets_go)
    browser(ana).post(steer, {"action": "close", "table": 1})
    browser(ben).post(steer, {"action": "close", "table": 2})
    assert SessionTable.objects.count() == 0
    assert store.reload(table.id).status == "playing"


def test_a_table_that_never_began_is_no_game_to_look_at(ana: Player) -> None:
    evening = sessions.open_evening(
        found(ana), ana, sessions.EveningPlan("Friday", "animal-poker", 30), now=time.time()
    )
    sessions.add_table(evening, ana, [ana.pk], version=0, now=time.time())
    sessions.end(evening, ana, now=time.time())
    shown = browser(ana).get(reverse("tournaments:evening", args=[evening.pk])).content.decode()
    assert ("Closed before it started" in shown, "View game" in shown) == (True, False)


def test_a_long_evening_at_six_tables(ana: Player) -> None:
    club, now = found(ana), time.time()
    evening = sessions.open_evening(club, ana, sessions.EveningPlan("Long night", "animal-poker", 720), now=now)
    for number in range(6):
        guests = [Player.objects.create(name=f"Guest {number}-{chair}", avatar="fox") for chair in range(8)]
        Membership.objects.bulk_create(Membership(club=club, player=guest) for guest in guests)
        sessions.add_table(evening, ana, [guest.pk for guest in guests], version=2 * number, now=now)
        sessions.begin_table(evening, ana, number + 1, now=now)
    page = reverse("tournaments:evening", args=[evening.pk])
    for first, last in ((1, 30), (31, 60)):
        for table in Table.objects.all():
            stored = '[["deal_over",null,{"deal":%d,"ranks":[8,1,2,3,4,5,6,7]},null]]'
            Ply.objects.bulk_create(
                Ply(table=table, number=deal, event="{}", events=stored % deal, at=float(deal))
                for deal in range(first, last + 1)
            )
            Table.objects.filter(pk=table.pk).update(ply=last)
        with CaptureQueriesContext(connection) as asked:
            shown = browser(ana).get(page).content
        text = shown.decode()
        assert (text.count("<td"), text.count('class="at-top"')) == (6 * 8 * (last + 1), 6 * (last + 1))
        assert len(asked) <= 25
        assert len(gzip.compress(shown)) < 40_000
