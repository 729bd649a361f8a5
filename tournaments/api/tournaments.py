"""The JSON API of tournaments: reading them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from django.db.models import Count, DateTimeField, Q, QuerySet, Value
from django.db.models.functions import Cast
from django.http import HttpRequest, HttpResponse

from games.play.errors import NotFound
from games.records.stand_ins import dump_stand_in
from tournaments import formats
from tournaments.api import cached_rounds
from tournaments.api.readers import (
    PAGE_ROWS,
    REFUSED,
    Page,
    filter_visible,
    find_club,
    find_reader,
    find_season,
    find_tournament,
    query_own_clubs,
)
from tournaments.api.routes import Router
from tournaments.api.shapes import (
    DealOut,
    EntrantOut,
    RoundOut,
    StandingsOut,
    TournamentOut,
    WholeTournamentOut,
)
from tournaments.flow import duplicate_commitments
from tournaments.flow.archive.season_document import LEAGUE, describe_agreement
from tournaments.flow.archive.tournament_document import PUBLIC, public_rounds, publish_lot
from tournaments.flow.counting import stand_in_records
from tournaments.flow.planning import tournament_plan
from tournaments.flow.standings import book_cache, ranking
from tournaments.flow.standings.arena_games import find_games
from tournaments.flow.standings.book import Book
from tournaments.models import Entrant, Season, TeamMember, Tournament
from tournaments.scoring.standings import Standing

router = Router(tags=["tournaments"])


@router.get("/tournaments", response={200: list[TournamentOut], **REFUSED})
def list_all(request: HttpRequest, page: Page = 1) -> Any:
    """Public tournaments and seasons, and those of the reader's clubs, the newest first, a hundred a page.

    After the last page the list is empty. A season has the format "league".
    """
    seen = Q(is_public=True) | Q(club__in=query_own_clubs(request))
    return _list_both(Tournament.objects.filter(seen), Season.objects.filter(seen), page)


@router.get("/clubs/{slug}/tournaments", response={200: list[TournamentOut], **REFUSED})
def list_tournaments(request: HttpRequest, slug: str, page: Page = 1) -> Any:
    """The club's tournaments and seasons that the reader may see, the newest first, a hundred a page.

    After the last page the list is empty. A season has the format "league".
    """
    club = find_club(request, slug)
    seen = filter_visible(club, find_reader(request, club.pk))
    seasons = Season.objects.filter(club=club)
    if seen:
        seasons = seasons.filter(is_public=True)
    return _list_both(Tournament.objects.filter(seen, club=club), seasons, page)


class _ListedTournament(NamedTuple):
    """A tournament or season in a list."""

    pk: str
    name: str
    club: str
    game: str
    format: str
    phase: str
    version: int
    starts_at: datetime | None


def _list_both(tournaments: QuerySet[Tournament], seasons: QuerySet[Season], page: int) -> list[dict[str, Any]]:
    columns = ("pk", "name", "club__slug", "game", "format", "phase", "version", "starts_at", "created_at")
    nowhen = Cast(Value(None), DateTimeField(null=True))
    others: QuerySet[Any, Any] = seasons.annotate(format=Value(LEAGUE), starts_at=nowhen)
    both = tournaments.values_list(*columns).union(others.values_list(*columns), all=True)
    rows = [
        _ListedTournament(*row[:-1])
        for row in both.order_by("-created_at", "pk")[(page - 1) * PAGE_ROWS : page * PAGE_ROWS]
    ]
    entrants = _count_entrants(listed_tournament.pk for listed_tournament in rows)
    return [_describe(listed_tournament, entrants[listed_tournament.pk]) for listed_tournament in rows]


def _count_entrants(ids: Iterable[str]) -> Counter[str]:
    """Numbers of entrants by tournament, for these ids."""
    rows = Entrant.objects.filter(tournament__in=list(ids)).order_by().values_list("tournament")
    return Counter(dict(rows.annotate(count=Count("pk"))))


def _describe_tournament(tournament: Tournament, entrants: int) -> dict[str, Any]:
    row = (
        tournament.pk,
        tournament.name,
        tournament.club.slug,
        tournament.game,
        tournament.format,
        tournament.phase,
        tournament.version,
        tournament.starts_at,
    )
    return _describe(_ListedTournament(*row), entrants)


def _describe(listed: _ListedTournament, entrants: int) -> dict[str, Any]:
    return {
        "id": listed.pk,
        "name": listed.name,
        "club": listed.club,
        "game": listed.game,
        "format": listed.format,
        "phase": listed.phase,
        "version": listed.version,
        "starts_at": listed.starts_at.isoformat() if listed.starts_at else None,
        "entrants": entrants,
    }


@router.get("/tournaments/{tournament_id}", response={200: WholeTournamentOut, **REFUSED})
def show_tournament(request: HttpRequest, tournament_id: str) -> Any:
    """A tournament or season. `version` rises with each change.

    A season itself has no entrants and penalties; its tournaments do.
    """
    try:
        found = find_tournament(request, tournament_id)
    except NotFound:
        if not Season.objects.filter(pk=tournament_id).exists():
            raise
        return _describe_season(find_season(request, tournament_id))
    return describe_whole(found)


def describe_whole(found: Tournament) -> dict[str, Any]:
    """A `WholeTournamentOut`."""
    return _describe_tournament(found, _count_entrants([found.pk])[found.pk]) | {
        "agreement": msgspec.to_builtins(tournament_plan.read(found)),
        "lot_seed": publish_lot(found, has_begun=found.rounds.filter(status__in=PUBLIC).exists()),
        "penalties": list_penalties(found),
    }


def list_penalties(found: Tournament) -> list[dict[str, Any]]:
    """A list of `PenaltyOut`."""
    rows = found.penalties.order_by("pk").values_list("entrant__number", "round_number", "points", "reason")
    return [
        {"entrant": number, "round": in_round, "points": points, "reason": reason}
        for number, in_round, points, reason in rows
    ]


def _describe_season(season: Season) -> dict[str, Any]:
    row = _ListedTournament(
        season.pk, season.name, season.club.slug, season.game, LEAGUE, season.phase, season.version, None
    )
    agreement = msgspec.to_builtins(describe_agreement(season))
    return _describe(row, 0) | {"agreement": agreement, "lot_seed": season.lot_seed, "penalties": []}


@router.get("/tournaments/{tournament_id}/entrants", response={200: list[EntrantOut], **REFUSED})
def list_entrants(request: HttpRequest, tournament_id: str) -> Any:
    """The entrants in order of entry."""
    entrants = describe_entrants(find_tournament(request, tournament_id))
    return [entrant | {"fixed_table": None} for entrant in entrants]  # why is nobody else's business


def describe_entrants(found: Tournament) -> list[dict[str, Any]]:
    """A list of `EntrantOut` in order of entry."""
    teams = _number_teams(TeamMember.objects.filter(team__tournament=found))
    return [_describe_entrant(entrant, teams.get(entrant.pk)) for entrant in found.entrants.order_by("number")]


def describe_entrant(entrant: Entrant) -> dict[str, Any]:
    """An `EntrantOut`."""
    return _describe_entrant(entrant, _number_teams(TeamMember.objects.filter(entrant=entrant)).get(entrant.pk))


def _number_teams(members: QuerySet[TeamMember]) -> dict[int, int]:
    """The number of the present team of each of these entrants, by their id."""
    return dict(members.filter(last_round=None).values_list("entrant", "team__number"))


def _describe_entrant(entrant: Entrant, team: int | None) -> dict[str, Any]:
    return {
        "number": entrant.number,
        "name": entrant.name,
        "bot": entrant.bot,
        "status": entrant.status,
        "is_away": entrant.is_away,
        "joined": entrant.joined_round,
        "seed": entrant.rank_hint,
        "club": entrant.club_name,
        "is_filler": entrant.is_filler,
        "is_on_device": entrant.is_on_device,
        "person": entrant.player_id,
        "fixed_table": entrant.fixed_table,
        "team": team,
    }


@router.get("/tournaments/{tournament_id}/rounds", response={200: list[RoundOut], **REFUSED})
def list_rounds(request: HttpRequest, tournament_id: str) -> Any:
    """The released rounds with their tables and results."""
    book = book_cache.read(find_tournament(request, tournament_id))
    return _send_json(cached_rounds.write_rounds(book, public_rounds(book)))


@router.get("/tournaments/{tournament_id}/deals", response={200: list[DealOut], **REFUSED})
def list_deals(request: HttpRequest, tournament_id: str) -> Any:
    """The commitments to duplicate deals, those of later rounds, too, with contributions and published secrets."""
    return [
        {
            "tournament": deals.deal.tournament,
            "round": deals.number,
            "seating": deals.seating,
            "attempt": deals.attempt,
            "commitment": deals.deal.commitment,
            "committed_at": deals.committed_at,
            "closed_at": deals.closed_at,
            "revealed_at": deals.revealed_at,
            "contributions": duplicate_commitments.list_contributions(deals),
            "secret": deals.deal.secret if deals.revealed_at is not None else "",
        }
        for deals in duplicate_commitments.list_commitments(find_tournament(request, tournament_id))
    ]


def _send_json(text: str) -> HttpResponse:
    """Send text that is JSON already."""
    return HttpResponse(text, content_type="application/json; charset=utf-8")


@router.get("/tournaments/{tournament_id}/standings", response={200: StandingsOut, **REFUSED})
def show_standings(request: HttpRequest, tournament_id: str, after: int | None = None) -> Any:
    """The standings after a complete round, by default the last one; in an arena after so many results."""
    book = book_cache.read(find_tournament(request, tournament_id))
    has_rounds = formats.of(book.tournament).has_rounds
    numbers = (
        [played.number for played in book.complete_rounds()] if has_rounds else range(1, len(find_games(book).over) + 1)
    )
    rounds = [number for number in numbers if after is None or number <= after]
    stand_ins = stand_in_records.count_stand_ins(book, after)
    lines = [_describe_line(book, line, stand_ins.get(line.entrant)) for line in ranking.rank(book, after)]
    return {
        "after": rounds[-1] if rounds else None,
        "tie_breaks": list(ranking.list_tie_breaks(book)),
        "lines": lines,
    }


def _describe_line(book: Book, line: Standing, stand_ins: stand_in_records.StandInCount | None) -> dict[str, Any]:
    return {
        "place": line.place,
        "entrant": int(line.entrant),
        "name": book.by_key[line.entrant].name,
        "person": book.by_key[line.entrant].player_id,
        "points": line.points,
        "wins": line.wins,
        "rounds": list(line.rounds),
        "penalties": line.penalties,
        "tie_breaks": [None if value is None else str(value) for value in line.values],
        "stand_ins": [
            {"round": number, **dump_stand_in(one)} for number, one in (stand_ins.rounds if stand_ins else ())
        ],
    }
