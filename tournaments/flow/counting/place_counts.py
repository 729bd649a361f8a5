"""How many people stand at which value of a board, for everybody and for every club.

Places on any page are sums of these, so no page counts people. Changes are added, so they may come in any order; the
process that makes one holds the ledger.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Final, Protocol, TypeAlias

from django.db import connection
from django.db.models import Q, Sum

from tournaments.flow.counting.bulk_updates import execute_all
from tournaments.models import Board, BoardCount, BoardRow, Membership

ORDERS: Final[Mapping[str, str]] = {
    "rating": "by_rating",
    "games": "games",
    "share": "by_share",
    "wins": "wins",
    "tops": "tops",
}
"""What a board can be ordered by → the column of the row."""
COUNTED: Final[Mapping[str, str]] = {**ORDERS, **{f"was_{by}": f"was_{by}" for by in ORDERS}}
"""The same, now and at the moment with which places are compared."""
EVERYBODY = 0
AT_ONCE = 1000
"""Counts written together."""

Spot: TypeAlias = tuple[int, int, str, int]
"""Board, club, what is ordered by, value."""
Clubs: TypeAlias = Mapping[int, Sequence[int]]
"""The clubs that each person is in."""


def clubs_of(player_ids: Iterable[int]) -> Clubs:
    """The clubs of these people."""
    clubs: dict[int, list[int]] = defaultdict(list)
    for player_id, club_id in Membership.objects.filter(player__in=list(player_ids)).values_list("player", "club"):
        clubs[player_id].append(club_id)
    return clubs


class PlaceLine(Protocol):
    """A row of a board, stored or not, with the columns that `COUNTED` names."""

    board_id: int
    player_id: int
    is_listed: bool


def spots_of(rows: Iterable[PlaceLine], clubs: Clubs) -> Counter[Spot]:
    """The counts in which these rows are included: none for people who are not listed."""
    return Counter(
        (row.board_id, club, by, value)
        for row in rows
        if row.is_listed
        for by, value in _list_values(row)
        for club in (EVERYBODY, *clubs.get(row.player_id, ()))
    )


def moves_of(changes: Iterable[tuple[PlaceLine | None, PlaceLine | None]], clubs: Clubs) -> Counter[Spot]:
    """The differences of counts once rows have changed. None: no row."""
    moves: Counter[Spot] = Counter()
    for before, after in changes:
        old, new = _listed(before), _listed(after)
        for row, others, step in ((before, old - new, -1), (after, new - old, 1)):
            if row is None or not others:
                continue
            for club in (EVERYBODY, *clubs.get(row.player_id, ())):
                for by, value in others:
                    moves[row.board_id, club, by, value] += step
    return moves


def _listed(row: PlaceLine | None) -> set[tuple[str, int]]:
    return set(_list_values(row)) if row is not None and row.is_listed else set()


def _list_values(row: PlaceLine) -> Iterator[tuple[str, int]]:
    for by, column in COUNTED.items():
        value = getattr(row, column)
        if value is not None and value > BoardRow.UNRATED:
            yield by, value


def move(before: Counter[Spot], after: Counter[Spot]) -> None:
    """Move people from one value to another in the counts."""
    changes = Counter(after)
    changes.subtract(before)
    add(changes)


def add(changes: Mapping[Spot, int]) -> None:
    """Add this many people to the counts at these values."""
    _add_counts(sorted((spot, people) for spot, people in changes.items() if people))


def _add_counts(changes: Sequence[tuple[Spot, int]]) -> None:
    table = connection.ops.quote_name(BoardCount._meta.db_table)
    columns = ", ".join(connection.ops.quote_name(name) for name in ("board_id", "club", "by", "value", "people"))
    insert = (
        f"INSERT INTO {table} ({columns}) VALUES (%s, %s, %s, %s, %s) "  # noqa: S608 - names of our own
        f"ON CONFLICT (board_id, club, {connection.ops.quote_name('by')}, value) "
        f"DO UPDATE SET people = {table}.people + excluded.people"
    )
    if changes:
        execute_all(insert, [(*spot, people) for spot, people in changes])


def join(club_id: int, player_id: int, step: int = 1) -> None:
    """Add a new member to the club's counts, or (step -1) remove one. The ledger is locked."""
    rows = BoardRow.objects.filter(player=player_id, is_listed=True)
    spots = Counter({(board, club_id, by, value): step for board, _, by, value in spots_of(rows, {})})
    move(Counter(), spots)


