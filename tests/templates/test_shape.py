"""How templates are laid out: short lines, and one control structure a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from games.rules import registry

ROOT = Path(settings.BASE_DIR)
MAX_COLUMNS = 120
HELD = (
    ROOT / "templates",
    *(folder for folder in registry.list_folders("templates")),
)
"""Folders whose templates are held to it."""
OPENING = re.compile(r"\{%[-+]?\s*(?:if|for|with|block|filter|macro|call|ifchanged|autoescape|spaceless)\b")


def list_held() -> Iterator[Path]:
    for folder in HELD:
        yield from sorted(folder.rglob("*.*"))


@pytest.mark.parametrize("template", list(list_held()), ids=lambda file: file.name)
def test_lines_are_short_and_have_one_control_structure(template: Path) -> None:
    lines = list(enumerate(template.read_text(encoding="utf-8").split("\n"), 1))
    assert [number for number, line in lines if len(line) > MAX_COLUMNS] == []
    assert [number for number, line in lines if len(OPENING.findall(line)) > 1] == []


def test_all_templates_are_held_to_it() -> None:
    names = {file.suffix for file in list_held()}
    assert names == {".html", ".jinja"}
    assert len(list(list_held())) > 150
