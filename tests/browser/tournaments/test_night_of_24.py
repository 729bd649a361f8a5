"""A night of 24: two organisers' phones, two players' phones and a wall, from the first scan to the certificates.

Eight play online, sixteen at real tables. What is not looked at here (most check-ins and results, the moves of online
tables) is sent by requests or done in the database, so that the night takes about a minute.
"""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import pytest
from PIL import Image
from playwright.sync_api import expect

from games.models import Player
from games.play.storage import store
from tests.browser.conftest import Invite
from tests.browser.server_state import OnServer
from tests.browser.tournaments.test_club_night import call_oneself, press
from tests.browser.visitor import PHONE, Visitor, list_overflowing
from tests.cast import come_to_table, finish_beside_server, person
from tests.tournaments import cast
from tournaments.flow.entry import sign_up
from tournaments.models import Entrant, Membership, Pod, PodSeat, Result, Role, Round, Tournament

pytestmark = [pytest.mark.chromium, pytest.mark.usefixtures("cast_now")]

WALL = {"width": 1920, "height": 1080}
ON_DEVICES, LISTED, WALK_INS = cast.NAMES[:8], cast.NAMES[8:20], ("Ximena", "Yara", "Zoe")
MISSING = LISTED[-1]
"""The one of the list who never comes."""
ROUNDS = 5


@contextmanager
def timed(times: dict[str, float], part: str) -> Iterator[None]:
    """Note the seconds of a part of the night."""
    began = time.monotonic()
    yield
    times[part] = time.monotonic() - began


def plan_night() -> str:
    """The plan of Olga's and Otto's night, with the people of the club's list; its id."""
    olga, otto = (Player.objects.filter(name=name).latest("pk") for name in ("Olga", "Otto"))
    one = cast.plan(olga, venue="apart", wanted=4, least=4, most=4, rounds_planned=ROUNDS, round_minutes=30)
    Membership.objects.create(club=one.club, player=otto, role=Role.ORGANISER)
    return one.pk


def fill_list(tournament: str) -> None:
    """Eight people with devices, who signed up at home, and a list of people without."""
    one, owner = Tournament.objects.get(pk=tournament), Player.objects.filter(name="Olga").latest("pk")
    for name in ON_DEVICES:
        sign_up.enter(one, person(name), name=name, is_on_device=True, now=time.time())
    for name in LISTED:
        sign_up.add_walk_in(one, owner, name=name, now=time.time())


def send(visitor: Visitor, path: str, **form: str | int) -> None:
    """Send a form as this person's browser would, without a look at the page."""
    token = next(str(one["value"]) for one in visitor.context.cookies() if one["name"] == "csrftoken")
    headers = {"X-CSRFToken": token, "Referer": visitor.address, "Accept": "application/json"}
    answer = visitor.context.request.post(
        visitor.address + path, form={name: str(value) for name, value in form.items()}, headers=headers
    )
    assert answer.ok, answer.text()


def list_missing(tournament: str) -> list[tuple[int, str]]:
    """Id and name of everybody who is not here yet."""
    rows = Entrant.objects.filter(tournament=tournament, status="entered").order_by("name")
    return list(rows.values_list("pk", "name"))


def find_claim(tournament: str, name: str) -> str:
    """The address in the code that somebody shows at the door."""
    return f"/tournaments/{tournament}/claim/{cast.entrant(Tournament.objects.get(pk=tournament), name).claim_token}/"


def find_table(tournament: str, number: int, name: str) -> int:
    """The number of the table of this round at which somebody sits."""
    seats = PodSeat.objects.filter(pod__round__tournament=tournament, pod__round__number=number)
    found: int = seats.get(entrant__name=name).pod.number
    return found


def play_online(tournament: str, number: int) -> None:
    """Everybody comes to their online table, and plays there to the end."""
    for pod in Pod.objects.filter(round__tournament=tournament, round__number=number).exclude(table=None):
        assert pod.table_id is not None
        for place in store.refresh(pod.table_id).places:
            come_to_table(pod.table_id, place.player_id, now=time.time())
        finish_beside_server(pod.table_id)


