"""What every layer says in the reader's language: texts of a `GameInfo`, lists inside a sentence, percentages."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.rules import info, registry


def translate(text: info.Text) -> Promise:
    """A text of a `GameInfo`, in the reader's language whenever it is shown."""
    return pgettext_lazy(text.context, text.message) if isinstance(text, info.ContextText) else gettext_lazy(text)


def name_game(slug: str) -> str:
    """The game's name in the active language; the slug itself for a game that is not installed."""
    found = registry.infos().get(slug)
    return slug if found is None else str(translate(found.name))


def join_with_and(items: Sequence[str]) -> str:
    """ "Ana", "Ana and Ben", "Ana, Ben and Cem"; empty for nothing. After a colon, commas are enough."""
    if len(items) < 2:
        return "".join(items)
    return _("%(names)s and %(last)s") % {"names": _(", ").join(items[:-1]), "last": items[-1]}


def say_percent(percent: float, *, decimals: int = 0, signed: bool = False) -> str:
    """ "12%", in German "12 %"; with a decimal "12.5%", "12,5 %"; signed: "+12%", "−12%"."""
    rounded = round(percent, decimals)
    number = number_format(f"{abs(rounded):.{decimals}f}", use_l10n=True)
    sign = "−" if rounded < 0 else "+" if signed else ""
    return _("%(number)s%%") % {"number": f"{sign}{number}"}
