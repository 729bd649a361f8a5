"""The closed list of events of Fancy Animals, for the log and for animation; each says who may know it."""

from __future__ import annotations

from typing import Any

from games.catalogue.fancy_animals.rules.cards import Tiles, list_ids, write_words
from games.catalogue.fancy_animals.rules.clothing import BY_ID, SLOTS
from games.catalogue.fancy_animals.rules.state import State
from games.rules.base import Event, Outcome, Seat


def make_dealt(state: State) -> Event:
    """The game begins."""
    data = {
        "animals": list(state.animals),
        "sizes": [hand.bit_count() for hand in state.hands],
        "leader": state.turn,
    }
    return Event("dealt", None, data)


def make_played(seat: Seat, cards: Tiles, wilds: Tiles, *, moved: int) -> Event:
    """Cards were laid. moved: melds that lay on the table and do so no longer as they were."""
    data = {"cards": write_words(cards), "wilds": [BY_ID[piece].word for piece in list_ids(wilds)], "moved": moved}
    return Event("played", seat, data)


def make_claimed(seat: Seat, piece: int, spot: int) -> Event:
    """A piece of clothing was taken and put on."""
    return Event("claimed", seat, {"clothing": BY_ID[piece].word, "spot": SLOTS[spot]})


def make_returned(seat: Seat, piece: int) -> Event:
    """An offered piece went to the bottom of its deck."""
    return Event("returned", seat, {"clothing": BY_ID[piece].word})


def make_drew(seat: Seat, card: int) -> tuple[Event, Event]:
    """A card was drawn; which one only its owner knows."""
    return Event("drew", seat, {}), Event("got", seat, {"cards": write_words(1 << card)}, (seat,))


def make_passed(seat: Seat) -> Event:
    """The event of a pass."""
    return Event("passed", seat, {})


def make_activated(seat: Seat, rule: str, cards: Tiles) -> Event:
    """A special rule is on."""
    return Event("activated", seat, {"rule": rule, "cards": write_words(cards)})


def make_dressed(seat: Seat) -> Event:
    """The event of a fully dressed animal: the last turns begin."""
    return Event("dressed", seat, {})


def make_bell() -> Event:
    """The time is up."""
    return Event("bell", None, {})


def make_game_over(outcome: Outcome) -> Event:
    """The result."""
    data: dict[str, Any] = {"places": list(outcome.places), "scores": list(outcome.scores or ())}
    return Event("game_over", None, data)
