"""The design system: contrast by computation, and style sheets that refer only to files that exist."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders

from games.presenters.registry import find_presenter
from games.presenters.simple import SimplePresenter
from games.rules import registry

CSS = Path(settings.BASE_DIR) / "static" / "css"
SHEETS = sorted(sheet for folder in settings.STATICFILES_DIRS for sheet in Path(folder).glob("css/*.css"))
SCRIPTS = [script for folder in settings.STATICFILES_DIRS for script in Path(folder).glob("js/**/*.js")]
UNLAYERED = {"admin.css"}
"""Follow style sheets of the framework that have no layers, and would hold against any layer."""
TEXT, LARGE = 4.5, 3.0
PICTOGRAPH = re.compile(
    "[\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2800-\u28ff\u2900-\u297f\u2b00-\u2bff\U0001f000-\U0001faff]"
)
"""Arrows, shapes, dingbats, patterns of dots, emoji."""
IN_TEXT = re.compile("<kbd>.</kbd>|[ >]→[ <]|`● |{# .*? #}|^ *(?://|/?\\*).*$", re.M)
"""Where such a sign is text: a key, "from → to", the title of a tab; and comments."""

PAIRS = [
    *(
        (ink, ground, TEXT)
        for ink in ("ink", "soft", "link", "danger", "brass-ink", "good")
        for ground in ("room", "wall")
    ),
    *((ink, ground, TEXT) for ink in ("on-felt", "on-felt-soft") for ground in ("felt", "felt-lit", "felt-deep")),
    ("on-brass", "brass", TEXT),
    ("paper-ink", "paper", TEXT),
    *((suit, "paper", TEXT) for suit in ("leaf", "drop", "flame", "gem", "crown", "star")),
    *(("focus", ground, LARGE) for ground in ("room", "wall")),
    *(("edge", ground, LARGE) for ground in ("room", "wall")),
    ("brass", "felt", LARGE),
]


def read_tokens() -> dict[str, dict[str, str]]:
    """Colours by name, in daylight and in the evening."""
    source = (CSS / "tokens.css").read_text(encoding="utf-8")
    blocks = re.findall(r"(:root[^{]*)\{(.*?)\}", source, re.S)
    themes: dict[str, dict[str, str]] = {"light": {}, "dark": {}, "system": {}, "same": {}}
    for selector, body in blocks:
        name = (
            "dark"
            if '="dark"' in selector
            else "system"
            if ":not" in selector
            else "same"
            if "--paper:" in body
            else "light"
        )
        themes[name] |= dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6});", body))
    return themes


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("ink", "ground", "least"), PAIRS)
def test_contrast_is_enough(theme: str, ink: str, ground: str, least: float) -> None:
    themes = read_tokens()
    colours = themes["same"] | themes[theme]
    assert contrast(colours[ink], colours[ground]) >= least


def test_the_chosen_evening_is_the_systems_evening() -> None:
    themes = read_tokens()
    assert themes["dark"] == themes["system"]
    assert themes["dark"].keys() == themes["light"].keys()


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_a_style_sheet_refers_only_to_files_that_exist(sheet: Path) -> None:
    for reference in re.findall(r'url\("([^"]+)"\)', sheet.read_text(encoding="utf-8")):
        assert finders.find(reference.removeprefix("../")), reference


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_every_custom_property_that_is_used_is_defined(sheet: Path) -> None:
    everything = "".join(path.read_text(encoding="utf-8") for path in SHEETS)
    scripts = "".join(path.read_text(encoding="utf-8") for path in SCRIPTS)
    by_scripts = set(re.findall(r'setProperty\([^\n]*?"(--[\w-]+)"', scripts))
    defined = set(re.findall(r"(--[\w-]+)\s*:", everything)) | by_scripts | {"--left"}
    assert set(re.findall(r"var\((--[\w-]+)", sheet.read_text(encoding="utf-8"))) <= defined


def list_outermost(source: str) -> list[str]:
    """What stands before each block that is in no other one."""
    found, depth, head = [], 0, ""
    for character in source:
        if character == "{" and depth == 0:
            found.append(head.rpartition(";")[2].strip())
        depth += {"{": 1, "}": -1}.get(character, 0)
        head = "" if character in "{}" else head + character
    return found


@pytest.mark.parametrize("sheet", [one for one in SHEETS if one.name not in UNLAYERED], ids=lambda path: path.name)
def test_all_rules_are_in_a_layer_and_none_is_important(sheet: Path) -> None:
    """So which of two rules holds is said once: by the order of layers in tokens.css."""
    source = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.S)
    order = re.search(r"@layer ([\w, ]+);", (CSS / "tokens.css").read_text(encoding="utf-8"))
    assert order is not None
    outermost = list_outermost(source)
    assert outermost != []
    assert [head for head in outermost if not head.startswith("@layer ") and head != "@page"] == []
    assert set(re.findall(r"@layer (\w+) \{", source)) <= set(order[1].split(", "))
    assert "!important" not in source


def list_names(source: str) -> set[str]:
    """The ids and classes of a template, as selectors; those that are computed are left out."""
    ids = {f"#{name}" for name in re.findall(r'\bid="([A-Za-z][\w-]*)"', source)}
    classes = {f".{name}" for group in re.findall(r'\bclass="([^"{]*)', source) for name in group.split()}
    return ids | classes


def read_templates(folder: Path) -> str:
    return "".join(page.read_text(encoding="utf-8") for page in sorted(folder.rglob("*.*")) if page.suffix != ".pyc")


def test_shared_style_sheets_have_no_rules_of_a_single_game() -> None:
    """So a game that is removed leaves nothing behind: what only its templates have, only its own sheets style."""
    root = Path(settings.BASE_DIR)
    folders = {folder: list_names(read_templates(folder)) for folder in registry.list_folders("templates")}
    shared = list_names(read_templates(root / "templates"))
    code = "".join(
        file.read_text(encoding="utf-8")
        for pattern in ("games/presenters/*.py", "games/live/**/*.py", "tournaments/**/*.py", "static/js/**/*.js")
        for file in root.glob(pattern)
    )
    counts = Counter(name for names in folders.values() for name in names)
    own = {name for name, count in counts.items() if count == 1 and name not in shared}
    own = {name for name in own if name[0] == "#" or not re.search(rf"\b{re.escape(name[1:])}\b", code)}
    own |= {f".{name}" for slug in registry.slugs() for name in (slug, find_presenter(slug).KIND)} - {
        f".{SimplePresenter.KIND}"
    }
    assert len(own) > 100
    found = []
    for sheet in CSS.glob("*.css"):
        source = re.sub(r"/\*.*?\*/|url\(.*?\)", "", sheet.read_text(encoding="utf-8"), flags=re.S)
        found += [(sheet.name, name) for name in set(re.findall(r"[.#][A-Za-z][\w-]*(?=[^{}]*\{)", source)) & own]
    assert [pair for pair in found if pair[0] != "animals.css"] == []  # pictures that every game may use


def test_no_icon_is_made_of_a_character() -> None:
    """An icon is a picture in static/art: characters look different on every device, and are read aloud."""
    folders = [Path(settings.BASE_DIR) / "templates", *registry.list_folders("templates")]
    pages = [page for folder in folders for kind in ("html", "jinja") for page in folder.rglob(f"*.{kind}")]
    found = [
        (file.name, PICTOGRAPH.findall(source))
        for file in (*pages, *SHEETS, *SCRIPTS)
        for source in [IN_TEXT.sub("", file.read_text(encoding="utf-8"))]
        if PICTOGRAPH.search(source)
    ]
    assert len(pages) > 200
    assert found == []


def test_what_can_be_unfolded_has_a_name_where_pages_are_drawn_anew() -> None:
    """By its id it is found again and stays unfolded; counted off it would be another one."""
    pages = Path(settings.BASE_DIR) / "templates"
    anew = [*(pages / "tournaments").rglob("*.html"), *(pages / "evenings").glob("*.html")]
    sources = {file: file.read_text(encoding="utf-8") for file in anew if file.name not in ("plan.html", "import.html")}
    assert sum("<details" in source for source in sources.values()) > 10
    assert [file.name for file, source in sources.items() if re.search(r"<details(?! [^>]*\bid=)", source)] == []


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_lines_of_scripts_are_short(script: Path) -> None:
    lines = enumerate(script.read_text(encoding="utf-8").split("\n"), start=1)
    assert [number for number, line in lines if len(line) > 120] == []


def test_shared_style_sheets_name_no_game() -> None:
    """A game says its colour in its `GameInfo`; all else that is its own is in its package."""
    for sheet in CSS.glob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        assert [slug for slug in registry.slugs() if f".{slug}" in text] == [], sheet.name


@pytest.mark.parametrize("slug", registry.slugs())
def test_the_colour_of_a_game_has_a_rule(slug: str) -> None:
    colour = registry.infos()[slug].colour
    assert colour == "green" or f".game-tile.ground-{colour} " in (CSS / "pages.css").read_text(encoding="utf-8")
