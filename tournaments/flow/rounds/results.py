"""Results of pods: recorded from an online table, entered and confirmed by players, or decided by an organiser.

All reports are kept. At most one result of a pod is accepted, which a database constraint ensures, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from games.models import Player
from games.play.errors import BadInput, NotAllowed, NotFound, Stale
from games.play.storage.table import LoadedTable
from games.records.stand_ins import dump_stand_in
from tournaments import formats
from tournaments.flow.counting import stand_in_records
from tournaments.flow.permissions import (
    has_duty,
    is_at_least,
    require_duty,
    require_organiser,
    role_of,
    seat_of,
)
from tournaments.flow.rounds.result_reports import ReportedResult, needs_scores, read_result
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import TournamentStep, take_step
from tournaments.flow.tables import seat_changes
from tournaments.models import (
    LAST_STAGES,
    Duty,
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


def enter(
    tournament: Tournament,
    player: Player,
    pod_id: int,
    reported: ReportedResult,
    *,
    now: float,
    key: str | None = None,
    since: float | None = None,
    seen: int | None = None,
) -> None:
    """A player of the pod reports its result; a report of an organiser or a scorer decides it.

    The same report of another player confirms it. A new report of the same player replaces their former one.
    key: a report with the same key is taken once, also if the player has reported something else since.
    since, seen: when it was entered, if it has waited on a phone, and what its form showed; see `decide`.
    Raises NotAllowed, NotFound, Stale (it is decided), BadInput.
    """
    if has_duty(tournament, player, Duty.SCORER):
        decide(tournament, player, pod_id, reported, key=key, since=since, seen=seen, now=now)
        return
    with take_step(tournament.pk, Kind.RESULT, actor=player, now=now, key=key) as step:
        if step.is_repeat:
            return
        pod = _find_pod(step, pod_id)
        _require_played(pod)
        if seat_of(pod, player.pk) is None:
            raise NotAllowed("Only people who played at this table and organisers can do this.")
        step.details |= describe_result(pod, reported)
        results = _list_results(pod)
        same = [
            result for result in results if read_result(result) == reported and result.status in (PROPOSED, ACCEPTED)
        ]
        if any(result.status == ACCEPTED for result in results):
            if same:
                return
            raise Stale("This result is decided. If it is wrong, tell an organiser.")
        if any(result.entered_by_id == player.pk for result in same):
            return
        _withdraw_own(step, results, player)
        if same:
            step.details["accepted"] = True
            step.change(same[0], status=ACCEPTED, confirmed_by_id=player.pk)
        else:
            step.create(_build_result(pod, reported, PROPOSED, Result.Source.PLAYER, player, now=now))


def confirm(tournament: Tournament, player: Player, result_id: int, *, now: float) -> None:
    """Confirm a reported result: another player, an organiser or a scorer. Idempotent. Raises NotAllowed, Stale."""
    with take_step(tournament.pk, Kind.CONFIRM, actor=player, now=now) as step:
        result = _find_result(step, result_id)
        if result.status == ACCEPTED:
            return
        _require_played(result.pod)
        _require_other(step, result, player)
        if result.status != PROPOSED or _find_accepted(result.pod) is not None:
            raise Stale("This result has been replaced. Reload the page.")
        step.details |= describe_result(result.pod, read_result(result))
        step.change(result, status=ACCEPTED, confirmed_by_id=player.pk)


def reject(tournament: Tournament, player: Player, result_id: int, *, now: float) -> None:
    """Reject a reported result: another player, an organiser or a scorer. Idempotent. Raises NotAllowed, Stale."""
    with take_step(tournament.pk, Kind.REJECT, actor=player, now=now) as step:
        result = _find_result(step, result_id)
        if result.status == REJECTED:
            return
        _require_played(result.pod)
        if result.status == ACCEPTED:
            raise Stale("This result is decided. If it is wrong, tell an organiser.")
        if seat_of(result.pod, player.pk) is None and not has_duty(step.tournament, player, Duty.SCORER):
            raise NotAllowed("Only people who played at this table and organisers can do this.")
        step.details |= {"table": result.pod.number, "round": result.pod.round.number}
        step.change(result, status=REJECTED)


def decide(
    tournament: Tournament,
    actor: Player | None,
    pod_id: int,
    reported: ReportedResult | None,
    *,
    now: float,
    is_void: bool = False,
    key: str | None = None,
    since: float | None = None,
    seen: int | None = None,
) -> None:
    """An organiser decides that this result counts, or (is_void) that the pod counts for nobody. Idempotent; with a
    key also if somebody has decided otherwise since. A scorer decides a result of the round that is played.

    reported None: everybody shares the first place. Possible in complete rounds, too, see `may_decide`.
    since: when it was entered, in seconds since 1970, if it has waited on a phone. It does not replace another result
    that somebody else has entered after that.
    seen: the id of the accepted result that its form showed, 0 without one. It replaces no other result of others.
    Raises NotAllowed, NotFound, Stale.
    """
    require_duty(tournament, actor, Duty.SCORER)
    with take_step(tournament.pk, Kind.DECIDE, actor=actor, now=now, key=key) as step:
        if step.is_repeat:
            return
        pod = _find_pod(step, pod_id)
        if is_void:
            require_organiser(tournament.club, actor)
        if pod.round.status != Round.Status.RELEASED:
            _require_right_to_correct(tournament, actor)
        _require_decidable(step.tournament, pod.round)
        reported = reported or ReportedResult((1,) * pod.seats.count())
        _require_nothing_newer(pod, reported, actor, since=since, seen=seen)
        step.details |= {
            **describe_result(pod, reported),
            "void": is_void,
            "past": pod.round.status == Round.Status.COMPLETE,
        }
        accept_result(step, pod, reported, actor, is_void=is_void, now=now)


def _require_right_to_correct(tournament: Tournament, actor: Player | None) -> None:
    """Raises NotAllowed for a scorer: a result may have waited on their phone until the round was over."""
    if not is_at_least(role_of(tournament.club, actor.pk if actor else None), Role.ORGANISER):
        raise NotAllowed("This round is not being played. Its results are fixed, or it has not been released.")


def _require_nothing_newer(
    pod: Pod, reported: ReportedResult, actor: Player | None, *, since: float | None, seen: int | None
) -> None:
    """Raises Stale if somebody else has entered another result that the form of this one did not show."""
    known = _find_accepted(pod)
    if known is None or read_result(known) == reported or known.entered_by_id == (actor.pk if actor else None):
        return
    if since is not None and known.at > since:
        raise Stale(
            "Somebody else has entered another result for this table meanwhile. If yours is right, enter it again."
        )
    if seen is not None and known.pk != seen:
        raise Stale("Somebody else has just changed this. Reload the page.")


def may_decide(tournament: Tournament, played: Round, rounds: Iterable[Round]) -> bool:
    """Whether an organiser may decide results of this round: while it is played; or when it is complete, while the
    tournament runs, only points follow from them, and no draft is based on these points.

    rounds: all of the tournament.
    """
    if played.status != Round.Status.COMPLETE or tournament.phase != Phase.RUNNING:
        return played.status == Round.Status.RELEASED
    is_point_round = played.stage in (Stage.SWISS, Stage.PLAN)
    return is_point_round and not any(row.stage in LAST_STAGES or row.status in BEING_DRAWN for row in rounds)


def _require_decidable(tournament: Tournament, played: Round) -> None:
    rounds = list(tournament.rounds.all())
    if may_decide(tournament, played, rounds):
        return
    if tournament.phase == Phase.RUNNING and any(row.status in BEING_DRAWN for row in rounds):
        raise Stale("A round is being drawn. Cancel that draw first.")
    raise _not_in_play()


def accept_result(
    step: TournamentStep, pod: Pod, reported: ReportedResult, actor: Player | None, *, is_void: bool, now: float
) -> None:
    """Within a step: accept this result in place of any other one. Raises BadInput if scores are missing."""
    if reported.scores is None and not is_void and needs_scores(step.tournament):
        raise BadInput("This tournament counts the game score. Enter everybody's score.")
    accepted = _find_accepted(pod)
    if accepted is not None:
        if (read_result(accepted), accepted.is_void) == (reported, is_void):
            return
        step.details["before"] = msgspec.json.decode(accepted.places)
        step.change(accepted, status=REJECTED)
    row = _build_result(pod, reported, ACCEPTED, Result.Source.ORGANISER, actor, now=now)
    row.is_void = is_void
    step.create(row)


def record_table(table: LoadedTable, *, now: float) -> None:
    """Record the result of an online table whose game is over. Idempotent.

    If the pod has an accepted result already, or the round is complete, it is stored but does not count.
    """
    outcome = table.outcome
    pod = Pod.objects.select_related("round").filter(table_id=table.id).first()
    if pod is None or outcome is None:
        return
    with take_step(pod.round.tournament_id, Kind.TABLE_RESULT, actor=None, now=now) as step:
        if Result.objects.filter(pod=pod, source=Result.Source.TABLE).exists():
            return
        is_late = _find_accepted(pod) is not None or Round.objects.get(pk=pod.round_id).status != Round.Status.RELEASED
        reported = ReportedResult(outcome.places, outcome.scores)
        stand_in_records.note(step, pod, table)
        step.details |= {**describe_result(pod, reported), "late": is_late}
        step.create(_build_result(pod, reported, PROPOSED if is_late else ACCEPTED, Result.Source.TABLE, None, now=now))
        if not formats.of(step.tournament).has_rounds:
            _pause_absent(step, pod, table)


def describe_result(pod: Pod, reported: ReportedResult) -> dict[str, Any]:
    """The log details of a result. names, entrants: of those who played (names and numbers), in the order of `places`,
    `scores` and, if bots played for some of them, `stand_ins`."""
    seats = list(pod.seats.select_related("entrant").order_by("index"))
    playing = [index for index, seat in enumerate(seats) if seat.fate == PodSeat.Fate.PLAYS] or range(len(seats))
    places, names = [reported.places[index] for index in playing], [seats[index].entrant.name for index in playing]
    details: dict[str, Any] = {"table": pod.number, "round": pod.round.number, "places": places, "names": names}
    details["entrants"] = [seats[index].entrant.number for index in playing]
    if reported.scores is not None:
        details["scores"] = [reported.scores[index] for index in playing]
    stand_ins = [stand_in_records.read(seats[index]) for index in playing]
    if any(stand_ins):
        details["stand_ins"] = [None if stand_in is None else dump_stand_in(stand_in) for stand_in in stand_ins]
    return details


def _pause_absent(step: TournamentStep, pod: Pod, table: LoadedTable) -> None:
    """Within a step of an arena: pause people whose game a bot finished, until they say that they are back."""
    gone = {place.seat for place in table.places if place.seat in table.runtime.stand_ins or place.player_id is None}
    for seat in pod.seats.select_related("entrant").filter(index__in=gone, substitute=None):
        if not seat.entrant.bot:
            step.change(seat.entrant, is_away=True)


def set_fate(tournament: Tournament, actor: Player | None, seat_id: int, fate: PodSeat.Fate, *, now: float) -> None:
    """Mark a seat as no-show, as forfeited, or as playing after all. Raises NotAllowed, NotFound, Stale, BadInput.

    At an online table a bot plays for a no-show or forfeit; a person who plays after all gets their seat back.
    """
    require_organiser(tournament.club, actor)
    with take_step(tournament.pk, Kind.FATE, actor=actor, now=now, fate=fate) as step:
        seat = _find_seat(step, seat_id)
        step.details |= {"table": seat.pod.number, "name": seat.entrant.name}
        step.change(seat, fate=fate)
        seat_changes.require_valid_seats(step.tournament)
        if not formats.of(step.tournament).has_rounds and fate != PodSeat.Fate.PLAYS:
            step.change(seat.entrant, is_away=True)
    seat_changes.sync_all_seats(tournament, now=now)


def find_seat(tournament: Tournament, seat_id: int) -> PodSeat:
    """A seat of a round that is being played. Raises NotFound, Stale."""
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
        raise NotFound("This result does not exist.")
    return result


def _require_played(pod: Pod) -> None:
    if pod.round.status != Round.Status.RELEASED:
        raise _not_in_play()


def _not_in_play() -> Stale:
    return Stale("This round is not being played. Its results are fixed, or it has not been released.")


def _require_other(step: TournamentStep, result: Result, player: Player) -> None:
    if has_duty(step.tournament, player, Duty.SCORER):
        return
    if seat_of(result.pod, player.pk) is None:
        raise NotAllowed("Only people who played at this table and organisers can do this.")
    if result.entered_by_id == player.pk:
        raise NotAllowed("Somebody else at your table or an organiser must confirm what you entered.")


def _list_results(pod: Pod) -> list[Result]:
    return list(Result.objects.filter(pod=pod).order_by("pk"))


def _find_accepted(pod: Pod) -> Result | None:
    return Result.objects.filter(pod=pod, status=ACCEPTED).first()


def _withdraw_own(step: TournamentStep, results: Sequence[Result], player: Player) -> None:
    for result in results:
        if result.entered_by_id == player.pk and result.status == PROPOSED:
            step.change(result, status=REJECTED)


def _build_result(
    pod: Pod, reported: ReportedResult, status: str, source: str, player: Player | None, *, now: float
) -> Result:
    return Result(
        pod=pod,
        status=status,
        source=source,
        places=msgspec.json.encode(reported.places).decode(),
        scores=msgspec.json.encode(reported.scores).decode(),
        entered_by=player,
        at=now,
    )
