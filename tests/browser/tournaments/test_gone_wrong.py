"""A night that goes wrong: another organiser takes over, wrong pairings are played, two people sit at wrong tables."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.models import Player
from tests.browser.conftest import Invite
from tests.browser.server_state import OnServer
from tests.browser.tournaments.test_club_night import call_oneself, press
from tests.browser.visitor import PHONE, Visitor
from tests.tournaments import cast
from tournaments.models import Membership, Pod, Role, Round

pytestmark = [pytest.mark.chromium, pytest.mark.usefixtures("cast_now")]


def make() -> str:
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
    tournament = on_server(make)
    console = f"/tournaments/{tournament}/console/"
    olga.go(console)
    press(olga, "Draw round 1")
    press(olga, "Release round 1")
    expect(olga.at("#undo")).to_contain_text("Olga released round 1")
    olga.page.close()  # her battery is empty

    # The room has played by other pairings. The release is taken back, the draft becomes what was played.
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
