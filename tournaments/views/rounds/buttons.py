"""The actions of the organiser's console, by the name that its buttons send."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from games.accounts.current_player import player_of
from games.models import Player
from games.play.errors import BadInput, NotFound
from tournaments.flow.drawing import drafts, draw_requests
from tournaments.flow.entry import attendance, organiser_decisions, sign_up
from tournaments.flow.planning import phases, schedules
from tournaments.flow.planning.tournament_plan import DAY_MINUTES
from tournaments.flow.rounds import arena, lifecycle, results, seat_swaps
from tournaments.flow.undo import step_undo
from tournaments.models import PairRule, Phase, Pod, PodSeat, Tournament
from tournaments.scoring.points import read_points
from tournaments.views.entry.entering import read_result, read_seen
from tournaments.views.lookups import build_console_url, find_tournament, read_int, require_organiser, run_action
from tournaments.work import tasks

ConsoleAction = Callable[[HttpRequest, Tournament, Player | None], object]


@require_POST
def act(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Run the POST field `action`; its arguments are further fields. Sending it twice has no further effect."""
    tournament, role = find_tournament(request, tournament_id)
    require_organiser(role)
    action = request.POST.get("action", "")
    if action not in ACTIONS:
        raise BadInput("This action does not exist. Reload the page and try again.")
    return run_action(
        request,
        lambda: ACTIONS[action](request, tournament, player_of(request)),
        back=build_console_url(request, tournament.pk),
        typed="name" if action == "walk-in" else "",
    )


