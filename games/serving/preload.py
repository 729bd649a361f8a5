"""Loads templates and translations at the start.

Later the files of a new version may be in their place, and the first people would wait for it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from django.conf import settings
from django.template import Origin, TemplateDoesNotExist, engines
from django.template.loaders import filesystem
from django.utils.translation import trans_real

from games.presenters.render import compile_fragments


class PreloadedLoader(filesystem.Loader):
    """Reads all templates of its folders once, when it is created."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        files = (file for folder in self.get_dirs() for file in Path(folder).rglob("*.html"))
        self.texts = {str(file): file.read_text(encoding="utf-8") for file in files}

    def get_contents(self, origin: Origin) -> str:
        """The template's text. Raises TemplateDoesNotExist."""
        try:
            return self.texts[origin.name]
        except KeyError:
            raise TemplateDoesNotExist(origin) from None


def preload_files() -> None:
    """Read templates and languages now, so that a process shows one version even during an update.

    Fragments are compiled, too: they are what everybody waits for who comes back after a restart.
    """
    for engine in cast(Any, engines.all()):
        assert engine.engine.template_loaders  # noqa: S101 - made when they are first asked for
    for code, _name in settings.LANGUAGES:
        trans_real.translation(code)
    compile_fragments()
