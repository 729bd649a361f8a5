"""A substitute from the console: a member of the club, or anybody by name."""

from __future__ import annotations

from typing import Any

from django.test import Client
from django.urls import reverse

from games import models
from games.models import Player
from games.play.storage import store
from tests.cast import NOW, browser, finish, person
from tests.html import read_page
from tests.tournaments.cast import NAMES, begin, decide_all, enter, play_online, release
from tournaments.flow.rounds import lifecycle, sweeper
from tournaments.models import Membership, Pod, PodSeat, Tournament


def read_decision_page(client: Client, tournament: Tournament, table: int = 1) -> str:
    return read_page(client.get(reverse("tournaments:settle", args=[tournament.pk, table])))


def seat_substitute(client: Client, tournament: Tournament, seat: PodSeat, **form: Any) -> list[str]:
    """Press the button; what the console says then."""
    url = reverse("tournaments:do", args=[tournament.pk])
    answer = client.post(url, {"action": "substitute", "seat": seat.pk, **form}, follow=True)
    return [str(message) for message in answer.context["messages"]]


def test_a_member_sits_down_at_the_table_themselves(ana: models.Player) -> None:
    tournament = begin(ana, (), venue="online", most=4)
    players = enter(tournament, *NAMES[:4])
    release(ana, tournament, 1)
    mara = person("Mara")
    for one in (mara, players[1]):
        Membership.objects.create(club=tournament.club, player=one)
    client, pod = browser(ana), Pod.objects.get(round__tournament=tournament)
    seat = pod.seats.get(entrant__player=players[0])
    members = read_decision_page(client, tournament).split('name="member"')[1].split("</select>")[0]
    assert f'<option value="{mara.pk}">Mara</option>' in members
    assert players[1].name not in members  # plays at this table in person
    assert seat_substitute(client, tournament, seat, member=mara.pk) == []
    place = store.reload(pod.table_id or "").place(seat.index)
    assert place is not None
    assert place.player_id == mara.pk
    assert "played by Mara" in read_page(client.get(reverse("tournaments:pairings", args=[tournament.pk])))
    mine = read_page(browser(players[1]).get(reverse("tournaments:tournament", args=[tournament.pk])))
    assert "played by Mara" in mine
    assert seat_substitute(client, tournament, seat) == []
    log = read_page(client.get(reverse("tournaments:log", args=[tournament.pk])))
    name = players[0].name
    assert f"made Mara the substitute for {name} at table 1" in log
    assert f"removed the substitute for {name} at table 1" in log
    assert store.reload(pod.table_id or "").seat_of(players[0].pk) == seat.index


def test_only_who_can_play_instead_is_offered(ana: models.Player) -> None:
    tournament, mara = begin(ana, NAMES[:7], venue="real", most=4), person("Mara")
    [ben] = enter(tournament, "Ben")
    for one in (ben, mara):
        Membership.objects.create(club=tournament.club, player=one)
    release(ana, tournament, 1)
    client, seat = browser(ana), PodSeat.objects.get(pod__round__tournament=tournament, entrant__player=ben)

    def offered(table: int) -> list[bool]:
        members = read_decision_page(client, tournament, table).partition('name="member"')[2].partition("</select>")[0]
        return [f'<option value="{one.pk}">{one.name}' in members for one in (ana, ben, mara)]

    assert [offered(table) for table in (1, 2)] == [[True, False, True]] * 2
    assert seat_substitute(client, tournament, seat, member=mara.pk) == []
    assert [offered(table) for table in (1, 2)] == [[True, True, False]] * 2
    other = PodSeat.objects.filter(pod__round__tournament=tournament).exclude(pod=seat.pod).first()
    assert other is not None
    assert seat_substitute(client, tournament, other, member=ben.pk) == []
    assert [offered(table) for table in (1, 2)] == [[True, False, False]] * 2
    decide_all(ana, tournament, 1)
    mine, others = (offered(number) for number in sorted((1, 2), key=lambda number: number != seat.pod.number))
    assert (mine, others) == ([True, True, False], [True, False, True])


def test_nobody_plays_instead_where_the_game_is_over(ana: models.Player) -> None:
    tournament = begin(ana, (), venue="online", most=4)
    enter(tournament, *NAMES[:4])
    release(ana, tournament, 1)
    assert 'value="substitute"' in read_decision_page(browser(ana), tournament)
    play_online(tournament, 1)
    shown = read_decision_page(browser(ana), tournament)
    assert ('value="substitute"' in shown, 'value="fate"' in shown) == (False, True)


