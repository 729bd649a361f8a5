"""Every button of the console, and what it does."""

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
from tournaments.flow.rounds import arena, lifecycle, results, seat_swaps
from tournaments.flow.undo import step_undo
from tournaments.models import PairRule, Phase, Pod, PodSeat, Tournament
from tournaments.scoring.points import read_points
from tournaments.views.entry.entering import read_result
from tournaments.views.lookups import do, find_tournament, find_way_back, read_int, require_organiser
from tournaments.work import tasks

Doing = Callable[[HttpRequest, Tournament, Player | None], object]


@require_POST
def act(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """`action` names the button; what it needs stands beside it. Everything may be sent twice."""
    tournament, role = find_tournament(request, tournament_id)
    require_organiser(role)
    action = request.POST.get("action", "")
    if action not in ACTIONS:
        raise BadInput("There is no such button. Reload the page.")
    return do(
        request,
        lambda: ACTIONS[action](request, tournament, player_of(request)),
        back=find_way_back(request, tournament.pk),
        typed="name" if action == "walk-in" else "",
    )


def _draw(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    """Small draws while the organiser waits; long ones by whoever has the time."""
    number, again = read_int(request.POST.get("round")), request.POST.get("again") == "1"
    instead = request.POST.get("instead", "")
    asked = draw_requests.request_draw(tournament, who, number, again=again, instead=instead, now=time.time())
    if asked is None:
        return
    if draw_requests.is_quick(tournament):
        draw_requests.run_draw(asked.pk, asked.drawing, who, now=time.time())
    else:
        tasks.send(tasks.run_draw, asked.pk, asked.drawing, who.pk if who else None)


def _people(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    """One button for all that are ticked."""
    what = request.POST.get("what", "")
    ids = [read_int(text) for text in request.POST.getlist("entrant")[: sign_up.MOST_ENTRANTS]]
    if what not in TOGETHER:
        raise BadInput("There is no such button. Reload the page.")
    TOGETHER[what](tournament, who, ids, now=time.time())


TOGETHER: dict[str, Callable[..., None]] = {
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
        raise BadInput("A penalty takes some points, and says why in one sentence.") from error
    organiser_decisions.penalise(
        tournament, who, _int(request, "entrant"), points=points, reason=request.POST.get("reason", ""),
        key=_key(request), now=time.time(),
    )  # fmt: skip


def _pair_rule(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    kind = request.POST.get("kind", "")
    if kind not in ("", *PairRule.Kind.values):
        raise BadInput("There is no such button. Reload the page.")
    first, second = _int(request, "first"), _int(request, "second")
    organiser_decisions.rule_pair(
        tournament, who, first, second, PairRule.Kind(kind) if kind else None, now=time.time()
    )


def _decide(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    pod_id, how = _int(request, "pod"), request.POST.get("how", "")
    if how in (lifecycle.VOID, lifecycle.SHARED):
        results.decide(tournament, who, pod_id, None, is_void=how == lifecycle.VOID, now=time.time())
        return
    row = Pod.objects.filter(pk=pod_id, round__tournament=tournament).first()
    if row is None:
        raise NotFound("There is no such table in this round.")
    results.decide(tournament, who, pod_id, read_result(request, tournament, row), now=time.time())


def _confirm(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    if who is not None:
        results.confirm(tournament, who, _int(request, "result"), now=time.time())


def _fate(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    fate = request.POST.get("fate", "")
    if fate not in PodSeat.Fate.values:
        raise BadInput("There is no such button. Reload the page.")
    results.set_fate(tournament, who, _int(request, "seat"), PodSeat.Fate(fate), now=time.time())


def _substitute(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    member = request.POST.get("member", "")
    player = Player.objects.filter(pk=read_int(member)).first() if member else None
    if member and player is None:
        raise NotFound("This person is not in the club any more.")
    name = request.POST.get("name", "")
    lifecycle.substitute(tournament, who, _int(request, "seat"), player=player, name=name, now=time.time())


def _bot(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    level = request.POST.get("level", "")
    if level not in draw_requests.list_levels(tournament.game):
        raise BadInput("There is no bot of level “%(level)s”.", level=level[:20])
    sign_up.add_bot(tournament, who, name=request.POST.get("name", ""), level=level, now=time.time())


def _int(request: HttpRequest, name: str) -> int:
    return read_int(request.POST.get(name))


def _key(request: HttpRequest) -> str:
    """What makes a step one step: the form's own, which each page has anew."""
    key = request.POST.get("key", "")
    if not 1 <= len(key) <= 40 or not key.isascii() or not key.isprintable():
        raise BadInput("This form is incomplete. Reload the page and try again.")
    return f"{request.POST.get('action')}:{key}"[:48]


def _exchange(act: Callable[..., None]) -> Doing:
    """Two people of a round have the place of the other: who it is, and the table at which he was seen."""

    def do(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
        said = [request.POST.get(name, "").partition("-") for name in ("first", "second")]
        first, second = (read_int(entrant) for entrant, _, _table in said)
        seen = tuple(read_int(table) if table else None for _entrant, _, table in said)
        number = _int(request, "round")
        act(tournament, who, number, first, second, seen=seen, key=_key(request), now=time.time())

    return do


def _seed(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    """Nothing in the field: no seed."""
    entrant, said = _int(request, "entrant"), request.POST.get("seed", "").strip()
    organiser_decisions.seed(tournament, who, entrant, read_int(said) if said else None, now=time.time())


def _phase(phase: Phase) -> Doing:
    return lambda request, one, who: phases.move_on(one, who, phase, now=time.time())


ACTIONS: dict[str, Doing] = {
    "open-entry": _phase(Phase.ENTRY),
    "check-in": _phase(Phase.CHECK_IN),
    "finish": _phase(Phase.FINISHED),
    "archive": _phase(Phase.ARCHIVED),
    "call-off": lambda request, one, who: phases.call_off(one, who, now=time.time()),
    "open-arena": lambda request, one, who: arena.open_arena(one, who, now=time.time()),
    "draw": _draw,
    "cancel-draw": lambda request, one, who: draw_requests.cancel_draw(one, who, _int(request, "round")),
    "release": lambda request, one, who: lifecycle.release(one, who, _int(request, "round"), now=time.time()),
    "complete": lambda request, one, who: lifecycle.complete(
        one, who, _int(request, "round"), missing=request.POST.get("missing", ""), now=time.time()
    ),
    "pause": lambda request, one, who: lifecycle.pause(one, who, _int(request, "round"), now=time.time()),
    "resume": lambda request, one, who: lifecycle.resume(one, who, _int(request, "round"), now=time.time()),
    "bell": lambda request, one, who: lifecycle.ring(one, who, _int(request, "round"), now=time.time()),
    "begin": lambda request, one, who: lifecycle.begin_now(one, who, _int(request, "round"), now=time.time()),
    "extend": lambda request, one, who: lifecycle.extend(
        one, who, _int(request, "round"), _int(request, "minutes"), key=_key(request), now=time.time()
    ),
    "keep": lambda request, one, who: drafts.keep_pod(
        one, who, _int(request, "pod"), locked=request.POST.get("on") == "1", now=time.time()
    ),
    "move": lambda request, one, who: drafts.move_pod(
        one, who, _int(request, "pod"), online=request.POST.get("on") == "1", now=time.time()
    ),
    "swap": _exchange(drafts.swap),
    "reseat": _exchange(seat_swaps.reseat),
    "undo": lambda request, one, who: step_undo.revert(one, who, _int(request, "step"), now=time.time()),
    "walk-in": lambda request, one, who: sign_up.add_walk_in(
        one, who, name=request.POST.get("name", ""), club_name=request.POST.get("club", ""), now=time.time()
    ),
    "bot": _bot,
    "people": _people,
    "rename": lambda request, one, who: organiser_decisions.rename(
        one, who, _int(request, "entrant"), request.POST.get("name", ""), now=time.time()
    ),
    "seed": _seed,
    "penalty": _penalise,
    "pair-rule": _pair_rule,
    "plan-rounds": lambda request, one, who: schedules.plan_rounds(one, who, _int(request, "rounds"), now=time.time()),
    "decide": _decide,
    "confirm": _confirm,
    "fate": _fate,
    "substitute": _substitute,
}
"""Every button of the console."""
