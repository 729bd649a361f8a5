"""Which words of the German and Polish catalogues are looked up in dictionaries. `make check` looks them up."""

from __future__ import annotations

import pytest

from config import spelling


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Drei 12en schlagen „Boss“.", ["Drei", "schlagen"]),
        ("%(name)s: <b>Geschäfts\u00adführung</b>", ["Geschäftsführung"]),
        ("Online-Tische, siehe `manage.py` und league.json", ["Online", "Tische", "siehe", "und"]),
    ],
)
def test_words_are_taken_without_what_is_quoted(text: str, words: list[str]) -> None:
    assert spelling.list_words(text) == words


@pytest.mark.parametrize("language", spelling.OWN_WORDS)
def test_names_and_foreign_words_of_the_english_text_are_left_out(language: str) -> None:
    words = spelling.collect_words(language)
    assert len(words) > 2500
    assert not {"JSON", "Menagerie", "Django"} & set(words)


@pytest.mark.parametrize("language", spelling.OWN_WORDS)
def test_our_own_words_are_in_the_catalogue(language: str) -> None:
    own = spelling.OWN_WORDS[language].split()
    assert len(own) < 100
    assert len(own) == len(set(own))
    assert set(own) <= set(spelling.collect_words(language))


def test_a_misspelt_word_is_found() -> None:
    assert spelling.look_up(["Turnier", "Turnir"], "de") == ["Turnir"]
    assert spelling.look_up(["turniej", "turnjej"], "pl") == ["turnjej"]
