"""Results of tables: decided by organisers, reported, confirmed and disputed by players; who played in whose place."""

from __future__ import annotations

import time
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from django.http import HttpRequest, HttpResponse

from games.accounts import access_tokens
from games.models import AccessToken, Player
from games.play.errors import NotAllowed, NotFound
from tournaments.api import cached_rounds
from tournaments.api.organising.acting import (
    ORGANISE,
    can_decide,
    can_organise,
    do_once,
    find_actor,
    find_led,
    find_pod,
    read_fresh,
)
from tournaments.api.organising.draws import RESPONSES, ROUND, tell_round
from tournaments.api.organising.held_rounds import list_reported
from tournaments.api.organising.plan_shapes import KeyIn
from tournaments.api.organising.shapes import FateIn, ReportedTableOut, SubstituteIn
from tournaments.api.readers import CHANGE_REFUSED, REFUSED, Key, find_tournament
from tournaments.api.routes import Router
from tournaments.api.shapes import ResultIn, RoundOut
from tournaments.flow import permissions
from tournaments.flow.rounds import lifecycle, results
from tournaments.flow.rounds.result_reports import check_pod_result
from tournaments.models import ApiKey, Duty, Pod, PodSeat, Result, Round, Tournament

router = Router(tags=ORGANISE)
TABLE = f"{ROUND}/tables/{{table}}"


@router.post(
    "/tournaments/{tournament_id}/rounds/{number}/tables/{table}/result",
    auth=Key(),
    response={200: RoundOut, **CHANGE_REFUSED},
    tags=["tournaments"],
)
def post_result(request: HttpRequest, tournament_id: str, number: int, table: int, result: ResultIn) -> Any:
    """Decide the result of a table, once for each `key`.

    Needs an organiser's API key of the club, or an access token with the scope `results`: an organiser's, or that of
    somebody who has taken over the results for the night. They decide results of the round that is played.
    """
    tournament = find_tournament(request, tournament_id, scope=access_tokens.RESULTS)
    key: ApiKey | AccessToken = request.auth  # type: ignore[attr-defined]
    if isinstance(key, AccessToken):
        access_tokens.require_scope(key, access_tokens.RESULTS)
        organiser, sender = key.player, f"token {key.player_id}"
    elif key.club_id != tournament.club_id:
        raise NotAllowed("This API key belongs to another club. Use a key of the club that runs the tournament.")
    else:
        organiser, sender = key.made_by, str(key.pk)
    permissions.require_duty(tournament, organiser, Duty.SCORER)
    pod = find_pod(tournament, number, table)
    reported = None if result.counts_as else check_pod_result(tournament, pod, result.places or (), result.scores or ())
    once = sha256(f"{sender}/{pod.pk}/{result.key}".encode()).hexdigest()[:48] if result.key else None
    is_void = result.counts_as == lifecycle.VOID
    results.decide(tournament, organiser, pod.pk, reported, is_void=is_void, now=time.time(), key=once)
    return _send_round(tournament, number)


@router.get(f"{ROUND}/reports", auth=can_decide, response={200: list[ReportedTableOut], **REFUSED})
def list_reports(request: HttpRequest, tournament_id: str, number: int) -> Any:
    """What was reported and does not count yet, table by table, in the round under way. For organisers and scorers."""
    found = find_led(request, tournament_id, scope=access_tokens.RESULTS)
    permissions.require_duty(found, find_actor(request), Duty.SCORER)
    book = read_fresh(found)
    played = next((row for row in book.rounds if row.number == number), None)
    if played is None or played.status != Round.Status.RELEASED:
        raise NotFound("This round is not being played. Its results are fixed, or it has not been released.")
    return list_reported(book, played)


