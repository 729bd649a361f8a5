"""The organiser's console: one page with the next step on top. Its actions are in `buttons`."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from games.accounts.current_player import player_id, player_of
from games.accounts.site_urls import address_of
from games.play.errors import NotFound
from games.presenters.names import isolate, name_level
from games.rules import registry
from tournaments import formats
from tournaments.draw import PLAN_LINE
from tournaments.flow.drawing import drafts, draw_requests, pairing
from tournaments.flow.drawing.draw_input import list_present
from tournaments.flow.entry import entry_deadline, waiting_list
from tournaments.flow.planning import phases, schedules
from tournaments.flow.rounds import lifecycle
from tournaments.flow.standings.book import Book
from tournaments.flow.tables import duplicate_tables
from tournaments.flow.tables.online_tables import plays_on_device
from tournaments.models import (
    BOTH_PLACES,
    LAST_STAGES,
    ClubsApart,
    Entrant,
    Membership,
    PairRule,
    Phase,
    Pod,
    PodSeat,
    Rest,
    Round,
    Stage,
    Tournament,
    Venue,
)
from tournaments.views.entry import photos
from tournaments.views.lookups import (
    disable_caching,
    find_page_version,
    find_tournament,
    pop_refused_input,
    render_qr,
    require_organiser,
)
from tournaments.views.page_frame import build_frame
from tournaments.views.rounds import arena as arena_page
from tournaments.views.standings import cached_rows, table_views, tournament_view
from tournaments.views.standings.bracket_view import name_round
from tournaments.views.undo.logs import describe_latest_steps
from tournaments.words.draw_words import REMARKS
from tournaments.words.terms import CERTIFICATE_LINES, say_plan_distance, say_trouble

NEXT_BY_PHASE = {
    Phase.PLANNED: "open-entry",
    Phase.ENTRY: "check-in",
    Phase.FINISHED: "archive",
    Phase.ARCHIVED: "done",
    Phase.CALLED_OFF: "called-off",
}
"""The next step in phases in which it does not depend on a round."""
MAX_ON_ONE_PAGE = 40
"""Entrants up to which the whole console is one page. With more, each task has a page of its own."""
TASK_NAMES = {"results": _("Results"), "people": _("People"), "draw": _("Draw"), "log": _("Log")}
"""The tasks of the console, by the value of `?task=`."""
TASK_OF_STEP = {
    **dict.fromkeys(("play", "arena"), "results"),
    **dict.fromkeys(("release", "draw", "drawing", "trouble"), "draw"),
    **dict.fromkeys(("finish", "archive", "done", "called-off"), "log"),
}
"""The task that the next step belongs to. All others belong to the people."""
MAX_MEMBERS = 500
"""Members listed as possible substitutes. More make the form slow; others can be typed by name."""


@require_safe
def show(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The console of a tournament."""
    tournament, role = find_tournament(request, tournament_id)
    require_organiser(role)
    if request.headers.get("HX-Target") == "drawing":
        return disable_caching(render(request, "tournaments/console/drawing.html", _describe_draw(tournament)))
    book = tournament_view.read_book(tournament, find_page_version(tournament))
    last = book.rounds[-1] if book.rounds else None
    next_step = find_next(book)
    task = choose_task(request.GET.get("task", ""), next_step, len(book.entrants))
    context = build_frame(request, tournament, role, "console") | {
        "next": next_step,
        "task": task,
        "tasks": list(TASK_NAMES.items()) if task else [],
        "last": last,
        "next_number": len(book.rounds) + 1,
        "all_rounds": max(tournament.rounds_planned, len(book.rounds)),
        "going_on": _count_going_on(book),
        "can_call_off": tournament.phase in phases.NOT_BEGUN and not book.rounds,
        "shortfall": tournament_view.say_missing_rounds(book),
        "full_rounds": _propose_rounds(book),
        "walk_in": pop_refused_input(request),
        "key": secrets.token_hex(8),
        "now": time.time(),
        "now_ms": round(time.time() * 1000),
    }
    if last is not None:
        context |= _describe_round(request, book, last, task=task)
    if not formats.of(tournament).has_rounds:
        context |= arena_page.describe_for_console(book)
    context |= _describe_entrants(request, book, has_list=task in ("", "people"))
    context |= describe_latest_steps(tournament, player_id(request))
    return disable_caching(render(request, "tournaments/console/console.html", context))


