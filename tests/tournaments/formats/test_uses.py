"""Outside `tournaments/formats` nobody asks which format it is: they ask what it can do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from tournaments import formats

BASE = Path(settings.BASE_DIR)
OWN = ("formats", "models", "migrations")
"""Where formats are defined and stored."""
MAX_NAMED = 15
MAX_IN_TEMPLATES = 5
SLUGS = "|".join(map(re.escape, formats.FORMATS))
MEMBERS = "|".join(slug.replace("-", "_").upper() for slug in formats.FORMATS)
NAMED = re.compile(rf"\bFormat\.(?:{MEMBERS})\b")
COMPARED = re.compile(
    rf"(?:[=!]=|\bin \(?)\s*(?:Format\.(?:{MEMBERS})\b|[\"'](?:{SLUGS})[\"'])|{NAMED.pattern}\s*[=!]="
)
IN_TEMPLATE = re.compile(rf"[=!]=\s*[\"'](?:{SLUGS})[\"']|[\"'](?:{SLUGS})[\"']\s*[=!]=")


def list_modules() -> Iterator[Path]:
    for path in sorted((BASE / "tournaments").rglob("*.py")):
        if path.relative_to(BASE / "tournaments").parts[0] not in OWN:
            yield path


def find(pattern: re.Pattern[str], paths: Iterator[Path]) -> list[str]:
    return [
        f"{path.relative_to(BASE)}: {found.group()}" for path in paths for found in pattern.finditer(path.read_text())
    ]


def test_the_patterns_find_what_they_are_for() -> None:
    assert NAMED.search("format=Format.SWISS_CUT")
    assert COMPARED.search("if tournament.format == Format.ARENA:")
    assert COMPARED.search('if one.format != "swiss-cut":')
    assert COMPARED.search("if one.format in (Format.LADDER, Format.ARENA):")
    assert IN_TEMPLATE.search('{% if tournament.format == "arena" %}')
    assert not COMPARED.search("if has_rounds == is_over:")


def test_hardly_a_module_names_a_format() -> None:
    named = find(NAMED, list_modules())
    assert len(named) <= MAX_NAMED, named


def test_no_module_compares_a_format() -> None:
    assert find(COMPARED, list_modules()) == []


def test_hardly_a_template_compares_a_format() -> None:
    pages = (path for path in sorted((BASE / "templates").rglob("*")) if path.suffix in (".html", ".jinja", ".txt"))
    compared = find(IN_TEMPLATE, pages)
    assert len(compared) <= MAX_IN_TEMPLATES, compared
