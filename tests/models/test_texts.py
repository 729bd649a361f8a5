"""Lists inside a sentence and percentages, in the reader's language."""

from __future__ import annotations

import re

import pytest
from django.utils.translation import override

from games.models.texts import join_with_and, say_percent
from tests.words.test_whole_sentences import TEMPLATES

NO_BREAK = "\N{NO-BREAK SPACE}"


@pytest.mark.parametrize(
    ("language", "shown"), [("en", "Ana, Ben and Cem"), ("de", "Ana, Ben und Cem"), ("pl", "Ana, Ben i Cem")]
)
def test_the_last_two_are_joined_by_a_word(language: str, shown: str) -> None:
    with override(language):
        assert join_with_and(["Ana", "Ben", "Cem"]) == shown


def test_one_and_none_need_no_word() -> None:
    assert (join_with_and(["Ana"]), join_with_and([])) == ("Ana", "")


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        ("en", ["12%", "12.5%", "+12%", "−13%", "+0%"]),
        ("de", ["12_%", "12,5_%", "+12_%", "−13_%", "+0_%"]),
        ("pl", ["12%", "12,5%", "+12%", "−13%", "+0%"]),
    ],
)
def test_percent_is_written_as_the_language_does(language: str, shown: list[str]) -> None:
    with override(language):
        assert [
            say_percent(12.4),
            say_percent(12.46, decimals=1),
            say_percent(12.4, signed=True),
            say_percent(-12.6, signed=True),
            say_percent(-0.2, signed=True),
        ] == [one.replace("_", NO_BREAK) for one in shown]


def test_no_template_puts_the_sign_itself() -> None:
    """Whether a space stands before it depends on the language."""
    assert [file.name for file in TEMPLATES if re.search(r"\}\} %", file.read_text())] == []
