"""The JSON API of evenings: those of a club, and the jobs at each table, deal by deal."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Schema

from games.play.errors import NotAllowed
from games.records.stand_ins import dump_stand_in
from tournaments.api.readers import PAGE_ROWS, REFUSED, Page, find_club, find_reader
from tournaments.api.routes import Router
from tournaments.api.shapes import StandInOut
from tournaments.flow.evenings import jobs, sessions
from tournaments.models import TimedSession

router = Router(tags=["evenings"])


class EveningOut(Schema):
    """An evening. owner: the id of the member who opened it; null if they have left the site. starts_at, ends_at: in
    seconds since 1970. is_called_off: whether it was cancelled before it began. ended_at: when every table had
    finished its last deal, in seconds since 1970, or null.
    """

    id: str
    name: str
    game: str
    version: int
    owner: int | None
    starts_at: float
    ends_at: float
    is_paused: bool
    has_rung: bool
    is_called_off: bool
    ended_at: float | None


class HolderOut(Schema):
    """A seat of a table. person: the id of the person; null for a bot of this site. bot: the level of a bot, else
    empty. job: the slug of the present job, or null. drawn: the job of the first deal, by lot, or null. jobs: those
    of the finished deals, in order. by_bot: for each finished deal, whether a stand-in played all of it.
    """

    seat: int
    name: str
    person: int | None
    bot: str
    job: str | None
    drawn: str | None
    jobs: list[str]
    stand_in: StandInOut | None
    by_bot: list[bool]


class EveningTableOut(Schema):
    """A table of an evening. table: its id. status: `waiting`, `playing` or `over`."""

    number: int
    table: str
    status: str
    seats: list[HolderOut]


class WholeEveningOut(EveningOut):
    """An evening with its tables, deal by deal. starts_at, ends_at: in seconds since 1970."""

    tables: list[EveningTableOut]


@router.get("/clubs/{slug}/evenings", response={200: list[EveningOut], **REFUSED})
def list_evenings(request: HttpRequest, slug: str, page: Page = 1) -> Any:
    """The club's evenings, the latest first, a hundred a page; after the last page the list is empty."""
    rows = TimedSession.objects.filter(club=find_club(request, slug)).order_by("-starts_at", "pk")
    return [_describe_evening(evening) for evening in rows[(page - 1) * PAGE_ROWS : page * PAGE_ROWS]]


@router.get("/evenings/{evening_id}", response={200: WholeEveningOut, **REFUSED})
def show_evening(request: HttpRequest, evening_id: str) -> Any:
    """An evening, live while it lasts: the jobs at each table, now and in each deal."""
    found = sessions.find(evening_id)
    if not sessions.can_see(found, find_reader(request, found.club_id)):
        raise NotAllowed("Only members of the club can see this evening. Ask one of them for an invitation.")
    return describe_whole(found)


def describe_whole(found: TimedSession) -> dict[str, Any]:
    """A `WholeEveningOut`."""
    return _describe_evening(found) | {"tables": [_describe_table(story) for story in jobs.list_stories(found)]}


def _describe_evening(evening: TimedSession) -> dict[str, Any]:
    return {
        "id": evening.pk,
        "name": evening.name,
        "game": evening.game,
        "version": evening.version,
        "owner": evening.owner_id,
        "starts_at": evening.starts_at,
        "ends_at": evening.ends_at,
        "is_paused": evening.paused_at is not None,
        "has_rung": evening.has_rung,
        "is_called_off": evening.is_called_off,
        "ended_at": evening.ended_at,
    }


def _describe_table(story: jobs.TableStory) -> dict[str, Any]:
    def job(ranks: tuple[int, ...] | None, seat: int) -> str | None:
        return None if ranks is None else story.jobs[ranks[seat] - 1]

    return {
        "number": story.number,
        "table": story.table.pk,
        "status": story.table.status,
        "seats": [
            {
                "seat": chair.index,
                "name": chair.name,
                "person": chair.player_id,
                "bot": chair.bot,
                "job": job(story.held, chair.index),
                "drawn": job(story.first, chair.index),
                "jobs": [job(deal.ranks, chair.index) for deal in story.deals],
                "stand_in": dump_stand_in(story.stand_ins[chair.index]) if chair.index in story.stand_ins else None,
                "by_bot": [(chair.index, deal.number) in story.idle for deal in story.deals],
            }
            for chair in story.seats
        ],
    }
