"""Quotations in the documents match the program: texts, paths, settings, commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import get_commands, load_command_class

from benchmarks.__main__ import PARTS
from games.live.staleness_check import CHECK_SECONDS
from games.operation.health import write_check
from games.play.storage import store
from games.rules.registry import find, slugs
from tests.servers import ROOT

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NO_PATHS = re.compile(
    r"menagerie-\w+/1|application/(?:x-nd)?json|records/r|moves/s|Europe/Warsaw|password@host/name|DATA_DIR/[\w-]+|build/.*|\.venv/.*"
)
"""Words with a stroke that are none: formats, media types, units, zones, and what is made or chosen where it runs."""
NOT_HERE = frozenset({"check_deal.py"})
"""Files that readers make for themselves."""
MADE = frozenset({"build", "var", "node_modules"})
"""Folders that are made where it runs."""
ENDINGS = "py|js|css|html|jinja|md|yml|toml|conf|service|socket|timer|env"
SAID = "".join(
    path.read_text()
    for folder in ("games", "tournaments", "templates")
    for kind in ("*.py", "*.html", "*.jinja")
    for path in sorted((ROOT / folder).rglob(kind))
)


def test_what_is_wrong_is_quoted_as_it_is_said() -> None:
    table = (ROOT / "docs/deployment.md").read_text().partition("## When something is wrong")[2]
    quoted = re.findall(r'^\| "([^"]+)"', table, re.MULTILINE)
    assert len(quoted) >= 5
    assert [words for words in quoted if words not in SAID] == []


def test_the_club_night_names_what_stands_on_the_pages() -> None:
    """Buttons, links and headings, in italics there; a number stands for any."""
    night = (ROOT / "docs/club-night.md").read_text()
    found = re.findall(r"(?<!\*)\*([A-Z][^*]{2,60})\*(?!\*)", night)
    named = [" ".join(part.split()).rstrip("0123456789?") for words in found for part in words.split(" → ")]
    assert len(named) >= 25
    assert [words for words in named if words not in SAID] == []


def test_the_table_of_games_is_that_of_the_code() -> None:
    """Which games there are, and for how many."""
    matches = re.findall(
        r"^\| `([\w-]+)` \|[^|]*\| (\d)–(\d) \|", (ROOT / "docs/rules/README.md").read_text(), re.MULTILINE
    )
    games = {(slug, tuple(find(slug).seat_counts)) for slug in slugs()}
    assert {(slug, tuple(range(int(least), int(most) + 1))) for slug, least, most in matches} == games
    assert [slug for slug, _, _ in matches if not (ROOT / f"docs/rules/{slug}.md").exists()] == []


def test_the_defaults_of_settings_are_those_of_the_code() -> None:
    """Every number that config/settings.py reads with a default stands in the table with this default."""
    code = (ROOT / "config/settings.py").read_text()
    read = dict(re.findall(r'env\.read_(?:count|number)\(\s*"(\w+)", ([\d._]+)', code))
    rows = re.findall(r"^\| (`[^|]*`) \| ([^|]*) \|", (ROOT / "docs/deployment.md").read_text(), re.MULTILINE)
    table = {
        name: value
        for names, values in rows
        for name, value in zip(re.findall(r"`(\w+)`", names), values.split(", "), strict=False)
    }
    assert len(read) > 12
    matches = {name: re.findall(r"^[\d.]+", table.get(name, "").strip()) for name in read}
    unset = {name for name, value in read.items() if value == "0" and table.get(name, "").strip() in ("–", "0")}
    assert {name for name in read if matches[name] != [read[name].replace("_", "")]} - unset == set()


def test_what_documents_say_of_limits_is_in_the_code() -> None:
    """Numbers that operators plan with."""
    sizing, deployment = ((ROOT / f"docs/{name}.md").read_text() for name in ("sizing", "deployment"))
    assert f"at most {store.KEPT_TABLES:,} are kept" in sizing
    assert f"{store.MAX_PER_QUERY} in a statement" in sizing
    assert f"{settings.POOL_KEPT} are kept for sockets" in sizing
    assert f"a web process keeps {settings.POOL_KEPT} for" in deployment
    assert ("every two seconds" in sizing, CHECK_SECONDS) == (True, 2.0)
    assert f"{write_check.PROBE_BYTES // 1024} kB at most once in" in deployment


def test_the_bytes_of_plies_add_up() -> None:
    """What is planned with is what was measured in PostgreSQL."""
    sizing = (ROOT / "docs/sizing.md").read_text()
    [row] = re.findall(r"^\| Karriere Poker \| \d+ \| (\d+) \| (\d+) \+ (\d+) \|", sizing, re.MULTILINE)
    size, rows, indexes = map(int, row)
    assert abs(size - rows - indexes) <= 1
    assert f"{size} in PostgreSQL" in sizing
    assert f"500 × {size} bytes" in sizing
    assert f"= {500 * size / 1000:.0f} kB/s, {500 * size * 86_400 / 1e9:.1f} GB for a day" in sizing
    assert f"33,333 × {size} bytes" in sizing
    assert (
        f"= {33_333 * size / 1e6:.1f} MB/s; four full hours an evening: {33_333 * size * 14_400 / 1e9:.0f} GB" in sizing
    )


@cache
def list_paths() -> frozenset[str]:
    """Every file of the repository, and every folder, each also by the ends of its path."""
    tops = [one for one in ROOT.iterdir() if not one.name.startswith(".") and one.name not in MADE]
    whole = [path.relative_to(ROOT) for top in tops for path in (top, *top.rglob("*"))]
    return frozenset("/".join(path.parts[at:]) for path in whole for at in range(len(path.parts)))


def list_named_paths(document: Path) -> Iterator[str]:
    """What stands between backquotes and is a path, or the name of a file."""
    for quoted in re.findall(r"`([^`\n]+)`", document.read_text()):
        for word in re.findall(r"[\w./@-]+", quoted):
            name = word.rstrip("./")
            is_path = "/" in name and not name.startswith(("/", "http", ".")) and not NO_PATHS.fullmatch(name)
            if is_path or (re.fullmatch(rf"[\w@-]+\.(?:{ENDINGS})", name) and name not in NOT_HERE):
                yield name


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_every_path_in_a_document_exists(document: Path) -> None:
    names = list_paths()
    assert [name for name in list_named_paths(document) if name not in names and f"{name}.py" not in names] == []


def list_links(document: Path) -> list[str]:
    """The files that a document links to, as it writes them."""
    links = re.findall(r"\]\(([^)\s#]+)", document.read_text())
    return [link for link in links if not link.startswith("http")]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_every_link_leads_to_a_file(document: Path) -> None:
    assert [link for link in list_links(document) if not (document.parent / link).exists()] == []


def name_headings(document: Path) -> set[str]:
    """The anchors of a document's headings, as GitHub makes them."""
    text = re.sub(r"^ *```.*?^ *```$", "", document.read_text(), flags=re.MULTILINE | re.DOTALL)
    heads = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_every_link_to_a_heading_finds_it(document: Path) -> None:
    links = re.findall(r"\]\(([^)\s#]*)#([\w-]+)\)", document.read_text())
    ours = [(file, anchor) for file, anchor in links if not file.startswith("http")]
    lost = [(file, at) for file, at in ours if at not in name_headings(document.parent / file if file else document)]
    assert lost == []


