"""The record of a stored game, and its whole log."""

from __future__ import annotations

from typing import Any

from games import models
from games.play import codec
from games.play.beginning import opening_lines
from games.play.deciding import read_done
from games.play.table import Line, Loaded
from games.records.duplicate import RoundDeal
from games.records.fair import Pledge, RoundPledge
from games.records.format import Player
from games.records.write import build_record, clock_event, move_event
from games.rules.base import Config
from games.stand_ins import STAND_IN


def export(table: Loaded) -> dict[str, Any]:
    """The record of a finished game, with its seed and secret. The caller has checked that it is over."""
    stand_ins = {one.ply for one in read_done([table.id]).get(table.id, ()) if one.is_stand_in}
    events = []
    plies = models.Ply.objects.filter(table_id=table.id).order_by("number").values_list("number", "event", "at")
    for number, event, at in plies:
        said = codec.read(event)
        by = STAND_IN if number in stand_ins else ""
        events.append(move_event(said["seat"], said["move"], at, by) if "move" in said else clock_event(said, at))
    return build_record(
        rules=table.rules,
        config=Config(table.seat_count, table.options),
        players=[Player(place.name, place.bot or None) for place in table.places],
        events=events,
        outcome=table.outcome,
        seed=bytes.fromhex(table.seed),
        pledge=_pledge(table),
    )


def _pledge(table: Loaded) -> Pledge | RoundPledge | None:
    """What the table promised, or the round whose deals it shares; nothing of rounds that promised nothing."""
    known = table.desk.arranged
    if known is not None and known.deal_seed:
        return None if known.shared_deal is None else _pledge_of_round(known.shared_deal, table.seat_count)
    return Pledge(
        commitment=table.commitment,
        table=table.id,
        entropy=tuple(place.entropy for place in table.places),
        secret=bytes.fromhex(table.secret),
        procedure=table.procedure,
    )


def _pledge_of_round(pk: int, seats: int) -> RoundPledge:
    deal = models.SharedDeal.objects.get(pk=pk)
    given = tuple(codec.read(deal.contributions))
    made_of = RoundDeal(deal.tournament, deal.round, deal.seating, seats, given)
    return RoundPledge(deal.commitment, made_of, bytes.fromhex(deal.secret))


def whole_log(table: Loaded) -> tuple[Line, ...]:
    """Every event of the game so far, first to last."""
    plies = models.Ply.objects.filter(table_id=table.id).order_by("number").values_list("number", "events")
    opening = opening_lines(table.rules, table.seat_count, table.options, table.seed)
    return (*opening, *(line for number, events in plies for line in codec.read_lines(number, events)))
