"""People's pages in a browser: a profile after an evening of Animal Poker, leaderboards and their filters."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Invite
from tests.browser.pages.test_accessible import find_violations
from tests.browser.visitor import PHONE, Visitor, list_broken_words, list_overflowing, wait_until
from tests.guest import Guest
from tests.servers import Installation
from tests.serving.playing import Person

pytestmark = pytest.mark.chromium

SESSIONS = 2
A_LONG_CAREER = "(list) => { while (list.children.length < 60) list.append(list.firstElementChild.cloneNode(true)); }"
"""As many evenings as there is no room for: the list scrolls."""


@pytest.fixture(scope="module")
def evening(server: str, shared_installation: Installation) -> None:
    """Two people and two bots have played Animal Poker to its end."""
    shared_installation.deal_by("an evening")
    hosting, joining = Guest(server), Guest(server)
    hosting.post("/me/", name="Anna Abend", avatar="fox", is_listed="on")
    joining.post("/me/", name="Bruno Bank", avatar="owl", is_listed="on")
    table = hosting.open_table("animal-poker", seats=4, bots=2, sessions=SESSIONS, is_rated="on")
    joining.sit(table)
    hosting.post(f"/tables/{table}/start/")
    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(Person(guest, table).play) for guest in (hosting, joining)]:
            assert done.result()["status"] == "over"


def await_board(reader: Visitor, name: str) -> None:
    """Until somebody stands on the leaderboard."""

    def is_there() -> bool:
        reader.go("/leaderboards/?game=animal-poker")
        return reader.page.get_by_role("link", name=name).count() == 1

    wait_until(is_there, reader.page, what=f"{name} on the leaderboard")


def test_an_evening_of_animal_poker_becomes_a_career(invite: Invite, evening: None) -> None:
    reader = invite()
    await_board(reader, "Anna Abend")
    assert list(find_violations(reader)) == []
    reader.page.get_by_role("link", name="Anna Abend").click()
    career = reader.page.get_by_role("region", name="Career in Animal Poker")
    expect(career.locator("dd").first).to_have_text(str(SESSIONS))
    expect(career.get_by_role("img")).to_be_visible()
    career.locator("summary").click()
    expect(career.locator("ol.words li")).to_have_count(1)
    career.locator("ol.words").evaluate(A_LONG_CAREER)
    expect(reader.page.get_by_role("region", name="Latest tables").locator("li")).to_have_count(1)
    assert list(find_violations(reader)) == []
    profile = reader.page.url
    reader.page.goto(f"{profile}careers/animal-poker/")
    expect(reader.at("h1")).to_have_text("Career in Animal Poker")
    assert list(find_violations(reader)) == []
    reader.page.goto(profile)
    reader.page.get_by_role("link", name=re.compile(r"20\d\d in review")).click()
    expect(reader.at("h1")).to_contain_text("Anna Abend in 20")
    assert list(find_violations(reader)) == []


def test_a_long_name_on_a_leaderboard_is_whole_on_a_phone(invite: Invite, evening: None) -> None:
    reader = invite(size=PHONE, locale="de-DE")
    await_board(reader, "Anna Abend")
    reader.at(".board .person span").evaluate_all(
        "all => all.forEach((name) => (name.textContent = 'Stanisława Przybyszewska'))"
    )
    assert list_broken_words(reader.page, ".board .person span") == []


@pytest.mark.parametrize("has_scripts", [True, False])
def test_somebody_to_compare_with_is_found_by_keyboard(invite: Invite, evening: None, has_scripts: bool) -> None:
    reader = invite(size=PHONE, java_script_enabled=has_scripts)
    await_board(reader, "Anna Abend")
    reader.page.get_by_role("link", name="Anna Abend").click()
    pictures = reader.page.get_by_role("img", name=re.compile("Jobs in the latest"))
    expect(pictures).to_have_count(1)  # the one for a laptop is not there
    reader.page.get_by_role("link", name="Head-to-head").press("Enter")
    expect(reader.page.get_by_role("link", name="Bruno Bank")).to_be_visible()
    reader.at("#rival").fill("bruno")
    reader.page.keyboard.press("Enter")
    expect(reader.at("h2")).to_have_text("People with “bruno” in their names")
    if has_scripts:
        assert list(find_violations(reader)) == []
    reader.page.get_by_role("link", name="Bruno Bank").press("Enter")
    expect(reader.at("h1")).to_contain_text("Anna Abend")
    expect(reader.at("h1")).to_contain_text("Bruno Bank")
    assert list_overflowing(reader.page) == []


def test_leaderboard_filters_stand_in_the_address(invite: Invite, evening: None) -> None:
    reader = invite()
    await_board(reader, "Bruno Bank")
    year = reader.at("#f-season option").nth(1).inner_text()
    reader.at("#f-season").select_option(year)
    reader.page.wait_for_url(f"**/leaderboards/?*season={year}*")
    reader.page.get_by_role("link", name="Wins").click()
    expect(reader.at("th[aria-sort]")).to_contain_text("Wins")
    expect(reader.at("#f-game")).to_have_value("animal-poker")
    expect(reader.at("#f-season")).to_have_value(year)
    reader.page.reload()
    expect(reader.at("th[aria-sort]")).to_contain_text("Wins")
    reader.at("#f-game").select_option("karriere-poker")
    reader.page.wait_for_url("**/leaderboards/?game=karriere-poker*")
    expect(reader.at("#f-season")).to_have_value(year)
    expect(reader.at("main")).not_to_contain_text("Bruno Bank")
