"""The JSON API of people: leaderboards, careers, head-to-head, years, records. Who may read is as for the pages."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Schema

from games.play.errors import NotFound
from tournaments.api import readers
from tournaments.api.readers import RefusalOut
from tournaments.api.routes import Router
from tournaments.flow.clubs import club_records
from tournaments.flow.clubs.club_records import ClubRecord
from tournaments.flow.counting import ledger
from tournaments.flow.profiles import head_to_head, leaderboards, queries
from tournaments.flow.profiles import year_review as years
from tournaments.flow.profiles.head_to_head import Rival
from tournaments.flow.profiles.leaderboards import SEASONS
from tournaments.flow.profiles.queries import Career, GameSum

router = Router(tags=["people"])
REFUSED: dict[int, Any] = {400: RefusalOut, **readers.REFUSED}


class BoardLineOut(Schema):
    """A line of a leaderboard. moved: places gained since `compared_with`; null if new on the list. rating: null
    without a rated game. spread: the ± of the rating. at_least: what the list by rating is sorted by. share: people
    beaten, in percent. tops: in how many deals they won the top rank.
    """

    place: int
    moved: int | None
    player_id: int
    name: str
    rating: int | None
    spread: int | None
    at_least: int | None
    is_settled: bool
    games: int
    share: int
    wins: int
    tops: int


class BoardOut(Schema):
    """A page of a leaderboard. compared_with: the moment to which `moved` refers, in seconds since 1970, or null.
    after: the parameter for the next page; null on the last one.
    """

    lines: list[BoardLineOut]
    compared_with: float | None
    after: str | None


class RatingOut(Schema):
    """A rating. game: its slug; empty for all games. number: the rating. spread: its ±."""

    game: str
    number: int
    spread: int
    is_settled: bool


class GameOut(Schema):
    """What a person has played of a game. average: mean place. best: the highest score, or null. feat: the highest
    ark, the fanciest animal or the longest duel, or null. share: people beaten, in percent, or null.
    """

    game: str
    games: int
    wins: int
    average: float
    best: int | None
    feat: int | None
    share: int | None


class RivalOut(Schema):
    """A person, and how often they met. times: how often."""

    player_id: int
    name: str
    times: int


class DealOut(Schema):
    """A deal of a career. table: its id. rank: of the job, 1 is the top. of: how many ranks there were. is_last:
    whether the game ended with it.
    """

    table: str
    deal: int
    at: float
    job: str
    rank: int
    of: int
    is_last: bool


class CareerOut(Schema):
    """A career in one game. average: mean rank, or null. reign: the longest time at the top, in deals. bottom: the
    longest time at the bottom, in deals. climb: the fastest way from the bottom to the top, in deals. promotions,
    falls: how many. is_reign_kept: whether the longest reign ended with its game and was not lost. jobs: deals by
    job, from the top. rivals: who took over jobs from this person.
    """

    game: str
    deals: int
    average: float | None
    reign: int | None
    bottom: int | None
    climb: int | None
    promotions: int
    falls: int
    is_reign_kept: bool
    jobs: dict[str, int]
    rivals: list[RivalOut]
    latest: list[DealOut]


class DealsOut(Schema):
    """A page of a career. deals: in order of play; page 1 has the latest. number: of this page. of: how many pages
    there are. total: how many deals.
    """

    deals: list[DealOut]
    number: int
    of: int
    total: int


class PersonOut(Schema):
    """A person's profile. ratings: over all games, and by game. games: by game."""

    id: int
    name: str
    ratings: list[RatingOut]
    games: list[GameOut]
    careers: list[CareerOut]
    years: list[int]


class DuelOut(Schema):
    """Two people compared, seen from the first one. tables: at how many tables both sat. ahead: at how many of them the
    first one finished ahead. level: at how many they shared a place. behind: at how many the second one finished ahead.
    demotions: how often the first one took a job from the second one. demoted: how often it was the other way round.
    """

    tables: int
    ahead: int
    level: int
    behind: int
    demotions: int
    demoted: int


class YearOut(Schema):
    """A year in review. tables: how many. months: tables by month. rating_before, rating_after: over all games, at
    the start and end of the year; null without a rated table in the year. gain: the difference, or null. games: by
    game. company: who sat at the same tables most often.
    """

    tables: int
    wins: int
    months: list[int]
    rating_before: int | None
    rating_after: int | None
    gain: int | None
    games: list[GameOut]
    careers: list[CareerOut]
    company: list[RivalOut]


class RecordHolderOut(Schema):
    """A person who holds a record."""

    player_id: int
    name: str


class BestOut(Schema):
    """A record. player_id, name: of the person who set it first. amount: in deals, points or plays. holders:
    everybody who shares it, the earliest first.
    """

    player_id: int
    name: str
    amount: int
    holders: list[RecordHolderOut]


