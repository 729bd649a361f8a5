"""The organiser's console: one page, the next step always in view, and every button behind it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from games.addresses import address_of
from games.models import Player
from games.play.errors import BadInput, NotFound
from tournaments import tasks
from tournaments.flow import arena, drafts, drawing, entry, pairing, phases, presence, results, reverting, rounds
from tournaments.flow.book import Book
from tournaments.models import (
    PAIR_KINDS,
    Entrant,
    Format,
    Membership,
    PairRule,
    Phase,
    Pod,
    PodSeat,
    Rest,
    Round,
    Tournament,
)
from tournaments.scoring.points import WHOLE
from tournaments.views import arena as arena_page
from tournaments.views import leagues, rows, seating, shown
from tournaments.views.entering import read_result
from tournaments.views.finding import do, draw_qr, find_tournament, fresh, player_of, read_int, require_organiser, stamp
from tournaments.views.pages import frame
from tournaments.views.planning import describe
from tournaments.words import LINES, STAGES, say_trouble

Doing = Callable[[HttpRequest, Tournament, Player | None], object]

LOG_LINES = 8
MOST_MEMBERS = 500
"""Members who can be chosen as a substitute."""


@require_safe
def show(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The console of a tournament."""
    tournament, role = find_tournament(request, tournament_id)
    require_organiser(role)
    if tournament.format == Format.LEAGUE:
        return leagues.console(request, tournament, frame(request, tournament, role, "console"))
    if request.headers.get("HX-Target") == "drawing":
        return fresh(render(request, "tournaments/console/drawing.html", _look_at_draw(tournament)))
    book = shown.read_book(tournament, stamp(tournament))
    last = book.rounds[-1] if book.rounds else None
    is_arena = tournament.format == Format.ARENA
    only = arena_page.find_kept(book) if is_arena else None
    pods = seating.list_pods(book, last, shown.find_tables(book, last, only=only), None, only=only) if last else []
    can_keep = last is not None and last.stage in drafts.DRAWN
    people = list(book.entrants.values())
    byes = shown.list_rests(book, last, Rest.Kind.BYE) if last else []
    context = frame(request, tournament, role, "console") | {
        "next": find_next(book),
        "last": last,
        "progress": drawing.find_progress(last) if last else None,
        "stage": STAGES.get(last.stage, "") if last else "",
        "trouble": say_trouble(last.trouble) if last else "",
        "certificate": _certificate(last) if last else None,
        "all": len(pods),
        "pods": rows.draw_desk(request, tournament, pods, can_keep=can_keep),
        "places": rows.draw_places(pods, byes) if last and last.status == Round.Status.DRAFT else "",
        "to_come": [(pod.number, bool(pod.proposed)) for pod in pods if pod.accepted is None],
        "missing": [pod.number for pod in pods if pod.accepted is None],
        "in": sum(pod.accepted is not None for pod in pods),
        "waiting_tables": any(pod.table_status == "waiting" for pod in pods),
        "byes": byes,
        "absent": shown.list_rests(book, last, Rest.Kind.ABSENT) if last else [],
        "people": rows.draw_ticks(book),
        "names": rows.draw_options(book),
        "claims": rows.draw_claims(book),
        "counts": _count(people),
        "pair_kinds": PAIR_KINDS.get(tournament.format, ()),
        "rules": PairRule.objects.filter(tournament=tournament).select_related("first", "second"),
        "entry_url": (entry_url := address_of(request, "tournaments:entry_link", tournament.entry_token)),
        "entry_qr": draw_qr(entry_url) if tournament.phase in entry.OPEN else "",
        "next_number": len(book.rounds) + 1,
        "levels": drawing.level_names(tournament.game),
        "key": secrets.token_hex(8),
        "now": time.time(),
        "now_ms": round(time.time() * 1000),
    }
    if is_arena:
        context |= arena_page.for_console(book)
    steps = [describe(step, tournament) for step in reverting.list_steps(tournament, limit=reverting.SHOWN)]
    context |= {
        "steps": steps[:LOG_LINES],
        "undo": next((row for row in steps if row["can_undo"] and not row["is_redo"]), None),
        "redo": steps[0] if steps and steps[0]["is_redo"] and steps[0]["can_undo"] else None,
    }
    return fresh(render(request, "tournaments/console.html", context))


def _look_at_draw(tournament: Tournament) -> dict[str, Any]:
    """How far the draw is; when it is over, the page hears of that as of every other change."""
    last = Round.objects.filter(tournament=tournament, status=Round.Status.DRAWING).order_by("-number").first()
    return {"tournament": tournament, "last": last, "progress": drawing.find_progress(last) if last else None}


