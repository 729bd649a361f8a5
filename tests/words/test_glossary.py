"""The screens, in three languages, use no word that the glossary lists as not used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from babel.messages.catalog import Catalog

from config import extraction

GLOSSARY = Path(__file__).parents[2] / "docs" / "glossary.md"
LANGUAGES = ("en", "de", "pl")
HEAD = "| Term | Meaning | Deutsch | Polski | Not |"
EXEMPT = {
    ("en", "games/admin/names.py"): "Django makes these names of those in the code; nobody who reads English sees ours",
}
"""Language and file whose words are left alone, with the reason."""
LITERAL = re.compile(r"[“„][^“”„]*[“”]|\"[^\"]*\"|`[^`]*`|%\(\w+\)[sd]|</?\w+[^>]*>|https?://\S+|\b[\w*-]+\.[a-z]\w+\b")
"""What stands in every language as it is: quoted words, places for values, tags, addresses, names of files."""
SOFT_HYPHEN = "\u00ad"


class Term(NamedTuple):
    """A row of the glossary."""

    name: str
    meaning: str
    german: str
    polish: str
    unused: str


class Banned(NamedTuple):
    """A word that is not used, in one language, and the term that is used instead."""

    language: str
    word: str
    term: str

    def find(self, text: str) -> bool:
        """Whether a text says it, outside what is quoted."""
        return _compile_pattern(self.word).search(LITERAL.sub(" ", text.replace(SOFT_HYPHEN, ""))) is not None


class Saying(NamedTuple):
    """A text of the screens: the English that names it, how it is said, and where."""

    message: str
    text: str
    places: tuple[str, ...]


@cache
def _compile_pattern(word: str) -> re.Pattern[str]:
    """The pattern of a word of the last column. A capital counts, and a star stands for any ending."""
    ending = r"\w*" if word.endswith("*") else ""
    flags = re.IGNORECASE if word.islower() else re.NOFLAG
    return re.compile(rf"(?<!\w){re.escape(word.removesuffix('*'))}{ending}(?!\w)", flags)


def read_terms() -> list[Term]:
    """All rows of the tables that have translations."""
    terms: list[Term] = []
    inside = False
    for line in GLOSSARY.read_text().splitlines():
        inside = line == HEAD or (inside and line.startswith("|"))
        if inside and line != HEAD and not line.startswith("|---"):
            terms.append(Term(*(cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|"))))
    return terms


def ban(term: Term) -> Iterator[Banned]:
    """The words of the last column, without those that are wrong in one sense only. Raises ValueError for others."""
    for part in filter(None, term.unused.split("; ")):
        language, _, words = part.partition(": ")
        if language not in LANGUAGES or not words:
            raise ValueError(f"“{part}” does not say a language and its words.")
        yield from (Banned(language, word, term.name) for word in words.split(", ") if not word.endswith(")"))


def forms_of(text: object) -> tuple[str, ...]:
    """One text, or singular and plurals."""
    return (text,) if isinstance(text, str) else tuple(text) if isinstance(text, list | tuple) else ()


def list_shown_texts(sources: Catalog, language: str) -> Iterator[Saying]:
    """Everything that the screens say in a language, but for what is exempt."""
    translated = extraction.read(language) if language != "en" else None
    for message in sources:
        places = tuple(f"{file}:{line}" for file, line in message.locations if (language, file) not in EXEMPT)
        if not message.id or not places:
            continue
        english = forms_of(message.id)
        if translated is None:
            texts = english
        else:
            entry = translated.get(english[0], message.context)
            texts = forms_of(entry.string) if entry else ()
        yield from (Saying(english[0], text, places) for text in texts)


@pytest.fixture(scope="module")
def sources() -> Catalog:
    """What the sources have to say."""
    return extraction.collect()


TERMS = read_terms()
BANNED = [word for term in TERMS for word in ban(term)]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_screen_says_what_the_glossary_forbids(sources: Catalog, language: str) -> None:
    words = [banned for banned in BANNED if banned.language == language]
    findings = list(list_shown_texts(sources, language))
    assert len(findings) > 1000
    found = [
        f"“{banned.word}” is not used for “{banned.term}”: “{one.text}” (of “{one.message}”), {', '.join(one.places)}"
        for one in findings
        for banned in words
        if banned.find(one.text)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Watchers see every hand."),
        ("en", "Chairs are free."),
        ("en", "The tournament was called off."),
        ("de", "Frag den Administrator."),
        ("de", "Der Gast\u00adgeber läutet die Glocke."),
        ("de", "Das Blatt wird gemischt."),
        ("de", "Alle Angemeldeten sitzen."),
        ("de", "Hier spielt jeder gegen jeden."),
        ("pl", "Zapytaj gospodarza stołu."),
        ("pl", "Ligi i sezony"),
        ("pl", "Każdy z każdym"),
    ],
)
def test_a_forbidden_word_is_found(language: str, text: str) -> None:
    assert [banned for banned in BANNED if banned.language == language and banned.find(text)] != []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "The file has no “chairs”."),
        ("en", "Choose a file called league.json."),
        ("en", "Seat %(chair)s is free."),
        ("en", "The podium"),
        ("de", "„Spieler“ ist ein Wort der Spielregeln."),
        ("de", "Angemeldete Personen: eine angemeldete Person."),
        ("de", "%(job)s bis zum Ende der Partie"),
        ("pl", "Możesz posadzić boty na dowolnym komputerze."),
    ],
)
def test_literal_and_other_words_are_left_alone(language: str, text: str) -> None:
    found = [banned.word for banned in BANNED if banned.language == language and banned.find(text)]
    assert found == []


@pytest.mark.parametrize("exempt", EXEMPT, ids=lambda exempt: exempt[1])
def test_what_is_exempt_still_needs_to_be(sources: Catalog, exempt: tuple[str, str]) -> None:
    language, file = exempt
    texts = [text for one in sources if file in dict(one.locations) for text in forms_of(one.id)]
    assert [text for text in texts for banned in BANNED if banned.language == language and banned.find(text)] != []


def test_the_glossary_itself_says_nothing_that_it_forbids() -> None:
    cells = {
        "en": [text for term in TERMS for text in (term.name, term.meaning) if term.name != "pod"],
        "de": [term.german for term in TERMS],
        "pl": [term.polish for term in TERMS],
    }
    found = [(banned.word, text) for banned in BANNED for text in cells[banned.language] if banned.find(text)]
    assert found == []


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.name)
def test_every_term_has_a_meaning_and_both_translations_or_a_dash(term: Term) -> None:
    assert term.meaning
    assert term.german
    assert term.polish
    assert (term.german == "–") == (term.polish == "–")


def test_no_term_is_listed_twice_in_one_sense() -> None:
    senses = [(term.name, term.meaning) for term in TERMS]
    assert len(senses) > 100
    assert len(set(senses)) == len(senses)


def test_schnitt_is_the_average_of_the_others_and_no_cut(sources: Catalog) -> None:
    """The glossary cannot say this: the word is wrong in one sense only."""
    texts = {one.message for one in list_shown_texts(sources, "de") if re.search(r"\bSchnitt\b", one.text)}
    assert texts == {"Opp", "Opponents' average"}
