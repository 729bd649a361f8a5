"""The draw's messages in the reader's language: why people sit together, and why there is no draw."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

REASONS: dict[str, str | Promise] = {
    "same score: %(score)d": _("Everybody here has the same score: %(score)s."),
    "scores from %(low)d to %(high)d": _("Scores from %(low)s to %(high)s."),
    "nobody here has met before": _("No two people here have met before."),
    "nobody here has met in the last games": _("No two people here met in their recent games."),
    "%(one)s and %(other)s meet again (before: %(times)d)": _(
        "%(one)s and %(other)s meet again (earlier meetings: %(times)s)."
    ),
    "%(one)s and %(other)s meet again (before: %(times)d): any draw without that costs at least as much elsewhere": _(
        "%(one)s and %(other)s meet again (earlier meetings: %(times)s). No draw without this would be better overall."
    ),
    "%(one)s and %(other)s meet again (before: %(times)d): no better draw was found": _(
        "%(one)s and %(other)s meet again (earlier meetings: %(times)s). No better draw was found."
    ),
    "%(one)s and %(other)s meet again (before: %(times)d): they are locked together": _(
        "%(one)s and %(other)s meet again (earlier meetings: %(times)s), because the organiser keeps them together."
    ),
    "%(one)s and %(other)s meet again (in the last games: %(times)d)": _(
        "%(one)s and %(other)s meet again (in recent games: %(times)s)."
    ),
    "%(one)s and %(other)s are of one group": _(
        "%(one)s and %(other)s are of one team, club or family. No draw without this was better overall."
    ),
    "locked together: %(names)s": _("Kept together by the organiser: %(names)s."),
    "a pod of %(size)d, because the number present does not divide by %(wanted)d": _(
        "A table of %(size)s, because the number of people drawn together is not divisible by %(wanted)s."
    ),
    "a pod of %(size)d, because so many are locked together": _(
        "A table of %(size)s, because the organiser keeps this many people together."
    ),
    "a pod of %(size)d, because locks or forbidden pairs leave no sizes nearer to %(wanted)d "
    "without further or other byes": _(
        "A table of %(size)s. The rules on who sits together or apart allow no size closer to %(wanted)s, "
        "unless more or other people sit out."
    ),
    "a pod of %(size)d: no draw with sizes nearer to %(wanted)d was found": _(
        "A table of %(size)s, because no draw with sizes closer to %(wanted)s was found."
    ),
    "up to this table: %(names)s": _("Moved up to this table: %(names)s."),
    "down to this table: %(names)s": _("Moved down to this table: %(names)s."),
    "stay at this table: %(names)s": _("Staying at this table: %(names)s."),
    "sat out the last time: %(names)s": _("Sat out the last round: %(names)s."),
    "new on the ladder: %(names)s": _("New on the ladder: %(names)s."),
    "from the screens, to fill a table up: %(names)s": _("Moved here from online play to fill this table: %(names)s."),
    "changed by hand": _("Changed by the organiser."),
    "seeds %(seeds)s": _("Seeds %(seeds)s."),
}
"""Template of a reason (tournaments/draw/problem/reasons.py) → translatable text."""

REMARKS: dict[str, str | Promise] = {
    "meet again": _("Tables where people meet again"),
    "of one group": _("Tables with two people of one team, club or family"),
    "a pod of": _("Tables of another size"),
    "changed by hand": _("Tables changed by the organiser"),
}
"""Part of a template above → the heading of a list of such tables, which an organiser looks at first in a draft."""

CONFLICTS: dict[str, str | Promise] = {
    "only %(present)d present, and a pod needs at least %(min)d": _(
        "People present: %(present)s. A table needs at least %(min)s."
    ),
    "%(one)s and %(other)s may not meet but are locked together": _(
        "%(one)s and %(other)s may not meet, but are also kept together. Change one of these rules."
    ),
    "%(names)s are locked together: %(count)d, and a pod holds at most %(max)d": _(
        "Kept together: %(names)s. People: %(count)s. A table seats at most %(max)s."
    ),
    "these rules leave no draw: %(rules)s": _("No draw can follow all of these rules: %(rules)s."),
    "%(names)s are locked together": _("kept together: %(names)s"),
    "%(first)s and %(second)s may not meet": _("%(first)s and %(second)s may not meet"),
    "no draw was found that keeps all locks and forbidden pairs": _(
        "No draw was found that follows all your rules on who sits together or apart."
    ),
    "wanted must lie between min and max, and %(wanted)d is not in %(min)d to %(max)d": _(
        "The preferred table size, %(wanted)s, is not between %(min)s and %(max)s."
    ),
    "apart names more than %(most)d pairs, the most that a problem may have": _(
        "Too many pairs of people from one club are to be kept apart. The limit is %(most)s pairs."
    ),
    "“%(id)s” is entered twice": _("“%(id)s” is entered twice."),
    "“%(id)s” stands twice in round %(round)d of the history": _("“%(id)s” appears twice in round %(round)s."),
    "“%(id)s” cannot be forbidden to meet themselves": _("“%(id)s” cannot be kept apart from themselves."),
}
"""Template of an error (tournaments/draw/problem/errors.py) → translatable text.

Errors that only a file can have are not here: the command prints them in English.
"""
