"""Without scripts everything can be read, a chair taken and a game started; with them little is loaded."""

from __future__ import annotations

import pytest
from playwright.sync_api import Response, expect

from tests.browser.conftest import Invite
from tests.browser.playing import await_turn
from tests.browser.visitor import LAPTOP, PHONE, Visitor, list_overflowing, wait_until
from tests.guest import Guest
from tests.serving.playing import Person

pytestmark = pytest.mark.chromium

MAX_BYTES = 150_000


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["360", "1280"])
def test_pages_are_read_without_scripts(invite: Invite, server: str, size: dict[str, int]) -> None:
    reader = invite(size=size, java_script_enabled=False)
    person = Person(host := Guest(server), host.open_table("animal-poker", sessions=1))
    for path, text in [
        ("/", "Open tables"),
        ("/games/karriere-poker/", "In one minute"),
        ("/games/animal-poker/", "In one minute"),
        ("/about/", "OpenMoji"),
        ("/me/", "Your animal"),
    ]:
        read(reader, path, text)
    read(reader, f"/tables/{person.table}/", "bot, plays sensibly")
    host.post(f"/tables/{person.table}/start/")
    person.await_turn()
    read(reader, f"/tables/{person.table}/", "You are watching.")
    expect(reader.at(".seats li")).to_have_count(5)
    expect(reader.at("#connection")).to_be_hidden()
    person.play()
    read(reader, f"/tables/{person.table}/", "has won")
    expect(reader.at("#places li")).to_have_count(5)


def read(reader: Visitor, path: str, text: str) -> None:
    """The page is there, says this, and no button of it waits for a script."""
    assert reader.go(path) == 200
    expect(reader.at("main")).to_contain_text(text)


def test_a_chair_is_taken_and_a_game_started_without_scripts(invite: Invite) -> None:
    host, guest = (invite(java_script_enabled=False) for _ in range(2))
    link = host.open_table("karriere-poker", seats=4, bots=0)
    guest.page.goto(link)
    guest.at(".no-js").get_by_role("button", name="Sit down").click()
    expect(guest.at("#chairs .taken")).to_have_count(2)
    host.page.reload()
    host.at(".no-js").get_by_role("button", name="Start").click()
    expect(host.at("#seatbar")).to_contain_text("The game starts in a few seconds. Reload this page then.")
    wait_until(lambda: host.view()["status"] == "playing", host.page, what="the game begins without contributions")
    host.page.reload()
    expect(host.at("#hand .s i")).to_have_count(13)
    guest.page.reload()
    expect(guest.at("#hand .s i")).to_have_count(13)


def test_first_sight_is_light(invite: Invite) -> None:
    person = invite()
    loaded: dict[str, int] = {}
    person.page.on("response", lambda answer: loaded.update({answer.url: weigh(answer)}))
    person.go("/")
    person.page.wait_for_load_state("networkidle")
    assert 10_000 < sum(loaded.values()) <= MAX_BYTES, loaded
    loaded.clear()
    person.play_now("karriere-poker")
    await_turn(person)
    assert 10_000 < sum(loaded.values()) <= MAX_BYTES, loaded


def weigh(answer: Response) -> int:
    """Bytes of an answer as they travel; pictures count nothing."""
    kind = answer.headers.get("content-type", "")
    if kind.startswith("image/") or 300 <= answer.status < 400:
        return 0
    if "content-encoding" in answer.headers:
        return answer.request.sizes()["responseBodySize"]
    return len(answer.body())


LINE_LENGTH = """() => {
  const long = [...document.querySelectorAll(".rules article section > p")].find((one) => one.offsetHeight > 60);
  const range = document.createRange();
  range.selectNodeContents(long);
  const lines = new Set([...range.getClientRects()].map((line) => Math.round(line.top))).size;
  return long.textContent.trim().replace(/\\s+/g, " ").length / lines;
}"""
"""Characters on a line of the first long paragraph of the rules."""
BESIDE = """() => [...document.querySelectorAll(".rules figure")].every((figure) =>
  figure.getBoundingClientRect().left > document.querySelector(".rules article p").getBoundingClientRect().right)"""


@pytest.mark.parametrize("width", [1280, 1920])
def test_rules_have_lines_that_can_be_read_and_figures_beside_them(invite: Invite, width: int) -> None:
    reader = invite(size={"width": width, "height": 900})
    for game in ("karriere-poker", "fancy-animals", "super-zwierzaki"):
        reader.go(f"/games/{game}/")
        assert 60 <= reader.page.evaluate(LINE_LENGTH) <= 75
        assert reader.page.evaluate(BESIDE)
        assert list_overflowing(reader.page) == []
