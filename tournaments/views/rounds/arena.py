"""An arena for everybody: whether I wait or play, for what, how it stands now; and its part of the console."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.accounts.current_player import player_of
from tournaments.flow.counting import stand_in_records
from tournaments.flow.entry.entry_deadline import OPEN
from tournaments.flow.rounds import arena
from tournaments.flow.standings import ranking
from tournaments.flow.standings.arena_games import find_games
from tournaments.flow.standings.book import Book
from tournaments.models import Entrant, Pod, Round, Tournament
from tournaments.views.entry.claiming import ask_where, list_claimable
from tournaments.views.lookups import fresh, read_number, take_typed
from tournaments.views.standings import cached_rows, table_views, tournament_view

LATEST = 12
"""Finished tables that a page shows below those at which people play."""
IN_FRONT = 10
PAGE = 60
LATE = 5.0
"""Seconds after which a seating that was due is not promised any more."""


def now_at(book: Book) -> Round | None:
    """The one round of an arena, once it has opened."""
    return book.rounds[0] if book.rounds else None


def split(book: Book) -> tuple[Sequence[Pod], Sequence[Pod]]:
    """The tables at which people sit now, by table, and those that are over, the latest first."""
    played = now_at(book)
    return tournament_view.sitting(book, played) if played else (), find_games(book).over[::-1]


@dataclass(frozen=True)
class Wait:
    """What those who wait can expect, in words. due: when to count down to, seconds since 1970, or None."""

    words: str
    due: float | None = None


def say_wait(pool: arena.Pool, played: Round, *, now: float) -> Wait:
    """What is true of the next seating."""
    if played.has_rung or played.status != Round.Status.RELEASED:
        return Wait(_("The arena is closed; nobody is seated any more."))
    if played.paused_at is not None:
        return Wait(_("The arena stands still. As soon as it goes on, people are seated again."))
    if pool.outlook.due is None:
        missing = pool.outlook.missing
        return Wait(
            ngettext("Waiting for %(n)s more person.", "Waiting for %(n)s more people.", missing) % {"n": missing}
        )
    if pool.outlook.due < now - LATE:
        return Wait(_("The next seating is as soon as a table of people who may meet can be made."))
    return Wait(_("Next seating in"), pool.outlook.due)


def describe(book: Book, played: Round | None, *, now: float) -> dict[str, Any]:
    """What every page of an arena knows of its present."""
    if played is None:
        return {"is_open": False, "waiting": [], "wait": None, "seated": 0, "due": 0}
    pool = arena.build_pool(book, played)
    return {
        "is_open": played.status == Round.Status.RELEASED and not played.has_rung,
        "waiting": [book.by_key[one.entrant] for one in sorted(pool.waiting, key=lambda one: one.since)],
        "wait": say_wait(pool, played, now=now),
        "seated": pool.playing,
        "due": round((pool.outlook.due or 0) * 1000),
    }


def overview(request: HttpRequest, book: Book, context: dict[str, Any]) -> HttpResponse:
    """The page of an arena: my table or what I wait for, the tables now, who is in front."""
    played, now = now_at(book), time.time()
    me = tournament_view.my_entrant(book, player_of(request))
    open_pods, done = split(book) if played else ([], [])
    tables = tournament_view.find_tables(book, played, only=[*open_pods, *done[:LATEST]]) if played else {}
    pods = table_views.list_pods(book, played, tables, me, only=open_pods) if played else []
    state = describe(book, played, now=now)
    context |= state | {
        "me": me,
        "current": played,
        "stands_in": tournament_view.find_stand_in(book, played, player_of(request)) if played else None,
        "chosen": played,
        "mine": next((pod for pod in pods if pod.is_mine), None),
        "waits": me is not None and me in state["waiting"],
        "can_enter": (can_enter := _can_enter(book.tournament, played, me)),
        "typed": take_typed(request),
        **ask_where(book, me),
        "unclaimed": list_claimable(request, book, context["role"], me=me) if can_enter or pods else [],
        "can_check_in": me is not None and me.status == "entered" and book.tournament.phase in ("check-in", "running"),
        "playing": len(pods),
        "pods_rows": cached_rows.draw_pods(book.tournament, pods),
        "latest": table_views.list_pods(book, played, tables, me, only=done[:LATEST]) if played else [],
        "games": len(done),
        "lines": _front(book, me) if done else [],
        "people": len(cached_rows.list_in(book)),
        "have_left": bool(book.entrants),
        "people_rows": cached_rows.draw_people(book, me, late=""),
        "now_ms": round(now * 1000),
        "closes_ms": round(played.ends_at * 1000) if played and played.ends_at else None,
    }
    return fresh(render(request, "tournaments/arena.html", context))


def _can_enter(tournament: Tournament, played: Round | None, me: Entrant | None) -> bool:
    is_closed = played is not None and (played.has_rung or played.status != Round.Status.RELEASED)
    return tournament.phase in OPEN and not is_closed and (me is None or me.status == Entrant.Status.WITHDRAWN)


def _front(book: Book, me: Entrant | None) -> list[dict[str, Any]]:
    """The first ten, and the reader wherever he is."""
    lines = ranking.rank(book)
    key = str(me.number) if me else ""
    own = [line for line in lines[IN_FRONT:] if line.entrant == key]
    return tournament_view.list_standings(book, [*lines[:IN_FRONT], *own], me, told=stand_in_records.tell(book))


def find_kept(book: Book) -> list[Pod]:
    """The tables that the console shows: those that play, and the latest that are over."""
    played = now_at(book)
    if played is None:
        return []
    open_pods, done = split(book)
    return [*open_pods, *done[:LATEST]]


def for_console(book: Book) -> dict[str, Any]:
    """What the console says of an arena instead of a round's draft."""
    played = now_at(book)
    state = describe(book, played, now=time.time())
    games = len(find_games(book).over)
    return state | {"in": games, "games": games}


