"""Every kind of Super Zwierzaki has a picture, a name and a colour that is more than a colour."""

from __future__ import annotations

from django.contrib.staticfiles import finders
from django.utils import translation

from games.live.presenters.zoo_faces import CLASS_PICTURES, PICTURES, SYMBOLS
from games.live.presenters.zoo_names import CLASS_NAMES, COLOUR_NAMES, KIND_NAMES


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


def test_the_animals_are_called_what_the_readers_call_them() -> None:
    said = {}
    for code in ("en", "de", "pl"):
        with translation.override(code):
            said[code] = (str(KIND_NAMES["53"]), str(KIND_NAMES["107"]), str(COLOUR_NAMES["DG"]))
    assert said == {
        "en": ("Komodo dragon", "Common teal", "dark green"),
        "de": ("Komodowaran", "Krickente", "Dunkelgrün"),
        "pl": ("Waran z Komodo", "Cyraneczka Zwyczajna", "ciemnozielony"),
    }
