"""Lists inside a sentence, in the reader's language."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from games.models.lists import join_with_and


@pytest.mark.parametrize(
    ("language", "shown"), [("en", "Ana, Ben and Cem"), ("de", "Ana, Ben und Cem"), ("pl", "Ana, Ben i Cem")]
)
def test_the_last_two_are_joined_by_a_word(language: str, shown: str) -> None:
    with override(language):
        assert join_with_and(["Ana", "Ben", "Cem"]) == shown


def test_one_and_none_need_no_word() -> None:
    assert (join_with_and(["Ana"]), join_with_and([])) == ("Ana", "")