def choose_task(wanted: str, next_step: str, entrants: int) -> str:
    """The part of the console to show: the one asked for, or the one of the next step; "" for all on one page."""
    if wanted in TASK_NAMES:
        return wanted
    if entrants <= MAX_ON_ONE_PAGE:
        return ""
    return TASK_OF_STEP.get(next_step, "people")


def _propose_rounds(book: Book) -> int | None:
    """Rounds to propose for a round robin with fewer than a full schedule; None if there is nothing to propose."""
    found = schedules.find_shortfall(book)
    is_open = book.tournament.phase in (*phases.NOT_BEGUN, Phase.RUNNING)
    return found.proposed if found is not None and is_open and found.proposed > found.planned else None


def _describe_round(request: HttpRequest, book: Book, last: Round, *, task: str) -> dict[str, Any]:
    """Template context of the newest round: its tables (if this task shows them), and the results that are missing."""
    only = None if formats.of(book.tournament).has_rounds else arena_page.list_console_pods(book)
    pods = table_views.list_pods(book, last, tournament_view.find_tables(book, last, only=only), None, only=only)
    byes = tournament_view.list_rests(book, last, Rest.Kind.BYE)
    shown = pods if task in ("", "results", "draw") else []
    in_order = sorted(shown, key=lambda pod: pod.accepted is not None) if task == "results" else shown
    return {
        "progress": draw_requests.find_progress(last),
        "stage": name_round(book, last),
        "trouble": say_trouble(last.trouble),
        "certificate": _describe_certificate(book.tournament, last),
        "all": len(pods),
        "pods": cached_rows.render_console_pods(
            request,
            book.tournament,
            in_order,
            can_keep=last.stage in drafts.PAIR_RULE_STAGES,
            is_folded=task == "draw",
        ),
        "remarks": _list_remarks(pods) if task == "draw" and last.status == Round.Status.DRAFT else [],
        "places": cached_rows.render_seat_options(in_order, byes) if last.status == Round.Status.DRAFT else "",
        "misplaced": _render_reseating(pods, last),
        "to_come": [pod for pod in pods if pod.accepted is None],
        "missing": [pod.number for pod in pods if pod.accepted is None],
        "in": sum(pod.accepted is not None for pod in pods),
        "waiting_tables": any(pod.table_status == "waiting" for pod in pods),
        "byes": byes,
        "absent": tournament_view.list_rests(book, last, Rest.Kind.ABSENT),
        "idle_screens": _count_idle_devices(book, last),
        "idle_bots": _list_idle_bots(book, last),
    } | (_list_changed(book, last) if last.status == Round.Status.DRAFT and not last.trouble else {})


def _render_reseating(pods: Sequence[table_views.PodView], last: Round) -> SafeString:
    """Options for correcting wrong seats: players of real tables without a result, if there are at least two such."""
    still_open = [pod for pod in pods if pod.is_open and not pod.is_online]
    is_played = last.status == Round.Status.RELEASED and len(still_open) > 1
    return cached_rows.render_seat_options(still_open, ()) if is_played else SafeString()


def _list_remarks(pods: Sequence[table_views.PodView]) -> list[tuple[str, list[int]]]:
    """What to look at first in a long draft: headings with the numbers of their tables."""
    kinds = {pod.number: {kind for kind, _sentence in pod.remarks} for pod in pods}
    listed = ((str(name), [at for at, found in kinds.items() if kind in found]) for kind, name in REMARKS.items())
    return [(name, numbers) for name, numbers in listed if numbers]


def _list_changed(book: Book, draft: Round) -> dict[str, Any]:
    """How the field and the pair rules have changed since a draft was drawn."""
    gone = [isolate(entrant.name) for entrant in lifecycle.list_unavailable(draft)]
    if draft.stage in LAST_STAGES:
        coming, going = pairing.compare_knockout_draft(book, draft)
        return {
            "coming": [isolate(entrant.name) for entrant in coming],
            "going": [isolate(entrant.name) for entrant in going],
            "gone": gone,
        }
    apart, together = (_list_pairs(draft, kind) for kind in (PairRule.Kind.APART, PairRule.Kind.TOGETHER))
    apart += [(isolate(one.name), isolate(other.name)) for one, other in drafts.list_club_mates(draft)]
    return {
        "apart": apart,
        "together": together,
        "is_other": bool(apart or together) or draft.pods.filter(reason=drafts.BY_HAND).exists(),
        "undrawn": [
            isolate(entrant.name) for entrant in (*lifecycle.list_undrawn(draft), *lifecycle.list_returned(draft))
        ],
        "gone": gone,
    }


