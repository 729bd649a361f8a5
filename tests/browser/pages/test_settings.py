"""Settings persist (theme, language), and the focus stays while others play."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Invite, Run
from tests.browser.playing import await_ply, is_mine, ply, take_turn
from tests.browser.visitor import PHONE, Visitor, wait_until

pytestmark = pytest.mark.chromium


@pytest.mark.parametrize(("by_system", "chosen"), [("light", "dark"), ("dark", "light")])
def test_the_theme_stays(invite: Invite, by_system: str, chosen: str) -> None:
    person = invite(color_scheme=by_system)
    person.go("/")
    before = colour(person.page)
    person.at("[data-theme-toggle]").click()
    expect(person.at("html")).to_have_attribute("data-theme", chosen)
    after = colour(person.page)
    assert after != before
    for path in ("/about/", "/games/animal-poker/"):
        person.go(path)
        assert colour(person.page) == after
    person.at("[data-theme-toggle]").click()
    assert colour(person.page) == before


def test_pages_in_letters_twice_as_large_stay_inside_a_phone(invite: Invite) -> None:
    person = invite(size=PHONE, locale="de-DE")
    for path in ("/", "/me/", "/games/super-zwierzaki/new/"):
        person.go(path)
        person.page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert person.page.evaluate("() => document.scrollingElement.scrollWidth") == PHONE["width"], path


def colour(page: Page) -> str:
    """The colour of the room."""
    shade: str = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    return shade


def test_the_hour_has_no_half_of_a_day(run: Run) -> None:
    """On one page with hours that the server wrote: an American reader's browser would say PM."""
    moment, hour = run("page/local-times", """({ formatMoment, showHours }) => {
        document.body.insertAdjacentHTML("beforeend", '<time datetime="2055-01-15T19:05:00" data-clock></time>');
        showHours();
        return [formatMoment("2055-01-15T19:05:00"), document.body.lastChild.textContent];
    }""", None)  # fmt: skip
    assert (moment[-6:], hour) == (" 19:05", "19:05")


def test_the_sound_is_set_at_a_table_or_in_the_profile(invite: Invite) -> None:
    person = invite()
    person.go("/me/")
    person.at("#device-sound").check()
    person.press_play_now("animal-poker")
    expect(person.at("#sound")).to_have_attribute("aria-pressed", "true")
    person.at("#sound").click()
    expect(person.at("#sound")).to_have_attribute("aria-pressed", "false")
    person.go("/me/")
    expect(person.at("#device-sound")).not_to_be_checked()


@pytest.mark.parametrize(("code", "by_browser"), [("de", "en-GB"), ("pl", "de-DE"), ("en", "pl-PL")])
def test_the_language_is_the_browsers_until_another_is_chosen(invite: Invite, code: str, by_browser: str) -> None:
    person = invite(locale=by_browser)
    person.go("/games/animal-poker/")
    html = person.at("html")
    expect(html).to_have_attribute("lang", by_browser[:2])
    with person.page.expect_navigation():
        person.at("#language").select_option(code)
    assert person.page.url.endswith("/games/animal-poker/")
    expect(html).to_have_attribute("lang", code)
    person.press_play_now("animal-poker")
    expect(html).to_have_attribute("lang", code)
    person.await_live()


def test_the_focus_stays_in_the_hand_while_others_play(invite: Invite) -> None:
    ana, ben = invite(), invite()
    start(ana, ben)
    for _ in range(4):
        mover, other = await_mover(ana, ben)
        other.at("#hand .s").first.focus()
        other.page.keyboard.press("ArrowRight")
        name = other.at("#hand .s:focus").get_attribute("data-n")
        take_turn(mover)
        await_ply(other, ply(mover.page))
        expect(other.at("#hand .s:focus")).to_have_attribute("data-n", str(name))
        outline = other.at("#hand .s:focus").evaluate("stack => getComputedStyle(stack).outlineStyle")
        assert outline != "none"


def start(ana: Visitor, ben: Visitor) -> None:
    """A table for two people and two bots."""
    ana.start_game("karriere-poker", ben, seats=4, bots=2, turn_seconds=600)
    for person in (ana, ben):
        person.show_table()
        person.await_cards()


def await_mover(ana: Visitor, ben: Visitor) -> tuple[Visitor, Visitor]:
    """Whose turn it is, and the other one."""
    wait_until(lambda: is_mine(ana.page) or is_mine(ben.page), ana.page, what="a person's turn")
    return (ana, ben) if is_mine(ana.page) else (ben, ana)


def test_what_is_printed_is_read_in_daylight(invite: Invite) -> None:
    reader = invite()
    reader.go("/about/")
    text = "getComputedStyle(document.documentElement).colorScheme"
    for media, scheme in (("screen", "dark"), ("print", "light")):
        reader.page.emulate_media(media=media, color_scheme="dark")  # type: ignore[arg-type]
        assert reader.page.evaluate(text) == scheme
        reader.page.evaluate("document.documentElement.dataset.theme = 'dark'")
        assert reader.page.evaluate(text) == scheme
        reader.page.evaluate("delete document.documentElement.dataset.theme")
