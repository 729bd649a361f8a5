"""Who may look at the online tables of a private club: people who may see what they are played for, and nobody else.

The tables of a tournament and of an evening × everybody × every address of a table; nobody learns more there than a
watcher does, and nothing at all while others play the same deals.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from django.urls import reverse

from games import models
from games.accounts import rate_limits
from games.live import session_sockets
from games.play import permissions
from games.play.storage import store
from games.play.storage.table import PLAYING, LoadedTable
from tests.cast import browser, come_to_table, finish, open_table, person
from tests.live.windows import SECONDS, Window, connect
from tests.test_leaks import fetch, make_twin, replaced, secrets_of
from tests.tournaments.cast import check_in, enter, plan
from tournaments.flow.clubs import membership
from tournaments.flow.drawing import draw_requests
from tournaments.flow.evenings import sessions
from tournaments.flow.rounds import lifecycle, results, sweeper
from tournaments.models import Club, Membership, Pod, Role, Tournament

ROLES = ("stranger", "guest", "link", "entrant", "player", "member", "organiser", "owner", "staff")
"""As in test_permissions; link: has opened the tournament's link, nothing else; player: sits at the table that is
looked at; entrant: at the other one."""


@dataclass
class Room:
    """A private club's tournament with two tables on screens, and everybody's browser."""

    club: Club
    tournament: Tournament
    table: LoadedTable
    clients: dict[str, Client]

    def see(self) -> dict[str, int]:
        """The status of the table's page for everybody."""
        rate_limits.reset()
        url = reverse("table", args=[self.table.id])
        return {role: self.clients[role].get(url).status_code for role in ROLES}


def build(**overrides: Any) -> Room:
    owner, organiser, member = person("Olga"), person("Otto"), person("Mara")
    club = membership.found_club(owner, name="Harbour Club", is_public=False)
    for player, role in ((organiser, Role.ORGANISER), (member, Role.MEMBER)):
        Membership.objects.create(club=club, player=player, role=role)
    tournament = plan(owner, club, **{"venue": "online", "is_public": False, "least": 4, "most": 4, **overrides})
    check_in(owner, tournament)
    people = enter(tournament, "Ada", "Bea", "Cem", "Dan", "Eli", "Fay", "Gus", "Hal")
    now = time.time()
    asked = draw_requests.request_draw(tournament, owner, 1, again=False, now=now)
    assert asked is not None
    draw_requests.run_draw(asked.pk, asked.drawing, owner, now=now)
    lifecycle.release(tournament, owner, 1, now=now)
    tables = list(Pod.objects.filter(round__tournament=tournament).order_by("number").values_list("table", flat=True))
    for table_id in tables:
        for place in store.refresh(str(table_id)).places:
            come_to_table(str(table_id), place.player_id, now=now)
    table, other = (store.refresh(str(table_id)) for table_id in tables)
    seated, elsewhere = ({place.player_id for place in one.places} for one in (table, other))
    clients = {"stranger": browser(), "guest": browser(person("Gina")), "member": browser(member),
               "organiser": browser(organiser), "owner": browser(owner), "link": browser(), "staff": Client(),
               "player": browser(next(one for one in people if one.pk in seated)),
               "entrant": browser(next(one for one in people if one.pk in elsewhere))}  # fmt: skip
    clients["link"].get(reverse("tournaments:entry_link", args=[tournament.entry_token]))
    clients["staff"].force_login(models.User.objects.create_superuser("boss", password="a long pass phrase"))
    return Room(club, tournament, table, clients)


INSIDE = dict.fromkeys(ROLES, 200) | {"stranger": 403, "guest": 403, "staff": 403}
PLAYERS = dict.fromkeys(ROLES, 403) | {"player": 200}


NOBODY = dict.fromkeys(ROLES, 403)
SAT = {role: 409 if status == 200 else status for role, status in INSIDE.items()} | {"player": 302}
RECORD = ("record", "replay", "verify_replay")
ROWS: tuple[tuple[str, dict[str, str], dict[str, int]], ...] = (
    *((name, {}, INSIDE) for name in ("table", "view_json", "board", "log", "talk")),
    *((name, {}, NOBODY) for name in RECORD),
    ("sit", {"chair": "0"}, SAT),
    ("start", {"x": "1"}, NOBODY | {"player": 409}),
    ("bell", {"x": "1"}, NOBODY),
    ("moves", {"move": "{}", "ply": "99", "key": "k"}, NOBODY | {"player": 409}),
)


def test_every_address_of_a_table(db: None) -> None:
    room = build()
    for name, form, statuses in ROWS:
        rate_limits.reset()
        url = reverse(name, args=[room.table.id])
        found = {
            role: (client.post(url, form) if form else client.get(url)).status_code
            for role, client in room.clients.items()
        }
        assert found == statuses, name
    finish(store.refresh(room.table.id), now=time.time())
    for name in RECORD:
        url = reverse(name, args=[room.table.id])
        assert {role: client.get(url).status_code for role, client in room.clients.items()} == INSIDE, name


