"""The bracket of a knockout, read from a book: its stages by name, and who goes on from each table."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.presenters.render import macro
from tournaments.flow.standings.book import Book
from tournaments.models import LAST_STAGES, Rest, Round
from tournaments.scoring.brackets import (
    ON_PAGE,
    BracketLayout,
    BracketSeat,
    BracketStage,
    BracketTable,
    arrange_bracket,
    choose_wall_layout,
    drop_large_stages,
    split_for_paper,
    split_for_wall,
)
from tournaments.views.standings import table_views, tournament_view
from tournaments.views.standings.cached_rows import join
from tournaments.words.terms import name_elimination_stage, name_stage

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
    return [BracketSeat(str(entrant.pk), entrant.name, advances=True) for entrant in rests]


def render_bracket(book: Book) -> SafeString:
    """The bracket as a picture and in words; empty before the first stage is released, and where there is none."""
    return _render_picture(drop_large_stages(_list_stages(book)), ON_PAGE)


def render_paper_brackets(book: Book) -> list[SafeString]:
    """The whole bracket in pages for paper."""
    return [_render_picture(page, ON_PAGE) for page in split_for_paper(_list_stages(book))]


def render_hall_brackets(book: Book) -> list[SafeString]:
    """The bracket in pages for the wall, whose names can be read from ten metres."""
    pages = split_for_wall(_list_stages(book))
    return [_render_picture(page, choose_wall_layout(len(page))) for page in pages]


def _render_picture(stages: Sequence[BracketStage], layout: BracketLayout) -> SafeString:
    bracket = arrange_bracket(stages, layout)
    return join([macro("bracket.jinja", "picture")(bracket, _("Bracket"))] if bracket else [])


def _list_stages(book: Book) -> list[BracketStage]:
    """The stages that are released, with their tables."""
    rounds = [row for row in book.rounds if row.stage in LAST_STAGES and row.status in SHOWN]
    names = [name_round(book, row) for row in rounds]
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
    byes = tuple(_list_byes(book, played))
    return (*found, BracketTable(None, byes)) if byes else tuple(found)