def count_ahead(board: Board, club_id: int, by: str, value: int) -> tuple[int, int]:
    """How many people are ahead of this value, and how many are at it."""
    counts = BoardCount.objects.filter(board=board, club=club_id, by=by, value__gte=value)
    found = counts.aggregate(all=Sum("people"), same=Sum("people", filter=Q(value=value)))
    same = found["same"] or 0
    return (found["all"] or 0) - same, same


def place_rows(rows: Sequence[BoardRow]) -> dict[int, int]:
    """The place by rating among everybody of one person's rows, by board: one more than there are people ahead."""
    if not rows:
        return {}
    ahead = reduce(or_, (Q(board=row.board_id, value__gt=row.by_rating) for row in rows))
    counts = BoardCount.objects.filter(ahead, club=EVERYBODY, by="rating").order_by()
    found = dict(counts.values_list("board").annotate(ahead=Sum("people")))
    return {row.board_id: 1 + found.get(row.board_id, 0) for row in rows}


def place_values(board: Board, club_id: int, by: str, values: Collection[int]) -> dict[int, int]:
    """The place of each of these values in an order: one more than there are people ahead of it. by: of `COUNTED`."""
    if not values:
        return {}
    counts = BoardCount.objects.filter(board=board, club=club_id, by=by, value__gte=min(values)).order_by("-value")
    places, place = dict[int, int](), 1
    for value, people in counts.values_list("value", "people"):
        if value in values:
            places[value] = place
        place += people
    return places


def count_again(report: Callable[[int, int], None] = lambda done, total: None) -> int:
    """Count everybody again from the rows, a few counts at a time; how many were wrong. report: done, of how many."""
    wrong = 0
    boards = list(Board.objects.order_by("pk"))
    for number, board in enumerate(boards, start=1):
        for by in COUNTED:
            changes = _compare(board, by)
            for start in range(0, len(changes), AT_ONCE):
                _add_counts(changes[start : start + AT_ONCE])
            wrong += len(changes)
        report(number, len(boards))
    _drop_empty()
    return wrong


def _drop_empty() -> None:
    empty = list(BoardCount.objects.filter(people=0).values_list("pk", flat=True))
    for start in range(0, len(empty), AT_ONCE):
        BoardCount.objects.filter(pk__in=empty[start : start + AT_ONCE], people=0).delete()


def _compare(board: Board, by: str) -> list[tuple[Spot, int]]:
    """What has to be added to the counts of one order of a board, found in one statement and so at one moment."""
    quote = connection.ops.quote_name
    rows, counts = quote(BoardRow._meta.db_table), quote(BoardCount._meta.db_table)
    members, value = quote(Membership._meta.db_table), quote(COUNTED[by])
    is_there = f"line.board_id = %s AND line.is_listed AND line.{value} > {BoardRow.UNRATED}"
    query = f"""
        SELECT club, value, SUM(people) FROM (
            SELECT {EVERYBODY} AS club, line.{value} AS value, COUNT(*) AS people
            FROM {rows} AS line WHERE {is_there} GROUP BY line.{value}
            UNION ALL
            SELECT member.club_id, line.{value}, COUNT(*)
            FROM {rows} AS line JOIN {members} AS member ON member.player_id = line.player_id
            WHERE {is_there} GROUP BY member.club_id, line.{value}
            UNION ALL
            SELECT club, value, -people FROM {counts} WHERE board_id = %s AND {quote("by")} = %s
        ) AS found GROUP BY club, value HAVING SUM(people) <> 0
    """  # noqa: S608 - names of our own
    with connection.cursor() as cursor:
        cursor.execute(query, [board.pk, board.pk, board.pk, by])
        return [((board.pk, club, by, at), int(people)) for club, at, people in cursor.fetchall()]