def _list_pairs(draft: Round, kind: PairRule.Kind) -> list[tuple[str, str]]:
    return [(isolate(rule.first.name), isolate(rule.second.name)) for rule in drafts.list_broken_rules(draft, kind)]


def _count_idle_devices(book: Book, last: Round) -> int:
    """How many people on devices a draft seats at real tables; 0 unless they could fill a table of their own."""
    is_swiss = last.status == Round.Status.DRAFT and last.stage == Stage.SWISS
    if book.tournament.venue != Venue.MIXED or not is_swiss:
        return 0
    pods = [[book.entrants[seat.entrant_id] for seat in book.seats[pod.pk]] for pod in book.pods.get(last.pk, ())]
    mixed = [seats for seats in pods if not all(map(plays_on_device, seats))]
    idle = sum(plays_on_device(entrant) for seats in mixed for entrant in seats)
    return idle if idle >= book.tournament.least else 0


def _list_idle_bots(book: Book, last: Round) -> list[str]:
    """Names of bots that sit this round out without being away."""
    absent = [book.entrants[rest.entrant_id] for rest in book.rests.get(last.pk, ()) if rest.kind == Rest.Kind.ABSENT]
    if last.number == 1 and last.stage in LAST_STAGES:
        there = list_present(book.before(1), 1)
        absent = [
            entrant
            for entrant in book.entrants.values()
            if entrant.status == Entrant.Status.PRESENT and entrant not in there
        ]
    return [isolate(entrant.name) for entrant in absent if entrant.bot and not entrant.is_away]


def _describe_entrants(request: HttpRequest, book: Book, *, has_list: bool) -> dict[str, Any]:
    """Template context of the entrants (the list only if it is shown), and of the ways to add more."""
    tournament = book.tournament
    entry_url = address_of(request, "tournaments:entry_link", tournament.entry_token)
    takes_in = tournament.phase in entry_deadline.OPEN and pairing.accepts_entrants(book)
    return {
        "people": cached_rows.render_checkboxes(book) if has_list else "",
        "asks_where": tournament.venue in BOTH_PLACES,
        "names": cached_rows.render_options(book),
        "claims": cached_rows.render_claim_links(book) if has_list else "",
        "counts": _count_entrants(list(book.entrants.values())),
        "pair_kinds": _list_pair_kinds(book),
        "takes_seeds": formats.of(tournament).takes_seeds and not book.rounds,
        "is_seeded": any(entrant.rank_hint is not None for entrant in book.entrants.values()),
        "takes_fixed_tables": tournament.venue != Venue.ONLINE and "apart" in formats.of(tournament).pair_kinds,
        "fixed": [entrant for entrant in cached_rows.sort_by_name(book.entrants.values()) if entrant.fixed_table],
        "takes_penalties": _takes_penalties(book),
        "rules": PairRule.objects.filter(tournament=tournament).select_related("first", "second").order_by("pk"),
        "entry_url": entry_url,
        "entry_qr": render_qr(entry_url) if takes_in else "",
        "takes_in": takes_in,
        "takes_bots": takes_in and tournament.venue != Venue.REAL,
        "levels": [(level, name_level(level)) for level in draw_requests.list_levels(tournament.game)],
    }


def _list_pair_kinds(book: Book) -> Sequence[str]:
    """The kinds of pair rules that the format allows for the next round."""
    released = sum(played.status in pairing.RELEASED for played in book.rounds)
    form = formats.of(book.tournament)
    return () if form.is_by_results(book.tournament, book.rounds, released + 1) else form.pair_kinds


def _takes_penalties(book: Book) -> bool:
    """Whether penalties make sense: the format has points, and no knockout has begun."""
    is_cut = any(played.stage in LAST_STAGES and played.status in pairing.RELEASED for played in book.rounds)
    return formats.of(book.tournament).columns.has_points and not is_cut


def _count_going_on(book: Book) -> int | None:
    """How many go on to the next knockout stage; None if the next round is not one."""
    if not book.rounds or find_next(book) != "draw" or pairing.find_stage(book) != Stage.KNOCKOUT:
        return None
    return len(pairing.list_entitled(book, len(book.rounds) + 1))


def _describe_draw(tournament: Tournament) -> dict[str, Any]:
    """Template context of the progress of a draw under way."""
    last = Round.objects.filter(tournament=tournament, status=Round.Status.DRAWING).order_by("-number").first()
    return {"tournament": tournament, "last": last, "progress": draw_requests.find_progress(last) if last else None}


