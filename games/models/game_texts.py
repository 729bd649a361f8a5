"""Texts of a `GameInfo` in the reader's language."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.rules import info, registry


def translate(text: info.Text) -> Promise:
    """A text of a `GameInfo`, in the reader's language whenever it is shown."""
    return pgettext_lazy(text.context, text.message) if isinstance(text, info.InContext) else _(text)


def name_game(slug: str) -> str:
    """The game's name in the active language; the slug itself for a game that is not installed."""
    found = registry.infos().get(slug)
    return slug if found is None else str(translate(found.name))
