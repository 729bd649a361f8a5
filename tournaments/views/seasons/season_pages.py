"""A season: its table for everybody, the form that plans it, and its organiser's page."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.accounts.current_player import player_id, player_of
from games.models import Player, spelling
from games.play.errors import BadInput
from games.play.moves.form_keys import make_once
from games.presenters.names import GAMES
from games.presenters.render import environment, macro
from games.presenters.stand_in_texts import say_games
from games.views.forms import sent_key
from tournaments.flow import permissions
from tournaments.flow.permissions import require_role
from tournaments.flow.planning import tournament_plan
from tournaments.flow.seasons import season_changes
from tournaments.flow.seasons.season_people import Entry
from tournaments.flow.seasons.season_standings import Table, read_table
from tournaments.models import Entrant, Phase, Role, Tournament
from tournaments.scoring.charts import render_bump
from tournaments.scoring.league import LeagueLine, find_deciders
from tournaments.views.forms.season_forms import SeasonForm
from tournaments.views.lookups import find_club, fresh, read_int, read_number
from tournaments.views.standings import tournament_view
from tournaments.views.standings.cached_rows import join
from tournaments.views.undo.logs import look_back
from tournaments.words.terms import PHASES, SEASON_POINTS, say_points

Result = tuple[int | None, int, bool]
"""Numerator (None: not there), denominator, and whether it counts."""
NEXT = {
    Phase.PLANNED: "open-season", Phase.RUNNING: "finish", Phase.FINISHED: "archive", Phase.CALLED_OFF: "called-off",
}  # fmt: skip
MOST_NAMES = 400
"""Entrants that the organiser's page lists by name; the others are found by theirs."""
MOST_WANTED = 40


def plan(request: HttpRequest, slug: str) -> HttpResponse:
    """The form for a new season of a club, and the season."""
    club, _role = find_club(request, slug)
    require_role(club, player_id(request), Role.ORGANISER)
    form = SeasonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            made = make_once(
                player_id(request),
                sent_key(request),
                lambda: tournament_plan.plan_tournament(club, player_of(request), form.agreement(), now=time.time()).pk,
                now=time.time(),
            )
        except BadInput as error:
            form.add_error(None, _(error.template) % error.values)
        else:
            return redirect("tournaments:console", made)
    context = {"form": form, "club": club}
    return render(request, "tournaments/season_form.html", context, status=422 if form.errors else 200)


def overview(request: HttpRequest, tournament: Tournament, context: dict[str, Any]) -> HttpResponse:
    """The table after any tournament of the season (`?after=`), and the tournaments."""
    table = read_table(tournament)
    count = len(table.finished)
    after = min(count, max(1, read_number(request, "after", count)))
    me = player_id(request)
    context |= {
        "count": count,
        "after": after,
        "moments": [(number, one) for number, one in enumerate(table.finished, start=1)],
        "lines": _draw_lines(table, after, me),
        "events": _events(request, table, after),
        "tie_breaks": tournament_view.name_tie_breaks(table.season.tie_breaks),
        "breadth": tournament_view.measure(1 + after, len(table.season.tie_breaks)),
        "chart": _draw_chart(table, after, me) if after == count else "",
        "counts_as": SEASON_POINTS[tournament.points],
        "game": GAMES[tournament.game].name if tournament.game in GAMES else _("All games"),
    }
    return fresh(render(request, "tournaments/season.html", context))


