"""The moderation page of a club: reports, silenced and banned people, and the log, with buttons for actions."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.contrib import messages as notes
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.accounts.current_player import player_of
from games.live import talk_messages
from games.models import Player, spelling
from games.play.errors import BadInput
from games.presenters.names import isolate
from tournaments.flow.clubs import club_reports, club_talk, moderation
from tournaments.flow.permissions import require_organiser
from tournaments.models import Club, Membership, ModerationStep, Role
from tournaments.views.lookups import disable_caching, find_club, read_int, read_search, run_action
from tournaments.words.moderation_words import say_step

Act = Callable[[Club, Player | None, HttpRequest, float], None]


SEARCHED_PAGES = 40
"""Pages of the log that one search looks at."""


class ModerationLine(NamedTuple):
    """A step as it is shown."""

    number: int
    at: datetime
    who: str
    what: str
    undone_by: str
    is_undone: bool


@require_safe
def show(request: HttpRequest, slug: str) -> HttpResponse:
    """The page of organisers. Raises NotFound, NotAllowed."""
    club, role = find_club(request, slug)
    player = player_of(request)
    require_organiser(club, player)
    now, reader = time.time(), player.pk if player else 0
    before, wanted = read_int(request.GET.get("before", "0")) or None, read_search(request)
    steps, older = _find_steps(club, wanted, before)
    context = {
        "club": club,
        "role": role,
        "reports": [_describe_report(reported_remark) for reported_remark in club_reports.list_open(club, reader)],
        "silenced": [
            (membership, datetime.fromtimestamp(membership.silenced_until or 0, UTC))
            for membership in moderation.list_silenced(club, now=now)
        ],
        "kept_out": moderation.list_kept_out(club),
        "hours": list(zip(moderation.HOURS, (_("1 hour"), _("1 day"), _("7 days")), strict=True)),
        "members": (members := _list_members(club, role, reader)),
        "guests": [
            membership for membership in members if membership.player.user_id is None and not membership.player.is_bot
        ],
        "steps": steps,
        "older": older,
        "wanted": wanted,
        "search": f"&{urlencode({'q': wanted})}" if wanted else "",
        "is_paged": bool(wanted or before or older),
    }
    return disable_caching(render(request, "clubs/moderation.html", context))


def _list_members(club: Club, role: Role | None, reader: int) -> list[Membership]:
    """The members whom the reader may moderate."""
    rows = Membership.objects.filter(club=club).exclude(player=reader).select_related("player")
    rows = rows if role == Role.OWNER else rows.filter(role=Role.MEMBER)
    return list(rows.order_by("player__name")[: moderation.MAX_OFFERED])


def _describe_report(one: club_reports.ReportedRemark) -> dict[str, Any]:
    around = talk_messages.write_all(one.around)
    return {
        "message": one,
        "key": f"{'table' if one.table else 'club'}-{one.remark_id}",
        "around": [(remark, remark.number == one.number) for remark in around],
        "at": datetime.fromtimestamp(one.at, UTC),
    }


def _find_steps(club: Club, wanted: str, before: int | None) -> tuple[list[ModerationLine], int | None]:
    """A page of the log, the newest first, and before which step it goes on; None at its beginning.

    wanted: only steps whose line has words that begin like these. One request looks at `SEARCHED_PAGES` pages.
    """
    found: list[ModerationLine] = []
    for _page in range(SEARCHED_PAGES if wanted else 1):
        rows = moderation.list_steps(club, before=before)
        for step in rows[: moderation.SHOWN]:
            line = _describe_step(step)
            before = step.pk
            if not wanted or spelling.mentions(wanted, f"{line.who} {line.what}"):
                found.append(line)
                if len(found) == moderation.SHOWN:
                    return found, before if len(rows) > moderation.SHOWN or step is not rows[-1] else None
        if len(rows) <= moderation.SHOWN:
            return found, None
    return found, before


def _describe_step(step: ModerationStep) -> ModerationLine:
    return ModerationLine(
        step.pk,
        datetime.fromtimestamp(step.at, UTC),
        isolate(step.name_person(step.actor)) if step.actor else _("Administrator"),
        say_step(step),
        isolate(step.name_person(step.undone_by)) if step.undone_by else "",
        step.undone_at is not None,
    )


@require_POST
def act(request: HttpRequest, slug: str) -> HttpResponse:
    """Carry out the button's action (`action`). Raises BadInput, NotFound."""
    club, _role = find_club(request, slug)
    action = ACTS.get(request.POST.get("action", ""))
    if action is None:
        raise BadInput("There is no such button here. Reload the page.")
    player, now = player_of(request), time.time()
    part = request.POST.get("part", "")
    back = reverse("tournaments:moderation", args=[club.slug]) + (f"#{part}" if part in PARTS else "")

    def run() -> None:
        action(club, player, request, now)
        if request.POST["action"] not in (*UNDOING, "undo"):
            notes.success(request, _("Done. You can undo this in the log below."))

    return run_action(request, run, back=back)


UNDOING = ("let-in", "open")
"""Actions that undo another one."""


PARTS = ("reports", "chat", "people", "log")
"""Ids on the page, to which one comes back."""


def _read_number(request: HttpRequest, name: str) -> int:
    return read_int(request.POST.get(name))


def _hide(club: Club, player: Player | None, request: HttpRequest, now: float) -> None:
    if request.POST.get("table"):
        moderation.hide_table_remark(club, player, _read_number(request, "remark"), now=now)
    else:
        moderation.hide_remark(club, player, _read_number(request, "number"), now=now)


def _settle_reports(club: Club, player: Player | None, request: HttpRequest, now: float) -> None:
    is_at_table = bool(request.POST.get("table"))
    moderation.settle_reports(club, player, _read_number(request, "remark"), is_at_table=is_at_table, now=now)


def _silence(club: Club, player: Player | None, request: HttpRequest, now: float) -> None:
    hours = _read_number(request, "hours")
    moderation.silence(club, player, _read_number(request, "player"), hours=hours, now=now)


def _remove(club: Club, player: Player | None, request: HttpRequest, now: float) -> None:
    moderation.remove(club, player, _read_number(request, "player"), is_kept_out=False, now=now)


def _keep_out(club: Club, player: Player | None, request: HttpRequest, now: float) -> None:
    moderation.remove(club, player, _read_number(request, "player"), is_kept_out=True, now=now)


def _let_in(club: Club, player: Player | None, request: HttpRequest, now: float) -> None:
    moderation.let_in(club, player, _read_number(request, "player"), now=now)


ACTS: dict[str, Act] = {
    "hide": _hide,
    "settle": _settle_reports,
    "silence": _silence,
    "remove": _remove,
    "keep-out": _keep_out,
    "let-in": _let_in,
    "close": lambda club, player, _request, now: moderation.close_chat(club, player, now=now),
    "open": lambda club, player, _request, now: moderation.open_chat(club, player, now=now),
    "clear": lambda club, player, _request, now: club_talk.clear(club, player, now=now),
    "undo": lambda club, player, request, now: moderation.undo(club, player, _read_number(request, "step"), now=now),
}
