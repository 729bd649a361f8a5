"""The public pages of a tournament: overview, pairings, standings, chronicle."""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import urlencode

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from games.accounts.current_player import player_id, player_of
from games.play.errors import NotFound, Unreadable
from games.play.storage import store
from games.play.storage.table import PLAYING
from games.presenters.table_texts import say_turn_time
from games.views.json_responses import JsonAnswer
from tournaments import formats
from tournaments.flow.drawing import pairing
from tournaments.flow.entry.entry_deadline import OPEN, is_sign_up_closed
from tournaments.flow.planning.phases import NOW_FIRST, is_coming
from tournaments.flow.profiles import finding
from tournaments.flow.standings import ranking
from tournaments.flow.standings.book import Book
from tournaments.flow.steps.kinds import KINDS
from tournaments.flow.undo.step_undo import list_logged
from tournaments.models import LAST_STAGES, Entrant, Membership, Phase, Rest, Round, Season, Tournament
from tournaments.views.entry.claiming import describe_device_choice, describe_entry, list_claimable
from tournaments.views.entry.team_pages import describe_choice
from tournaments.views.lookups import (
    disable_caching,
    find_page_version,
    find_table_url,
    find_tournament,
    pop_refused_input,
    read_search,
    remember_opened_link,
)
from tournaments.views.page_frame import build_frame, choose_round
from tournaments.views.rounds import arena
from tournaments.views.standings import cached_rows, standing_rows, table_views, team_views, tournament_view
from tournaments.views.standings.bracket_view import name_round, render_bracket
from tournaments.views.tournament_lists import list_both, render_list

MAX_LISTED = 60
"""Rows of each list of tournaments."""
LEADERS = 5
"""Lines of the standings on the overview."""


@require_safe
def list_tournaments(request: HttpRequest) -> HttpResponse:
    """Tournaments that are coming or under way, and the latest finished ones; of both those that match `?q=`."""
    mine = Membership.objects.filter(player_id=player_id(request) or 0).values("club")
    may_see = Q(is_public=True) | Q(club__in=mine)
    seen = Tournament.objects.filter(may_see), Season.objects.filter(may_see)
    wanted = read_search(request)
    now = list_both(*seen, *NOW_FIRST, where=is_coming(time.time()))
    lists = [_find_rows(wanted, now), _find_past(wanted, *seen)]
    context = {
        "now": render_list(lists[0][:MAX_LISTED]),
        "past": render_list(lists[1][:MAX_LISTED]),
        "wanted": wanted,
        "is_paged": bool(wanted) or any(len(rows) > MAX_LISTED for rows in lists),
        "query": f"?{urlencode({'q': wanted})}" if wanted else "",
    }
    return disable_caching(render(request, "tournaments/list.html", context))


