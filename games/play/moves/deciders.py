"""Who decided at the seats of tables, by their stored plies: the person or a stand-in (`games.records.stand_ins`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from functools import cache

import msgspec

from games import models
from games.play.moves.submission import retry
from games.play.storage import codec, store
from games.play.storage.table import LoadedTable
from games.records.stand_ins import DecidedMove, DecisionLog, StoredMove, attribute_moves, build_decision_log
from games.rules import registry
from games.rules.base import BadSetup, Seat

PASS = b'{"pass":true}'
"""A pass as it is stored: the only move that can be ordered in advance."""


class _StoredEvent(msgspec.Struct):
    """The part of a stored event that says who made it. move: empty for clock events."""

    seat: int = -1
    move: msgspec.Raw = msgspec.Raw()
    by: str = ""


_decode = msgspec.json.Decoder(_StoredEvent).decode


def read_decided_moves(table_ids: Collection[str]) -> dict[str, list[DecidedMove]]:
    """The moves of people's seats by table id, in order; tables without any are left out."""
    filed = models.FiledGame.objects.filter(table__in=list(table_ids))
    moves_of = {pk: [DecidedMove(*entry) for entry in codec.read(done)] for pk, done in filed.values_list("pk", "done")}
    since = _read_seated_since([table_id for table_id in table_ids if table_id not in moves_of])
    games = dict(models.Table.objects.filter(pk__in=since).values_list("pk", "game"))
    stored = _read_moves(since, games)
    found = {table_id: attribute_moves(moves, since[table_id]) for table_id, moves in stored.items()}
    return found | {table_id: done for table_id, done in moves_of.items() if done}


def _read_seated_since(table_ids: Collection[str]) -> dict[str, dict[Seat, int]]:
    """Table id → person's seat → the ply after which they took it."""
    since: dict[str, dict[Seat, int]] = defaultdict(dict)
    people = models.Seat.objects.filter(table__in=table_ids, bot="")
    for table_id, seat, ply in people.values_list("table_id", "index", "since"):
        since[table_id][seat] = ply
    return since


def read_moves_after(table_id: str, game: str, ply: int, since: Mapping[Seat, int]) -> list[DecidedMove] | None:
    """The moves of people's seats after this ply of a table, in order.

    since: as `attribute_moves` has it. None if some moves say nothing of who made them: the earlier ones tell.
    """
    moves = _read_moves([table_id], {table_id: game}, after=ply)[table_id]
    if any(move.seat in since and not move.by and not move.has_key for move in moves):
        return None
    return attribute_moves(moves, since)


def _read_moves(table_ids: Collection[str], games: dict[str, str], after: int = 0) -> dict[str, list[StoredMove]]:
    moves: dict[str, list[StoredMove]] = defaultdict(list)
    plies = models.Ply.objects.filter(table__in=list(table_ids), number__gt=after).order_by("table", "number")
    for table_id, number, event, key in plies.values_list("table_id", "number", "event", "key").iterator():
        stored = _decode(event)
        if move := bytes(stored.move):
            is_pass = move == PASS and _has_orders(games[table_id])
            moves[table_id].append(StoredMove(number, stored.seat, stored.by, key is not None, is_pass))
    return moves


@cache
def _has_orders(game: str) -> bool:
    """Whether passes can be ordered beforehand in this game."""
    try:
        return bool(registry.find(game).standing_pass_ends)
    except BadSetup:
        return False


def read_decisions(table: LoadedTable) -> DecisionLog:
    """Who decided at this table: from its runtime or, in rows of older versions, from its plies."""
    decisions = table.runtime.decisions
    return decisions if decisions.decided or not table.ply else _derive_decisions(table)


def _derive_decisions(table: LoadedTable) -> DecisionLog:
    done = (move for move in read_decided_moves([table.id]).get(table.id, ()) if move.ply <= table.ply)
    return build_decision_log(done, table.seat_count)


def rebuild_decisions(table_id: str) -> LoadedTable:
    """Derive the table's decision log from its plies again, for games of older versions that kept none. Idempotent.

    Raises NotFound, Unreadable, Busy.
    """

    def attempt(table: LoadedTable, _now: float) -> LoadedTable:
        decisions = _derive_decisions(table)
        if table.state is None or decisions == table.runtime.decisions:
            return table
        return store.commit(table, table.changed(runtime=table.runtime._replace(decisions=decisions)))

    return retry(table_id, attempt)


def list_without_decisions(tables: Collection[models.Table]) -> Iterator[str]:
    """Ids of those of these tables that keep no decision log although a stand-in played, or may still play."""
    unknown = [table for table in tables if table.seed and not codec.read_decisions(table.desk).decided]
    done = read_decided_moves([table.pk for table in unknown])
    for table in unknown:
        is_open = table.status == models.Table.Status.PLAYING
        if is_open or any(move.is_stand_in for move in done.get(table.pk, ())):
            yield table.pk
