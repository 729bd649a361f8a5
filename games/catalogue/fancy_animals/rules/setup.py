"""Builds the first position from a set-up; what it leaves out is drawn from the seed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from games.catalogue.fancy_animals.rules.cards import CARDS, ID_OF, Tiles, gather_tiles, list_pack
from games.catalogue.fancy_animals.rules.claims import SPECIAL_RULES
from games.catalogue.fancy_animals.rules.clothing import BY_WORD, FAVOURITES, SLOTS, list_deck
from games.catalogue.fancy_animals.rules.melds import Meld, read_meld
from games.catalogue.fancy_animals.rules.scoring import NOTHING_WORN, Worn
from games.catalogue.fancy_animals.rules.state import State
from games.rules import reading
from games.rules.base import BadSetup, IllegalMove, Seat, quote
from games.rules.chance import Chance

HAND_SIZE: Final = 10
_KEYS: Final = ("hands", "animals", "deck", "clothing", "table", "worn", "active", "to_act")


class _GivenSetup(NamedTuple):
    """What a set-up names; None for what it leaves to chance."""

    animals: tuple[str, ...] | None
    hands: tuple[tuple[int, ...], ...] | None
    deck: tuple[int, ...] | None
    clothing: tuple[tuple[int, ...] | None, ...]
    table: tuple[Meld, ...]
    worn: tuple[Worn, ...]
    active: tuple[str, ...]
    turn: Seat

    def tiles(self) -> list[int]:
        """All cards and clothes that are named, one entry a mention."""
        decks = [*(self.hands or ()), self.deck or (), *(deck or () for deck in self.clothing)]
        piles = [pile for worn in self.worn for pile in worn]
        return [tile for group in (*decks, *piles) for tile in group] + [
            piece.id for meld in self.table for piece in meld.pieces
        ]


def begin_game(setup: Mapping[str, Any], seats: int, top: int, chance: Chance) -> State:
    """The first state. Raises BadSetup, and NoChance if something is left out and there is no seed."""
    named = _read(setup, seats, top)
    tiles = named.tiles()
    if len(set(tiles)) != len(tiles):
        raise BadSetup("The starting position names a card or piece of clothing twice.")
    free = [card for card in list_pack(top) if card not in tiles]
    hands, deck = _deal(named, seats, free, chance)
    return State(
        chance=chance,
        animals=named.animals or tuple(chance.stream("animals").shuffled(sorted(FAVOURITES))[:seats]),
        hands=hands,
        deck=deck,
        clothing=tuple(
            given if given is not None else _shuffle_clothing(slot, tiles, chance)
            for slot, given in enumerate(named.clothing)
        ),
        table=named.table,
        tiles=sum(meld.tiles for meld in named.table),
        worn=named.worn,
        active=named.active,
        turn=named.turn,
        last_turns=None,
        passes=0,
        serial=0,
    )


def _deal(named: _GivenSetup, seats: int, free: list[int], chance: Chance) -> tuple[tuple[Tiles, ...], tuple[int, ...]]:
    """Ten cards to each seat in turn, the rest is the deck."""
    hands, deck = named.hands, named.deck
    if hands is None or deck is None:
        free = chance.stream("cards").shuffled(free)
    if hands is None:
        if len(free) < HAND_SIZE * seats:
            raise BadSetup("There are not enough cards left to give each hand %(count)s.", count=HAND_SIZE)
        hands = tuple(tuple(free[HAND_SIZE * seat : HAND_SIZE * (seat + 1)]) for seat in range(seats))
        free = free[HAND_SIZE * seats :]
    return tuple(gather_tiles(hand) for hand in hands), tuple(free) if deck is None else deck


def _shuffle_clothing(slot: int, named: list[int], chance: Chance) -> tuple[int, ...]:
    return tuple(chance.stream("clothing", slot).shuffled([piece for piece in list_deck(slot) if piece not in named]))


def _read(setup: Mapping[str, Any], seats: int, top: int) -> _GivenSetup:
    reading.read_keys(setup, _KEYS)
    active = _read_active(setup.get("active"))
    return _GivenSetup(
        animals=_read_animals(setup.get("animals"), seats),
        hands=_read_hands(setup.get("hands"), seats, top),
        deck=None if setup.get("deck") is None else _read_cards(setup["deck"], "deck", top),
        clothing=_read_decks(setup.get("clothing")),
        table=_read_table(setup.get("table"), top, loop="loop" in active),
        worn=_read_worn(setup.get("worn"), seats),
        active=active,
        turn=_read_turn(setup.get("to_act"), seats),
    )


def _read_active(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or any(rule not in SPECIAL_RULES for rule in value) or len(set(value)) != len(value):
        raise BadSetup("“active” must be a list of special rules: %(known)s.", known=", ".join(SPECIAL_RULES))
    return tuple(sorted(value))


def _read_animals(value: object, seats: int) -> tuple[str, ...] | None:
    if value is None:
        return None
    is_known = isinstance(value, list) and all(isinstance(animal, str) and animal in FAVOURITES for animal in value)
    if not isinstance(value, list) or not is_known or not len(value) == len(set(value)) == seats:
        animals = ", ".join(sorted(FAVOURITES))
        raise BadSetup(
            "“animals” must list %(seats)s different animals. Possible: %(known)s.", seats=seats, known=animals
        )
    return tuple(value)


def _read_hands(value: object, seats: int, top: int) -> tuple[tuple[int, ...], ...] | None:
    if value is None:
        return None
    return tuple(_read_cards(hand, "hands", top) for hand in reading.read_hands(value, seats))


def _read_cards(value: object, key: str, top: int) -> tuple[int, ...]:
    if not reading.is_list(value):
        raise BadSetup("“%(key)s” must be a list of cards.", key=key)
    return tuple(_read_card(word, top) for word in value)


def _read_card(word: object, top: int) -> int:
    at = ID_OF.get(word) if isinstance(word, str) else None
    if at is None or at not in list_pack(top):
        raise BadSetup("“%(card)s” is not a card of this game.", card=quote(word))
    return at


def _read_decks(value: object) -> tuple[tuple[int, ...] | None, ...]:
    if value is None:
        return (None,) * len(SLOTS)
    if not isinstance(value, Mapping) or any(slot not in SLOTS for slot in value):
        raise BadSetup("“clothing” must be an object. Its keys can be hand, feet, body and head.")
    decks = tuple(None if value.get(slot) is None else _read_clothes(value[slot]) for slot in SLOTS)
    for slot, deck in enumerate(decks):
        if any(piece not in list_deck(slot) for piece in deck or ()):
            raise BadSetup("The deck “%(slot)s” contains clothing that belongs to another deck.", slot=SLOTS[slot])
    return decks


def _read_clothes(value: object) -> tuple[int, ...]:
    if not reading.is_list(value):
        raise BadSetup("A deck or pile of clothing must be a list.")
    for word in value:
        if not isinstance(word, str) or word not in BY_WORD:
            raise BadSetup("“%(clothing)s” is not a piece of clothing.", clothing=quote(word))
    return tuple(BY_WORD[word].id for word in value)


def _read_table(value: object, top: int, *, loop: bool) -> tuple[Meld, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(meld, list) for meld in value):
        raise BadSetup("“table” must be a list of melds.")
    try:
        return tuple(read_meld(tuple(meld), top, loop) for meld in value)
    except TypeError:
        raise BadSetup("A meld must be a list of cards such as “7LG:G”.") from None
    except IllegalMove as error:
        raise BadSetup(error.template, **error.values) from error


def _read_worn(value: object, seats: int) -> tuple[Worn, ...]:
    if value is None:
        return (NOTHING_WORN,) * seats
    if not reading.is_list(value, seats):
        raise BadSetup("“worn” must be a list of %(seats)s objects, one for each seat.", seats=seats)
    return tuple(_read_one_worn(worn) for worn in value)


def _read_one_worn(value: object) -> Worn:
    if not isinstance(value, Mapping) or any(spot not in SLOTS for spot in value):
        raise BadSetup("What an animal wears must be an object. Its keys can be hand, feet, body and head.")
    return tuple(_read_clothes(value.get(spot, [])) for spot in SLOTS)


def _read_turn(value: object, seats: int) -> Seat:
    if value is None:
        return 0
    if not reading.is_whole(value, 0, seats - 1):
        raise BadSetup("“to_act” must be the number of a seat.")
    return value


def write_setup(state: State, worn: list[dict[str, list[str]]], words: Any) -> dict[str, Any]:
    """A complete set-up of a first state. words: the word of a tile."""
    return {
        "hands": [[words(card) for card in range(CARDS) if hand >> card & 1] for hand in state.hands],
        "animals": list(state.animals),
        "deck": [words(card) for card in state.deck],
        "clothing": {slot: [words(piece) for piece in deck] for slot, deck in zip(SLOTS, state.clothing, strict=True)},
        "table": [list(meld.words) for meld in state.table],
        "worn": worn,
        "active": list(state.active),
        "to_act": state.turn,
    }
