"""A draw changed by hand: pods kept, people swapped, tables moved between screens and the room."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from games.models import Player
from games.play.errors import BadInput, NotFound, Stale
from games.play.storage import store
from tournaments.flow.permissions import require_organiser
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import TournamentStep, take_step
from tournaments.flow.tables import deal_publishing, online_tables, seat_changes
from tournaments.models import BOTH_PLACES, PairRule, Pod, PodSeat, Rest, Round, Stage, Tournament

BY_HAND = msgspec.json.encode([["changed by hand", {}]]).decode()

DRAWN = (Stage.SWISS, Stage.PLAN)
"""Rounds in which a pod can be kept for the next draw; elsewhere places say who sits together."""


def keep_pod(tournament: Tournament, actor: Player | None, pod_id: int, *, locked: bool, now: float) -> None:
    """Keep these people together in the next draw of this round, or not. Twice is once. Raises NotAllowed, Stale."""
    require_organiser(tournament.club, actor)
    with take_step(tournament.pk, Kind.KEEP_POD if locked else Kind.FREE_POD, actor=actor, now=now) as step:
        pod = _find_pod(step, pod_id)
        if locked and pod.round.stage not in DRAWN:
            raise BadInput("In this format nobody looks at such a rule: results alone say who sits together.")
        step.details["table"] = pod.number
        step.change(pod, is_locked=locked)


def move_pod(tournament: Tournament, actor: Player | None, pod_id: int, *, online: bool, now: float) -> None:
    """Play this pod on screens, or at a real table, until its game has begun. Twice is once.

    Raises NotAllowed, NotFound, Stale, BadInput.
    """
    require_organiser(tournament.club, actor)
    with (
        store.together(),
        take_step(tournament.pk, Kind.TO_SCREENS if online else Kind.TO_TABLE, actor=actor, now=now) as step,
    ):
        pod = find_pod(step, pod_id)
        if pod.is_online == online:
            return
        online_tables.require_movable(pod)
        if online:
            deal_publishing.require_unpublished(pod)
        without = [
            one.entrant.name
            for one in pod.seats.select_related("entrant")
            if not online_tables.plays_on_device(one.entrant)
        ]
        if online and without:
            raise BadInput(
                "%(names)s cannot play online: they play in the room, or nobody has claimed their name.",
                names=", ".join(without),
            )
        _require_no_bots(pod, online=online)
        step.details["table"] = pod.number
        online_tables.close_table(pod, now=now)
        step.change(pod, is_online=online)
        seat_changes.require_right(step.tournament)
    if pod.round.status == Round.Status.RELEASED:
        online_tables.open_tables(pod.round, now=now)


Tables: TypeAlias = tuple[int | None, int | None]
"""Where two people were seen by whoever swaps them (0: the bye; None: anywhere).

