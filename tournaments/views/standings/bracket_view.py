"""The bracket of a knockout, read from a book: its stages by name, and who goes on from each table."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.presenters.render import macro
from tournaments.flow.standings.book import Book
from tournaments.models import LAST_STAGES, Rest, Round
from tournaments.scoring.brackets import BracketSeat, BracketStage, BracketTable, arrange_bracket
from tournaments.views.standings import table_views, tournament_view
from tournaments.views.standings.cached_rows import join, split_evenly
from tournaments.words.terms import name_elimination_stage, name_stage

TABLES_ABOVE, COLUMNS = 4, 3
"""Tables above one another, and of one stage beside one another, in a picture on the wall. More make it unreadable."""
SHOWN = (Round.Status.RELEASED, Round.Status.COMPLETE)


def name_round(book: Book, played: Round) -> str:
    """The stage of a round in words: of a knockout by how many tables it has, else as its format calls it."""
    pods = book.pods.get(played.pk, ())
    if played.stage not in LAST_STAGES or not pods:
        return name_stage(book.tournament.format, played.stage)
    people = sum(len(book.seats.get(pod.pk, ())) for pod in pods) + len(_list_byes(book, played))
    return name_elimination_stage(played.stage, len(pods), people)


def _list_byes(book: Book, played: Round) -> list[BracketSeat]:
    rests = tournament_view.list_rests(book, played, Rest.Kind.BYE)
    return [BracketSeat(str(one.pk), one.name, advances=True) for one in rests]


def render_bracket(book: Book) -> SafeString:
    """The bracket as a picture and in words; empty before the first stage is released, and where there is none."""
    return _render_picture(_list_stages(book))


def render_hall_brackets(book: Book) -> list[SafeString]:
    """The bracket in pictures whose names can be read from far away: from the first stage on that has few tables, or
    else the tables of the stage under way.
    """
    stages = _list_stages(book)
    few = [stage for stage in stages if len(stage.tables) <= TABLES_ABOVE]
    if few or not stages:
        return [_render_picture(few)] if few else []
    sheets = split_evenly(stages[-1].tables, TABLES_ABOVE * COLUMNS)
    return [_render_picture(_set_side_by_side(stages[-1].name, tables)) for tables in sheets]


def _set_side_by_side(name: str, tables: Sequence[BracketTable]) -> list[BracketStage]:
    """The tables of one stage in columns of a picture."""
    columns = split_evenly(tables, TABLES_ABOVE)
    return [BracketStage("" if number else name, tuple(column)) for number, column in enumerate(columns)]


def _render_picture(stages: Sequence[BracketStage]) -> SafeString:
    bracket = arrange_bracket(stages)
    return join([macro("bracket.jinja", "picture")(bracket, _("Bracket"))] if bracket else [])


def _list_stages(book: Book) -> list[BracketStage]:
    """The stages that are released, with their tables."""
    rounds = [one for one in book.rounds if one.stage in LAST_STAGES and one.status in SHOWN]
    names = [name_round(book, one) for one in rounds]
    tables: list[tuple[BracketTable, ...]] = []
    following: frozenset[str] | None = None
    for played in reversed(rounds):
        found = _list_tables(book, played, following)
        following = frozenset(seat.key for table in found for seat in table.seats)
        tables.insert(0, found)
    return [BracketStage(name, found) for name, found in zip(names, tables, strict=True)]


def _list_tables(book: Book, played: Round, following: frozenset[str] | None) -> tuple[BracketTable, ...]:
    """following: the keys of those in the next stage; None for the last one, from which the winner comes."""
    found = []
    for pod in table_views.list_pods(book, played, {}, None):
        seats = tuple(
            BracketSeat(
                str(seat.entrant_id),
                seat.name,
                str(seat.stands or ""),
                str(seat.entrant_id) in following if following is not None else str(seat.stands or "") == "1",
            )
            for seat in pod.finish
        )
        found.append(BracketTable(pod.number, seats))
    return (*found, *(BracketTable(None, (one,)) for one in _list_byes(book, played)))
