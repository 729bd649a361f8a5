"""The JSON API of teams: who plays for which, and their standings."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from tournaments.api import tournaments
from tournaments.api.readers import REFUSED, find_tournament
from tournaments.api.shapes import TeamOut, TeamStandingsOut
from tournaments.flow.standings import book_cache, team_ranking
from tournaments.flow.standings.book import Book
from tournaments.scoring.teams import TeamStanding, list_team_tie_breaks


@tournaments.router.get("/tournaments/{tournament_id}/teams", response={200: list[TeamOut], **REFUSED})
def list_teams(request: HttpRequest, tournament_id: str) -> Any:
    """The teams in the order in which they were named; empty in a tournament without teams."""
    return describe_teams(book_cache.read(find_tournament(request, tournament_id)))


def describe_teams(book: Book) -> list[dict[str, Any]]:
    """A list of `TeamOut`."""
    return [
        {
            "number": team.number,
            "name": team.name,
            "members": [
                {
                    "entrant": book.entrants[member.entrant_id].number,
                    "name": book.entrants[member.entrant_id].name,
                    "first": member.first_round,
                    "last": member.last_round,
                    "is_captain": member.is_captain,
                    "is_substitute": member.is_substitute,
                }
                for member in book.team_members
                if member.team_id == team.pk
            ],
        }
        for team in book.teams.values()
    ]


@tournaments.router.get("/tournaments/{tournament_id}/team-standings", response={200: TeamStandingsOut, **REFUSED})
def show_team_standings(request: HttpRequest, tournament_id: str, after: int | None = None) -> Any:
    """The team standings after a complete round, by default the last one; no lines in a tournament without teams."""
    book = book_cache.read(find_tournament(request, tournament_id))
    numbers = book.scored_rounds(after)
    return {
        "after": numbers[-1] if numbers else None,
        "best": team_ranking.count_best(book),
        "tie_breaks": list(list_team_tie_breaks(book.scheme)),
        "lines": [_describe_line(book, line) for line in team_ranking.rank_teams(book, after)],
    }


def _describe_line(book: Book, line: TeamStanding) -> dict[str, Any]:
    return {
        "place": line.place,
        "team": int(line.team),
        "name": team_ranking.find_team(book, line.team).name,
        "points": line.points,
        "rounds": [played.points for played in line.rounds],
        "counted": [[int(entrant) for entrant in played.counted] for played in line.rounds],
        "penalties": line.penalties,
        "tie_breaks": [None if value is None else str(value) for value in line.values],
    }
