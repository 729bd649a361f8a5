"""Why something is refused, or does not hold: whole sentences in German and Polish, with no English inside them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from babel.messages.catalog import Catalog
from django.utils import translation

from config import extraction
from games.play.errors import BadInput
from games.play.sentences import Readable, say_sentence
from games.records.document import name_json_kind
from games.records.faults import Fault
from games.records.format import parse_record
from games.records.replay import verify
from games.rules.base import IllegalMove
from games.rules.info import pgettext_noop
from games.rules.phrases import Phrase, PhraseList
from tests.records.making import encode
from tests.records.test_examples import BROKEN, Change, load

LANGUAGES = ("de", "pl")
ERRORS = frozenset(extraction._REFUSALS)
NAMES = frozenset({"Phrase", "PhraseList", "name_json_kind", "getattr"})
"""Functions that give names which are translated with their sentence; and the name of an attribute is not said."""
QUOTED = re.compile(r"“[^”]*”|„[^“”]*[“”]")
PLACE = re.compile(r"%\((\w+)\)[sd]")
WORD = re.compile(r"[A-Za-z]{2,}")
ENGLISH = re.compile(r"\b(?:the|and|must|but|record|not|only|with|cards?|is|are|has|of|this|a string|a list)\b")
"""Words that stand in most English sentences and in no German or Polish one."""


class Raised(NamedTuple):
    """A place in the sources where an error is made. template: None where it is not written there."""

    place: str
    template: str | None
    values: dict[str, ast.expr]
    first: ast.expr


@cache
def list_raised() -> tuple[Raised, ...]:
    """Every error for people that the sources make."""
    paths = [path for folder in ("games", "tournaments") for path in sorted((extraction.ROOT / folder).rglob("*.py"))]
    return tuple(one for path in paths for one in _find_raised(path))


def _find_raised(path: Path) -> Iterator[Raised]:
    tree = ast.parse(path.read_text())
    dicts = {
        (node.lineno, target.id): node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ERRORS and node.args:
            first = node.args[0]
            template = first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else None
            yield Raised(
                f"{path.relative_to(extraction.ROOT)}:{node.lineno}", template, _read_values(node, dicts), first
            )


def _read_values(node: ast.Call, dicts: dict[tuple[int, str], ast.Dict]) -> dict[str, ast.expr]:
    """What fills the places: keywords, or a dictionary that is written there or shortly before."""
    values = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
    given = node.args[1] if len(node.args) > 1 else None
    if isinstance(given, ast.Name):
        near = [line for line, name in dicts if name == given.id and line <= node.lineno]
        given = dicts[max(near), given.id] if near else None
    if isinstance(given, ast.Dict):
        values |= {
            key.value: value
            for key, value in zip(given.keys, given.values, strict=True)
            if isinstance(key, ast.Constant) and isinstance(key.value, str)
        }
    return values


def find_english(raised: Raised) -> Iterator[str]:
    """English words in the sources that come into a sentence as they are, outside quotation marks."""
    bare = set(PLACE.findall(QUOTED.sub("", raised.template or "")))
    for name, value in raised.values.items():
        if name in bare:
            yield from (f"{raised.place}: {name}={word!r}" for word in _find_words(value))


def _find_words(value: ast.expr) -> Iterator[str]:
    if isinstance(value, ast.Constant) and isinstance(value.value, str) and WORD.search(value.value):
        yield value.value
    is_name = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in NAMES
    if not is_name and not isinstance(value, ast.Subscript):
        for inner in ast.iter_child_nodes(value):
            if isinstance(inner, ast.expr):
                yield from _find_words(inner)


@pytest.fixture(scope="module", params=LANGUAGES)
def catalogue(request: pytest.FixtureRequest) -> Catalog:
    """What is said in one language."""
    return extraction.read(request.param)


def test_every_reason_is_translated(catalogue: Catalog) -> None:
    templates = {one.template: one.place for one in list_raised() if one.template is not None}
    assert len(templates) > 300
    entries = {template: catalogue.get(template) for template in templates}
    assert [templates[one] for one, entry in entries.items() if entry is None or not entry.string] == []


def test_every_reason_is_written_where_it_is_made() -> None:
    """Else `make extract` does not see it. A reason that is handed on has its template from another error."""
    others = [one for one in list_raised() if one.template is None]
    assert [
        one.place for one in others if not (isinstance(one.first, ast.Attribute) and one.first.attr == "template")
    ] == []


def test_no_english_word_stands_in_a_reason() -> None:
    assert [found for one in list_raised() for found in find_english(one)] == []


def test_an_english_word_is_found() -> None:
    source = """raise BadInput("It is %(what)s, not “%(word)s”.", what="a list" if one else name, word="a word")"""
    call = ast.parse(source).body[0].exc  # type: ignore[attr-defined]
    template = call.args[0].value
    assert list(find_english(Raised("x:1", template, _read_values(call, {}), call.args[0]))) == ["x:1: what='a list'"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "change", "sentence"), BROKEN)
def test_faults_of_records_are_said_in_one_language(name: str, change: Change, sentence: str, language: str) -> None:
    document = load(name)
    change(document)
    fault = verify(encode(document)).fault
    assert fault is not None
    english = str(Fault(fault.template, fault.values))
    with translation.override(language):
        text = QUOTED.sub("", say_sentence(fault))
    assert text != QUOTED.sub("", english)
    assert ENGLISH.findall(re.sub(r"[\[{].*[\]}]", "", text)) == []


@pytest.mark.parametrize(
    ("error", "german", "polish"),
    [
        (
            IllegalMove("You do not hold these cards: %(cards)s.", cards=PhraseList(["7", Phrase("L", "leather")])),
            "Diese Karten hast du nicht: 7, Leder.",
            "Nie masz tych kart: 7, skóra.",
        ),
        (
            Fault("expected one JSON object, but found %(kind)s", {"kind": name_json_kind([])}),
            "erwartet wird ein JSON-Objekt, gefunden: eine Liste",
            "oczekiwano jednego obiektu JSON, a znaleziono: lista",
        ),
        (
            BadInput("This record is not valid: %(why)s.", why=IllegalMove("It is not your turn.")),
            "Diese Aufzeichnung ist ungültig: Du bist nicht dran.",
            "Ten zapis jest nieprawidłowy: To nie twoja kolej.",
        ),
        (
            IllegalMove(
                "Choose a spot for this clothing: %(spots)s.",
                spots=Phrase("head", pgettext_noop("spot of an animal", "head")),
            ),
            "Wähle einen Platz für diese Kleidung: Kopf.",
            "Wybierz miejsce na to ubranie: głowa.",
        ),
    ],
)
def test_names_and_reasons_inside_a_sentence_are_translated(error: Readable, german: str, polish: str) -> None:
    with translation.override("de"):
        assert say_sentence(error) == german
    with translation.override("pl"):
        assert say_sentence(error) == polish


def test_a_phrase_is_its_word_in_records() -> None:
    with pytest.raises(Fault) as caught:
        parse_record(b"[]")
    assert str(caught.value) == "expected one JSON object, but found a list"