Two organisers who are told of the same mistake both put it right: who sits elsewhere by then is not swapped back.
"""
ANYWHERE: Tables = (None, None)


def swap(
    tournament: Tournament, actor: Player | None, number: int, first_id: int, second_id: int,
    *, key: str, now: float, seen: Tables = ANYWHERE,
) -> None:  # fmt: skip
    """Let two people change places: chairs, or a chair and a bye.

    key: of the form; the same swap sent twice is one swap.
    Raises NotAllowed, NotFound, Stale, BadInput (they may not meet whom they would meet).
    """
    require_organiser(tournament.club, actor)
    with take_step(tournament.pk, Kind.SWAP, actor=actor, now=now, key=key, round=number) as step:
        if step.is_repeat:
            return
        played = Round.objects.filter(tournament=step.tournament, number=number).first()
        if played is None or played.status != Round.Status.DRAFT:
            raise Stale("This round is no draft any more.")
        first, second = find_place(played, first_id, seen[0]), find_place(played, second_id, seen[1])
        step.details["name"] = f"{first.entrant.name}, {second.entrant.name}"
        pods = [place.pod for place in (first, second) if isinstance(place, PodSeat)]
        could = {pod.pk: can_play_online(pod) for pod in pods}
        exchange(step, first, second)
        require_allowed(played)
        for pod in pods:
            settle_place(step, pod, could_before=could[pod.pk])


def exchange(step: TournamentStep, first: PodSeat | Rest, second: PodSeat | Rest) -> None:
    """Each of the two has the place of the other."""
    one, other = first.entrant, second.entrant
    step.delete(first)
    step.delete(second)
    for place, entrant in ((first, other), (second, one)):
        if isinstance(place, PodSeat):
            step.create(PodSeat(pod=place.pod, index=place.index, entrant=entrant))
            step.change(Pod.objects.get(pk=place.pod_id), reason=BY_HAND)
        else:
            step.create(Rest(round=place.round, entrant=entrant, kind=place.kind))


def settle_place(step: TournamentStep, pod: Pod, *, could_before: bool) -> None:
    """Where both are played: with somebody who plays in the room a pod plays there, and without them it need not.

    could_before: whether everybody at it played on a device before this step. Raises BadInput for a bot in the room.
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
        raise BadInput("%(names)s cannot play at a real table: a bot plays on screens only.", names=", ".join(found))


def find_place(played: Round, entrant_id: int, table: int | None) -> PodSeat | Rest:
    """Where somebody is in this round: a chair or a bye. table: as in `Tables`. Raises NotFound, Stale."""
    seat = PodSeat.objects.select_related("entrant", "pod").filter(pod__round=played, entrant_id=entrant_id).first()
    rest = Rest.objects.select_related("entrant", "round").filter(round=played, entrant_id=entrant_id).first()
    place = seat or rest
    if place is None or (isinstance(place, Rest) and place.kind != Rest.Kind.BYE):
        raise NotFound("This person is not in this round.")
    if table not in (None, place.pod.number if isinstance(place, PodSeat) else 0):
        raise Stale("Somebody else has changed this a moment ago. Look again.")
    return place


def require_drawn(played: Round) -> None:
    """Raises Stale unless this round is a draft of everybody: of a draw that failed there is what was kept at most."""
    if played.status != Round.Status.DRAFT or played.trouble or not played.pods.exists():
        raise Stale("There is no draw to release yet.")


def require_allowed(played: Round) -> None:
    """Raises BadInput for two at one table who may not meet, where such a rule is looked at."""
    for rule in list_broken(played, PairRule.Kind.APART):
        raise BadInput("%(first)s and %(second)s may not meet.", first=rule.first.name, second=rule.second.name)


def list_broken(played: Round, kind: PairRule.Kind) -> list[PairRule]:
    """The rules of this kind that a round of this stage looks at and its pods do not keep: only of pairs who play."""
    if played.stage not in DRAWN:
        return []
    pods = dict(PodSeat.objects.filter(pod__round=played).values_list("entrant_id", "pod_id"))
    rules = PairRule.objects.filter(tournament=played.tournament_id, kind=kind, first__in=pods, second__in=pods)
    is_wanted = kind == PairRule.Kind.TOGETHER
    known = rules.select_related("first", "second").order_by("pk")
    return [rule for rule in known if (pods[rule.first_id] == pods[rule.second_id]) != is_wanted]


def _find_pod(step: TournamentStep, pod_id: int) -> Pod:
    """A pod of a draft. Raises NotFound, Stale."""
    pod = find_pod(step, pod_id)
    if pod.round.status != Round.Status.DRAFT:
        raise Stale("This round is no draft any more.")
    return pod


def find_pod(step: TournamentStep, pod_id: int) -> Pod:
    """A pod of this tournament. Raises NotFound."""
    pod = Pod.objects.select_related("round").filter(pk=pod_id, round__tournament=step.tournament).first()
    if pod is None:
        raise NotFound("There is no such table in this round.")
    return pod
