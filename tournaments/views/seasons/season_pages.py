"""A season for everybody: its table after any of its tournaments, and its chronicle."""

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
from tournaments.flow.seasons.season_standings import Table, read_table
from tournaments.flow.steps.kinds import KINDS
from tournaments.flow.undo.step_undo import list_logged
from tournaments.scoring.charts import render_bump
from tournaments.scoring.seasons import SeasonLine, find_deciders
from tournaments.views.lookups import find_season, fresh, read_number, stamp
from tournaments.views.seasons.season_frame import frame
from tournaments.views.standings import cached_rows, tournament_view
from tournaments.views.standings.cached_rows import join
from tournaments.words.step_words import OF_SEASON
from tournaments.words.terms import PHASES, SEASON_POINTS, say_points

Result = tuple[int | None, int, bool]
"""Numerator (None: not there), denominator, and whether it counts."""
PUBLIC_STEPS = frozenset(one.kind for one in KINDS.values() if one.is_public)
"""What a chronicle tells everybody."""


@require_safe
def overview(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The table after any tournament of the season (`?after=`), and the tournaments."""
    season, role = find_season(request, tournament_id)
    context, table = frame(request, season, role, "overview"), read_table(season)
    count = len(table.finished)
    after = min(count, max(1, read_number(request, "after", count)))
    me = player_id(request)
    context |= {
        "count": count,
        "after": after,
        "moments": [(number, one) for number, one in enumerate(table.finished, start=1)],
        "lines": _draw_lines(table, after, me),
        "events": _events(request, table, after),
        "tie_breaks": tournament_view.name_tie_breaks(table.scheme.tie_breaks),
        "breadth": tournament_view.measure(1 + after, len(table.scheme.tie_breaks)),
        "chart": _draw_chart(table, after, me) if after == count else "",
        "counts_as": SEASON_POINTS[season.points],
    }
    return fresh(render(request, "seasons/table.html", context))


@require_safe
def go_to_table(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """A season has no pairings, and its standings are its first page."""
    season, _role = find_season(request, tournament_id)
    return redirect("tournaments:tournament", season.pk)


@require_safe
def chronicle(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """What happened, newest first."""
    season, role = find_season(request, tournament_id)
    told = list_logged(season, kinds=PUBLIC_STEPS, limit=500)
    lines = cached_rows.draw_told(told, player_id(request), of=OF_SEASON)
    return fresh(render(request, "seasons/chronicle.html", frame(request, season, role, "chronicle") | {"rows": lines}))


@require_safe
def pulse(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The version that is shown to be the present: pages look here whether they are."""
    season, _role = find_season(request, tournament_id)
    return fresh(JsonAnswer({"version": stamp(season)}))


def _draw_lines(table: Table, after: int, me: int | None) -> SafeString:
    """The table, the reader's own row marked; the rows of the others are drawn once for all who look."""
    lines = table.standing(after)
    deciders, stand_ins = find_deciders(lines), table.stand_ins(after)

    def draw(line: SeasonLine, cells: dict[Result, str], *, is_me: bool) -> str:
        stand_in = say_games(line.person, stand_ins.get(line.person, 0))
        return _draw_line(table, line, cells, deciders[line.person], stand_in, is_me=is_me)

    def draw_all() -> dict[str, str]:
        cells: dict[Result, str] = {}
        return {line.person: draw(line, cells, is_me=False) for line in lines}

    way = ("lines", get_language(), after == len(table.finished))
    rows = table.derived.get(way, (lines, stand_ins), draw_all)
    mine = {name for name, player in table.players.items() if player == me}
    own = {line.person: draw(line, {}, is_me=True) for line in lines if line.person in mine}
    return join((rows | own).values())


def _draw_line(
    table: Table, line: SeasonLine, cells: dict[Result, str], deciders: frozenset[int], stand_in: str, *, is_me: bool
) -> str:
    """cells: those that are drawn already, by result; the same few results stand in every column. stand_in: what bots
    played for this person, in words."""
    row = []
    for value, is_in in zip(line.results, line.counts, strict=True):
        key = (None, 0, is_in) if value is None else (value.numerator, value.denominator, is_in)
        if key not in cells:
            cells[key] = macro("seasons.jinja", "cell")("" if value is None else say_points(value), is_in)
        row.append(cells[key])
    named = [(name, _value(name, value)) for name, value in zip(table.scheme.tie_breaks, line.values, strict=True)]
    values = tournament_view.label_values(named, [at in deciders for at in range(len(named))])
    drawn: str = environment.get_template("seasons.jinja").module.line(  # type: ignore[attr-defined]
        line.place, line.person, say_points(line.points), line.played, "".join(row), values, is_me, stand_in
    )
    return drawn


def _value(name: str, value: Any) -> str:
    if value is None:
        return "–"
    if name in ("best", "head-to-head"):
        return say_points(value)
    return f"{value:012x}"[:4] if name == "lot" else str(value)


def _events(request: HttpRequest, table: Table, after: int) -> list[dict[str, Any]]:
    """The tournaments of the season; of those that are not for this reader only that they count."""
    reader = player_id(request)
    role = permissions.role_of(table.season.club, reader)
    number = {one.pk: index for index, one in enumerate(table.finished, start=1)}
    return [
        {
            "tournament": one,
            "number": number.get(one.pk),
            "phase": PHASES[one.phase],
            "is_seen": permissions.can_see(one, reader, role),
            "is_counted": number.get(one.pk, after + 1) <= after,
        }
        for one in table.counted
    ]


def _draw_chart(table: Table, after: int, me: int | None) -> SafeString:
    """Places after each tournament; drawn once for all who are not in it."""
    mine = next((name for name, player in table.players.items() if me is not None and player == me), None)
    made_of = table.results[:after]
    if mine is not None:
        return _draw_ways(table, after, mine)
    return table.derived.get(("chart", get_language()), made_of, lambda: _draw_ways(table, after, None))


def _draw_ways(table: Table, after: int, mine: str | None) -> SafeString:
    ways: dict[str, list[int | None]] = {}
    for number in range(after):
        for person, place in table.places(number + 1).items():
            ways.setdefault(person, [None] * number).append(place)
    bump = render_bump(ways, {name: name for name in ways}, me=mine)
    label = _("Places after each tournament; the table below says the same in words.")
    return join([macro("bump.jinja", "chart")(bump, label)] if bump else [])
