"""Builds the first position from options and set-up; what they leave out is drawn from the seed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.catalogue.super_zwierzaki.rules.kinds import FUNCTIONS, KINDS, WHOLE, count_cards, list_cards, pack_hand
from games.catalogue.super_zwierzaki.rules.piles import find_excess_kind, read_card, read_cards
from games.catalogue.super_zwierzaki.rules.state import NOBODY, Demand, State, Terms
from games.rules import reading
from games.rules.base import BadSetup, Config, Option, Seat, quote
from games.rules.chance import Chance
from games.rules.options import MAX_MINUTES, check_option_names, check_seats, read_integer

HAND_SIZE: Final = 5
MAX_POINTS: Final = 999
COUNTERS: Final = ("red", "orc", "stop", "demand")
KEYS: Final = ("hands", "top", "draw", "order", "counters", "demand", "lost_turns", "heap")
OPTIONS: Final = (
    Option("minutes", "integer", 1, MAX_MINUTES),
    Option("reaction_seconds", "integer", 1, 60),
    Option("call_seconds", "integer", 1, 60),
    Option("win_seconds", "integer", 1, 60),
)
TURN_SECONDS: Final = Option("turn_seconds", "integer", 1, 3600)
"""A record may name it; at a table it is the table's own turn time."""
DEFAULTS: Final = {"reaction_seconds": 4, "call_seconds": 10, "win_seconds": 10}
SEATS: Final = range(2, 9)


def read_terms(seats: int, options: Any) -> Terms:
    """What the options mean. Raises BadSetup."""
    check_seats(seats, SEATS)
    if not isinstance(options, Mapping):
        raise BadSetup("Options must be an object.")
    option_names = (*OPTIONS, TURN_SECONDS)
    check_option_names(options, option_names)
    found = {option.name: read_integer(options, option.name, option.most) for option in option_names}
    seconds = {name: found[name] or default for name, default in DEFAULTS.items()}
    order = tuple(range(seats))
    zero = (0,) * seats
    return Terms(
        seats, found["minutes"], found["turn_seconds"], **seconds, order=order, counters=(0,) * 4, named=None, lost=zero
    )


def deal(config: Config, chance: Chance) -> State:
    """The first position, its first turn not yet begun. Raises BadSetup, NoChance."""
    terms = read_terms(config.seats, config.options)
    setup = config.setup
    reading.read_keys(setup, KEYS)
    hands, top, pile, heap = _deal_cards(setup, terms.seats, chance)
    order = _read_order(setup, terms.seats, chance)
    counters = _read_counters(setup)
    named = _read_demand(setup, terms.seats, counters[3])
    lost = _read_numbers(setup.get("lost_turns"), "lost_turns", terms.seats)
    terms = terms._replace(order=order, counters=counters, named=named, lost=lost)
    more = sum(1 << seat for seat, hand in enumerate(hands) if count_cards(hand) > 1)
    return State(
        terms=terms, chance=chance, shuffles=0, halves=0, hands=hands, heap=heap, top=top, pile=pile,
        colour=KINDS[top].colour, group=KINDS[top].group, order=order, turn=order[0],
        red=counters[0], orc=counters[1], stop=counters[2], demand=counters[3],
        named=Demand(*named, counters[3]) if named else None, lost=lost, phase="turn", asked=0, play=None, todo=(),
        need=0, chain=(), duel=None, winner=NOBODY, owing=(0,) * terms.seats, said=0, more=more,
        bell=False, places=(), serial=0, turn_serial=0, wait=0, turns=0,
    )  # fmt: skip


def _deal_cards(setup: Mapping[str, Any], seats: int, chance: Chance) -> tuple[tuple[int, ...], int, bytes, bytes]:
    """Hands, top card, draw pile and heap: what the set-up says; the rest of the deck is shuffled and dealt."""
    hands = _read_hands(setup.get("hands"), seats)
    top = None if setup.get("top") is None else read_card(setup["top"], "top")
    pile = None if setup.get("draw") is None else bytes(read_cards(setup["draw"], "draw"))
    heap = bytes(read_cards(setup.get("heap") or [], "heap"))
    named = [*(kind for hand in hands or () for kind in hand), *(() if top is None else (top,)), *(pile or b""), *heap]
    if (kind := find_excess_kind(named)) is not None:
        raise BadSetup(
            "“setup” contains too many of card %(card)s. The deck has only %(most)s.",
            card=kind,
            most=KINDS[kind].copies,
        )
    if hands is None or top is None or pile is None:
        rest = chance.stream("deck").shuffled(list_cards(WHOLE - pack_hand(named)))
        if hands is None:
            hands = tuple(tuple(rest[HAND_SIZE * seat : HAND_SIZE * (seat + 1)]) for seat in range(seats))
            rest = rest[HAND_SIZE * seats :]
        if top is None:
            if not rest:
                raise BadSetup("“setup” leaves no card for the heap.")
            top, *rest = rest
        pile = bytes(rest) if pile is None else pile
    return tuple(pack_hand(hand) for hand in hands), top, pile, heap


def _read_hands(value: Any, seats: int) -> tuple[tuple[int, ...], ...] | None:
    if value is None:
        return None
    return tuple(tuple(read_cards(hand, "hands")) for hand in reading.read_hands(value, seats))


def _read_order(setup: Mapping[str, Any], seats: int, chance: Chance) -> tuple[Seat, ...]:
    value = setup.get("order")
    if value is None:
        return tuple(chance.stream("order").shuffled(range(seats)))
    return reading.read_permutation(value, range(seats), "order")


def _read_numbers(value: Any, name: str, count: int) -> tuple[int, ...]:
    if value is None:
        return (0,) * count
    if not reading.is_list(value, count) or not all(map(_is_points, value)):
        raise BadSetup("“%(name)s” must be a list of %(count)s whole numbers.", name=name, count=count)
    return tuple(value)


def _is_points(value: Any) -> bool:
    return reading.is_whole(value, 0, MAX_POINTS)


def _read_counters(setup: Mapping[str, Any]) -> tuple[int, int, int, int]:
    value = setup.get("counters")
    if value is None:
        return 0, 0, 0, 0
    is_known = isinstance(value, Mapping) and all(name in COUNTERS for name in value)
    if not is_known or not all(map(_is_points, value.values())):
        raise BadSetup("“counters” must be an object with red, orc, stop and demand as whole numbers.")
    red, orc, stop, demand = (value.get(name, 0) for name in COUNTERS)
    if sum(1 for points in (red, orc, stop, demand) if points) > 1:
        raise BadSetup("Only one counter may be above zero.")
    return red, orc, stop, demand


def _read_demand(setup: Mapping[str, Any], seats: int, points: int) -> tuple[int, Seat] | None:
    value = setup.get("demand")
    if value is None and not points:
        return None
    if not points or not isinstance(value, Mapping) or sorted(value) != ["by", "named"]:
        raise BadSetup(
            "“demand” must be an object with “named” and “by” when the demand counter is above zero. "
            "Otherwise leave it out."
        )
    kind, by = read_card(value["named"], "demand"), value["by"]
    if FUNCTIONS[kind]:
        raise BadSetup("Only a kind without a function can be demanded.")
    if not reading.is_whole(by, 0, seats - 1):
        raise BadSetup("There is no seat %(seat)s.", seat=quote(str(by)))
    return kind, by
