"""The page's own check of a deal detects a server that changes its secret, or contributions, afterwards."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from games import models
from games.play.seats import sitting
from games.records import fair
from tests.browser.conftest import Invite
from tests.browser.server_state import OnServer
from tests.browser.tournaments.test_club_night import call_oneself, press
from tests.browser.visitor import LAPTOP, PHONE, Visitor, wait_until
from tests.cast import finish_beside_server, person
from tests.guest import Guest
from tests.serving.playing import Person
from tests.tournaments import cast
from tournaments.flow.entry import attendance
from tournaments.flow.planning import phases
from tournaments.flow.rounds import lifecycle
from tournaments.models import Phase, Pod, Tournament

pytestmark = pytest.mark.chromium

CHOSEN = secrets.token_bytes(32)
"""A secret that suits the dishonest server, found when it knew what everybody had contributed."""


def exchange_secret(table: str) -> None:
    """Deal from another secret than the one that was committed to; nothing on the page changes."""
    models.Table.objects.filter(pk=table).update(secret=CHOSEN.hex())


def own_up(table: str) -> None:
    """Publish the commitment that fits it, after the game: the record is without fault."""
    models.Table.objects.filter(pk=table).update(commitment=fair.commit(CHOSEN))


def exchange_contribution(table: str) -> None:
    """Put something else in the place of what the person at seat 1 has contributed."""
    models.Seat.objects.filter(table=table, index=1).update(entropy="what suits the server")


def choose_seats(table: str) -> None:
    """Say that somebody arranged the seats, which were to be drawn: who sits where was the server's choice."""
    models.Seat.objects.filter(table=table).update(chair=None)


def change_nothing(table: str) -> None:
    """An honest server changes nothing."""


Act = Callable[[str], None]
"""What a server does to this table."""


def play(ana: Visitor, server: str, on_server: OnServer, before: Act, after: Act) -> None:
    """A game that Ana's browser has followed from before its start. Returns Ana's page of the proof."""
    host = Guest(server)
    table = host.open_table("karriere-poker", seats=4, bots=2, deals=1)
    ana.go(f"/tables/{table}/")
    ana.at("#sit").click()
    expect(ana.at('form#share:not([data-given=""])')).to_be_attached()
    on_server(lambda: before(table))
    on_server(lambda: models.Table.objects.filter(pk=table).update(version=1000))  # every process looks at it anew
    assert host.post(f"/tables/{table}/start/").status == 302
    expect(ana.at("#board[data-status=playing]")).to_be_visible()
    wait_until(lambda: "seat" in noted_by(ana, table), ana.page, what="the browser notes its seat")
    expect(ana.at("#changed")).to_be_hidden()
    ana.go("/about/")
    on_server(lambda: _leave(table))
    assert Person(host, table).play()["status"] == "over"
    on_server(lambda: after(table))
    on_server(lambda: models.Table.objects.filter(pk=table).update(version=100_000))
    ana.go(f"/tables/{table}/replay/verify/")


def noted_by(ana: Visitor, table: str) -> Any:
    """What Ana's browser has noted of this table."""
    return json.loads(ana.page.evaluate("localStorage['menagerie:deals']"))[table]


def _leave(table: str) -> None:
    """Ana's seat, whichever that is, is a bot's: Ana's browser has gone elsewhere."""
    for seat in models.Seat.objects.filter(table=table, bot=""):
        if seat.player_id != models.Table.objects.get(pk=table).host_id:
            sitting.leave(table, seat.player_id, now=time.time())


def test_an_honest_deal_passes_every_check(invite: Invite, server: str, on_server: OnServer) -> None:
    ana = invite()
    play(ana, server, on_server, change_nothing, change_nothing)
    expect(ana.at("#checks .holds")).to_have_count(5)
    expect(ana.at("#claim")).to_contain_text("Nobody could choose these cards")
    expect(ana.at("#verdict")).to_be_hidden()


