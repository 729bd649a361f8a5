"""The JSON API: everything of clubs and tournaments that can be read, and results. `openapi.json` describes it."""

from __future__ import annotations

import time
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import NinjaAPI, Schema
from ninja.errors import ValidationError
from ninja.security import HttpBearer

from games.play.errors import NotAllowed, NotFound, Refusal
from tournaments.api_evenings import router
from tournaments.flow import keys, league, permissions, results
from tournaments.flow.archive import describe, public_rounds
from tournaments.flow.book import Book, open_book
from tournaments.models import ApiKey, Format, Pod, Role, Round, Tournament
from tournaments.readers import Said, find_club, reader_of
from tournaments.scoring.league import LeagueLine
from tournaments.scoring.points import WHOLE
from tournaments.scoring.standings import Standing

SHOWN = 100


class _Key(HttpBearer):
    """`Authorization: Bearer mng_…`, a key of the club."""

    def authenticate(self, request: HttpRequest, token: str) -> ApiKey | None:
        """The key, or None."""
        return keys.find(token)


api = NinjaAPI(
    title="Menagerie",
    version="1",
    description="Clubs, tournaments, pairings, standings, results. Points are 840ths of a round won.",
    docs_url=None,
    urls_namespace="api",
)
api.add_router("", router)


class ClubOut(Schema):
    """A club."""

    slug: str
    name: str
    about: str


class TournamentOut(Schema):
    """A tournament in a list. starts_at: ISO 8601 or null."""

    id: str
    name: str
    club: str
    game: str
    format: str
    phase: str
    version: int
    starts_at: str | None
    entrants: int


class EntrantOut(Schema):
    """number: from 1, by which the others refer to him."""

    number: int
    name: str
    bot: str
    status: str


class SeatOut(Schema):
    """place, score: null without a result."""

    entrant: int
    name: str
    place: int | None
    score: int | None
    fate: str


class PodOut(Schema):
    """A table of a round. table: of the online table, or null."""

    number: int
    is_online: bool
    table: str | None
    seats: list[SeatOut]
    is_void: bool


class RoundOut(Schema):
    """status: released or complete. byes, absent: numbers of entrants. ends_at: seconds since 1970 or null."""

    number: int
    stage: str
    status: str
    seed: str
    ends_at: float | None
    pods: list[PodOut]
    byes: list[int]
    absent: list[int]


class LineOut(Schema):
    """A line of the standings. tie_breaks: in the tournament's order, as text, null where one does not apply."""

    place: int
    entrant: int
    name: str
    points: int
    wins: int
    rounds: list[int | None]
    tie_breaks: list[str | None]


class StandingsOut(Schema):
    """after: the last round that counts, or null. tie_breaks: their names."""

    after: int | None
    tie_breaks: list[str]
    lines: list[LineOut]


class ResultIn(Schema):
    """By seat: places (1 is best, shared places are given twice) or scores, from which places follow."""

    places: list[int | None] | None = None
    scores: list[int | None] | None = None


