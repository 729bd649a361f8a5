"""The site's typefaces: made from packages, small, with every letter of its three languages."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import override_settings
from fontTools.ttLib import TTFont

from config import typefaces
from config.typefaces import TYPEFACES, TypefaceFinder

LETTERS = "ABCXYZabcxyz0123456789ÄÖÜäöüßẞĄĆĘŁŃÓŚŹŻąćęłńóśźż„”“’–—…·×½→€№"
MAX_BYTES = 30_000


@pytest.mark.parametrize("name", TYPEFACES)
def test_a_typeface_is_small_and_has_every_letter(name: str) -> None:
    found = finders.find(f"fonts/{name}")
    assert isinstance(found, str)
    data = Path(found).read_bytes()
    font = TTFont(io.BytesIO(data))
    assert (font.flavor, len(data) < MAX_BYTES) == ("woff2", True)
    assert [letter for letter in LETTERS if ord(letter) not in font.getBestCmap()] == []
    assert "tnum" in {record.FeatureTag for record in font["GSUB"].table.FeatureList.FeatureRecord}


def test_manrope_has_every_weight_from_text_to_figures() -> None:
    found = finders.find("fonts/manrope.woff2")
    assert isinstance(found, str)
    axis = TTFont(found)["fvar"].axes[0]
    assert (axis.axisTag, axis.minValue, axis.maxValue) == ("wght", 400, 800)


@pytest.mark.parametrize("path", ["fonts/none.woff2", "fonts/", "manrope.woff2", "../fonts/manrope.woff2"])
def test_nothing_else_is_found(path: str) -> None:
    assert TypefaceFinder().find(path) == []


def test_a_place_where_nothing_can_be_written_leaves_the_systems_typefaces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "build").touch()
    monkeypatch.setattr(typefaces, "make", lambda _face: b"")
    with override_settings(BASE_DIR=tmp_path):
        assert TypefaceFinder().find("fonts/manrope.woff2") == []


def test_a_newer_module_makes_them_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def make(face: typefaces.Typeface) -> bytes:
        made.append(face.file)
        return b"font"

    monkeypatch.setattr(typefaces, "make", make)
    with override_settings(BASE_DIR=tmp_path):
        finder = TypefaceFinder()
    place = tmp_path / "build" / "typefaces" / "manrope.woff2"
    for _ in range(2):
        assert finder.find("fonts/manrope.woff2") == str(place)
    assert made == ["Manrope-VariableFont_wght.ttf"]
    os.utime(place, (1, 1))
    finder.find("fonts/manrope.woff2")
    assert len(made) == 2
