"""WebSockets of tournaments and evenings: who may connect, and that all followers get each new version."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games import models
from games.live import session_sockets, version_sockets
from tests.cast import browser, person
from tests.live.windows import SECONDS, Window, open_socket
from tests.tournaments.cast import begin, found, release
from tournaments.flow.clubs import membership
from tournaments.flow.evenings import sessions
from tournaments.models import Membership, Role, Tournament
from tournaments.views.lookups import find_page_version, find_visible_tournament

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _short_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(version_sockets, "LOOK_SECONDS", 0.02)


def address(tournament: Tournament) -> str:
    """The path of a tournament's WebSocket."""
    return f"/ws/tournaments/{tournament.pk}/"


async def follow(path: str, client: Client | None = None) -> WebsocketCommunicator:
    """An accepted WebSocket connection."""
    wire = open_socket(path, client)
    is_accepted, _ = await wire.connect(SECONDS)
    assert is_accepted
    return wire


async def version(wire: WebsocketCommunicator) -> Any:
    """The version in the next message."""
    return json.loads(await wire.receive_from(SECONDS))["version"]


async def test_everybody_who_follows_is_told_what_the_page_would_say(ana: models.Player) -> None:
    tournament = await sync_to_async(begin)(ana, venue="real", most=4)
    first, second = await follow(address(tournament)), await follow(address(tournament), browser(ana))
    version_before = await version(first)
    await sync_to_async(tournament.refresh_from_db)()
    assert version_before == await version(second) == await sync_to_async(find_page_version)(tournament)
    await sync_to_async(release)(ana, tournament, 1)
    heard = [version_before, version_before]
    await sync_to_async(tournament.refresh_from_db)()
    wanted = await sync_to_async(find_page_version)(tournament)
    for index, wire in enumerate((first, second)):
        while heard[index] != wanted:  # the draw and the release may be told one after the other
            heard[index] = await version(wire)
    await first.disconnect()
    await second.disconnect()