def list_open_tables(tournament: str, number: int) -> list[tuple[int, int]]:
    """Number and seats of the real tables of a round whose result is missing."""
    done = Result.objects.filter(status="accepted").values("pod")
    pods = Pod.objects.filter(round__tournament=tournament, round__number=number, is_online=False)
    return [(pod.number, pod.seats.count()) for pod in pods.exclude(pk__in=done).order_by("number")]


def enter_results(organiser: Visitor, on_server: OnServer, tournament: str, number: int) -> None:
    """A scorer enters the results that are still missing, turn by turn another winner."""
    for table, seats in on_server(lambda: list_open_tables(tournament, number)):
        places = {f"place-{seat}": (seat + table + number) % seats + 1 for seat in range(seats)}
        send(organiser, f"/tournaments/{tournament}/rounds/{number}/{table}/", action="enter", **places)


def take_photo() -> bytes:
    """What a phone's camera makes of a slip of paper."""
    out = io.BytesIO()
    Image.new("RGB", (3000, 4000), "ivory").save(out, "JPEG")
    return out.getvalue()


def check_phones(*phones: Visitor) -> None:
    """No page of a phone is wider than its screen."""
    for phone in phones:
        assert list_overflowing(phone.page) == [], phone.page.url


def test_a_night_of_24(invite: Invite, on_server: OnServer) -> None:
    times: dict[str, float] = {}
    olga, otto, wall = invite(size=PHONE), invite(size=PHONE), invite(size=WALL)
    with timed(times, "plan and entry"):
        call_oneself(olga, "Olga")
        call_oneself(otto, "Otto")
        night = on_server(plan_night)
        console, door, hall = (f"/tournaments/{night}/{page}/" for page in ("console", "door", "hall"))
        olga.go(console)
        press(olga, "Open sign-up")
        on_server(lambda: fill_list(night))
        vera, bruno = (come_by_link(invite, olga, name) for name in ("Vera", "Bruno"))
        press(olga, "Start the check-in")
        wall.go(hall)
        expect(wall.at(".sheet:not([hidden])")).to_contain_text(MISSING)
    with timed(times, "door"):
        check_in(otto, on_server, night, vera, bruno, door=door)
        expect(wall.at(".sheet:not([hidden]) .hall-names > li")).to_have_count(1)
        expect(wall.at(".sheet:not([hidden])")).to_contain_text(MISSING)
        check_phones(olga, otto, vera, bruno)
    with timed(times, "round 1"):
        olga.go(console)
        expect(olga.at(".next .say")).to_contain_text("24 people are here. 1 is still missing.")
        press(olga, "Draw round 1")
        press(olga, "Release round 1")
        expect(wall.at(".hall-pods > li")).to_have_count(6)
        for phone in (vera, bruno):
            expect(phone.at("#my-table-title")).to_contain_text("Round 1: you play at table")
        on_server(lambda: play_online(night, 1))
        dispute_with_a_photo(vera, invite, olga, on_server, night)
        enter_results(otto, on_server, night, 1)
    with timed(times, "between rounds 1 and 2"):
        otto.go(console)
        press(otto, "Complete round 1")
        press(otto, "Draw round 2")
        press(otto, "Release round 2")
        expect(wall.at("h1 + .what")).to_contain_text("Round 2")
    with timed(times, "round 2: a break, a no-show, an undo"):
        take_a_break(olga, wall)
        mark_no_show(otto, on_server, night)
        undo_a_result(olga, on_server, night)
        on_server(lambda: play_online(night, 2))
        enter_results(otto, on_server, night, 2)
    for number in range(3, ROUNDS + 1):
        leader, other = (olga, otto) if number % 2 else (otto, olga)
        leader.go(console)
        with timed(times, f"between rounds {number - 1} and {number}"):
            press(leader, f"Complete round {number - 1}")
            press(leader, f"Draw round {number}")
            press(leader, f"Release round {number}")
            expect(wall.at("h1 + .what")).to_contain_text(f"Round {number}")
        with timed(times, f"round {number}"):
            on_server(partial(play_online, night, number))
            enter_results(other, on_server, night, number)
    with timed(times, "end"):
        olga.go(console)
        press(olga, f"Complete round {ROUNDS}")
        press(olga, "Finish the tournament")
        expect(wall.at(".sheet:not([hidden]) .hall-lines tbody tr").first).to_be_visible()
        vera.go(f"/tournaments/{night}/")
        for phone in (vera, bruno):
            expect(phone.at("#top-title")).to_have_text("Final result")
        check_phones(olga, otto, vera, bruno)
        print_certificates(olga)
    times["the whole night"] = sum(times.values())
    sys.stdout.write("\n" + "".join(f"{part:<42}{seconds:6.1f} s\n" for part, seconds in times.items()))
    on_server(lambda: check_night(night))
    assert list(wall.complaints) == []


