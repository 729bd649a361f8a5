"""The fields of a tournament plan and how the page groups them; `plan_form` is what they do together."""

from __future__ import annotations

from typing import ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments import formats
from tournaments.flow.planning.plan_templates import MAX_WEEKS
from tournaments.flow.planning.tournament_plan import MAX_FEE, MAX_PLACES, ROUND_DAYS
from tournaments.formats.rounds import MAX_ROUNDS
from tournaments.formats.rounds import ROUNDS as PROPOSED_ROUNDS
from tournaments.scoring.points import TIE_BREAKS, WITHOUT_SCORES
from tournaments.scoring.teams import MAX_PEOPLE, MIN_PEOPLE
from tournaments.views.forms.moment_form import MomentForm
from tournaments.views.forms.season_forms import PointsField
from tournaments.views.forms.tie_break_field import TieBreaksField
from tournaments.words import terms

PROPOSED = {"wanted": 4, "least": 4, "most": 5}
"""Initial numbers of people at a table; `PlanForm.clean` adapts them to smaller games."""
FORMAT_FIELDS = tuple(dict.fromkeys(field for format_ in formats.FORMATS.values() for field in format_.plan_fields))
"""Fields of the settings that only some formats have."""
PROPOSED_DAYS = 14
"""Proposed days for a round over days: a turn a day for a short game of four, and some in reserve."""


