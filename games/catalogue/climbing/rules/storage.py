"""A state as JSON values and back. Hands are stored packed, see cards.py."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from games.catalogue.climbing.rules.plays import PlayIndex
from games.catalogue.climbing.rules.state import (
    Deal,
    Gift,
    Progress,
    State,
    Terms,
    list_led,
    list_refused,
    pack_led,
    pack_refused,
)
from games.rules.chance import Chance


def dump_state(state: State) -> dict[str, Any]:
    """JSON values of the whole state, apart from what was drawn a moment ago."""
    progress, deal = state.progress, state.deal
    return {
        "terms": _to_lists(progress.terms),
        "past": _to_lists(progress.past),
        "bell": progress.bell,
        "chance": progress.chance.to_json(),
        "deal": _to_lists(deal),
        "hands": list(state.hands),
        "play": list(state.play.words) if state.play else None,
        "turn": [state.turn, state.leader, state.number, state.holder],
        "masks": [state.acted, state.passed, state.alive],
        "out": list(state.out),
        "serial": state.serial,
        "refused": list_refused(state.refused, state.progress.terms.seats),
        "led": list_led(state.led, state.progress.terms.seats),
    }


def load_state(data: Mapping[str, Any], book: PlayIndex) -> State:
    """The inverse of `dump_state`. States that were stored before passes and leads were noted lack them."""
    chance = Chance.from_json(data["chance"])
    past = tuple(tuple(ranks) for ranks in data["past"])
    progress = Progress(_load_terms(data["terms"]), past, data["bell"], chance)
    play = book.find(data["play"]) if data["play"] else None
    turn, leader, number, holder = data["turn"]
    acted, passed, alive = data["masks"]
    return State(
        progress,
        _load_deal(data["deal"]),
        tuple(data["hands"]),
        turn,
        leader,
        play,
        number,
        holder,
        acted,
        passed,
        alive,
        tuple(data["out"]),
        data["serial"],
        pack_refused(data.get("refused") or ()),
        pack_led(data.get("led") or ()),
    )


@lru_cache(maxsize=1 << 12)
def _to_lists(value: tuple[Any, ...]) -> list[Any]:
    """Nested tuples as nested lists, shared by all states of a deal: not to be changed."""
    return [_to_lists(item) if isinstance(item, tuple) else item for item in value]


def _load_terms(data: list[Any]) -> Terms:
    seats, deals, minutes, names, lazy, listed = data
    hands = tuple(None if deal is None else tuple(deal) for deal in listed)
    return Terms(seats, deals, minutes, tuple(names), lazy, hands)


def _load_deal(data: list[Any]) -> Deal:
    number, order, is_ranked, start, gifts, serial = data
    return Deal(number, tuple(order), is_ranked, tuple(start), tuple(Gift(*gift) for gift in gifts), serial)
