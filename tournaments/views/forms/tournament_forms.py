"""The forms of clubs, evenings and tournament plans; valid forms become typed plans."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, ClassVar

from django import forms
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.accounts.time_zones import find_zone, in_zone
from games.bots import list_bot_levels
from games.presenters.names import BOT_LEVELS, GAMES
from games.presenters.table_texts import say_turn_time
from games.records import strict_json
from games.rules import registry
from games.rules.day_pace import DAY_SECONDS, DAYS_PER_TURN, is_over_days
from tournaments import formats
from tournaments.flow.evenings.sessions import GAMES as TIMED_GAMES
from tournaments.flow.evenings.sessions import MINUTES, EveningPlan
from tournaments.flow.planning.plan_templates import MOST_WEEKS
from tournaments.flow.planning.tournament_plan import (
    DAY_MINUTES,
    MOST_FEE,
    MOST_PLACES,
    ROUND_DAYS,
    Agreement,
    propose_tie_breaks,
)
from tournaments.formats import night
from tournaments.formats.base import Format, Sizes
from tournaments.formats.night import ROUND_MINUTES, Night, count_new_opponents, propose_night
from tournaments.formats.rounds import MOST_ROUNDS
from tournaments.formats.rounds import ROUNDS as PROPOSED_ROUNDS
from tournaments.models import Colour, Venue
from tournaments.scoring.points import TIE_BREAKS, WITHOUT_SCORES
from tournaments.scoring.teams import LEAST_PEOPLE, MOST_PEOPLE
from tournaments.views.forms.season_forms import PointsField, read_points_table
from tournaments.views.forms.tie_break_field import TieBreaksField
from tournaments.words import terms

PROPOSED = {"wanted": 4, "least": 4, "most": 5}
"""Initial numbers of people at a table; `PlanForm.clean` adapts them to smaller games."""
COLUMN_FIELDS = {"options": "deals"}
"""Plan columns whose form field has another name."""
FORMAT_FIELDS = tuple(dict.fromkeys(field for one in formats.FORMATS.values() for field in one.plan_fields))
"""Fields of the settings that only some formats have."""
TIMED = {
    slug: proposed["round_minutes"]
    for slug, one in formats.FORMATS.items()
    if "round_minutes" in (proposed := one.propose(1, Sizes(**PROPOSED)))
}
"""The proposed length in minutes of a round or arena, in formats that need one."""
ARENA_DEALS = 3
"""Proposed where people are seated again after each game, which should be short."""
PROPOSED_DAYS = 14
"""Proposed days for a round over days: a turn a day for a short game of four, and some in reserve."""
DAYS_DEALS = 1
"""Deals or sessions of a game over days, if nothing else was agreed."""
LIVE_FIELDS = ("length", "round_minutes", "venue", "turn_seconds", "no_show", "no_show_points", "has_sound")
"""Fields that do not matter over days: everybody plays on a device, and nobody is late."""


def _uses(one: Format, field: str) -> bool:
    """Whether the plan of this format has this field."""
    return field not in one.unused_fields and (field in one.plan_fields or field not in FORMAT_FIELDS)


def propose_evening(
    form: Format, sizes: Sizes, people: int, length: int | None, round_minutes: int | None
) -> Night | None:
    """The rounds that fit into an evening of `length` minutes; None where there is nothing to propose.

    A knockout has the stages that it takes, and an arena has no rounds: they do not use this field.
    """
    if not length or "length" in form.unused_fields:
        return None
    full = form.count_schedule(people, sizes)
    most = full if full is not None else count_new_opponents(people, sizes.wanted)
    return propose_night(people, length, sizes, most_rounds=most, round_minutes=round_minutes)


class ClubForm(forms.Form):
    """Name, description and settings of a club."""

    name = forms.CharField(label=_("Name of the club"), min_length=2, max_length=60)
    about = forms.CharField(
        label=_("Description"), required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 3})
    )
    place = forms.CharField(
        label=_("Where the club meets"),
        required=False,
        max_length=120,
        help_text=_("An address, or “online”. It is shown with the next night."),
    )
    colour = forms.ChoiceField(
        label=_("Colour of the club's page"), choices=list(terms.COLOURS.items()), required=False
    )
    is_public = forms.BooleanField(
        label=_("Visible to everyone (otherwise only to members)"), required=False, initial=True
    )
    can_talk = forms.BooleanField(
        label=_("Members may write their own messages, not only choose phrases"), required=False, initial=True
    )

    def clean_colour(self) -> str:
        """The chosen colour; that of new clubs without a choice."""
        return self.cleaned_data["colour"] or Colour.FELT


class MomentForm(forms.Form):
    """A form with `starts_at`, read in the time zone in which it was shown (hidden field `zone`)."""

    EMPTY: ClassVar[terms.Text] = ""
    """What an empty `starts_at` means, as a sentence of its help text."""

    starts_at = forms.DateTimeField(
        label=_("Start time"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )
    zone = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, initial: dict[str, Any] | None = None) -> None:
        super().__init__(data, initial={**(initial or {}), "zone": get_current_timezone_name()})
        zone = find_zone(self["zone"].value()) or get_current_timezone_name()
        hint = gettext("Your time zone: %(zone)s.") % {"zone": str(zone).replace("_", " ")}
        self.fields["starts_at"].help_text = f"{self.EMPTY} {hint}".strip()

    def full_clean(self) -> None:
        """Clean in the time zone of the form."""
        with in_zone(self.data.get("zone")):
            super().full_clean()


class EveningForm(MomentForm):
    """The plan of an evening: game, start and length."""

    name = forms.CharField(label=_("Name of the evening"), min_length=2, max_length=80)
    game = forms.ChoiceField(label=_("Game"))
    minutes = forms.IntegerField(
        label=_("Length (minutes)"), min_value=MINUTES[0], max_value=MINUTES[-1], initial=90,
        help_text=_("After that, each table finishes its deal. You can change the end later."),
    )  # fmt: skip
    EMPTY = _("Leave empty to start now.")
    field_order = ("name", "game", "minutes", "starts_at")

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        self.fields["game"].choices = [(slug, GAMES[slug].name) for slug in TIMED_GAMES]  # type: ignore[attr-defined]

    def plan(self) -> EveningPlan:
        """The valid form as a plan."""
        data = self.cleaned_data
        starts_at = data["starts_at"].timestamp() if data["starts_at"] else None
        return EveningPlan(data["name"], data["game"], data["minutes"], starts_at)


class PlanForm(MomentForm):
    """The plan of a tournament: `MAIN` fields first, the others in `FURTHER` groups."""

    name = forms.CharField(label=_("Name of the tournament"), min_length=2, max_length=80)
    game = forms.ChoiceField(label=_("Game"))
    format = forms.ChoiceField(
        label=_("Format"), choices=[(one, terms.FORMATS[one]) for one in formats.FORMATS], initial=formats.DEFAULT.slug
    )
    venue = forms.ChoiceField(
        label=_("Where people play"), choices=terms.list_venue_choices, widget=forms.RadioSelect, initial="mixed"
    )
    rounds_planned = forms.IntegerField(
        label=_("Rounds"), min_value=1, max_value=MOST_ROUNDS, initial=PROPOSED_ROUNDS,
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
        label=_("Evenings, one a week"), required=False, min_value=1, max_value=MOST_WEEKS,
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
            "Over days, people do not have to be there at the same time. "
            "They are told when it is their turn, and each round has a deadline."
        ),
    )  # fmt: skip
    round_days = forms.IntegerField(
        label=_("Deadline of a round (days after its start)"), required=False,
        min_value=ROUND_DAYS[0], max_value=ROUND_DAYS[-1], initial=PROPOSED_DAYS,
        help_text=_("Then each game ends as its rules say. Stand-ins play what is left of it."),
    )  # fmt: skip
    round_minutes = forms.IntegerField(
        label=_("Time limit of a round or arena (minutes)"),
        required=False, min_value=1, max_value=1440,
        help_text=_("Leave empty for no time limit. An arena and a ladder need one."),
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
        label=_("Places"), required=False, min_value=2, max_value=MOST_PLACES,
        help_text=_("Leave empty for any number. When all places are taken, people go on a waiting list and move up."),
    )  # fmt: skip
    fee = forms.CharField(
        label=_("Fee"), required=False, max_length=MOST_FEE,
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
        label=_("People per team in a round"), required=False, min_value=LEAST_PEOPLE, max_value=MOST_PEOPLE,
        help_text=_("Leave empty for a tournament without teams. Team mates are kept at different tables if possible."),
    )  # fmt: skip
    team_best = forms.IntegerField(
        label=_("Scores that count for a team in each round"), required=False, min_value=1, max_value=MOST_PEOPLE,
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

    def __init__(
        self, data: Any = None, *, initial: dict[str, Any] | None = None, seasons: Sequence[tuple[str, str]] = (),
        settled: Collection[str] = (), hint: str = "", is_new: bool = True,
    ) -> None:  # fmt: skip
        """settled: plan columns to show disabled; hint: help text of the rounds when an existing plan is changed.

        is_new: whether a tournament is planned; a new one that starts from another plan has initial values, too.
        """
        super().__init__(data, initial=initial)
        self.is_new = is_new
        if not is_new:
            for name in ("expected", "length", "weeks", "proposed"):
                del self.fields[name]
            self.fields["rounds_planned"].help_text = hint
        for name in settled:
            self.fields[COLUMN_FIELDS.get(name, name)].disabled = True
        paces = [(days, say_turn_time(days * DAY_SECONDS)) for days in DAYS_PER_TURN]
        self.fields["pace"].choices = [("", _("Live")), *paces]  # type: ignore[attr-defined]
        self.fields["season"].choices = [("", _("none")), *seasons]  # type: ignore[attr-defined]
        if not seasons:
            del self.fields["season"]
        games = [(slug, GAMES[slug].name) for slug in registry.slugs() if slug in GAMES]
        levels = dict.fromkeys(level for slug, _name in games for level in list_bot_levels(slug))
        self.fields["game"].choices = games  # type: ignore[attr-defined]
        self.fields["bot_level"].choices = [(level, BOT_LEVELS[level]) for level in levels]  # type: ignore[attr-defined]
        self._mark_what_matters()

    def _mark_what_matters(self) -> None:
        """Say in the page on which choice a field depends, and what formats propose: a script hides the others."""
        unused = {field for one in formats.FORMATS.values() for field in one.unused_fields}
        for name in {*FORMAT_FIELDS, *unused} & self.fields.keys():
            using = [slug for slug, one in formats.FORMATS.items() if _uses(one, name)]
            self.fields[name].widget.attrs |= {"data-by": "format", "data-values": " ".join(using)}
        lasting = [slug for slug, one in formats.FORMATS.items() if one.can_last_days]
        self.fields["pace"].widget.attrs |= {"data-by": "format", "data-values": " ".join(lasting)}
        self.fields["round_days"].widget.attrs["data-pace"] = "days"
        for name in self.fields.keys() & set(LIVE_FIELDS):
            self.fields[name].widget.attrs["data-pace"] = "live"
        self.fields["points_table"].widget.attrs |= {"data-by": "points", "data-values": "table"}
        if not self.initial.get("name"):
            sessions = dict.fromkeys((slug for slug, one in formats.FORMATS.items() if not one.has_rounds), ARENA_DEALS)
            for name, proposed in (("round_minutes", TIMED), ("deals", sessions)):
                self.fields[name].widget.attrs["data-proposed"] = strict_json.write(proposed)

    def main_fields(self) -> list[forms.BoundField]:
        """The fields that each organiser fills in."""
        return [self[name] for name in self.MAIN if name in self.fields]

    def further_groups(self) -> list[dict[str, Any]]:
        """The optional fields in groups by topic."""
        return [
            {"name": name, "fields": known, "has_errors": any(field.errors for field in known)}
            for name, names in self.FURTHER
            for known in [[self[field] for field in names if field in self.fields]]
        ]

    def clean_points_table(self) -> list[int]:
        """The points by place as whole numbers."""
        return read_points_table(self.cleaned_data["points_table"])

    def clean(self) -> dict[str, Any]:
        """In a new plan, replace untouched sizes, tie-breaks, rounds and turn time by those for its game and venue."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if data.get("pace") and "format" in data and not formats.find(data["format"]).can_last_days:
            data["pace"] = ""  # the page hides it there
        if data.get("pace"):
            data |= {"venue": Venue.ONLINE.value, "length": None, "round_minutes": None}
        if not self.is_new or self.initial.get("name"):
            return data | (self._propose_rounds(data) if self.is_new else {})
        if "venue" in data and data.get("tie_breaks") == list(WITHOUT_SCORES):
            data["tie_breaks"] = list(propose_tie_breaks(data["venue"]))
        if "game" in data and data.get("turn_seconds") == self.fields["turn_seconds"].initial:
            data["turn_seconds"] = registry.infos()[data["game"]].turn_seconds
        allowed = registry.find(data["game"]).seat_counts if "game" in data else range(0)
        if 0 < allowed.stop <= PROPOSED["most"] and PROPOSED.items() <= data.items():
            most = allowed[-1]
            data |= {"wanted": most, "least": max(allowed[0], most - 1), "most": most}
        return data | self._propose_rounds(data)

    def _propose_rounds(self, data: dict[str, Any]) -> dict[str, int]:
        """The rounds (and their minutes) that fit the evening, if they are untouched and `expected` is given."""
        rounds, minutes = self._read_last_proposal()
        is_untouched = "format" in data and data.get("rounds_planned") in (PROPOSED_ROUNDS, rounds)
        if not is_untouched or not data.get("expected") or not {"wanted", "least", "most"} <= data.keys():
            return {}
        form, sizes = formats.find(data["format"]), Sizes(data["wanted"], data["least"], data["most"])
        fixed = None if data.get("round_minutes") == minutes else data.get("round_minutes")
        fitting = propose_evening(form, sizes, data["expected"], data.get("length"), fixed)
        if fitting is not None:
            return {"rounds_planned": fitting.rounds, "round_minutes": fitting.round_minutes}
        proposed = form.propose(data["expected"], sizes)
        return {"rounds_planned": proposed.get("rounds_planned", PROPOSED_ROUNDS)}

    def _read_last_proposal(self) -> tuple[int | None, int | None]:
        """Rounds and minutes that the page's script has filled in: nobody has typed them."""
        numbers = [int(one) for one in self.data.get("proposed", "").split() if one.isascii() and one.isdecimal()]
        return (numbers[0], numbers[1]) if len(numbers) == 2 else (None, None)

    def describe_night(self) -> Night | None:
        """What the evening of this form looks like, for the people expected; None as long as it does not say enough."""
        self.is_valid()
        data = self.cleaned_data
        needed = {"format", "game", "rounds_planned", "wanted", "least", "most", "advance", "cut_to"}
        if not data.get("expected") or not needed <= data.keys():
            return None
        form = formats.find(data["format"])
        if "expected" in form.unused_fields:
            return None
        people, sizes = data["expected"], Sizes(data["wanted"], data["least"], data["most"])
        return night.describe_night(
            people,
            sizes,
            rounds=0 if "rounds_planned" in form.unused_fields else data["rounds_planned"],
            round_minutes=data.get("round_minutes") or ROUND_MINUTES,
            stages=form.foresee_stages(
                people,
                sizes,
                advance=data["advance"],
                cut_to=data["cut_to"],
                smallest=registry.find(data["game"]).seat_counts.start,
            ),
        )

    def agreement(self) -> Agreement:
        """The valid form as an agreement."""
        data = dict(self.cleaned_data)
        del data["zone"]
        data.pop("season", None)
        for name in ("expected", "length", "weeks", "proposed"):
            data.pop(name, None)
        data["at_end"] = data["at_end"] or "finish"
        if "team_size" in formats.find(data["format"]).unused_fields:  # the page does not show them
            data |= {"team_size": None, "team_best": None, "has_open_teams": False}
        deals, rules = data.pop("deals"), registry.find(data["game"])
        days, round_days = data.pop("pace") or 0, data.pop("round_days")
        if days:
            deals = deals or (DAYS_DEALS if rules.ends_by_clock else None)
            data["turn_seconds"] = days * DAY_SECONDS
            data["round_minutes"] = (round_days or PROPOSED_DAYS) * DAY_MINUTES
        option_names = {option.name for option in rules.options}
        name = "deals" if "deals" in option_names else "sessions"
        return Agreement(**data, options={name: deals} if deals and name in option_names else {})

    @staticmethod
    def initial_of(agreement: Agreement) -> dict[str, Any]:
        """The initial values for an agreement."""
        values = {name: getattr(agreement, name) for name in Agreement.__struct_fields__}
        options = values.pop("options")
        values["deals"] = options.get("deals") or options.get("sessions")
        values["points_table"] = ", ".join(map(str, agreement.points_table))
        values["tie_breaks"] = list(agreement.tie_breaks)
        if is_over_days(agreement.turn_seconds):
            values["pace"] = agreement.turn_seconds // DAY_SECONDS
            values["round_days"] = (agreement.round_minutes or 0) // DAY_MINUTES
            values |= {"turn_seconds": registry.infos()[agreement.game].turn_seconds, "round_minutes": None}
        return values
