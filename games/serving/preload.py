"""What a process would otherwise read when it is first asked for, where a new version's files may lie by then."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from django.conf import settings
from django.template import Origin, TemplateDoesNotExist, engines
from django.template.loaders import filesystem
from django.utils.translation import trans_real


class Loader(filesystem.Loader):
    """Knows the templates that its folders hold as it is made, and no later ones."""

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


def take_in() -> None:
    """Read templates and languages now: a process is one version, whatever is pulled in beside it."""
    for engine in cast(Any, engines.all()):
        assert engine.engine.template_loaders  # noqa: S101 - made when they are first asked for
    for code, _name in settings.LANGUAGES:
        trans_real.translation(code)