@router.post(f"{TABLE}/report", auth=can_decide, response={200: RoundOut, **CHANGE_REFUSED})
def report_result(request: HttpRequest, tournament_id: str, number: int, table: int, result: ResultIn) -> Any:
    """Report the result of a real table at which you play. It counts once another player confirms it."""
    found = find_led(request, tournament_id, scope=access_tokens.RESULTS)
    pod, actor = find_pod(found, number, table), find_actor(request)
    reported = check_pod_result(found, pod, result.places or (), result.scores or ())
    do_once(request, result.key, lambda: results.enter(found, actor, pod.pk, reported, now=time.time()))
    return _send_round(found, number)


@router.post(
    "/tournaments/{tournament_id}/reports/{report}/confirm", auth=can_decide, response={200: RoundOut, **CHANGE_REFUSED}
)
def confirm_report(request: HttpRequest, tournament_id: str, report: int, wanted: KeyIn) -> Any:
    """Confirm a reported result, as another player of the table or as an organiser. Now it counts."""
    return _answer_report(request, tournament_id, report, wanted, results.confirm)


@router.post(
    "/tournaments/{tournament_id}/reports/{report}/reject", auth=can_decide, response={200: RoundOut, **CHANGE_REFUSED}
)
def reject_report(request: HttpRequest, tournament_id: str, report: int, wanted: KeyIn) -> Any:
    """Dispute a reported result. Another report, or an organiser, decides."""
    return _answer_report(request, tournament_id, report, wanted, results.reject)


def _answer_report(
    request: HttpRequest, tournament_id: str, report: int, wanted: KeyIn, act: Callable[..., None]
) -> HttpResponse:
    found, actor = find_led(request, tournament_id, scope=access_tokens.RESULTS), find_actor(request)
    do_once(request, wanted.key, lambda: act(found, actor, report, now=time.time()))
    return _send_round(found, Result.objects.values_list("pod__round__number", flat=True).get(pk=report))


def _send_round(found: Tournament, number: int) -> HttpResponse:
    """A `RoundOut` as the round is now."""
    book = read_fresh(found)
    played = next(row for row in book.rounds if row.number == number)
    text = cached_rounds.write_round(book, played)
    return HttpResponse(text, content_type="application/json; charset=utf-8")


@router.post(f"{TABLE}/seats/{{seat}}/fate", auth=can_organise, response=RESPONSES)
def set_fate(request: HttpRequest, tournament_id: str, number: int, table: int, seat: int, wanted: FateIn) -> Any:
    """Record a no-show or a forfeit, or that somebody plays after all."""
    found, actor = find_led(request, tournament_id), find_actor(request)
    pk, fate = _find_seat(found, number, table, seat), PodSeat.Fate(wanted.fate)
    do_once(request, wanted.key, lambda: results.set_fate(found, actor, pk, fate, now=time.time()))
    return tell_round(found, number)


@router.post(f"{TABLE}/seats/{{seat}}/substitute", auth=can_organise, response=RESPONSES)
def set_substitute(
    request: HttpRequest, tournament_id: str, number: int, table: int, seat: int, wanted: SubstituteIn
) -> Any:
    """Let somebody else play this round for an entrant, who keeps the points."""
    found, actor = find_led(request, tournament_id), find_actor(request)
    permissions.require_organiser(found.club, actor)
    pk = _find_seat(found, number, table, seat)
    player = None if wanted.person is None else Player.objects.filter(pk=wanted.person).first()
    if wanted.person is not None and player is None:
        raise NotFound("This person is not in the club any more.")
    do_once(
        request,
        wanted.key,
        lambda: lifecycle.substitute(found, actor, pk, player=player, name=wanted.name, now=time.time()),
    )
    return tell_round(found, number)


def _find_seat(found: Tournament, number: int, table: int, index: int) -> int:
    """The id of a seat of a table. Raises NotFound."""
    pod: Pod = find_pod(found, number, table)
    pk = pod.seats.filter(index=index).values_list("pk", flat=True).first()
    if pk is None:
        raise NotFound("This person is not in this round.")
    return pk
