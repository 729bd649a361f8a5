"""The form of a tournament plan: what it proposes, what depends on what; a valid one becomes an `Agreement`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.bots import list_bot_levels
from games.presenters.names import BOT_LEVELS, GAMES
from games.presenters.table_texts import say_turn_time
from games.records import strict_json
from games.rules import registry
from games.rules.day_pace import DAY_SECONDS, DAYS_PER_TURN, is_over_days
from tournaments import formats
from tournaments.flow.planning.tournament_plan import (
    DAY_MINUTES,
    Agreement,
    propose_tie_breaks,
)
from tournaments.formats import night
from tournaments.formats.base import Format, Sizes
from tournaments.formats.night import ROUND_MINUTES, Night, count_new_opponents, propose_night
from tournaments.formats.rounds import ROUNDS as PROPOSED_ROUNDS
from tournaments.models import Venue
from tournaments.scoring.points import WITHOUT_SCORES
from tournaments.views.forms.plan_fields import FORMAT_FIELDS, PROPOSED, PROPOSED_DAYS, PlanFields
from tournaments.views.forms.season_forms import read_points_table

COLUMN_FIELDS = {"options": "deals"}
"""Plan columns whose form field has another name."""
TIMED = {
    slug: proposed["round_minutes"]
    for slug, one in formats.FORMATS.items()
    if "round_minutes" in (proposed := one.propose(1, Sizes(**PROPOSED)))
}
"""The proposed length in minutes of a round or arena, in formats that need one."""
ARENA_DEALS = 3
"""Proposed where people are seated again after each game, which should be short."""
DAYS_DEALS = 1
"""Deals or sessions of a game over days, if nothing else was agreed."""
LIVE_FIELDS = ("length", "round_minutes", "venue", "turn_seconds", "no_show", "no_show_points", "has_sound")
"""Fields that do not matter over days: everybody plays on a device, and nobody is late."""


def _uses(format_: Format, field: str) -> bool:
    """Whether the plan of this format has this field."""
    return field not in format_.unused_fields and (field in format_.plan_fields or field not in FORMAT_FIELDS)


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


class PlanForm(PlanFields):
    """The plan of a tournament."""

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
        unused = {field for format_ in formats.FORMATS.values() for field in format_.unused_fields}
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
            {"name": name, "fields": fields, "has_errors": any(field.errors for field in fields)}
            for name, names in self.FURTHER
            for fields in [[self[field] for field in names if field in self.fields]]
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
        numbers = [int(text) for text in self.data.get("proposed", "").split() if text.isascii() and text.isdecimal()]
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
