"""Counts results of real tables in complete rounds, also for people who claim their entry later.

A tournament is followed up to a version: whatever changes it (a round completed or opened again, a place claimed)
raises that, and what was counted of it is brought to what it says now.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec
from django.db import transaction
from django.db.models import F, OuterRef, Prefetch, QuerySet, Subquery

from tournaments.careers.feats import find_feats
from tournaments.flow.counting import finished_tables, leaderboard_rows, ledger, player_totals
from tournaments.flow.counting.finished_tables import Chair
from tournaments.models import (
    CountedTable,
    FollowedTournament,
    PersonResult,
    Pod,
    PodSeat,
    Result,
    Round,
    Stage,
    Step,
    Tournament,
)
from tournaments.models.rounds import NO_TABLE

RATED = frozenset({"mu", "sigma", "total_mu", "total_sigma"})
COMPARED = tuple(
    field.attname
    for field in PersonResult._meta.concrete_fields
    if not field.primary_key and field.attname not in RATED | {"counted_id"}
)
"""What the results of a pod say, apart from what is worked out from all of them."""


class Change(NamedTuple):
    """A pod that was not counted as it should be. known: how it was, if it was; results: unsaved, of `counted`."""

    known: CountedTable | None
    counted: CountedTable
    results: list[PersonResult]


def follow(tournament_id: str, *, now: float) -> bool:
    """Count the results of this tournament's real tables anew. Idempotent.

    False while everything is computed again: the sweeper comes back to it. Where all is right nobody waits for it.
    """
    tournament = Tournament.objects.filter(pk=tournament_id).first()
    if tournament is None:
        return False
    if any(_compare(tournament)):
        with transaction.atomic():
            if not ledger.take(now=now):
                return False
            changes, excess = _compare(tournament)
            for change in changes:
                _count_pod(change)
            _uncount(excess)
    FollowedTournament.objects.update_or_create(tournament=tournament, defaults={"version": tournament.version})
    return True


def _compare(tournament: Tournament) -> tuple[list[Change], list[CountedTable]]:
    """Pods to count (again), in order of time, and pods that no longer count."""
    counted = {table.pod_id: table for table in CountedTable.objects.filter(pod__round__tournament=tournament)}
    stored: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    rows = PersonResult.objects.filter(counted__pod__round__tournament=tournament)
    for number, *values in rows.values_list("counted", *COMPARED):
        stored[number].append(tuple(values))
    changes = []
    for pod in _played_pods(tournament):
        change = _compare_pod(pod, counted.pop(pod.pk, None), tournament)
        after = sorted(tuple(getattr(result, column) for column in COMPARED) for result in change.results)
        if change.known is None:
            is_right = not change.results
        else:
            before = sorted(stored[change.known.number])
            is_right = (change.known.is_rated, before) == (change.counted.is_rated, after)
        if not is_right:
            changes.append(change)
    return sorted(changes, key=lambda change: change.counted.ended_at), list(counted.values())


def list_unfollowed() -> QuerySet[Tournament, str]:
    """Tournaments that have changed since their real tables were counted."""
    followed = FollowedTournament.objects.filter(tournament=OuterRef("pk")).values("version")
    rows = Tournament.objects.filter(version__gt=0).annotate(followed=Subquery(followed))
    return (
        rows.exclude(version=F("followed"), followed__isnull=False).order_by("created_at").values_list("pk", flat=True)
    )


def follow_again(player_id: int) -> None:
    """Have the tournaments of this person counted again: their entries may belong to somebody else now."""
    FollowedTournament.objects.filter(
        tournament__in=Tournament.objects.filter(entrants__player=player_id).values("pk")
    ).delete()


def drop_orphans(*, now: float) -> None:
    """Delete what was counted of pods that no longer exist, because their draw was undone."""
    with transaction.atomic():
        if CountedTable.objects.filter(table=None, pod=None).exists() and ledger.take(now=now):
            _uncount(list(CountedTable.objects.filter(table=None, pod=None)))


def _played_pods(tournament: Tournament) -> QuerySet[Pod]:
    """Pods of complete rounds at real tables, without imported archives, which were played elsewhere."""
    if Step.objects.filter(tournament=tournament, kind=Step.Kind.RESTORE).exists():
        return Pod.objects.none()
    rows = Pod.objects.filter(NO_TABLE, round__tournament=tournament, round__status=Round.Status.COMPLETE)
    seats = Prefetch("seats", PodSeat.objects.select_related("entrant").order_by("index"))
    return rows.select_related("round").prefetch_related(seats, "results").order_by("round__number", "number")


def _compare_pod(pod: Pod, stored: CountedTable | None, tournament: Tournament) -> Change:
    counted = CountedTable(pod=pod, game=tournament.game, is_rated=tournament.is_rated, ended_at=_ended_at(pod))
    return Change(stored, counted, results_of(pod, counted))


def _ended_at(pod: Pod) -> float:
    """When its game counts: with its round; in an arena, which has no rounds, when its result was first reported."""
    if pod.round.stage == Stage.ARENA:
        return min((result.at for result in pod.results.all()), default=0.0)
    return pod.round.completed_at or 0.0


def _count_pod(change: Change) -> None:
    """Count this pod, again if it was counted with another result. The ledger is locked."""
    if change.known is not None:
        _uncount([change.known])
    if change.results:
        change.counted.number = ledger.next_number()
        for result in change.results:
            result.counted = change.counted
        finished_tables.enter(change.counted, change.results)


def _uncount(counted: Sequence[CountedTable]) -> None:
    if counted:
        people = set(PersonResult.objects.filter(counted__in=counted).values_list("player", flat=True))
        CountedTable.objects.filter(pk__in=[table.pk for table in counted]).delete()
        player_totals.refresh(people)
        leaderboard_rows.refresh(sorted(people))
        ledger.request_recount(since=min(table.ended_at for table in counted))


def results_of(pod: Pod, counted: CountedTable) -> list[PersonResult]:
    """The unsaved results of the people of a pod, without ratings, in the order of seats; none where its result
    counts for nobody, or ranks nobody above anybody."""
    accepted = [row for row in pod.results.all() if row.status == Result.Status.ACCEPTED and not row.is_void]
    if not accepted:
        return []
    result = min(accepted, key=attrgetter("pk"))
    seats = [seat for seat in pod.seats.all() if seat.fate == PodSeat.Fate.PLAYS]
    places: list[int] = msgspec.json.decode(result.places)
    scores: list[int] | None = msgspec.json.decode(result.scores)
    if len({places[seat.index] for seat in seats}) < 2:
        return []
    feats = find_feats(counted.game, len(places), scores, ())
    chairs = [
        Chair(seat.index, seat.player_id, _place_of(seat, seats, places), scores[seat.index] if scores else None, 0,
              feats[seat.index])
        for seat in seats
        if not seat.entrant.bot
    ]  # fmt: skip
    return finished_tables.compare(list(_one_seat_per_person(chairs)), counted, seat_count=len(seats))


def _place_of(seat: PodSeat, seats: Sequence[PodSeat], places: Sequence[int]) -> int:
    """The place among those who came."""
    return 1 + sum(places[other.index] < places[seat.index] for other in seats)


def _one_seat_per_person(chairs: Sequence[Chair]) -> Iterator[Chair]:
    """Keep one seat a person at a table; a second one counts for nobody."""
    seen: set[int] = set()
    for chair in chairs:
        is_double = chair.player_id is not None and chair.player_id in seen
        yield chair._replace(player_id=None) if is_double else chair
        if chair.player_id is not None:
            seen.add(chair.player_id)
