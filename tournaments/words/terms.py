"""The names of phases, formats, roles, points and other terms, and sentences made of them, in the reader's language."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any
from unicodedata import combining, normalize

import msgspec
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.presenters.names import isolate, translate
from games.presenters.render import cache_by_language
from games.rules import registry
from tournaments import formats
from tournaments.careers.feats import find_source
from tournaments.models import Colour, Phase, Role
from tournaments.scoring.points import WHOLE
from tournaments.words.draw_words import CONFLICTS, REASONS, REMARKS
from tournaments.words.plan_words import name_columns

Text = str | Promise

STROKE_LETTERS = str.maketrans("łøđħ", "lodh")
"""Letters with a stroke, which Unicode does not decompose, and the letters they sort as."""

FORMATS: dict[str, Text] = {
    **{slug: translate(one.name) for slug, one in formats.FORMATS.items()},
}
PHASES: dict[str, Text] = {
    Phase.PLANNED: _("Planned"),
    Phase.ENTRY: _("Sign-up open"),
    Phase.CHECK_IN: _("Check-in"),
    Phase.RUNNING: _("Under way"),
    Phase.FINISHED: _("Finished"),
    Phase.ARCHIVED: _("Archived"),
    Phase.CALLED_OFF: _("Cancelled"),
}
FEATS: dict[str, Text] = {
    info.slug: translate(info.feat.name) for info in registry.infos().values() if info.feat is not None
}
"""The name of the feat of which records are kept, by game without ranks."""
ROLES: dict[str, Text] = {
    Role.OWNER: _("Owner"),
    Role.ORGANISER: _("Organiser"),
    Role.MEMBER: _("Member"),
}
COLOURS: dict[str, Text] = {
    Colour.FELT: _("Green felt"),
    Colour.HARBOUR: _("Harbour blue"),
    Colour.PLUM: _("Plum"),
    Colour.BRICK: _("Brick red"),
    Colour.OLIVE: _("Olive"),
    Colour.SLATE: _("Slate"),
}
STAGES: dict[str, Text] = {
    "swiss": _("Swiss round"),
    "knockout": _("Knockout stage"),
    "final": _("Final"),
}
POINTS: dict[str, Text] = {
    "beaten": _("Share of opponents beaten"),
    "table": _("Points for each place"),
    "score": _("Game score"),
}
POINTS_OF_SEASON: dict[str, Text] = {**POINTS, "score": _("The tournament's own points")}
"""Labels in a list to choose from."""
SEASON_POINTS: dict[str, Text] = {
    "beaten": _("Share of opponents beaten, from 1 (first place) to 0 (last place)"),
    "table": _("Points for each place"),
    "score": _("The tournament's own points (none in a knockout)"),
}
"""The same as whole sentences."""
TIE_BREAKS: dict[str, Text] = {
    "opponents": _("Opponents' average"),
    "wins": _("Wins"),
    "head-to-head": _("Head-to-head"),
    "best": _("Best result"),
    "ratio": _("Share of game scores"),
    "lot": _("Lot"),
}
SHORT_TIE_BREAKS: dict[str, Text] = {
    "opponents": pgettext_lazy("over a narrow column", "Opp"),
    "wins": pgettext_lazy("over a narrow column", "Wins"),
    "head-to-head": pgettext_lazy("over a narrow column", "Direct"),
    "best": pgettext_lazy("over a narrow column", "Best"),
    "ratio": pgettext_lazy("over a narrow column", "Share"),
    "lot": pgettext_lazy("over a narrow column", "Lot"),
}
VENUES: dict[str, Text] = {
    "mixed": _("Online and real tables"),
    "apart": _("Online and real tables, drawn separately"),
    "online": _("Online tables only"),
    "real": _("Real tables only"),
}
VENUE_HINTS: dict[str, Text] = {
    "mixed": _("A table is online if everybody at it plays on a device."),
    "apart": _("In Swiss rounds, people on devices and people in the room are drawn separately."),
    "online": _("Everybody plays on a device."),
    "real": _("Everybody plays in the room."),
}
CERTIFICATE_LINES: dict[str, Text] = {
    "byes": _("Byes"),
    "repeat_byes": _("Earlier byes of the people with a bye"),
    "bye_scores": _("Total score of people with a bye"),
    "sizes": _("Seats above or below the preferred table size, all tables"),
    "pods": _("Tables"),
    "thirds": _("Third meetings (a fourth counts 4, a fifth 9)"),
    "pairing": _("Repeat meetings and score gaps at tables"),
    "odd_sizes": _("People at a table of unusual size again"),
    "seats": _("Earlier rounds in the same seat"),
    "repeats": _("Repeat meetings over all rounds (a third meeting counts 4, a fourth 9)"),
}
"""The labels of the lines of a draw's certificate."""
NO_SHOWS: dict[str, Text] = {
    "bot": _("A bot plays until they arrive"),
    "forfeit": _("They count as a no-show"),
}
CLUBS_APART: dict[str, Text] = {
    "": _("no rule"),
    "wish": _("keep apart if possible"),
    "must": _("never at one table"),
}
"""What the draw does about people of one club or family, by the stored value."""
DUTIES: dict[str, Text] = {
    "door": _("Door, walk-ins included"),
    "scorer": _("Scorer: enter results"),
}
"""The duties of one night, by the stored value."""
AT_ENDS: dict[str, Text] = {
    "finish": _("Games are played to the end"),
    "bell": _("Games end when time is up"),
}
POINT_VALUES = frozenset({"score", "low", "high"})
"""Names of the values of reasons that are points in 840ths."""