def find_next(book: Book) -> str:
    """The slug of the next step, which is what the main button does."""
    phase = Phase(book.tournament.phase)
    if phase in NEXT_BY_PHASE:
        return NEXT_BY_PHASE[phase]
    last = book.rounds[-1] if book.rounds else None
    has_rounds = formats.of(book.tournament).has_rounds
    if last is None:
        return "draw" if has_rounds else "open-arena"
    if not has_rounds and last.status == Round.Status.RELEASED and not last.has_rung:
        return "arena"
    if last.status == Round.Status.COMPLETE:
        return "finish" if pairing.find_stage(book) is None else "draw"
    if last.status == Round.Status.DRAFT and last.trouble:
        return "trouble"
    return {"drawing": "drawing", "draft": "release", "released": "play"}[last.status]


def _count_entrants(entrants: list[Entrant]) -> dict[str, int]:
    people = [entrant for entrant in entrants if not entrant.is_filler]
    present = [entrant for entrant in people if entrant.status == Entrant.Status.PRESENT]
    return {
        "in": sum(entrant.status in waiting_list.IN for entrant in people),
        "waiting": sum(entrant.status == Entrant.Status.WAITING for entrant in people),
        "present": sum(not entrant.is_away for entrant in present),
        "expected": sum(entrant.status == Entrant.Status.ENTERED for entrant in people),
        "away": sum(entrant.is_away for entrant in present),
    }


def _describe_certificate(tournament: Tournament, played: Round) -> dict[str, Any] | None:
    """The certificate of a draw: each line of the objective with its value and proven bound; None if there is none."""
    solution = msgspec.json.decode(played.solution) if played.solution else {}
    if "objective" not in solution:
        return None
    lines = [line | {"name": CERTIFICATE_LINES.get(line["name"], line["name"])} for line in solution["objective"]]
    plans = [line for line in solution["objective"] if line["name"] == PLAN_LINE]
    return {
        "lines": lines,
        "optimal": solution.get("optimal", False),
        "is_by_clock": solution.get("stopped") == "clock",
        "unproven": [line["name"] for line in lines if line["value"] != line["bound"]],
        "distance": say_plan_distance(plans[0]["value"], plans[0]["bound"]) if plans else "",
        "has_groups": bool(tournament.team_size) or tournament.clubs_apart == ClubsApart.WISH,
    }


@require_safe
def show_result_form(request: HttpRequest, tournament_id: str, table: int) -> HttpResponse:
    """The form for one table of the round under way. htmx fetches it when the organiser unfolds the table."""
    tournament, role = find_tournament(request, tournament_id)
    require_organiser(role)
    book = tournament_view.read_book(tournament, find_page_version(tournament))
    last = book.rounds[-1] if book.rounds else None
    there = book.pods.get(last.pk, ()) if last is not None and last.status == Round.Status.RELEASED else ()
    wanted = [other for other in there if other.number == table]
    if last is None or not wanted:
        raise NotFound("There is no such table in this round.")
    [pod] = table_views.list_pods(book, last, tournament_view.find_tables(book, last, only=wanted), None, only=wanted)
    playing = _list_playing(
        book, wanted if book.accepted(wanted[0]) else [other for other in there if not book.accepted(other)]
    )
    playing |= duplicate_tables.list_deal_knowledge(tournament).get(wanted[0].pk, {}).keys()
    people = Membership.objects.filter(club=tournament.club).select_related("player").order_by("player__name", "player")
    members = [
        (membership.player_id, membership.shown_name)
        for membership in people[:MAX_MEMBERS]
        if membership.player_id not in playing
    ]
    has_scores = registry.is_installed(tournament.game) and registry.find(tournament.game).has_scores
    context = {
        "tournament": tournament,
        "pod": pod,
        "members": members,
        "has_scores": has_scores,
        "sends_on": last.sends_on,
        **photos.describe(tournament, player_of(request), wanted[0]),
    }
    return disable_caching(render(request, "tournaments/console/result.html", context))


def _list_playing(book: Book, pods: Sequence[Pod]) -> set[int | None]:
    """Player ids of those who play at these tables, as entrants or as substitutes."""
    seats = (seat for pod in pods for seat in book.seats.get(pod.pk, ()) if seat.fate == PodSeat.Fate.PLAYS)
    return {seat.substitute_id if seat.substitute_name else book.entrants[seat.entrant_id].player_id for seat in seats}
