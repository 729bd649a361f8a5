"""Every kind of Super Zwierzaki has a picture, a name and a colour that is more than a colour."""

from __future__ import annotations

import re

import pytest
from django.contrib.staticfiles import finders
from django.utils import translation

from games.catalogue.super_zwierzaki.presenter.faces import CLASS_PICTURES, PICTURES, SYMBOLS, describe_kind
from games.catalogue.super_zwierzaki.presenter.names import CLASS_NAMES, COLOUR_NAMES, KIND_NAMES, name_kind
from games.catalogue.super_zwierzaki.rules.kinds import KINDS


def test_every_kind_has_a_name_and_a_picture_that_is_there() -> None:
    assert len(PICTURES) == 115
    assert PICTURES.keys() == KIND_NAMES.keys()
    for slug in {*PICTURES.values(), *CLASS_PICTURES.values()}:
        assert finders.find(f"animals/{slug}.svg"), slug


def test_every_colour_has_a_symbol_of_its_own_and_every_class_a_name() -> None:
    assert {*COLOUR_NAMES} == {*SYMBOLS, "ALL"}
    assert len(set(SYMBOLS.values())) == 9
    for symbol in SYMBOLS.values():
        assert finders.find(f"art/sym-{symbol}.svg"), symbol
    assert {*CLASS_NAMES} == {*CLASS_PICTURES, "all"}


@pytest.mark.parametrize(
    ("code", "kind", "printed"), [("de", "53", "Komodo\u00adwaran"), ("pl", "62", "Trzewiko\u00addziób")]
)
def test_a_long_name_says_where_a_narrow_card_may_break_it(code: str, kind: str, printed: str) -> None:
    """No browser can be relied on to know the syllables of an animal; in a sentence the name is whole."""
    with translation.override(code):
        face = describe_kind(kind)
        assert (face.printed, face.name) == (printed, printed.replace("\u00ad", ""))
        words = [word for name in KIND_NAMES.values() for word in re.split(r"[ \u00ad-]", str(name))]
        assert [word for word in words if len(word) > 11] == []


def test_polish_names_are_those_of_the_deck() -> None:
    with translation.override("pl"):
        assert {word: name_kind(word) for word in KIND_NAMES} == {kind.word: kind.polish for kind in KINDS.values()}


def test_the_animals_are_called_what_the_readers_call_them() -> None:
    sentence = {}
    for code in ("en", "de", "pl"):
        with translation.override(code):
            sentence[code] = (name_kind("53"), name_kind("107"), str(COLOUR_NAMES["DG"]))
    assert sentence == {
        "en": ("Komodo dragon", "Common teal", "dark green"),
        "de": ("Komodowaran", "Krickente", "Dunkelgrün"),
        "pl": ("Waran z Komodo", "Cyraneczka Zwyczajna", "ciemnozielony"),
    }
