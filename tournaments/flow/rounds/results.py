"""Results of pods: from the table itself, entered by a player and confirmed by another, or decided by an organiser.

Whatever was said is kept. At most one result of a pod is accepted; the database holds to that, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from games.models import Player
from games.play.errors import BadInput, NotAllowed, NotFound, Stale
from games.play.storage.table import Loaded
from games.records.stand_ins import dump_stand_in
from tournaments import formats
from tournaments.flow.counting import stand_in_records
from tournaments.flow.permissions import require_organiser, role_of, seat_of
from tournaments.flow.rounds.result_reports import Said, needs_scores, says
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import TournamentStep, take_step
from tournaments.flow.tables import seat_changes
from tournaments.models import (
    LAST_STAGES,
    Phase,
    Pod,
    PodSeat,
    Result,
    Role,
    Round,
    Stage,
    Tournament,
)

PROPOSED, ACCEPTED, REJECTED = Result.Status.PROPOSED, Result.Status.ACCEPTED, Result.Status.REJECTED
BEING_DRAWN = (Round.Status.DRAWING, Round.Status.DRAFT)


def enter(tournament: Tournament, player: Player, pod_id: int, said: Said, *, now: float) -> None:
    """A player of the pod says how it ended; an organiser decides at once.

    The same said by another player confirms it. Said again by the same player it replaces what he said.
    Raises NotAllowed, NotFound, Stale (it is decided), BadInput.
    """
    if _is_organiser(tournament, player):
        decide(tournament, player, pod_id, said, now=now)
        return
    with take_step(tournament.pk, Kind.RESULT, actor=player, now=now) as step:
        pod = _find_pod(step, pod_id)
        _require_played(pod)
        if seat_of(pod, player.pk) is None:
            raise NotAllowed("Only who played at this table, or an organiser, enters its result.")
        step.details |= tell_result(pod, said)
        known = _known(pod)
        same = [one for one in known if says(one) == said and one.status in (PROPOSED, ACCEPTED)]
        if any(one.status == ACCEPTED for one in known):
            if same:
                return
            raise Stale("This result is decided. If it is wrong, tell the organiser.")
        if any(one.entered_by_id == player.pk for one in same):
            return
        _withdraw_own(step, known, player)
        if same:
            step.details["accepted"] = True
            step.change(same[0], status=ACCEPTED, confirmed_by_id=player.pk)
        else:
            step.create(_new(pod, said, PROPOSED, Result.Source.PLAYER, player, now=now))


def confirm(tournament: Tournament, player: Player, result_id: int, *, now: float) -> None:
    """Another player of the pod, or an organiser, says that it is right. Twice is once. Raises NotAllowed, Stale."""
    with take_step(tournament.pk, Kind.CONFIRM, actor=player, now=now) as step:
        result = _find_result(step, result_id)
        if result.status == ACCEPTED:
            return
        _require_played(result.pod)
        _require_other(step, result, player)
        if result.status != PROPOSED or _accepted(result.pod) is not None:
            raise Stale("This result has been replaced. Look again.")
        step.details |= tell_result(result.pod, says(result))
        step.change(result, status=ACCEPTED, confirmed_by_id=player.pk)


def reject(tournament: Tournament, player: Player, result_id: int, *, now: float) -> None:
    """Another player of the pod, or an organiser, says that it is wrong. Twice is once. Raises NotAllowed, Stale."""
    with take_step(tournament.pk, Kind.REJECT, actor=player, now=now) as step:
        result = _find_result(step, result_id)
        if result.status == REJECTED:
            return
        _require_played(result.pod)
        if result.status == ACCEPTED:
            raise Stale("This result is decided. If it is wrong, tell the organiser.")
        if seat_of(result.pod, player.pk) is None and not _is_organiser(step.tournament, player):
            raise NotAllowed("Only who played at this table, or an organiser, enters its result.")
        step.details |= {"table": result.pod.number, "round": result.pod.round.number}
        step.change(result, status=REJECTED)


def decide(
    tournament: Tournament,
    actor: Player | None,
    pod_id: int,
    said: Said | None,
    *,
    now: float,
    is_void: bool = False,
    key: str | None = None,
) -> None:
    """The organiser's word: this result counts, or (void) the pod counts for nobody. Twice is once; with a key also if
    somebody has decided otherwise since.

    said None: everybody shares the first place. Also when the round is complete, see `may_decide`.
    Raises NotAllowed, NotFound, Stale.
    """
    require_organiser(tournament.club, actor)
    with take_step(tournament.pk, Kind.DECIDE, actor=actor, now=now, key=key) as step:
        if step.is_repeat:
            return
        pod = _find_pod(step, pod_id)
        _require_decidable(step.tournament, pod.round)
        said = said or Said((1,) * pod.seats.count())
        step.details |= {**tell_result(pod, said), "void": is_void, "past": pod.round.status == Round.Status.COMPLETE}
        settle(step, pod, said, actor, is_void=is_void, now=now)


def may_decide(tournament: Tournament, played: Round, rounds: Iterable[Round]) -> bool:
    """Whether an organiser may decide results of this round: it is being played; or it is complete, the tournament goes
    on, and points are all that follows from them. Not while the next round is a draft, which rests on these points.

    rounds: all of the tournament.
    """
    if played.status != Round.Status.COMPLETE or tournament.phase != Phase.RUNNING:
        return played.status == Round.Status.RELEASED
    is_point_round = played.stage in (Stage.SWISS, Stage.PLAN)
    return is_point_round and not any(one.stage in LAST_STAGES or one.status in BEING_DRAWN for one in rounds)


def _require_decidable(tournament: Tournament, played: Round) -> None:
    rounds = list(tournament.rounds.all())
    if may_decide(tournament, played, rounds):
        return
    if tournament.phase == Phase.RUNNING and any(one.status in BEING_DRAWN for one in rounds):
        raise Stale("A round is being drawn. Give that draw up first.")
    raise _fixed()


def settle(step: TournamentStep, pod: Pod, said: Said, actor: Player | None, *, is_void: bool, now: float) -> None:
    """Within a step: this is the pod's result, whatever was said before. Raises BadInput where scores are missing."""
    if said.scores is None and not is_void and needs_scores(step.tournament):
        raise BadInput("This tournament counts the game's own score. Give everybody's score.")
    known = _accepted(pod)
    if known is not None:
        if (says(known), known.is_void) == (said, is_void):
            return
        step.details["before"] = msgspec.json.decode(known.places)
        step.change(known, status=REJECTED)
    row = _new(pod, said, ACCEPTED, Result.Source.ORGANISER, actor, now=now)
    row.is_void = is_void
    step.create(row)


