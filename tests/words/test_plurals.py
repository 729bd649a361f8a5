"""A number that can be one stands before a noun only where the sentence has plural forms."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po
from django.utils import translation

from tournaments.words.draw_words import REASONS
from tournaments.words.step_words import EVENING_STEPS, STEPS, _fill_exact
from tournaments.words.terms import fill

ROOT = Path(__file__).resolve().parents[2]
CATALOGUES = sorted(ROOT.glob("locale/*/LC_MESSAGES/django.po"))
NOUNS = (
    "archives|cards|chairs|characters|days|deals|entrants|entries|events|games|hours|lines|members|minutes|moves|people|"
    "players|plies|points|results|rounds|seats|seconds|steps|tables|times|tournaments|votes|webhooks|wins"
)
LIMITS = "most|least|seats|each|people|name"
"""Values that are always more than one (a round robin has four people at least), or no number."""
KINDS = "more|free|rated|finished|real|latest|other|open"
COUNTED = re.compile(rf"(?<!of )(?<!of the )%\((?!(?:{LIMITS})\))(\w+)\)[sd] (?:(?:{KINDS}) )?(?:{NOUNS})\b")
WITH_A_SINGULAR = frozenset({"Play %(count)s cards"})
"""Lists of forms that a page's script chooses from."""


def messages() -> list[Message]:
    """Everything that can be translated."""
    with CATALOGUES[0].open("rb") as file:
        return [message for message in read_po(file) if message.id]


def test_what_counts_has_plural_forms() -> None:
    single = [message.id for message in messages() if isinstance(message.id, str)]
    assert len(single) > 1000
    assert [text for text in single if COUNTED.search(text) and text not in WITH_A_SINGULAR] == []


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ["1 minute longer", "2 minutes longer", "5 minutes longer"]),
        ("de", ["um 1 Minute verlängert", "um 2 Minuten verlängert", "um 5 Minuten verlängert"]),
        ("pl", ["o 1 minutę", "o 2 minuty", "o 5 minut"]),
    ],
)
def test_a_step_says_one_minute(language: str, expected: list[str]) -> None:
    with translation.override(language):
        for minutes, words in zip((1, 2, 5), expected, strict=True):
            assert _fill_exact(EVENING_STEPS, "extend", {"minutes": minutes}).endswith(words)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "imported 1 entrant"), ("de", "hat 1 Person importiert"), ("pl", "wczytuje 1 osobę")],
)
def test_one_entrant_is_imported(language: str, sentence: str) -> None:
    with translation.override(language):
        assert _fill_exact(STEPS, "import", {"count": 1}) == sentence


def test_a_table_of_people_with_one_point_says_so_without_a_plural() -> None:
    text = fill(REASONS["same score: %(score)d"], {"score": "1"})
    assert "points" not in text
    assert text.endswith(("\u2069.", " 1."))
