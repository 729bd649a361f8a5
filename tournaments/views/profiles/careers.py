"""Careers in words and as pictures: on a profile the latest deals, on a page of their own all of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.formats import date_format
from django.utils.translation import get_language, ngettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.accounts.current_player import player_id
from games.play.errors import BadInput
from games.presenters.names import RANKS, chair_of, name_game, name_rank
from tournaments.careers.chart import HEIGHT, NARROW_DEALS, NARROW_WIDTH, WIDTH, ChartDeal, render_ranks
from tournaments.flow.profiles import queries
from tournaments.flow.profiles.queries import Career, Deal
from tournaments.views.fragments import fragment
from tournaments.words.terms import Text

DAY_SECONDS = 86_400


def describe_career(career: Career) -> dict[str, Any]:
    """A career as the template shows it, in words and as a picture."""
    ladder = list(RANKS.get(career.game) or [job for job, _, _ in career.shares])
    names = {job: name_rank(career.game, job) for job, _, _ in career.shares}
    latest = ngettext_lazy(
        "The job of the latest %(count)s deal; the list below says it in words.",
        "The jobs of the latest %(count)s deals, the top at the top; the list below says them in words.",
        "count",
    )
    return {
        "game": career.game,
        "name": name_game(career.game),
        "record": career.record,
        "is_reign_kept": career.is_reign_kept,
        "has_kept": any(deal.is_kept for deal in career.entries),
        "shares": fragment(
            "shares",
            [
                (names[job], chair_of(career.game, job), round(200 * share, 1), round(100 * share), deals)
                for job, deals, share in career.shares
            ],
        ),
        "rivals": career.rivals,
        "timelines": [
            ("wide", _draw_timeline(career.stops, WIDTH, latest)),
            ("narrow", _draw_timeline(career.stops[-NARROW_DEALS:], NARROW_WIDTH, latest)),
        ],
        "words": _tell(career.game, career.entries),
        "sizes": [("wide", len(career.stops)), ("narrow", min(len(career.stops), NARROW_DEALS))],
        "top": name_rank(career.game, ladder[0]),
        "bottom": name_rank(career.game, ladder[-1]),
    }


def _draw_timeline(stops: Sequence[ChartDeal], width: int, sentence: Text) -> str:
    picture = render_ranks(stops, width=width)
    return fragment("timeline", picture=picture, width=width, height=HEIGHT, sentence=sentence % {"count": len(stops)})


def _tell(game: str, deals: Sequence[Deal]) -> str:
    """These deals, table by table."""
    names = {job: name_rank(game, job) for job in {deal.job for deal in deals}}
    tables = [list(group) for _table, group in groupby(deals, key=attrgetter("table"))]
    kept = _("%(job)s until the game ended")
    told = [[kept % {"job": names[deal.job]} if deal.is_kept else names[deal.job] for deal in one] for one in tables]
    return fragment("words", [(day_of(one[0].at), jobs) for one, jobs in zip(tables, told, strict=True)])


def day_of(at: float) -> str:
    """With the month in letters: 3/4 is two different days for two English readers."""
    return _name_day(int(at // DAY_SECONDS), get_language() or "")


@lru_cache(maxsize=4096)
def _name_day(day: int, _language: str) -> str:
    """A page names the same few days a hundred times. day: since 1970."""
    return date_format(datetime.fromtimestamp(day * DAY_SECONDS, tz=UTC), "DATE_FORMAT")


@require_safe
def show_career(request: HttpRequest, person: int, game: str) -> HttpResponse:
    """A whole career deal by deal, the latest first: `?page=` counts from 1. Raises NotFound, NotAllowed, BadInput."""
    player = queries.find_person(person, player_id(request))
    page = queries.list_deals(player, game, _read_page(request.GET.get("page", "1")))
    strips = [page.deals[start : start + NARROW_DEALS] for start in range(0, len(page.deals), NARROW_DEALS)]
    ladder = list(RANKS[game])
    context = {
        "person": player,
        "name": name_game(game),
        "page": page,
        "strips": [_draw_strip(game, strip) for strip in reversed(strips)],
        "top": name_rank(game, ladder[0]),
        "bottom": name_rank(game, ladder[-1]),
    }
    return render(request, "people/deals.html", context)


def _draw_strip(game: str, deals: Sequence[Deal]) -> dict[str, Any]:
    sentence = ngettext_lazy(
        "The job of %(count)s deal; the list below says it in words.",
        "The jobs of %(count)s deals, the top at the top; the list below says them in words.",
        "count",
    )
    days = [day_of(deals[0].at), day_of(deals[-1].at)]
    return {
        "when": " – ".join(dict.fromkeys(days)),
        "picture": _draw_timeline(
            [ChartDeal(deal.table, deal.rank, deal.of, deal.is_last) for deal in deals], NARROW_WIDTH, sentence
        ),
        "words": _tell(game, deals),
    }


def _read_page(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text)):
        raise BadInput("A page is a number, counted from 1.")
    return int(text)