def test_nobody_who_is_shown_in_learns_what_a_watcher_does_not(db: None) -> None:
    room = build()
    for role in ("link", "entrant", "member", "organiser", "owner"):
        client = room.clients[role]
        seen = fetch(client, room.table)
        assert not [secret for secret in secrets_of(room.table) for text in seen.values() if secret and secret in text]
        with replaced(room.table, make_twin(room.table, None, random.Random(role))):
            assert fetch(client, room.table) == seen, role


def test_the_doors_that_are_shown_are_those_that_open(db: None) -> None:
    room = build()
    watch = reverse("table", args=[room.table.id])
    for role in ROLES:
        page = room.clients[role].get(reverse("tournaments:pairings", args=[room.tournament.pk]))
        assert (watch in page.content.decode()) == (INSIDE[role] == 200), role


def test_the_same_deals_are_for_their_players_until_all_are_over(db: None) -> None:
    room = build(duplicate=True)
    assert room.table.status == PLAYING
    pairings = reverse("tournaments:pairings", args=[room.tournament.pk])
    assert room.see() == PLAYERS
    assert reverse("table", args=[room.table.id]) not in room.clients["owner"].get(pairings).content.decode()
    finish(room.table, now=time.time())
    assert room.see() == PLAYERS
    owner = room.club.memberships.get(role=Role.OWNER).player
    for pod in Pod.objects.filter(round__tournament=room.tournament, results=None):
        results.decide(room.tournament, owner, pod.pk, None, now=time.time())
    lifecycle.complete(room.tournament, owner, 1, now=time.time())
    assert room.see() == PLAYERS
    assert reverse("table", args=[room.table.id]) not in room.clients["member"].get(pairings).content.decode()
    other = Pod.objects.exclude(table=room.table.id).get()
    finish(store.refresh(other.table_id or ""), now=time.time())
    sweeper.sweep(now=time.time())
    assert room.see() == INSIDE
    assert reverse("table", args=[room.table.id]) in room.clients["member"].get(pairings).content.decode()


def test_who_leaves_the_club_leaves_its_tables(db: None) -> None:
    room = build()
    member = room.club.memberships.get(role=Role.MEMBER)
    assert room.see()["member"] == 200
    member.delete()
    assert room.see()["member"] == 403


def test_an_evening_of_a_private_club(db: None) -> None:
    owner, member, guest = person("Olga"), person("Mara"), person("Gina")
    club = membership.found_club(owner, name="Harbour Club", is_public=False)
    for player in (member, ada := person("Ada"), bea := person("Bea")):
        Membership.objects.create(club=club, player=player, role=Role.MEMBER)
    now = time.time()
    evening = sessions.open_evening(club, owner, sessions.EveningPlan("Friday", "animal-poker", 30), now=now)
    sessions.add_table(evening, owner, [ada.pk, bea.pk], version=evening.version, now=now)
    table_id = evening.tables.get().table_id
    url, page = reverse("table", args=[table_id]), reverse("tournaments:evening", args=[evening.pk])
    for reader, status in ((None, 403), (guest, 403), (member, 200), (owner, 200), (ada, 200)):
        assert browser(reader).get(url).status_code == status, reader
    assert url in browser(member).get(page).content.decode()


@pytest.mark.parametrize("role", ["guest", "link", "entrant", "member"])
async def test_the_socket_opens_for_the_same(transactional_db: None, role: str) -> None:
    room = build()
    wire = connect(room.table.id, room.clients[role])
    assert (await wire.connect(SECONDS))[0]
    if INSIDE[role] == 403:
        assert await Window(wire).closing() == 4403
        return
    shown = Window(wire)
    assert (await shown.fragment()).is_full
    presence = await shown.message("presence")
    assert presence["seats"] == []
    await wire.disconnect()


async def test_who_leaves_the_club_leaves_its_tables_on_open_sockets_too(transactional_db: None) -> None:
    room = await sync_to_async(build)()
    wires = [connect(room.table.id, room.clients[role]) for role in ("member", "link", "player")]
    for wire in wires:
        assert (await wire.connect(SECONDS))[0]
        await Window(wire).message("presence")
    await room.club.memberships.filter(role=Role.MEMBER).adelete()
    await session_sockets.get_session_sockets().check_all()
    assert await Window(wires[0]).closing() == 4403
    for wire in wires[1:]:
        assert await Window(wire).ping()
        await wire.disconnect()


def test_a_table_that_belongs_to_nothing_is_shown_to_nobody(ana: models.Player, eva: models.Player) -> None:

    table = open_table(ana, is_public=False)
    assert not permissions.is_allowed_by_owner(table, eva.pk, {})
