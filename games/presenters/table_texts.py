"""Texts that the tables of all games share: options in words, and the sentences of the scripts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.presenters.names import name_animal, name_rank, translate
from games.rules import registry
from games.rules.base import Option
from games.rules.day_pace import DAY_SECONDS, is_over_days


def describe_options(game: str, options: Mapping[str, Any]) -> list[str]:
    """What was agreed, one phrase each: "3 deals", "30 minutes" …; without anything, the usual length."""
    phrases = []
    if deals := options.get("deals"):
        phrases.append(ngettext("%(count)d deal", "%(count)d deals", deals) % {"count": deals})
    if sessions := options.get("sessions"):
        phrases.append(ngettext("%(count)d session", "%(count)d sessions", sessions) % {"count": sessions})
    if minutes := options.get("minutes"):
        phrases.append(ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes})
    if not registry.is_installed(game):
        return phrases
    own = [(option, options.get(option.name)) for option in registry.find(game).options]
    agreed = [pair for pair in own if pair[1] is not None and pair[1] is not False and pair[1] not in ("", [], ())]
    phrases += [_describe_option(game, *pair) for pair in agreed if pair[0].kind in ("species", "seat")]
    usual = registry.infos()[game].usual_length
    if not phrases and usual:
        phrases.append(str(translate(usual)))
    return phrases + [_describe_option(game, *pair) for pair in agreed if pair[0].kind in ("flag", "names")]


def _describe_option(game: str, option: Option, value: Any) -> str:
    """One of the game's own options, which is set."""
    if option.kind == "species":
        return _(", ").join(name_animal(slug) for slug in value)
    if option.kind == "names":
        return " · ".join(name_rank(game, str(name).strip().lower().replace(" ", "-")) for name in value)
    info = registry.infos()[game]
    phrase = translate(info.option_phrases.get(option.name) or info.option_labels.get(option.name, option.name))
    return str(phrase) % {"number": value + 1} if option.kind == "seat" else str(phrase)


def say_connection_limits() -> dict[str, str]:
    """Why the server keeps no live connection for a page, by the word of its close code."""
    return {
        "crowded_network": _(
            "Too many tables are open from your network. This page updates only every few seconds. Close "
            "other tables to get live updates."
        ),
        "crowded_person": _(
            "You have too many tables open. This page updates only every few seconds. Close other "
            "tables, then reload this page."
        ),
    }


def say_turn_time(seconds: int) -> str:
    """How long a turn may take."""
    if is_over_days(seconds):
        days = seconds // DAY_SECONDS
        return ngettext("%(days)d day per turn", "%(days)d days per turn", days) % {"days": days}
    return ngettext("%(seconds)d second per turn", "%(seconds)d seconds per turn", seconds) % {"seconds": seconds}


def table_words() -> dict[str, Any]:
    """What the scripts of every table say. A game adds `bell_now` and `ring`, and what its own script needs."""
    return {
        "turn": _("Your turn"),
        "seconds": _("Seconds left: %(seconds)s"),
        "hours_left": _("%(hours)s h %(minutes)s min"),
        "days_left": _("%(days)s d %(hours)s h"),
        "bell": _("Bell in %(time)s"),
        "live": _("Live"),
        "reconnecting": _("Reconnecting … This may be out of date."),
        "polling": _("Weak connection: updating every few seconds"),
        "sending": _("Sending …"),
        "slow": _("No answer yet. Your move is still on its way."),
        "watchers": _("%(count)s watching"),
        "sound_on": _("Sound is on"),
        "sound_off": _("Sound is off"),
        "notify_denied": _("Your browser blocks notifications from this page. Allow them in the browser settings."),
        "notify_body": _("It is your turn at the table."),
    }


def list_guide_tips(game: str) -> list[list[str]]:
    """Tips for a person's first game, in the reader's language, each as [CSS selector, sentence].

    The last one whose selector matches the page is shown.
    """
    return [[remark.selector, str(translate(remark.text))] for remark in registry.infos()[game].guide]
