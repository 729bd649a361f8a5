"""The pages of a person: profile, head-to-head, a year in review; the records of a club; the data export."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy, pgettext
from django.views.decorators.http import require_http_methods, require_safe

from games.accounts import rate_limits
from games.accounts.current_player import player_id, player_of
from games.models import Player
from games.models.texts import say_percent
from games.play.errors import NotAllowed, NotFound, TooFast
from games.play.records import analyses
from games.presenters.names import name_game
from tournaments.careers.chart import HEIGHT, WIDTH, render_rating
from tournaments.flow.archive import export_jobs
from tournaments.flow.archive.person_export import export_person
from tournaments.flow.clubs import club_records
from tournaments.flow.clubs.club_records import GameRecords
from tournaments.flow.profiles import head_to_head, leaderboards, queries, year_review
from tournaments.flow.profiles.leaderboards import SEASONS
from tournaments.flow.profiles.queries import GameSum
from tournaments.models import BackgroundJob
from tournaments.views.archive import job_progress
from tournaments.views.fragments import render_fragment
from tournaments.views.profiles.activity import describe_activity
from tournaments.views.profiles.careers import describe_career, say_day
from tournaments.views.profiles.game_history import describe_tables
from tournaments.views.tournament_lists import ListedTournament, render_list
from tournaments.words.terms import FEATS, name_deals, name_feat

LONGEST_NAME = 24
BALANCE_WIDTH = 200
"""Width of the bar of a head-to-head, in units of its SVG."""
MAX_ANALYSES = 100
"""Analysed games in the chart of a profile."""
FEW_POINTS = 20
"""Points of a chart up to which it shows that the middle of an even number is between two of them."""
MONTH_BAR_HEIGHT = 90
"""Height of the highest bar of a year in review, in pixels."""


@require_safe
def show_profile(request: HttpRequest, person: int) -> HttpResponse:
    """A profile: ratings, careers, games. Raises NotFound, NotAllowed."""
    reader = player_id(request)
    player = queries.find_person(person, reader)
    standings = queries.list_standings(player)
    rated = request.GET.get("rating", "")
    if rated not in (standing.game for standing in standings):
        rated = ""
    totals = queries.list_totals(player)
    games = queries.sum_games(totals)
    context = {
        "person": player,
        "is_me": player.pk == reader,
        "standings": [
            (name_game(standing.game) if standing.game else _("All games"), standing) for standing in standings
        ],
        "in_play": [(table, name_game(game)) for table, game in queries.list_tables_in_play(player)],
        "rated": rated,
        "rated_name": name_game(rated) if rated else _("All games"),
        "history": _describe_rating_history(player, rated),
        "activity": describe_activity(player, now=time.time()),
        "wins": [(win, name_game(win.game), _short_day(win.ended_at)) for win in queries.list_best_wins(player)],
        "losses": _describe_losses(player) if player.pk == reader else None,
        "careers": [describe_career(career) for career in queries.find_careers(player, totals)],
        "games": [row._asdict() | {"name": name_game(row.game)} for row in games],
        "feats": _list_feats(games),
        "latest": describe_tables(player, queries.list_latest(player)),
        "years": queries.list_years(player),
        "clubs": queries.list_clubs(player, reader),
        "tournaments": render_list(queries.query_tournaments(player, reader).values_list(*ListedTournament._fields)),
    }
    return render(request, "people/profile.html", context)


def _describe_rating_history(player: Player, game: str) -> dict[str, Any] | None:
    """The chart of a rating over time, of all games if `game` is empty; None before the second table."""
    before, changes, is_whole = queries.list_rating_history(player, game)
    if len(changes) < 2:
        return None
    ratings = [before, *(rating for _, rating in changes)]
    numbers, spreads = [rating.number for rating in ratings], [rating.spread for rating in ratings]
    of_all = ngettext_lazy(
        "From %(first)s to %(last)s over %(count)s rated table. Lowest %(low)s, highest %(high)s.",
        "From %(first)s to %(last)s over %(count)s rated tables. Lowest %(low)s, highest %(high)s.",
        "count",
    )
    of_latest = ngettext_lazy(
        "From %(first)s to %(last)s over the latest %(count)s rated table. Lowest %(low)s, highest %(high)s.",
        "From %(first)s to %(last)s over the latest %(count)s rated tables. Lowest %(low)s, highest %(high)s.",
        "count",
    )
    band = render_rating(numbers, spreads)
    labels = [f"{say_day(at)}: {rating.number} ± {rating.spread}" for at, rating in changes]
    return {
        "band": band,
        "spots": _place_spots(band.line.split()[1:], labels),
        "size": (WIDTH, HEIGHT),
        "days": _list_axis_days([at for at, _ in changes]),
        "words": render_fragment(
            "words", [(say_day(at), [f"{rating.number} ± {rating.spread}"]) for at, rating in changes]
        ),
        "sentence": (of_all if is_whole else of_latest)
        % {
            "first": numbers[0],
            "last": numbers[-1],
            "count": len(changes),
            "low": min(numbers),
            "high": max(numbers),
        },
    }


def _place_spots(points: Sequence[str], labels: Sequence[str]) -> list[tuple[str, str, str]]:
    """What is shown under a pointer: x and y of each point "x,y" of a line, and the words."""
    return [(*point.split(",", 1), words) for point, words in zip(points, labels, strict=True)]  # type: ignore[misc]


def _describe_losses(player: Player) -> dict[str, Any] | None:
    """The chart of the loss per decision over analysed games; None before the second one."""
    found = analyses.list_of_person(player.pk, most=MAX_ANALYSES)
    if len(found) < 2:
        return None
    percents = [100 * row.average_loss for row in found]
    highest = max(1.0, *percents)
    step = WIDTH / (len(found) - 1)
    points = [f"{round(step * at, 1)},{round(HEIGHT * (1 - value / highest), 1)}" for at, value in enumerate(percents)]
    losses = [say_percent(percent, decimals=1) for percent in percents]
    lost = sum(percent * row.decisions for percent, row in zip(percents, found, strict=True))
    mean = say_percent(lost / sum(row.decisions for row in found), decimals=1)
    return {
        "size": (WIDTH, HEIGHT),
        "line": " ".join(points),
        "spots": _place_spots(points, [f"{say_day(one.at)}: {loss}" for one, loss in zip(found, losses, strict=True)]),
        "high": say_percent(highest, decimals=1),
        "low": say_percent(0),
        "days": _list_axis_days([one.at for one in found]),
        "sentence": _("Analysed games: %(count)s. Mean loss per decision: %(mean)s. Latest: %(last)s.")
        % {"count": len(found), "mean": mean, "last": losses[-1]},
        "rows": [
            (say_day(one.at), name_game(one.game), loss, reverse("analysis", args=[one.table_id]))
            for one, loss in zip(found, losses, strict=True)
        ],
    }


def _list_feats(games: Sequence[GameSum]) -> list[tuple[Any, str, str]]:
    """The best feat in each game that has them: its name, its amount in words, the game's name."""
    return [
        (FEATS[row.game], name_feat(row.game, row.feat), str(name_game(row.game)))
        for row in games
        if row.feat is not None and row.game in FEATS
    ]