def test_every_setting_in_a_document_is_read() -> None:
    """Names of environment variables, between backquotes."""
    matches = {
        name
        for document in DOCUMENTS
        if document.name != "glossary.md"
        for name in re.findall(r"`([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:=[^`]*)?`", document.read_text())
    }
    read = (
        "".join(
            path.read_text(errors="ignore")
            for folder in ("config", "deploy", "games", "tournaments", "benchmarks", "chaos", "tests")
            for path in sorted((ROOT / folder).rglob("*"))
            if path.is_file() and path.suffix not in (".pyc", ".png", ".webp", ".svg", ".woff2")
        )
        + (ROOT / "Makefile").read_text()
    )
    assert len(matches) > 20
    assert [name for name in sorted(matches) if not re.search(rf"\b{name}\b", read)] == []


def test_links_are_found_in_documents() -> None:
    assert "how-it-works/live-play.md" in list_links(ROOT / "docs/architecture.md")
    assert "docs/pictures/table.png" in list_links(ROOT / "README.md")


def test_a_game_is_installed_from_its_folder() -> None:
    """pip takes a word without a slash for a project of the package index."""
    texts = [ROOT / "docs/adding-a-game.md", ROOT / "games/management/scaffold/README.md-tpl"]
    installed = re.findall(r"pip install .*--editable (\S+)", "".join(text.read_text() for text in texts))
    assert len(installed) == len(texts)
    assert [folder for folder in installed if "/" not in folder] == []


