"""A table as JSON values, as one person may know it: for programs. Views are constructed for a seat, never cut."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Sequence
from typing import Any

from games.play import permissions
from games.play.moves.window_answers import get_standing_answer
from games.play.records import game_record
from games.play.seats.player_names import is_marked
from games.play.storage.store import RECENT_PLIES
from games.play.storage.table import PLAYING, LoadedTable, LogLine, SeatedPlayer
from games.records.stand_ins import dump_stand_in
from games.records.writer import to_plain_json
from games.rules.base import Move, Seat, View
from games.rules.clock import Clock

SAMPLES = 16
"""Examples of moves that are too many to list."""


def describe(table: LoadedTable, reader: int | None) -> dict[str, Any]:
    """A table as this person may know it: players, view, legal moves, deadlines, ply."""
    seat, is_published = table.seat_of(reader), permissions.is_published(table)
    is_running = table.status == PLAYING and not table.is_suspended
    view = None if table.state is None else table.rules.view(table.state, seat)
    to_act = _list_asked(table, view) if is_running else []
    is_mine = is_running and seat is not None and seat in table.rules.to_act(table.state)
    clocks = table.runtime.clocks if is_running else ()
    return {
        "table": table.id,
        "game": table.rules.slug,
        "status": table.status,
        "ply": table.ply,
        "version": table.version,
        "secret": table.secret if is_published and table.has_own_deal else None,
        "seed": (table.seed if is_published else "") or None,
        "commitment": table.commitment if table.has_own_deal else None,
        "contributions": [place.entropy if (place := table.place(seat)) else None for seat in range(table.seat_count)],
        "seat": seat,
        "seats": table.seat_count,
        "players": [_describe_player(table, place) for place in table.places],
        "to_act": to_act,
        "view": view,
        "legal": to_plain_json(list_moves(table, seat)) if is_mine and seat is not None else [],
        "standing": None if seat is None or table.state is None else get_standing_answer(table, seat),
        "asks_ready": _is_asked_for_ready(table, seat),
        "rematch": table.rematch_id,
        "stand_ins": {str(one): dump_stand_in(stand_in) for one, stand_in in table.list_stand_ins().items()},
        "deadlines": [_describe_deadline(table, clock, to_act) for clock in clocks],
        "now": round(time.time(), 3),
    }


def _describe_player(table: LoadedTable, place: SeatedPlayer) -> dict[str, Any]:
    """Who sits on a seat. person: their id; level: of a bot of this site; is_away: a stand-in plays for them."""
    return {
        "seat": place.seat,
        "name": place.name,
        "animal": place.avatar,
        "person": place.player_id,
        "is_bot": bool(place.bot) or is_marked(place.name),
        "level": place.bot or None,
        "is_away": place.seat in table.runtime.stand_ins,
    }


def _is_asked_for_ready(table: LoadedTable, seat: Seat | None) -> bool:
    """Whether the table pauses after a new deal until this player, too, says that they are ready."""
    interlude = table.runtime.interlude
    return interlude is not None and seat is not None and seat not in interlude.ready


def _list_asked(table: LoadedTable, view: View | None) -> list[Seat]:
    """Who is asked, as far as this reader may know: who has answered a window is hidden until it closes."""
    asked: list[Seat] = list(table.rules.to_act(table.state))
    return list(view["to_act"]) if table.rules.windows and view is not None else asked


def _describe_deadline(table: LoadedTable, clock: Clock, to_act: Sequence[Seat]) -> dict[str, Any]:
    """A clock for programs. held: it stands still until something else is over; then there is no time at which it is
    due, nor where a turn has no time limit."""
    is_held = clock.left is not None
    seats = to_act if clock.event.get("clock") in table.rules.windows else clock.seats
    return {
        "event": dict(clock.event),
        "seats": list(seats),
        "due": round(clock.due, 3) if table.has_limit(clock) and not is_held else None,
        "held": is_held,
    }


def list_moves(table: LoadedTable, seat: Seat) -> list[Move]:
    """What a seat that is to act may do; where that is too much to list, a few examples, the same at every look."""
    legal = table.rules.legal_moves(table.state, seat)
    if legal is not None:
        return list(legal)
    rng = random.Random(f"{table.id} {table.ply} {seat}")
    samples = [table.rules.legal_sample(table.state, seat, rng) for _ in range(SAMPLES)]
    return [move for number, move in enumerate(samples) if move not in samples[:number]]


def describe_log(table: LoadedTable, reader: int | None) -> dict[str, Any]:
    """The events of the game up to the present ply, without those that only others may know."""
    seat = table.seat_of(reader)
    lines = () if table.state is None else game_record.read_whole_log(table)
    return {
        "table": table.id,
        "game": table.rules.slug,
        "status": table.status,
        "ply": table.ply,
        "seat": seat,
        "events": describe_events((line for line in lines if line.ply <= table.ply), seat),
    }


def describe_events(lines: Iterable[LogLine], seat: Seat | None) -> list[dict[str, Any]]:
    """The events among these that this seat (None: a spectator) may know."""
    visible = [line for line in lines if line.to is None or seat in line.to]
    return [
        {"ply": line.ply, "kind": line.kind, "seat": line.seat, "data": to_plain_json(line.data)} for line in visible
    ]


def describe_recent_events(table: LoadedTable, seat: Seat | None, *, after: int) -> list[dict[str, Any]] | None:
    """The events after this ply, if the table still has all of them in memory; None if they must be read."""
    if table.state is None or after >= table.ply:
        return []
    if after < table.ply - RECENT_PLIES:
        return None
    return describe_events((line for line in table.log if after < line.ply <= table.ply), seat)
