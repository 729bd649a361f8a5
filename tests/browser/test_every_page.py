"""Whatever the owner of a club can reach by links: no page fails, complains, is wider than a telephone, in any of the
three languages, or mixes them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from django.urls import resolve

from tests.browser.conftest import Invite
from tests.browser.visitor import LAPTOP, PHONE, Visitor, resize, shrunken, sticking_out
from tests.servers import Installation

pytestmark = pytest.mark.chromium

MANY_FACED = {"tournaments:tournament", "tournaments:standings", "tournaments:console", "tournaments:pairings"}
"""Pages that look different for every format and phase."""
FILE = re.compile(r"(?:\.(?:ics|atom|csv|json|zip|svg)|/export/|/record/)$")
ENGLISH = re.compile(
    r"\b(and|are|from|have|nobody|people|place|players?|points?|round|their|this|when|who|with|your?)\b", re.IGNORECASE
)
"""Words of ours that are on many pages, in no name of the made-up club, and in neither of the other languages."""
MARKUP = re.compile(r"</\w|<\w+ \w+=|&\w+;")
"""What a page says that shows its own tags as words."""
SAID = """() => [document.title, document.body.innerText, ...["aria-label", "title", "alt", "placeholder"].flatMap(
  (name) => [...document.querySelectorAll(`[${name}]`)].map((one) => one.getAttribute(name)))].join("\\n")"""
"""All that a page says: to eyes, and to those who listen."""
FOREIGN = ("de", "pl")
LINKS = "all => all.map((one) => one.getAttribute('href'))"


def test_every_page_of_a_club(house: Installation, invite: Invite) -> None:
    made = house.manage("demo_club")
    assert made.returncode == 0, made.stderr
    named = re.search(r"as (\w+) with the password (\S+) to", made.stdout)
    assert named is not None
    with house.serve() as running:
        owner = invite(running.address)
        sign_in(owner, *named.groups())
        known: Any = owner.context.storage_state()
        foreign = {code: invite(running.address, size=PHONE, locale=code, storage_state=known) for code in FOREIGN}
        faults, seen = walk(owner, foreign)
    assert faults == {}
    assert {"tournaments:hall", "tournaments:evening", "tournaments:duel", "tournaments:club_records"} <= seen
    assert len(seen) > 40


def sign_in(person: Visitor, name: str, password: str) -> None:
    person.go("/account/login/")
    person.at("[name=login]").fill(name)
    person.at("[name=password]").fill(password)
    with person.page.expect_navigation():
        person.at("main form button").first.click()


def walk(reader: Visitor, foreign: Mapping[str, Visitor]) -> tuple[dict[str, list[str]], set[str]]:
    """From link to link; what is wrong by path, and the names of the views that were seen. foreign: by language."""
    waiting, known = ["/"], {"/"}
    visits: Counter[str] = Counter()
    faults = {}
    while waiting:
        path = waiting.pop(0)
        name = resolve(path.partition("?")[0]).view_name + game_of(path)
        if visits[name] >= (6 if name in MANY_FACED else 1):
            continue
        visits[name] += 1
        wrong, links = list(look(reader, path)), reader.at("a[href^='/']").evaluate_all(LINKS)
        if wrong := [*wrong, *(fault for code, one in foreign.items() for fault in listen(one, path, code))]:
            faults[path] = wrong
        for link in links:
            address = link.partition("#")[0]
            if address not in known and not FILE.search(address.partition("?")[0]):
                known.add(address)
                waiting.append(address)
    return faults, set(visits)


def game_of(path: str) -> str:
    """Pages of the games differ."""
    found = re.match(r"/games/([a-z-]+)/", path)
    return f" {found[1]}" if found else ""


def look(reader: Visitor, path: str) -> Iterator[str]:
    """What is wrong with this page, on a laptop and on a telephone."""
    reader.page.set_viewport_size(LAPTOP)  # type: ignore[arg-type]
    status = reader.go(path)
    if status != 200:
        yield f"status {status}"
    if shown := MARKUP.findall(reader.page.evaluate(SAID)):
        yield f"says tags: {shown}"
    for size in (LAPTOP, PHONE):
        resize(reader.page, size)
        yield from (f"{size['width']}: too wide: {one}" for one in sticking_out(reader.page))
        yield from (f"{size['width']}: a picture without size: {one}" for one in shrunken(reader.page))


def listen(reader: Visitor, path: str, language: str) -> Iterator[str]:
    """What is wrong with this page on a telephone of somebody who reads this language."""
    reader.go(path)
    if (spoken := reader.at("html").get_attribute("lang")) != language:
        yield f"{language}: speaks {spoken}"
    if mixed := set(ENGLISH.findall(reader.page.evaluate(SAID))):
        yield f"{language}: English: {sorted(mixed)}"
    yield from (f"{language}: too wide: {one}" for one in sticking_out(reader.page))