def test_who_the_console_refuses(ana: models.Player, ben: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], venue="real", most=4)
    players = enter(tournament, *NAMES[4:8])
    Membership.objects.create(club=tournament.club, player=players[0])
    release(ana, tournament, 1)
    client = browser(ana)
    seat = PodSeat.objects.filter(pod__round__tournament=tournament, entrant__player=None).first()
    assert seat is not None
    assert seat_substitute(client, tournament, seat, member=players[0].pk) == [
        f"{players[0].name} plays at a table of this round."
    ]
    assert seat_substitute(client, tournament, seat, member=ben.pk) == [
        "Ben is not a member of this club. Enter the name instead."
    ]
    assert seat_substitute(client, tournament, seat, member="99999") == ["This person is not in the club any more."]
    assert seat_substitute(client, tournament, seat, name="  Uncle   Bob ") == []
    seat.refresh_from_db()
    assert (seat.substitute, seat.substitute_name) == (None, "Uncle Bob")
    here = [tournament.pk, 1, seat.pod.number]
    for path in (reverse("tournaments:pod", args=here), reverse("tournaments:print", args=[tournament.pk, "cards"])):
        assert "Uncle Bob" in read_page(client.get(path))


def test_a_substitute_finds_their_table_by_their_own_name(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], venue="real", most=4)
    release(ana, tournament, 1)
    client = browser(ana)
    seat = PodSeat.objects.select_related("pod", "entrant").filter(pod__round__tournament=tournament)[0]
    places = {name: reverse(f"tournaments:{name}", args=[tournament.pk]) for name in ("hall", "pairings")}
    places["names"] = reverse("tournaments:print", args=[tournament.pk, "names"])
    for path in places.values():  # drawn once already
        assert "Uncle Bob" not in read_page(client.get(path))
    assert seat_substitute(client, tournament, seat, name="Uncle Bob") == []
    pages = {name: read_page(client.get(path)) for name, path in places.items()}
    table, name = seat.pod.number, seat.entrant.name
    assert f"<span>Uncle Bob</span><b>{table}</b>" in pages["hall"]
    assert f"{name} (Uncle Bob)" in pages["hall"]
    assert f'aria-label="Uncle Bob: table {table}"' in pages["pairings"]
    assert f"<span>Uncle Bob</span><b>table {table}, seat {seat.index + 1}</b>" in pages["names"]
    assert [f"<span>{name}</span>" in page for page in pages.values()] == [True] * 3


def test_nobody_plays_duplicate_deals_that_they_have_seen_at_another_table(ana: models.Player) -> None:
    tournament = begin(ana, (), venue="online", most=4, duplicate=True)
    players, (mara, fred) = enter(tournament, *NAMES[:8]), (person("Mara"), person("Fred"))
    release(ana, tournament, 1)
    for one in (mara, fred, *players):
        Membership.objects.create(club=tournament.club, player=one)
    first, second = Pod.objects.filter(round__tournament=tournament).order_by("number")
    client, mine, other = browser(ana), first.seats.get(index=0), second.seats.get(index=0)
    for one in (mara, fred):  # while nothing has been dealt anybody may try chairs
        assert seat_substitute(client, tournament, mine, member=one.pk) == []
    lifecycle.begin_now(tournament, ana, 1, now=NOW)
    lifecycle.substitute(tournament, ana, mine.pk, now=NOW + 1)  # Fred gets up again, and knows a hand
    finish(store.refresh(first.table_id or ""), now=NOW + 2)
    sweeper.sweep(now=NOW + 2)

    def offered(table: int) -> set[str]:
        members = read_decision_page(client, tournament, table).partition('name="member"')[2].partition("</select>")[0]
        return {one.name for one in (mara, fred, *players) if f'<option value="{one.pk}">' in members}

    assert offered(2) == {"Mara"}
    for one in (fred, Player.objects.get(entries=mine.entrant)):
        seen = f"{one.name} has seen the cards of table 2 because table 1 has the same ones."
        assert seat_substitute(client, tournament, other, member=one.pk) == [seen]
    assert seat_substitute(client, tournament, other, member=mara.pk) == []
