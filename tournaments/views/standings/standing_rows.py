"""The standings of a tournament, rendered line by line, and the bump chart. Lines are cached as other rows are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.presenters.render import macro
from tournaments import formats
from tournaments.flow.counting import stand_in_records
from tournaments.flow.standings import ranking
from tournaments.flow.standings.book import Book
from tournaments.models import Entrant
from tournaments.scoring.standings import Standing
from tournaments.views.standings import tournament_view
from tournaments.views.standings.badges import find_badge
from tournaments.views.standings.cached_rows import get_cached, join


class StandingsColumns(NamedTuple):
    """The optional columns of the standings. tie_breaks: indexes into those of the scheme."""

    tie_breaks: tuple[int, ...]
    has_penalties: bool


def render_standings(book: Book, after: int | None, me: Entrant | None) -> SafeString:
    """The standings after a round (None: the last one), with the reader's own row marked."""
    lines, stand_ins = ranking.rank(book, after), stand_in_records.count_stand_ins(book, after)
    columns = StandingsColumns(tournament_view.find_columns(book, lines), tournament_view.has_penalties(lines))
    deciders = tournament_view.find_deciders(book, after)
    besides = {
        line.entrant: LineNotes(
            deciders[line.entrant], stand_ins.get(line.entrant), book.name_team(book.by_key[line.entrant].pk)
        )
        for line in lines
    }

    def render_all() -> Mapping[str, str]:
        key = ("lines", book.scheme, columns, get_language())
        cached: Mapping[str, RenderedLine] = book.derived.get(key, (), dict)
        rendered = {
            line.entrant: _reuse_or_render_line(book, line, columns, besides[line.entrant], cached.get(line.entrant))
            for line in lines
        }
        book.derived.put(key, (), rendered)
        return {entrant: rendered_line.row for entrant, rendered_line in rendered.items()}

    made_of = (lines, book.entrants, stand_ins, book.teams, book.team_members)
    rows = get_cached(book, f"standings {after}", made_of, render_all)
    own = next((line for line in lines if me is not None and line.entrant == str(me.number)), None)
    if own is not None:
        rows = {**rows, own.entrant: _render_line(book, own, columns, me, besides[own.entrant])}
    return join(rows.values())


class LineNotes(NamedTuple):
    """What a line shows besides its figures. deciders: indexes of the tie-breaks that decide its place."""

    deciders: frozenset[int]
    stand_ins: stand_in_records.StandInCount | None
    team: str


class RenderedLine(NamedTuple):
    """A line of the standings with all that it shows, and its HTML."""

    line: Standing
    beside: LineNotes
    entrant: Entrant
    row: str


def _reuse_or_render_line(
    book: Book, line: Standing, columns: StandingsColumns, beside: LineNotes, cached: RenderedLine | None
) -> RenderedLine:
    """The line rendered before (`cached`) if it shows the same, else a new one."""
    entrant = book.by_key[line.entrant]
    if cached is not None and cached.entrant is entrant and (cached.line, cached.beside) == (line, beside):
        return cached
    return RenderedLine(line, beside, entrant, _render_line(book, line, columns, None, beside))


def _render_line(book: Book, line: Standing, columns: StandingsColumns, me: Entrant | None, beside: LineNotes) -> str:
    stand_ins = {} if beside.stand_ins is None else {line.entrant: beside.stand_ins}
    has_values, has_games = formats.of(book.tournament).columns
    [row] = tournament_view.list_standings(book, [line], me, columns.tie_breaks, stand_ins)
    return macro("standings.jinja", "row")(
        tournament=book.tournament.pk,
        number=row["entrant"].number,
        place=row["place"],
        name=row["entrant"].name,
        is_bot=bool(row["entrant"].bot),
        is_out=row["is_out"],
        is_me=row["is_me"],
        points=row["points"] if has_values else None,
        played=row["played"] if has_games else None,
        rounds=tuple(row["rounds"]),
        from_games=row["from_games"] if has_games and columns.has_penalties else None,
        penalty=row["penalty"] if columns.has_penalties else None,
        values=tournament_view.label_tie_breaks(row["values"], [at in beside.deciders for at in columns.tie_breaks])
        if has_values
        else (),
        stand_in=row["stand_in"],
        team=row["team"],
        badge=find_badge(book, row["entrant"]),
    )


def render_chart(book: Book, me: Entrant | None) -> SafeString:
    """The bump chart of the complete rounds; empty before the second one."""
    made_of = (book.entrants, *(ranking.rank(book, played.number) for played in book.complete_rounds()))
    if me is None:
        return get_cached(book, "chart", made_of, lambda: _render_chart(book, None))
    return _render_chart(book, me)


def _render_chart(book: Book, me: Entrant | None) -> SafeString:
    bump = tournament_view.build_bump_chart(book, me)
    label = _("Places after each round. The table below shows the same as text.")
    return join([macro("bump.jinja", "chart")(bump, label, False)] if bump else [])
