"""Duplicate deals in real browsers: entrants' pages contribute by themselves, and find out a server that cheats."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from games.models import SharedDeal
from games.play.storage import store
from games.records.fair import commit, derive_round_seed
from games.records.replay import verify
from tests.browser.conftest import Invite
from tests.browser.server_state import OnServer
from tests.browser.tournaments.test_club_night import call_oneself, press
from tests.browser.visitor import LAPTOP, PHONE, Visitor, list_overflowing, wait_until
from tests.cast import finish_beside_server, person
from tests.records.test_fair import run_verifier
from tests.tournaments.cast import draw, enter, plan
from tournaments.flow import duplicate_commitments
from tournaments.flow.duplicate_commitments import DealKey
from tournaments.flow.entry import attendance
from tournaments.flow.planning import phases
from tournaments.flow.rounds import lifecycle, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.models import Contribution, Phase, Pod, RoundDeals, Tournament

pytestmark = [pytest.mark.chromium, pytest.mark.usefixtures("cast_now")]
OWN = "what Bea typed"


class Night:
    """A tournament with duplicate deals at two tables; Ada and Bea have a page of it open."""

    def __init__(self, invite: Invite, on_server: OnServer, name: str) -> None:
        self.on_server, self.name = on_server, name
        self.pk, token = on_server(self._plan)
        self.ada, self.bea = invite(size=LAPTOP), invite(size=PHONE)
        for visitor, called in ((self.ada, f"Ada {name}"), (self.bea, f"Bea {name}")):
            call_oneself(visitor, called)
            visitor.go(f"/enter/{token}/")
            press(visitor, "Sign up")
            expect(visitor.page.get_by_role("heading", name="You are signed up")).to_be_visible()
        on_server(self._open_check_in)

    def _plan(self) -> tuple[str, str]:
        overrides: dict[str, Any] = {"least": 2, "wanted": 2, "most": 2, "options": {}, "game": "animals-on-board"}
        tournament = plan(
            person(f"Olga {self.name}"), venue="online", duplicate=True, rounds_planned=2, name=self.name, **overrides
        )
        phases.move_on(tournament, tournament.club.memberships.get().player, Phase.ENTRY, now=time.time())
        return tournament.pk, tournament.entry_token

    def _open_check_in(self) -> None:
        tournament, owner = self.find()
        enter(tournament, f"Cem {self.name}", f"Dan {self.name}")
        phases.move_on(tournament, owner, Phase.CHECK_IN, now=time.time())

    def find(self) -> tuple[Tournament, Any]:
        """The tournament and its owner as they are now."""
        tournament = Tournament.objects.select_related("club").get(pk=self.pk)
        return tournament, tournament.club.memberships.get(role="owner").player

    def deals(self) -> RoundDeals:
        """The commitment to the first round."""
        row = duplicate_commitments.find(self.find()[0], DealKey(1))
        assert row is not None
        return row

    def given(self) -> list[str | None]:
        """What the server has of the entrants."""
        return self.on_server(lambda: duplicate_commitments.list_contributions(self.deals()))

    def wait_for(self, count: int) -> None:
        """Until so many have contributed."""
        wait_until(lambda: sum(one is not None for one in self.given()) == count, self.ada.page, what="contributions")

    def play(self) -> str:
        """The round is drawn, released, played and completed. Returns a table of it."""
        return self.on_server(self._play)

    def _play(self) -> str:
        tournament, owner = self.find()
        present = list(tournament.entrants.values_list("pk", flat=True))
        attendance.check_in(tournament, owner, present, now=time.time())
        draw(owner, tournament, 1)
        lifecycle.release(tournament, owner, 1, now=time.time())
        lifecycle.begin_now(tournament, owner, 1, now=time.time())
        pods = list(Pod.objects.filter(round__tournament=tournament).order_by("number"))
        for pod in pods:
            finish_beside_server(pod.table_id or "")
            results.decide(tournament, owner, pod.pk, ReportedResult((1, 2)), now=time.time())
        lifecycle.complete(tournament, owner, 1, now=time.time())
        assert len({store.reload(pod.table_id or "").seed for pod in pods}) == 1
        return pods[0].table_id or ""

    def verify(self, visitor: Visitor, table: str) -> None:
        """Look at the proof of this table."""
        assert visitor.go(reverse("verify_replay", args=[table])) == 200


def record_of(visitor: Visitor, table: str) -> bytes:
    return visitor.page.request.get(f"{visitor.address}/tables/{table}/record.json").body()


def test_a_round_whose_deals_two_browsers_contribute_to(invite: Invite, on_server: OnServer, tmp_path: Path) -> None:
    night = Night(invite, on_server, "honest")
    night.wait_for(2)  # nobody has pressed anything
    bea = night.bea
    bea.page.reload()
    bea.at("#promise summary").click()
    bea.at("#promise-own").fill(OWN)
    press(bea, "Replace mine")
    wait_until(lambda: OWN in night.given(), night.bea.page, what="Bea's own contribution")
    assert list_overflowing(bea.page) == []
    table = night.play()
    for visitor in (night.ada, bea):
        night.verify(visitor, table)
        expect(visitor.at("#claim")).to_contain_text("Nobody could choose these cards: ")
        expect(visitor.at("#receipt-commitment")).to_contain_text("was shown this fingerprint before the round")
        expect(visitor.at("#receipt-entropy")).to_have_text("Your browser's contribution is among them.")
        expect(visitor.at("#browser-secret")).to_contain_text("Its SHA-256 hash matches the fingerprint.")
        expect(visitor.at("#browser-seed")).to_contain_text("Your browser has checked this, too.")
        assert visitor.at(".wrong").count() == 0
        assert list_overflowing(visitor.page) == []
    raw = record_of(bea, table)
    assert verify(raw).fault is None
    record = json.loads(raw)
    assert record["duplicate"]["contributions"] == ["07" * 16, OWN, None, None]
    lines = run_verifier(tmp_path, record)
    assert lines[:3] == ["the commitment is kept", "the seed is right", "2 contributed"]
    bea.go(f"/tournaments/{night.pk}/deals/")
    expect(bea.at(".deals")).to_have_count(2)
    expect(bea.at(".deals").last).to_contain_text(record["secret"])
    assert record["secret"] not in bea.at(".deals").first.inner_text()


def exchange(night: Night) -> None:
    """The server knows what was contributed, and takes a secret that suits it."""
    deal = night.deals().deal
    secret = b"\x05" * 32
    assert derive_round_seed(secret, duplicate_commitments.build_round_deal(deal, 2)) != bytes(32)
    SharedDeal.objects.filter(pk=deal.pk).update(secret=secret.hex(), commitment=commit(secret))


def test_a_secret_that_was_chosen_after_the_contributions_is_found_out(invite: Invite, on_server: OnServer) -> None:
    night = Night(invite, on_server, "chosen")
    night.wait_for(2)
    on_server(lambda: exchange(night))
    table = night.play()
    night.verify(night.ada, table)
    assert verify(record_of(night.ada, table)).fault is None, "the record alone cannot tell"
    expect(night.ada.at("#receipt-commitment")).to_contain_text("The server replaced its secret.")
    expect(night.ada.at("#claim")).to_contain_text("Do not trust this deal.")
    night.ada.go(f"/tournaments/{night.pk}/")


def test_a_contribution_that_was_left_out_is_found_out(invite: Invite, on_server: OnServer) -> None:
    night = Night(invite, on_server, "left")
    night.wait_for(2)
    night.bea.page.reload()
    night.bea.at("#promise summary").click()
    night.bea.at("#promise-own").fill(OWN)
    press(night.bea, "Replace mine")
    wait_until(lambda: OWN in night.given(), night.bea.page, what="Bea's own contribution")
    for visitor in (night.ada, night.bea):  # nobody's page sends it again
        visitor.go("/")
    on_server(lambda: Contribution.objects.filter(deals=night.deals(), text=OWN).delete())
    table = night.play()
    night.verify(night.ada, table)
    expect(night.ada.at("#receipt-entropy")).to_have_text("Your browser's contribution is among them.")
    night.verify(night.bea, table)
    assert verify(record_of(night.bea, table)).fault is None, "the record alone cannot tell"
    expect(night.bea.at("#receipt-entropy")).to_contain_text("is not among them")
    expect(night.bea.at("#claim")).to_contain_text("Do not trust this deal.")


def draw_again(night: Night, *, is_published: bool) -> None:
    """Another attempt at the deals of the first round. An honest server first publishes the earlier secret."""
    row, now = night.deals(), time.time()
    if is_published:
        RoundDeals.objects.filter(pk=row.pk).update(revealed_at=now)
    fields = {field.attname: getattr(row.deal, field.attname) for field in SharedDeal._meta.concrete_fields}
    del fields["id"]
    secret = b"\x09" * 32
    deal = SharedDeal.objects.create(**fields | {"secret": secret.hex(), "commitment": commit(secret)})
    RoundDeals.objects.create(tournament_id=night.pk, number=1, attempt=2, deal=deal, committed_at=now + 0.001)


@pytest.mark.parametrize("is_published", [True, False])
def test_a_second_attempt_at_a_deal_is_trusted_only_if_the_first_secret_is_public(
    invite: Invite, on_server: OnServer, is_published: bool
) -> None:
    night = Night(invite, on_server, f"again {is_published}")
    night.wait_for(2)
    on_server(lambda: draw_again(night, is_published=is_published))
    night.ada.page.reload()
    night.wait_for(1)
    table = night.play()
    night.verify(night.ada, table)
    expect(night.ada.at("#receipt-commitment")).to_contain_text("was shown this fingerprint before the round")
    text = "was published before the server drew" if is_published else "was not published before the server drew"
    expect(night.ada.at("#receipt-earlier")).to_contain_text(text)
    expect(night.ada.at("#claim")).to_contain_text("Nobody could choose" if is_published else "Do not trust this deal.")


def test_an_exchanged_commitment_is_seen_on_the_page_at_once(invite: Invite, on_server: OnServer) -> None:
    night = Night(invite, on_server, "warned")
    night.wait_for(2)
    expect(night.ada.at("#promise-changed")).to_be_hidden()
    on_server(lambda: exchange(night))
    night.ada.page.reload()
    expect(night.ada.at("#promise-changed")).to_be_visible()
