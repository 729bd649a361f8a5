"""Pages of a table: the page itself, its board, its view for programs, its log and record."""

from __future__ import annotations

import time
from typing import Any

import segno
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from games import models
from games.accounts import table_access
from games.accounts.current_player import player_id
from games.accounts.session import remember_invitation
from games.accounts.site_urls import address_of
from games.live import talk_messages
from games.live.tables.regions import BEFORE_FIRST_PLY, RenderedTable, render_table
from games.play import lessons, permissions
from games.play.days.awaited_turns import find_next_table
from games.play.errors import NotFound
from games.play.records import game_record
from games.play.records.log_pages import LogPage, read_log_page
from games.play.records.table_description import describe, describe_log
from games.play.seats import seat_roles, sitting
from games.play.storage import marks, store
from games.play.storage.table import OVER, WAITING, LoadedTable
from games.presenters import find_presenter
from games.presenters.names import GAMES, PHRASES
from games.presenters.table_texts import list_guide_tips, say_connection_limits
from games.records.writer import to_text
from games.rules.base import Seat
from games.views.error_pages import wants_json
from games.views.json_responses import JsonAnswer
from games.views.not_modified import unless_known

SHOWN_NEWS = 20
"""Lines of what has happened since somebody last looked at a game over days; the whole log has the others."""


def find_table(request: HttpRequest, table_id: str) -> LoadedTable:
    """The table, if this person may look at it. Raises NotFound, NotAllowed."""
    table = store.refresh(table_id)
    table_access.enter(table, player_id(request), request.session)
    seat_roles.read_organisers(table)
    return table


@require_safe
def join(request: HttpRequest, token: str) -> HttpResponse:
    """The invitation's link: from now on this session may see the table. `?ply=`: it leads to a moment of the game."""
    table_id = models.Table.objects.filter(invite=token).values_list("pk", flat=True).first()
    if table_id is None:
        raise NotFound("This invitation is not valid. Check that the link is complete, or ask for a new one.")
    remember_invitation(request.session, table_id)
    if "ply" in request.GET:
        return redirect(f"{reverse('replay', args=[table_id])}?{request.GET.urlencode()}")
    return redirect("table", table_id)


@require_safe
def show_table(request: HttpRequest, table_id: str) -> HttpResponse:
    """The table's page: waiting room, game or result. A player who was away is back."""
    find_table(request, table_id)
    return render_table_page(request, sitting.return_to_table(table_id, player_id(request), now=time.time()))


def render_table_page(request: HttpRequest, table: LoadedTable, *, status: int = 200) -> HttpResponse:
    """The page of a table as it is."""
    rendered = _render(table)
    table = rendered.table  # perhaps newer, with other people on the chairs
    me = player_id(request)
    seat = table.seat_of(me)
    may_become_host = seat is not None and table.runtime.arranged is None
    context: dict[str, Any] = {
        "table": table,
        "game": GAMES[table.rules.slug],
        "seat": seat,
        "is_host": seat is not None and me == table.host_id,
        "has_bell": may_become_host and table.status != OVER and _ends_by_bell(table),
        "screen": find_presenter(table.rules.slug),
        "board": mark_safe(rendered.render_board(seat, now=time.time())),  # noqa: S308 - rendered by our own autoescaping templates
        "words": rendered.presenter.words(rendered.screen) | say_connection_limits(),
        "around": mark_safe(rendered.render_above(seat)),  # noqa: S308 - as the board
        "below": mark_safe(rendered.render_below()),  # noqa: S308 - as the board
        "ways": mark_safe(rendered.render_ways(seat)),  # noqa: S308 - as the board
        "deal": mark_safe(rendered.render_deal(seat)),  # noqa: S308 - as the board
        "home": table.runtime.arranged.home if table.runtime.arranged else "",
    }
    if seat is not None and request.GET.get("first") == "1":
        context["words"] |= {"guide": list_guide_tips(table.rules.slug)}
    if table.status == WAITING and table.runtime.arranged is None and me != table.host_id:
        context["lesson"] = lessons.find_offer(me, table.rules.slug)
    if table.is_over_days and seat is not None and me is not None:
        context["days"] = _describe_days(table, rendered, seat, me)
    if table.talk != permissions.NO_TALK:
        context |= {
            "talk": {
                "url": reverse("talk", args=[table.id]),
                "heard": talk_messages.read_talk(table, me),
                "phrases": list(PHRASES.items()),
                "is_free": table.talk == permissions.FREE_TALK,
                "can_clear": permissions.is_in_charge(table, me, is_staff=request.user.is_staff),
                "may_clear": may_become_host,
            }
        }
    if table.status == WAITING and table.runtime.arranged is None:
        invite_url = address_of(request, "join", table.invite)
        context |= {"invite_url": invite_url, "qr_svg": _render_qr(invite_url), "free_chairs": table.free_chairs()}
    return _forbid_caching(render(request, "tables/table.html", context, status=status))


