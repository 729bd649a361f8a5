"""The facts that log and animation are told, each marked with who may know it."""

from __future__ import annotations

from typing import Any

from games.catalogue.fancy_animals.rules.cards import Tiles, list_ids, write
from games.catalogue.fancy_animals.rules.clothing import BY_ID, SLOTS
from games.catalogue.fancy_animals.rules.state import State
from games.rules.base import Event, Outcome, Seat


def tell_dealt(state: State) -> Event:
    """The game begins."""
    data = {
        "animals": list(state.animals),
        "sizes": [hand.bit_count() for hand in state.hands],
        "leader": state.turn,
    }
    return Event("dealt", None, data)


def tell_played(seat: Seat, cards: Tiles, wilds: Tiles, *, moved: int) -> Event:
    """Cards were laid. moved: melds that lay on the table and do so no longer as they were."""
    data = {"cards": write(cards), "wilds": [BY_ID[piece].word for piece in list_ids(wilds)], "moved": moved}
    return Event("played", seat, data)


def tell_claimed(seat: Seat, piece: int, spot: int) -> Event:
    """A piece of clothing was taken and put on."""
    return Event("claimed", seat, {"clothing": BY_ID[piece].word, "spot": SLOTS[spot]})


def tell_returned(seat: Seat, piece: int) -> Event:
    """An offered piece went to the bottom of its deck."""
    return Event("returned", seat, {"clothing": BY_ID[piece].word})


def tell_drew(seat: Seat, card: int) -> tuple[Event, Event]:
    """A card was drawn; which one only its owner knows."""
    return Event("drew", seat, {}), Event("got", seat, {"cards": write(1 << card)}, (seat,))


def tell_passed(seat: Seat) -> Event:
    """Nothing was done."""
    return Event("passed", seat, {})


def tell_activated(seat: Seat, rule: str, cards: Tiles) -> Event:
    """A special rule is on."""
    return Event("activated", seat, {"rule": rule, "cards": write(cards)})


def tell_dressed(seat: Seat) -> Event:
    """Somebody's animal has no open spot any more: the last turns begin."""
    return Event("dressed", seat, {})


def tell_bell() -> Event:
    """The time is up."""
    return Event("bell", None, {})


def tell_game_over(outcome: Outcome) -> Event:
    """The result."""
    data: dict[str, Any] = {"places": list(outcome.places), "scores": list(outcome.scores or ())}
    return Event("game_over", None, data)