@cache_by_language
def say_points(points: int | Fraction) -> str:
    """Points (840ths) as rounds won, at most two decimals, halves rounded away from zero: 2940 is 3.5, 525 is 0.63."""
    hundredths = int(100 * abs(Fraction(points)) / WHOLE + Fraction(1, 2))
    text = f"{'-' if points < 0 else ''}{hundredths // 100}.{hundredths % 100:02d}".rstrip("0").rstrip(".")
    return str(number_format(text, use_l10n=True)) if text not in ("", "-0") else "0"


def list_venue_choices() -> list[tuple[str, SafeString]]:
    """The places of play for a form, each with what it means below its name."""
    return [
        (venue, format_html('<span>{} <small class="hint">{}</small></span>', name, VENUE_HINTS[venue]))
        for venue, name in VENUES.items()
    ]


def say_shortfall(people: int, full: int, planned: int, *, is_over: bool = False) -> str:
    """A sentence about a round robin with fewer rounds than a full schedule. full, planned: numbers of rounds."""
    rounds = ngettext("%(full)s round", "%(full)s rounds", full) % {"full": full}
    values = {"people": people, "rounds": rounds, "planned": planned}
    if is_over:
        return (
            gettext("A full round robin for %(people)s people takes %(rounds)s. Rounds played: %(planned)s.") % values
        )
    return gettext("A full round robin for %(people)s people takes %(rounds)s. Rounds planned: %(planned)s.") % values


def say_plan_distance(value: int, bound: int) -> str:
    """A sentence about the repeat meetings of a round robin's plan, and how far from the fewest possible they are.

    bound: its certificate's.
    """
    if value == 0:
        return gettext("In this plan, nobody meets anybody again.")
    values = {"value": value, "bound": bound, "more": value - bound}
    if value == bound:
        return (
            gettext("Repeat meetings in this plan: %(value)s. No plan with tables of these sizes has fewer.") % values
        )
    return (
        gettext(
            "Repeat meetings in this plan: %(value)s. Any plan with tables of these sizes has at least %(bound)s, so "
            "this one is at most %(more)s above the minimum."
        )
        % values
    )


def name_stage(tournament_format: str, stage: str) -> str:
    """The kind of a round, in formats that have more than one; else empty."""
    return str(STAGES[stage]) if formats.find(tournament_format).names_stages else ""


