"""What the documents quote is what people read."""

from __future__ import annotations

import re

from tests.servers import ROOT

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
