"""The page of a ladder: tables, jobs, and who moved up or down."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from games.accounts.current_player import player_id, player_of
from games.play.errors import NotFound
from games.presenters.render import PART_PLACEHOLDER, fill_part, macro
from games.presenters.stand_in_texts import say_stand_in
from tournaments import formats
from tournaments.flow.counting import stand_in_records
from tournaments.flow.drawing import pairing
from tournaments.flow.drawing.draw_context import BookDrawContext
from tournaments.flow.evenings import jobs
from tournaments.flow.standings.book import Book
from tournaments.formats.ladder import list_former_players, list_last_tables, list_rungs
from tournaments.models import Entrant, Pod, PodSeat, Rest, Round
from tournaments.scoring.ladder import preview
from tournaments.views.lookups import disable_caching, find_page_version, find_tournament
from tournaments.views.page_frame import build_frame, choose_round
from tournaments.views.standings import job_table, table_views, tournament_view
from tournaments.views.standings.cached_rows import join

UP, DOWN, STAY, NEW, RESTED = "up", "down", "stay", "new", "rested"
"""How a player came to a table or leaves it, as the template names it."""


@require_safe
def show(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The tables of a round (`?round=`), the top one first. Raises NotFound, NotAllowed."""
    tournament, role = find_tournament(request, tournament_id)
    if not formats.of(tournament).shows_jobs:
        raise NotFound("This page exists only for ladders.")
    book = tournament_view.read_book(tournament, find_page_version(tournament))
    rounds = tournament_view.list_rounds(book)
    chosen = choose_round(request, rounds)
    context = build_frame(request, tournament, role, "ladder") | {"rounds": rounds, "chosen": chosen}
    if chosen is not None:
        me = tournament_view.find_own_entrant(book, player_of(request))
        context |= {
            "is_last": _is_last(book, chosen),
            "is_one": len(book.pods.get(chosen.pk, ())) == 1,
            "tables": _render_panels(book, chosen, me.pk if me else None, player_id(request)),
            "byes": tournament_view.list_rests(book, chosen, Rest.Kind.BYE),
            "absent": tournament_view.list_rests(book, chosen, Rest.Kind.ABSENT),
        }
    return disable_caching(render(request, "tournaments/rounds/ladder.html", context))


class LadderRow(NamedTuple):
    """A player at a table of a ladder. stand_in: what a stand-in has played for them, in words.

    came, goes: one of the five words above, or empty; to: the number of their next table.
    """

    name: str
    is_bot: bool
    substitute: str
    is_gone: bool
    stand_in: str
    is_me: bool
    chair: int
    job: str
    place: int | None
    came: str
    goes: str
    to: int


class LadderTablePanel(NamedTuple):
    """A table of a ladder as its page shows it; hashable for caching. id: of the online table, or empty."""

    number: int
    id: str
    status: str
    is_paused: bool
    is_over: bool
    is_void: bool
    is_mine: bool
    deals: int
    has_jobs: bool
    has_chronicle: bool
    can_watch: bool
    rows: tuple[LadderRow, ...]


def _render_panels(book: Book, chosen: Round, me: int | None, reader: int | None) -> SafeString:
    render_panel = macro("ladder.jinja", "panel")
    pods = book.pods.get(chosen.pk, ())
    stories = {
        table_story.table.pk: table_story
        for table_story in jobs.list_table_stories([(pod.number, pod.table_id) for pod in pods])
    }
    earlier = BookDrawContext(book.before(chosen.number))
    before, former = list_last_tables(earlier), list_former_players(earlier)
    told_by = [book.pod_result(pod) for pod in pods]
    goes = {} if _is_last(book, chosen) else preview(list_rungs(earlier), told_by)
    panels = []
    for pod, result in zip(pods, told_by, strict=True):
        story = stories.get(pod.table_id or "")
        held = {row.seat: row for row in job_table.list_job_holders(story, reader)} if story is not None else {}
        rows = [_build_row(book, pod, seat, me, held, before, former, goes) for seat in book.seats.get(pod.pk, ())]
        chronicle = job_table.render_chronicle(story, reader) if story is not None else SafeString("")
        panel = LadderTablePanel(
            number=pod.number,
            id=story.table.pk if story is not None else "",
            status=story.table.status if story is not None else "",
            is_paused=chosen.paused_at is not None,
            is_over=result is not None,
            is_void=result is not None and result.is_void,
            is_mine=any(row.is_me for _rank, row in rows),
            deals=len(story.deals) if story is not None else 0,
            has_jobs=bool(held),
            has_chronicle=bool(chronicle),
            can_watch=table_views.can_watch(book, chosen),
            rows=tuple([row for _rank, row in sorted(rows, key=lambda row: (row[1].place or 99, row[0]))]),
        )
        panels.append(fill_part(render_panel(PART_PLACEHOLDER, panel), chronicle))
    return join(panels)


def _is_last(book: Book, chosen: Round) -> bool:
    """Whether it is the last round, after which nobody changes tables."""
    return chosen == book.rounds[-1] and not pairing.has_next_round(book)


def _say_stand_in(seat: PodSeat, entrant: Entrant, job: job_table.JobHolder | None) -> str:
    """What a stand-in has played for an entrant: as stored, or during the game as the table tells."""
    kept = say_stand_in(seat.substitute_name or entrant.name, stand_in_records.read(seat))
    return kept or (job.stand_in if job else "")


def _build_row(
    book: Book,
    pod: Pod,
    seat: PodSeat,
    me: int | None,
    held: Mapping[int, job_table.JobHolder],
    before: Mapping[str, int],
    former: Collection[str],
    goes: Mapping[str, int],
) -> tuple[int, LadderRow]:
    """A player's rank at this table, and their row.

    held: job holders by seat; before: last tables by entrant; former: entrants of earlier rounds; goes: the coming move
    by entrant, 1 up, -1 down.
    """
    entrant, result = book.entrants[seat.entrant_id], book.pod_result(pod)
    job = held.get(seat.index)
    was = before.get(str(entrant.number))
    entered = RESTED if str(entrant.number) in former else NEW
    came = (
        (entered if before else "") if was is None else UP if was > pod.number else DOWN if was < pod.number else STAY
    )
    step = goes.get(str(entrant.number))
    rank = list(held).index(seat.index) if job else seat.index
    return rank, LadderRow(
        name=entrant.name,
        is_bot=bool(entrant.bot),
        substitute=seat.substitute_name,
        is_gone=seat.fate != PodSeat.Fate.PLAYS,
        stand_in=_say_stand_in(seat, entrant, job),
        is_me=entrant.pk == me,
        chair=job.chair if job else 0,
        job=job.job if job else "",
        place=result.shown_places()[seat.index] if result else None,
        came=came,
        goes={None: "", 1: UP, -1: DOWN, 0: STAY}[step],
        to=pod.number - (step or 0),
    )
