"""Webhooks hear of tables, games and evenings: each once, as the document describes it, and only if they chose it."""

from __future__ import annotations

import json
from typing import Any

from games.models import Player, Table
from games.play.storage import store
from tests.cast import NOW, come_to_table, finish
from tests.tournaments.api.described import Description
from tests.tournaments.cast import begin, enter, found, play_online, release
from tests.tournaments.flow.clubs.test_webhooks import _local
from tournaments.flow.clubs import webhooks
from tournaments.flow.counting import finished_tables
from tournaments.flow.evenings import evening_sweeper, sessions
from tournaments.flow.evenings.sessions import EveningPlan
from tournaments.flow.rounds import results
from tournaments.flow.steps import webhook_events
from tournaments.flow.undo import evening_undo
from tournaments.models import Club, Delivery, Pod, SessionTable, TimedSession, Webhook

__all__ = ["_local"]


def listen(club: Club, owner: Player, *events: str) -> Webhook:
    """A webhook that has chosen these events, or all."""
    hook = webhooks.add(club, owner, "http://127.0.0.1:9/")
    webhooks.choose_events(club, owner, hook.pk, events or webhook_events.CHOICES)
    return hook


def read_told(*events: str) -> list[tuple[str, dict[str, Any]]]:
    """The messages of these events in order, each as the document describes it."""
    description, found = Description(), []
    for event, body in Delivery.objects.filter(event__in=events).order_by("pk").values_list("event", "body"):
        content = description.document["webhooks"][event]["post"]["requestBody"]["content"]
        answer = json.loads(body)
        description.check_value(content["application/json"]["schema"], answer, event)
        found.append((event, answer))
    return found


def hold_evening(club: Club, ana: Player, *, starts_at: float = NOW) -> TimedSession:
    return sessions.open_evening(club, ana, EveningPlan("Friday", "animal-poker", 30, starts_at), now=NOW)


def test_a_tournament_tells_of_its_tables_and_games(ana: Player) -> None:
    tournament = begin(ana, (), least=4, most=4, rounds_planned=1, venue="online")
    listen(tournament.club, ana)
    people = enter(tournament, "Zoe", "Yan", "Xia", "Wim")
    tournament.entrants.update(status="present")
    release(ana, tournament, 1)
    pod = Pod.objects.get()
    [(_, ready)] = read_told("table.ready")
    details = ready["details"]
    assert (details["round"], details["table"], details["online_table"]) == (1, 1, pod.table_id)
    seats = pod.seats.order_by("index")
    assert details["entrants"] == list(seats.values_list("entrant__number", flat=True))
    assert details["people"] == list(seats.values_list("entrant__player", flat=True))
    assert {*details["people"]} == {one.pk for one in people}
    assert (ready["tournament"]["id"], ready["evening"]) == (tournament.pk, None)
    play_online(tournament, 1)
    for _ in range(2):
        finished_tables.count_table(str(pod.table_id), now=NOW)
    [(_, over)] = read_told("game.over")
    assert over["details"] == details | {"places": over["details"]["places"], "scores": over["details"]["scores"]}
    results.record_table(store.fetch(str(pod.table_id)), now=NOW)
    [(_, result)] = read_told("result.in")
    assert over["details"]["places"] == result["details"]["places"]
    assert over["details"]["people"] == result["details"]["people"]


def test_an_evening_tells_of_its_beginning_tables_games_and_end(ana: Player) -> None:
    club = found(ana)
    listen(club, ana)
    evening = hold_evening(club, ana, starts_at=NOW + 600)
    evening_sweeper.sweep_evenings(now=NOW + 599)
    assert read_told("evening.begun") == []
    for now in (NOW + 600, NOW + 601, NOW + 602):
        evening_sweeper.sweep_evenings(now=now)
    [(_, begun)] = read_told("evening.begun")
    assert (begun["tournament"], begun["evening"]["id"], begun["at"]) == (None, evening.pk, NOW + 600)
    sessions.add_table(evening, ana, [ana.pk], version=0, now=NOW + 610)
    table_id = SessionTable.objects.get().table_id
    [(_, ready)] = read_told("table.ready")
    assert ready["details"] == {
        "round": None, "table": 1, "online_table": table_id, "entrants": [], "people": [ana.pk, None, None, None],
    }  # fmt: skip
    come_to_table(table_id, ana.pk, now=NOW + 610)
    sessions.end(evening, ana, now=NOW + 620)
    assert read_told("evening.ended") == []  # the last deal is played
    finish(store.fetch(table_id))
    finished_tables.count_table(table_id, now=NOW + 630)
    [(_, over)] = read_told("game.over")
    assert (over["evening"]["id"], sorted(over["details"]["places"])[0]) == (evening.pk, 1)
    for now in (NOW + 631, NOW + 632):
        evening_sweeper.sweep_evenings(now=now)
    [(_, ended)] = read_told("evening.ended")
    assert (ended["details"]["ends_at"], ended["details"]["is_called_off"]) == (NOW + 620, False)


def test_an_evening_that_is_cancelled_and_goes_on_is_told_each_time(ana: Player) -> None:
    club = found(ana)
    hook = listen(club, ana, "evening.ended")
    evening = hold_evening(club, ana, starts_at=NOW + 3600)
    sessions.end(evening, ana, now=NOW)
    evening_undo.revert(evening, ana, 1, now=NOW + 1)
    sessions.end(evening, ana, now=NOW + 2)
    messages = read_told("evening.ended", "message.withdrawn")
    assert [event for event, _ in messages] == ["evening.ended", "message.withdrawn", "evening.ended"]
    first, withdrawn, second = (event for _, event in messages)
    assert withdrawn["details"] == {"event": "evening.ended", "id": first["id"]}
    assert first["details"]["is_called_off"]
    assert len({first["id"], withdrawn["id"], second["id"]}) == 3
    assert {one.webhook_id for one in Delivery.objects.all()} == {hook.pk}
    evening_sweeper.sweep_evenings(now=NOW + 3601)
    assert read_told("evening.begun") == []


def test_only_those_who_chose_it_hear_of_it(ana: Player) -> None:
    club = found(ana)
    webhooks.add(club, ana, "http://127.0.0.1:9/usual")
    hold_evening(club, ana)
    evening_sweeper.sweep_evenings(now=NOW)
    assert not Delivery.objects.exists()
    chosen = listen(club, ana, "evening.begun")
    evening_sweeper.sweep_evenings(now=NOW + 1)
    assert Delivery.objects.get().webhook_id == chosen.pk
    Webhook.objects.update(is_active=False)
    sessions.end(TimedSession.objects.get(), ana, now=NOW + 2)
    assert Delivery.objects.count() == 1


def test_the_beginning_of_an_evening_is_told_late_but_not_days_later(ana: Player) -> None:
    club = found(ana)
    listen(club, ana, "evening.begun")
    hold_evening(club, ana)
    evening_sweeper.sweep_evenings(now=NOW + 7200)
    assert not Delivery.objects.exists()


def test_messages_about_tables_hold_no_names(ana: Player) -> None:
    """Names that are deleted would have to be replaced in them."""
    club = found(ana)
    listen(club, ana)
    evening = hold_evening(club, ana)
    sessions.add_table(evening, ana, [ana.pk], version=0, now=NOW)
    body = Delivery.objects.get(event="table.ready").body
    assert ana.name not in body
    assert Table.objects.get().pk in body
