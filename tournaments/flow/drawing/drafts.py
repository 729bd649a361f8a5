"""Changes of a draft by hand: keep pods, swap people, move tables between screens and the room."""

from __future__ import annotations

from itertools import combinations
from typing import TypeAlias

import msgspec

from games.models import Player
from games.play.errors import BadInput, NotFound, Stale
from games.play.storage import store
from tournaments.flow.drawing.draw_input import group_by_club
from tournaments.flow.permissions import require_organiser
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import TournamentStep, take_step
from tournaments.flow.tables import deal_publishing, online_tables, seat_changes
from tournaments.models import BOTH_PLACES, ClubsApart, Entrant, PairRule, Pod, PodSeat, Rest, Round, Stage, Tournament

BY_HAND = msgspec.json.encode([["changed by hand", {}]]).decode()

PAIR_RULE_STAGES = (Stage.SWISS, Stage.PLAN)
"""Stages in which pods can be locked and pair rules apply; in the others results alone say who sits together."""


def keep_pod(tournament: Tournament, actor: Player | None, pod_id: int, *, locked: bool, now: float) -> None:
    """Lock or unlock a pod: its people stay together if this round is drawn again. Idempotent.

    Raises NotAllowed, NotFound, Stale, BadInput.
    """
    require_organiser(tournament.club, actor)
    with take_step(tournament.pk, Kind.KEEP_POD if locked else Kind.FREE_POD, actor=actor, now=now) as step:
        pod = _find_pod(step, pod_id)
        if locked and pod.round.stage not in PAIR_RULE_STAGES:
            raise BadInput("This format does not use such rules. Only results decide who sits together.")
        step.details["table"] = pod.number
        step.change(pod, is_locked=locked)


def move_pod(tournament: Tournament, actor: Player | None, pod_id: int, *, online: bool, now: float) -> None:
    """Play this pod online, or at a real table; possible until its game has begun. Idempotent.

    Raises NotAllowed, NotFound, Stale, BadInput.
    """
    require_organiser(tournament.club, actor)
    with (
        store.save_together(),
        take_step(tournament.pk, Kind.TO_SCREENS if online else Kind.TO_TABLE, actor=actor, now=now) as step,
    ):
        pod = find_pod(step, pod_id)
        if pod.is_online == online:
            return
        online_tables.require_movable(pod)
        if online:
            deal_publishing.require_unpublished(pod)
        without = [
            seat.entrant.name
            for seat in pod.seats.select_related("entrant")
            if not online_tables.plays_on_device(seat.entrant)
        ]
        if online and without:
            raise BadInput(
                "Cannot play online: %(names)s. They play in the room, or nobody has claimed their name.",
                names=", ".join(without),
            )
        _require_no_bots(pod, online=online)
        step.details["table"] = pod.number
        online_tables.close_table(pod, now=now)
        step.change(pod, is_online=online)
        seat_changes.require_valid_seats(step.tournament)
    if pod.round.status == Round.Status.RELEASED:
        online_tables.open_tables(pod.round, now=now)


SeenTables: TypeAlias = tuple[int | None, int | None]
"""The table numbers at which an organiser saw the two people they swap (0: the bye; None: anywhere).

If two organisers correct the same mistake, the second swap is refused instead of undoing the first.
"""
ANYWHERE: SeenTables = (None, None)


def swap(
    tournament: Tournament, actor: Player | None, number: int, first_id: int, second_id: int,
    *, key: str, now: float, seen: SeenTables = ANYWHERE,
) -> None:  # fmt: skip
    """Swap the places of two people in a draft: seats, or a seat and a bye.

    key: idempotency key of the form; seen: see `SeenTables`.
    Raises NotAllowed, NotFound, Stale, BadInput (people would meet who may not).
    """
    require_organiser(tournament.club, actor)
    with take_step(tournament.pk, Kind.SWAP, actor=actor, now=now, key=key, round=number) as step:
        if step.is_repeat:
            return
        played = Round.objects.filter(tournament=step.tournament, number=number).first()
        if played is None or played.status != Round.Status.DRAFT:
            raise Stale("This round is no longer a draft.")
        first, second = find_place(played, first_id, seen[0]), find_place(played, second_id, seen[1])
        step.details["name"] = f"{first.entrant.name}, {second.entrant.name}"
        pods = [place.pod for place in (first, second) if isinstance(place, PodSeat)]
        could = {pod.pk: can_play_online(pod) for pod in pods}
        exchange_places(step, first, second)
        require_pair_rules(played)
        for pod in pods:
            settle_venue(step, pod, could_before=could[pod.pk])


def exchange_places(step: TournamentStep, first: PodSeat | Rest, second: PodSeat | Rest) -> None:
    """Within a step: give each of two people the place of the other."""
    one, other = first.entrant, second.entrant
    step.delete(first)
    step.delete(second)
    for place, entrant in ((first, other), (second, one)):
        if isinstance(place, PodSeat):
            step.create(PodSeat(pod=place.pod, index=place.index, entrant=entrant))
            step.change(Pod.objects.get(pk=place.pod_id), reason=BY_HAND)
        else:
            step.create(Rest(round=place.round, entrant=entrant, kind=place.kind))


