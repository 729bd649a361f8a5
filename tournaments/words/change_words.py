"""What a step has changed, in the reader's language: what it was before, and what it is since."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

import msgspec
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.presenters.names import BOT_LEVELS, GAMES, isolate
from games.templatetags.menagerie import clock_time, moment
from tournaments.flow.planning.tournament_plan import JSON_FIELDS
from tournaments.models import Entrant, Pod, PodSeat, Result, Round, Tournament
from tournaments.words.plan_words import COLUMNS
from tournaments.words.terms import AT_ENDS, FORMATS, NO_SHOWS, PHASES, POINTS, TIE_BREAKS, VENUES, Text, say_points

RowColumns = Mapping[str, Any] | None
RowChanges = Sequence[tuple[str, Any, RowColumns, RowColumns]]
"""What a step notes of each row: its kind, its key, its columns before and after; None where it was not or is gone."""

COLUMN_LABELS: Final[Mapping[tuple[str, str], Text]] = {
    ("Entrant", "name"): _("Name"),
    ("Entrant", "status"): "",
    ("Entrant", "is_away"): "",
    ("Entrant", "joined_round"): _("In from round"),
    ("Entrant", "is_on_device"): "",
    ("Round", "status"): "",
    ("Round", "ends_at"): _("Bell"),
    ("Round", "paused_at"): _("Paused since"),
    ("Pod", "is_locked"): "",
    ("Pod", "is_online"): "",
    ("PodSeat", "fate"): "",
    ("PodSeat", "entrant_id"): "",
    ("PodSeat", "substitute_name"): _("Substitute"),
    ("Result", "status"): "",
    ("PairRule", "kind"): "",
    ("SeasonName", "name"): _("Name"),
    ("Penalty", "points"): _("Points"),
    ("Penalty", "reason"): "",
    ("Tournament", "phase"): "",
    **{("Tournament", name): label for name, label in COLUMNS.items()},
    ("Season", "phase"): "",
    **{("Season", name): label for name, label in COLUMNS.items()},
}
"""The columns that are told, and what they are called; the others are the program's own affair."""
VALUE_LABELS: Final[Mapping[str, Mapping[Any, Text]]] = {
    "Entrant.status": {"entered": _("entered"), "present": _("is here"), "withdrawn": _("withdrawn")},
    "Entrant.is_away": {False: _("plays"), True: _("sits out")},
    "Entrant.is_on_device": {False: _("in the room"), True: _("on a device")},
    "Round.status": {
        "drawing": _("being drawn"), "draft": _("draft"), "released": _("released"), "complete": _("complete"),
    },
    "Pod.is_locked": {False: _("to be drawn anew"), True: _("kept")},
    "Pod.is_online": {False: _("real table"), True: _("on screens")},
    "PodSeat.fate": {"plays": _("plays"), "no-show": _("did not come"), "forfeit": _("forfeits")},
    "Result.status": {
        "proposed": _("to be confirmed"), "accepted": _("counts"), "rejected": _("does not count"),
    },
    "PairRule.kind": {"apart": _("may not meet"), "together": _("sit together")},
    "Tournament.phase": PHASES, "Tournament.format": FORMATS, "Tournament.venue": VENUES,
    "Tournament.no_show": NO_SHOWS, "Tournament.at_end": AT_ENDS, "Tournament.points": POINTS,
    "Tournament.bot_level": BOT_LEVELS,
    "Season.phase": PHASES, "Season.points": POINTS,
}  # fmt: skip
POINT_COLUMNS: Final = frozenset({"bye_points", "absent_points", "no_show_points", "forfeit_points", "repeat_worth"})
ALWAYS_LISTED: Final = frozenset({"Entrant", "Round", "Result", "Penalty", "PairRule", "SeasonName"})
"""Rows of which is told, too, that they came or went; a draw alone makes hundreds of others."""


class Change(NamedTuple):
    """One row. about: whom or what; fields: what is called how, its value before and after, "" for no value."""

    about: str
    is_new: bool
    is_gone: bool
    fields: tuple[tuple[str, str, str], ...]


class Names(NamedTuple):
    """Whom and what rows are about, by their keys. places: of a result, by seat."""

    entrants: Mapping[int, str]
    rounds: Mapping[int, int]
    pods: Mapping[int, int]
    seats: Mapping[int, tuple[int, int]]
    places: Mapping[int, tuple[int, str]]
    people: Mapping[int, Sequence[str]]


NO_NAMES: Final = Names({}, {}, {}, {}, {}, {})
"""Of a season: what its steps change needs none."""


