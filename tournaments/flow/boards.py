"""Leaderboards follow counted tables: four boards a result, this game's and the one of all, of this year and ever."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeAlias

from django.db import transaction

from games.models import Player
from tournaments.flow import ledger, spots
from tournaments.flow.rows import write_again
from tournaments.models import Board, BoardRow, PersonResult
from tournaments.ratings.placement import SETTLED_AFTER, Rating, is_settled

Ratings: TypeAlias = dict[tuple[str, int], Rating]
"""By game ("" for the rating of all games) and player."""
Key: TypeAlias = tuple[str, int]
"""Of a board: game or "", season or 0."""


@dataclass(slots=True)
class Tally:
    """What a row of a board counts, without the row: the same columns."""

    games: int = 0
    wins: int = 0
    tops: int = 0
    beaten: int = 0
    rated: int = 0
    mu: float | None = None
    sigma: float | None = None
    by_rating: int = 0
    by_share: int = 0


class Rated(NamedTuple):
    """What of a result boards look at."""

    player_id: int
    game: str
    ended_at: float
    rank: int
    people: int
    beaten: int
    tops: int
    mu: float | None
    sigma: float | None
    total_mu: float | None
    total_sigma: float | None


COLUMNS = tuple(field.name for field in fields(Tally))


def ratings_before(results: Sequence[PersonResult]) -> Ratings:
    """The present ratings of these people, in the game of these results and in all games."""
    games = {"", *(result.game for result in results)}
    rows = BoardRow.objects.filter(
        board__season=0, board__game__in=games, player__in=[result.player_id for result in results], mu__isnull=False
    )
    return {
        (game, player): Rating(mu, sigma)
        for game, player, mu, sigma in rows.values_list("board__game", "player_id", "mu", "sigma")
        if mu is not None and sigma is not None
    }


def keys_of(result: PersonResult | Rated) -> Iterator[Key]:
    """The boards that a result goes to: none without a second person at the table."""
    if result.people > 1:
        year = datetime.fromtimestamp(result.ended_at, tz=UTC).year
        yield from ((game, season) for game in (result.game, "") for season in (0, year))


def add(results: Sequence[PersonResult]) -> None:
    """Add the results of one table to the boards. The ledger is locked."""
    boards = {key: find_board(key) for result in results for key in keys_of(result)}
    players = [result.player_id for result in results]
    known = {
        (row.board_id, row.player_id): row
        for row in BoardRow.objects.filter(board__in=boards.values(), player__in=players)
    }
    clubs = spots.clubs_of(players)
    before = spots.spots_of(known.values(), clubs)
    listed = dict(Player.objects.filter(pk__in=players).values_list("pk", "is_listed"))
    for result in results:
        for key in keys_of(result):
            place = (boards[key].pk, result.player_id)
            row = known.setdefault(place, _new_row(boards[key], result.player_id, is_listed=listed[result.player_id]))
            credit(row, result, game=key[0])
    BoardRow.objects.bulk_create([row for row in known.values() if row.pk is None])
    write_again([row for row in known.values() if row.pk is not None], COLUMNS)
    spots.move(before, spots.spots_of(known.values(), clubs))


def _new_row(board: Board, player_id: int, *, is_listed: bool) -> BoardRow:
    return BoardRow(board=board, player_id=player_id, is_listed=is_listed)


def find_board(key: Key) -> Board:
    """The board of this game and season, made if it is the first time."""
    return Board.objects.get_or_create(game=key[0], season=key[1])[0]


def credit(row: Tally | BoardRow, result: PersonResult | Rated, *, game: str) -> None:
    """Add one result to a row of a board of this game ("": of all games)."""
    row.games += 1
    row.wins += result.rank == 1
    row.tops += result.tops
    row.beaten += result.beaten
    mu, sigma = (result.mu, result.sigma) if game else (result.total_mu, result.total_sigma)
    if mu is not None and sigma is not None:
        row.rated += 1
        row.mu, row.sigma = mu, sigma
    row.by_rating = order_rating(row)
    row.by_share = round(row.beaten / row.games) + (BoardRow.SETTLED if row.games >= SETTLED_AFTER else 0)


def order_rating(row: Tally | BoardRow) -> int:
    """What the list by rating is ordered by: settled ratings before provisional ones, those before none."""
    if row.mu is None or row.sigma is None:
        return -BoardRow.SETTLED
    return Rating(row.mu, row.sigma).number + (BoardRow.SETTLED if is_settled(row.rated) else 0)


def derive(player_ids: Sequence[int]) -> dict[tuple[Key, int], Tally]:
    """The rows of these people on all boards, from their results."""
    rows: dict[tuple[Key, int], Tally] = {}
    results = PersonResult.objects.filter(player__in=player_ids).order_by("ended_at", "counted")
    for values in results.values_list(*Rated._fields):
        result = Rated(*values)
        for key in keys_of(result):
            credit(rows.setdefault((key, result.player_id), Tally()), result, game=key[0])
    return rows


def refresh(player_ids: Sequence[int]) -> int:
    """Bring the rows of these people to what their results say; how many were wrong. Only then anybody waits."""
    if not _differs(player_ids):
        return 0
    with transaction.atomic():
        ledger.lock()
        stored = {(row.board_id, row.player_id): row for row in BoardRow.objects.filter(player__in=player_ids)}
        clubs = spots.clubs_of(player_ids)
        before = spots.spots_of(stored.values(), clubs)
        hidden = set(Player.objects.filter(pk__in=player_ids, is_listed=False).values_list("pk", flat=True))
        new: list[BoardRow] = []
        wrong: list[BoardRow] = []
        derived = derive(player_ids)
        boards = {key: find_board(key) for key in {key for key, _ in derived}}
        for (key, player_id), tally in derived.items():
            row = stored.pop((boards[key].pk, player_id), None)
            is_new = row is None
            row = row or _new_row(boards[key], player_id, is_listed=player_id not in hidden)
            if is_new or _values(row) != _values(tally):
                for column in COLUMNS:
                    setattr(row, column, getattr(tally, column))
                (new if is_new else wrong).append(row)
        BoardRow.objects.filter(pk__in=[row.pk for row in stored.values()]).delete()
        BoardRow.objects.bulk_create(new)
        write_again(wrong, COLUMNS)
        after = spots.spots_of(BoardRow.objects.filter(player__in=player_ids), clubs)
        spots.move(before, after)
        return len(new) + len(wrong) + len(stored)


def _differs(player_ids: Sequence[int]) -> bool:
    rows = BoardRow.objects.filter(player__in=player_ids)
    columns = "board__game", "board__season", "player_id", *COLUMNS
    stored = {((game, season), player): values for game, season, player, *values in rows.values_list(*columns)}
    return stored != {key: _values(row) for key, row in derive(player_ids).items()}


def _values(row: Tally | BoardRow) -> list[Any]:
    return [getattr(row, column) for column in COLUMNS]


def follow_person(player_id: int) -> None:
    """Somebody wants to be listed from now on, or not any more."""
    with transaction.atomic():
        ledger.lock()
        is_listed = Player.objects.filter(pk=player_id).values_list("is_listed", flat=True).first()
        rows = list(BoardRow.objects.filter(player=player_id, is_listed=not is_listed))
        if is_listed is None or not rows:
            return
        clubs = spots.clubs_of([player_id])
        before = spots.spots_of(rows, clubs)
        BoardRow.objects.filter(player=player_id).update(is_listed=is_listed)
        for row in rows:
            row.is_listed = is_listed
        spots.move(before, spots.spots_of(rows, clubs))