def settle_venue(step: TournamentStep, pod: Pod, *, could_before: bool) -> None:
    """Within a step of a mixed venue: move a pod to the room if somebody there plays in the room, or back online.

    could_before: `can_play_online` before this step; if nothing has changed, the pod stays where it was moved by hand.
    Raises BadInput for a bot at a real table.
    """
    can = can_play_online(pod)
    fresh = Pod.objects.get(pk=pod.pk)
    if step.tournament.venue not in BOTH_PLACES:
        return
    if not can or not could_before:
        step.change(fresh, is_online=can)
    _require_no_bots(fresh, online=fresh.is_online)


def can_play_online(pod: Pod) -> bool:
    """Whether everybody at this pod plays on a device."""
    return all(online_tables.plays_on_device(seat.entrant) for seat in pod.seats.select_related("entrant"))


def _require_no_bots(pod: Pod, *, online: bool) -> None:
    """Raises BadInput: at a real table nobody can lay the cards of a bot."""
    there = pod.seats.exclude(entrant__bot="").order_by("index")
    found = [] if online else list(there.values_list("entrant__name", flat=True))
    if found:
        raise BadInput(
            "Cannot play at a real table: %(names)s. Bots play at online tables only.", names=", ".join(found)
        )


def find_place(played: Round, entrant_id: int, table: int | None) -> PodSeat | Rest:
    """The seat or bye of an entrant in this round. table: as in `SeenTables`. Raises NotFound, Stale."""
    seat = PodSeat.objects.select_related("entrant", "pod").filter(pod__round=played, entrant_id=entrant_id).first()
    rest = Rest.objects.select_related("entrant", "round").filter(round=played, entrant_id=entrant_id).first()
    place = seat or rest
    if place is None or (isinstance(place, Rest) and place.kind != Rest.Kind.BYE):
        raise NotFound("This person is not in this round.")
    if table not in (None, place.pod.number if isinstance(place, PodSeat) else 0):
        raise Stale("Somebody else has just changed this. Reload the page.")
    return place


def require_drawn(played: Round) -> None:
    """Raises Stale unless this round is a complete draft; after a failed draw it has locked pods at most."""
    if played.status != Round.Status.DRAFT or played.trouble or not played.pods.exists():
        raise Stale("There is no draw to release yet.")


def require_pair_rules(played: Round) -> None:
    """Raises BadInput if two people at one table may not meet, in stages in which pair rules apply."""
    for rule in list_broken_rules(played, PairRule.Kind.APART):
        raise BadInput("%(first)s and %(second)s may not meet.", first=rule.first.name, second=rule.second.name)
    for first, second in list_club_mates(played):
        raise BadInput("%(first)s and %(second)s may not meet.", first=first.name, second=second.name)


def list_club_mates(played: Round) -> list[tuple[Entrant, Entrant]]:
    """Pairs of one club or family at one table, if the plan forbids that and pair rules apply."""
    if played.stage not in PAIR_RULE_STAGES or played.tournament.clubs_apart != ClubsApart.MUST:
        return []
    seats = PodSeat.objects.filter(pod__round=played).select_related("entrant").order_by("pod", "index")
    at = {seat.entrant_id: seat.pod_id for seat in seats}
    groups = group_by_club(played.tournament, [seat.entrant for seat in seats], ClubsApart.MUST)
    pairs = (pair for group in groups for pair in combinations(group, 2))
    return [(one, other) for one, other in pairs if at[one.pk] == at[other.pk]]


def list_broken_rules(played: Round, kind: PairRule.Kind) -> list[PairRule]:
    """The pair rules of this kind that the pods of a round break; none in stages in which they do not apply."""
    if played.stage not in PAIR_RULE_STAGES:
        return []
    pods = dict(PodSeat.objects.filter(pod__round=played).values_list("entrant_id", "pod_id"))
    rules = PairRule.objects.filter(tournament=played.tournament_id, kind=kind, first__in=pods, second__in=pods)
    is_wanted = kind == PairRule.Kind.TOGETHER
    pair_rules = rules.select_related("first", "second").order_by("pk")
    return [rule for rule in pair_rules if (pods[rule.first_id] == pods[rule.second_id]) != is_wanted]


def _find_pod(step: TournamentStep, pod_id: int) -> Pod:
    """A pod of a draft. Raises NotFound, Stale."""
    pod = find_pod(step, pod_id)
    if pod.round.status != Round.Status.DRAFT:
        raise Stale("This round is no longer a draft.")
    return pod


def find_pod(step: TournamentStep, pod_id: int) -> Pod:
    """A pod of this tournament. Raises NotFound."""
    pod = Pod.objects.select_related("round").filter(pk=pod_id, round__tournament=step.tournament).first()
    if pod is None:
        raise NotFound("There is no such table in this round.")
    return pod