class PlanFields(MomentForm):
    """The fields of a plan: `MAIN` ones first, the others in `FURTHER` groups."""

    name = forms.CharField(label=_("Name of the tournament"), min_length=2, max_length=80)
    game = forms.ChoiceField(label=_("Game"))
    format = forms.ChoiceField(
        label=_("Format"),
        choices=[(slug, terms.FORMATS[slug]) for slug in formats.FORMATS],
        initial=formats.DEFAULT.slug,
    )
    venue = forms.ChoiceField(
        label=_("Where people play"), choices=terms.list_venue_choices, widget=forms.RadioSelect, initial="mixed"
    )
    rounds_planned = forms.IntegerField(
        label=_("Rounds"), min_value=1, max_value=MAX_ROUNDS, initial=PROPOSED_ROUNDS,
    )  # fmt: skip
    expected = forms.IntegerField(
        label=_("Expected number of people"), required=False, min_value=2, max_value=2000,
    )  # fmt: skip
    length = forms.IntegerField(
        label=_("Length of the evening (minutes)"), required=False, min_value=10, max_value=1440,
        help_text=_("Rounds and minutes follow from it and from the number of people, unless you set them yourself."),
    )  # fmt: skip
    proposed = forms.CharField(required=False, widget=forms.HiddenInput)
    weeks = forms.IntegerField(
        label=_("Evenings, one a week"), required=False, min_value=1, max_value=MAX_WEEKS,
        help_text=_("Plans the same tournament for this many weeks. Leave empty for one evening."),
    )  # fmt: skip
    wanted = forms.IntegerField(
        label=_("People per table: preferred"), min_value=2, max_value=8, initial=PROPOSED["wanted"]
    )
    least = forms.IntegerField(
        label=_("People per table: at least"), min_value=2, max_value=8, initial=PROPOSED["least"]
    )
    most = forms.IntegerField(label=_("People per table: at most"), min_value=2, max_value=8, initial=PROPOSED["most"])
    about = forms.CharField(
        label=_("Description"), required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 3})
    )
    deals = forms.IntegerField(
        label=_("Deals or sessions per game"), required=False, min_value=1, max_value=999,
        help_text=_("Leave empty for the usual length of the game."),
    )  # fmt: skip
    pace = forms.TypedChoiceField(
        label=_("Pace of the game"), coerce=int, required=False,
        help_text=_(
            "In games over days, people do not have to be there at the same time. "
            "They are told when it is their turn, and each round has a deadline."
        ),
    )  # fmt: skip
    round_days = forms.IntegerField(
        label=_("Deadline of a round (days after its start)"), required=False,
        min_value=ROUND_DAYS[0], max_value=ROUND_DAYS[-1], initial=PROPOSED_DAYS,
        help_text=_("Then each game ends as its rules say. Stand-ins play what is left of it."),
    )  # fmt: skip
    round_minutes = forms.IntegerField(
        label=_("Time limit (minutes)"),
        required=False, min_value=1, max_value=1440,
        help_text=_("Leave empty for no time limit, if the format allows that."),
    )  # fmt: skip
    turn_seconds = forms.IntegerField(
        label=_("Seconds per turn at online tables"), min_value=5, max_value=3600, initial=45
    )
    grace_minutes = forms.IntegerField(
        label=_("Grace period (minutes)"), min_value=0, max_value=120, initial=5,
        help_text=_("How long an online table waits for somebody who is missing."),
    )  # fmt: skip
    no_show = forms.ChoiceField(
        label=_("If someone is still missing"), choices=list(terms.NO_SHOWS.items()), initial="bot"
    )
    advance = forms.IntegerField(
        label=_("Knockout: how many advance from each table"), min_value=1, max_value=7, initial=2
    )
    cut_to = forms.IntegerField(label=_("Cut: how many advance to the knockout"), min_value=2, max_value=999, initial=8)
    points = forms.ChoiceField(
        label=_("Points based on"), choices=list(terms.POINTS.items()), initial="beaten",
        help_text=_("Share of opponents beaten: 1 for first place, 0 for last place."),
    )  # fmt: skip
    points_table = forms.CharField(label=_("Points by place, from first place down"), initial="5, 3, 2, 1")
    tie_breaks = TieBreaksField(
        TIE_BREAKS, initial=list(WITHOUT_SCORES),
        help_text=_(
            "The first one decides between equal points, then the next one. “Share of game scores” is "
            "skipped if scores are missing."
        ),
    )  # fmt: skip
    bye_points = PointsField(label=_("Score for a bye"), initial=840)
    absent_points = PointsField(label=_("Score for sitting out a round"), initial=0)
    no_show_points = PointsField(label=_("Score for a no-show"), initial=0)
    forfeit_points = PointsField(label=_("Score for a forfeit"), initial=0)
    repeat_worth = PointsField(
        label=_("How strongly to avoid repeat opponents"), initial=1260, least=0,
        help_text=_(
            "One repeat counts as much as a gap of this many wins at a table. "
            "Higher: fewer repeats. Lower: more even tables."
        ),
    )  # fmt: skip
    bots_fill = forms.BooleanField(
        label=_("Fill empty seats at online tables with bots, so that nobody has a bye"), required=False
    )
    bot_level = forms.ChoiceField(label=_("Bot level"), initial="steady")
    duplicate = forms.BooleanField(
        label=_("Duplicate deals: all online tables with the same number of players get the same cards in a round"),
        required=False,
    )
    season = forms.ChoiceField(label=_("Counts for the season"), required=False)
    is_rated = forms.BooleanField(label=_("Counts for ratings"), required=False, initial=True)
    is_public = forms.BooleanField(label=_("Visible to everyone"), required=False, initial=True)
    at_end = forms.ChoiceField(
        label=_("When an arena closes"), choices=list(terms.AT_ENDS.items()), initial="finish", required=False
    )
    has_sound = forms.BooleanField(label=_("Bell sound on the hall display"), required=False)
    capacity = forms.IntegerField(
        label=_("Places"), required=False, min_value=2, max_value=MAX_PLACES,
        help_text=_("Leave empty for any number. When all places are taken, people go on a waiting list and move up."),
    )  # fmt: skip
    fee = forms.CharField(
        label=_("Fee"), required=False, max_length=MAX_FEE,
        help_text=_("One line for everybody to read, such as “5 euros, paid at the door”."),
    )  # fmt: skip
    entry_closes_at = forms.DateTimeField(
        label=_("Sign-up closes"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text=_("After that, only organisers and the door add people. Leave empty for no limit."),
    )
    clubs_apart = forms.ChoiceField(
        label=_("People of one club or family"), choices=list(terms.CLUBS_APART.items()), required=False,
        help_text=_("The club or family is the column “club” of your list."),
    )  # fmt: skip

    team_size = forms.IntegerField(
        label=_("People per team in a round"), required=False, min_value=MIN_PEOPLE, max_value=MAX_PEOPLE,
        help_text=_("Leave empty for a tournament without teams. Team mates are kept at different tables if possible."),
    )  # fmt: skip
    team_best = forms.IntegerField(
        label=_("Scores that count for a team in each round"), required=False, min_value=1, max_value=MAX_PEOPLE,
        help_text=_("The best ones of its people. Leave empty to count as many as people play."),
    )  # fmt: skip
    has_open_teams = forms.BooleanField(
        label=_("People who sign up can choose their team or name a new one"), required=False
    )

    MAIN = (
        "name",
        "game",
        "format",
        *FORMAT_FIELDS,
        "pace",
        "round_days",
        "expected",
        "length",
        "rounds_planned",
        "round_minutes",
        "deals",
        "starts_at",
        "weeks",
        "venue",
        "wanted",
        "least",
        "most",
        "about",
    )

    FURTHER: ClassVar[tuple[tuple[terms.Text, tuple[str, ...]], ...]] = (
        (_(
            "Time limits and no-shows"
        ), ("turn_seconds", "grace_minutes", "no_show", "no_show_points", "has_sound")),
        (_("Points and tie-breaks"), ("points", "points_table", "bye_points", "absent_points", "forfeit_points",
                                      "tie_breaks")),
        (_("Sign-up"), ("capacity", "fee", "entry_closes_at")),
        (_("Teams"), ("team_size", "team_best", "has_open_teams")),
        (_("Draw, bots and deals"), ("repeat_worth", "clubs_apart", "bots_fill", "bot_level", "duplicate")),
        (_("Season, ratings, visibility"), ("season", "is_rated", "is_public")),
    )  # fmt: skip
