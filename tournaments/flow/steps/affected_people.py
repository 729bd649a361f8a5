"""Finds the people whom a change of a tournament affects: what their own page shows of them has changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable

from django.db.models import Max

from tournaments.models import Entrant, PodSeat, Result, Round


def read_page_marks(tournament_id: str) -> dict[int, Hashable]:
    """Player id → a value that changes whenever the page of this person shows something else about them.

    It covers their status, where they sit and the latest report of their table, which ends with an accepted result.
    Four queries, whatever the size of the tournament.
    """
    found: dict[int, list[Hashable]] = defaultdict(list)
    people = Entrant.objects.filter(tournament=tournament_id).exclude(player=None)
    for player_id, *rest in people.values_list("player", "status", "is_away"):
        found[player_id or 0] += rest
    rounds = Round.objects.filter(tournament=tournament_id, status=Round.Status.RELEASED)
    running = list(rounds.values_list("pk", "paused_at"))
    ids = [pk for pk, _ in running]
    done = Result.objects.filter(pod__round__in=ids, status=Result.Status.ACCEPTED).values("pod")
    reports = Result.objects.filter(pod__round__in=ids).exclude(pod__in=done).values("pod").annotate(last=Max("pk"))
    latest = dict(reports.values_list("pod", "last"))
    seats = PodSeat.objects.filter(pod__round__in=ids).exclude(pod__in=done)
    for player_id, substitute_id, pod_id, table_id in seats.values_list(
        "entrant__player", "substitute", "pod", "pod__table"
    ):
        for person in {player_id, substitute_id} - {None}:
            found[person or 0] += [pod_id, table_id, latest.get(pod_id)]
    return {person: (*mark, *running) for person, mark in found.items()}