@api.exception_handler(Refusal)
def refuse(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """Refusals as everywhere: a status and a sentence."""
    sentence = _(refusal.template) % refusal.values
    return api.create_response(request, {"status": refusal.status, "sentence": sentence}, status=refusal.status)


@api.exception_handler(ValidationError)
def refuse_form(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """What cannot be read."""
    where = ", ".join(".".join(map(str, one["loc"])) for one in error.errors[:3])
    sentence = _("This cannot be read: %(where)s.") % {"where": where}
    return api.create_response(request, {"status": 422, "sentence": sentence}, status=422)


def _find(request: HttpRequest, tournament_id: str) -> Tournament:
    tournament = Tournament.objects.select_related("club").filter(pk=tournament_id).first()
    if tournament is None:
        raise NotFound("There is no such tournament. Perhaps the link is incomplete.")
    reader = reader_of(request)
    if not permissions.can_see(tournament, reader, permissions.role_of(tournament.club, reader)):
        raise NotAllowed("This tournament is for members of its club. Ask its organiser for the link.")
    return tournament


@api.get("/clubs/{slug}", response={200: ClubOut, 403: Said, 404: Said})
def show_club(request: HttpRequest, slug: str) -> Any:
    """A club."""
    return find_club(request, slug)


@api.get("/clubs/{slug}/tournaments", response={200: list[TournamentOut], 403: Said, 404: Said})
def list_tournaments(request: HttpRequest, slug: str) -> Any:
    """The club's tournaments that the reader may see, newest first."""
    club = find_club(request, slug)
    reader = reader_of(request)
    role = permissions.role_of(club, reader)
    rows = Tournament.objects.filter(club=club).select_related("club").prefetch_related("entrants")
    shown = rows.order_by("-created_at")[:SHOWN]
    return [_tournament(one) for one in shown if permissions.can_see(one, reader, role)]


def _tournament(one: Tournament) -> dict[str, Any]:
    return {
        "id": one.pk,
        "name": one.name,
        "club": one.club.slug,
        "game": one.game,
        "format": one.format,
        "phase": one.phase,
        "version": one.version,
        "starts_at": one.starts_at.isoformat() if one.starts_at else None,
        "entrants": len(one.entrants.all()),
    }


@api.get("/tournaments/{tournament_id}", response={200: TournamentOut, 403: Said, 404: Said})
def show_tournament(request: HttpRequest, tournament_id: str) -> Any:
    """A tournament. `version` rises with everything that happens in it."""
    return _tournament(_find(request, tournament_id))


@api.get("/tournaments/{tournament_id}/entrants", response={200: list[EntrantOut], 403: Said, 404: Said})
def list_entrants(request: HttpRequest, tournament_id: str) -> Any:
    """Who is in it, in the order of entry."""
    return [
        {"number": one.number, "name": one.name, "bot": one.bot, "status": one.status}
        for one in _find(request, tournament_id).entrants.order_by("number")
    ]


@api.get("/tournaments/{tournament_id}/rounds", response={200: list[RoundOut], 403: Said, 404: Said})
def list_rounds(request: HttpRequest, tournament_id: str) -> Any:
    """Every released round with its tables and results."""
    book = open_book(_find(request, tournament_id))
    archived = {one.number: one for one in describe(book).rounds}
    return [_round(book, one, archived[one.number]) for one in public_rounds(book)]


def _round(book: Book, played: Round, archived: Any) -> dict[str, Any]:
    pods = book.pods.get(played.pk, ())
    return {
        "number": played.number,
        "stage": played.stage,
        "status": played.status,
        "seed": played.seed,
        "ends_at": played.ends_at,
        "pods": [_pod(book, pod, one) for pod, one in zip(pods, archived.pods, strict=True)],
        "byes": list(archived.byes),
        "absent": list(archived.absent),
    }


def _pod(book: Book, pod: Pod, archived: Any) -> dict[str, Any]:
    return {
        "number": pod.number,
        "is_online": pod.is_online,
        "table": pod.table_id,
        "is_void": archived.is_void,
        "seats": [
            {
                "entrant": seat.entrant,
                "name": book.by_key[str(seat.entrant)].name,
                "place": archived.places[index] if archived.places else None,
                "score": archived.scores[index] if archived.scores else None,
                "fate": seat.fate,
            }
            for index, seat in enumerate(archived.seats)
        ],
    }


@api.get("/tournaments/{tournament_id}/standings", response={200: StandingsOut, 403: Said, 404: Said})
def show_standings(request: HttpRequest, tournament_id: str, after: int | None = None) -> Any:
    """The standings after a complete round, the last one if none is named; in an arena after so many results."""
    book = open_book(_find(request, tournament_id))
    if book.tournament.format == Format.LEAGUE:
        raise NotFound("This is a season: ask for its table.")
    is_arena = book.tournament.format == Format.ARENA
    known = range(1, len(book.arena_games()) + 1) if is_arena else [one.number for one in book.complete_rounds()]
    rounds = [number for number in known if after is None or number <= after]
    lines = [_line(book, line) for line in book.standings(after)]
    return {
        "after": rounds[-1] if rounds else None,
        "tie_breaks": list(book.scheme.tie_breaks),
        "lines": lines,
    }


def _line(book: Book, line: Standing) -> dict[str, Any]:
    return {
        "place": line.place,
        "entrant": int(line.entrant),
        "name": book.by_key[line.entrant].name,
        "points": line.points,
        "wins": line.wins,
        "rounds": list(line.rounds),
        "tie_breaks": [None if value is None else str(value) for value in line.values],
    }


class SeasonLineOut(Schema):
    """A line of a season's table. points, results: rounds won, as decimals; results: by tournament, null: not there;

    counts: which of them are summed. tie_breaks: in the season's order, as text.
    """

    place: int
    name: str
    points: float
    played: int
    wins: int
    results: list[float | None]
    counts: list[bool]
    tie_breaks: list[str | None]


class SeasonOut(Schema):
    """after: how many tournaments count here; tournaments: those, in the order in which they were finished."""

    id: str
    name: str
    phase: str
    best_of: int | None
    after: int
    tournaments: list[str]
    tie_breaks: list[str]
    lines: list[SeasonLineOut]


@api.get("/seasons/{tournament_id}", response={200: SeasonOut, 403: Said, 404: Said})
def show_season(request: HttpRequest, tournament_id: str, after: int | None = None) -> Any:
    """The table of a season, after so many of its finished tournaments or all of them."""
    found = _find(request, tournament_id)
    if found.format != Format.LEAGUE:
        raise NotFound("There is no such season.")
    table = league.open_table(found)
    count = len(table.finished) if after is None else max(0, min(after, len(table.finished)))
    reader = reader_of(request)
    role = permissions.role_of(found.club, reader)
    return {
        "id": found.pk,
        "name": found.name,
        "phase": found.phase,
        "best_of": found.best_of,
        "after": count,
        "tournaments": [one.pk if permissions.can_see(one, reader, role) else "" for one in table.finished[:count]],
        "tie_breaks": list(table.season.tie_breaks),
        "lines": [_season_line(line) for line in table.standing(count)],
    }


def _season_line(line: LeagueLine) -> dict[str, Any]:
    return {
        "place": line.place,
        "name": line.person,
        "points": float(line.points / WHOLE),
        "played": line.played,
        "wins": line.wins,
        "results": [None if one is None else float(one / WHOLE) for one in line.results],
        "counts": list(line.counts),
        "tie_breaks": [None if value is None else str(value) for value in line.values],
    }


@api.post(
    "/tournaments/{tournament_id}/rounds/{number}/tables/{table}/result",
    auth=_Key(),
    response={200: RoundOut, 403: Said, 404: Said, 409: Said, 422: Said},
)
def post_result(request: HttpRequest, tournament_id: str, number: int, table: int, result: ResultIn) -> Any:
    """Decide the result of a table. With a key of the club whose maker is an organiser."""
    tournament = _find(request, tournament_id)
    key: ApiKey = request.auth  # type: ignore[attr-defined]
    if key.club_id != tournament.club_id:
        raise NotAllowed("That key belongs to another club.")
    permissions.require_role(tournament.club, key.made_by_id, Role.ORGANISER)
    pod = Pod.objects.filter(round__tournament=tournament, round__number=number, number=table).first()
    if pod is None:
        raise NotFound("There is no such table in this round.")
    seats = pod.seats.count()
    said = results.read_said(
        result.places or [None] * seats,
        result.scores or [None] * seats,
        seats=seats,
        needs_scores=results.needs_scores(tournament),
    )
    results.decide(tournament, key.made_by, pod.pk, said, now=time.time())
    book = open_book(Tournament.objects.select_related("club").get(pk=tournament_id))
    archived = {one.number: one for one in describe(book).rounds}
    played = next(one for one in book.rounds if one.number == number)
    return _round(book, played, archived[number])


api.add_router("", "tournaments.people_api.router")
