"""The account library's pages speak as ours do, in English too (`locale/en`)."""

from __future__ import annotations

import re
from pathlib import Path

import allauth
import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from django.contrib import admin, auth

from config.extraction import ROOT
from games.accounts.sign_in import framework_texts
from games.admin import framework_texts as admin_texts
from tests.cast import browser

PLACE = re.compile(r"%\(\w+\)[sd]|\{\w+\}")
LIBRARIES = [
    Path(one.__path__[0]) / "locale" / code / "LC_MESSAGES" / "django.po"
    for one, code in ((allauth, "de"), (auth, "en"), (admin, "en"))
]


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file)


def list_texts(catalog: Catalog) -> dict[str, tuple[str, ...]]:
    """By the first form of a message: all forms of what is said instead."""
    return {
        message.id if isinstance(message.id, str) else message.id[0]: tuple(
            [message.string] if isinstance(message.string, str) else message.string or ()
        )
        for message in catalog
        if message.id
    }


OURS = list_texts(read(ROOT / "locale" / "en" / "LC_MESSAGES" / "django.po"))
OWN = list_texts(read(ROOT / "locale" / "de" / "LC_MESSAGES" / "django.po"))
"""Texts of this repository, names of models and of their fields among them: these are reworded in English, too."""


def test_what_is_reworded_is_said_by_the_library_and_translated() -> None:
    listed = {*framework_texts.OVERRIDDEN_TEXTS, *admin_texts.OVERRIDDEN_TEXTS}
    listed |= {str(framework_texts.KEYS % 1), str(framework_texts.CODES)}
    texts = {text for library in LIBRARIES for text in list_texts(read(library))}
    assert OURS.keys() - texts - OWN.keys() == set(), "neither the libraries nor we say these any more"
    some = re.compile(r"unused_count|%\(count\)s|must contain at least|the error below")
    plural = {text for text in OURS if some.search(text)}
    assert (OURS.keys() & texts) - OWN.keys() - listed - plural == set(), "list these in framework_texts.py"


@pytest.mark.parametrize("sentence", OURS)
def test_a_reworded_text_keeps_its_places_and_is_in_sentence_case(sentence: str) -> None:
    for form in OURS[sentence]:
        assert form
        assert set(PLACE.findall(form)) == set(PLACE.findall(sentence))
        later = re.findall(r"(?<=[a-z,] )[A-Z][a-z]+\b", PLACE.sub("", form))
        assert later == []


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "hint"), [("en", "At least 8 characters."), ("de", "Mindestens 8 Zeichen.")])
def test_the_rules_for_passwords_are_said_in_our_words(language: str, hint: str) -> None:
    page = browser().get("/account/signup/", headers={"accept-language": language}).content.decode()
    assert hint in page


@pytest.mark.django_db
def test_pages_of_the_library_show_our_english() -> None:
    page = browser().get("/account/login/").content.decode()
    assert "Sign in" in page
    assert "Sign In" not in page
