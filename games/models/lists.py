"""Lists inside a sentence, as the reader's language writes them. After a colon, commas are enough."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _


def join_with_and(items: Sequence[str]) -> str:
    """ "Ana", "Ana and Ben", "Ana, Ben and Cem"; empty for nothing."""
    if len(items) < 2:
        return "".join(items)
    return _("%(names)s and %(last)s") % {"names": _(", ").join(items[:-1]), "last": items[-1]}