def come_by_link(invite: Invite, organiser: Visitor, name: str) -> Visitor:
    """Somebody scans the code on the wall of the club, and plays in the room."""
    phone = invite(size=PHONE)
    phone.page.goto(organiser.at("#entry-url").input_value())
    phone.at("input[name=name]").fill(name)
    phone.at(".my-choices input[name=where][value=room]").check()
    press(phone, "Sign up")
    expect(phone.page.get_by_role("heading", name="You are signed up")).to_be_visible()
    return phone


def check_in(otto: Visitor, on_server: OnServer, night: str, vera: Visitor, bruno: Visitor, *, door: str) -> None:
    """A code, a phone of one's own, two letters, one thumb, walk-ins; the others by the same request."""
    press(bruno, "Check in")
    vera.page.reload()
    vera.at("#door-code summary").click()
    expect(vera.at("#door-code svg")).to_be_visible()
    otto.go(on_server(lambda: find_claim(night, "Vera")))  # as the phone's camera opens it
    press(otto, "Here")
    expect(otto.page.get_by_text("Vera is here.").first).to_be_visible()
    otto.go(door)
    box, message = otto.at("#door-q"), otto.at(".door-said")
    for typed, name in (("id", "Ida"), ("ja", "Jan"), ("ka", "Kai")):
        box.fill(typed)
        otto.page.keyboard.press("Enter")
        expect(message).to_contain_text(f"{name} is here.")
    otto.page.get_by_role("button", name="Here Lea").click()
    expect(message).to_contain_text("Lea is here.")
    for name in WALK_INS:
        box.fill(name)
        otto.page.keyboard.press("Enter")
        expect(otto.at(".door-add button")).to_be_focused()
        otto.page.keyboard.press("Enter")
        expect(message).to_contain_text(f"{name} is here.")
    for entrant, name in on_server(lambda: list_missing(night)):
        if name != MISSING:
            send(otto, f"{door}do/", here=entrant)
    expect(otto.at("[data-count=missing]")).to_have_text("1")