def find_next(book: Book) -> str:
    """The next step of the flow, as one word: what the big button does."""
    phase = book.tournament.phase
    if phase in (Phase.PLANNED, Phase.ENTRY, Phase.FINISHED, Phase.ARCHIVED):
        return {"planned": "open-entry", "entry": "check-in", "finished": "archive", "archived": "done"}[phase]
    last = book.rounds[-1] if book.rounds else None
    is_arena = book.tournament.format == Format.ARENA
    if last is None:
        return "open-arena" if is_arena else "draw"
    if is_arena and last.status == Round.Status.RELEASED and not last.has_rung:
        return "arena"
    if last.status == Round.Status.COMPLETE:
        return "finish" if pairing.find_stage(book) is None else "draw"
    if last.status == Round.Status.DRAFT and last.trouble:
        return "trouble"
    return {"drawing": "drawing", "draft": "release", "released": "play"}[last.status]


def _count(people: list[Entrant]) -> dict[str, int]:
    present = [one for one in people if one.status == Entrant.Status.PRESENT]
    return {
        "in": sum(one.status != Entrant.Status.WITHDRAWN for one in people),
        "present": sum(not one.is_away for one in present),
        "expected": sum(one.status == Entrant.Status.ENTERED for one in people),
        "away": sum(one.is_away and not one.is_filler for one in present),
    }


def _certificate(played: Round) -> dict[str, Any] | None:
    """What the draw proves of itself, line by line."""
    known = msgspec.json.decode(played.solution) if played.solution else {}
    if "objective" not in known:
        return None
    lines = [line | {"name": LINES[line["name"]]} for line in known["objective"]]
    return {
        "lines": lines,
        "optimal": known["optimal"],
        "is_by_clock": known["stopped"] == "clock",
        "unproven": [line["name"] for line in lines if line["value"] != line["bound"]],
    }


@require_safe
def settle(request: HttpRequest, tournament_id: str, table: int) -> HttpResponse:
    """What an organiser may decide about one table of the round that is played; fetched when he unfolds it."""
    tournament, role = find_tournament(request, tournament_id)
    require_organiser(role)
    book = shown.read_book(tournament, stamp(tournament))
    last = book.rounds[-1] if book.rounds else None
    there = book.pods.get(last.pk, ()) if last is not None and last.status == Round.Status.RELEASED else ()
    wanted = [one for one in there if one.number == table]
    if last is None or not wanted:
        raise NotFound("There is no such table in this round.")
    [pod] = seating.list_pods(book, last, {}, None, only=wanted)
    here = {seat.entrant_id for one in there if book.accepted(one) is None for seat in book.seats.get(one.pk, ())}
    playing = {one.player_id for one in book.entrants.values() if one.pk in here}
    people = Membership.objects.filter(club=tournament.club).order_by("player__name", "player_id")
    members = [row for row in people.values_list("player_id", "player__name")[:MOST_MEMBERS] if row[0] not in playing]
    context = {"tournament": tournament, "pod": pod, "members": members}
    return fresh(render(request, "tournaments/console/result.html", context))


