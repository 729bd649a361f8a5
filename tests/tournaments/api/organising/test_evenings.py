"""An evening run by a program: as the page of the evening has it, once for each key, with the same rights and log."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from games.models import Player
from tests.live.streams.opening import account
from tests.tournaments.api.described import Description
from tests.tournaments.api.organising.organiser import Organiser
from tests.tournaments.api.test_described import Program
from tournaments.flow.clubs import membership
from tournaments.models import Club, Role, SessionTable, Step, TimedSession

FRIDAY = {"name": "Friday", "game": "animal-poker", "minutes": 60}


@pytest.fixture
def member(club: Club) -> Player:
    player = account("Ben")
    membership.take_in(club.pk, player.pk, Role.MEMBER)
    return player


def send_twice(desk: Organiser, path: str, **body: Any) -> Any:
    """The answer, which is the same and has changed nothing the second time."""
    body |= {"key": f"k{Step.objects.count()}"}
    first, steps = desk.post(path, **body), Step.objects.count()
    assert (desk.post(path, **body), Step.objects.count()) == (first, steps), path
    return first


def test_a_program_runs_an_evening_from_its_opening_to_the_bell(
    described: Description, host: Player, club: Club, member: Player
) -> None:
    desk = Organiser(described, host)
    opened = send_twice(desk, f"/clubs/{club.slug}/evenings", **FRIDAY)
    base = f"/evenings/{opened['id']}"
    assert (opened["owner"], opened["ends_at"] - opened["starts_at"], opened["tables"]) == (host.pk, 3600, [])
    assert desk.get(f"{base}/candidates") == [
        {"person": host.pk, "name": "Ana"}, {"person": member.pk, "name": "Ben"},
    ]  # fmt: skip
    assert [one["person"] for one in desk.get(f"{base}/candidates?q=be")] == [member.pk]
    [table] = send_twice(desk, f"{base}/tables", people=[host.pk, member.pk])["tables"]
    assert [seat["person"] for seat in table["seats"]] == [host.pk, member.pk, None, None]
    desk.post(f"{base}/tables", 400, people=[member.pk])  # sits at a table already
    stale = desk.post(f"{base}/extend", 409, minutes=30, version=0)
    assert "Reload" in stale["sentence"]
    longer = send_twice(desk, f"{base}/extend", minutes=30)
    assert longer["ends_at"] - opened["ends_at"] == 1800
    assert send_twice(desk, f"{base}/pause")["is_paused"]
    assert not send_twice(desk, f"{base}/resume")["is_paused"]
    link = desk.get(f"{base}/guest-link")["url"]
    assert opened["id"] in link
    assert send_twice(desk, f"{base}/guest-link")["url"] not in ("", link)
    assert send_twice(desk, f"{base}/tables/1/begin")["tables"][0]["status"] == "playing"
    desk.post(f"{base}/tables/1/close", 409)
    ended = send_twice(desk, f"{base}/end")
    assert ended["has_rung"]
    assert desk.get(f"{base}/guest-link") == {"url": ""}
    log = desk.get(f"{base}/steps")
    assert [one["kind"] for one in log] == ["end", "begin", "resume", "pause", "extend", "table", "open"]
    assert (log[0]["who"], log[0]["what"]) == ("Ana", "ended the evening early")


def test_steps_of_an_evening_are_undone_and_done_again(described: Description, host: Player, club: Club) -> None:
    desk = Organiser(described, host)
    base = f"/evenings/{desk.post(f'/clubs/{club.slug}/evenings', **FRIDAY)['id']}"
    desk.post(f"{base}/tables", people=[host.pk])
    desk.post(f"{base}/tables/1/close")
    assert desk.get(base)["tables"] == []
    undone = send_twice(desk, f"{base}/steps/2/undo")
    assert (undone[0]["kind"], undone[0]["what"]) == ("undo", "undid “closed table 1”")
    assert undone[1]["is_reverted"]
    assert [table["number"] for table in desk.get(base)["tables"]] == [1]
    assert desk.post(f"{base}/steps/3/undo")[0]["what"] == "redid “closed table 1”"
    desk.post(f"{base}/steps/0/undo", 409)
    desk.post(f"{base}/steps/99/undo", 404)


def test_an_evening_is_planned_for_later_and_called_off(described: Description, host: Player, club: Club) -> None:
    desk, path = Organiser(described, host), f"/clubs/{club.slug}/evenings"
    starts_at = datetime.now(UTC) + timedelta(days=7)
    made = desk.post(path, **FRIDAY, starts_at=starts_at.isoformat())
    assert made["starts_at"] == starts_at.timestamp()
    assert desk.post(f"/evenings/{made['id']}/end")["is_called_off"]
    desk.post(path, 400, **FRIDAY, starts_at="2055-06-04T12:00:00")
    desk.post(path, 400, **FRIDAY | {"game": "animals-on-board"})
    desk.post(path, 422, name="Friday")
    desk.post("/clubs/nowhere/evenings", 404, **FRIDAY)


def test_members_open_evenings_and_nobody_else_steers_them(
    described: Description, host: Player, club: Club, member: Player
) -> None:
    """Ana is an organiser, Ben a member who opened it, Cem another member, Zed a stranger."""
    other, stranger = account("Cem"), account("Zed")
    membership.take_in(club.pk, other.pk, Role.MEMBER)
    path = f"/clubs/{club.slug}/evenings"
    Organiser(described, stranger).post(path, 403, **FRIDAY)
    Organiser(described, member, "read", "club", "play", "results").post(path, 403, **FRIDAY)
    Program(described).post(path, FRIDAY)
    assert not TimedSession.objects.exists()
    owner = Organiser(described, member)
    base = f"/evenings/{owner.post(path, **FRIDAY)['id']}"
    owner.post(f"{base}/tables", people=[member.pk])
    steps = Step.objects.count()
    changes: list[tuple[str, dict[str, Any]]] = [
        ("tables", {"people": [other.pk]}), ("bring", {"table": SessionTable.objects.get().table_id}),
        ("tables/1/begin", {}), ("tables/1/close", {}), ("extend", {"minutes": 5}), ("pause", {}), ("resume", {}),
        ("guest-link", {}), ("steps/1/undo", {}), ("end", {}),
    ]  # fmt: skip
    for player, scopes in ((other, ()), (stranger, ()), (member, ("read", "club", "play", "results"))):
        for name, body in changes:
            Organiser(described, player, *scopes).post(f"{base}/{name}", 403, **body)
    for name in ("candidates", "guest-link"):
        Organiser(described, other).get(f"{base}/{name}", 403)
    Organiser(described, stranger).get(f"{base}/steps", 403)
    assert [one["kind"] for one in Organiser(described, other).get(f"{base}/steps")] == ["table", "open"]
    assert Step.objects.count() == steps
    paths = {one for one, method in described.operations() if method == "post" and "evening" in one}
    assert paths == {one for one, method, status in described.seen if (method, status) == ("post", 403)}
    assert Organiser(described, host).post(f"{base}/end")["has_rung"]


def test_a_host_brings_a_table_of_their_own(described: Description, host: Player, club: Club, member: Player) -> None:
    base = f"/evenings/{Organiser(described, host).post(f'/clubs/{club.slug}/evenings', **FRIDAY)['id']}"
    theirs = Organiser(described, member, "play", "tournaments:write", "club")
    table = theirs.post("/tables", game="animal-poker", seats=4, bots=3)["table"]
    assert [one["table"] for one in theirs.post(f"{base}/bring", table=table)["tables"]] == [table]
    Organiser(described, host).post(f"{base}/bring", 403, table=table)


def test_an_evening_is_opened_for_weeks_at_the_same_hour(
    described: Description, host: Player, club: Club, member: Player
) -> None:
    path, start = f"/clubs/{club.slug}/evenings", datetime.now(UTC) + timedelta(days=7)
    plan = FRIDAY | {"weeks": 3, "zone": "Europe/Berlin"}
    desk = Organiser(described, host)
    desk.post(path, 400, **plan)  # without a start time
    desk.post(path, 400, **FRIDAY, zone="Moon/Crater")
    desk.post(path, 400, **plan | {"weeks": 27, "starts_at": start.isoformat()})
    Organiser(described, member).post(path, 403, **plan, starts_at=start.isoformat())
    assert not TimedSession.objects.exists()
    first = send_twice(desk, path, **plan, starts_at=start.isoformat())
    rows = list(TimedSession.objects.order_by("starts_at"))
    assert (rows[0].pk, len(rows)) == (first["id"], 3)
    hours = {datetime.fromtimestamp(one.starts_at, ZoneInfo("Europe/Berlin")).hour for one in rows}
    assert len(hours) == 1
