"""Requests that change a table: moves, commands, sitting down and standing up."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import msgspec
from django.contrib import messages as notes
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from games.accounts import rate_limits
from games.accounts.animal_pictures import AVATARS
from games.accounts.current_player import player_id, player_of
from games.accounts.guests import require_player
from games.operation import metrics
from games.play.errors import BadInput, Illegal, NotAllowed, Refusal, Stale, TooFast
from games.play.moves import submission
from games.play.records.table_description import describe
from games.play.seats import breaks, opening, readiness, sitting, standing_answers
from games.play.sentences import say_sentence
from games.play.storage import store
from games.play.storage.table import LoadedTable
from games.rules.reading import is_whole
from games.views import error_pages
from games.views.json_responses import JsonAnswer
from games.views.tables import find_table, render_table_page

MAX_BODY = 64 * 1024


@require_POST
def post_move(request: HttpRequest, table_id: str) -> HttpResponse:
    """A move of a browser without a socket, or of a program."""
    received = time.time()
    answer = _make_move(request, table_id, received)
    metrics.note_move(answer.status_code, time.time() - received)
    return answer


def _make_move(request: HttpRequest, table_id: str, received: float) -> HttpResponse:
    """A move, as a form or as JSON: `move`, `ply`, `key`.

    200 accepted, 409 the table has moved on (with the present state), 422 illegal, 403 not your
    seat, 429 too fast; the same key twice is one move.
    """
    _limit(request, table_id)
    find_table(request, table_id)
    fields = read_fields(request)
    move, ply, key = fields.get("move"), fields.get("ply"), fields.get("key")
    if isinstance(move, str):
        move = _read_json(move)
    if isinstance(ply, str) and ply.isascii() and ply.isdigit() and len(ply) < 10:
        ply = int(ply)
    if not is_whole(ply) or not isinstance(key, str):
        raise BadInput("A move needs `ply`, the number of the ply you saw, and a unique `key`.")
    me = player_id(request)
    try:
        accepted = submission.submit_move(table_id, me, move, ply=ply, key=key, now=received, started_at=time.time())
    except Stale as stale:
        now_at = find_table(request, table_id)
        answer = describe(now_at, me) | {"status": 409, "sentence": say_sentence(stale)}
        return JsonAnswer(answer, status=409)
    except (Illegal, NotAllowed) as refusal:
        sentence = say_sentence(refusal)
        return JsonAnswer({"status": refusal.status, "sentence": sentence}, status=refusal.status)
    return JsonAnswer({"status": 200, "ply": accepted.table.ply, "repeat": accepted.is_repeat})


@require_POST
def post_command(request: HttpRequest, table_id: str) -> HttpResponse:
    """A command, for browsers without a socket: `name` = `auto_pass` (with `on`), `standing` (with `value`),
    `ready` or `here`."""
    received = time.time()
    _limit(request, table_id)
    find_table(request, table_id)
    fields = read_fields(request)
    name, on = fields.get("name"), fields.get("on") in (True, "1", "true")
    if name == "auto_pass":
        table = sitting.order_pass(table_id, player_id(request), on=on, now=received)
    elif name == "standing":
        value = str(fields.get("value", ""))
        table = standing_answers.set_standing_answer(table_id, player_id(request), standing=value, now=received)
    elif name == "ready":
        table = readiness.mark_ready(table_id, player_id(request), now=received)
    elif name == "here":
        table = sitting.return_to_table(table_id, player_id(request), now=received)
    else:
        raise BadInput("Unknown command. Reload the page.")
    return JsonAnswer({"status": 200, "ply": table.ply})


def _limit(request: HttpRequest, table_id: str) -> None:
    if not rate_limits.allow_move(table_id, player_id(request)):
        raise TooFast("That was too fast. Wait a moment and try again.")


def read_fields(request: HttpRequest) -> dict[str, Any]:
    """The fields of a form, or of a JSON object. Raises BadInput."""
    if request.content_type == "application/json":
        fields = _read_json(request.body.decode(errors="replace"))
        if not isinstance(fields, dict):
            raise BadInput("A move must be a JSON object with `move`, `ply` and `key`.")
        return fields
    return {name: str(value) for name, value in request.POST.items()}


def _read_json(text: str) -> Any:
    if len(text) > MAX_BODY:
        raise BadInput("This is too long for a move. Reload the page and try again.")
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise BadInput(
            'The move is not valid JSON. A valid move looks like {"play": ["7", "7"]} or {"pass": true}.'
        ) from error


@require_POST
def sit(request: HttpRequest, table_id: str) -> HttpResponse:
    """Sit down. `name`: the name that a stranger has entered."""
    table = find_table(request, table_id)
    chair = request.POST.get("chair", "")
    if chair and not (chair.isascii() and chair.isdigit() and len(chair) < 3):
        raise BadInput("The seat must be a number, starting at 0.")
    index = int(chair) if chair else None

    def act() -> LoadedTable:
        if table.seat_of(player_id(request)) is None:
            sitting.require_free_seat(table, index)  # before a stranger becomes a guest
        player = require_player(request, name=request.POST.get("name", ""))
        return sitting.sit(table_id, player, chair=index, now=time.time())

    return _act_and_redirect(request, table_id, act)


@require_POST
def contribute(request: HttpRequest, table_id: str) -> HttpResponse:
    """Add to the deal: `commitment`, that of the table, and `entropy`. As JSON for scripts without a socket."""
    received = time.time()
    _limit(request, table_id)
    find_table(request, table_id)
    fields = read_fields(request)
    commitment, entropy = (str(fields.get(name, "")) for name in ("commitment", "entropy"))

    def act() -> LoadedTable:
        me = player_id(request)
        return sitting.contribute(table_id, me, commitment=commitment, entropy=entropy, now=received)

    if error_pages.wants_json(request):
        return JsonAnswer({"status": 200, "ply": act().ply})
    return _act_and_redirect(request, table_id, act)


@require_POST
def leave(request: HttpRequest, table_id: str) -> HttpResponse:
    """Stand up."""
    find_table(request, table_id)
    sitting.leave(table_id, player_id(request), now=time.time())
    return _redirect_to(request, reverse("lobby"))


@require_POST
def pause(request: HttpRequest, table_id: str) -> HttpResponse:
    """Pause the table, or resume it with `on` = 0."""
    find_table(request, table_id)
    change = breaks.pause if _is_on(request) else breaks.resume
    return _act_and_redirect(request, table_id, lambda: change(table_id, player_id(request), now=time.time()))


@require_POST
def end(request: HttpRequest, table_id: str) -> HttpResponse:
    """Agree to end the game without a result; take that back with `on` = 0."""
    find_table(request, table_id)
    on = _is_on(request)
    return _act_and_redirect(
        request, table_id, lambda: breaks.agree_to_end(table_id, player_id(request), on=on, now=time.time())
    )


def _is_on(request: HttpRequest) -> bool:
    return request.POST.get("on", "1") == "1"


@require_POST
def start(request: HttpRequest, table_id: str) -> HttpResponse:
    """Start the game; `fill` names the level of the bots for free chairs."""
    find_table(request, table_id)
    fill = request.POST.get("fill", "")
    return _act_and_redirect(
        request,
        table_id,
        lambda: opening.start(table_id, player_id(request), fill=fill, avatars=AVATARS, now=time.time()),
    )


@require_POST
def ring_bell(request: HttpRequest, table_id: str) -> HttpResponse:
    """The host ends the evening: what is under way is played to its end."""
    find_table(request, table_id)
    return _act_and_redirect(
        request, table_id, lambda: sitting.ring_bell(table_id, player_id(request), now=time.time())
    )


@require_POST
def play_again(request: HttpRequest, table_id: str) -> HttpResponse:
    """The rematch: the first who asks opens it, the others sit down at it."""
    table = find_table(request, table_id)
    player = player_of(request)

    def act() -> None:
        if player is None or table.seat_of(player.pk) is None:
            raise NotAllowed("Only people who played here can ask for a rematch. You can open a table of your own.")
        if table.rematch_id is None and not rate_limits.allow_table(player.pk):
            raise TooFast("You have opened too many tables in the last hour. Play at one of them, or try again later.")
        sitting.play_again(table_id, player, avatars=AVATARS, now=time.time())

    return _act_and_redirect(request, table_id, act, find_target=lambda: store.reload(table_id).rematch_id or table_id)


def _act_and_redirect(
    request: HttpRequest, table_id: str, act: Callable[[], object], *, find_target: Callable[[], str] | None = None
) -> HttpResponse:
    """Act, then redirect to the table of `find_target` (without one: to this table).

    A refusal is said with its status. Who was too late sees the table as it is now, with the sentence on it.
    """
    table_url = reverse("table", args=[table_id])
    try:
        act()
    except Refusal as refusal:
        sentence = say_sentence(refusal)
        if not isinstance(refusal, Stale) or error_pages.wants_json(request) or getattr(request, "htmx", False):
            return error_pages.answer(request, refusal.status, sentence, back=table_url)
        notes.error(request, sentence)
        return render_table_page(request, find_table(request, table_id), status=refusal.status)
    return _redirect_to(request, reverse("table", args=[find_target()]) if find_target else table_url)


def _redirect_to(request: HttpRequest, url: str) -> HttpResponse:
    if getattr(request, "htmx", False):
        response = HttpResponse(status=204)
        response["HX-Redirect"] = url
        return response
    return redirect(url)
