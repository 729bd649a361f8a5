"""Every game that is installed: packages that register in the entry-point group `menagerie.games`.

Ours are registered in `pyproject.toml`, others in their own package's metadata. The value of an entry point is a
package with an `INFO` (`games.rules.info.GameInfo`). Changes take effect when the process is started again.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from games.rules.base import Rules, UnknownGame
from games.rules.info import GameInfo
from games.rules.lessons import Lesson
from games.rules.move_schemas import ANY_MOVE, Schema

GROUP: Final = "menagerie.games"
log = logging.getLogger(__name__)


@cache
def infos() -> Mapping[str, GameInfo]:
    """Slug → declaration of each game, in the order of the lobby.

    A package that cannot be imported is left out and logged. Raises RuntimeError where no game is installed at all.
    """
    found: dict[str, GameInfo] = {}
    for entry in entry_points(group=GROUP):
        try:
            info = entry.load().INFO
        except Exception:
            log.exception("The game package %s cannot be imported; it is left out.", entry.value)
            continue
        found[info.slug] = info
    if not found:
        raise RuntimeError("No games are installed. Run `make build`, which registers those of this repository.")
    ordered = sorted(found.values(), key=lambda info: (info.order, info.slug))
    return MappingProxyType({info.slug: info for info in ordered})


def slugs() -> tuple[str, ...]:
    """The slugs of all games, in the order in which the lobby shows them."""
    return tuple(infos())


def is_installed(slug: object) -> bool:
    """Whether there is a game with this slug."""
    return slug in infos()


@cache
def _load(slug: str) -> Rules[Any]:
    return infos()[slug].load_rules()


def find(slug: object) -> Rules[Any]:
    """The rules of a game. Raises UnknownGame, a BadSetup."""
    if not isinstance(slug, str) or slug not in infos():
        raise UnknownGame(
            "There is no game called “%(slug)s”. Choose one of: %(known)s.", slug=slug, known=", ".join(infos())
        )
    return _load(slug)


@cache
def find_lesson(slug: str) -> Lesson | None:
    """The lesson of an installed game; None if it has none. One that cannot be imported is left out and logged."""
    module = infos()[slug].lesson
    if not module:
        return None
    try:
        lesson: Lesson = import_module(module).LESSON
    except Exception:
        log.exception("The lesson %s cannot be imported; it is left out.", module)
        return None
    return lesson


def find_move_schema(slug: str) -> Schema:
    """The JSON Schema of the moves of an installed game; of a package that describes none, any object."""
    schema: Schema = getattr(_load(slug), "move_schema", ANY_MOVE)
    return schema


def list_template_tags() -> dict[str, str]:
    """Name → module of the template tags that games bring along; the name is the slug with underscores."""
    return {info.slug.replace("-", "_"): info.template_tags for info in infos().values() if info.template_tags}


def list_folders(name: str) -> list[Path]:
    """The folders of this name ("templates", "static", "locale") that game packages have."""
    packages = dict.fromkeys(package for info in infos().values() for package in info.packages)
    folders = (Path(str(files(package))) / name for package in packages)
    return [folder for folder in folders if folder.is_dir()]
