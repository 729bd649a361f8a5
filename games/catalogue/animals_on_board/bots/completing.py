"""Completes a view of Animals on Board to a state that fits it: other arks, the stack and face-down tiles.

All tiles that the viewer does not see are equally likely everywhere: what lay in a group is its owner's secret from the
moment it is taken, and a view does not show it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from games.catalogue.animals_on_board.rules.state import CHOOSING, OVER, TILES_DRAWN, GameSetup, Group, Round, State
from games.catalogue.animals_on_board.rules.tiles import FACE_DOWN, KINDS, list_tiles
from games.rules.base import View
from games.rules.chance import Chance


def complete_view(view: View, rng: random.Random) -> State:
    """A state of which this is the view. A game that is over is completed as it is."""
    hidden = list_hidden_tiles(view)
    rng.shuffle(hidden)
    if view["round"] == 0 and not view["over"]:
        arks, stack = _deal_choice(view, hidden)
    else:
        arks, stack = _deal_arks(view, hidden), ()
    groups = {heap["number"]: tuple(heap["tiles"]) for heap in view["groups"]}
    lies_down = any(FACE_DOWN in tiles for tiles in groups.values())
    face_down = hidden.pop() if lies_down else None
    drawn = len(stack)
    stack += tuple(hidden[: view["stack_size"]])
    to_act = view["to_act"]
    return State(
        table=GameSetup(view["seats"], tuple(view["species"]), stack, Chance(rng.randbytes(32))),
        round=Round(view["round"], is_laid=True),
        turn=OVER if view["over"] else CHOOSING if view["round"] == 0 else to_act[0],
        groups=groups,
        last_number=max(groups, default=0),
        crates=tuple(view["crates"]),
        arks=arks,
        in_round=tuple(seat in view["in_round"] for seat in range(view["seats"])),
        dropped=tuple(view["dropped"]),
        flag=view["flag"],
        face_down=face_down,
        drawn=drawn,
        forfeits=0,
        bell=view["last_round"],
        serial=0,
    )


def list_hidden_tiles(view: View) -> list[str]:
    """The tiles that this seat does not see, wherever they are; in a test position any that may be."""
    lying = {tile for heap in view["groups"] for tile in heap["tiles"]}
    seen = lying.union(view["ark"] or (), view["drawn"] or ())
    species = tuple(view["species"]) or tuple({kind for kind, _ in KINDS.values()})
    hidden = [tile for tile in list_tiles(species) if tile not in seen]
    missing = sum(view["tile_counts"]) + 1 - len(hidden)
    return hidden + [tile for tile in KINDS if tile not in seen and tile not in hidden][: max(0, missing)]


def _deal_arks(view: View, hidden: list[str]) -> tuple[Group, ...]:
    """The arks by seat; what they get is gone from `hidden`."""
    if view["loads"] is not None:
        return tuple(_unload(load) for load in view["loads"])
    arks: list[Group] = []
    for seat, count in enumerate(view["tile_counts"]):
        if seat == view["seat"]:
            arks.append(tuple(view["ark"]))
        else:
            arks.append(tuple(hidden[:count]))
            del hidden[:count]
    return tuple(arks)


def _unload(load: View) -> Group:
    return (*load["pairs"], *load["surplus"], *load["singles"], *(tile for herd in load["herds"] for tile in herd))


def _deal_choice(view: View, hidden: list[str]) -> tuple[tuple[Group, ...], Group]:
    """Arks and drawn tiles while everybody chooses what to keep. A viewer who has chosen sees only what they kept."""
    arks: list[Group] = []
    drawn: Group = ()
    for seat, count in enumerate(view["tile_counts"]):
        own = _list_own_tiles(view) if seat == view["seat"] else ()
        missing = TILES_DRAWN - len(own)
        three = (*own, *hidden[:missing])
        del hidden[:missing]
        arks.append(three[:count])
        drawn += three
    return tuple(arks), drawn


def _list_own_tiles(view: View) -> Sequence[str]:
    return tuple(view["drawn"] or view["ark"])
