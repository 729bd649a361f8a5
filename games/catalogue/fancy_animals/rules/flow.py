"""The course of a game: turns and the end. Source: fancy-animals.md, A turn, and End and score."""

from __future__ import annotations

from collections.abc import Sequence

from games.catalogue.fancy_animals.rules import events, scoring
from games.catalogue.fancy_animals.rules.cards import ALL, list_ids
from games.catalogue.fancy_animals.rules.claims import find_longest_runs, list_offer, list_spots, put_on, take_off
from games.catalogue.fancy_animals.rules.clothing import BY_ID, SLOTS
from games.catalogue.fancy_animals.rules.melds import read_meld
from games.catalogue.fancy_animals.rules.moves import Activate, Draw, Play, read_move
from games.catalogue.fancy_animals.rules.names import name_clothing, name_rule, name_spot, name_tile
from games.catalogue.fancy_animals.rules.scoring import Worn
from games.catalogue.fancy_animals.rules.state import HAND_LIMIT, OVER, State, can_draw
from games.catalogue.fancy_animals.rules.table_check import read_table
from games.rules.base import Event, IllegalMove, Move, Outcome, Seat
from games.rules.phrases import PhraseList

Transition = tuple[State, tuple[Event, ...]]


def apply(state: State, seat: Seat, move: Move) -> Transition:
    """The next state and what happened. Raises IllegalMove."""
    if state.turn == OVER:
        raise IllegalMove("The game is over.")
    if state.turn != seat:
        raise IllegalMove("It is not your turn.")
    turn = read_move(move)
    if isinstance(turn, Play):
        return _play(state, turn)
    if isinstance(turn, Activate):
        return _activate(state, turn)
    return _draw(state) if isinstance(turn, Draw) else _pass(state)


# The four turns


def _draw(state: State) -> Transition:
    seat = state.turn
    if not state.deck:
        raise IllegalMove("The deck is empty. Play cards or pass.")
    if not can_draw(state, seat):
        raise IllegalMove("With %(most)s cards in hand you cannot draw. Play cards or pass.", most=HAND_LIMIT)
    card = state.deck[0]
    after = state._replace(hands=_replace_at(state.hands, seat, state.hands[seat] | 1 << card), deck=state.deck[1:])
    return _go_on(after, events.make_drew(seat, card))


def _pass(state: State) -> Transition:
    if can_draw(state, state.turn):
        raise IllegalMove(
            "You may pass only with %(most)s cards in hand or when the deck is empty. Play cards or draw.",
            most=HAND_LIMIT,
        )
    emitted = (events.make_passed(state.turn),)
    passes = state.passes + 1
    if passes == state.seats:
        last = None if state.last_turns is None else ()
        return _finish(state._replace(passes=passes, last_turns=last), emitted)
    return _go_on(state, emitted, passes=passes)


def _activate(state: State, turn: Activate) -> Transition:
    seat, hand = state.turn, state.hands[state.turn]
    if turn.rule in state.active:
        raise IllegalMove("The special rule “%(rule)s” is already active.", rule=name_rule(turn.rule))
    try:
        meld = read_meld(tuple(turn.words), state.top, state.loop)
    except TypeError:
        raise IllegalMove("A meld must be a list of cards such as “7LG:G”.") from None
    if meld.is_run:
        raise IllegalMove("To activate a special rule, play a set: three or four cards of one number.")
    if meld.tiles & ~hand:
        raise IllegalMove("All cards of the set must come from your hand.")
    active = tuple(sorted((*state.active, turn.rule)))
    after = state._replace(
        hands=_replace_at(state.hands, seat, hand & ~meld.tiles),
        table=(*state.table, meld),
        tiles=state.tiles | meld.tiles,
        active=active,
    )
    emitted: tuple[Event, ...] = (events.make_activated(seat, turn.rule, meld.tiles),)
    if turn.returned is not None:
        after = _put_back(after, turn.returned)
        emitted += (events.make_returned(seat, turn.returned),)
    return _go_on(after, emitted)


def _play(state: State, turn: Play) -> Transition:
    seat, hand = state.turn, state.hands[state.turn]
    if turn.cards & ~hand:
        missing = list_ids(turn.cards & ~hand)[0]
        raise IllegalMove("You do not hold this card: %(card)s.", card=name_tile(missing))
    worn = state.worn[seat]
    if turn.wilds:
        worn = _undress(worn, turn.wilds)
    table = read_table(state, turn.table, played=turn.cards, wilds=turn.wilds)
    moved = len({meld.words for meld in state.table} - {meld.words for meld in table})
    emitted: tuple[Event, ...] = (events.make_played(seat, turn.cards, turn.wilds, moved=moved),)
    after = state._replace(
        hands=_replace_at(state.hands, seat, hand & ~turn.cards),
        table=table,
        tiles=state.tiles | turn.cards | turn.wilds,
        worn=state.worn if worn is state.worn[seat] else _replace_at(state.worn, seat, worn),
    )
    if turn.claim is not None:
        return _claim(after, turn, emitted)
    if turn.returned is not None:
        after = _put_back(after, turn.returned)
        emitted += (events.make_returned(seat, turn.returned),)
    return _go_on(after, emitted)


def _undress(worn: Worn, wilds: int) -> Worn:
    left = take_off(worn, wilds)
    if left is None:
        raise IllegalMove("Only uncovered clothing on your own animal can be a wild.")
    return left


