"""The changes of a step in the reader's language: each column with its value before and after."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

import msgspec
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.presenters.names import BOT_LEVELS, GAMES, isolate
from games.templatetags.menagerie import clock_time, moment
from tournaments.flow.planning.tournament_plan import JSON_FIELDS
from tournaments.models import Entrant, Pod, PodSeat, Result, Round, Team, TeamMember, Tournament
from tournaments.words.plan_words import COLUMNS
from tournaments.words.terms import (
    AT_ENDS,
    CLUBS_APART,
    FORMATS,
    NO_SHOWS,
    PHASES,
    POINTS,
    TIE_BREAKS,
    VENUES,
    Text,
    say_points,
)

RowColumns = Mapping[str, Any] | None
RowChanges = Sequence[tuple[str, Any, RowColumns, RowColumns]]
"""A step's changes: for each row its model, its key, its columns before (None if new) and after (None if deleted)."""

COLUMN_LABELS: Final[Mapping[tuple[str, str], Text]] = {
    ("Entrant", "name"): _("Name"),
    ("Entrant", "status"): "",
    ("Entrant", "is_away"): "",
    ("Entrant", "joined_round"): _("Plays from round"),
    ("Entrant", "fixed_table"): _("Fixed table"),
    ("Entrant", "is_on_device"): "",
    ("Round", "status"): "",
    ("Round", "ends_at"): _("Ends at"),
    ("Round", "paused_at"): _("Paused at"),
    ("Pod", "is_locked"): "",
    ("Pod", "is_online"): "",
    ("PodSeat", "fate"): "",
    ("PodSeat", "entrant_id"): "",
    ("PodSeat", "substitute_name"): _("Substitute"),
    ("Result", "status"): "",
    ("PairRule", "kind"): "",
    ("SeasonName", "name"): _("Name"),
    ("Team", "name"): _("Name"),
    ("TeamMember", "is_captain"): _("Captain"),
    ("TeamMember", "is_substitute"): _("Substitute"),
    ("TeamMember", "last_round"): _("Last round for the team"),
    ("Penalty", "points"): _("Points"),
    ("Penalty", "reason"): "",
    ("Tournament", "phase"): "",
    **{("Tournament", name): label for name, label in COLUMNS.items()},
    ("Season", "phase"): "",
    **{("Season", name): label for name, label in COLUMNS.items()},
}
"""The label of each column that the log shows; an empty one is clear from its value. Others are internal."""
VALUE_LABELS: Final[Mapping[str, Mapping[Any, Text]]] = {
    "Entrant.status": {
        "entered": pgettext_lazy("status of an entrant", "signed up"),
        "present": pgettext_lazy("status of an entrant", "checked in"),
        "withdrawn": pgettext_lazy("a person", "withdrawn"),
        "waiting": _("on the waiting list"),
    },
    "Entrant.is_away": {False: _("plays"), True: _("sits out")},
    "Entrant.is_on_device": {False: _("in the room"), True: _("on a device")},
    "Round.status": {
        "drawing": _("being drawn"), "draft": _("draft"), "released": _("released"), "complete": _("complete"),
    },
    "Pod.is_locked": {False: _("to be redrawn"), True: _("kept")},
    "Pod.is_online": {False: _("real table"), True: _("online")},
    "PodSeat.fate": {"plays": _("plays"), "no-show": _("no-show"), "forfeit": _("forfeits")},
    "Result.status": {
        "proposed": _("awaiting confirmation"), "accepted": _("counts"), "rejected": _("does not count"),
    },
    "PairRule.kind": {"apart": pgettext_lazy("a pair", "may not meet"), "together": _("sit together")},
    "Tournament.phase": PHASES, "Tournament.format": FORMATS, "Tournament.venue": VENUES,
    "Tournament.no_show": NO_SHOWS, "Tournament.at_end": AT_ENDS, "Tournament.points": POINTS,
    "Tournament.bot_level": BOT_LEVELS, "Tournament.clubs_apart": CLUBS_APART,
    "Season.phase": PHASES, "Season.points": POINTS,
}  # fmt: skip
"""The words for a column's values, by model and column."""
POINT_COLUMNS: Final = frozenset({"bye_points", "absent_points", "no_show_points", "forfeit_points", "repeat_worth"})
"""Columns whose values are points in 840ths."""
ALWAYS_LISTED: Final = frozenset(
    {"Entrant", "Round", "Result", "Penalty", "PairRule", "SeasonName", "Team", "TeamMember"}
)
"""Models whose new and deleted rows are listed. A draw makes hundreds of the others."""


class Change(NamedTuple):
    """A changed row. about: its subject; fields: label, value before and after of each column, "" for none."""

    about: str
    is_new: bool
    is_gone: bool
    fields: tuple[tuple[str, str, str], ...]


