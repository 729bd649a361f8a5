"""The team standings of a tournament after a round, cached in the book."""

from __future__ import annotations

from tournaments.flow.standings import ranking
from tournaments.flow.standings.book import Book
from tournaments.models import LAST_STAGES, Team, TeamMember
from tournaments.scoring import teams
from tournaments.scoring.teams import TeamLineup, TeamPlayer, TeamStanding


def count_best(book: Book) -> int:
    """How many scores count for a team in each round; 0 in a tournament without teams."""
    return book.tournament.team_best or book.tournament.team_size or 0


def has_teams(book: Book) -> bool:
    """Whether this is a tournament of teams, and at least one is named."""
    return book.tournament.team_size is not None and bool(book.teams)


def rank_teams(book: Book, after: int | None = None, *, live: bool = False) -> tuple[TeamStanding, ...]:
    """The team standings after this round (None: the last complete one), best first; empty without teams.

    live: include the results of the running round.
    """
    if not has_teams(book):
        return ()
    counted = [played for played in ranking.list_counted(book, after, live=live) if played.stage not in LAST_STAGES]
    rounds = {played.number: book.round_result(played) for played in counted}
    best = count_best(book)
    way = ("team standings", book.scheme, best, *rounds)
    made_of = (book.entrants, book.teams, book.team_members, *rounds.values())
    return book.derived.get(way, made_of, lambda: teams.rank_teams(list_lineups(book), rounds, book.scheme, best=best))


def list_lineups(book: Book) -> tuple[TeamLineup, ...]:
    """The teams and their people as scoring sees them, in the order of their numbers."""
    return tuple(
        TeamLineup(
            str(team.number),
            tuple(
                TeamPlayer(book.key(member.entrant_id), member.first_round, member.last_round)
                for member in book.team_members
                if member.team_id == team.pk
            ),
        )
        for team in book.teams.values()
    )


def find_team(book: Book, key: str) -> Team:
    """The team of this key in scoring."""
    return next(team for team in book.teams.values() if str(team.number) == key)


def list_members(book: Book, team: Team) -> list[TeamMember]:
    """Who plays for a team now: the captain first, then the other members, then substitutes, each by entry."""
    current = [member for member in book.team_members if member.team_id == team.pk and member.last_round is None]
    return sorted(
        current,
        key=lambda member: (not member.is_captain, member.is_substitute, book.entrants[member.entrant_id].number),
    )
