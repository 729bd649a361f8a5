"""Draw a round, read the draft with its certificate, correct it, release it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest

from games.play.errors import NotFound
from tournaments.api.organising.acting import (
    ORGANISE,
    can_organise,
    digest_key,
    do_once,
    find_actor,
    find_entrant_ids,
    find_led,
    find_pod,
    make_once_here,
    read_fresh,
)
from tournaments.api.organising.held_rounds import describe_held
from tournaments.api.organising.plan_shapes import KeyIn
from tournaments.api.organising.shapes import DrawIn, OrganiserRoundOut, SwapIn, ToggleIn
from tournaments.api.readers import CHANGE_REFUSED, REFUSED
from tournaments.api.routes import Router
from tournaments.flow.drawing import drafts, draw_requests
from tournaments.flow.permissions import require_organiser
from tournaments.flow.rounds import lifecycle, seat_swaps
from tournaments.models import Tournament
from tournaments.work import tasks

router = Router(tags=ORGANISE)
ROUND = "/tournaments/{tournament_id}/rounds/{number}"
RESPONSES: dict[int, Any] = {200: OrganiserRoundOut, **CHANGE_REFUSED}


@router.get(ROUND, auth=can_organise, response={200: OrganiserRoundOut, **REFUSED})
def show_round(request: HttpRequest, tournament_id: str, number: int) -> Any:
    """A round as its organisers see it; a draft, too, with the reasons and the certificate of its draw."""
    found = find_led(request, tournament_id)
    require_organiser(found.club, find_actor(request))
    return tell_round(found, number)


def tell_round(found: Tournament, number: int) -> dict[str, Any]:
    """An `OrganiserRoundOut` as the round is now. Raises NotFound."""
    book = read_fresh(found)
    played = next((row for row in book.rounds if row.number == number), None)
    if played is None:
        raise NotFound("This round does not exist.")
    return describe_held(book, played)


@router.post(f"{ROUND}/draw", auth=can_organise, response=RESPONSES)
def draw_round(request: HttpRequest, tournament_id: str, number: int, wanted: DrawIn) -> Any:
    """Draw the next round, or (`again`) its draft anew. A large draw goes on as `drawing`: ask for the round again."""
    found, actor = find_led(request, tournament_id), find_actor(request)

    def ask() -> str:
        asked = draw_requests.request_draw(
            found, actor, number, again=wanted.again, instead=wanted.instead, now=time.time()
        )
        return f"{asked.pk} {asked.drawing}" if asked is not None else "none"

    round_id, _, drawing = make_once_here(request, wanted.key, ask).partition(" ")
    if drawing and draw_requests.is_quick(found):
        draw_requests.run_draw(int(round_id), drawing, actor, now=time.time())
    elif drawing:
        tasks.send_task(tasks.run_draw, int(round_id), drawing, actor.pk)
    return tell_round(found, number)


@router.post(f"{ROUND}/cancel", auth=can_organise, response={200: list[OrganiserRoundOut], **CHANGE_REFUSED})
def cancel_draw(request: HttpRequest, tournament_id: str, number: int, wanted: KeyIn) -> Any:
    """Cancel a draw that is being computed; the draft before it stays. The answer is that draft, or an empty list."""
    found = find_led(request, tournament_id)
    do_once(request, wanted.key, lambda: draw_requests.cancel_draw(found, find_actor(request), number))
    book = read_fresh(found)
    return [describe_held(book, played) for played in book.rounds if played.number == number]


@router.post(f"{ROUND}/swap", auth=can_organise, response=RESPONSES)
def swap_entrants(request: HttpRequest, tournament_id: str, number: int, wanted: SwapIn) -> Any:
    """Swap two entrants of a draft: two seats, or a seat and a bye. Send a `key`: the same one twice is one swap."""
    return _swap(request, tournament_id, number, wanted, drafts.swap)


@router.post(f"{ROUND}/reseat", auth=can_organise, response=RESPONSES)
def reseat_entrants(request: HttpRequest, tournament_id: str, number: int, wanted: SwapIn) -> Any:
    """Swap two entrants who sat down at each other's real tables, while the round is played without their results."""
    return _swap(request, tournament_id, number, wanted, seat_swaps.reseat)


def _swap(request: HttpRequest, tournament_id: str, number: int, wanted: SwapIn, act: Callable[..., None]) -> Any:
    found = find_led(request, tournament_id)
    first, second = find_entrant_ids(found, [wanted.first, wanted.second])
    seen, key = (wanted.first_table, wanted.second_table), digest_key(request, wanted.key)
    act(found, find_actor(request), number, first, second, seen=seen, key=key, now=time.time())
    return tell_round(found, number)


@router.post(f"{ROUND}/tables/{{table}}/lock", auth=can_organise, response=RESPONSES)
def lock_table(request: HttpRequest, tournament_id: str, number: int, table: int, wanted: ToggleIn) -> Any:
    """Keep the people of a drafted table together when the round is drawn again, or no longer (`on`: false)."""
    found = find_led(request, tournament_id)
    pk, actor = find_pod(found, number, table).pk, find_actor(request)
    do_once(request, wanted.key, lambda: drafts.keep_pod(found, actor, pk, locked=wanted.on, now=time.time()))
    return tell_round(found, number)


@router.post(f"{ROUND}/tables/{{table}}/online", auth=can_organise, response=RESPONSES)
def move_table(request: HttpRequest, tournament_id: str, number: int, table: int, wanted: ToggleIn) -> Any:
    """Play at this table online, or (`on`: false) in the room; until its game has begun."""
    found = find_led(request, tournament_id)
    pk, actor = find_pod(found, number, table).pk, find_actor(request)
    do_once(request, wanted.key, lambda: drafts.move_pod(found, actor, pk, online=wanted.on, now=time.time()))
    return tell_round(found, number)


@router.post(f"{ROUND}/release", auth=can_organise, response=RESPONSES)
def release_round(request: HttpRequest, tournament_id: str, number: int, wanted: KeyIn) -> Any:
    """Publish the draw; the round is being played from now on."""
    found = find_led(request, tournament_id)
    do_once(request, wanted.key, lambda: lifecycle.release(found, find_actor(request), number, now=time.time()))
    return tell_round(found, number)
