"""All pages that a club's owner can reach by links: none fails, logs errors, is wider than a phone, in any of the
three languages, or mixes them, and axe finds nothing on any."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.urls import resolve

from tests.browser.conftest import Invite
from tests.browser.pages.test_accessible import find_violations
from tests.browser.visitor import LAPTOP, PHONE, Visitor, list_collapsed, list_overflowing, resize
from tests.servers import Installation, make_once

pytestmark = pytest.mark.chromium

MANY_FACED = {"tournaments:tournament", "tournaments:standings", "tournaments:console", "tournaments:pairings"}
"""Pages that look different for every format and phase."""
MANY = 6
"""Visits to each of these."""
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
LED_TO = {
    "about", "account_change_password", "account_email", "account_login", "account_logout",
    "account_reset_password", "analysis", "bring_record", "delete_me", "devices", "game", "lesson", "lobby",
    "log", "me", "mfa_activate_totp", "mfa_add_webauthn", "mfa_index", "new_table", "notifications", "replay",
    "table", "tokens", "tournaments:chronicle", "tournaments:club", "tournaments:club_records",
    "tournaments:clubs", "tournaments:connections", "tournaments:console", "tournaments:door",
    "tournaments:duel", "tournaments:duties", "tournaments:edit_club", "tournaments:entrant", "tournaments:evening",
    "tournaments:evening_hall", "tournaments:hall", "tournaments:import", "tournaments:leaderboards",
    "tournaments:log", "tournaments:moderation", "tournaments:new_club", "tournaments:new_evening",
    "tournaments:new_season", "tournaments:outputs", "tournaments:pairings", "tournaments:person",
    "tournaments:person_games", "tournaments:plan", "tournaments:pod", "tournaments:print",
    "tournaments:restore", "tournaments:revise", "tournaments:rivals", "tournaments:scores",
    "tournaments:search", "tournaments:standings", "tournaments:tournament", "tournaments:tournaments",
    "tournaments:year", "verify_replay",
}  # fmt: skip
"""The views to which links lead the owner of the made-up club; axe looks at each."""
LINKS = "all => all.map((one) => one.getAttribute('href'))"


Owner = tuple[str, str]
"""Name and password."""


@pytest.fixture
def owner_of_demo(installation: Installation, empty_club: Path, tmp_path_factory: pytest.TempPathFactory) -> Owner:
    """Fill the installation with the made-up club, which is made once for all tests."""

    def make(folder: Path) -> None:
        shutil.copytree(empty_club, folder, dirs_exist_ok=True)
        made = Installation(folder).manage("demo_club")
        assert made.returncode == 0, made.stderr
        (folder / "printed.txt").write_text(made.stdout)

    folder = make_once(tmp_path_factory, "demo-club", make)
    shutil.copytree(folder, installation.folder, dirs_exist_ok=True)
    printed = re.search(r"as (\w+) with the password (\S+) to", (folder / "printed.txt").read_text())
    assert printed is not None
    return printed[1], printed[2]


def test_every_page_of_a_club(installation: Installation, owner_of_demo: Owner, invite: Invite) -> None:
    examined: set[str] = set()

    def look(reader: Visitor, path: str) -> Iterator[str]:
        yield from find_faults(reader, path)
        if (name := name_view(path)) not in examined:
            examined.add(name)
            yield from find_violations(reader, (("light", PHONE), ("dark", LAPTOP)))

    with installation.serve() as running:
        owner = invite(running.address)
        sign_in(owner, *owner_of_demo)
        state: Any = owner.context.storage_state()
        foreign = {code: invite(running.address, size=PHONE, locale=code, storage_state=state) for code in FOREIGN}
        faults = walk(owner, foreign, look)
        for reader in (owner, *foreign.values()):
            reader.leave()
    assert faults == {}
    assert LED_TO - {name.split()[0] for name in examined} == set()


WORST = (
    "W",
    "\N{ARABIC LIGATURE BISMILLAH AR-RAHMAN AR-RAHEEM}",
    "\N{CYRILLIC CAPITAL LETTER SHCHA}\u0323\u0302\u0301",
)
"""A wide letter without a break beside it, the widest sign there is, a letter with all the marks that it may have."""
NAMES = {
    "games_player": 24, "games_seat": 32, "tournaments_entrant": 40, "tournaments_club": 60,
    "tournaments_tournament": 80, "tournaments_season": 80, "tournaments_timedsession": 80,
    "tournaments_leaguename": 40,
}  # fmt: skip
"""Where names stand, and how many characters they may have there."""
RENAME = """([before, sign]) => {
  const long = new RegExp(`(?:${before}){3,}`, "gu");
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let renamed = 0;
  while (walk.nextNode()) {
    const text = walk.currentNode.data;
    const rename = (name) => [...sign.repeat(name.length)].slice(0, [...name].length).join("");
    walk.currentNode.data = text.replace(long, rename);
    renamed += text !== walk.currentNode.data;
  }
  return renamed;
}"""
"""Writes all names on the page with another sign, as many characters long; returns in how many places."""


def test_no_name_makes_a_page_wider_than_a_phone(
    installation: Installation, owner_of_demo: Owner, invite: Invite
) -> None:
    rename_all(installation, WORST[0])
    renamed: Counter[str] = Counter()

    def look(reader: Visitor, path: str) -> Iterator[str]:
        if (status := reader.go(path)) != 200:
            yield f"status {status}"
        for before, sign in zip(("", *WORST), WORST, strict=False):
            if before:
                renamed[name_view(path)] += reader.page.evaluate(RENAME, [before, sign])
            yield from (f"too wide with {sign}: {one}" for one in list_overflowing(reader.page))

    with installation.serve() as running:
        owner = invite(running.address, size=PHONE)
        sign_in(owner, *owner_of_demo)
        faults = walk(owner, {}, look)
        owner.leave()
    assert faults == {}
    for name in ("tournaments:person", "tournaments:duel", "tournaments:hall", "tournaments:standings"):
        assert renamed[name] > 1, name


def rename_all(installation: Installation, sign: str) -> None:
    """Everybody, and everything that has a name, is called so, and by a number at the end."""
    with closing(sqlite3.connect(installation.folder / "menagerie.sqlite3")) as database, database:
        for table, most in NAMES.items():
            for (row,) in database.execute(f"SELECT rowid FROM {table}").fetchall():  # noqa: S608
                name = (sign * most)[: most - len(str(row))] + str(row)
                database.execute(f"UPDATE {table} SET name = ? WHERE rowid = ?", (name, row))  # noqa: S608
        database.execute("UPDATE games_player SET keyed = name")


def sign_in(person: Visitor, name: str, password: str) -> None:
    person.go("/account/login/")
    person.at("[name=login]").fill(name)
    person.at("[name=password]").fill(password)
    with person.page.expect_navigation():
        person.at("main form button[type=submit]").first.click()


Look = Callable[[Visitor, str], Iterator[str]]
"""What is wrong with the page at this path."""


def walk(reader: Visitor, foreign: Mapping[str, Visitor], look: Look) -> dict[str, list[str]]:
    """From link to link; what is wrong by path. foreign: by language."""
    waiting, seen_paths = ["/"], {"/"}
    visits: Counter[str] = Counter()
    faults = {}
    while waiting:
        path = waiting.pop(0)
        name = name_view(path)
        if visits[name] >= (MANY if name in MANY_FACED else 1):
            continue
        visits[name] += 1
        wrong, links = list(look(reader, path)), reader.at("a[href^='/']").evaluate_all(LINKS)
        if wrong := [*wrong, *(fault for code, one in foreign.items() for fault in listen(one, path, code))]:
            faults[path] = wrong
        for link in links:
            address = link.partition("#")[0]
            if address not in seen_paths and not FILE.search(address.partition("?")[0]):
                seen_paths.add(address)
                waiting.append(address)
    return faults


def name_view(path: str) -> str:
    """The name of the view at this path, with the game's: pages of the games differ."""
    found = re.match(r"/games/([a-z-]+)/", path)
    return resolve(path.partition("?")[0]).view_name + (f" {found[1]}" if found else "")


def find_faults(reader: Visitor, path: str) -> Iterator[str]:
    """What is wrong with this page, on a laptop and on a telephone."""
    reader.page.set_viewport_size(LAPTOP)  # type: ignore[arg-type]
    reader.page.emulate_media(color_scheme="null", reduced_motion="null")
    status = reader.go(path)
    if status != 200:
        yield f"status {status}"
    if shown := MARKUP.findall(reader.page.evaluate(SAID)):
        yield f"says tags: {shown}"
    for size in (LAPTOP, PHONE):
        resize(reader.page, size)
        yield from (f"{size['width']}: too wide: {one}" for one in list_overflowing(reader.page))
        yield from (f"{size['width']}: a picture without size: {one}" for one in list_collapsed(reader.page))


def listen(reader: Visitor, path: str, language: str) -> Iterator[str]:
    """What is wrong with this page on a telephone of somebody who reads this language."""
    reader.go(path)
    if (spoken := reader.at("html").get_attribute("lang")) != language:
        yield f"{language}: speaks {spoken}"
    if mixed := set(ENGLISH.findall(reader.page.evaluate(SAID))):
        yield f"{language}: English: {sorted(mixed)}"
    yield from (f"{language}: too wide: {one}" for one in list_overflowing(reader.page))
