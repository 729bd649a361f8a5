"""The lobby, the pages of rules, and the form for a new table."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf
from operator import attrgetter
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.db.models import Count, Exists, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from games.accounts import guest_creation, rate_limits, time_zones
from games.accounts.animal_pictures import AVATARS
from games.accounts.current_player import player_id, player_of
from games.accounts.guests import require_player
from games.accounts.sign_in import known_devices
from games.models import Player, Seat, Table, spelling
from games.play import lessons
from games.play.days.awaited_turns import find_dues
from games.play.days.round_deadlines import find_deadlines
from games.play.errors import BadInput, NotFound, TooFast, Unreadable
from games.play.moves.form_keys import make_once
from games.play.moves.window_answers import is_awaited
from games.play.seats import challenges, opening, table_limits
from games.play.sentences import say_sentence
from games.play.storage import codec, store
from games.play.storage.table import OVER, PLAYING, WAITING
from games.presenters.names import GAMES, name_game
from games.presenters.table_texts import say_turn_time
from games.rules import registry
from games.rules.base import BadSetup, Rules
from games.rules.day_pace import is_over_days
from games.views.forms import TableForm, sent_key

SHOWN_TABLES = 30
LONGEST_SEARCH = 40
MAX_SEARCHED = 1000
"""Open tables among which a search looks."""
MAX_UNDER_WAY = 200
"""Tables of one person that are looked at, most of them games over days."""
RECENT_SECONDS = 86_400
"""Seconds after its end for which a table is among mine; one that has waited longer for people counts as abandoned."""
WAITS_FOR_ME, OPEN, ASIDE, FINISHED = "waits for me", "open", "aside", "finished"
"""What a table can mean to one of its people, in the order in which their tables are shown."""
SHORT_DEALS, USUAL_DEALS = 1, 3
"""Deals of a short game against bots, and of a longer one where the game would otherwise go by the clock."""
FIRST_LEVEL = "steady"
"""How the bots of a person's first game play, where the game has this level."""
USUAL_SEATS = 5
"""Seats of a table against bots, if the game allows as many."""


@require_safe
def show_lobby(request: HttpRequest) -> HttpResponse:
    """Open tables, my games, and the games to begin."""
    player = player_of(request)
    wanted = " ".join(request.GET.get("q", "").split())[:LONGEST_SEARCH]
    open_tables, my_tables = list_open(player, wanted), list_mine(player)
    mine = {kind: [row for row in my_tables if row["kind"] == kind] for kind in (WAITS_FOR_ME, OPEN, ASIDE, FINISHED)}
    games = [GAMES[slug] for slug in registry.slugs()]
    context = {
        "games": games,
        "picture_styles": dict.fromkeys(file for game in games for file in game.picture_styles),
        "open_tables": open_tables[:SHOWN_TABLES],
        "wanted": wanted,
        "query": f"?{urlencode({'q': wanted})}" if wanted else "",
        "is_paged": bool(wanted) or len(open_tables) > SHOWN_TABLES,
        "joinable": sum(row["can_sit"] for row in open_tables),
        "challenges": _list_challenges(player),
        "my_tables": (mine[WAITS_FOR_ME] + mine[OPEN])[:SHOWN_TABLES],
        "has_days": any(row["pace"] for row in my_tables),
        "put_aside": mine[ASIDE] + mine[FINISHED],
        "lessons": {} if getattr(request, "htmx", False) else lessons.list_offers(player_id(request)),
    }
    response = render(request, "lobby.html", context)
    response["Cache-Control"] = "no-store"  # else who comes back to it sees stale tables
    return response


def _list_challenges(player: Player | None) -> list[dict[str, Any]]:
    """Who has challenged this person to which game."""
    if player is None:
        return []
    sent = challenges.list_open(now=time.time()).filter(challenged=player)
    return [
        {"id": challenge.pk, "name": challenge.challenger.name, "game": name_game(challenge.table.game)}
        for challenge in sent
    ]


def _select_tables() -> Any:
    """Tables with their hosts and how many chairs are taken, counted for the shown ones only."""
    seats = Seat.objects.filter(table=OuterRef("pk")).order_by().values("table").annotate(count=Count("pk"))
    taken = Coalesce(Subquery(seats.values("count")), 0)
    return Table.objects.annotate(taken=taken).select_related("host").defer("state", "desk", "result")


