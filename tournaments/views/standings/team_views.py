"""Teams and their standings as pages show them."""

from __future__ import annotations

from typing import Any

from tournaments.flow.standings import team_ranking
from tournaments.flow.standings.book import Book
from tournaments.models import Entrant
from tournaments.scoring.teams import TeamStanding, list_team_tie_breaks
from tournaments.views.standings import tournament_view
from tournaments.views.standings.badges import find_badge
from tournaments.words.terms import say_points


def describe_team_standings(book: Book, after: int | None, me: Entrant | None = None) -> dict[str, Any]:
    """Template context of the team standings after a round: `team_lines` is empty without teams."""
    lines = team_ranking.rank_teams(book, after)
    columns = find_team_columns(book, lines)
    names = list_team_tie_breaks(book.scheme)
    own = None if me is None else book.find_team(me)
    return {
        "team_lines": [_describe_line(book, line, columns, is_mine=own == _find_team(book, line)) for line in lines],
        "team_tie_breaks": tournament_view.name_tie_breaks(names[at] for at in columns),
        "team_numbers": book.scored_rounds(after),
        "has_team_penalties": any(line.penalties for line in lines),
        "team_best": team_ranking.count_best(book),
    }


def find_team_columns(book: Book, lines: tuple[TeamStanding, ...]) -> tuple[int, ...]:
    """The indexes of the tie-breaks that separate teams with equal points."""
    used = set()
    for line in lines:
        for other in lines:
            if line.points == other.points and line.place < other.place:
                used.add(next(at for at in range(len(line.values)) if line.values[at] != other.values[at]))
    return tuple(sorted(used))


def _find_team(book: Book, line: TeamStanding) -> object:
    return team_ranking.find_team(book, line.team)


def _describe_line(book: Book, line: TeamStanding, columns: tuple[int, ...], *, is_mine: bool) -> dict[str, Any]:
    team, names = team_ranking.find_team(book, line.team), list_team_tie_breaks(book.scheme)
    return {
        "place": line.place,
        "name": team.name,
        "is_mine": is_mine,
        "points": say_points(line.points),
        "rounds": ["" if played.points is None else say_points(played.points) for played in line.rounds],
        "penalty": say_points(-line.penalties) if line.penalties else "",
        "values": [(names[at], tournament_view.say_tie_break(names[at], line.values[at])) for at in columns],
        "people": [book.entrants[member.entrant_id].name for member in team_ranking.list_members(book, team)],
    }


def list_teams(book: Book) -> list[dict[str, Any]]:
    """The teams by number, each with the people who play for it now."""
    return [
        {
            "pk": team.pk,
            "name": team.name,
            "members": [
                {
                    "pk": member.entrant_id,
                    "name": book.entrants[member.entrant_id].name,
                    "badge": find_badge(book, book.entrants[member.entrant_id]),
                    "is_bot": bool(book.entrants[member.entrant_id].bot),
                    "is_captain": member.is_captain,
                    "is_substitute": member.is_substitute,
                    "first_round": member.first_round,
                }
                for member in team_ranking.list_members(book, team)
            ],
        }
        for team in book.teams.values()
    ]
