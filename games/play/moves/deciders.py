"""Who decided at the seats of tables, by their stored plies: the person or a stand-in (`games.records.stand_ins`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from functools import cache

import msgspec

from games import models
from games.play.moves.submission import retry
from games.play.storage import codec, store
from games.play.storage.table import Loaded
from games.records.stand_ins import DecidedMove, DecisionLog, StoredMove, attribute_moves, build_decision_log
from games.rules import registry
from games.rules.base import BadSetup, Seat

PASS = b'{"pass":true}'
"""The only move that somebody can order beforehand, as it is stored."""


class _Said(msgspec.Struct):
    """What an event says of who made it. move: empty for what a clock decided."""

    seat: int = -1
    move: msgspec.Raw = msgspec.Raw()
    by: str = ""


_decode = msgspec.json.Decoder(_Said).decode


def read_done(table_ids: Collection[str]) -> dict[str, list[DecidedMove]]:
    """The moves of the people's seats of these tables, in order; tables without any are left out."""
    filed = models.FiledGame.objects.filter(table__in=list(table_ids))
    known = {pk: [DecidedMove(*one) for one in codec.read(done)] for pk, done in filed.values_list("pk", "done")}
    since = _read_since([table_id for table_id in table_ids if table_id not in known])
    games = dict(models.Table.objects.filter(pk__in=since).values_list("pk", "game"))
    stored = _read_moves(since, games)
    found = {table_id: attribute_moves(moves, since[table_id]) for table_id, moves in stored.items()}
    return found | {table_id: done for table_id, done in known.items() if done}


def _read_since(table_ids: Collection[str]) -> dict[str, dict[Seat, int]]:
    """By table: of each seat that is a person's, the ply after which they have had it."""
    since: dict[str, dict[Seat, int]] = defaultdict(dict)
    people = models.Seat.objects.filter(table__in=table_ids, bot="")
    for table_id, seat, ply in people.values_list("table_id", "index", "since"):
        since[table_id][seat] = ply
    return since


def _read_moves(table_ids: Collection[str], games: dict[str, str]) -> dict[str, list[StoredMove]]:
    moves: dict[str, list[StoredMove]] = defaultdict(list)
    plies = models.Ply.objects.filter(table__in=list(table_ids)).order_by("table", "number")
    for table_id, number, event, key in plies.values_list("table_id", "number", "event", "key").iterator():
        said = _decode(event)
        if move := bytes(said.move):
            is_pass = move == PASS and _has_orders(games[table_id])
            moves[table_id].append(StoredMove(number, said.seat, said.by, key is not None, is_pass))
    return moves


@cache
def _has_orders(game: str) -> bool:
    """Whether passes can be ordered beforehand in this game."""
    try:
        return bool(registry.find(game).standing_pass_ends)
    except BadSetup:
        return False


def read_played(table: Loaded) -> DecisionLog:
    """Who decided at this table: as it keeps that, or, where it does not, as its plies tell."""
    known = table.desk.played
    return known if known.decided or not table.ply else _tell_played(table)


def _tell_played(table: Loaded) -> DecisionLog:
    done = (one for one in read_done([table.id]).get(table.id, ()) if one.ply <= table.ply)
    return build_decision_log(done, table.seat_count)


def write_down(table_id: str) -> Loaded:
    """Bring what the table keeps of who decided to what its plies say: a game from before that was written down, or
    under way then. Any number of times. Raises NotFound, Unreadable, Busy."""

    def attempt(table: Loaded, _now: float) -> Loaded:
        played = _tell_played(table)
        if table.state is None or played == table.desk.played:
            return table
        return store.commit(table, table.changed(desk=table.desk._replace(played=played)))

    return retry(table_id, attempt)


def list_unwritten(tables: Collection[models.Table]) -> Iterator[str]:
    """Those of these tables that keep nothing of who decided, and at which a stand-in played, or still may."""
    unknown = [table for table in tables if table.seed and not codec.read_played(table.desk).decided]
    done = read_done([table.pk for table in unknown])
    for table in unknown:
        is_open = table.status == models.Table.Status.PLAYING
        if is_open or any(one.is_stand_in for one in done.get(table.pk, ())):
            yield table.pk
