"""The course of a climbing game: turns, rounds, deals. Games differ by the hooks of `ClimbingFlow`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from games.catalogue.climbing.rules import events
from games.catalogue.climbing.rules.cards import HIGHEST, JOKER, Pack
from games.catalogue.climbing.rules.dealing import deal_hands
from games.catalogue.climbing.rules.exchange import exchange_cards
from games.catalogue.climbing.rules.moves import read_move
from games.catalogue.climbing.rules.plays import PASS, Play, PlayIndex, holds_play
from games.catalogue.climbing.rules.state import (
    CLOCKWISE,
    NOBODY,
    OVER,
    Deal,
    Progress,
    State,
    Terms,
    begin_deal,
    note_lead,
    note_refusal,
)
from games.rules.base import Event, IllegalMove, Move, Outcome, Seat

Transition = tuple[State, tuple[Event, ...]]

_new = tuple.__new__  # takes half the time of State(…), for the two functions that run at every move


class ClimbingFlow(ABC):
    """The course of a game. The class attributes and the abstract methods are what a game decides."""

    wild: ClassVar[str]
    """The word for a joker."""
    can_name_jokers: ClassVar[bool]
    """Jokers alone may be given a number, and beat jokers alone."""
    is_one_turn_each: ClassVar[bool]
    """A round is one turn each; otherwise it lasts until all others have passed."""
    is_scored: ClassVar[bool]

    def __init__(self) -> None:
        self.book = PlayIndex(self.wild)

    @abstractmethod
    def pack(self, terms: Terms) -> Pack:
        """The cards of a table."""

    @abstractmethod
    def list_exchange_counts(self, seats: int) -> tuple[int, ...]:
        """Cards exchanged between the first and the last in rank, the second and the last but one …"""

    @abstractmethod
    def find_next_leader(self, holder: int, alive: int) -> int:
        """The place that leads when the last to play is out."""

    @abstractmethod
    def scores(self, past: tuple[tuple[int, ...], ...], seats: int) -> tuple[int, ...] | None:
        """The scores by seat after these finished deals, None if the game has none."""

    @abstractmethod
    def places(self, past: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
        """The places by seat when the game ended with these deals."""

    # Legality

    def read(self, state: State, seat: Seat, move: Move) -> tuple[Play | None, int]:
        """What the move is: None and 0 for a pass, else the play and its number. Raises IllegalMove."""
        if state.turn == OVER:
            raise IllegalMove("The game is over.")
        if state.deal.order[state.turn] != seat:
            raise IllegalMove("It is not your turn.")
        if move is PASS and state.play is not None:  # half of all moves
            return None, 0
        play, named = read_move(move, self.book, can_name_jokers=self.can_name_jokers)
        if play is None:
            if state.play is None:
                raise IllegalMove("You cannot pass: you lead this round, so you must play.")
            return None, 0
        if not holds_play(state.hands[state.turn], play):
            raise IllegalMove("You do not hold these cards: %(cards)s.", cards=" ".join(play.words))
        if state.play is not None and play.count != state.play.count:
            raise IllegalMove("You must play as many cards as are on the table: %(count)s.", count=state.play.count)
        return play, self._number_play(play, named, state.number)

    def _number_play(self, play: Play, named: int | None, to_beat: int) -> int:
        """The number that the play gets on the table. Raises IllegalMove if it is not higher."""
        number = play.number
        if number == JOKER and self.can_name_jokers:
            number = named if named is not None else max(to_beat, HIGHEST) + 1
        if number <= to_beat:
            raise IllegalMove("The number must be higher than the one on the table: %(number)s.", number=to_beat)
        return number

    # Turns and rounds

    def apply(self, state: State, seat: Seat, move: Move) -> Transition:
        """The next state and what happened. Raises IllegalMove.

        Where the move begins a deal: BadSetup if the listed or supplied hands are no deal, NoChance without a seed.
        """
        play, number = self.read(state, seat, move)
        if play is None:
            return self._pass(state)
        return self._play(state, play, number)

    def _pass(self, state: State) -> Transition:
        progress, deal, hands, turn, leader, play, number, holder, acted, passed, alive, out, serial, *rest = state
        refused, led = rest
        emitted = events.make_passed(deal.order[turn])
        bit = 1 << turn
        if play is not None:
            refused = note_refusal(refused, turn, play.count, number)
        acted |= bit
        waiting = alive & ~acted
        if not waiting:
            return self._end_round(state, refused, emitted)
        passed |= bit
        turn = CLOCKWISE[waiting][turn]
        serial += 1
        after = (
            progress, deal, hands, turn, leader, play, number, holder, acted, passed, alive, out, serial, refused, led,
        )  # fmt: skip
        return _new(State, after), emitted

    def _play(self, state: State, play: Play, number: int) -> Transition:
        progress, deal, hands, turn, leader, beaten, _, _, acted, passed, alive, out, serial, refused, led = state
        if beaten is None:
            led = note_lead(led, turn, number)
        emitted: tuple[Event, ...] = (events.make_played(deal.order[turn], play, number),)
        bit = 1 << turn
        hand = hands[turn] - play.cards
        hands = (*hands[:turn], hand, *hands[turn + 1 :])
        if not hand:
            alive &= ~bit
            out = (*out, turn)
            emitted += (events.make_out(deal.order[turn], len(out)),)
        if self.is_one_turn_each:
            acted |= bit
        else:
            acted, passed = bit, 0
        waiting = alive & ~acted
        following = CLOCKWISE[waiting][turn]
        serial += 1
        moved = (
            progress, deal, hands, following, leader, play, number, turn, acted, passed, alive, out, serial,
            refused, led,
        )  # fmt: skip
        after = _new(State, moved)
        if not hand and not alive & alive - 1:
            return self._end_deal(after, emitted)
        if not waiting:
            return self._end_round(after, refused, emitted)
        return after, emitted

    def _end_round(self, state: State, refused: int, emitted: tuple[Event, ...]) -> Transition:
        holder, alive = state.holder, state.alive
        leader = holder if alive >> holder & 1 else self.find_next_leader(holder, alive)
        deal = state.deal
        after = State(
            state.progress,
            deal,
            state.hands,
            leader,
            leader,
            None,
            0,
            NOBODY,
            0,
            0,
            alive,
            state.out,
            state.serial + 1,
            refused,
            state.led,
        )
        order = deal.order
        return after, (*emitted, events.make_round_won(order[holder], order[leader]))

    # Deals

    def start_deal(
        self, progress: Progress, number: int, order: tuple[Seat, ...], serial: int, *, is_ranked: bool
    ) -> State:
        """The first position of a deal. Raises BadSetup or NoChance if it cannot be dealt."""
        terms = progress.terms
        hands, chance = deal_hands(progress, number, order, pack=self.pack(terms), wild=self.wild, is_ranked=is_ranked)
        counts = self.list_exchange_counts(terms.seats) if is_ranked else ()
        hands, gifts = exchange_cards(hands, order, counts)
        return begin_deal(progress._replace(chance=chance), Deal(number, order, is_ranked, hands, gifts, serial))

    def _end_deal(self, state: State, emitted: tuple[Event, ...]) -> Transition:
        """One player is left and takes the last rank; the next deal begins or the game is over."""
        deal = state.deal
        last = state.alive.bit_length() - 1
        by_rank = tuple(deal.order[place] for place in (*state.out, last))
        ranks = tuple(by_rank.index(seat) + 1 for seat in range(len(by_rank)))
        progress = state.progress._replace(past=(*state.progress.past, ranks))
        emitted += (events.make_deal_over(deal.number, ranks, scored=self.is_scored),)
        if self.is_last(state):
            after = state._replace(progress=progress, turn=OVER, play=None, number=0, holder=NOBODY, acted=0, passed=0)
            return after, (*emitted, events.make_game_over(self.result(after)))
        after = self.start_deal(progress, deal.number + 1, by_rank, state.serial, is_ranked=True)
        return after, emitted + events.make_dealt(after.deal, self.wild)

    def is_last(self, state: State) -> bool:
        """Whether the deal under way is certainly the last."""
        return state.progress.bell or state.deal.number == state.progress.terms.deals

    def result(self, state: State) -> Outcome:
        """The result after the last deal."""
        past = state.progress.past
        return Outcome(self.places(past), self.scores(past, state.progress.terms.seats))