def list_open(player: Player | None, wanted: str = "") -> list[dict[str, Any]]:
    """The tables for everybody that wait or play, without those at which this person sits: `SHOWN_TABLES` and one more.

    wanted: only those with words that begin like these in the names of their host and their game.
    """
    rows = _select_tables().filter(status__in=[WAITING, PLAYING], is_public=True)
    if player is not None:
        rows = rows.exclude(seats__player=player)
    shown = rows.order_by("-status", "-created_at")[: MAX_SEARCHED if wanted else SHOWN_TABLES + 1]
    found = [
        _describe_table(table) | {"can_sit": table.status == WAITING and table.taken < table.seat_count}
        for table in shown
    ]
    return [row for row in found if spelling.mentions(wanted, f"{row['host']} {row['game']}")] if wanted else found


def list_mine(player: Player | None) -> list[dict[str, Any]]:
    """This person's tables under way, and those that ended within a day; those that wait for them first, by urgency."""
    if player is None:
        return []
    # From the few tables of now to me, and not from all the tables that I have ever sat at.
    rows = _select_tables().filter(Exists(Seat.objects.filter(table=OuterRef("pk"), player=player)))
    under_way = rows.filter(status__in=[WAITING, PLAYING]).order_by("-created_at")[:MAX_UNDER_WAY]
    played = rows.filter(started_at__isnull=False)  # who looks for what was closed before finds nothing there
    ended = played.filter(ended_at__gt=time.time() - RECENT_SECONDS).order_by("-created_at")[:SHOWN_TABLES]
    shown = sorted([*under_way, *ended], key=attrgetter("created_at"), reverse=True)
    days = _look_at_days([table for table in shown if is_over_days(table.turn_seconds)], player)
    ends = find_deadlines([table.pk for table in under_way if is_over_days(table.turn_seconds)])
    rows = [
        _describe_table(table)
        | (days[table.pk] if table.pk in days else _describe_state(table, player))
        | {"round_ends": ends.get(table.pk)}
        for table in shown
    ]
    found = [row | {"kind": _find_kind(row)} for row in rows]
    return sorted(found, key=lambda row: row.get("due") or (0.0 if row["kind"] == WAITS_FOR_ME else inf))


def _look_at_days(tables: Sequence[Table], player: Player) -> dict[str, dict[str, Any]]:
    """The state of games over days, for this person, without loading a board."""
    playing = [table.pk for table in tables if table.status == PLAYING]
    dues = find_dues(player.pk, playing)
    seats = dict(Seat.objects.filter(player=player, table__in=playing).values_list("table", "index"))
    desks = Table.objects.filter(pk__in=playing).values_list("pk", "desk")
    found: dict[str, dict[str, Any]] = {}
    for table_id, desk in desks:
        runtime = codec.read_runtime(desk)
        found[table_id] = {
            "is_paused": runtime.paused_at is not None,
            "is_standing": runtime.is_standing or runtime.is_held,
            "has_stand_in": seats.get(table_id) in runtime.stand_ins,
            "my_turn": table_id in dues,
            "due": dues.get(table_id),
        }
    return found


def _find_kind(row: Mapping[str, Any]) -> str:
    """The kind of this person's table now, for its order in the list."""
    if row["status"] == OVER:
        return FINISHED
    is_old = row["created_at"] < time.time() - RECENT_SECONDS
    if row.get("is_paused") or (row["status"] == WAITING and is_old and not row.get("is_arranged")):
        return ASIDE
    return WAITS_FOR_ME if row.get("my_turn") or row.get("has_stand_in") else OPEN


def _describe_state(row: Table, player: Player) -> dict[str, bool]:
    """The state of one of this person's tables, for themselves."""
    try:
        table = store.fetch(row.pk) if row.status in (WAITING, PLAYING) else None
    except (NotFound, Unreadable):  # closed a moment ago, or to be looked at by somebody else
        return {}
    if table is None or table.status == OVER:
        return {}
    seat = table.seat_of(player.pk)
    return {
        "is_paused": table.runtime.paused_at is not None,
        "is_standing": table.runtime.is_standing or table.runtime.is_held,
        "is_arranged": table.runtime.arranged is not None,
        "has_stand_in": seat in table.runtime.stand_ins,
        "my_turn": seat is not None and is_awaited(table, seat),
    }


def _describe_table(table: Any) -> dict[str, Any]:
    return {
        "id": table.pk,
        "slug": table.game,
        "game": name_game(table.game),
        "host": table.host.name if table.host else "",
        "taken": table.taken,
        "seats": table.seat_count,
        "created_at": table.created_at,
        "status": table.status,
        "options": codec.read(table.options),
        "turn_seconds": table.turn_seconds,
        "pace": say_turn_time(table.turn_seconds) if is_over_days(table.turn_seconds) else "",
    }


