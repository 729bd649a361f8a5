"""Duplicate tables of one round play the same deals: people who sat at one of them know the cards of the others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from games.play.storage.table import OVER
from tournaments.flow.steps.recorder import read_changes
from tournaments.models import Pod, PodSeat, Round, Step, Tournament

SUBSTITUTE_LEAVES = ("substitute", "no-substitute", "undo")
"""Kinds of steps after which a substitute may have left a table that goes on."""
DealKnowledge = Mapping[int, Mapping[int, int]]
"""Pod id → player id of who has seen its deals at another table → the number of that table."""


def list_deal_knowledge(tournament: Tournament) -> DealKnowledge:
    """Who has seen deals of unfinished tables at other tables of their round; empty without duplicate deals."""
    if not tournament.duplicate:
        return {}
    there = Pod.objects.filter(round__tournament=tournament, round__status=Round.Status.RELEASED, is_online=True)
    there = there.filter(wave__in=there.exclude(table__status=OVER).values("wave"))
    pods = list(there.select_related("table").order_by("number"))
    seats = defaultdict(list)
    for seat in PodSeat.objects.filter(pod__in=there).select_related("entrant"):
        seats[seat.pod_id].append(seat)
    sisters = defaultdict(list)
    for pod in pods:
        sisters[pod.round_id, pod.wave, len(seats[pod.pk])].append(pod)
    seen = _list_players(tournament, pods, seats)
    return {
        pod.pk: {who: other.number for other in same if other != pod for who in seen.get(other.pk, ()) if who}
        for same in sisters.values()
        for pod in same
        if pod.table is None or pod.table.status != OVER
    }


def _list_players(
    tournament: Tournament, pods: Sequence[Pod], seats: Mapping[int, Sequence[PodSeat]]
) -> Mapping[int, set[int | None]]:
    """Pod id → player ids of entrants and substitutes who were there since its game began."""
    began = {pod.pk: pod.table.started_at for pod in pods if pod.table is not None and pod.table.started_at is not None}
    seen = {
        pk: {person for seat in seats[pk] for person in (seat.entrant.player_id, seat.substitute_id)} for pk in began
    }
    pod_of = {seat.pk: pk for pk in began for seat in seats[pk]}
    since = min(began.values(), default=0.0)
    for step in Step.objects.filter(tournament=tournament, kind__in=SUBSTITUTE_LEAVES, at__gte=since) if began else ():
        for kind, pk, before, _after in read_changes(step):
            if kind == "PodSeat" and pk in pod_of and step.at >= began[pod_of[pk]]:
                seen[pod_of[pk]].add((before or {}).get("substitute_id"))
    return seen
