"""A person's tables, most urgent first: the list, the way to the next one, notes, news, and holidays."""

from __future__ import annotations

import time
from datetime import date

from django.contrib import messages as notes
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.accounts.current_player import player_id, player_of
from games.models import Holiday, Player
from games.play.days import holidays
from games.play.days.awaited_turns import find_next_table
from games.play.errors import BadInput, NotAllowed
from games.play.sentences import say_sentence
from games.play.storage import marks
from games.views.lobby import ASIDE, FINISHED, OPEN, WAITS_FOR_ME, list_mine
from games.views.tables import find_table


def _require_player(request: HttpRequest) -> Player:
    player = player_of(request)
    if player is None:
        raise NotAllowed("Choose a name first. Then your tables appear here.")
    return player


@never_cache
@require_safe
def show_my_tables(request: HttpRequest) -> HttpResponse:
    """All my tables: what waits for me first, by its deadline. Raises NotAllowed."""
    player, now = _require_player(request), time.time()
    rows = list_mine(player)
    titles = {WAITS_FOR_ME: _("Waiting for you"), OPEN: _("Waiting for others")}
    groups = [(title, [row for row in rows if row["kind"] == kind]) for kind, title in titles.items()]
    groups.append((_("Paused or finished"), [row for row in rows if row["kind"] in (ASIDE, FINISHED)]))
    context = {
        "groups": groups,
        "has_tables": bool(rows),
        "on_holiday": any(holiday.since <= now for holiday in holidays.list_coming(player.pk, now=now)),
    }
    return render(request, "tables/my_tables.html", context)


@never_cache
@require_safe
def go_to_next(request: HttpRequest) -> HttpResponse:
    """Redirect to the next table after `?after=` that waits for this player, or to their tables. Raises NotAllowed."""
    found = find_next_table(_require_player(request).pk, after=request.GET.get("after", ""))
    return redirect("table", found) if found else redirect("my_tables")


@require_POST
def save_note(request: HttpRequest, table_id: str) -> HttpResponse:
    """Save the reader's note at this table. Raises NotAllowed, BadInput."""
    marks.save_note(find_table(request, table_id), player_id(request), request.POST.get("note", ""))
    notes.success(request, _("Saved."))
    return redirect("table", table_id)


@require_POST
def note_seen(request: HttpRequest, table_id: str) -> HttpResponse:
    """Mark the game as seen up to `ply`. Raises NotAllowed, BadInput."""
    ply = request.POST.get("ply", "")
    if not ply.isascii() or not ply.isdigit() or len(ply) > 9:
        raise BadInput("The number of a move must be a whole number.")
    marks.note_seen(find_table(request, table_id), player_id(request), int(ply))
    return redirect("table", table_id)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show_holidays(request: HttpRequest) -> HttpResponse:
    """My holidays: plan one (`first`, `last`), or end one (`end`). Raises NotAllowed, NotFound."""
    player, now, error = _require_player(request), time.time(), ""
    if request.method == "POST":
        try:
            _change_holidays(request, player, now=now)
        except BadInput as refusal:
            error = say_sentence(refusal)
        else:
            notes.success(request, _("Saved."))
            return redirect("holidays")
    today = timezone.localdate()
    planned = list(Holiday.objects.filter(player=player))
    years = [
        (year, holidays.DAYS_PER_YEAR - holidays.count_days(planned, year)) for year in (today.year, today.year + 1)
    ]
    context = {
        "holidays": holidays.list_coming(player.pk, now=now),
        "years": [(str(year), left) for year, left in years],
        "now": now,
        "today": today.isoformat(),
        "error": error,
        "first": request.POST.get("first", ""),
        "last": request.POST.get("last", ""),
    }
    return render(request, "me/holidays.html", context, status=422 if error else 200)


def _change_holidays(request: HttpRequest, player: Player, *, now: float) -> None:
    zone = timezone.get_current_timezone()
    if ended := request.POST.get("end", ""):
        if not ended.isascii() or not ended.isdigit() or len(ended) > 18:
            raise BadInput("Choose a holiday from the list.")
        holidays.end_holiday(player.pk, int(ended), zone=zone, now=now)
        return
    first, last = (_read_day(request.POST.get(name, "")) for name in ("first", "last"))
    holidays.plan_holiday(player.pk, first, last, zone=zone, now=now)


def _read_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise BadInput("Enter both days of the holiday.") from error
