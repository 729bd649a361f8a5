"""No page has anything for axe to find: by day and by night, on a phone and on a laptop."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.conftest import Invite
from tests.browser.playing import await_ply, await_turn, choose, ply
from tests.browser.visitor import LAPTOP, PHONE, REFUSED, Visitor, list_collapsed, list_overflowing
from tests.guest import Guest
from tests.serving.playing import Person

pytestmark = pytest.mark.chromium

Way = tuple[str, dict[str, int]]
EVERY_WAY: tuple[Way, ...] = tuple(itertools.product(("light", "dark"), (PHONE, LAPTOP)))
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Until new colours are on the screen."""
RUN = "(options) => axe.run(options).then((found) => found.violations)"
RULES = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
"""All that axe runs by itself, and one it leaves out."""
COLOUR_RULES = {"resultTypes": ["violations"], "runOnly": ["color-contrast", "link-in-text-block"]}
"""All that another theme at the same size can change."""


def test_every_page_is_for_everybody(invite: Invite, server: str) -> None:
    reader = invite()
    reader.expected.append(REFUSED)
    host = Guest(server)
    waiting = host.open_table("karriere-poker", bots=1)
    hidden = host.open_table("karriere-poker", is_public="")
    found = {
        path: list(examine(reader, path, status))
        for path, status in [
            ("/", 200),
            ("/games/karriere-poker/", 200),
            ("/games/animal-poker/", 200),
            ("/games/karriere-poker/new/", 200),
            ("/about/", 200),
            ("/me/", 200),
            ("/leaderboards/", 200),
            ("/account/login/", 200),
            ("/account/signup/", 200),
            ("/account/password/reset/", 200),
            (f"/tables/{waiting}/", 200),
            ("/nowhere/", 404),
            (f"/tables/{hidden}/", 403),
        ]
    }
    assert found == {path: [] for path in found}


def test_a_form_with_a_mistake_is_for_everybody(invite: Invite) -> None:
    person = invite()
    person.expected.append(REFUSED)
    person.go("/games/karriere-poker/new/")
    person.at("[name=bots]").fill("9")
    person.at("[name=turn_seconds]").fill("1")
    person.page.get_by_role("button", name="Open the table").click()
    expect(person.at(".errorlist")).to_have_count(2)
    assert list(find_violations(person)) == []


def test_a_table_is_for_everybody(invite: Invite) -> None:
    player, watcher = invite(), invite()
    player.open_table("karriere-poker", seats=5, bots=4, deals=1, turn_seconds=600)
    assert list(find_violations(player)) == []
    player.post(f"/tables/{player.table}/start/")
    player.show_table()
    watcher.page.goto(player.page.url)
    await_turn(player)
    watcher.await_live()
    await_ply(watcher, ply(player.page))
    choose(player)
    assert (list(find_violations(player)), list(find_violations(watcher))) == ([], [])


def test_cards_keep_their_materials_where_the_reader_has_colours_of_their_own(invite: Invite) -> None:
    person = invite(forced_colors="active")
    person.play_now("fancy-animals")
    message = person.at("#hand .t").evaluate_all(
        "all => all.map((card) => [card.classList[1], getComputedStyle(card, '::before').backgroundColor])"
    )
    materials, pairs = {material for material, _ in message}, {tuple(pair) for pair in message}
    assert len(materials) == len({colour for _, colour in message}) == len(pairs) > 1, message


def test_the_end_is_for_everybody(invite: Invite, server: str) -> None:
    host = Guest(server)
    person = Person(host, host.open_table("karriere-poker", deals=2))
    host.post(f"/tables/{person.table}/start/")
    person.play()
    assert list(examine(invite(), f"/tables/{person.table}/", 200)) == []


def examine(reader: Visitor, path: str, status: int, ways: Sequence[Way] = EVERY_WAY) -> Iterator[str]:
    """What is wrong with a page."""
    assert reader.go(path) == status
    yield from find_violations(reader, ways)


def find_violations(reader: Visitor, ways: Sequence[Way] = EVERY_WAY) -> Iterator[str]:
    """What is wrong with the page as it is, in these themes and sizes."""
    reader.page.wait_for_load_state()
    reader.at("details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
    reader.page.evaluate(Axe().axe_script)
    examined: set[int] = set()
    for theme, size in ways:
        reader.page.set_viewport_size(size)  # type: ignore[arg-type]
        reader.page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
        reader.page.evaluate(TWO_FRAMES)
        where = f"{theme}, {size['width']} px"
        rules = COLOUR_RULES if size["width"] in examined else RULES
        examined.add(size["width"])
        for fault in reader.page.evaluate(RUN, rules):
            yield from (f"{where}: {node['html'][:200]}: {node['failureSummary']}" for node in fault["nodes"])
        yield from (f"{where}: too wide: {element}" for element in list_overflowing(reader.page))
        yield from (f"{where}: a picture without size: {element}" for element in list_collapsed(reader.page))