def test_paths_are_found_in_documents() -> None:
    named = [name for document in DOCUMENTS for name in list_named_paths(document)]
    assert len(named) > 150
    assert {"tests/test_migrations.py", "games/play/storage/store.py", "menagerie.env"} <= set(named)


def test_every_command_in_a_document_exists() -> None:
    """Of `manage.py`, of `make`, and programs of this repository; and each part of the benchmarks."""
    text = "".join(document.read_text() for document in DOCUMENTS)
    commands = set(re.findall(r"(?:manage\.py|deploy/manage) (\w+)", text))
    assert len(commands) > 10
    assert commands - get_commands().keys() == set()
    targets = set(re.findall(r"(?:^    |`)make ([\w-]+)", text, re.MULTILINE))
    assert {"run", "check", "bench"} <= targets
    assert targets - set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)) == set()
    programs = set(re.findall(r"-m ((?:benchmarks|chaos|games|tournaments|config)[\w.]*)", text))
    assert len(programs) > 8
    assert {one for one in programs if one.replace(".", "/") not in list_paths() | _modules()} == set()
    parts = set(re.findall(r"-m benchmarks (\w+)", text))
    assert parts - set(PARTS) == set()


def list_invocations(text: str) -> Iterator[tuple[str, str]]:
    """Each `manage.py` command between backquotes or in a block of code, and what follows it there."""
    for code in re.findall(r"^ {4,}[^\n]*|`[^`\n]+`", text, re.MULTILINE):
        yield from re.findall(r"manage\.py (\w+)([^`#|]*)", code)


def find_wrong_arguments(command: str, arguments: str) -> set[str]:
    """Options that the command does not have, and those it needs and is not given; a command alone needs none."""
    actions = load_command_class(get_commands()[command], command).create_parser("manage.py", command)._actions
    given = set(re.findall(r"(?<![\w-])--[\w-]+", arguments))
    needed = {action.option_strings[0] for action in actions if action.required and action.option_strings}
    unknown = given - {option for action in actions for option in action.option_strings}
    return unknown | (needed - given if arguments.strip() else set())


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_every_command_in_a_document_takes_its_arguments(document: Path) -> None:
    text = document.read_text()
    wrong = {one: find_wrong_arguments(*one) for one in list_invocations(text) if one[0] in get_commands()}
    assert {one: options for one, options in wrong.items() if options} == {}


def test_a_missing_and_an_unknown_argument_are_found() -> None:
    [(command, arguments)] = list_invocations("Run `manage.py simulate --players 3 --games 1 --sead 2a`.")
    assert find_wrong_arguments(command, arguments) == {"--game", "--sead"}


def _modules() -> set[str]:
    return {name.removesuffix(".py") for name in list_paths()}
