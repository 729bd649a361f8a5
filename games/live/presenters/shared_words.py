"""A table's options in words, for the waiting room and the lobby."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.names import name_rank


def describe_options(game: str, options: Mapping[str, Any]) -> list[str]:
    """What was agreed, one phrase each: "3 deals", "30 minutes" …; without anything, the usual length."""
    phrases = []
    if deals := options.get("deals"):
        phrases.append(ngettext("%(count)d deal", "%(count)d deals", deals) % {"count": deals})
    if sessions := options.get("sessions"):
        phrases.append(ngettext("%(count)d session", "%(count)d sessions", sessions) % {"count": sessions})
    if minutes := options.get("minutes"):
        phrases.append(ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes})
    if not phrases:
        phrases.append(_("3 deals") if game == "karriere-poker" else _("30 minutes"))
    if options.get("lazy"):
        phrases.append(_("lazy chaotic numbers"))
    if names := options.get("positions"):
        slugs = [str(name).strip().lower().replace(" ", "-") for name in names]
        phrases.append(" · ".join(name_rank(game, slug) for slug in slugs))
    return phrases


def say_crowds() -> dict[str, str]:
    """Why the server keeps no live connection for a page, by the word of its close code."""
    return {
        "crowded_network": _(
            "Too many tables are open from your network at once. "
            "This page looks every few seconds; close others to make room."
        ),
        "crowded_person": _(
            "You have too many tables open at once. This page looks every few seconds; close others, then reload it."
        ),
    }


def say_turn_time(seconds: int) -> str:
    """How long a turn may take."""
    return ngettext("%(seconds)d second a turn", "%(seconds)d seconds a turn", seconds) % {"seconds": seconds}
