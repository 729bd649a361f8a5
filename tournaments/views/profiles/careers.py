"""Careers in words and charts: the latest deals on a profile, all of them on a page of their own."""

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
from games.models.texts import say_percent
from games.play.errors import BadInput
from games.presenters.names import RANKS, chair_of, name_game, name_rank
from tournaments.careers.chart import HEIGHT, NARROW_DEALS, NARROW_WIDTH, WIDTH, ChartDeal, render_ranks
from tournaments.flow.profiles import queries
from tournaments.flow.profiles.queries import Career, Deal
from tournaments.views.fragments import render_fragment
from tournaments.words.terms import Text

DAY_SECONDS = 86_400


def describe_career(career: Career) -> dict[str, Any]:
    """A career as the template reads it: figures, charts and words."""
    ladder = list(RANKS.get(career.game) or [job for job, _, _ in career.shares])
    names = {job: name_rank(career.game, job) for job, _, _ in career.shares}
    latest = ngettext_lazy(
        "Job in the latest %(count)s deal. The list below shows it as text.",
        "Jobs in the latest %(count)s deals, with the top job at the top. The list below shows them as text.",
        "count",
    )
    return {
        "game": career.game,
        "name": name_game(career.game),
        "record": career.record,
        "is_reign_kept": career.is_reign_kept,
        "has_kept": any(deal.is_kept for deal in career.entries),
        "shares": render_fragment(
            "shares",
            [
                (names[job], chair_of(career.game, job), round(200 * share, 1), say_percent(100 * share), deals)
                for job, deals, share in career.shares
            ],
        ),
        "rivals": career.rivals,
        "timelines": [
            ("wide", _render_timeline(career.stops, WIDTH, latest)),
            ("narrow", _render_timeline(career.stops[-NARROW_DEALS:], NARROW_WIDTH, latest)),
        ],
        "words": _render_deals(career.game, career.entries),
        "sizes": [("wide", len(career.stops)), ("narrow", min(len(career.stops), NARROW_DEALS))],
        "top": name_rank(career.game, ladder[0]),
        "bottom": name_rank(career.game, ladder[-1]),
    }


def _render_timeline(stops: Sequence[ChartDeal], width: int, sentence: Text) -> str:
    picture, text = render_ranks(stops, width=width), sentence % {"count": len(stops)}
    return render_fragment("timeline", picture=picture, width=width, height=HEIGHT, sentence=text)


def _render_deals(game: str, deals: Sequence[Deal]) -> str:
    """A list of deals by table, in words."""
    names = {job: name_rank(game, job) for job in {deal.job for deal in deals}}
    tables = [list(group) for _table, group in groupby(deals, key=attrgetter("table"))]
    kept = _("%(job)s until the game ended")
    jobs_by_table = [
        [kept % {"job": names[deal.job]} if deal.is_kept else names[deal.job] for deal in table] for table in tables
    ]
    return render_fragment(
        "words", [(say_day(one[0].at), jobs) for one, jobs in zip(tables, jobs_by_table, strict=True)]
    )


def say_day(at: float) -> str:
    """A day as text, its month in letters, as 3/4 is ambiguous in English. at: seconds since 1970."""
    return _name_day(int(at // DAY_SECONDS), get_language() or "")


@lru_cache(maxsize=4096)
def _name_day(day: int, _language: str) -> str:
    """Cached, as a page names the same few days many times. day: days since 1970."""
    return date_format(datetime.fromtimestamp(day * DAY_SECONDS, tz=UTC), "DATE_FORMAT")


@require_safe
def show_career(request: HttpRequest, person: int, game: str) -> HttpResponse:
    """A career deal by deal, the latest first (`?page=`, from 1). Raises NotFound, NotAllowed, BadInput."""
    player = queries.find_person(person, player_id(request))
    page = queries.list_deals(player, game, _read_page(request.GET.get("page", "1")))
    strips = [page.deals[start : start + NARROW_DEALS] for start in range(0, len(page.deals), NARROW_DEALS)]
    ladder = list(RANKS[game])
    context = {
        "person": player,
        "name": name_game(game),
        "page": page,
        "strips": [_describe_strip(game, strip) for strip in reversed(strips)],
        "top": name_rank(game, ladder[0]),
        "bottom": name_rank(game, ladder[-1]),
    }
    return render(request, "people/deals.html", context)


def _describe_strip(game: str, deals: Sequence[Deal]) -> dict[str, Any]:
    sentence = ngettext_lazy(
        "Job in %(count)s deal. The list below shows it as text.",
        "Jobs in %(count)s deals, with the top job at the top. The list below shows them as text.",
        "count",
    )
    days = [say_day(deals[0].at), say_day(deals[-1].at)]
    return {
        "when": " – ".join(dict.fromkeys(days)),
        "picture": _render_timeline(
            [ChartDeal(deal.table, deal.rank, deal.of, deal.is_last) for deal in deals], NARROW_WIDTH, sentence
        ),
        "words": _render_deals(game, deals),
    }


def _read_page(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text)):
        raise BadInput("This page does not exist. Page numbers are whole numbers from 1.")
    return int(text)
