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
    "starts_at": _("Start time"),
    "venue": _("Where people play"),
    "rounds_planned": _("Rounds"),
    "wanted": _("People per table: preferred"),
    "least": _("People per table: at least"),
    "most": _("People per table: at most"),
    "about": _("Description"),
    "options": _("Deals or sessions per game"),
    "round_minutes": _("Time limit (minutes)"),
    "turn_seconds": _("Seconds per turn at online tables"),
    "grace_minutes": _("Grace period (minutes)"),
    "no_show": _("If someone is still missing"),
    "advance": _("Knockout: how many advance from each table"),
    "cut_to": _("Cut: how many advance to the knockout"),
    "points": _("Points based on"),
    "points_table": _("Points by place, from first place down"),
    "tie_breaks": _("Tie-breaks, in order"),
    "bye_points": _("Score for a bye"),
    "absent_points": _("Score for sitting out a round"),
    "no_show_points": _("Score for a no-show"),
    "forfeit_points": _("Score for a forfeit"),
    "repeat_worth": _("How strongly to avoid repeat opponents"),
    "bots_fill": _("Fill empty seats at online tables with bots, so that nobody has a bye"),
    "bot_level": _("Bot level"),
    "duplicate": _("Duplicate deals: all online tables with the same number of players get the same cards in a round"),
    "is_rated": _("Counts for ratings"),
    "is_public": _("Visible to everyone"),
    "at_end": _("When an arena closes"),
    "has_sound": _("Bell sound on the hall display"),
    "capacity": _("Places"),
    "fee": _("Fee"),
    "entry_closes_at": _("Sign-up closes"),
    "clubs_apart": _("People of one club or family"),
    "team_size": _("People per team in a round"),
    "team_best": _("Scores that count for a team in each round"),
    "has_open_teams": _("People who sign up can choose their team or name a new one"),
    "best_of": _("Number of tournaments that count"),
}
"""Column of a tournament or season → label of its form field."""


def name_columns(columns: Iterable[str]) -> str:
    """The labels of some columns as a list: “Format”, “Rounds”."""
    return ", ".join(gettext("“%(what)s”") % {"what": COLUMNS.get(name, name)} for name in columns)