@require_POST
def act(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """`action` names the button; what it needs stands beside it. Everything may be sent twice."""
    tournament, role = find_tournament(request, tournament_id)
    require_organiser(role)
    action = request.POST.get("action", "")
    if action not in ACTIONS:
        raise BadInput("There is no such button. Reload the page.")
    back = reverse("tournaments:console", args=[tournament.pk])
    part = request.POST.get("part", "")
    if part.isascii() and part.isidentifier():
        back += f"#{part}"
    return do(request, lambda: ACTIONS[action](request, tournament, player_of(request)), back=back)


def _draw(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    """Small draws while the organiser waits; long ones by whoever has the time."""
    number, again = read_int(request.POST.get("round")), request.POST.get("again") == "1"
    asked = drawing.request_draw(tournament, who, number, again=again, now=time.time())
    if asked is None:
        return
    if drawing.is_quick(tournament):
        drawing.run_draw(asked.pk, asked.drawing, who, now=time.time())
    else:
        tasks.run_draw.delay(asked.pk, asked.drawing, who.pk if who else None)


def _people(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    """One button for all that are ticked."""
    what = request.POST.get("what", "")
    ids = [read_int(text) for text in request.POST.getlist("entrant")[:2000]]
    if what not in TOGETHER:
        raise BadInput("There is no such button. Reload the page.")
    TOGETHER[what](tournament, who, ids, now=time.time())


TOGETHER: dict[str, Callable[..., None]] = {
    "present": presence.check_in,
    "missing": presence.mark_missing,
    "away": partial(presence.set_away, away=True),
    "back": partial(presence.set_away, away=False),
    "withdraw": presence.withdraw,
    "return": presence.bring_back,
}


def _penalise(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    text = request.POST.get("points", "").replace(",", ".").strip()
    try:
        points = round(float(text) * WHOLE)
    except (ValueError, OverflowError) as error:
        raise BadInput("A penalty takes some points, and says why in one sentence.") from error
    entry.penalise(
        tournament, who, _int(request, "entrant"), points=points, reason=request.POST.get("reason", ""),
        key=_key(request), now=time.time(),
    )  # fmt: skip


def _pair_rule(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    kind = request.POST.get("kind", "")
    if kind not in ("", *PairRule.Kind.values):
        raise BadInput("There is no such button. Reload the page.")
    first, second = _int(request, "first"), _int(request, "second")
    entry.rule_pair(tournament, who, first, second, PairRule.Kind(kind) if kind else None, now=time.time())


def _decide(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    pod_id, how = _int(request, "pod"), request.POST.get("how", "")
    if how in (rounds.VOID, rounds.SHARED):
        results.decide(tournament, who, pod_id, None, is_void=how == rounds.VOID, now=time.time())
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
    rounds.substitute(tournament, who, _int(request, "seat"), player=player, name=name, now=time.time())


def _bot(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    level = request.POST.get("level", "")
    if level not in drawing.level_names(tournament.game):
        raise BadInput("There is no bot of level “%(level)s”.", level=level[:20])
    entry.add_bot(tournament, who, name=request.POST.get("name", ""), level=level, now=time.time())


def _int(request: HttpRequest, name: str) -> int:
    return read_int(request.POST.get(name))


def _key(request: HttpRequest) -> str:
    """What makes a step one step: the form's own, which each page has anew."""
    key = request.POST.get("key", "")
    if not 1 <= len(key) <= 40 or not key.isascii() or not key.isprintable():
        raise BadInput("This form is incomplete. Reload the page and try again.")
    return f"{request.POST.get('action')}:{key}"[:48]


def _phase(phase: Phase) -> Doing:
    return lambda request, one, who: phases.move_on(one, who, phase, now=time.time())


ACTIONS: dict[str, Doing] = {
    "open-entry": _phase(Phase.ENTRY),
    "check-in": _phase(Phase.CHECK_IN),
    "finish": _phase(Phase.FINISHED),
    "archive": _phase(Phase.ARCHIVED),
    "open-arena": lambda request, one, who: arena.open_doors(one, who, now=time.time()),
    "draw": _draw,
    "cancel-draw": lambda request, one, who: drawing.cancel_draw(one, who, _int(request, "round")),
    "release": lambda request, one, who: rounds.release(one, who, _int(request, "round"), now=time.time()),
    "complete": lambda request, one, who: rounds.complete(
        one, who, _int(request, "round"), missing=request.POST.get("missing", ""), now=time.time()
    ),
    "pause": lambda request, one, who: rounds.pause(one, who, _int(request, "round"), now=time.time()),
    "resume": lambda request, one, who: rounds.resume(one, who, _int(request, "round"), now=time.time()),
    "bell": lambda request, one, who: rounds.ring(one, who, _int(request, "round"), now=time.time()),
    "begin": lambda request, one, who: rounds.begin_now(one, who, _int(request, "round"), now=time.time()),
    "extend": lambda request, one, who: rounds.extend(
        one, who, _int(request, "round"), _int(request, "minutes"), key=_key(request), now=time.time()
    ),
    "keep": lambda request, one, who: drafts.keep_pod(
        one, who, _int(request, "pod"), locked=request.POST.get("on") == "1", now=time.time()
    ),
    "move": lambda request, one, who: drafts.move_pod(
        one, who, _int(request, "pod"), online=request.POST.get("on") == "1", now=time.time()
    ),
    "swap": lambda request, one, who: drafts.swap(
        one,
        who,
        _int(request, "round"),
        _int(request, "first"),
        _int(request, "second"),
        key=_key(request),
        now=time.time(),
    ),
    "undo": lambda request, one, who: reverting.revert(one, who, _int(request, "step"), now=time.time()),
    "walk-in": lambda request, one, who: entry.add_walk_in(
        one, who, name=request.POST.get("name", ""), club_name=request.POST.get("club", ""), now=time.time()
    ),
    "bot": _bot,
    "people": _people,
    "rename": lambda request, one, who: entry.rename(
        one, who, _int(request, "entrant"), request.POST.get("name", ""), now=time.time()
    ),
    "penalty": _penalise,
    "pair-rule": _pair_rule,
    "decide": _decide,
    "confirm": _confirm,
    "fate": _fate,
    "substitute": _substitute,
    **leagues.ACTIONS,
}
"""Every button of the console."""
