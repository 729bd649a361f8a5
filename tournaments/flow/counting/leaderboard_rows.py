"""Rows of leaderboards. Each result counts on four boards: of its game and of all games, this year and all time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeAlias

from django.db import transaction

from games.models import Player
from tournaments.flow.counting import ledger, place_counts
from tournaments.flow.counting.bulk_updates import RowDifference, update_rows, write_differences
from tournaments.flow.counting.calendar_years import season_of
from tournaments.models import Board, BoardRow, PersonResult
from tournaments.ratings.placement import Rating, find_cautious_share
from tournaments.scoring.points import WHOLE

Ratings: TypeAlias = dict[tuple[str, int], Rating]
"""Ratings by game ("" for the rating of all games) and player id."""
Key: TypeAlias = tuple[str, int]
"""A board: game or "", season or 0."""
ROWS_PER_WRITE: Final = 200
"""Rows written together, while nobody else can write."""


@dataclass(slots=True)
class BoardCounts:
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
    was_rating: int | None = None
    was_share: int | None = None
    was_games: int | None = None
    was_wins: int | None = None
    was_tops: int | None = None


class RatedResult(NamedTuple):
    """The columns of a result that leaderboards use."""

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


COLUMNS = tuple(field.name for field in fields(BoardCounts))
values_of: Callable[[Any], tuple[Any, ...]] = attrgetter(*COLUMNS)
"""The values of a row, stored or not."""


@dataclass(slots=True)
class BoardLine(BoardCounts):
    """A row with its place: on a board, of a person. pk: 0 for one that is not stored yet."""

    pk: int = 0
    board_id: int = 0
    player_id: int = 0
    is_listed: bool = True


class Change(NamedTuple):
    """What is wrong with the boards: a row as it is (None: there is none) and as it should be (None: there should be
    none)."""

    key: Key
    player_id: int
    stored: BoardLine | None
    wanted: BoardCounts | None


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


def keys_of(result: PersonResult | RatedResult) -> Iterator[Key]:
    """The boards on which a result counts: none without a second person at the table."""
    if result.people > 1:
        year = season_of(result.ended_at)
        yield from ((result.game, 0), (result.game, year), ("", 0), ("", year))


def add(results: Sequence[PersonResult]) -> None:
    """Add the results of one table to the boards. The ledger is locked."""
    boards = {key: find_board(key) for result in results for key in keys_of(result)}
    players = [result.player_id for result in results]
    rows = {
        (row.board_id, row.player_id): row
        for row in BoardRow.objects.filter(board__in=boards.values(), player__in=players)
    }
    clubs = place_counts.clubs_of(players)
    before = place_counts.spots_of(rows.values(), clubs)
    listed = dict(Player.objects.filter(pk__in=players).values_list("pk", "is_listed"))
    compared_with = ledger.read_compared_with()
    for result in results:
        for key in keys_of(result):
            place = (boards[key].pk, result.player_id)
            row = rows.setdefault(place, _new_row(boards[key], result.player_id, is_listed=listed[result.player_id]))
            add_result(row, result, game=key[0])
    old, new = [row for row in rows.values() if row.pk], [row for row in rows.values() if not row.pk]
    BoardRow.objects.bulk_create(new)
    update_rows(old, COLUMNS)
    place_counts.move(before, place_counts.spots_of(rows.values(), clubs))
    if any(result.ended_at < compared_with for result in results):
        refresh(players)


def _new_row(board: Board, player_id: int, *, is_listed: bool) -> BoardRow:
    return BoardRow(board=board, player_id=player_id, is_listed=is_listed)


def find_board(key: Key) -> Board:
    """The board of this game and season; created if there is none."""
    return Board.objects.get_or_create(game=key[0], season=key[1])[0]


def add_result(row: BoardCounts | BoardRow, result: PersonResult | RatedResult, *, game: str) -> None:
    """Add one result to a row of a board of this game ("": of all games)."""
    _add_result(row, result, game)
    _order(row)


def _add_result(row: BoardCounts | BoardRow, result: PersonResult | RatedResult, game: str) -> None:
    row.games += 1
    row.wins += result.rank == 1
    row.tops += result.tops
    row.beaten += result.beaten
    mu, sigma = (result.mu, result.sigma) if game else (result.total_mu, result.total_sigma)
    if mu is not None and sigma is not None:
        row.rated += 1
        row.mu, row.sigma = mu, sigma


def _order(row: BoardCounts | BoardRow) -> None:
    """Set the columns by which the lists by rating and by share are ordered."""
    row.by_rating = order_rating(row)
    row.by_share = order_share(row)


def order_rating(row: BoardCounts | BoardRow) -> int:
    """What the list by rating is ordered by: the cautious rating, in points."""
    return BoardRow.UNRATED if row.mu is None or row.sigma is None else Rating(row.mu, row.sigma).cautious


def order_share(row: BoardCounts | BoardRow) -> int:
    """What the list by share is ordered by: the cautious share of people beaten, in 840ths."""
    return round(WHOLE * find_cautious_share(row.beaten / (WHOLE * row.games), row.games)) if row.games else 0


def keep(row: BoardCounts | BoardRow) -> None:
    """Store the present values of a row as those that it is compared with later."""
    _order(row)
    row.was_rating, row.was_share = row.by_rating, row.by_share
    row.was_games, row.was_wins, row.was_tops = row.games, row.wins, row.tops


def derive(player_ids: Sequence[int]) -> dict[tuple[Key, int], BoardCounts]:
    """The rows of these people on all boards, from their results."""
    rows: dict[tuple[Key, int], BoardCounts] = {}
    compared_with, is_kept = ledger.read_compared_with(), False
    results = PersonResult.objects.filter(player__in=player_ids).order_by("ended_at", "counted")
    for values in results.values_list(*RatedResult._fields):
        result = RatedResult(*values)
        if not is_kept and result.ended_at >= compared_with:
            _keep_all(rows.values())
            is_kept = True
        for key in keys_of(result):
            row = rows.get((key, result.player_id))
            if row is None:
                row = rows[key, result.player_id] = BoardCounts()
            _add_result(row, result, key[0])
    if not is_kept:
        _keep_all(rows.values())
    for row in rows.values():
        _order(row)
    return rows


def _keep_all(rows: Iterable[BoardCounts]) -> None:
    for row in rows:
        keep(row)


def refresh(player_ids: Sequence[int]) -> int:
    """Correct the rows of these people from their results; returns how many were wrong."""
    return sum(correct_rows(player_ids))


def correct_rows(player_ids: Sequence[int]) -> Iterator[int]:
    """As `refresh`, in small steps; yields how many rows each has written. Correct rows are read without locks."""
    yield from ledger.compare_in_batches(lambda: _compare(player_ids), _write, most=ROWS_PER_WRITE)


def _compare(player_ids: Sequence[int]) -> list[Change]:
    boards = {pk: (game, season) for pk, game, season in Board.objects.values_list("pk", "game", "season")}
    rows = BoardRow.objects.filter(player__in=player_ids)
    stored = {
        (boards[line.board_id], line.player_id): line
        for values in rows.values_list(*COLUMNS, "pk", "board_id", "player_id", "is_listed")
        for line in [BoardLine(*values)]
    }
    wanted = derive(player_ids)
    wrong = [
        Change(key, player_id, line, tally)
        for (key, player_id), tally in wanted.items()
        for line in [stored.get((key, player_id))]
        if line is None or values_of(line) != values_of(tally)
    ]
    return wrong + [Change(*key, line, None) for key, line in stored.items() if key not in wanted]


def _write(changes: Sequence[Change]) -> None:
    """The ledger is locked."""
    players = {change.player_id for change in changes}
    hidden = set(Player.objects.filter(pk__in=players, is_listed=False).values_list("pk", flat=True))
    pairs = [(change.stored, _place_change(change, hidden)) for change in changes]
    BoardRow.objects.filter(pk__in=[old.pk for old, new in pairs if old and not new]).delete()
    BoardRow.objects.bulk_create([_new(new) for old, new in pairs if new and not old])
    wrong = [RowDifference(old.pk, values_of(old), values_of(new)) for old, new in pairs if old and new]
    write_differences(BoardRow, COLUMNS, wrong)
    place_counts.add(place_counts.moves_of(pairs, place_counts.clubs_of(players)))


def _place_change(change: Change, hidden: Collection[int]) -> BoardLine | None:
    old, wanted = change.stored, change.wanted
    if wanted is None:
        return None
    if old is not None:
        place = old.pk, old.board_id, old.player_id, old.is_listed
    else:
        place = 0, find_board(change.key).pk, change.player_id, change.player_id not in hidden
    return BoardLine(*(values_of(wanted) + place))


def _new(line: BoardLine) -> BoardRow:
    values = dict(zip(COLUMNS, values_of(line), strict=True))
    return BoardRow(board_id=line.board_id, player_id=line.player_id, is_listed=line.is_listed, **values)


def follow_person(player_id: int) -> None:
    """Update a person's rows after they chose to be listed or not."""
    with transaction.atomic():
        ledger.lock()
        is_listed = Player.objects.filter(pk=player_id).values_list("is_listed", flat=True).first()
        rows = list(BoardRow.objects.filter(player=player_id, is_listed=not is_listed))
        if is_listed is None or not rows:
            return
        clubs = place_counts.clubs_of([player_id])
        before = place_counts.spots_of(rows, clubs)
        BoardRow.objects.filter(player=player_id).update(is_listed=is_listed)
        for row in rows:
            row.is_listed = is_listed
        place_counts.move(before, place_counts.spots_of(rows, clubs))
