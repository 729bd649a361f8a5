"""The pages of an arena: overview, tables and standings, and its part of the console."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.accounts.current_player import player_of
from games.models import spelling
from tournaments.flow.counting import stand_in_records
from tournaments.flow.entry.entry_deadline import OPEN, is_sign_up_closed
from tournaments.flow.rounds import arena
from tournaments.flow.standings import ranking
from tournaments.flow.standings.arena_games import find_games
from tournaments.flow.standings.book import Book
from tournaments.models import Entrant, Pod, Round, Tournament
from tournaments.views.entry.claiming import describe_device_choice, describe_entry, list_claimable
from tournaments.views.lookups import disable_caching, pop_refused_input, read_query_number, read_search
from tournaments.views.standings import cached_rows, standing_rows, table_views, tournament_view

LATEST_TABLES = 12
"""Finished tables listed below those under way."""
LEADERS = 10
"""Lines of the standings on the overview."""
PAGE_TABLES = 60
"""Finished tables on one page of the list."""
OVERDUE_SECONDS = 5.0
"""Seconds past its due time after which a seating is no longer announced. More bridges a slow worker, and promises
what may not come."""


def find_arena_round(book: Book) -> Round | None:
    """The single round of an arena; None before it opens."""
    return book.rounds[0] if book.rounds else None


def split_tables(book: Book) -> tuple[Sequence[Pod], Sequence[Pod]]:
    """The pods under way, by table number, and the finished ones, the latest first."""
    played = find_arena_round(book)
    return tournament_view.list_current_pods(book, played) if played else (), find_games(book).over[::-1]


@dataclass(frozen=True)
class WaitingTime:
    """What the waiting players can expect, in words. due: the end of a countdown in seconds since 1970, or None."""

    words: str
    due: float | None = None


def say_waiting_time(pool: arena.Pool, played: Round, *, now: float) -> WaitingTime:
    """When the next seating is, or why there is none. now: seconds since 1970."""
    if played.has_rung or played.status != Round.Status.RELEASED:
        return WaitingTime(_("The arena is closed. Nobody else will be seated."))
    if played.paused_at is not None:
        return WaitingTime(_("The arena is paused. People will be seated again when it resumes."))
    if pool.outlook.due is None:
        missing = pool.outlook.missing
        return WaitingTime(
            ngettext("Waiting for %(n)s more person.", "Waiting for %(n)s more people.", missing) % {"n": missing}
        )
    if pool.outlook.due < now - OVERDUE_SECONDS:
        return WaitingTime(_("The next seating is as soon as enough people who may meet are free."))
    return WaitingTime(_("Next seating:"), pool.outlook.due)


def describe_pool(book: Book, played: Round | None, *, now: float) -> dict[str, Any]:
    """Template context: who waits, until when, and how many play. due: milliseconds since 1970, 0 if unknown."""
    if played is None:
        return {"is_open": False, "waiting": [], "wait": None, "seated": 0, "due": 0}
    pool = arena.build_pool(book, played)
    return {
        "is_open": played.status == Round.Status.RELEASED and not played.has_rung,
        "waiting": [book.by_key[waiting.entrant] for waiting in sorted(pool.waiting, key=lambda entry: entry.since)],
        "wait": say_waiting_time(pool, played, now=now),
        "seated": pool.playing,
        "due": round((pool.outlook.due or 0) * 1000),
    }


def show_overview(request: HttpRequest, book: Book, context: dict[str, Any]) -> HttpResponse:
    """The overview: the reader's table or waiting time, the tables now, the leaders."""
    played, now = find_arena_round(book), time.time()
    me = tournament_view.find_own_entrant(book, player_of(request))
    open_pods, done = split_tables(book) if played else ([], [])
    tables = tournament_view.find_tables(book, played, only=[*open_pods, *done[:LATEST_TABLES]]) if played else {}
    pods = table_views.list_pods(book, played, tables, me, only=open_pods) if played else []
    state = describe_pool(book, played, now=now)
    context |= state | {
        "me": me,
        "current": played,
        "stands_in": tournament_view.find_substitution(book, played, player_of(request)) if played else None,
        "chosen": played,
        "mine": next((pod for pod in pods if pod.is_mine), None),
        "waits": me is not None and me in state["waiting"],
        "can_enter": (can_enter := _can_enter(book.tournament, played, me, now=now)),
        "typed": pop_refused_input(request),
        **describe_device_choice(book, me),
        "unclaimed": list_claimable(request, book, context["role"], me=me) if can_enter or pods else [],
        "can_check_in": me is not None and me.status == "entered" and book.tournament.phase in ("check-in", "running"),
        "playing": len(pods),
        "pods_rows": cached_rows.render_pods(book.tournament, pods),
        "latest": table_views.list_pods(book, played, tables, me, only=done[:LATEST_TABLES]) if played else [],
        "games": len(done),
        "lines": _list_leaders(book, me) if done else [],
        "people": len(cached_rows.list_entered(book)),
        **describe_entry(request, book, me, now=now),
        "have_left": bool(book.entrants),
        "people_rows": cached_rows.render_entrants(book, me, late=""),
        "now_ms": round(now * 1000),
        "closes_ms": round(played.ends_at * 1000) if played and played.ends_at else None,
    }
    return disable_caching(render(request, "tournaments/rounds/arena.html", context))


