"""The labels of a plan's columns, as in its form, for texts elsewhere."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

Text = str | Promise

COLUMNS: dict[str, Text] = {
    "name": pgettext_lazy("a tournament", "Name"),
    "game": _("Game"),
    "format": _("Format"),
    "starts_at": _("Begins"),
    "venue": _("Where it is played"),
    "rounds_planned": _("Rounds"),
    "wanted": _("People at a table: wanted"),
    "least": _("People at a table: at least"),
    "most": _("People at a table: at most"),
    "about": _("What people should know"),
    "options": _("Deals or sessions a game"),
    "round_minutes": _("Minutes until the bell of a round, or until an arena closes"),
    "turn_seconds": _("Seconds a turn, on screens"),
    "grace_minutes": _("Minutes to wait for the late"),
    "no_show": _("Who has not come by then"),
    "advance": _("Knockout: how many of a table go on"),
    "cut_to": _("Cut: how many go on into the knockout"),
    "points": _("Points come from"),
    "points_table": _("Table of points, the first place's first"),
    "tie_breaks": _("Tie-breaks, one a line, the first decides first"),
    "bye_points": _("A bye counts"),
    "absent_points": _("An absence counts"),
    "no_show_points": _("Not coming to one's table counts"),
    "forfeit_points": _("A forfeit counts"),
    "repeat_worth": _("What meeting somebody again may cost in closeness"),
    "bots_fill": _("A bot takes an empty chair on screens, so that nobody has a bye"),
    "bot_level": _("How bots play"),
    "duplicate": _(
        "Duplicate deals: all tables on screens with the same number of players get the same cards in a round"
    ),
    "is_rated": _("Counts for ratings"),
    "is_public": _("Shown to everybody"),
    "at_end": _("When an arena closes"),
    "has_sound": _("The hall display rings a bell"),
    "best_of": _("How many tournaments count"),
}
"""Column of a tournament or season → label of its form field."""


def name_columns(columns: Iterable[str]) -> str:
    """The labels of some columns as a list: “Format”, “Rounds”."""
    return ", ".join(gettext("“%(what)s”") % {"what": COLUMNS.get(name, name)} for name in columns)
