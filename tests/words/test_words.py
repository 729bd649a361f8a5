"""How English texts on screens and in documents speak. `make check` asks this, too.

Of people as "they", of this installation as a site, in short sentences, and with capitals only where a name begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from config import extraction
from games.rules import registry

ROOT = Path(__file__).parents[2]
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
    *(path for path in sorted((ROOT / "docs").rglob("*.md")) if path.name != "glossary.md"),
]
"""Without the glossary, which lists what is not said."""
LONGEST_SENTENCE = 30
LONGEST_WITH_SEMICOLON = 12
LABEL = range(2, 7)
"""So many words a label has: a button, a heading, the name of a field."""
NAMES = ("Menagerie", "JavaScript", "Atom", "Big Five")
"""Names of things other than games and their jobs. Big Five: a function of cards in Super Zwierzaki."""
FOREIGN = {"games/accounts/sign_in/framework_texts.py", "games/admin/framework_texts.py"}
"""Texts of libraries, listed so that they are translated; their English is not ours."""
PLACE = re.compile(r"%\(\w+\)[sd]")
SENTENCE_END = re.compile(r"[.!?:\n]+")
WORD = re.compile(r"[^\W\d_]{4,}")
MARKUP = re.compile(
    r"^ *```.*?^ *```$|(?<=\n\n)(?: {4}[^\n]*\n+)+|^#+ [^\n]*$|(?<=\])\([^)]*\)", re.MULTILINE | re.DOTALL
)
"""What is no sentence in a document: code, headings, addresses of links."""
BLOCK_END = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*|]|\d+\.) )|\|")
"""Between paragraphs, items of a list and cells of a table."""
DOCUMENT_SENTENCE_END = re.compile(r"[.!?:…](?=[\s)*”\"]|$)")


def find_words(text: str) -> Iterator[str]:
    """The forbidden words of a text outside quotations, each with what is said instead."""
    bare = QUOTED.sub("", text)
    yield from (f"{found}: say {better}" for better, words in FORBIDDEN.items() for found in words.findall(bare))


def find_clumsiness(text: str, names: re.Pattern[str]) -> Iterator[str]:
    """What is wrong with the form of a text on a screen, which may contain these names."""
    sentences = [sentence.split() for sentence in SENTENCE_END.split(text)]
    longest = max(map(len, sentences))
    if longest > LONGEST_SENTENCE:
        yield f"a sentence of {longest} words: at most {LONGEST_SENTENCE}"
    if ";" in text and len(text.split()) > LONGEST_WITH_SEMICOLON:
        yield "a semicolon: make two sentences"
    if "e-mail" in text.lower():
        yield "e-mail: say email"
    if len(text.split()) in LABEL and _has_title_case(text, names):
        yield "Title Case: only the first word and names have a capital"


def find_long_sentences(document: str) -> Iterator[str]:
    """The sentences of a document in Markdown that have more words than one can take in; code counts as a word."""
    prose = re.sub(r"`[^`]*`", "code", MARKUP.sub("", document))
    for block in BLOCK_END.split(prose):
        for sentence in DOCUMENT_SENTENCE_END.split(block):
            words = [word for word in sentence.split() if re.search(r"\w", word)]
            if len(words) > LONGEST_SENTENCE:
                yield f"{len(words)} words: {' '.join(words)}"


def _has_title_case(text: str, names: re.Pattern[str]) -> bool:
    """Whether all longer words of a label begin with a capital, and not only because a sentence or a name does."""
    bare = names.sub("", PLACE.sub("", text))
    later = [word for part in SENTENCE_END.split(bare) for word in WORD.findall(part.strip().partition(" ")[2])]
    return bool(later) and all(word[0].isupper() for word in WORD.findall(bare))


@pytest.fixture(scope="module")
def sources() -> Catalog:
    """What the sources have to say."""
    return extraction.collect()


@pytest.fixture(scope="module")
def names() -> re.Pattern[str]:
    """The names that keep their capitals: of games, of their jobs, and a few others."""
    games = registry.infos().values()
    texts = [text for info in games for text in (info.name, *info.jobs.values())]
    texts_used = {*NAMES, *(text if isinstance(text, str) else text.message for text in texts)}
    return re.compile("|".join(rf"\b{re.escape(name)}\b" for name in sorted(texts_used, key=len, reverse=True)))


def find_sentences(catalog: Catalog) -> Iterator[tuple[str, str]]:
    """Each text of the screens that is ours, and the place where it is first said."""
    for message in catalog:
        places = [f"{file}:{line}" for file, line in message.locations if file not in FOREIGN]
        if message.id and places:
            yield from ((text, places[0]) for text in ([message.id] if isinstance(message.id, str) else message.id))


@pytest.mark.slow
def test_sentences_on_screens_speak_plainly(sources: Catalog) -> None:
    found = {(text, place, fault) for text, place in find_sentences(sources) for fault in find_words(text)}
    assert found == set()


def test_texts_on_screens_have_a_plain_form(sources: Catalog, names: re.Pattern[str]) -> None:
    found = {(text, place, fault) for text, place in find_sentences(sources) for fault in find_clumsiness(text, names)}
    assert found == set()


@pytest.mark.parametrize(
    "text",
    [
        "Start Tournament",
        "Open a New Table",
        "Done. Close The Page",
        "Your e-mail address",
        "E-Mails",
        f"It goes on{' and on' * 14}.",
        "The first half of this is one sentence; the second half could be another.",
    ],
)
def test_a_clumsy_form_is_found(text: str, names: re.Pattern[str]) -> None:
    assert len(list(find_clumsiness(text, names))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Start tournament",
        "Animals on Board",
        "Rules of Karriere Poker",
        "Head of Department",
        "Paused. Next: %(names)s.",
        "Deleted: %(id)s",
        "Tournaments",
        "Three of a kind; or more.",
        f"It goes on{' and on' * 13}. It ends{' and ends' * 13}.",
    ],
)
def test_a_plain_form_is_left_alone(text: str, names: re.Pattern[str]) -> None:
    assert list(find_clumsiness(text, names)) == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_documents_speak_plainly(path: Path) -> None:
    lines = enumerate(path.read_text().splitlines(), start=1)
    assert [(number, fault) for number, line in lines for fault in find_words(line)] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_documents_have_short_sentences(path: Path) -> None:
    assert list(find_long_sentences(path.read_text())) == []


LONG = f"It goes on{' and on' * 14}"
SHORT = f"It ends{' and ends' * 13}"


@pytest.mark.parametrize(
    ("document", "count"),
    [
        (f"{LONG}.", 1),
        (f"{SHORT}. {SHORT}.", 0),
        (f"{SHORT}; {SHORT}.", 1),
        (f"- {SHORT}\n- {SHORT}\n", 0),
        (f"| {SHORT} | {SHORT} |\n| {LONG} |", 1),
        (f"# Heading\n{SHORT}\n\n{SHORT}", 0),
        (f"{SHORT}\n1. {SHORT}", 0),
        (f"```\n{LONG}\n```\n", 0),
        (f"Run\n\n    {LONG}\n\nand wait.", 0),
        (f"The key `{LONG}` of the [page](where {LONG} is)", 0),
    ],
)
def test_a_long_sentence_of_a_document_is_found(document: str, count: int) -> None:
    assert len(list(find_long_sentences(document))) == count


@pytest.mark.parametrize(
    "text", ["Ask whoever runs this house.", "He plays himself.", "To whom?", "Tell who runs the server.", "His seat."]
)
def test_a_forbidden_word_is_found(text: str) -> None:
    assert list(find_words(text)) != []
    assert list(find_words(f"The log says “{text}”")) == []
