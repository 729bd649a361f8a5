"""Evenings through the API: those that may be seen, live and as the chronicle."""

from __future__ import annotations

from django.test import Client

from games import models
from games.play.storage import store
from tests.cast import NOW, browser, come_to_table, move_until, person
from tests.tournaments.cast import found
from tournaments.flow.evenings import sessions
from tournaments.models import Club, Membership, SessionTable, TimedSession


def test_an_evening_can_be_read(ana: models.Player) -> None:
    club = found(ana)
    evening = sessions.open_evening(club, ana, sessions.EveningPlan("Friday", "animal-poker", 30), now=NOW)
    sessions.add_table(evening, ana, [ana.pk], version=0, now=NOW)
    table_id = SessionTable.objects.get().table_id
    table = come_to_table(table_id, ana.pk, now=NOW)
    drawn = table.rules.view(table.state, None)["ranks"]
    move_until(store.fetch(table_id), lambda one: one.rules.view(one.state, None)["deal"] == 3)
    (listed,) = Client().get(f"/api/v1/clubs/{club.slug}/evenings").json()
    assert (listed["name"], listed["ends_at"] - listed["starts_at"], listed["ended_at"]) == ("Friday", 1800, None)
    whole = Client().get(f"/api/v1/evenings/{evening.pk}").json()
    assert (whole["is_paused"], whole["has_rung"], whole["is_called_off"]) == (False, False, False)
    (shown,) = whole["tables"]
    assert (shown["number"], shown["table"], shown["status"]) == (1, table_id, "playing")
    assert [len(one["jobs"]) for one in shown["seats"]] == [2] * 4
    assert [one["job"] for one in shown["seats"]] == [one["jobs"][-1] for one in shown["seats"]]
    assert [one["drawn"] == "ceo" for one in shown["seats"]] == [rank == 1 for rank in drawn]
    assert [bool(one["bot"]) for one in shown["seats"]] == [False, True, True, True]


def test_a_private_evening_is_seen_by_members_only(ana: models.Player, ben: models.Player) -> None:
    club = found(ana)
    Club.objects.filter(pk=club.pk).update(is_public=False)
    evening = sessions.open_evening(club, ana, sessions.EveningPlan("Friday", "animal-poker", 30), now=NOW)
    member = person("Mara")
    Membership.objects.create(club=club, player=member)
    for path in (f"/api/v1/clubs/{club.slug}/evenings", f"/api/v1/evenings/{evening.pk}"):
        statuses = [client.get(path).status_code for client in (Client(), browser(ben), browser(member))]
        assert statuses == [403, 403, 200], path
    assert Client().get("/api/v1/evenings/nowhere").status_code == 404
    assert Client().get("/api/v1/clubs/nowhere/evenings").status_code == 404


def test_evenings_are_listed_the_latest_first_and_say_that_they_stand_still(ana: models.Player) -> None:
    club = found(ana)
    for name, days in (("First", 1), ("Third", 3), ("Second", 2)):
        plan = sessions.EveningPlan(name, "animal-poker", 30, NOW + 86_400 * days)
        sessions.open_evening(club, ana, plan, now=NOW)
    sessions.pause(TimedSession.objects.get(name="Second"), ana, now=NOW)
    listed = Client().get(f"/api/v1/clubs/{club.slug}/evenings").json()
    assert [(one["name"], one["is_paused"]) for one in listed] == [("Third", False), ("Second", True), ("First", False)]
