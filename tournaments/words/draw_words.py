"""The draw's messages in the reader's language: why people sit together, and why there is no draw."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

REASONS: dict[str, str | Promise] = {
    "same score: %(score)d": _("Everybody here has the same score: %(score)s."),
    "scores from %(low)d to %(high)d": _("Points from %(low)s to %(high)s."),
    "nobody here has met before": _("Nobody here has met before."),
    "nobody here has met in the last games": _("Nobody here has met in the last games."),
    "%(one)s and %(other)s meet again (before: %(times)d)": _("%(one)s and %(other)s meet again (so far: %(times)s)."),
    "%(one)s and %(other)s meet again (before: %(times)d): any draw without that costs at least as much elsewhere": _(
        "%(one)s and %(other)s meet again (so far: %(times)s): "
        "any draw without that would cost at least as much elsewhere."
    ),
    "%(one)s and %(other)s meet again (before: %(times)d): no better draw was found": _(
        "%(one)s and %(other)s meet again (so far: %(times)s): no better draw was found."
    ),
    "%(one)s and %(other)s meet again (before: %(times)d): they are locked together": _(
        "%(one)s and %(other)s meet again (so far: %(times)s), for the organiser keeps them together."
    ),
    "%(one)s and %(other)s meet again (in the last games: %(times)d)": _(
        "%(one)s and %(other)s meet again (in the last games: %(times)s)."
    ),
    "locked together: %(names)s": _("Kept together by the organiser: %(names)s."),
    "a pod of %(size)d, because the number present does not divide by %(wanted)d": _(
        "A table of %(size)s, because those who are drawn together do not divide by %(wanted)s."
    ),
    "a pod of %(size)d, because so many are locked together": _(
        "A table of %(size)s, because the organiser keeps so many together."
    ),
    "a pod of %(size)d, because locks or forbidden pairs leave no sizes nearer to %(wanted)d "
    "without further or other byes": _(
        "A table of %(size)s: who is kept together or apart leaves no sizes nearer to %(wanted)s, "
        "unless more people or others sit out."
    ),
    "a pod of %(size)d: no draw with sizes nearer to %(wanted)d was found": _(
        "A table of %(size)s: no draw with sizes nearer to %(wanted)s was found."
    ),
    "up to this table: %(names)s": _("Up to this table: %(names)s."),
    "down to this table: %(names)s": _("Down to this table: %(names)s."),
    "stay at this table: %(names)s": _("Stay at this table: %(names)s."),
    "sat out the last time: %(names)s": _("Sat out the last time: %(names)s."),
    "new on the ladder: %(names)s": _("New on the ladder: %(names)s."),
    "from the screens, to fill a table up: %(names)s": _("From the screens, to fill this table up: %(names)s."),
    "changed by hand": _("Changed by the organiser."),
    "seeds %(seeds)s": _("Seeds %(seeds)s."),
}
"""Template of a reason (tournaments/draw/problem/reasons.py) → translatable text."""

CONFLICTS: dict[str, str | Promise] = {
    "only %(present)d present, and a pod needs at least %(min)d": _(
        "Only %(present)s here, and a table needs at least %(min)s."
    ),
    "%(one)s and %(other)s may not meet but are locked together": _(
        "%(one)s and %(other)s may not meet, but they are kept together."
    ),
    "%(names)s are locked together: %(count)d, and a pod holds at most %(max)d": _(
        "Kept together: %(names)s. That makes %(count)s, and a table holds at most %(max)s."
    ),
    "these rules leave no draw: %(rules)s": _("Taken together, these rules leave no draw: %(rules)s."),
    "%(names)s are locked together": _("kept together: %(names)s"),
    "%(first)s and %(second)s may not meet": _("%(first)s and %(second)s may not meet"),
    "no draw was found that keeps all locks and forbidden pairs": _(
        "No draw was found that keeps everybody together or apart as you laid down."
    ),
    "wanted must lie between min and max, and %(wanted)d is not in %(min)d to %(max)d": _(
        "The wanted size of tables, %(wanted)s, is not between %(min)s and %(max)s."
    ),
    "“%(id)s” is entered twice": _("“%(id)s” is entered twice."),
    "“%(id)s” stands twice in round %(round)d of the history": _("“%(id)s” stands twice in round %(round)s."),
    "“%(id)s” cannot be forbidden to meet themselves": _("“%(id)s” cannot be kept apart from “%(id)s”."),
}
"""Template of an error (tournaments/draw/problem/errors.py) → translatable text.

Errors that only a file can have are not here: the command prints them in English.
"""