def record_table(table: Loaded, *, now: float) -> None:
    """The result of an online table whose game is over. Any number of times.

    Where the organiser has decided already, or the round is complete, it is kept beside what counts.
    """
    outcome = table.outcome
    pod = Pod.objects.select_related("round").filter(table_id=table.id).first()
    if pod is None or outcome is None:
        return
    with take_step(pod.round.tournament_id, Kind.TABLE_RESULT, actor=None, now=now) as step:
        if Result.objects.filter(pod=pod, source=Result.Source.TABLE).exists():
            return
        is_late = _accepted(pod) is not None or Round.objects.get(pk=pod.round_id).status != Round.Status.RELEASED
        said = Said(outcome.places, outcome.scores)
        stand_in_records.note(step, pod, table)
        step.details |= {**tell_result(pod, said), "late": is_late}
        step.create(_new(pod, said, PROPOSED if is_late else ACCEPTED, Result.Source.TABLE, None, now=now))
        if not formats.of(step.tournament).has_rounds:
            _let_rest(step, pod, table)


def tell_result(pod: Pod, said: Said) -> dict[str, Any]:
    """What the log tells of a result. names: of those who played, in the order of `places`, of `scores` and, where
    bots played for some of them, of `stand_ins`."""
    seats = list(pod.seats.select_related("entrant").order_by("index"))
    here = [index for index, seat in enumerate(seats) if seat.fate == PodSeat.Fate.PLAYS] or range(len(seats))
    places, names = [said.places[index] for index in here], [seats[index].entrant.name for index in here]
    told: dict[str, Any] = {"table": pod.number, "round": pod.round.number, "places": places, "names": names}
    if said.scores is not None:
        told["scores"] = [said.scores[index] for index in here]
    stand_ins = [stand_in_records.read(seats[index]) for index in here]
    if any(stand_ins):
        told["stand_ins"] = [None if one is None else dump_stand_in(one) for one in stand_ins]
    return told