class Names(NamedTuple):
    """The names and numbers of the subjects of rows, by primary key.

    seats: pod and entrant; places: the pod of a result, and its places as JSON text; people: names by seat, by pod.
    team_members: the entrant of a team place.
    """

    entrants: Mapping[int, str]
    rounds: Mapping[int, int]
    pods: Mapping[int, int]
    seats: Mapping[int, tuple[int, int]]
    places: Mapping[int, tuple[int, str]]
    people: Mapping[int, Sequence[str]]
    teams: Mapping[int, str]
    team_members: Mapping[int, int]


NO_NAMES: Final = Names({}, {}, {}, {}, {}, {}, {}, {})
"""Names for the changes of seasons, which need none."""


def find_names(tournament: Tournament, steps: Iterable[RowChanges]) -> Names:
    """The names that these changes need, in a fixed number of queries."""
    keys: dict[str, set[Any]] = {"PodSeat": set(), "Result": set(), "Team": set(), "TeamMember": set()}
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
    teams = Team.objects.filter(tournament=tournament) if keys["Team"] | keys["TeamMember"] else Team.objects.none()
    members = TeamMember.objects.filter(team__tournament=tournament, pk__in=keys["TeamMember"])
    return Names(
        dict(Entrant.objects.filter(tournament=tournament).values_list("pk", "name")),
        dict(Round.objects.filter(tournament=tournament).values_list("pk", "number")),
        dict(Pod.objects.filter(round__tournament=tournament).values_list("pk", "number")),
        {pk: (pod, entrant) for pk, pod, entrant in seats},
        places,
        people,
        dict(teams.values_list("pk", "name")),
        dict(members.values_list("pk", "entrant")),
    )


def say_changes(changes: RowChanges, names: Names, most: int) -> tuple[Change, ...]:
    """The changes that people read, at most `most`."""
    changed = []
    for kind, key, before, after in changes:
        fields = _say_fields(kind, before, after, names)
        is_new, is_gone = before is None, after is None
        if fields or (kind in ALWAYS_LISTED and (is_new or is_gone)):
            columns = {**(before or {}), **(after or {})}
            changed.append(Change(_name_subject(kind, key, columns, names), is_new, is_gone, fields))
    return tuple(changed[:most])


def _say_fields(kind: str, before: RowColumns, after: RowColumns, names: Names) -> tuple[tuple[str, str, str], ...]:
    if (before is None or after is None) and kind not in ("Penalty", "PairRule"):
        return ()
    fields = []
    for name in sorted({**(before or {}), **(after or {})}):
        label = COLUMN_LABELS.get((kind, name))
        if label is None:
            continue
        was, now = (_say_value(kind, name, None if row is None else row.get(name), names) for row in (before, after))
        if was != now:
            fields.append((str(label), was, now))
    return tuple(fields)


def _say_value(kind: str, name: str, value: Any, names: Names) -> str:
    """A value in words."""
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
        labels = listed.values() if isinstance(listed, dict) else listed
        return ", ".join(str(TIE_BREAKS.get(slug, slug)) for slug in labels)
    return str(GAMES[value].name) if name == "game" and value in GAMES else isolate(str(value))


def _name_subject(kind: str, key: Any, columns: Mapping[str, Any], names: Names) -> str:
    """The subject of a row: a person, a table, a round."""
    if kind == "Round":
        return gettext("Round %(number)s") % {"number": columns.get("number") or names.rounds.get(key, "–")}
    if kind == "Result":
        return _say_result(key, columns, names)
    if kind == "PairRule":
        pair = (names.entrants.get(columns.get(side, 0)) for side in ("first_id", "second_id"))
        return ", ".join(isolate(name) for name in pair if name)
    if kind == "Pod":
        return _name_table(names.pods.get(key))
    if kind == "PodSeat":
        pod, entrant = names.seats.get(key, (0, 0))
        return (
            _name_table(names.pods.get(pod)) if "entrant_id" in columns else isolate(names.entrants.get(entrant, "–"))
        )
    if kind == "Team":
        return isolate(columns.get("name") or names.teams.get(key, "–"))
    if kind == "TeamMember":
        return isolate(names.entrants.get(columns.get("entrant_id") or names.team_members.get(key, 0), "–"))
    if kind == "Entrant":
        known_as = columns.get("name") if "number" in columns else None  # a whole row
        return isolate(known_as or names.entrants.get(key, "–"))
    return isolate(names.entrants.get(columns.get("entrant_id", 0), ""))


def _name_table(number: int | None) -> str:
    return gettext("Table %(number)s") % {"number": "–" if number is None else number}


def _say_result(key: int, columns: Mapping[str, Any], names: Names) -> str:
    """The table of a result, and its places."""
    pod, text = names.places.get(key) or (columns.get("pod_id", 0), columns.get("places", "[]"))
    table, people = _name_table(names.pods.get(pod)), names.people.get(pod, ())
    places = msgspec.json.decode(text)
    if not places or len(places) != len(people):
        return table
    order = sorted(zip(places, people, strict=True), key=lambda pair: (pair[0] is None, pair[0] or 0))
    return f"{table}: " + ", ".join(f"{'–' if place is None else place}. {isolate(name)}" for place, name in order)
