"""Corrects two people who sat down at each other's real tables, in one step while the round is being played."""

from __future__ import annotations

from collections.abc import Iterable

from games.models import Player
from games.play.errors import BadInput, Stale
from tournaments.flow.drawing import drafts
from tournaments.flow.permissions import require_organiser
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import Change, take_step
from tournaments.flow.tables import online_tables
from tournaments.models import Pod, PodSeat, Round, Tournament


def reseat(
    tournament: Tournament, actor: Player | None, number: int, first_id: int, second_id: int,
    *, key: str, now: float, seen: drafts.SeenTables = drafts.ANYWHERE,
) -> None:  # fmt: skip
    """Swap two people of a released round, as long as neither table has a result.

    key: idempotency key of the form; seen: see `drafts.SeenTables`.
    Raises NotAllowed, NotFound, Stale, BadInput.
    """
    require_organiser(tournament.club, actor)
    with take_step(tournament.pk, Kind.RESEAT, actor=actor, now=now, key=key, round=number) as step:
        if step.is_repeat:
            return
        played = Round.objects.filter(tournament=step.tournament, number=number).first()
        if played is None or played.status != Round.Status.RELEASED:
            raise Stale("This round is not being played. Its results are fixed, or it has not been released.")
        first, second = _find_chair(played, first_id, seen[0]), _find_chair(played, second_id, seen[1])
        if first.pod_id == second.pod_id:
            raise BadInput("Choose two people at different tables.")
        require_open([first.pod, second.pod])
        step.details["name"] = f"{first.entrant.name}, {second.entrant.name}"
        drafts.exchange_places(step, first, second)
        drafts.require_pair_rules(played)


def require_open(pods: Iterable[Pod]) -> None:
    """Raises Stale unless each of these pods plays in the room and has no result that may count."""
    for pod in pods:
        online_tables.require_movable(pod)
        if pod.is_online:
            raise Stale(
                "Table %(table)s is an online table. Nobody can sit down at the wrong table there.", table=pod.number
            )


def list_reseated(changes: Iterable[Change]) -> set[int]:
    """The ids of pods whose seats these changes are about."""
    return {(after or before or {}).get("pod_id", 0) for kind, _pk, before, after in changes if kind == "PodSeat"}


def _find_chair(played: Round, entrant_id: int, table: int | None) -> PodSeat:
    """The seat of an entrant. Raises NotFound, BadInput for a bye, Stale if they do not play there themselves."""
    place = drafts.find_place(played, entrant_id, table)
    if not isinstance(place, PodSeat):
        raise BadInput("%(name)s has a bye and does not sit at a table.", name=place.entrant.name)
    if place.fate != PodSeat.Fate.PLAYS or place.substitute_name or place.substitute_id:
        raise Stale(
            "%(name)s has a substitute or does not play at this table. Undo that first.", name=place.entrant.name
        )
    return place
