"""Animals on Board: a whole game by keyboard alone on a laptop, one by finger on a narrow phone, dragging, and axe."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Invite
from tests.browser.playing import await_ply, await_turn, is_over, ply, press, tap
from tests.browser.test_accessible import examine, look
from tests.browser.test_keyboard import download, reach
from tests.browser.test_phone import check_targets
from tests.browser.visitor import PHONE, Visitor, sticking_out, until
from tests.guest import Guest
from tests.serving.playing import Person

pytestmark = pytest.mark.chromium

GAME = "animals-on-board"
TILE = "#islands .t[tabindex='0']"


def phase(page: Page) -> str:
    """What can be done: keep, both, split, take or forfeit."""
    return page.locator("#action").get_attribute("data-phase") or ""


def affordable(page: Page) -> int | None:
    """The place of the largest island that I can pay for."""
    sizes: list[int] = page.evaluate(
        """() => [...document.querySelectorAll("#islands .island")].map((one) => one.querySelectorAll(".t").length)"""
    )
    crates = int(page.locator("#action").get_attribute("data-crates") or 0)
    paid = [(size, place) for place, size in enumerate(sizes) if size <= crates]
    return max(paid)[1] if paid else None


def largest(page: Page) -> Locator:
    """The island with most tiles."""
    islands = page.locator("#islands .island")
    return max((islands.nth(place) for place in range(islands.count())), key=lambda one: one.locator(".t").count())


def test_a_whole_game_by_keyboard(invite: Invite, tmp_path: Path) -> None:
    person = invite()
    person.go(f"/games/{GAME}/new/")
    for name, keys in (("seats", "2"), ("bots", "1"), ("turn_seconds", "600")):
        reach(person.page, f"[name={name}]")
        if name != "seats":
            person.page.keyboard.press("Control+A")
        person.page.keyboard.type(keys)
    person.page.keyboard.press("Enter")
    expect(person.at("#start")).to_be_visible()
    reach(person.page, "#start")
    with person.page.expect_navigation():
        person.page.keyboard.press("Enter")
    person.await_live()
    await_turn(person)
    turns = 0
    while not is_over(person.page):
        take_turn_by_keys(person, takes=turns % 3 == 2)
        turns += 1
        await_turn(person)
    expect(person.at("#story .account")).to_have_count(2)
    record = download(person, tmp_path / "game.json")
    assert record.result is not None
    assert person.view()["view"]["scores"] == list(record.result.scores or ())


def take_turn_by_keys(person: Visitor, *, takes: bool) -> None:
    """Arrows to a tile; space chooses it, G its whole group; enter does what the button says."""
    page, before, kind = person.page, ply(person.page), phase(person.page)
    place = affordable(page)
    if kind == "forfeit":
        reach(page, "#go")
    elif kind == "keep":
        reach(page, "#choice .t[tabindex='0']")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Space")
        expect(page.locator("#choice .t").nth(1)).to_have_attribute("aria-pressed", "true")
    elif place is not None and (takes or kind == "take"):
        reach(page, TILE)
        page.keyboard.press("Home")
        for _ in range(place):
            page.keyboard.press("ArrowDown")
        page.keyboard.press("g")
        expect(person.at("#go")).to_contain_text("Take")
    else:
        reach(page, TILE)
        page.keyboard.press("Home")
        while page.evaluate("() => document.activeElement.parentElement.children.length") == 1:
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Space")
        expect(person.at("#go")).to_contain_text("Split")
    until(lambda: has_taken(page, before), page, what="the key plays")
    await_ply(person, before + 1)
    if page.locator("#islands .t").count():
        assert page.evaluate("() => document.getElementById('board').contains(document.activeElement)")


def has_taken(page: Page, before: int) -> bool:
    """Whether the move is on its way; if not, enter is pressed (once more)."""
    if ply(page) > before or page.locator("#go", has_text="Sending …").count():
        return True
    page.keyboard.press("Enter")
    return False


def test_a_whole_game_by_finger(invite: Invite) -> None:
    person = invite(size=PHONE, has_touch=True, is_mobile=True)
    person.play_now(GAME)
    person.await_live()
    explained = turns = 0
    await_turn(person)
    while not is_over(person.page):
        explained = explained or tap_what_is_too_dear(person)
        take_turn_by_finger(person, takes=turns % 3 == 2)
        turns += 1
        await_turn(person)
        assert "\n".join(sticking_out(person.page)) == ""
    assert explained
    expect(person.at("#places li")).to_have_count(4)
    expect(person.at("#story .account .sum")).to_have_count(4)
    check_targets(person.page)


def tap_what_is_too_dear(person: Visitor) -> bool:
    """A tap on the price of a group that is too dear says so, and the button plays nothing."""
    if phase(person.page) not in ("both", "split"):
        return False
    check_targets(person.page)
    dear = person.at(".price.dear")
    if not dear.count():
        return False
    tap(dear.first)
    expect(person.at("#why")).to_contain_text("A whole group costs a crate for each tile")
    expect(person.at("#go")).to_have_attribute("aria-disabled", "true")
    tap(dear.first)
    expect(person.at("#islands .up")).to_have_count(0)
    return True


def take_turn_by_finger(person: Visitor, *, takes: bool) -> None:
    """Tap a tile, or the price of a whole group, then the button."""
    page, before, kind = person.page, ply(person.page), phase(person.page)
    place = affordable(page)
    if kind == "keep":
        tap(person.at("#choice .t").first)
        expect(person.at("#go")).to_contain_text("Keep")
    elif kind != "forfeit" and place is not None and (takes or kind == "take"):
        tap(person.at("#islands .island").nth(place).locator(".price"))
        expect(person.at("#go")).to_contain_text("Take")
    elif kind != "forfeit":
        tap(largest(page).locator(".t").first)
        expect(person.at("#go")).to_contain_text("Split")
    press(person, "#go", tap)
    await_ply(person, before + 1)


def test_tiles_are_dragged_off_an_island_and_back(invite: Invite) -> None:
    person = invite()
    person.open_table(GAME, seats=2, bots=1, turn_seconds=600, start="0")
    with person.page.expect_navigation():
        person.at("#start").click()
    person.await_live()
    await_turn(person)
    person.at("#choice .t").first.click()
    press(person, "#go")
    until(lambda: phase(person.page) == "split", person.page, what="round 1")
    island = person.at("#islands .island").first
    drag(person.page, island.locator(".t").first, dy=260)
    expect(person.at("#go")).to_have_text("Split 8 | 1, +1 crate")
    drag(person.page, island.locator(".t").nth(1), dy=260)
    expect(person.at("#go")).to_have_text("Split 7 | 2, +1 crate")
    expect(person.at(".flying")).to_have_count(0)
    person.page.keyboard.press("Escape")
    expect(person.at("#islands .up")).to_have_count(0)


def drag(page: Page, tile: Locator, *, dy: int) -> None:
    """With a mouse, this far down."""
    box = tile.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + dy / 2, steps=3)
    page.mouse.move(x, y + dy, steps=3)
    page.mouse.up()


def test_the_quay_is_for_everybody(invite: Invite, server: str) -> None:
    player, watcher = invite(), invite()
    assert list(examine(player, f"/games/{GAME}/", 200)) == []
    assert list(examine(player, f"/games/{GAME}/new/", 200)) == []
    player.open_table(GAME, seats=4, bots=3, turn_seconds=600)
    with player.page.expect_navigation():
        player.at("#start").click()
    player.await_live()
    await_turn(player)
    assert list(look(player)) == []
    player.page.set_viewport_size({"width": 1280, "height": 800})
    player.at("#choice .t").first.click()
    press(player, "#go")
    until(lambda: phase(player.page) in ("both", "split"), player.page, what="my turn to split")
    watcher.page.goto(player.page.url)
    watcher.await_live()
    largest(player.page).locator(".t").first.click()
    player.at(".price.dear").first.click()
    assert (list(look(player)), list(look(watcher))) == ([], [])


def test_the_departure_is_for_everybody(invite: Invite, server: str) -> None:
    host = Guest(server)
    person = Person(host, host.open_table(GAME, seats=3, bots=2))
    host.post(f"/tables/{person.table}/start/")
    person.play()
    assert list(examine(invite(), f"/tables/{person.table}/", 200)) == []