@pytest.mark.parametrize(
    ("before", "after", "wrong", "sentence"),
    [
        (exchange_secret, own_up, ["check-noted", "check-hash"], "The secret was replaced."),
        (exchange_contribution, change_nothing, ["check-sent"], "is not in this record at your seat"),
        (change_nothing, choose_seats, ["check-seats"], "The server chose who sits where"),
    ],
)
def test_a_dishonest_server_is_found_out(
    invite: Invite,
    server: str,
    on_server: OnServer,
    before: Act,
    after: Act,
    wrong: list[str],
    sentence: str,
) -> None:
    ana = invite()
    play(ana, server, on_server, before, after)
    expect(ana.at("#verdict")).to_be_visible()
    expect(ana.at("#claim")).to_be_hidden()
    assert ana.page.eval_on_selector_all("#checks .wrong", "lines => lines.map((line) => line.id)") == wrong
    expect(ana.at(f"#{wrong[0]}")).to_contain_text(sentence)


def test_a_commitment_that_changes_before_the_game_is_noticed_at_once(
    invite: Invite, server: str, on_server: OnServer
) -> None:
    host, ana = Guest(server), invite()
    table = host.open_table("karriere-poker", seats=4, bots=2, deals=1)
    ana.go(f"/tables/{table}/")
    ana.at("#sit").click()
    expect(ana.at('form#share:not([data-given=""])')).to_be_attached()
    assert noted_by(ana, table)["commitment"] == ana.at("#fair").get_attribute("data-commitment")
    on_server(lambda: exchange_secret(table))
    on_server(lambda: own_up(table))
    on_server(lambda: models.Table.objects.filter(pk=table).update(version=1000))
    expect(ana.at("#changed")).to_be_visible()


class PairedRound:
    """Two people who have entered a tournament by their browsers meet at a table of its first round."""

    def __init__(self, invite: Invite, on_server: OnServer) -> None:
        self.pk, token = on_server(self._plan)
        self.people = [invite(size=LAPTOP), invite(size=PHONE)]
        for visitor, name in zip(self.people, ("Ada", "Bea"), strict=True):
            call_oneself(visitor, f"{name} of the round")
            visitor.go(f"/enter/{token}/")
            press(visitor, "Sign up")
        self.table = on_server(self._release)

    def _plan(self) -> tuple[str, str]:
        overrides: dict[str, Any] = {"least": 2, "wanted": 2, "most": 2, "options": {}, "game": "animals-on-board"}
        tournament = cast.plan(person("Olga of the round"), venue="online", name="A round of two", **overrides)
        owner = tournament.club.memberships.get().player
        phases.move_on(tournament, owner, Phase.ENTRY, now=time.time())
        return tournament.pk, tournament.entry_token

    def _release(self) -> str:
        tournament = Tournament.objects.get(pk=self.pk)
        owner = tournament.club.memberships.get(role="owner").player
        phases.move_on(tournament, owner, Phase.CHECK_IN, now=time.time())
        here = list(tournament.entrants.values_list("pk", flat=True))
        attendance.check_in(tournament, owner, here, now=time.time())
        cast.draw(owner, tournament, 1)
        lifecycle.release(tournament, owner, 1, now=time.time())
        return Pod.objects.get(round__tournament=tournament).table_id or ""


@pytest.mark.usefixtures("cast_now")
def test_two_browsers_contribute_to_the_deal_of_a_round_by_themselves(invite: Invite, on_server: OnServer) -> None:
    paired = PairedRound(invite, on_server)
    for visitor in paired.people:  # they open their table and press nothing
        visitor.go(f"/tables/{paired.table}/")
    for visitor in paired.people:
        expect(visitor.at("#board[data-status=playing]")).to_be_visible()
    given = on_server(lambda: list(models.Seat.objects.filter(table=paired.table).values_list("entropy", flat=True)))
    assert [len(one or "") for one in given] == [32, 32]
    for visitor in paired.people:
        assert noted_by(visitor, paired.table)["entropy"] in given
        visitor.go("/about/")
    on_server(lambda: finish_beside_server(paired.table))
    for visitor in paired.people:
        visitor.go(f"/tables/{paired.table}/replay/verify/")
        expect(visitor.at("#checks .holds")).to_have_count(5)
        expect(visitor.at("#claim")).to_contain_text("Nobody could choose these cards")