def dispute_with_a_photo(vera: Visitor, invite: Invite, olga: Visitor, on_server: OnServer, night: str) -> None:
    """Somebody enters a result, another one disputes it, a photo of the slip settles it."""
    table = on_server(lambda: find_table(night, 1, "Vera"))
    vera.page.get_by_role("link", name="Enter the result").click()
    seats = vera.at(".result-rows > li").count()
    for index in range(seats):
        vera.at(f"input[name=place-{index}][value='{index + 1}']").check()
    press(vera, "Send the result")
    expect(vera.page.get_by_text("Somebody else at your table still has to confirm it.")).to_be_visible()
    other = invite(size=PHONE)  # scans the cards of the club and of the table, and says who they are
    other.go(on_server(lambda: f"/enter/{Tournament.objects.get(pk=night).entry_token}/"))
    other.go(f"/tournaments/{night}/rounds/1/{table}/")
    other.at("button[name=entrant]").first.click()
    press(other, "Dispute the result")
    expect(other.page.get_by_text("disputes this result").first).to_be_visible()
    vera.page.reload()
    vera.at("#photos input[type=file]").set_input_files(
        {"name": "slip.jpg", "mimeType": "image/jpeg", "buffer": take_photo()}
    )
    press(vera, "Add the photo")
    expect(vera.at("#photos img")).to_have_js_property("naturalHeight", 1280)
    check_phones(vera, other)
    olga.page.reload()
    expect(olga.at(".to-come .disputed")).to_contain_text("disputed")
    desk = olga.at(f"#pod-{table}")
    desk.locator("summary", has_text="Result, no-show").click()
    expect(desk.locator(".photo img")).to_be_visible()
    check_phones(olga)
    for index in range(seats):
        desk.locator(f"[name=place-{index}]").fill(str(seats - index))
    desk.get_by_role("button", name="Save result").click()
    expect(olga.at(f"#pod-{table} .state")).to_contain_text("Result entered")
    expect(vera.at("#result-title")).to_have_text("Result")


def take_a_break(olga: Visitor, wall: Visitor) -> None:
    """The wall says that it is a break, and goes on."""
    olga.page.reload()
    press(olga, "Pause all tables")
    expect(wall.at(".countdown.paused")).to_have_text("Pause")
    press(olga, "Resume all tables")
    expect(wall.at(".countdown:not(.paused)")).to_contain_text(":")


def mark_no_show(otto: Visitor, on_server: OnServer, night: str) -> None:
    """Somebody is gone without a word: their table plays without them."""
    table = on_server(lambda: find_table(night, 2, "Zoe"))
    desk = otto.at(f"#pod-{table}")
    desk.locator("summary", has_text="Result, no-show").click()
    desk.locator("[name=seat]").first.select_option(label="Zoe")
    desk.get_by_role("button", name="Save status").click()
    expect(otto.at("#undo")).to_contain_text("no-show")


def undo_a_result(olga: Visitor, on_server: OnServer, night: str) -> None:
    """A result is entered at the wrong table, and taken back with one press."""
    table, seats = on_server(lambda: list_open_tables(night, 2))[-1]
    places = {f"place-{seat}": seat + 1 for seat in range(seats)}
    send(olga, f"/tournaments/{night}/rounds/2/{table}/", action="enter", **places)
    olga.page.reload()
    expect(olga.at("#undo")).to_contain_text("set the result")
    olga.at("#undo").click()
    expect(olga.at("#undo")).not_to_contain_text("set the result")
    assert (table, seats) in on_server(lambda: list_open_tables(night, 2))


def print_certificates(olga: Visitor) -> None:
    """One sheet for everybody who played."""
    olga.page.get_by_role("link", name="Certificates").click()
    names = olga.at(".certificate .name").all_inner_texts()
    pdf = olga.page.pdf(format="A4", prefer_css_page_size=True)
    assert (len(names), pdf.count(b"/Type /Page\n")) == (len({*names}), len(names))
    assert len(names) >= 3


def check_night(night: str) -> None:
    """Everybody who came has played every round, and each table has one result."""
    rounds = Round.objects.filter(tournament=night)
    assert set(rounds.values_list("status", flat=True)) == {"complete"}
    accepted = Result.objects.filter(pod__round__tournament=night, status="accepted")
    assert (rounds.count(), accepted.count()) == (ROUNDS, 6 * ROUNDS)
    played = PodSeat.objects.filter(pod__round__tournament=night)
    assert played.count() == 24 * ROUNDS
    assert played.filter(fate="no-show").count() == 1
    assert not played.filter(entrant__name=MISSING).exists()
    assert Pod.objects.filter(round__tournament=night, is_online=True).count() == 2 * ROUNDS
    assert len(cast.standing(Tournament.objects.get(pk=night))) == 24