def name_elimination_stage(stage: str, tables: int, people: int) -> str:
    """The stage of a knockout by how many tables it has: final, semi-final, quarter-final, before that the people.

    One table is no final where others have a bye.
    """
    if stage == "final":
        return str(STAGES["final"])
    if tables <= 2:
        return gettext("Semi-final")
    return gettext("Quarter-final") if tables <= 4 else gettext("Last %(people)s") % {"people": people}


def name_sort_key(name: str) -> tuple[str, str]:
    """The sort key of a name: capitals and accents count only between otherwise equal names."""
    letters = "".join(sign for sign in normalize("NFKD", name.casefold()) if not combining(sign))
    return letters.translate(STROKE_LETTERS), name


def _isolate_each(names: str) -> str:
    """Isolate each name of a list for bidirectional text."""
    return ", ".join(map(isolate, names.split(", ")))


def fill(template: Text, values: Mapping[str, Any]) -> str:
    """Fill a sentence with its values: names isolated for bidirectional text, places with the names of who has them."""
    if "fields" in values:
        values = {**values, "fields": name_columns(values["fields"])}
    values = {name: _isolate_each(value) if isinstance(value, str) else value for name, value in values.items()}
    if "places" in values and len(values.get("names", ())) == len(values["places"]):
        values = {**values, "places": _say_finish(values["places"], values["names"], values.get("scores") or ())}
    shown = {name: ", ".join(map(str, value)) if isinstance(value, list) else value for name, value in values.items()}
    return str(template % defaultdict(str, shown))  # before str: a plural template takes its number from the values


def _say_finish(places: Sequence[int], names: Sequence[str], scores: Sequence[int]) -> list[str]:
    """The finish in order of places, with scores if there are any: "1. Ana (12)"."""
    notes = [f" ({score})" for score in scores] or [""] * len(places)
    finish = sorted(zip(places, map(isolate, names), notes, strict=True))
    return [f"{place}. {name}{score}" for place, name, score in finish]


def say_reasons(reasons: Sequence[Sequence[Any]]) -> list[str]:
    """Why the draw seats these people together, in sentences. reasons: pairs of template and values."""
    return [_say_reason(str(template), values) for template, values in reasons]


def list_remarks(reasons: Sequence[Sequence[Any]]) -> list[tuple[str, str]]:
    """The reasons that an organiser looks at first in a draft: (key of `REMARKS`, sentence)."""
    return [(key, _say_reason(template, values)) for template, values in reasons for key in REMARKS if key in template]


def _say_reason(template: str, values: Mapping[str, Any]) -> str:
    shown = {
        name: say_points(value) if name in POINT_VALUES and isinstance(value, int) else value
        for name, value in values.items()
    }
    return fill(REASONS.get(template, template.replace(")d", ")s")), shown)


def say_trouble(trouble: str) -> str:
    """A refusal that was stored as JSON [template, values], in the reader's language."""
    if not trouble:
        return ""
    return _say_trouble(*msgspec.json.decode(trouble))


def _say_trouble(template: str, values: Mapping[str, Any]) -> str:
    """The sentence of a refusal, whose values may be refusals or lists of them."""
    shown = {name: _say_value(value) for name, value in values.items()}
    conflict = CONFLICTS.get(template)
    return fill((gettext(template) if conflict is None else str(conflict)).replace(")d", ")s"), shown)


def _say_value(value: Any) -> Any:
    if _is_trouble(value):
        return _say_trouble(*value).removesuffix(".")
    if isinstance(value, list) and all(map(_is_trouble, value)):
        return "; ".join(_say_trouble(*each) for each in value)
    return value


def _is_trouble(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], dict)


NO_ACTOR = pgettext_lazy("who did it", "Menagerie")
"""The actor of steps that no person took."""


def name_deals(count: int) -> str:
    """A number of deals in words."""
    return ngettext("%(deals)s deal", "%(deals)s deals", count) % {"deals": count}


def name_feat(game: str, amount: int) -> str:
    """The amount of a feat in words: points, or for a duel the number of plays."""
    if find_source(game) == "duel":
        return ngettext("%(count)s play", "%(count)s plays", amount) % {"count": amount}
    return ngettext("%(count)s point", "%(count)s points", amount) % {"count": amount}
