"""Updates a book: only rows that steps have changed since are read again.

Every step records which rows it changed, and increments the version of the tournament. So the steps since the last
reading name all changed rows, except two that change without a step and are read every time: pods whose table is being
opened, and rounds being drawn. A version without a step means a change outside of steps (`recorder.bump_version`):
then everything is read again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import is_
from typing import Any, TypeVar

import msgspec
from django.db.models import Model, Q, QuerySet

from tournaments.flow.standings.book import Book
from tournaments.models import Entrant, Penalty, Pod, PodSeat, Rest, Result, Round, Step, Team, TeamMember, Tournament

Row = TypeVar("Row", bound=Model)


@dataclass(slots=True)
class TouchedIds:
    """Ids of what has to be read again. rounds: with all their pods; pods: with their seats and results; seats,
    results: those of these pods; rests: byes and absences of these rounds."""

    rounds: set[int] = field(default_factory=set)
    pods: set[int] = field(default_factory=set)
    seats: set[int] = field(default_factory=set)
    results: set[int] = field(default_factory=set)
    rests: set[int] = field(default_factory=set)
    entrants: set[int] = field(default_factory=set)
    has_penalties: bool = False
    has_teams: bool = False


def update_book(earlier: Book, tournament: Tournament) -> Book | None:
    """The present book, in at most eight queries; None if it has to be read completely."""
    touched = _find_touched(earlier, tournament)
    if touched is None:
        return None
    rounds = _renew_rounds(earlier, touched)
    pods = _renew_pods(earlier, rounds, touched)
    pod_ids = {pod.id for played in rounds for pod in pods.get(played.id, ())}
    seats = _renew_parts(earlier.seats, pod_ids, PodSeat.objects.order_by("index"), touched.seats | touched.pods)
    results = Result.objects.select_related("entered_by").order_by("pk")
    entrants = _renew_entrants(earlier, touched)
    if any(seat.entrant_id not in entrants for pk in touched.seats | touched.pods for seat in seats.get(pk, ())):
        return None  # somebody entered after the steps were read
    return replace(
        earlier,
        tournament=tournament,
        version=tournament.version,
        entrants=entrants,
        rounds=rounds,
        pods=pods,
        seats=seats,
        results=_renew_parts(earlier.results, pod_ids, results, touched.results | touched.pods),
        rests=_renew_rests(earlier, rounds, touched),
        penalties=list_penalties(tournament) if touched.has_penalties else earlier.penalties,
        teams=list_teams(tournament) if touched.has_teams else earlier.teams,
        team_members=list_team_members(tournament) if touched.has_teams else earlier.team_members,
    )


def list_penalties(tournament: Tournament) -> tuple[Penalty, ...]:
    """The penalties of a tournament, oldest first."""
    return tuple(Penalty.objects.filter(tournament=tournament).order_by("pk"))


def list_teams(tournament: Tournament) -> Mapping[int, Team]:
    """The teams of a tournament by id, in the order of their numbers."""
    if tournament.team_size is None:
        return {}
    return {team.pk: team for team in Team.objects.filter(tournament=tournament).order_by("number")}


def list_team_members(tournament: Tournament) -> tuple[TeamMember, ...]:
    """Who plays or played for a team of a tournament, in the order in which they came to it."""
    if tournament.team_size is None:
        return ()
    return tuple(TeamMember.objects.filter(team__tournament=tournament).order_by("pk"))


def group_rows(rows: Iterable[Row], name: str) -> dict[int, tuple[Row, ...]]:
    """Rows by the value of this attribute, in their order."""
    found: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        found[getattr(row, name)].append(row)
    return {key: tuple(rows) for key, rows in found.items()}


def _find_touched(earlier: Book, tournament: Tournament) -> TouchedIds | None:
    """What the steps since the known book have changed; None if a version has no step."""
    steps = Step.objects.filter(tournament=tournament, number__gt=earlier.version).order_by("number")
    numbers, touched, owners = set(), TouchedIds(), _Owners(earlier)
    for number, changes in steps.values_list("number", "changes"):
        numbers.add(number)
        for kind, pk, before, after in msgspec.json.decode(changes):
            if not _touch(touched, owners, kind, pk, (before or {}) | (after or {})):
                return None
    return touched if numbers.issuperset(range(earlier.version + 1, tournament.version + 1)) else None


def _touch(touched: TouchedIds, owners: _Owners, kind: str, pk: int, values: Mapping[str, Any]) -> bool:
    """Note one change; False if its owner is unknown. The owner of a row never changes."""
    if kind in OWNED_ROWS:
        owner = owners.find(kind, pk, values)
        if owner is not None:
            getattr(touched, OWNED_ROWS[kind]).add(owner)
        return owner is not None
    if kind == "Penalty":
        touched.has_penalties = True
    elif kind in TEAM_ROWS:
        touched.has_teams = True
    elif kind in SINGLE_ROWS:
        getattr(touched, SINGLE_ROWS[kind]).add(pk)
    return True


TEAM_ROWS = ("Team", "TeamMember", "Tournament")
"""Models that say which teams there are; the plan says whether there are any."""
SINGLE_ROWS = {"Round": "rounds", "Pod": "pods", "Entrant": "entrants"}
OWNED_ROWS = {"PodSeat": "seats", "Result": "results", "Rest": "rests"}
"""Model name → field of `TouchedIds`: of rows read again one by one, and of rows read again with all of their owner."""


class _Owners:
    """Finds the owner of a row: the pod of a seat or a result, the round of a rest. Updates do not record it."""

    def __init__(self, earlier: Book) -> None:
        self._book = earlier
        self._new: dict[tuple[str, int], int] = {}
        self._old: dict[str, Mapping[int, int]] = {}

    def find(self, kind: str, pk: int, values: Mapping[str, Any]) -> int | None:
        """The id of the owner, from this change, from an earlier one, or from the book; None if unknown."""
        recorded: int | None = values.get("round_id" if kind == "Rest" else "pod_id")
        if recorded is not None:
            self._new[kind, pk] = recorded
        return recorded or self._new.get((kind, pk)) or self._known_versions(kind).get(pk)

    def _known_versions(self, kind: str) -> Mapping[int, int]:
        if kind not in self._old:
            parts = {"PodSeat": self._book.seats, "Result": self._book.results, "Rest": self._book.rests}
            self._old[kind] = {row.pk: owner for owner, rows in parts[kind].items() for row in rows}
        return self._old[kind]


def _renew_rounds(earlier: Book, touched: TouchedIds) -> tuple[Round, ...]:
    """The rounds in order. Complete ones change only by steps; the others are read every time."""
    kept = [played for played in earlier.complete_rounds() if played.pk not in touched.rounds]
    rows = Round.objects.filter(tournament=earlier.tournament).exclude(pk__in=[played.pk for played in kept])
    return tuple(sorted([*kept, *rows], key=lambda played: played.number))


def _renew_pods(earlier: Book, rounds: Sequence[Round], touched: TouchedIds) -> dict[int, tuple[Pod, ...]]:
    """The pods by round id. Adds all pods of new and touched rounds to `touched`."""
    round_ids = {played.pk for played in earlier.rounds}
    whole = {played.pk for played in rounds if played.pk in touched.rounds or played.pk not in round_ids}
    touched.rests |= whole
    kept = {pod.id: pod for played in rounds if played.id not in whole for pod in earlier.pods.get(played.id, ())}
    awaited = {pk for pk, pod in kept.items() if pod.is_online and pod.table_id is None}
    if not (whole or awaited or touched.pods):
        return {played.pk: earlier.pods[played.pk] for played in rounds if played.pk in earlier.pods}
    wanted = Q(round__in=whole) | Q(pk__in=awaited | touched.pods)
    rows = Pod.objects.filter(wanted, round__tournament=earlier.tournament).order_by("number")
    read = {row.pk: row for row in rows}
    touched.pods |= {pk for pk, row in read.items() if row.round_id in whole}
    for pk in awaited - touched.pods:
        if pk in read and (read[pk].table_id, read[pk].trouble) == (kept[pk].table_id, kept[pk].trouble):
            read[pk] = kept[pk]
    gone = awaited | touched.pods
    return {played.pk: pods for played in rounds if (pods := _renew_round(earlier, played, whole, read, gone))}


def _renew_round(
    earlier: Book, row: Round, whole: Collection[int], read: Mapping[int, Pod], gone: Collection[int]
) -> tuple[Pod, ...]:
    """The pods of a round; the same tuple as before if none has changed. gone: ids of changed or deleted pods."""
    before = () if row.pk in whole else earlier.pods.get(row.pk, ())
    kept = [pod for pod in before if pod.id not in gone]
    found = (*kept, *(pod for pod in read.values() if pod.round_id == row.pk))
    after = tuple(sorted(found, key=lambda pod: pod.number))
    return before if len(before) == len(after) and all(map(is_, before, after)) else after


def _renew_parts(
    earlier: Mapping[int, tuple[Row, ...]], there: Collection[int], rows: QuerySet[Row], anew: Collection[int]
) -> Mapping[int, tuple[Row, ...]]:
    """Rows by pod id. there: ids of the existing pods; anew: of those whose rows are read again."""
    if not anew:
        return earlier
    read = group_rows(rows.filter(pod__in=anew), "pod_id")
    return {pk: part for pk, part in {**earlier, **dict.fromkeys(anew, ()), **read}.items() if part and pk in there}


def _renew_entrants(earlier: Book, touched: TouchedIds) -> Mapping[int, Entrant]:
    if not touched.entrants:
        return earlier.entrants
    rows = Entrant.objects.filter(tournament=earlier.tournament, pk__in=touched.entrants)
    kept = [entrant for entrant in earlier.entrants.values() if entrant.pk not in touched.entrants]
    return {entrant.pk: entrant for entrant in sorted([*kept, *rows], key=lambda entrant: entrant.number)}


def _renew_rests(earlier: Book, rounds: Sequence[Round], touched: TouchedIds) -> dict[int, tuple[Rest, ...]]:
    read = group_rows(Rest.objects.filter(round__in=touched.rests).order_by("pk"), "round_id") if touched.rests else {}
    found = {
        played.pk: read.get(played.pk) if played.pk in touched.rests else earlier.rests.get(played.pk)
        for played in rounds
    }
    return {pk: rests for pk, rests in found.items() if rests}
