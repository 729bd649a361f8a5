"""The two typefaces of the site, made as WOFF2 of the letters that it needs from the installed font packages.

Manrope is for text and figures, Source Serif for headings. Both are under the SIL Open Font License 1.1, which the
about page says. No font is in this repository: it is made once, beside the built static files, and `collectstatic`
copies it from there.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.checks import CheckMessage
from django.core.files.storage import FileSystemStorage
from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

PREFIX = "fonts/"


class Typeface(NamedTuple):
    """One font file of a package. weights: the least and the greatest, of a variable font."""

    package: str
    file: str
    weights: tuple[int, int] | None = None


TYPEFACES = {
    "manrope.woff2": Typeface("font_manrope", "Manrope-VariableFont_wght.ttf", (400, 800)),
    "source-serif.woff2": Typeface("font_source_serif_pro", "SourceSerifPro-Bold.ttf"),
}
"""What `fonts/<name>` finds."""

RANGES = (
    (0x20, 0x7E),
    (0xA0, 0x17F),  # Latin of all of Europe
    (0x218, 0x21B),
    (0x2BC, 0x2DD),
    (0x300, 0x30C),  # marks that stand by themselves in names
    (0x1E9E, 0x1E9E),
    (0x2010, 0x2027),
    (0x2030, 0x203A),
    (0x20AC, 0x20AC),
    (0x2116, 0x2116),
    (0x2150, 0x215E),
    (0x2190, 0x2193),
    (0x2212, 0x2212),
)
"""Code points from first to last. Letters of other scripts come from the reader's own system, one by one."""
FEATURES = ["ccmp", "kern", "liga", "lnum", "locl", "mark", "mkmk", "pnum", "tnum"]
"""OpenType features that the style sheets use, or that put letters and marks together."""


def list_code_points() -> list[int]:
    """All code points of `RANGES`."""
    return [point for first, last in RANGES for point in range(first, last + 1)]


def make(face: Typeface) -> bytes:
    """The font as WOFF2, with these letters and weights only. The same package gives the same bytes."""
    source = files(face.package) / "files" / face.file
    with source.open("rb") as file:
        font = TTFont(file, recalcTimestamp=False, lazy=False)
    subsetter = subset.Subsetter(subset.Options(layout_features=FEATURES, notdef_outline=True))
    subsetter.populate(unicodes=list_code_points())
    subsetter.subset(font)
    if face.weights is not None:
        font = instancer.instantiateVariableFont(font, {"wght": face.weights})
    font.flavor = "woff2"
    with tempfile.TemporaryFile() as out:
        font.save(out)
        out.seek(0)
        return out.read()


class TypefaceStorage(FileSystemStorage):
    """The fonts as files `fonts/<name>`, each made when it is first wanted."""

    def __init__(self) -> None:
        super().__init__(location=str(Path(settings.BASE_DIR) / "build" / "typefaces"))

    def path(self, name: str) -> str:
        """Where the font is on this machine; an unknown name gives a path where nothing is.

        Raises OSError if it is not made yet and cannot be written.
        """
        place = Path(super().path(name.removeprefix(PREFIX)))
        face = TYPEFACES.get(place.name)
        if face is not None and not _is_fresh(place):
            place.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=place.parent, delete=False) as new:
                new.write(make(face))
            Path(new.name).chmod(0o644)
            Path(new.name).replace(place)  # at once: other processes may make it as well
        return str(place)


def _is_fresh(place: Path) -> bool:
    """Whether the font was made by this version of this module."""
    try:
        return place.stat().st_mtime >= Path(__file__).stat().st_mtime
    except OSError:
        return False


class TypefaceFinder(BaseFinder):
    """Finds `fonts/<name>.woff2` among the static files."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.storage = TypefaceStorage()

    def check(self, **_kwargs: Any) -> list[CheckMessage]:
        """Nothing can be misconfigured."""
        return []

    def find(self, path: str, find_all: bool = False, **_kwargs: Any) -> Any:
        """The font's path on this machine, or an empty list (Django's word for "not here")."""
        if path.removeprefix(PREFIX) not in TYPEFACES or not path.startswith(PREFIX):
            return []
        try:
            match = self.storage.path(path)
        except OSError:  # nowhere to write: pages fall back to the system's typefaces
            return []
        return [match] if find_all else match

    def list(self, _ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, TypefaceStorage]]:
        """Every font, for `collectstatic`."""
        return ((f"{PREFIX}{name}", self.storage) for name in TYPEFACES)
