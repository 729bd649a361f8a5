"""Animals on Board: a whole game by keyboard alone on a laptop, one by finger on a narrow phone, dragging, and axe."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from games.play.seats import arranged_tables
from tests.browser.conftest import Invite
from tests.browser.pages.test_accessible import examine, find_violations
from tests.browser.playing import await_ply, await_turn, is_over, ply, press, tap
from tests.browser.screen_reader import ScreenReader
from tests.browser.server_state import OnServer
from tests.browser.tables.test_keyboard import begin_by_keys, download, tab_to
from tests.browser.tables.test_phone import check_targets
from tests.browser.visitor import PHONE, Visitor, await_animations, list_broken_words, list_overflowing, wait_until
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
    begin_by_keys(person, seats="2", bots="1", turn_seconds="600")
    screen_reader, turns = ScreenReader(person), 0
    while not is_over(person.page):
        take_turn_by_keys(person, takes=turns % 3 == 2)
        turns += 1
        await_turn(person)
    expect(person.at("#outcome")).to_be_focused()
    screen_reader.await_word("The arks leave.")
    assert screen_reader.misses() == []
    expect(person.at("#story .points-list")).to_have_count(2)
    record = download(person, tmp_path / "game.json")
    assert record.result is not None
    assert person.view()["view"]["scores"] == list(record.result.scores or ())


def take_turn_by_keys(person: Visitor, *, takes: bool) -> None:
    """Arrows to a tile; space chooses it, G its whole group; enter does what the button says."""
    page, before, kind = person.page, ply(person.page), phase(person.page)
    place = affordable(page)
    if kind == "forfeit":
        tab_to(page, "#go")
    elif kind == "keep":
        tab_to(page, "#choice .t[tabindex='0']")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Space")
        expect(page.locator("#choice .t").nth(1)).to_have_attribute("aria-pressed", "true")
    elif place is not None and (takes or kind == "take"):
        tab_to(page, TILE)
        page.keyboard.press("Home")
        for _ in range(place):
            page.keyboard.press("ArrowDown")
        page.keyboard.press("g")
        expect(person.at("#go")).to_contain_text("Take")
    else:
        tab_to(page, TILE)
        page.keyboard.press("Home")
        while page.evaluate("() => document.activeElement.parentElement.children.length") == 1:
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Space")
        expect(person.at("#go")).to_contain_text("Split")
    wait_until(lambda: has_taken(page, before, kind), page, what="the key plays")
    await_taken(person, before, kind)
    kept = "document.getElementById('board').contains(document.activeElement)"
    assert page.evaluate(f"() => !document.querySelector('#islands .t') || {kept}")


def is_keeping(page: Page) -> bool:
    """Whether this person still has to keep a tile. All keep at once, so the plies of others tell nothing of it."""
    return page.locator("#action[data-phase=keep]").count() > 0


def await_taken(person: Visitor, before: int, kind: str) -> None:
    """Until the page shows that this person's move is made. before, kind: ply and phase in which it was sent."""
    await_ply(person, before + 1)
    if kind == "keep":
        wait_until(lambda: not is_keeping(person.page), person.page, what="the tile is kept")


def has_taken(page: Page, before: int, kind: str) -> bool:
    """Whether the move is on its way; if not, enter is pressed (once more)."""
    is_made = not is_keeping(page) if kind == "keep" else ply(page) > before
    if is_made or page.locator("#go", has_text="Sending …").count():
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
        assert "\n".join(list_overflowing(person.page)) == ""
    assert explained
    expect(person.at("#places li")).to_have_count(4)
    expect(person.at("#story .points-list .sum")).to_have_count(4)
    assert list_broken_words(person.page, "#story h3") == []
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
    expect(person.at("#why")).to_contain_text("A group costs one crate per tile. Price: ")
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
    await_taken(person, before, kind)


def begin_round(person: Visitor) -> None:
    """A game against one bot, until this person may split the one island of round 1."""
    for _ in range(30):  # seats are drawn by lot, and seat 0 has the flag
        person.go_to_new_game(GAME, seats=2, bots=1, turn_seconds=600, start="0")
        if person.view()["seat"] == 0:
            break
    await_turn(person)
    person.at("#choice .t").first.click()
    press(person, "#go")
    wait_until(lambda: phase(person.page) == "split", person.page, what="round 1")


