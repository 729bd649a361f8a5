"""A night with trouble: another organiser takes over, wrong pairings are played, two people sit at wrong tables, the
server is restarted in the middle of a draw.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import TypeVar

import pytest
from playwright.sync_api import expect
from pytest_django import DjangoDbBlocker

from games.models import Player
from tests.browser.conftest import Invite
from tests.browser.server_state import OnServer, run_with_database
from tests.browser.tournaments.test_club_night import call_oneself, press
from tests.browser.visitor import BROKEN_LINE, PHONE, Visitor
from tests.servers import Installation
from tests.tournaments import cast
from tournaments.flow.drawing.draw_requests import LOST_AFTER_SECONDS
from tournaments.models import Membership, Pod, Role, Round

T = TypeVar("T")
NO_ANSWER = re.compile(r"^error: htmx:")
"""What htmx says to the console where the server does not answer."""

pytestmark = [pytest.mark.chromium, pytest.mark.usefixtures("cast_now")]


def create_tournament() -> str:
    """A tournament of eight at real tables, led by Olga and Otto; its id."""
    olga, otto = (Player.objects.filter(name=name).latest("pk") for name in ("Olga", "Otto"))
    one = cast.begin(olga, cast.NAMES[:8], venue="real", most=4)
    Membership.objects.create(club=one.club, player=otto, role=Role.ORGANISER)
    return one.pk


def find_tables(tournament: str) -> list[set[str]]:
    """The names at each table of the round."""
    pods = Pod.objects.filter(round__tournament=tournament).order_by("number")
    return [set(pod.seats.values_list("entrant__name", flat=True)) for pod in pods]


def enter(organiser: Visitor, table: int, places: list[int]) -> None:
    """Enter a result in the list of the scorers."""
    part = organiser.at(f"#enter-{table}")
    part.locator("summary").click()
    for seat, place in enumerate(places):
        part.locator(f".result-rows > li:nth-child({seat + 1}) .places label:nth-child({place})").click()
    part.get_by_role("button", name="Save result").click()
    expect(organiser.at(f"#enter-{table}")).to_have_count(0)


def test_another_organiser_takes_over_and_puts_a_wrong_round_right(invite: Invite, on_server: OnServer) -> None:
    olga, otto = invite(size=PHONE), invite(size=PHONE)
    call_oneself(olga, "Olga")
    call_oneself(otto, "Otto")
    tournament = on_server(create_tournament)
    console = f"/tournaments/{tournament}/console/"
    olga.go(console)
    press(olga, "Draw round 1")
    press(olga, "Release round 1")
    expect(olga.at("#undo")).to_contain_text("Olga released round 1")
    olga.page.close()  # her battery is empty

    # The tables have played other pairings. The release is undone, the draft is changed to what was played.
    otto.go(console)
    otto.at("#undo").click()
    expect(otto.at("#next")).to_have_text("Release round 1")
    before = on_server(lambda: find_tables(tournament))
    first, second = min(before[0]), min(before[1])
    for name in (first, second):
        otto.page.get_by_role("button", name=f"Swap {name}", exact=True).press("Enter")
    expect(otto.at(".pods .pod").nth(0)).to_contain_text(second)
    press(otto, "Release round 1")
    expect(otto.at("#undo")).to_contain_text("Otto released round 1")
    played = [before[0] - {first} | {second}, before[1] - {second} | {first}]
    assert on_server(lambda: find_tables(tournament)) == played

    # A result is in already when two people say that they had sat at each other's tables.
    otto.page.get_by_role("link", name="Enter results in a list").click()
    enter(otto, 1, [1, 2, 3, 4])
    otto.go(console)
    otto.at("#undo").click()  # the result
    expect(otto.at("#undo")).to_contain_text("Otto released round 1")
    otto.at("#reseat summary").click()
    for field, name in (("#reseat-first", first), ("#reseat-second", second)):
        otto.at(field).select_option(label=next(one for one in labels(otto, field) if name in one))
    otto.at("#reseat button").click()
    expect(otto.at("#undo")).to_contain_text(first)
    assert on_server(lambda: find_tables(tournament)) == before
    otto.page.get_by_role("link", name="Enter results in a list").click()
    for table in (1, 2):
        enter(otto, table, [1, 2, 3, 4])
    otto.go(console)
    press(otto, "Complete round 1")
    expect(otto.at("#next")).to_have_text("Draw round 2")
    assert on_server(lambda: Round.objects.get(tournament=tournament).status) == "complete"


def labels(visitor: Visitor, field: str) -> list[str]:
    """The options of a select element."""
    return visitor.at(f"{field} option").all_inner_texts()


def make_plan() -> str:
    """A round robin of twenty-four people, led by Olga and Otto, whose plan takes some seconds; its id."""
    olga, otto = (Player.objects.filter(name=name).latest("pk") for name in ("Olga", "Otto"))
    one = cast.begin(olga, cast.NAMES, venue="real", most=4, format="round-robin", rounds_planned=8)
    Membership.objects.create(club=one.club, player=otto, role=Role.ORGANISER)
    return one.pk


def let_time_pass(tournament: str) -> None:
    """As if the server had been away for two minutes."""
    since = time.time() - LOST_AFTER_SECONDS - 1
    assert Round.objects.filter(tournament=tournament, status="drawing").update(drawing_since=since) == 1


def test_a_draw_goes_on_by_itself_after_the_server_was_restarted(
    invite: Invite, installation: Installation, django_db_blocker: DjangoDbBlocker
) -> None:
    def on_disk(work: Callable[[], T]) -> T:
        with django_db_blocker.unblock():
            return run_with_database(installation.folder / "menagerie.sqlite3", work)

    with installation.serve() as server:
        phones = olga, otto = [invite(server.address, size=PHONE) for _ in range(2)]
        for phone, name in zip(phones, ("Olga", "Otto"), strict=True):
            phone.expected += [BROKEN_LINE, NO_ANSWER]
            call_oneself(phone, name)
        tournament = on_disk(make_plan)
        for phone in phones:
            phone.go(f"/tournaments/{tournament}/console/")
        press(olga, "Draw round 1")
        for phone in phones:
            expect(phone.at("#drawing progress")).to_be_visible()
        server.kill()
    on_disk(lambda: let_time_pass(tournament))
    with installation.serve():
        for phone in phones:  # nobody presses anything
            expect(phone.at("#next")).to_have_text("Release round 1", timeout=120_000)
            expect(phone.at(".pods .pod")).to_have_count(6)
        press(otto, "Release round 1")
        expect(olga.at("#undo")).to_contain_text("Otto released round 1")
    assert on_disk(lambda: Round.objects.filter(tournament=tournament).count()) == 1
