"""The public pages of a season: its standings after any of its tournaments, and its chronicle."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.accounts.current_player import player_id
from games.presenters.render import environment, macro
from games.presenters.stand_in_texts import say_games
from games.views.json_responses import JsonAnswer
from tournaments.flow import permissions
from tournaments.flow.seasons.season_standings import SeasonTable, read_table
from tournaments.flow.steps.kinds import KINDS
from tournaments.flow.undo.step_undo import list_logged
from tournaments.scoring.charts import render_bump
from tournaments.scoring.seasons import SeasonLine, find_deciders
from tournaments.views.lookups import disable_caching, find_page_version, find_season, read_query_number
from tournaments.views.seasons.season_frame import build_frame
from tournaments.views.standings import cached_rows, tournament_view
from tournaments.views.standings.cached_rows import join
from tournaments.words.step_words import SEASON_STEPS
from tournaments.words.terms import PHASES, SEASON_POINTS, say_points

SeasonCell = tuple[int | None, int, bool]
"""A result in the standings: numerator (None: did not play), denominator, and whether it counts."""
PUBLIC_STEPS = frozenset(kind.kind for kind in KINDS.values() if kind.is_public)
"""Kinds of steps that the public chronicle lists."""


@require_safe
def show_overview(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The standings after so many tournaments (`?after=`), and the list of tournaments."""
    season, role = find_season(request, tournament_id)
    context, table = build_frame(request, season, role, "overview"), read_table(season)
    count = len(table.finished)
    after = min(count, max(1, read_query_number(request, "after", count)))
    me = player_id(request)
    context |= {
        "count": count,
        "after": after,
        "moments": [(number, one) for number, one in enumerate(table.finished, start=1)],
        "lines": _render_lines(table, after, me),
        "events": _list_tournaments(request, table, after),
        "tie_breaks": tournament_view.name_tie_breaks(table.scheme.tie_breaks),
        "breadth": tournament_view.find_width_class(1 + after, len(table.scheme.tie_breaks)),
        "chart": _render_chart(table, after, me) if after == count else "",
        "counts_as": SEASON_POINTS[season.points],
    }
    return disable_caching(render(request, "seasons/table.html", context))


@require_safe
def redirect_to_table(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Redirect pairings and standings to the first page, which shows the standings."""
    season, _role = find_season(request, tournament_id)
    return redirect("tournaments:tournament", season.pk)


@require_safe
def show_chronicle(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The chronicle: public steps, the newest first."""
    season, role = find_season(request, tournament_id)
    steps = list_logged(season, kinds=PUBLIC_STEPS, limit=500)
    lines = cached_rows.render_steps(steps, player_id(request), format_slug=SEASON_STEPS)
    return disable_caching(
        render(request, "seasons/chronicle.html", build_frame(request, season, role, "chronicle") | {"rows": lines})
    )


@require_safe
def show_version(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The current page version, for browsers without a WebSocket."""
    season, _role = find_season(request, tournament_id)
    return disable_caching(JsonAnswer({"version": find_page_version(season)}))


def _render_lines(table: SeasonTable, after: int, me: int | None) -> SafeString:
    """The rows of the standings, with the reader's own marked. All others are cached for all readers."""
    lines = table.standing(after)
    deciders, stand_ins = find_deciders(lines), table.stand_ins(after)

    def render_row(line: SeasonLine, cells: dict[SeasonCell, str], *, is_me: bool) -> str:
        stand_in = say_games(line.person, stand_ins.get(line.person, 0))
        return _render_line(table, line, cells, deciders[line.person], stand_in, is_me=is_me)

    def render_all() -> dict[str, str]:
        cells: dict[SeasonCell, str] = {}
        return {line.person: render_row(line, cells, is_me=False) for line in lines}

    key = ("lines", get_language(), after == len(table.finished))
    rows = table.derived.get(key, (lines, stand_ins), render_all)
    mine = {name for name, player in table.players.items() if player == me}
    own = {line.person: render_row(line, {}, is_me=True) for line in lines if line.person in mine}
    return join((rows | own).values())


def _render_line(
    table: SeasonTable,
    line: SeasonLine,
    cells: dict[SeasonCell, str],
    deciders: frozenset[int],
    stand_in: str,
    *,
    is_me: bool,
) -> str:
    """cells: rendered cells by result, filled here, as few differ; stand_in: what stand-ins played, in words."""
    row = []
    for value, is_in in zip(line.results, line.counts, strict=True):
        key = (None, 0, is_in) if value is None else (value.numerator, value.denominator, is_in)
        if key not in cells:
            cells[key] = macro("seasons.jinja", "cell")("" if value is None else say_points(value), is_in)
        row.append(cells[key])
    named = [
        (name, _say_tie_break(name, value)) for name, value in zip(table.scheme.tie_breaks, line.values, strict=True)
    ]
    values = tournament_view.label_tie_breaks(named, [at in deciders for at in range(len(named))])
    rendered: str = environment.get_template("seasons.jinja").module.line(  # type: ignore[attr-defined]
        place=line.place,
        name=line.person,
        points=say_points(line.points),
        played=line.played,
        cells="".join(row),
        values=values,
        is_me=is_me,
        stand_in=stand_in,
    )
    return rendered


def _say_tie_break(name: str, value: Any) -> str:
    if value is None:
        return "–"
    if name in ("best", "head-to-head"):
        return say_points(value)
    return f"{value:012x}"[:4] if name == "lot" else str(value)


def _list_tournaments(request: HttpRequest, table: SeasonTable, after: int) -> list[dict[str, Any]]:
    """The tournaments of the season. `is_seen` is false for those the reader may not see."""
    reader = player_id(request)
    role = permissions.role_of(table.season.club, reader)
    number = {one.pk: index for index, one in enumerate(table.finished, start=1)}
    return [
        {
            "tournament": tournament,
            "number": number.get(tournament.pk),
            "phase": PHASES[tournament.phase],
            "is_seen": permissions.can_see(tournament, reader, role),
            "is_counted": number.get(tournament.pk, after + 1) <= after,
        }
        for tournament in table.counted
    ]


def _render_chart(table: SeasonTable, after: int, me: int | None) -> SafeString:
    """The bump chart of places after each tournament; cached for readers who are not in it."""
    mine = next((name for name, player in table.players.items() if me is not None and player == me), None)
    made_of = table.results[:after]
    if mine is not None:
        return _render_bump_chart(table, after, mine)
    return table.derived.get(("chart", get_language()), made_of, lambda: _render_bump_chart(table, after, None))


def _render_bump_chart(table: SeasonTable, after: int, mine: str | None) -> SafeString:
    places: dict[str, list[int | None]] = {}
    for number in range(after):
        for person, place in table.places(number + 1).items():
            places.setdefault(person, [None] * number).append(place)
    bump = render_bump(places, {name: name for name in places}, me=mine)
    label = _("Places after each tournament. The table below shows the same as text.")
    return join([macro("bump.jinja", "chart")(bump, label, True)] if bump else [])
