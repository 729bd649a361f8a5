"""How English sentences on screens and in documents speak: of people as "they", and of this installation as a site."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from config import extraction

ROOT = Path(__file__).parent.parent
FORBIDDEN = {
    "they": re.compile(r"\b(?:he|him|his|himself|whoever)\b", re.IGNORECASE),
    "a plain relative clause": re.compile(r"\bwhom\b", re.IGNORECASE),
    "this site, Menagerie": re.compile(r"\b(?:the|this) house\b", re.IGNORECASE),
    "the administrator": re.compile(r"\bwho(?:ever)? runs (?:it|this|the (?:site|server))\b", re.IGNORECASE),
}
"""Patterns by what is said instead."""
QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|`[^`]*`")
DOCUMENTS = [
    ROOT / "README.md",
    *(
        path
        for path in sorted((ROOT / "docs").rglob("*.md"))
        if path.name != "glossary.md" and "rules" not in path.parts
    ),
]
"""Without the rulebooks, which are carried in as they were given, and the glossary, which lists what is not said."""


def find_words(text: str) -> Iterator[str]:
    """The forbidden words of a text outside quotations, each with what is said instead."""
    bare = QUOTED.sub("", text)
    yield from (f"{found}: say {better}" for better, words in FORBIDDEN.items() for found in words.findall(bare))


def test_sentences_on_screens_speak_plainly() -> None:
    found = {
        (sentence, fault)
        for message in extraction.collect()
        for sentence in ([message.id] if isinstance(message.id, str) else message.id)
        for fault in find_words(sentence)
    }
    assert found == set()


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_documents_speak_plainly(path: Path) -> None:
    lines = enumerate(path.read_text().splitlines(), start=1)
    assert [(number, fault) for number, line in lines for fault in find_words(line)] == []


@pytest.mark.parametrize(
    "text", ["Ask whoever runs this house.", "He plays himself.", "To whom?", "Tell who runs the server.", "His seat."]
)
def test_a_forbidden_word_is_found(text: str) -> None:
    assert list(find_words(text)) != []
    assert list(find_words(f"The log says “{text}”")) == []