def find_names(tournament: Tournament, steps: Iterable[RowChanges]) -> Names:
    """What is to be known to speak of these changes, in as many queries however many they are."""
    keys: dict[str, set[Any]] = {"PodSeat": set(), "Result": set()}
    for changes in steps:
        for kind, key, _before, _after in changes:
            if kind in keys:
                keys[kind].add(key)
    results = Result.objects.filter(pk__in=keys["Result"]).values_list("pk", "pod", "places")
    places = {pk: (pod, text) for pk, pod, text in results}
    people: dict[int, list[str]] = {}
    sitting = PodSeat.objects.filter(pod__in={pod for pod, _places in places.values()}).order_by("pod", "index")
    for pod, name in sitting.values_list("pod", "entrant__name"):
        people.setdefault(pod, []).append(name)
    seats = PodSeat.objects.filter(pk__in=keys["PodSeat"]).values_list("pk", "pod", "entrant")
    return Names(
        dict(Entrant.objects.filter(tournament=tournament).values_list("pk", "name")),
        dict(Round.objects.filter(tournament=tournament).values_list("pk", "number")),
        dict(Pod.objects.filter(round__tournament=tournament).values_list("pk", "number")),
        {pk: (pod, entrant) for pk, pod, entrant in seats},
        places,
        people,
    )


def say_changes(changes: RowChanges, names: Names, most: int) -> tuple[Change, ...]:
    """What of these changes people read."""
    said = []
    for kind, key, before, after in changes:
        fields = _say_fields(kind, before, after, names)
        is_new, is_gone = before is None, after is None
        if fields or (kind in ALWAYS_LISTED and (is_new or is_gone)):
            known = {**(before or {}), **(after or {})}
            said.append(Change(_name_subject(kind, key, known, names), is_new, is_gone, fields))
    return tuple(said[:most])


def _say_fields(kind: str, before: RowColumns, after: RowColumns, names: Names) -> tuple[tuple[str, str, str], ...]:
    if (before is None or after is None) and kind not in ("Penalty", "PairRule"):
        return ()
    said = []
    for name in sorted({**(before or {}), **(after or {})}):
        label = COLUMN_LABELS.get((kind, name))
        if label is None:
            continue
        was, now = (_say_value(kind, name, None if row is None else row.get(name), names) for row in (before, after))
        if was != now:
            said.append((str(label), was, now))
    return tuple(said)


def _say_value(kind: str, name: str, value: Any, names: Names) -> str:
    """A value as people read it."""
    if value is None or value == "":
        return ""
    words = VALUE_LABELS.get(f"{kind}.{name}", {})
    if value in words:
        return str(words[value])
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if name == "entrant_id":
        return isolate(names.entrants.get(value, "–"))
    if name in POINT_COLUMNS or (kind == "Penalty" and name == "points"):
        return say_points(value)
    if isinstance(value, float):
        return clock_time(value)
    if name == "starts_at":
        return moment(datetime.fromisoformat(value))
    if name in JSON_FIELDS:
        listed = msgspec.json.decode(value)
        known = listed.values() if isinstance(listed, dict) else listed
        return ", ".join(str(TIE_BREAKS.get(one, one)) for one in known)
    return str(GAMES[value].name) if name == "game" and value in GAMES else isolate(str(value))


def _name_subject(kind: str, key: Any, known: Mapping[str, Any], names: Names) -> str:
    """Whom or what a row is about."""
    if kind == "Round":
        return gettext("Round %(number)s") % {"number": known.get("number") or names.rounds.get(key, "–")}
    if kind == "Result":
        return _say_result(key, known, names)
    if kind == "PairRule":
        pair = (names.entrants.get(known.get(side, 0)) for side in ("first_id", "second_id"))
        return ", ".join(isolate(name) for name in pair if name)
    if kind == "Pod":
        return _name_table(names.pods.get(key))
    if kind == "PodSeat":
        pod, entrant = names.seats.get(key, (0, 0))
        return _name_table(names.pods.get(pod)) if "entrant_id" in known else isolate(names.entrants.get(entrant, "–"))
    if kind == "Entrant":
        known_as = known.get("name") if "number" in known else None  # a whole row
        return isolate(known_as or names.entrants.get(key, "–"))
    return isolate(names.entrants.get(known.get("entrant_id", 0), ""))


def _name_table(number: int | None) -> str:
    return gettext("Table %(number)s") % {"number": "–" if number is None else number}


def _say_result(key: int, known: Mapping[str, Any], names: Names) -> str:
    """Which table's, and what it said."""
    pod, text = names.places.get(key) or (known.get("pod_id", 0), known.get("places", "[]"))
    table, people = _name_table(names.pods.get(pod)), names.people.get(pod, ())
    places = msgspec.json.decode(text)
    if not places or len(places) != len(people):
        return table
    order = sorted(zip(places, people, strict=True), key=lambda one: (one[0] is None, one[0] or 0))
    return f"{table}: " + ", ".join(f"{'–' if place is None else place}. {isolate(name)}" for place, name in order)