def _find_rows(wanted: str, rows: QuerySet[Any, tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The first rows, one more than is shown; with a search the first of those whose names match."""
    if not wanted:
        return list(rows[: MAX_LISTED + 1])
    return finding.filter_by_name(rows[: finding.LATEST], wanted, lambda row: row[1])[: MAX_LISTED + 1]


def _find_past(wanted: str, tournaments: QuerySet[Tournament], seasons: QuerySet[Season]) -> list[tuple[Any, ...]]:
    """The latest finished ones. A query per phase, so that the index of finished times is used."""
    past: list[tuple[Any, ...]] = []
    for phase in (Phase.FINISHED, Phase.ARCHIVED):
        past += _find_rows(wanted, list_both(tournaments, seasons, "-finished_at", where=Q(phase=phase)))
    return sorted(past, key=lambda row: row[-1] or 0.0, reverse=True)[: MAX_LISTED + 1]


@require_safe
def show_overview(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """What the tournament is, the reader's table, the entrants and the leaders."""
    tournament, role = find_tournament(request, tournament_id)
    book = tournament_view.read_book(tournament, find_page_version(tournament))
    if not formats.of(tournament).has_rounds:
        return arena.show_overview(request, book, build_frame(request, tournament, role, "overview"))
    me = tournament_view.find_own_entrant(book, player_of(request))
    current = next((played for played in reversed(book.rounds) if played.status == Round.Status.RELEASED), None)
    tables = tournament_view.find_tables(book, current) if current else {}
    pods = table_views.list_pods(book, current, tables, me) if current else []
    is_followed, mine = pairing.has_next_round(book), next((pod for pod in pods if pod.is_mine), None)
    is_over = tournament.phase in (Phase.FINISHED, Phase.ARCHIVED)
    context = build_frame(request, tournament, role, "overview") | {
        "me": me,
        "can_enter": is_followed
        and _can_enter(book, me, current)
        and not is_sign_up_closed(tournament, now=time.time()),
        "typed": pop_refused_input(request),
        **describe_device_choice(book, me),
        "unclaimed": list_claimable(request, book, role, me=me),
        "can_check_in": is_followed
        and me is not None
        and me.status == "entered"
        and tournament.phase in ("check-in", "running"),
        "is_followed": is_followed,
        "is_drawn": bool(book.rounds),
        "cuts_off": is_followed and pairing.is_next_elimination(book),
        "is_out": me is not None
        and me.status == Entrant.Status.PRESENT
        and (is_followed or current is not None)
        and _is_eliminated(book, me, current),
        "current": current,
        "stands_in": tournament_view.find_substitution(book, current, player_of(request)) if current else None,
        "stage": name_round(book, current) if current else "",
        "mine": mine,
        "has_stand_in": mine is not None and _has_stand_in(mine.table_id, player_id(request)),
        "have_i_said": mine is not None and {result.entered_by for result in mine.proposed} == {player_id(request)},
        "my_bye": current is not None
        and me is not None
        and me in tournament_view.list_rests(book, current, Rest.Kind.BYE),
        "results_in": sum(pod.accepted is not None for pod in pods),
        "pods": pods,
        "is_over": is_over,
        "rounds": len(book.scored_rounds()) if is_over else tournament.rounds_planned,
        "top": _list_leaders(book, me) if book.complete_rounds() else [],
        "shortfall": tournament_view.say_missing_rounds(book),
        "turn_time": say_turn_time(tournament.turn_seconds),
        "people": len(cached_rows.list_entered(book)),
        **describe_entry(request, book, me, now=time.time()),
        **describe_choice(book, me),
        "top_teams": team_views.describe_team_standings(book, None, me)["team_lines"][:LEADERS]
        if book.complete_rounds()
        else [],
        "have_left": bool(book.entrants),
        "people_rows": cached_rows.render_entrants(book, me, late=_name_missing(Phase(tournament.phase))),
        "seeds": _list_fairness_data(book),
    }
    return disable_caching(render(request, "tournaments/rounds/overview.html", context))


def _name_missing(phase: Phase) -> str:
    """The note beside entrants who have not checked in; empty before check-in."""
    if phase in (Phase.FINISHED, Phase.ARCHIVED):
        return _("did not play")
    return pgettext("checked in", "not here yet") if phase in (Phase.CHECK_IN, Phase.RUNNING) else ""


def _has_stand_in(table_id: str, me: int | None) -> bool:
    """Whether a stand-in plays for this person at their online table."""
    try:
        table = store.refresh(table_id) if table_id else None
    except (NotFound, Unreadable):  # the rest of the page is still of use
        return False
    return table is not None and table.status == PLAYING and table.seat_of(me) in table.runtime.stand_ins


def _can_enter(book: Book, me: Entrant | None, current: Round | None) -> bool:
    """Whether the reader may enter, or return after a withdrawal."""
    if book.tournament.phase not in OPEN:
        return False
    if me is None:
        return pairing.accepts_entrants(book) and pairing.has_room(book)
    return me.status == Entrant.Status.WITHDRAWN and not _is_eliminated(book, me, current)


def _is_eliminated(book: Book, me: Entrant, current: Round | None) -> bool:
    """Whether an entrant gets no more tables in a knockout."""
    if current is None:
        return not pairing.can_play_next(book, me)
    seated = {seat.entrant_id for pod in book.pods.get(current.pk, ()) for seat in book.seats.get(pod.pk, ())}
    rests = {rest.entrant_id for rest in book.rests.get(current.pk, ()) if rest.kind == Rest.Kind.BYE}
    return current.stage in LAST_STAGES and me.pk not in seated | rests


def _list_leaders(book: Book, me: Entrant | None) -> list[dict[str, Any]]:
    """The leaders, and the reader's own line wherever it is."""
    lines = ranking.rank(book)
    own = [line for line in lines[LEADERS:] if me is not None and line.entrant == str(me.number)]
    return tournament_view.list_leaders(book, [*lines[:LEADERS], *own], me)


def _list_fairness_data(book: Book) -> list[dict[str, Any]]:
    """By round: the seed of the draw, and the commitments and published secrets of duplicate deals."""
    return [
        {
            "number": played.number,
            "seed": played.seed,
            "deals": _describe_deals(book, played),
        }
        for played in book.rounds
        if played.status in (Round.Status.RELEASED, Round.Status.COMPLETE)
    ]


def _describe_deals(book: Book, played: Round) -> list[dict[str, str]]:
    """Commitment and secret of each duplicate deal of a round; in an arena each seating has its own."""
    is_published = book.is_published(played)
    if not (deals := book.find_deals(played)) and played.deal_commitment:  # drawn before each had a commitment
        return [{"commitment": played.deal_commitment, "secret": played.deal_secret if is_published else ""}]
    return [{"commitment": deal.deal.commitment, "secret": deal.deal.secret if is_published else ""} for deal in deals]


@require_safe
def show_pairings(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The tables of a round (`?round=`), with the reasons of the draw."""
    tournament, role = find_tournament(request, tournament_id)
    book = tournament_view.read_book(tournament, find_page_version(tournament))
    if not formats.of(tournament).has_rounds:
        return arena.tables(request, book, build_frame(request, tournament, role, "pairings"))
    me = tournament_view.find_own_entrant(book, player_of(request))
    rounds = tournament_view.list_rounds(book)
    chosen = choose_round(request, rounds)
    context = build_frame(request, tournament, role, "pairings") | {"rounds": rounds, "chosen": chosen}
    if chosen is not None:
        pods = table_views.list_pods(book, chosen, tournament_view.find_tables(book, chosen), me)
        context |= {
            "pods": cached_rows.render_pods(tournament, pods),
            "byes": tournament_view.list_rests(book, chosen, Rest.Kind.BYE),
            "absent": tournament_view.list_rests(book, chosen, Rest.Kind.ABSENT),
            "names": cached_rows.render_seating(pods),
            "comparisons": tournament_view.list_comparisons(book, chosen, me),
        }
    return disable_caching(render(request, "tournaments/rounds/pairings.html", context))


@require_safe
def show_standings(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The standings after any round (`?round=`), and the bump chart."""
    tournament, role = find_tournament(request, tournament_id)
    book = tournament_view.read_book(tournament, find_page_version(tournament))
    if not formats.of(tournament).has_rounds:
        return arena.show_standings(request, book, build_frame(request, tournament, role, "standings"))
    me = tournament_view.find_own_entrant(book, player_of(request))
    rounds = list(book.complete_rounds())
    chosen = choose_round(request, rounds)
    number = chosen.number if chosen else None
    lines, numbers = ranking.rank(book, number), book.scored_rounds(number) if number else ()
    tie_breaks = [book.scheme.tie_breaks[at] for at in tournament_view.find_columns(book, lines)]
    context = build_frame(request, tournament, role, "standings") | {
        "rounds": rounds,
        "chosen": chosen,
        "rows": standing_rows.render_standings(book, number, me),
        "order": tournament_view.explain_order(book, number) if number else "",
        "tie_breaks": tournament_view.name_tie_breaks(tie_breaks),
        "has_penalties": (has_penalties := tournament_view.has_penalties(lines)),
        "breadth": tournament_view.find_width_class(len(numbers), len(tie_breaks), penalties=int(has_penalties)),
        "numbers": numbers,
        "bracket": render_bracket(book),
        "chart": standing_rows.render_chart(book, me) if chosen is not None and chosen == rounds[-1] else "",
        "comparisons": tournament_view.list_comparisons(book, chosen, me) if chosen else [],
        "penalties": tournament_view.list_penalties(book),
        **team_views.describe_team_standings(book, number, me),
    }
    return disable_caching(render(request, "tournaments/standings/standings.html", context))


PUBLIC_STEPS = frozenset(kind.kind for kind in KINDS.values() if kind.is_public)
"""Kinds of steps that the public chronicle lists."""


@require_safe
def show_chronicle(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The chronicle: public steps, the newest first."""
    tournament, role = find_tournament(request, tournament_id)
    steps = list_logged(tournament, kinds=PUBLIC_STEPS, limit=500)
    lines = cached_rows.render_steps(steps, player_id(request), format_slug=tournament.format)
    context = build_frame(request, tournament, role, "chronicle") | {"rows": lines}
    return disable_caching(render(request, "tournaments/rounds/chronicle.html", context))


@require_safe
def show_version(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The current page version, for browsers without a WebSocket."""
    tournament, _role = find_tournament(request, tournament_id)
    return disable_caching(JsonAnswer({"version": find_page_version(tournament)}))


@require_safe
def follow_entry_link(request: HttpRequest, token: str) -> HttpResponse:
    """Follow the entry link: this browser may now see the tournament.

    `?table=`: round-table, as on the card of a table; then it leads to the page of that table.
    """
    tournament = Tournament.objects.filter(entry_token=token).first()
    if tournament is None:
        raise NotFound("This link does not work. Check that it is complete, or ask for a new one.")
    remember_opened_link(request, tournament)
    table_url = find_table_url(tournament, request.GET.get("table", ""))
    return redirect(table_url or reverse("tournaments:tournament", args=[tournament.pk]))