def _draw_lines(table: Table, after: int, me: int | None) -> SafeString:
    """The table, the reader's own row marked; the rows of the others are drawn once for all who look."""
    lines = table.standing(after)
    deciders, stand_ins = find_deciders(lines), table.stand_ins(after)

    def draw(line: LeagueLine, cells: dict[Result, str], *, is_me: bool) -> str:
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
    table: Table, line: LeagueLine, cells: dict[Result, str], deciders: frozenset[int], stand_in: str, *, is_me: bool
) -> str:
    """cells: those that are drawn already, by result; the same few results stand in every column. stand_in: what bots
    played for this person, in words."""
    row = []
    for value, is_in in zip(line.results, line.counts, strict=True):
        key = (None, 0, is_in) if value is None else (value.numerator, value.denominator, is_in)
        if key not in cells:
            cells[key] = macro("tournaments.jinja", "cell")("" if value is None else say_points(value), is_in)
        row.append(cells[key])
    named = [(name, _value(name, value)) for name, value in zip(table.season.tie_breaks, line.values, strict=True)]
    values = tournament_view.label_values(named, [at in deciders for at in range(len(named))])
    drawn: str = environment.get_template("tournaments.jinja").module.line(  # type: ignore[attr-defined]
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
    role = permissions.role_of(table.league.club, reader)
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


def console(request: HttpRequest, tournament: Tournament, context: dict[str, Any]) -> HttpResponse:
    """The organiser's page of a season: what counts, who is who, the next step, what was done."""
    table = read_table(tournament)
    names = {one.pk: one.name for one in table.counted}
    wanted = request.GET.get("q", "").strip()[:MOST_WANTED]
    entries = _find_entries(table, wanted)
    context |= {
        "next": NEXT.get(Phase(tournament.phase), "done"),
        "can_call_off": tournament.phase in (Phase.PLANNED, Phase.RUNNING) and not table.finished,
        "counted": [{"tournament": one, "phase": PHASES[one.phase]} for one in table.counted],
        "counting": sum(one.phase != Phase.CALLED_OFF for one in table.counted),
        "missing": [one.name for one in table.counted if one.phase not in season_changes.SETTLED],
        "can_finish": table.finished and all(one.phase in season_changes.SETTLED for one in table.counted),
        "others": [
            {
                "tournament": one,
                "phase": PHASES[one.phase],
                "elsewhere": one.season_id is not None,
                "is_hidden": season_changes.is_hidden_from(tournament, one),
            }
            for one in season_changes.offered(tournament)
        ],
        "names": [
            {"entry": one, "name": table.names[one.pk], "tournament": names[one.tournament_id]}
            for one in entries[:MOST_NAMES]
        ],
        "wanted": wanted,
        "has_more_names": len(entries) > MOST_NAMES,
        "key": secrets.token_hex(8),
    }
    context |= look_back(tournament, player_id(request))
    return fresh(render(request, "tournaments/season_console.html", context))


def _find_entries(table: Table, wanted: str) -> Sequence[Entry]:
    """Those whose name, of their own or in the season, is found by what somebody typed; all for nothing."""
    if not wanted:
        return table.entries
    wishes = spelling.read_wish(wanted)
    return [
        one for one in table.entries if any(spelling.finds(wishes, name) for name in (one.name, table.names[one.pk]))
    ]


Doing = Callable[[HttpRequest, Tournament, Player | None], object]


def _count(*, counts: bool) -> Doing:
    return lambda request, one, who: season_changes.count_tournament(
        one, who, request.POST.get("tournament", "")[:16], counts=counts, now=time.time()
    )


ACTIONS: dict[str, Doing] = {
    "open-season": lambda request, one, who: season_changes.open_season(one, who, now=time.time()),
    "count": _count(counts=True),
    "uncount": _count(counts=False),
    "league-name": lambda request, one, who: season_changes.name_person(
        one, who, read_int(request.POST.get("entrant")), request.POST.get("name", ""), now=time.time()
    ),
}
"""Every button of a season's page that no other console has."""


def list_lines(tournament: Tournament) -> list[dict[str, Any]]:
    """The table as other sheets want it: the hall, certificates."""
    table = read_table(tournament)
    stand_ins = table.stand_ins()
    return [
        {"place": line.place, "entrant": Entrant(name=line.person, avatar=table.avatars[line.person]),
         "points": say_points(line.points), "played": line.played, "wins": line.wins,
         "stand_in": say_games(line.person, stand_ins.get(line.person, 0))}
        for line in table.standing()
    ]  # fmt: skip