async def test_a_version_is_repeated_so_that_a_dead_line_shows(
    ana: models.Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(version_sockets, "REPEAT_SECONDS", 0.1)
    wire = await follow(address(await sync_to_async(begin)(ana)))
    assert await version(wire) == await version(wire) == await version(wire)
    await wire.disconnect()


async def test_one_look_serves_all_who_follow_and_ends_with_the_last(ana: models.Player) -> None:
    tournament = await sync_to_async(begin)(ana)
    wires = [await follow(address(tournament)) for _ in range(8)]
    for wire in wires:
        await version(wire)
    watch = version_sockets.get_watch()
    assert (watch.sockets(), len(watch._looking)) == (8, 1)
    for wire in wires:
        await wire.disconnect()
    assert watch.sockets() == 0
    for _ in range(100):
        if not watch._looking:
            break
        await asyncio.sleep(0.02)
    assert watch._looking == {}


def test_a_look_costs_as_much_for_many_entrants_as_for_few(ana: models.Player) -> None:
    counts = []
    for people in (4, 12):
        tournament = begin(ana, [f"P{number}" for number in range(people)], venue="real", most=4)
        release(ana, tournament, 1)
        tournament, _role = find_visible_tournament(tournament.pk, ana.pk, ())
        with CaptureQueriesContext(connection) as queries:
            find_page_version(tournament)
        counts.append(len(queries))
    assert counts == [3, 3]


async def test_pages_follow_who_runs_the_tournament(ana: models.Player, eva: models.Player) -> None:
    """A new organiser gets the console, and one who loses the role loses the open console, too."""
    tournament = await sync_to_async(begin)(ana)
    wire = await follow(address(tournament), browser(eva))
    heard = [await version(wire)]
    member = await sync_to_async(membership.take_in)(tournament.club_id, eva.pk, Role.MEMBER)
    for role in (Role.ORGANISER, Role.MEMBER):
        await sync_to_async(membership.change_role)(tournament.club, ana, member.pk, role)
        while (version_before := await version(wire)) == heard[-1]:
            pass
        heard.append(version_before)
    assert heard[0] == heard[2]  # nobody has anything to fetch because somebody plays
    await wire.disconnect()


@pytest.mark.parametrize(
    ("who", "code"), [("stranger", 4403), ("member elsewhere", 4403), ("member", 0), ("entrant", 0)]
)
async def test_a_closed_tournament_is_followed_by_those_who_may_see_it(
    ana: models.Player, eva: models.Player, who: str, code: int
) -> None:
    tournament = await sync_to_async(begin)(ana, ["Zoe"], is_public=False)
    await sync_to_async(found)(eva, "Elsewhere")
    zoe = await sync_to_async(person)("Zoe")
    await tournament.entrants.filter(name="Zoe").aupdate(player=zoe)
    clients = {"member": browser(ana), "member elsewhere": browser(eva), "entrant": browser(zoe)}
    wire = open_socket(address(tournament), clients.get(who))
    await wire.connect(SECONDS)
    if code:
        assert await Window(wire).closing() == code
    else:
        assert await version(wire)
        await wire.disconnect()


async def test_who_signs_out_follows_nothing_by_their_old_session(ana: models.Player) -> None:
    ana.user = models.User.objects.create_user("ana")
    ana.save()
    tournament, client = await sync_to_async(begin)(ana), browser(ana)
    wire = await follow(address(tournament), client)
    await version(wire)
    await asyncio.to_thread(client.post, reverse("account_logout"))
    assert await asyncio.wait_for(Window(wire).closing(), session_sockets.CHECK_SECONDS / 2) == 4403


async def test_a_tournament_that_is_closed_to_the_public_is_no_longer_followed_by_it(
    ana: models.Player, eva: models.Player
) -> None:
    tournament = await sync_to_async(begin)(ana, ["Zoe"])
    zoe = await sync_to_async(person)("Zoe")
    await tournament.entrants.filter(name="Zoe").aupdate(player=zoe)
    await sync_to_async(Membership.objects.create)(club=tournament.club, player=eva)
    stranger, entrant, member, owner = wires = [
        await follow(address(tournament), client) for client in (None, browser(zoe), browser(eva), browser(ana))
    ]
    for wire in wires:
        await version(wire)
    await Tournament.objects.filter(pk=tournament.pk).aupdate(is_public=False)
    assert await Window(stranger).closing() == 4403
    await Membership.objects.filter(player=eva).adelete()
    assert await Window(member).closing() == 4403
    await Tournament.objects.filter(pk=tournament.pk).aupdate(version=F("version") + 1)
    for wire in (entrant, owner):
        await version(wire)
    await tournament.entrants.filter(player=zoe).adelete()
    assert await Window(entrant).closing() == 4403
    await owner.disconnect()


async def test_an_evening_of_a_club_that_closes_is_for_its_members(ana: models.Player) -> None:
    club = await sync_to_async(found)(ana)
    plan = sessions.EveningPlan(name="Thursday", game="animal-poker", minutes=60)
    evening = await sync_to_async(sessions.open_evening)(club, ana, plan, now=time.time())
    stranger, owner = [await follow(f"/ws/evenings/{evening.pk}/", client) for client in (None, browser(ana))]
    version_before = [await version(wire) for wire in (stranger, owner)]
    club.is_public = False
    await club.asave()
    assert await Window(stranger).closing() == 4403
    await sync_to_async(sessions.pause)(evening, ana, now=time.time())
    assert await version(owner) != version_before[1]
    await owner.disconnect()


async def test_the_link_of_the_sign_up_sheet_opens_it(ana: models.Player) -> None:
    tournament = await sync_to_async(begin)(ana, is_public=False)
    client = Client()
    await sync_to_async(client.get)(reverse("tournaments:entry_link", args=[tournament.entry_token]))
    wire = await follow(address(tournament), client)
    assert await version(wire)
    await wire.disconnect()


async def test_nothing_there(ana: models.Player) -> None:
    for path in ("/ws/tournaments/nowhere/", "/ws/evenings/nowhere/"):
        wire = open_socket(path)
        await wire.connect(SECONDS)
        assert await Window(wire).closing() == 4404


async def test_who_talks_is_sent_away(ana: models.Player) -> None:
    wire = await follow(address(await sync_to_async(begin)(ana)))
    await wire.send_to(text_data="{}")
    assert await Window(wire).closing() == 1008


async def test_an_evening_is_followed(ana: models.Player) -> None:
    club = await sync_to_async(found)(ana)
    plan = sessions.EveningPlan(name="Thursday", game="animal-poker", minutes=60)
    evening = await sync_to_async(sessions.open_evening)(club, ana, plan, now=time.time())
    wire = await follow(f"/ws/evenings/{evening.pk}/")
    version_before = await version(wire)
    await sync_to_async(sessions.pause)(evening, ana, now=time.time())
    assert await version(wire) != version_before
    await wire.disconnect()


async def test_a_leaving_server_sends_them_to_the_next(ana: models.Player) -> None:
    wire = await follow(address(await sync_to_async(begin)(ana)))
    await version(wire)
    await version_sockets.get_watch().close_all(1012)
    assert await Window(wire).closing() == 1012
