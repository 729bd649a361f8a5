"""A round while it is played: its time, its waiting tables, its end."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest

from tournaments.api.organising.acting import ORGANISE, can_organise, digest_key, do_once, find_actor, find_led
from tournaments.api.organising.draws import RESPONSES, ROUND, tell_round
from tournaments.api.organising.plan_shapes import KeyIn
from tournaments.api.organising.shapes import CompleteIn, ExtendIn
from tournaments.api.routes import Router
from tournaments.flow.rounds import lifecycle

router = Router(tags=ORGANISE)


@router.post(f"{ROUND}/complete", auth=can_organise, response=RESPONSES)
def complete_round(request: HttpRequest, tournament_id: str, number: int, wanted: CompleteIn) -> Any:
    """Complete a round: its results are fixed, and standings follow. 409 names the tables whose results are missing."""
    found, actor = find_led(request, tournament_id), find_actor(request)
    do_once(
        request,
        wanted.key,
        lambda: lifecycle.complete(found, actor, number, missing=wanted.missing, now=time.time()),
    )
    return tell_round(found, number)


@router.post(f"{ROUND}/pause", auth=can_organise, response=RESPONSES)
def pause_round(request: HttpRequest, tournament_id: str, number: int, wanted: KeyIn) -> Any:
    """Pause all tables of the round."""
    return _act_on_round(request, tournament_id, number, wanted, lifecycle.pause)


@router.post(f"{ROUND}/resume", auth=can_organise, response=RESPONSES)
def resume_round(request: HttpRequest, tournament_id: str, number: int, wanted: KeyIn) -> Any:
    """Resume the round. Clocks continue where they stopped."""
    return _act_on_round(request, tournament_id, number, wanted, lifecycle.resume)


@router.post(f"{ROUND}/bell", auth=can_organise, response=RESPONSES)
def ring_bell(request: HttpRequest, tournament_id: str, number: int, wanted: KeyIn) -> Any:
    """Ring the bell: each table finishes its deal."""
    return _act_on_round(request, tournament_id, number, wanted, lifecycle.ring)


@router.post(f"{ROUND}/begin", auth=can_organise, response=RESPONSES)
def begin_waiting_tables(request: HttpRequest, tournament_id: str, number: int, wanted: KeyIn) -> Any:
    """Start all waiting tables without missing players."""
    return _act_on_round(request, tournament_id, number, wanted, lifecycle.begin_now)


def _act_on_round(
    request: HttpRequest, tournament_id: str, number: int, wanted: KeyIn, act: Callable[..., None]
) -> Any:
    found, actor = find_led(request, tournament_id), find_actor(request)
    do_once(request, wanted.key, lambda: act(found, actor, number, now=time.time()))
    return tell_round(found, number)


@router.post(f"{ROUND}/extend", auth=can_organise, response=RESPONSES)
def extend_round(request: HttpRequest, tournament_id: str, number: int, wanted: ExtendIn) -> Any:
    """Give the round more minutes, or fewer. Send a `key`: the same one twice counts once."""
    found, key = find_led(request, tournament_id), digest_key(request, wanted.key)
    lifecycle.extend(found, find_actor(request), number, wanted.minutes, key=key, now=time.time())
    return tell_round(found, number)
