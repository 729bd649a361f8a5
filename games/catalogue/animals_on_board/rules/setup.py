"""Builds the first position from the set-up; what it leaves out comes from the options or the seed.

The streams of chance are stated in docs/fair-deals.md. Source: animals-on-board.md, Setup and Notation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.catalogue.animals_on_board.rules import flow
from games.catalogue.animals_on_board.rules.fields import (
    find_species,
    read_groups,
    read_seat,
    read_seats,
    read_species,
    read_tile,
    read_tiles,
)
from games.catalogue.animals_on_board.rules.state import MAX_CRATES, TILES_DRAWN, GameSetup, Group, Round, State
from games.catalogue.animals_on_board.rules.tiles import FACE_DOWN, KINDS, SPECIES, SPECIES_IN_PLAY, list_tiles
from games.rules.base import BadSetup
from games.rules.chance import Chance
from games.rules.reading import is_list, read_count, read_keys

FIRST: Final = ("start", "species", "stack")
"""Keys of the set-up of a whole game."""
LATER: Final = ("arks", "crates", "middle", "face_down", "in_round", "to_act", "round", "dropped")
"""Keys that make it a later position."""


def read_setup(given: Mapping[str, Any], seats: int, options: Mapping[str, Any], chance: Chance) -> State:
    """The first state. Raises BadSetup; NoChance if something must be random and there is no seed."""
    read_keys(given, (*FIRST, *LATER))
    is_later = any(given.get(name) is not None for name in LATER)
    state = _read_later(given, seats) if is_later else _read_first(seats)
    seen = _list_tiles(state)
    species = _read_species(given, seats, options, chance, seen)
    stack = _read_stack(given, species, seen, chance)
    if not is_later and len(stack) < TILES_DRAWN * seats:
        raise BadSetup(
            "Everybody draws three tiles, so “stack” must contain at least %(least)s.", least=TILES_DRAWN * seats
        )
    _check_tiles([*seen, *stack], species)
    flag = _read_flag(given, seats, options, chance)
    state = state._replace(table=GameSetup(seats, species, stack, chance), flag=flag)
    if not is_later:
        return flow.begin_game(state)
    return state._replace(turn=_read_turn(given, state))


def _read_species(
    given: Mapping[str, Any], seats: int, options: Mapping[str, Any], chance: Chance, seen: list[str]
) -> tuple[str, ...]:
    """The species in play, sorted; empty where a stack is given and they decide nothing."""
    if given.get("species") is not None:
        return read_species(given["species"], None if given.get("stack") is not None else seats)
    if given.get("stack") is not None:
        return ()
    return find_species(seats, options) or _draw_species(seats, chance, {KINDS[tile][0] for tile in seen})


def _draw_species(seats: int, chance: Chance, seen: set[str]) -> tuple[str, ...]:
    """The first of all species, shuffled; those that a later position names come before the others."""
    if seats == max(SPECIES_IN_PLAY):
        return SPECIES
    shuffled = chance.stream("species").shuffled(SPECIES)
    shuffled.sort(key=lambda tile: tile not in seen)
    return tuple(sorted(shuffled[: SPECIES_IN_PLAY[seats]]))


def _read_stack(given: Mapping[str, Any], species: tuple[str, ...], seen: list[str], chance: Chance) -> Group:
    if given.get("stack") is not None:
        return read_tiles(given["stack"], "stack")
    left = [tile for tile in list_tiles(species) if tile not in seen]
    return tuple(chance.stream("stack").shuffled(left))


def _read_flag(given: Mapping[str, Any], seats: int, options: Mapping[str, Any], chance: Chance) -> int:
    for source in (given, options):
        if source.get("start") is not None:
            return read_seat(source["start"], seats, "start")
    return chance.stream("start").below(seats)


def _read_first(seats: int) -> State:
    """The state before anything is drawn; table and flag come later."""
    return State(
        table=GameSetup(seats, (), (), Chance()),
        round=Round(0, is_laid=False),
        turn=0,
        groups={},
        last_number=0,
        crates=(1,) * seats,
        arks=((),) * seats,
        in_round=(True,) * seats,
        dropped=(),
        flag=0,
        face_down=None,
        drawn=0,
        forfeits=0,
        bell=False,
        serial=0,
    )


def _read_later(given: Mapping[str, Any], seats: int) -> State:
    """A position in the middle of a round, at whose start nothing counts as laid out."""
    if given.get("arks") is None:
        raise BadSetup("A later position must contain “arks”.")
    middle = read_groups(given.get("middle") or [], "middle")
    face_down = None if given.get("face_down") is None else read_tile(given["face_down"], "face_down")
    lying = [tile for group in middle for tile in group].count(FACE_DOWN)
    if lying != (face_down is not None):
        raise BadSetup("“middle” must contain “?” once if there is a “face_down”, and otherwise not at all.")
    dropped, in_round = _read_round(given, seats)
    return _read_first(seats)._replace(
        round=Round(read_count(given.get("round", 1), "round", 1, 10**6), is_laid=False),
        groups=dict(enumerate(middle, start=1)),
        last_number=len(middle),
        crates=_read_crates(given, seats),
        arks=_read_arks(given["arks"], seats),
        in_round=in_round,
        dropped=dropped,
        face_down=face_down,
    )


def _read_arks(value: object, seats: int) -> tuple[Group, ...]:
    return tuple(read_tiles(ark, "arks") for ark in _read_by_seat(value, "arks", seats))


def _read_crates(given: Mapping[str, Any], seats: int) -> tuple[int, ...]:
    value = given.get("crates")
    if value is None:
        return (1,) * seats
    return tuple(read_count(count, "crates", 0, MAX_CRATES) for count in _read_by_seat(value, "crates", seats))


def _read_by_seat(value: object, name: str, seats: int) -> Sequence[Any]:
    if not is_list(value, seats):
        raise BadSetup("“%(name)s” must be a list of %(seats)s entries, one per seat.", name=name, seats=seats)
    return value


def _read_round(given: Mapping[str, Any], seats: int) -> tuple[tuple[int, ...], tuple[bool, ...]]:
    """Who has dropped out, in order, and who is still in."""
    dropped = None if given.get("dropped") is None else read_seats(given["dropped"], seats, "dropped")
    if given.get("in_round") is not None:
        staying = read_seats(given["in_round"], seats, "in_round")
    else:
        staying = tuple(seat for seat in range(seats) if seat not in (dropped or ()))
    if dropped is None:
        dropped = tuple(seat for seat in range(seats) if seat not in staying)
    if not staying or sorted((*staying, *dropped)) != list(range(seats)):
        raise BadSetup("Each seat must be in “in_round” or in “dropped”, and at least one in “in_round”.")
    return dropped, tuple(seat in staying for seat in range(seats))


def _read_turn(given: Mapping[str, Any], state: State) -> int:
    seat = state.flag if given.get("to_act") is None else read_seat(given["to_act"], state.table.seats, "to_act")
    if not state.in_round[seat]:
        raise BadSetup("“to_act” must be a seat that is still in the round.")
    return seat


def _list_tiles(state: State) -> list[str]:
    """Every tile on an ark or in the middle, the one that lies face down by its face."""
    lying = [tile for group in state.groups.values() for tile in group if tile != FACE_DOWN]
    return [*(tile for ark in state.arks for tile in ark), *lying, *([state.face_down] if state.face_down else [])]


def _check_tiles(tiles: list[str], species: tuple[str, ...]) -> None:
    """Raises BadSetup for a tile that is there twice, or whose species is not in play."""
    if len(set(tiles)) < len(tiles):
        raise BadSetup(
            "“%(tile)s” must appear only once: each tile exists once.", tile=Counter(tiles).most_common(1)[0][0]
        )
    for tile in tiles if species else ():
        if KINDS[tile][0] not in species:
            raise BadSetup("“%(tile)s” is not in play: its species is not in “species”.", tile=tile)


def write_setup(state: State) -> dict[str, Any]:
    """The complete set-up of a first state."""
    table = state.table
    first: dict[str, Any] = {"start": state.flag, "species": list(table.species), "stack": list(table.stack)}
    if not table.species:
        del first["species"]
    if state.is_choosing:
        return first
    return first | {
        "arks": [list(ark) for ark in state.arks],
        "crates": list(state.crates),
        "middle": [list(group) for group in state.groups.values()],
        "face_down": state.face_down,
        "in_round": [seat for seat, is_in in enumerate(state.in_round) if is_in],
        "to_act": state.turn,
        "round": state.round.number,
        "dropped": list(state.dropped),
    }