@require_safe
def show_about(request: HttpRequest) -> HttpResponse:
    """The about page, with credits."""
    cookies = {
        "session": settings.SESSION_COOKIE_NAME,
        "newcomer": guest_creation.COOKIE,
        "forms": settings.CSRF_COOKIE_NAME,
        "zone": time_zones.COOKIE,
        "language": settings.LANGUAGE_COOKIE_NAME,
        "notices": CookieStorage.cookie_name,
        "device": known_devices.COOKIE,
    }
    return render(request, "about.html", {"cookies": cookies})


@require_safe
def show_game(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules page of a game."""
    rules = _find_rules(slug)
    game = GAMES[rules.slug]
    lesson = registry.find_lesson(rules.slug)
    return render(request, game.rules, {"game": game, "rules": rules, "lesson": lesson})


def open_table(request: HttpRequest, slug: str) -> HttpResponse:
    """The form for a new table, and the table it opens."""
    rules = _find_rules(slug)
    form = TableForm(rules, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            wanted = form.to_request()
            rules.check_options(wanted.seats, wanted.options)
        except BadSetup as error:
            form.add_error(None, say_sentence(error))
        else:
            return redirect("table", _open_table(request, require_player(request), wanted))
    status = 422 if form.errors else 200
    return render(request, "tables/new.html", {"game": GAMES[rules.slug], "form": form}, status=status)


@require_POST
def play_now(request: HttpRequest, slug: str) -> HttpResponse:
    """One click: a table of my own, bots on all other chairs. The game begins once my page has come to it.

    `length` = `short`: one deal, in a game of several.
    """
    rules = _find_rules(slug)
    seats = request.POST.get("seats", str(min(USUAL_SEATS, rules.seat_counts[-1])))
    if not seats.isascii() or not seats.isdigit():
        raise BadInput("The number of players must be a whole number.")
    count = int(seats[:3])
    is_first = request.POST.get("first") == "1"
    is_short = request.POST.get("length") == "short"
    wanted = opening.TableRequest(
        game=rules.slug,
        seats=count,
        options=_agree_on_length(rules, is_short=is_short or is_first),
        bots=count - 1,
        turn_seconds=registry.infos()[rules.slug].turn_seconds,
        is_public=False,
        is_called=True,
    )
    if is_first:  # for learning: it counts for nothing
        wanted = replace(wanted, bot_level=_choose_first_level(rules), is_rated=False)
    opening.check_request(wanted)  # before a stranger becomes a guest
    player = require_player(request)
    table_id = _open_table(request, player, wanted)
    return redirect(reverse("table", args=[table_id]) + ("?first=1" if is_first else ""))


def _agree_on_length(rules: Rules[Any], *, is_short: bool) -> dict[str, int]:
    """How long a game against bots is. It never goes by the clock."""
    info = registry.infos()[rules.slug]
    if is_short:
        return info.agree_on_deals(SHORT_DEALS)
    return info.agree_on_deals(USUAL_DEALS) if rules.ends_by_clock else {}


def _choose_first_level(rules: Rules[Any]) -> str:
    """The level of the bots in a person's first game: they play sensibly."""
    levels = registry.infos()[rules.slug].bot_levels
    return FIRST_LEVEL if FIRST_LEVEL in levels else levels[-1]


def _open_table(request: HttpRequest, player: Player, wanted: opening.TableRequest) -> str:
    """The table of this wanted, one however often the form is sent. Raises TooFast, BadInput, Busy."""

    def make() -> str:
        if not rate_limits.allow_table(player.pk):
            raise TooFast("You have opened too many tables in the last hour. Play at one of them, or try again later.")
        network = rate_limits.network_of(request.META.get("REMOTE_ADDR", ""))
        table_limits.require_below_limits(player, network, turn_seconds=wanted.turn_seconds)
        table = opening.open_table(player, wanted, avatars=AVATARS, now=time.time())
        table_limits.record_opener(table.id, network)
        store.forget(table.id)  # it is not durable yet
        return table.id

    return make_once(player.pk, sent_key(request), make, now=time.time())


def _find_rules(slug: str) -> Rules[Any]:
    if slug not in registry.slugs():
        raise Http404(slug)
    return registry.find(slug)