def _let_rest(step: TournamentStep, pod: Pod, table: Loaded) -> None:
    """Whoever a bot played for at the end has gone: an arena seats him again when he says that he is back."""
    gone = {place.seat for place in table.places if place.seat in table.desk.stand_ins or place.player_id is None}
    for seat in pod.seats.select_related("entrant").filter(index__in=gone, substitute=None):
        if not seat.entrant.bot:
            step.change(seat.entrant, is_away=True)


def set_fate(tournament: Tournament, actor: Player | None, seat_id: int, fate: PodSeat.Fate, *, now: float) -> None:
    """Say that somebody did not come to his table, forfeits, or plays after all. Raises NotAllowed, Stale.

    On screens a bot plays for him, for good; when he plays after all he has his chair again.
    """
    require_organiser(tournament.club, actor)
    with take_step(tournament.pk, Kind.FATE, actor=actor, now=now, fate=fate) as step:
        seat = _find_seat(step, seat_id)
        step.details |= {"table": seat.pod.number, "name": seat.entrant.name}
        step.change(seat, fate=fate)
        seat_changes.require_right(step.tournament)
        if not formats.of(step.tournament).has_rounds and fate != PodSeat.Fate.PLAYS:
            step.change(seat.entrant, is_away=True)
    seat_changes.put_right_all(tournament, now=now)


def find_seat(tournament: Tournament, seat_id: int) -> PodSeat:
    """A chair of a running round of this tournament. Raises NotFound, Stale."""
    found = PodSeat.objects.select_related("pod__round", "entrant").filter(
        pk=seat_id, pod__round__tournament=tournament
    )
    seat = found.first()
    if seat is None:
        raise NotFound("This person is not in this round.")
    _require_played(seat.pod)
    return seat


def _find_seat(step: TournamentStep, seat_id: int) -> PodSeat:
    return find_seat(step.tournament, seat_id)


def _find_pod(step: TournamentStep, pod_id: int) -> Pod:
    pod = Pod.objects.select_related("round").filter(pk=pod_id, round__tournament=step.tournament).first()
    if pod is None:
        raise NotFound("There is no such table in this round.")
    return pod


def _find_result(step: TournamentStep, result_id: int) -> Result:
    found = Result.objects.select_related("pod__round").filter(pk=result_id, pod__round__tournament=step.tournament)
    result = found.first()
    if result is None:
        raise NotFound("There is no such result.")
    return result


def _require_played(pod: Pod) -> None:
    if pod.round.status != Round.Status.RELEASED:
        raise _fixed()


def _fixed() -> Stale:
    return Stale("This round is not being played: its results are fixed or still to come.")


def _require_other(step: TournamentStep, result: Result, player: Player) -> None:
    if _is_organiser(step.tournament, player):
        return
    if seat_of(result.pod, player.pk) is None:
        raise NotAllowed("Only who played at this table, or an organiser, enters its result.")
    if result.entered_by_id == player.pk:
        raise NotAllowed("Somebody else at your table confirms what you entered, or an organiser.")


def _is_organiser(tournament: Tournament, player: Player) -> bool:
    return role_of(tournament.club, player.pk) in (Role.ORGANISER, Role.OWNER)


def _known(pod: Pod) -> list[Result]:
    return list(Result.objects.filter(pod=pod).order_by("pk"))


def _accepted(pod: Pod) -> Result | None:
    return Result.objects.filter(pod=pod, status=ACCEPTED).first()


def _withdraw_own(step: TournamentStep, known: Sequence[Result], player: Player) -> None:
    for one in known:
        if one.entered_by_id == player.pk and one.status == PROPOSED:
            step.change(one, status=REJECTED)


def _new(pod: Pod, said: Said, status: str, source: str, player: Player | None, *, now: float) -> Result:
    return Result(
        pod=pod,
        status=status,
        source=source,
        places=msgspec.json.encode(said.places).decode(),
        scores=msgspec.json.encode(said.scores).decode(),
        entered_by=player,
        at=now,
    )