def _request_draw(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    """Draw a round: a quick draw within the request, a long one in a worker."""
    number, again = read_int(request.POST.get("round")), request.POST.get("again") == "1"
    instead = request.POST.get("instead", "")
    asked = draw_requests.request_draw(tournament, who, number, again=again, instead=instead, now=time.time())
    if asked is None:
        return
    if draw_requests.is_quick(tournament):
        draw_requests.run_draw(asked.pk, asked.drawing, who, now=time.time())
    else:
        tasks.send_task(tasks.run_draw, asked.pk, asked.drawing, who.pk if who else None)


def _read_extension(request: HttpRequest) -> int:
    """The minutes by which a bell is moved; rounds over days send `days`."""
    if "days" in request.POST:
        return _read_field(request, "days") * DAY_MINUTES
    return _read_field(request, "minutes")


def _run_bulk_action(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    """Run an action for all ticked entrants."""
    what = request.POST.get("what", "")
    ids = [read_int(text) for text in request.POST.getlist("entrant")[: sign_up.MAX_ENTRANTS]]
    if what not in BULK_ACTIONS:
        raise BadInput("This action does not exist. Reload the page and try again.")
    BULK_ACTIONS[what](tournament, who, ids, now=time.time())


BULK_ACTIONS: dict[str, Callable[..., None]] = {
    "present": attendance.check_in,
    "missing": attendance.mark_missing,
    "away": partial(attendance.set_away, away=True),
    "back": partial(attendance.set_away, away=False),
    "on-device": partial(attendance.play_where, on_device=True),
    "in-room": partial(attendance.play_where, on_device=False),
    "withdraw": attendance.withdraw,
    "return": attendance.bring_back,
}


def _penalise(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    try:
        points = read_points(float(request.POST.get("points", "").replace(",", ".").strip()))
    except (ValueError, OverflowError) as error:
        raise BadInput("A penalty needs points and a reason of up to 200 characters.") from error
    organiser_decisions.penalise(
        tournament, who, _read_field(request, "entrant"), points=points, reason=request.POST.get("reason", ""),
        key=_read_form_key(request), now=time.time(),
    )  # fmt: skip


def _set_pair_rule(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    kind = request.POST.get("kind", "")
    if kind not in ("", *PairRule.Kind.values):
        raise BadInput("This action does not exist. Reload the page and try again.")
    first, second = _read_field(request, "first"), _read_field(request, "second")
    organiser_decisions.rule_pair(
        tournament, who, first, second, PairRule.Kind(kind) if kind else None, now=time.time()
    )


def _decide(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    pod_id, how = _read_field(request, "pod"), request.POST.get("how", "")
    if how in (lifecycle.VOID, lifecycle.SHARED):
        results.decide(tournament, who, pod_id, None, is_void=how == lifecycle.VOID, now=time.time())
        return
    row = Pod.objects.filter(pk=pod_id, round__tournament=tournament).first()
    if row is None:
        raise NotFound("There is no such table in this round.")
    reported, seen = read_result(request, tournament, row), read_seen(request)
    results.decide(tournament, who, pod_id, reported, seen=seen, now=time.time())


def _confirm(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    if who is not None:
        results.confirm(tournament, who, _read_field(request, "result"), now=time.time())


def _set_fate(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    fate = request.POST.get("fate", "")
    if fate not in PodSeat.Fate.values:
        raise BadInput("This action does not exist. Reload the page and try again.")
    results.set_fate(tournament, who, _read_field(request, "seat"), PodSeat.Fate(fate), now=time.time())


def _substitute(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    member = request.POST.get("member", "")
    player = Player.objects.filter(pk=read_int(member)).first() if member else None
    if member and player is None:
        raise NotFound("This person is not in the club any more.")
    name = request.POST.get("name", "")
    lifecycle.substitute(tournament, who, _read_field(request, "seat"), player=player, name=name, now=time.time())


def _add_bot(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    level = request.POST.get("level", "")
    if level not in draw_requests.list_levels(tournament.game):
        raise BadInput("There is no bot level “%(level)s”.", level=level[:20])
    sign_up.add_bot(tournament, who, name=request.POST.get("name", ""), level=level, now=time.time())


def _read_field(request: HttpRequest, name: str) -> int:
    return read_int(request.POST.get(name))


def _read_form_key(request: HttpRequest) -> str:
    """The form's one-time key, so that a step sent twice is taken once. Raises BadInput."""
    key = request.POST.get("key", "")
    if not 1 <= len(key) <= 40 or not key.isascii() or not key.isprintable():
        raise BadInput("This form is incomplete. Reload the page and try again.")
    return f"{request.POST.get('action')}:{key}"[:48]


def _swap_by(act: Callable[..., None]) -> ConsoleAction:
    """An action that swaps two players of a round. Each field holds entrant-table, so that a stale page is refused."""

    def swap(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
        choices = [request.POST.get(name, "").partition("-") for name in ("first", "second")]
        first, second = (read_int(entrant) for entrant, _, _table in choices)
        seen = tuple(read_int(table) if table else None for _entrant, _, table in choices)
        number = _read_field(request, "round")
        act(tournament, who, number, first, second, seen=seen, key=_read_form_key(request), now=time.time())

    return swap


def _set_seed(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    """Set or, with an empty field, remove the seed of an entrant."""
    entrant, typed = _read_field(request, "entrant"), request.POST.get("seed", "").strip()
    organiser_decisions.seed(tournament, who, entrant, read_int(typed) if typed else None, now=time.time())


def _fix_table(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    """Set or, with an empty field, remove the fixed table of an entrant."""
    entrant, typed = _read_field(request, "entrant"), request.POST.get("table", "").strip()
    organiser_decisions.fix_table(tournament, who, entrant, read_int(typed) if typed else None, now=time.time())


def _move_to(phase: Phase) -> ConsoleAction:
    return lambda request, one, who: phases.move_on(one, who, phase, now=time.time())


ACTIONS: dict[str, ConsoleAction] = {
    "open-entry": _move_to(Phase.ENTRY),
    "check-in": _move_to(Phase.CHECK_IN),
    "finish": _move_to(Phase.FINISHED),
    "archive": _move_to(Phase.ARCHIVED),
    "call-off": lambda request, one, who: phases.call_off(one, who, now=time.time()),
    "open-arena": lambda request, one, who: arena.open_arena(one, who, now=time.time()),
    "draw": _request_draw,
    "cancel-draw": lambda request, one, who: draw_requests.cancel_draw(one, who, _read_field(request, "round")),
    "release": lambda request, one, who: lifecycle.release(one, who, _read_field(request, "round"), now=time.time()),
    "complete": lambda request, one, who: lifecycle.complete(
        one, who, _read_field(request, "round"), missing=request.POST.get("missing", ""), now=time.time()
    ),
    "pause": lambda request, one, who: lifecycle.pause(one, who, _read_field(request, "round"), now=time.time()),
    "resume": lambda request, one, who: lifecycle.resume(one, who, _read_field(request, "round"), now=time.time()),
    "bell": lambda request, one, who: lifecycle.ring(one, who, _read_field(request, "round"), now=time.time()),
    "begin": lambda request, one, who: lifecycle.begin_now(one, who, _read_field(request, "round"), now=time.time()),
    "extend": lambda request, one, who: lifecycle.extend(
        one,
        who,
        _read_field(request, "round"),
        _read_extension(request),
        key=_read_form_key(request),
        now=time.time(),
    ),
    "keep": lambda request, one, who: drafts.keep_pod(
        one, who, _read_field(request, "pod"), locked=request.POST.get("on") == "1", now=time.time()
    ),
    "move": lambda request, one, who: drafts.move_pod(
        one, who, _read_field(request, "pod"), online=request.POST.get("on") == "1", now=time.time()
    ),
    "swap": _swap_by(drafts.swap),
    "reseat": _swap_by(seat_swaps.reseat),
    "undo": lambda request, one, who: step_undo.revert(one, who, _read_field(request, "step"), now=time.time()),
    "walk-in": lambda request, one, who: sign_up.add_walk_in(
        one, who, name=request.POST.get("name", ""), club_name=request.POST.get("club", ""), now=time.time()
    ),
    "bot": _add_bot,
    "people": _run_bulk_action,
    "rename": lambda request, one, who: organiser_decisions.rename(
        one, who, _read_field(request, "entrant"), request.POST.get("name", ""), now=time.time()
    ),
    "seed": _set_seed,
    "fixed-table": _fix_table,
    "penalty": _penalise,
    "pair-rule": _set_pair_rule,
    "plan-rounds": lambda request, one, who: schedules.plan_rounds(
        one, who, _read_field(request, "rounds"), now=time.time()
    ),
    "decide": _decide,
    "confirm": _confirm,
    "fate": _set_fate,
    "substitute": _substitute,
}
"""The actions, by the value of `action` that buttons send."""
