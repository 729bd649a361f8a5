"""Builds the record of a stored game, and reads its whole log."""

from __future__ import annotations

import gzip
import logging
from collections.abc import Iterator
from typing import Any

from django.conf import settings

from games import models
from games.play.errors import NotFound, Unreadable
from games.play.moves.deciders import read_decided_moves
from games.play.storage import codec
from games.play.storage.game_start import opening_lines
from games.play.storage.table import LoadedTable, LogLine
from games.records.duplicate import RoundDeal
from games.records.fair import DealCommitment, RoundCommitment
from games.records.faults import Fault
from games.records.format import Player, parse_record
from games.records.playback import Playback, play_back
from games.records.stand_ins import STAND_IN
from games.records.writer import build_record, to_text, write_clock_event, write_move_event
from games.rules.base import Config

logger = logging.getLogger(__name__)


def export(table: LoadedTable) -> dict[str, Any]:
    """The record of a finished game, with its seed and secret. The caller has checked that it is over."""
    return build_record(
        rules=table.rules,
        config=Config(table.seat_count, table.options),
        players=[Player(place.name, place.bot or None) for place in table.places],
        events=list_events(table.id),
        outcome=table.outcome,
        seed=bytes.fromhex(table.seed),
        commitment=_build_commitment(table),
    )


def list_events(table_id: str) -> list[dict[str, Any]]:
    """The events of a game so far, as its record writes them, from ply 1. Raises NotFound (the file is missing)."""
    if (filed := _find_file(table_id)) is not None:
        return _read_filed(filed)
    stand_ins = {move.ply for move in read_decided_moves([table_id]).get(table_id, ()) if move.is_stand_in}
    events = []
    for number, event, at in _read_stored(table_id):
        by = STAND_IN if number in stand_ins else ""
        events.append(
            write_move_event(event["seat"], event["move"], at, by) if "move" in event else write_clock_event(event, at)
        )
    return events


def read_plies(table_id: str) -> Iterator[tuple[int, dict[str, Any], float | None]]:
    """The plies of a game so far: number, event, seconds since the start. Raises NotFound (the file is missing)."""
    if (filed := _find_file(table_id)) is None:
        yield from _read_stored(table_id)
        return
    for number, event in enumerate(_read_filed(filed), start=1):
        yield number, event, event.get("t")


def _read_stored(table_id: str) -> Iterator[tuple[int, dict[str, Any], float]]:
    plies = models.Ply.objects.filter(table_id=table_id).order_by("number").values_list("number", "event", "at")
    for number, event, at in plies:
        yield number, codec.read(event), at


def is_filed(table_id: str) -> bool:
    """Whether the plies of this game are in a file and no longer in the database."""
    return _find_file(table_id) is not None


def _find_file(table_id: str) -> str | None:
    return models.FiledGame.objects.filter(pk=table_id).values_list("file", flat=True).first()


def _read_filed(name: str) -> list[dict[str, Any]]:
    try:
        record = codec.read(gzip.decompress((settings.GAMES_DIR / name).read_bytes()).decode())
    except (OSError, EOFError, ValueError) as error:
        logger.warning("the record of a game cannot be read: %s", error)
        raise NotFound(
            "The record of this game cannot be read now. Ask the administrator to check the file %(file)s.",
            file=name,
        ) from error
    events: list[dict[str, Any]] = record["events"]
    return events


def _build_commitment(table: LoadedTable) -> DealCommitment | RoundCommitment | None:
    """The commitment of the table, or of the round whose deals it shares; None for rounds of versions without one."""
    arrangement = table.runtime.arranged
    if arrangement is not None and arrangement.deal_seed:
        return (
            None
            if arrangement.shared_deal is None
            else _build_round_commitment(arrangement.shared_deal, table.seat_count)
        )
    return DealCommitment(
        digest=table.commitment,
        table=table.id,
        entropy=tuple(place.entropy for place in table.places),
        secret=bytes.fromhex(table.secret),
        procedure=table.procedure,
        chairs=_list_chairs(table),
    )


def _build_round_commitment(pk: int, seats: int) -> RoundCommitment:
    deal = models.SharedDeal.objects.get(pk=pk)
    given = tuple(codec.read(deal.contributions))
    made_of = RoundDeal(deal.tournament, deal.round, deal.seating, seats, given)
    return RoundCommitment(deal.commitment, made_of, bytes.fromhex(deal.secret))


def _list_chairs(table: LoadedTable) -> tuple[int, ...] | None:
    """By seat, the player's seat before the start; None if seats were not assigned by lot."""
    chairs = [place.chair for place in table.places if place.chair is not None]
    return tuple(chairs) if len(chairs) == table.seat_count else None


def play_back_game(table: LoadedTable) -> Playback:
    """Every moment of a finished game, from its plies.

    Raises Unreadable if these do not lead from one to the next: rows of it are damaged, or the rules of an outside game
    have changed; NotFound (the file is missing).
    """
    try:
        return play_back(parse_record(to_text(export(table)).encode()))
    except Fault as fault:
        logger.error("the game of table %s cannot be replayed: event %s: %s", table.id, fault.event, fault)
        raise Unreadable("This table cannot be read now. Nothing is lost. Tell the administrator.") from fault


def read_whole_log(table: LoadedTable) -> tuple[LogLine, ...]:
    """Every event of the game so far, first to last. Raises Unreadable, NotFound (the file is missing)."""
    if _find_file(table.id) is not None:
        moments = play_back_game(table).moments
        return tuple(line for moment in moments for line in codec.build_log_lines(moment.ply, moment.events))
    plies = models.Ply.objects.filter(table_id=table.id).order_by("number").values_list("number", "events")
    opening = opening_lines(table.rules, table.seat_count, table.options, table.seed)
    return (*opening, *(line for number, events in plies for line in codec.read_lines(number, events)))