class RecordsOut(Schema):
    """The records of a game, each null until it is set. reign: the longest time at the top. bottom: the longest time
    at the bottom. climb: the fastest way to the top. feat: the highest ark, the fanciest animal or the longest duel.
    """

    game: str
    reign: BestOut | None
    bottom: BestOut | None
    climb: BestOut | None
    feat: BestOut | None


def _find_reader(request: HttpRequest, slug: str = "") -> int | None:
    """The id of the player who asks about people (of this club). Raises AuthenticationError for an invalid key."""
    key = readers.find_key(request)
    return readers.find_reader(request, key.club_id if key is not None and key.club.slug == slug else None)


@router.get("/leaderboards", response={200: BoardOut, **REFUSED})
def show_board(
    request: HttpRequest, game: str = "", season: str = "", club: str = "", by: str = "rating", after: str = ""
) -> Any:
    """A page of a leaderboard."""
    query = leaderboards.read_query({"game": game, "season": season, "club": club, "by": by, "after": after})
    page = leaderboards.list_page(query, leaderboards.find_club(query.club, _find_reader(request, query.club)))
    return {
        "lines": [{**line._asdict(), "moved": line.moved} for line in page.lines],
        "compared_with": ledger.read_compared_with() or None,
        "after": None if page.next is None else f"{page.next[0]}_{page.next[1]}",
    }


@router.get("/people/{person}", response={200: PersonOut, **REFUSED})
def show_person(request: HttpRequest, person: int) -> Any:
    """A profile; 403 if it is private."""
    player = queries.find_person(person, _find_reader(request))
    totals = queries.list_totals(player)
    return {
        "id": player.pk,
        "name": player.name,
        "ratings": [standing._asdict() for standing in queries.list_standings(player)],
        "games": _describe_games(queries.sum_games(totals)),
        "careers": _describe_careers(queries.find_careers(player, totals)),
        "years": queries.list_years(player),
    }


@router.get("/people/{person}/careers/{game}", response={200: DealsOut, **REFUSED})
def show_career(request: HttpRequest, person: int, game: str, page: int = 1) -> Any:
    """A whole career, deal by deal. A page out of range means the nearest one."""
    found = queries.list_deals(queries.find_person(person, _find_reader(request)), game, page)
    return found._asdict() | {"deals": [deal._asdict() for deal in found.deals]}


@router.get("/people/{person}/against/{other}", response={200: DuelOut, **REFUSED})
def show_duel(request: HttpRequest, person: int, other: int) -> Any:
    """Two people compared, over all tables at which both sat."""
    reader = _find_reader(request)
    player, rival = queries.find_person(person, reader), queries.find_person(other, reader)
    if player == rival:
        raise NotFound("You cannot compare a person with themselves. Choose another person.")
    return head_to_head.compare(player, rival)._asdict()


@router.get("/people/{person}/years/{year}", response={200: YearOut, **REFUSED})
def show_year(request: HttpRequest, person: int, year: int) -> Any:
    """A year in review."""
    player = queries.find_person(person, _find_reader(request))
    if year not in SEASONS:
        raise NotFound("The year is not valid. Use a year such as 2026.")
    review = years.review(player, year)
    return review._asdict() | {
        "gain": review.gain,
        "games": _describe_games(review.games),
        "careers": _describe_careers(review.careers),
        "company": _describe_rivals(review.company),
    }


@router.get("/clubs/{slug}/records", response={200: list[RecordsOut], **REFUSED})
def show_records(request: HttpRequest, slug: str) -> Any:
    """The records of a club's members, game by game."""
    club = leaderboards.find_club(slug, _find_reader(request, slug))
    if club is None:
        raise NotFound("This club does not exist, or only its members can see it.")
    return [
        {
            name: _describe_best(value) if isinstance(value, ClubRecord) else value
            for name, value in game_records._asdict().items()
        }
        for game_records in club_records.list_records(club)
    ]


def _describe_best(best: ClubRecord) -> dict[str, Any]:
    holders = [{"player_id": holder.player_id, "name": holder.name} for holder in best.holders]
    return {**holders[0], "amount": best.amount, "holders": holders}


def _describe_games(rows: list[GameSum]) -> list[dict[str, Any]]:
    return [row._asdict() for row in rows]


def _describe_careers(careers: list[Career]) -> list[dict[str, Any]]:
    return [
        career.record._asdict()
        | {
            "game": career.game,
            "is_reign_kept": career.is_reign_kept,
            "jobs": {job: deals for job, deals, _ in career.shares},
            "rivals": _describe_rivals(career.rivals),
            "latest": [deal._asdict() for deal in career.entries],
        }
        for career in careers
    ]


def _describe_rivals(rivals: tuple[Rival, ...]) -> list[dict[str, Any]]:
    return [rival._asdict() for rival in rivals]
