"""The jobs at a table, now and deal by deal, for the pages of evenings and ladders."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.memo import Memo
from games.play.storage.table import OVER
from games.presenters.names import chair_of, name_rank
from games.presenters.render import cache_by_language, environment, macro
from games.presenters.stand_in_texts import say_stand_in
from tournaments.flow.evenings import jobs

_chronicles: Memo[tuple[Any, ...], SafeString] = Memo("chronicles", 256)
"""Rendered chronicles by language and all that they show. Up to 256: more use memory, fewer are rendered again."""


class Person(NamedTuple):
    """Who has a seat. is_me: the reader; stand_in: what a stand-in has played for them, in words."""

    name: str
    is_bot: bool
    is_me: bool
    stand_in: str


class JobHolder(NamedTuple):
    """Who holds a job now. moved: ranks gained with the last deal, negative if lost.

    stand_in: what a stand-in has played for them, in words.
    """

    seat: int
    is_me: bool
    chair: int
    job: str
    name: str
    is_bot: bool
    moved: int
    stand_in: str


def list_job_holders(story: jobs.TableStory, me: int | None) -> tuple[JobHolder, ...]:
    """The players of a table by job, the top one first; empty before the first deal."""
    before = story.deals[-2].ranks if len(story.deals) > 1 else None
    return _list_job_holders(story.table.game, story.jobs, story.held or (), before, _list_people(story, me))


@cache_by_language
def _list_job_holders(
    game: str, names: tuple[str, ...], held: tuple[int, ...], before: tuple[int, ...] | None, people: tuple[Person, ...]
) -> tuple[JobHolder, ...]:
    return tuple(
        JobHolder(
            seat=seat,
            chair=chair_of(game, names[rank - 1]),
            job=name_rank(game, names[rank - 1]),
            moved=0 if before is None else before[seat] - rank,
            **people[seat]._asdict(),
        )
        for rank, seat in sorted((rank, seat) for seat, rank in enumerate(held) if seat < len(people))
    )


def _list_people(story: jobs.TableStory, me: int | None) -> tuple[Person, ...]:
    return tuple(
        Person(
            seat.name,
            bool(seat.bot),
            me is not None and seat.player_id == me,
            say_stand_in(seat.name, story.stand_ins.get(seat.index)),
        )
        for seat in story.seats
    )


def is_seated(story: jobs.TableStory, me: int | None) -> bool:
    """Whether this person has a seat at the table."""
    return me is not None and any(seat.player_id == me for seat in story.seats)


def render_chronicle(story: jobs.TableStory, me: int | None) -> SafeString:
    """A table of all jobs, a row per player and a column per deal; empty before the first deal."""
    if not story.deals and not story.first:
        return SafeString("")
    people = _list_people(story, me)
    key = (
        get_language(),
        story.table.pk,
        story.table.seed,
        story.number,
        len(story.deals),
        people,
        story.idle,
        story.table.status,
    )
    return _chronicles.get_or_make(key, lambda: _render_chronicle(story, people))


def _render_chronicle(story: jobs.TableStory, people: tuple[Person, ...]) -> SafeString:
    cells, by_bots = _render_cells(story, by_bot=False), _render_cells(story, by_bot=True) if story.idle else []
    last = story.deals[-1].number if story.deals and story.table.status == OVER else None
    columns = [*([(0, story.first)] if story.first else []), *((deal.number, deal.ranks) for deal in story.deals)]
    rows = [
        (
            *person,
            "".join(
                _render_cell(story, 1, by_bot=(seat.index, deal) in story.idle, is_kept=True)
                if ranks[seat.index] == 1 and deal == last
                else (by_bots if (seat.index, deal) in story.idle else cells)[ranks[seat.index] - 1]
                for deal, ranks in columns
            ),
        )
        for person, seat in zip(people, story.seats, strict=True)
    ]
    render_macro = environment.get_template("jobs.jinja").module.chronicle  # type: ignore[attr-defined]
    rendered: str = render_macro(
        number=story.number,
        is_drawn=story.first is not None,
        deals=[deal.number for deal in story.deals],
        rows=rows,
    )
    return SafeString(rendered)


def _render_cells(story: jobs.TableStory, *, by_bot: bool) -> list[str]:
    """The cells of each rank, the top one first. by_bot: a stand-in played the whole deal."""
    return [_render_cell(story, rank, by_bot=by_bot) for rank in range(1, len(story.jobs) + 1)]


def _render_cell(story: jobs.TableStory, rank: int, *, by_bot: bool, is_kept: bool = False) -> str:
    """The cell of a rank. is_kept: the top job was still held when the game ended."""
    slug = story.jobs[rank - 1]
    edge = "at-top" if rank == 1 else "at-bottom" if rank == len(story.jobs) else ""
    game = story.table.game
    return macro("jobs.jinja", "cell")(
        job=name_rank(game, slug), chair=chair_of(game, slug), edge=edge, by_bot=by_bot, is_kept=is_kept
    )