# Clothing


def _claim(state: State, turn: Play, emitted: tuple[Event, ...]) -> Transition:
    assert turn.claim is not None  # noqa: S101 - the caller has looked
    seat, piece = state.turn, BY_ID[turn.claim]
    _check_paid(state, turn)
    worn = state.worn[seat]
    spot = _choose_spot(worn, turn, state.active)
    is_last_spot = not worn[spot] and sum(1 for pile in worn if pile) == len(SLOTS) - 1
    deck = state.clothing[piece.slot]
    after = state._replace(
        worn=_replace_at(state.worn, seat, put_on(worn, piece.id, spot)),
        clothing=_replace_at(state.clothing, piece.slot, tuple(other for other in deck if other != piece.id)),
    )
    emitted += (events.make_claimed(seat, piece.id, spot),)
    if is_last_spot and state.last_turns is None:
        others = tuple((seat + step) % state.seats for step in range(1, state.seats))
        return _go_on(after._replace(last_turns=(seat, *others)), (*emitted, events.make_dressed(seat)))
    return _go_on(after, emitted)


def _check_paid(state: State, turn: Play) -> None:
    piece = BY_ID[turn.claim or 0]
    if piece.id not in list_offer(state.clothing):
        raise IllegalMove("This clothing is not on offer: %(clothing)s.", clothing=name_clothing(piece.id))
    reach = find_longest_runs(state.table, turn.cards, top=state.top, active=state.active)
    if reach[piece.suit] < piece.length:
        clothing, longest = name_clothing(piece.id), reach[piece.suit]
        raise IllegalMove(_UNPAID[piece.suit].template, clothing=clothing, length=piece.length, longest=longest)


_UNPAID = (
    IllegalMove(
        "This clothing needs a leather run of %(length)s: %(clothing)s. The longest on the table has %(longest)s."
    ),
    IllegalMove("This clothing needs a gem run of %(length)s: %(clothing)s. The longest on the table has %(longest)s."),
    IllegalMove(
        "This clothing needs a metal run of %(length)s: %(clothing)s. The longest on the table has %(longest)s."
    ),
    IllegalMove(
        "This clothing needs a cloth run of %(length)s: %(clothing)s. The longest on the table has %(longest)s."
    ),
)


def _choose_spot(worn: Worn, turn: Play, active: Sequence[str]) -> int:
    spots = list_spots(turn.claim or 0, worn, active)
    if not spots:
        raise IllegalMove("Your animal has no free spot for this.")
    if turn.spot is None:
        if len(spots) > 1:
            raise IllegalMove("Choose a spot for this clothing: %(spots)s.", spots=_name_spots(spots))
        return spots[0]
    if turn.spot not in spots:
        raise IllegalMove("It cannot be worn in that spot. Choose one of these: %(spots)s.", spots=_name_spots(spots))
    return turn.spot


def _name_spots(spots: Sequence[int]) -> PhraseList:
    return PhraseList([name_spot(spot) for spot in spots], ", ")


def _put_back(state: State, returned: int) -> State:
    piece = BY_ID[returned]
    if "return" not in state.active:
        raise IllegalMove("You can put clothing back only when the special rule “Return” is active.")
    if returned not in list_offer(state.clothing):
        raise IllegalMove("This clothing is not on offer: %(clothing)s.", clothing=name_clothing(piece.id))
    deck = (*(other for other in state.clothing[piece.slot] if other != returned), returned)
    return state._replace(clothing=_replace_at(state.clothing, piece.slot, deck))


# The next turn, and the end


def _go_on(state: State, emitted: tuple[Event, ...], *, passes: int = 0) -> Transition:
    last = state.last_turns
    if last is not None:
        last = last[1:]
        if not last:
            return _finish(state._replace(last_turns=(), passes=passes), emitted)
    following = last[0] if last is not None else (state.turn + 1) % len(state.hands)
    return state._replace(turn=following, last_turns=last, passes=passes, serial=state.serial + 1), emitted


def _finish(state: State, emitted: tuple[Event, ...]) -> Transition:
    after = state._replace(turn=OVER, serial=state.serial + 1)
    return after, (*emitted, events.make_game_over(find_outcome(after)))


def ring(state: State) -> Transition:
    """The bell: the player to act finishes the turn, everyone else has one more."""
    if state.last_turns is not None:
        return state, ()
    order = tuple((state.turn + step) % state.seats for step in range(state.seats))
    return state._replace(last_turns=order), (events.make_bell(),)


def list_scores(state: State) -> tuple[int, ...]:
    """What the animals are worth, by seat."""
    return tuple(scoring.score(worn, animal) for worn, animal in zip(state.worn, state.animals, strict=True))


def find_outcome(state: State) -> Outcome:
    """Points, then favourite pieces, then the numbers left in hand."""
    scores = list_scores(state)
    merits = [
        (
            scores[seat],
            scoring.count_favourites(state.worn[seat], state.animals[seat]),
            sum(ALL[card].number for card in list_ids(state.hands[seat])),
        )
        for seat in range(state.seats)
    ]
    return Outcome(scoring.find_places(merits), scores)


def _replace_at(items: tuple[object, ...], at: int, item: object) -> tuple:  # type: ignore[type-arg]
    return (*items[:at], item, *items[at + 1 :])