def _can_enter(tournament: Tournament, played: Round | None, me: Entrant | None, *, now: float) -> bool:
    is_closed = is_sign_up_closed(tournament, now=now) or (
        played is not None and (played.has_rung or played.status != Round.Status.RELEASED)
    )
    return tournament.phase in OPEN and not is_closed and (me is None or me.status == Entrant.Status.WITHDRAWN)


def _list_leaders(book: Book, me: Entrant | None) -> list[dict[str, Any]]:
    """The leaders, and the reader's own line wherever it is."""
    lines = ranking.rank(book)
    key = str(me.number) if me else ""
    own = [line for line in lines[LEADERS:] if line.entrant == key]
    return tournament_view.list_standings(
        book, [*lines[:LEADERS], *own], me, stand_ins=stand_in_records.count_stand_ins(book)
    )


def list_console_pods(book: Book) -> list[Pod]:
    """The pods on the console: those under way, and the latest finished ones."""
    played = find_arena_round(book)
    if played is None:
        return []
    open_pods, done = split_tables(book)
    return [*open_pods, *done[:LATEST_TABLES]]


def describe_for_console(book: Book) -> dict[str, Any]:
    """Template context of the console, where other formats show the draft of a round."""
    played = find_arena_round(book)
    state = describe_pool(book, played, now=time.time())
    games = len(find_games(book).over)
    return state | {"in": games, "games": games}


def tables(request: HttpRequest, book: Book, context: dict[str, Any]) -> HttpResponse:
    """All tables: those under way, then the finished ones in pages (`?page=`), all or those with a name (`?q=`)."""
    played = find_arena_round(book)
    context |= {"chosen": played}
    if played is not None:
        me = tournament_view.find_own_entrant(book, player_of(request))
        open_pods, done = split_tables(book)
        games, wanted = len(done), read_search(request)
        if wanted:
            done = [pod for pod in done if spelling.mentions(wanted, _list_names(book, pod))]
        pages = max(1, -(-len(done) // PAGE_TABLES))
        number = min(pages, max(1, read_query_number(request, "page", 1)))
        over = done[(number - 1) * PAGE_TABLES : number * PAGE_TABLES]
        online_tables = tournament_view.find_tables(book, played, only=[*open_pods, *over])
        context |= {
            "pods": cached_rows.render_pods(
                book.tournament, table_views.list_pods(book, played, online_tables, me, only=open_pods)
            ),
            "over": table_views.list_pods(book, played, online_tables, me, only=over),
            "games": games,
            "wanted": wanted,
            "search": f"&{urlencode({'q': wanted})}" if wanted else "",
            "is_paged": games > PAGE_TABLES,
            "pages": pages,
            "page_numbers": range(1, pages + 1),
            "page_number": number,
            "comparisons": tournament_view.list_comparisons(book, played, me),
        }
    return disable_caching(render(request, "tournaments/rounds/arena_tables.html", context))


def _list_names(book: Book, pod: Pod) -> str:
    return " ".join(book.entrants[seat.entrant_id].name for seat in book.seats.get(pod.id, ()))


def show_standings(request: HttpRequest, book: Book, context: dict[str, Any]) -> HttpResponse:
    """The standings now, or after so many results (`?after=`)."""
    me, games = tournament_view.find_own_entrant(book, player_of(request)), len(find_games(book).over)
    after = min(games, max(1, read_query_number(request, "after", games)))
    moment = None if after == games else after
    lines = ranking.rank(book, moment)
    columns, has_penalties = tournament_view.find_columns(book, lines), tournament_view.has_penalties(lines)
    context |= {
        "games": games,
        "after": after,
        "rows": standing_rows.render_standings(book, moment, me),
        "tie_breaks": tournament_view.name_tie_breaks(book.scheme.tie_breaks[at] for at in columns),
        "has_penalties": has_penalties,
        "breadth": tournament_view.find_width_class(1, len(columns), sheets=1, penalties=2 * has_penalties),
        "comparisons": tournament_view.list_comparisons(book, played, me) if (played := find_arena_round(book)) else [],
        "penalties": tournament_view.list_penalties(book),
    }
    return disable_caching(render(request, "tournaments/standings/standings.html", context))