def _list_axis_days(times: Sequence[float]) -> list[str]:
    """What stands under a chart whose points are as far apart as each other: the first day, the middle one, the last.

    times: seconds since 1970, at least two. A few times have a middle one only if their number is odd.
    """
    has_middle = len(times) % 2 or len(times) > FEW_POINTS
    shown = (times[0], times[(len(times) - 1) // 2], times[-1]) if has_middle else (times[0], times[-1])
    return [_short_day(at) for at in shown]


def _short_day(at: float) -> str:
    """A short date, of which three fit under a chart on a phone. at: seconds since 1970."""
    return date_format(datetime.fromtimestamp(at, tz=UTC), pgettext("a short day with its month in letters", "j M Y"))


@require_safe
def choose_rival(request: HttpRequest, person: int) -> HttpResponse:
    """Choose an opponent for a head-to-head: by the start of a name (`?q=`), else from recent opponents.

    Raises NotFound, NotAllowed.
    """
    player = queries.find_person(person, player_id(request))
    wanted = " ".join(request.GET.get("q", "").split())[:LONGEST_NAME]
    rivals = head_to_head.search_rivals(player, wanted) if wanted else head_to_head.list_met(player)
    context = {"person": player, "wanted": wanted, "rivals": rivals, "most": head_to_head.FOUND}
    return render(request, "people/rivals.html", context)


@require_safe
def show_duel(request: HttpRequest, person: int, other: int) -> HttpResponse:
    """Two people at the same tables. Raises NotFound, NotAllowed."""
    reader = player_id(request)
    player, rival = queries.find_person(person, reader), queries.find_person(other, reader)
    if player == rival:
        raise NotFound("You cannot compare a person with themselves. Choose another person.")
    duel = head_to_head.compare(player, rival)
    latest = [
        {"name": name_game(game), "day": say_day(at), "mine": mine, "theirs": theirs}
        for game, at, mine, theirs in duel.latest
    ]
    share = BALANCE_WIDTH / max(1, duel.tables)
    balance = {name: f"{width:g}" for name, width in (
        ("mine", duel.ahead * share), ("at", (duel.ahead + duel.level) * share), ("theirs", duel.behind * share)
    )}  # fmt: skip
    context = {"person": player, "rival": rival, "duel": duel, "latest": latest, "balance": balance}
    return render(request, "people/duel.html", context)


@require_safe
def show_year(request: HttpRequest, person: int, year: int) -> HttpResponse:
    """A year in review. Raises NotFound, NotAllowed."""
    player = queries.find_person(person, player_id(request))
    if year not in SEASONS:
        raise NotFound("The year is not valid. Use a year such as 2026.")
    review = year_review.review(player, year)
    most = max(1, *review.months)
    months = [
        {"name": date_format(datetime(year, number, 1), "F"), "short": date_format(datetime(year, number, 1), "M"),  # noqa: DTZ001
         "tables": tables, "x": 10 + (number - 1) * 59, "near": 6 + (number - 1) * 29,
         "height": round(MONTH_BAR_HEIGHT * tables / most, 1),
         "y": round(MONTH_BAR_HEIGHT + 10 - MONTH_BAR_HEIGHT * tables / most, 1)}
        for number, tables in enumerate(review.months, start=1)
    ]  # fmt: skip
    context = {
        "person": player,
        "year": year,
        "review": review,
        "gain": "" if review.gain is None else f"{review.gain:+}".replace("-", "−"),
        "months": render_fragment("months", months),
        "games": [row._asdict() | {"name": name_game(row.game)} for row in review.games],
        "feats": _list_feats(review.games),
        "careers": [describe_career(career) for career in review.careers],
    }
    return render(request, "people/year.html", context)


@require_safe
def show_club_records(request: HttpRequest, slug: str) -> HttpResponse:
    """The achievements of a club: leaderboard, seasons, records, evenings. Raises NotFound."""
    club = leaderboards.find_club(slug, player_id(request))
    if club is None:
        raise NotFound("This club does not exist, or only its members can see it.")
    records = [_describe_records(found) for found in club_records.list_records(club)]
    evenings = [
        {"id": evening.pk, "name": evening.name, "game": name_game(evening.game), "day": say_day(evening.starts_at)}
        for evening in club_records.list_evenings(club)
    ]
    context = {
        "club": club,
        "best": club_records.list_best(club),
        "seasons": leaderboards.list_seasons(),
        "records": records,
        "evenings": evenings,
    }
    return render(request, "people/records.html", context)


def _describe_records(found: GameRecords) -> dict[str, Any]:
    """The records of a game: label, amount in words, and who holds each."""
    if found.game in FEATS:
        records = [(FEATS[found.game], found.feat and name_feat(found.game, found.feat.amount), found.feat)]
    else:
        records = [
            (what, best and name_deals(best.amount), best)
            for what, best in (
                (_("Longest at the top"), found.reign),
                (_("Longest at the bottom"), found.bottom),
                (_("Fastest from the bottom to the top"), found.climb),
            )
        ]
    return {"slug": found.game, "name": name_game(found.game), "records": records}


@require_http_methods(["GET", "HEAD", "POST"])
def export_me(request: HttpRequest) -> HttpResponse:
    """Download all data stored about the reader. A long export has a progress page (202) first; POST cancels it.

    Raises NotAllowed for readers without an account or guest name, TooFast, Busy.
    """
    player = player_of(request)
    if player is None:
        raise NotAllowed("This site stores nothing about you, so there is nothing to download.")
    polled = job_progress.find_polled_job(request, kind=BackgroundJob.Kind.PERSON, player=player)
    job = polled or export_jobs.find_person(player)
    if request.method == "POST":
        return redirect("me") if job is None else job_progress.cancel(request, job)
    if job is None:
        if not rate_limits.allow_export(player.pk):
            raise TooFast("You have downloaded your data several times in the last hour. Try again later.")
        if export_jobs.is_quick_person(player):
            return _send_json(player, "".join(export_person(player)).encode())
        job = export_jobs.ask_person(player, now=time.time())
        job_progress.enqueue(job)
    packed = None if job_progress.asks_for_bar(request) else export_jobs.find_file(job)
    if packed is not None:
        return job_progress.send_compressed(request, packed, lambda body: _send_json(player, body))
    place = job_progress.JobPage(_("Everything stored about me"), player.name, reverse("me"), can_stop=True)
    return job_progress.show(request, job, place)


def _send_json(player: Player, body: bytes) -> HttpResponse:
    response = HttpResponse(body, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="menagerie-{player.pk}.json"'
    response["Cache-Control"] = "no-store"
    return response
