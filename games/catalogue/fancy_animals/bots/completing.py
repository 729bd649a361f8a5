"""Completes a view of Fancy Animals to a state that fits it: other hands, the deck and the covered clothes.

What the viewer does not see is equally likely everywhere. Not respected is what they may remember: clothing that was
put to the bottom of its deck.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from games.catalogue.fancy_animals.rules.cards import ID_OF, gather_tiles, list_ids, list_pack
from games.catalogue.fancy_animals.rules.clothing import BY_WORD, SLOTS, list_deck
from games.catalogue.fancy_animals.rules.melds import read_meld
from games.catalogue.fancy_animals.rules.scoring import Worn
from games.catalogue.fancy_animals.rules.state import OVER, State
from games.rules.base import View
from games.rules.chance import Chance


def complete_view(view: View, rng: random.Random) -> State:
    """A state of which this is the view."""
    table = tuple(read_meld(tuple(words), view["top"], "loop" in view["active"]) for words in view["table"])
    tiles = 0
    for meld in table:
        tiles |= meld.tiles
    mine = gather_tiles(ID_OF[word] for word in view["hand"] or ())
    hidden = [card for card in list_pack(view["top"]) if not (mine | tiles) >> card & 1]
    rng.shuffle(hidden)
    hands = []
    for seat, size in enumerate(view["hand_sizes"]):
        if seat == view["seat"]:
            hands.append(mine)
        else:
            hands.append(gather_tiles(hidden[:size]))
            del hidden[:size]
    worn = tuple(_read_worn(animal) for animal in view["worn"])
    seen = {piece for animal in worn for pile in animal for piece in pile} | set(list_ids(tiles))
    last = view["last_turns"]
    return State(
        chance=Chance(rng.randbytes(32)),
        animals=tuple(view["animals"]),
        hands=tuple(hands),
        deck=tuple(hidden[: view["deck_size"]]),
        clothing=tuple(_complete_deck(view, slot, seen, rng) for slot in range(len(SLOTS))),
        table=table,
        tiles=tiles,
        worn=worn,
        active=tuple(view["active"]),
        turn=OVER if view["over"] else view["to_act"][0],
        last_turns=None if last is None else tuple(last),
        passes=view["passes"],
        serial=0,
    )


def _read_worn(worn: dict[str, Sequence[str]]) -> Worn:
    return tuple(tuple(BY_WORD[word].id for word in worn.get(spot, ())) for spot in SLOTS)


def _complete_deck(view: View, slot: int, seen: set[int], rng: random.Random) -> tuple[int, ...]:
    """The pieces on offer, then those of this slot that nobody sees."""
    offer = tuple(BY_WORD[word].id for word in view["offer"][slot])
    covered = [piece for piece in list_deck(slot) if piece not in seen and piece not in offer]
    rng.shuffle(covered)
    return (*offer, *covered[: view["clothing_sizes"][slot] - len(offer)])