def test_tiles_dragged_off_an_island_lie_apart_until_the_split_is_confirmed(
    invite: Invite, on_server: OnServer
) -> None:
    person = invite()
    begin_round(person)
    island, raft = person.at("#islands .island").first, person.at("#islands > .raft .t")
    words = island.locator(".t").evaluate_all("all => all.map((tile) => tile.dataset.t)")
    drag(island.locator(".t").nth(1), person.at("#turn, .ask").last)
    expect(person.at("#go")).to_have_text("Split 8 | 1, +1 crate")
    drag(island.locator(".t").nth(4), person.at("#turn, .ask").last)
    expect(person.at("#go")).to_have_text("Split 7 | 2, +1 crate")
    assert raft.evaluate_all("all => all.map((tile) => tile.dataset.raft)") == [words[1], words[4]]
    expect(island.locator(".t[aria-pressed=true].off")).to_have_count(2)
    assert list(find_violations(person)) == []
    raft.first.click()
    on_server(lambda: arranged_tables.pause(person.table, now=time.time()))
    expect(person.at("#go")).to_have_text("Paused")
    on_server(lambda: arranged_tables.resume(person.table, now=time.time()))
    expect(person.at("#go")).to_have_text("Split 8 | 1, +1 crate")
    drag(raft.first, island.locator(".t").first)
    expect(person.at("#islands > .raft, .flying, .up, .off")).to_have_count(0)
    drag(island.locator(".t").nth(2), person.at("#turn, .ask").last)
    press(person, "#go")
    left = person.at(f".island[data-group='1'] .t[data-t='{words[2]}']")  # the new group may have been taken by now
    expect(left).to_have_count(words.count(words[2]) - 1)
    expect(person.at("#islands > .raft")).to_have_count(0)


def test_an_island_dragged_onto_my_ark_is_taken_and_nothing_joins_another_island(invite: Invite) -> None:
    person = invite()
    begin_round(person)
    drag(person.at("#islands .t").first, person.at("#ark .hull"))
    expect(person.at("#why")).to_have_text("A group costs one crate per tile. Price: 9. You have: 1.")
    person.page.keyboard.press("Escape")
    for place in (0, 1):  # two tiles, for which the bot cannot pay
        person.at("#islands .t").nth(place).click()
    press(person, "#go")
    wait_until(lambda: phase(person.page) == "both", person.page, what="something to take")
    small = person.at(".island:not(:has(.price.dear))").first.locator(".t").first
    large = largest(person.page).locator(".t").first
    drag(large, small)
    expect(person.at("#why")).to_have_text("Tiles can leave a group, but not join another.")
    expect(person.at("#islands > .raft, .flying, .up, .off")).to_have_count(0)
    drag(small, person.at("#ark .hull"))
    expect(person.at("#go")).to_contain_text("Take ")


def drag(tile: Locator, goal: Locator) -> None:
    """With a mouse, from the middle of one to the middle of the other."""
    tile.scroll_into_view_if_needed()
    await_animations(tile.page)
    page, start, end = tile.page, tile.bounding_box(), goal.bounding_box()
    assert start is not None
    assert end is not None
    x, y = start["x"] + start["width"] / 2, start["y"] + start["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 20, steps=3)
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=4)
    page.mouse.up()


def test_the_quay_is_for_everybody(invite: Invite, server: str) -> None:
    player, watcher = invite(), invite()
    assert list(examine(player, f"/games/{GAME}/", 200)) == []
    assert list(examine(player, f"/games/{GAME}/new/", 200)) == []
    player.go_to_new_game(GAME, seats=4, bots=3, turn_seconds=600)
    await_turn(player)
    assert list(find_violations(player)) == []
    player.page.set_viewport_size({"width": 1280, "height": 800})
    player.at("#choice .t").first.click()
    press(player, "#go")
    wait_until(lambda: phase(player.page) in ("both", "split"), player.page, what="my turn to split")
    watcher.page.goto(player.page.url)
    watcher.await_live()
    largest(player.page).locator(".t").first.click()
    player.at(".price.dear").first.click()
    assert (list(find_violations(player)), list(find_violations(watcher))) == ([], [])


def test_the_departure_is_for_everybody(invite: Invite, server: str) -> None:
    host = Guest(server)
    person = Person(host, host.open_table(GAME, seats=3, bots=2))
    host.post(f"/tables/{person.table}/start/")
    person.play()
    assert list(examine(invite(), f"/tables/{person.table}/", 200)) == []
