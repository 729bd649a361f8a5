"""What scripts read from a page is what the server writes on it: texts by name, and data attributes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders

from games.presenters import find_presenter
from games.presenters.table_texts import say_connection_limits
from games.rules import registry
from tests.live.boards import make_screen

ROOT = Path(settings.BASE_DIR)
SCRIPTS = sorted(script for folder in settings.STATICFILES_DIRS for script in Path(folder).glob("js/**/*.js"))
SHEETS = [sheet for folder in settings.STATICFILES_DIRS for sheet in Path(folder).glob("css/*.css")]
SENDERS = [
    *(file for folder in [ROOT / "templates", *registry.list_folders("templates")] for file in folder.rglob("*.*")),
    *(file for app in ("games", "tournaments") for file in (ROOT / app).rglob("*.py")),
]

NOT_FOR_SCRIPTS = {"game", "ring"}
"""Texts of a game that the pages themselves show."""
FIRST_GAME = {"guide"}
"""Sent with a table of a first game only."""
READ_WHOLE = {"tournament", "round", "seating", "attempt", "commitment", "mine", "url"}
"""Attributes of #promise, all of which fair-deal/contribute-round.js copies at once."""
FOR_OTHERS = {"allauth-onload", "filter-title"}
"""Attributes that a script of a package reads."""


def read_code(script: Path) -> str:
    """Without comments."""
    source = re.sub(r"/\*.*?\*/", "", script.read_text(encoding="utf-8"), flags=re.S)
    return re.sub(r"(^|\s)//.*$", "", source, flags=re.M)


# --- texts -------------------------------------------------------------------------------------------


def list_declared(scripts: Iterable[Path]) -> set[str]:
    """Names of the texts that types of these scripts declare: of all tables, or of one game."""
    sources = [script.read_text(encoding="utf-8") for script in scripts]
    blocks = [
        block for source in sources for block in re.findall(r"@typedef \{object\} \w+Words\n(.*?)\*/", source, re.S)
    ]
    return set(re.findall(r"@property \{.*\} \[?(\w+)", "".join(blocks)))


@pytest.mark.parametrize("game", registry.slugs())
def test_the_texts_that_scripts_declare_are_those_that_are_sent(game: str) -> None:
    presenter = find_presenter(game)
    files = [finders.find(name) for name in ("js/table/words.js", *presenter.SCRIPTS)]
    declared = list_declared(Path(file) for file in files if file)
    sent = presenter.words(make_screen(game=game)).keys() | say_connection_limits().keys() | FIRST_GAME
    assert declared == sent - NOT_FOR_SCRIPTS


@pytest.mark.parametrize("game", registry.slugs())
def test_every_text_that_is_sent_is_said(game: str) -> None:
    code = "".join(read_code(script) for script in SCRIPTS)
    sent = find_presenter(game).words(make_screen(game=game)).keys() - NOT_FOR_SCRIPTS
    assert [name for name in sent if not re.search(rf'\bwords\.{name}\b|"{name}"', code)] == []


# --- data attributes ---------------------------------------------------------------------------------


def to_attribute(name: str) -> str:
    """mayCall → may-call."""
    return re.sub(r"[A-Z]", lambda letter: "-" + letter[0].lower(), name)


def list_names(pattern: str) -> set[str]:
    """Names that are taken out of a dataset: `k = "", count, name: own`."""
    return {to_attribute(name) for name in re.findall(r"(?:^|,)\s*(\w+)", pattern)}


def list_read(code: str) -> set[str]:
    """Data attributes that a script reads, or by which it looks for elements."""
    found = {to_attribute(name) for name in re.findall(r"\bdataset\??\.(\w+)(?! = )\b", code)}
    found |= {to_attribute(name) for name in re.findall(r'"(\w+)" in \(?[\w?.()"]*dataset', code)}
    found |= set(re.findall(r"\[data-([\w-]+)", code))
    for pattern in re.findall(r"const \{([^}]*)\} = [\w?.()]*dataset\b", code) + re.findall(
        r"dataset: \{([^}]*)\}", code
    ):
        found |= list_names(pattern)
    return found


def list_looked_up(code: str) -> set[str]:
    """What a script may mean where it reads an attribute by a computed name."""
    return set(re.findall(r'"(\w+)"', code)) if "dataset[" in code else set()


def list_written(code: str) -> set[str]:
    """Data attributes that a script itself puts on elements."""
    found = {to_attribute(name) for name in re.findall(r"\bdataset\.(\w+) (?:\?\?)?= ", code)}
    for pattern in re.findall(r"Object\.assign\([\w.()]*dataset, \{([^}]*)\}", code):
        found |= list_names(pattern)
    return found


def list_sent() -> set[str]:
    """Data attributes in templates and in Python that writes markup."""
    sources = "".join(file.read_text(encoding="utf-8") for file in SENDERS)
    return set(re.findall(r'(?<![\w-])data-([a-z][\w-]*)(?=[=\s>{\\]|": |"\] = )', sources))


def list_pointed() -> set[str]:
    """Data attributes by which lessons look for what their hints point at."""
    lessons = [lesson for slug in registry.slugs() if (lesson := registry.find_lesson(slug)) is not None]
    selectors = [selector for lesson in lessons for step in lesson.steps for selector in step.points]
    return {name for selector in selectors for name in re.findall(r"\[data-([\w-]+)", selector)}


def test_attributes_that_scripts_read_are_sent() -> None:
    written = set().union(*(list_written(read_code(script)) for script in SCRIPTS))
    paths = list_sent() | written
    missing = {script.name: sorted(list_read(read_code(script)) - paths) for script in SCRIPTS}
    assert {name: names for name, names in missing.items() if names} == {}


def test_attributes_that_are_sent_are_read() -> None:
    sources = [read_code(script) for script in SCRIPTS]
    read = set().union(*(list_read(code) | list_looked_up(code) for code in sources))
    by_sheets = {name for sheet in SHEETS for name in re.findall(r"\[data-([\w-]+)", sheet.read_text(encoding="utf-8"))}
    assert list_sent() - read - by_sheets - list_pointed() - READ_WHOLE - FOR_OTHERS == set()
