"""The one Jinja2 environment for fragments: what travels over sockets, and what pages begin with.

Fragments are rendered with every move, so they are not Django templates: the same html in a quarter
of the time. A fragment file holds macros; `macro` gives one to call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext, ngettext, npgettext, pgettext
from jinja2 import Environment, FileSystemLoader, StrictUndefined

FRAGMENTS = Path(__file__).resolve().parent.parent.parent / "templates" / "fragments"


def _url(name: str, *args: object) -> str:
    return reverse(name, args=args)


def _build() -> Environment:
    env = Environment(
        loader=FileSystemLoader(FRAGMENTS),
        autoescape=True,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
    )
    # Looked up at every call: the language is the reader's, not that of the first rendering.
    env.install_gettext_callables(gettext, ngettext, newstyle=True, pgettext=pgettext, npgettext=npgettext)  # type: ignore[attr-defined]
    env.globals.update(static=static, url=_url)
    return env


environment = _build()


@cache
def macro(file: str, name: str) -> Callable[..., str]:
    """The macro `name` of the fragment file `file`, e.g. macro("climbing.jinja", "seat")."""
    found: Callable[..., str] = getattr(environment.get_template(file).module, name)
    return found


def render(file: str, context: Mapping[str, Any]) -> str:
    """A whole fragment file."""
    return environment.get_template(file).render(context)