def tables(request: HttpRequest, book: Book, context: dict[str, Any]) -> HttpResponse:
    """All tables of an arena: those that play, then those that are over, page by page (`?page=`)."""
    played = now_at(book)
    context |= {"chosen": played}
    if played is not None:
        me = tournament_view.my_entrant(book, player_of(request))
        open_pods, done = split(book)
        pages = max(1, -(-len(done) // PAGE))
        number = min(pages, max(1, read_number(request, "page", 1)))
        over = done[(number - 1) * PAGE : number * PAGE]
        known = tournament_view.find_tables(book, played, only=[*open_pods, *over])
        context |= {
            "pods": cached_rows.draw_pods(
                book.tournament, table_views.list_pods(book, played, known, me, only=open_pods)
            ),
            "over": table_views.list_pods(book, played, known, me, only=over),
            "games": len(done),
            "pages": pages,
            "page_numbers": range(1, pages + 1),
            "page_number": number,
            "comparisons": tournament_view.list_comparisons(book, played, me),
        }
    return fresh(render(request, "tournaments/arena_tables.html", context))


def standings(request: HttpRequest, book: Book, context: dict[str, Any]) -> HttpResponse:
    """How it stands now, or how it stood after so many results (`?after=`)."""
    me, games = tournament_view.my_entrant(book, player_of(request)), len(find_games(book).over)
    after = min(games, max(1, read_number(request, "after", games)))
    moment = None if after == games else after
    lines = ranking.rank(book, moment)
    columns, has_penalties = tournament_view.find_columns(book, lines), tournament_view.has_penalties(lines)
    context |= {
        "games": games,
        "after": after,
        "rows": cached_rows.draw_standings(book, moment, me),
        "tie_breaks": tournament_view.name_tie_breaks(book.scheme.tie_breaks[at] for at in columns),
        "has_penalties": has_penalties,
        "breadth": tournament_view.measure(1, len(columns), sheets=1, penalties=2 * has_penalties),
        "comparisons": tournament_view.list_comparisons(book, played, me) if (played := now_at(book)) else [],
        "penalties": tournament_view.list_penalties(book),
    }
    return fresh(render(request, "tournaments/standings.html", context))