def _describe_days(table: LoadedTable, rendered: RenderedTable, seat: Seat, me: int) -> dict[str, Any]:
    """What a player of a game over days finds besides the board: news, their note, and where they go next."""
    mark = marks.read_mark(table.id, me)
    news: list[str] = []
    if table.state is not None and mark.seen_ply < table.ply:
        news = rendered.presenter.log_lines(rendered.screen, rendered.view, seat, mark.seen_ply)
    return {
        "note": mark.note,
        "most_note": marks.MAX_NOTE,
        "news": mark_safe("".join(news[-SHOWN_NEWS:])),  # noqa: S308 - as the board
        "ply": table.ply,
        "next": find_next_table(me, after=table.id),
    }


def _ends_by_bell(table: LoadedTable) -> bool:
    """Whether the host's bell is a way to end: minutes are agreed, or the game has no agreed length at all."""
    return "minutes" in table.options or all(option.name != "minutes" for option in table.rules.options)


def _render(table: LoadedTable) -> RenderedTable:
    return render_table(table, get_language() or "en")


def _render_qr(url: str) -> str:
    svg = segno.make(url, error="m").svg_inline(scale=4, border=2, svgclass="qr-code", lineclass=None, omitsize=True)
    return mark_safe(svg)  # noqa: S308 - made by the QR library from our own address


@require_safe
def show_board(request: HttpRequest, table_id: str) -> HttpResponse:
    """The board alone, for browsers whose socket fails. 204 where it is the one that is shown (`?version=`), and still
    for who reads it (`?seat=`, empty for a spectator): a browser that was signed out keeps no hand."""
    me = player_id(request)
    table = sitting.note_viewing(find_table(request, table_id), me, now=time.time())
    if request.GET.get("version") == str(table.version) and _is_for(request.GET.get("seat"), table.seat_of(me)):
        return _forbid_caching(HttpResponse(status=204))
    rendered = _render(table)
    seat = rendered.table.seat_of(me)
    return _forbid_caching(HttpResponse(rendered.render_update(None, seat, now=time.time())))


def _is_for(shown: str | None, seat: Seat | None) -> bool:
    """Whether a board that is shown for this seat is this reader's; without a word of it, it is."""
    return shown is None or shown == ("" if seat is None else str(seat))


@require_safe
def view_json(request: HttpRequest, table_id: str) -> HttpResponse:
    """The reader's view of the table, and their legal moves, as JSON for programs."""
    me = player_id(request)
    table = sitting.note_viewing(find_table(request, table_id), me, now=time.time())
    return _forbid_caching(JsonAnswer(describe(table, me)))


@require_safe
def show_log(request: HttpRequest, table_id: str) -> HttpResponse:
    """What has happened, as far as this person may know it: for people a page of a deal (`?deal=`, `?page=`), for
    programs all events."""
    table = find_table(request, table_id)
    if wants_json(request):
        return _forbid_caching(JsonAnswer(describe_log(table, player_id(request))))
    rendered = _render(table)
    table, seat = rendered.table, rendered.table.seat_of(player_id(request))
    stretch = read_log_page(table, deal=_read_number(request, "deal"), page=_read_number(request, "page") or 1)
    lines = rendered.presenter.log_lines(rendered.screen_with_log(stretch.lines), rendered.view, seat, BEFORE_FIRST_PLY)
    context = {
        "table": table,
        "game": GAMES[table.rules.slug],
        "stretch": stretch,
        "lines": mark_safe("".join(lines)),  # noqa: S308 - rendered by our own autoescaping templates
        "styles": find_presenter(table.rules.slug).STYLES,
        "earlier": _link_page(table, stretch, by=-1),
        "later": _link_page(table, stretch, by=1),
    }
    return _forbid_caching(render(request, "tables/log.html", context))


def _read_number(request: HttpRequest, name: str) -> int | None:
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else None


def _link_page(table: LoadedTable, stretch: LogPage, *, by: int) -> str:
    """The query of the page before (-1) or after this one (1); empty where there is none."""
    deal, page = stretch.deal, stretch.page + by
    if not 1 <= page <= stretch.pages:
        deal, page = deal + by, 1
        if not 1 <= deal <= stretch.deals:
            return ""
        if by < 0:
            page = read_log_page(table, deal=deal).pages
    return f"deal={deal}&page={page}"


@require_safe
def download_record(request: HttpRequest, table_id: str) -> HttpResponse:
    """The record of a finished game: anybody can replay and verify it. Raises NotAllowed before the end."""
    table = find_table(request, table_id)
    permissions.require_finished(table)
    response = HttpResponse(to_text(game_record.export(table)), content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{table.rules.slug}-{table.id}.json"'
    return unless_known(request, response)


def _forbid_caching(response: HttpResponse) -> HttpResponse:
    """The response with a header that forbids caching."""
    response["Cache-Control"] = "no-store"
    return response
