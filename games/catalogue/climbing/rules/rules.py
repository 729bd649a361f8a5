"""The engine contract for both climbing games, over the hooks of `Flow`."""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

from games.catalogue.climbing.rules import cards, events
from games.catalogue.climbing.rules.cards import HIGHEST
from games.catalogue.climbing.rules.dealing import HANDS
from games.catalogue.climbing.rules.exchange import undo_exchange
from games.catalogue.climbing.rules.flow import Flow, Step
from games.catalogue.climbing.rules.setup import Keys, Setup, check_sizes, read_hands, read_setup
from games.catalogue.climbing.rules.show import expect, show, show_seat
from games.catalogue.climbing.rules.state import OVER, Evening, State, Terms
from games.catalogue.climbing.rules.storage import dump_state, load_state
from games.catalogue.climbing.rules.unseen import reshuffle
from games.catalogue.climbing.rules.view import ClimbingView
from games.rules.base import BadSetup, Config, Deadline, Event, IllegalMove, Move, Option, Outcome, Seat, View
from games.rules.chance import Chance
from games.rules.options import check_known, check_seats

_SEATS: tuple[tuple[Seat, ...], ...] = tuple((seat,) for seat in range(8))


class Climbing(Flow):
    """A climbing game as the rest of the house knows it: `Rules[State]`."""

    slug: ClassVar[str]
    version: ClassVar[int] = 1
    seat_counts: ClassVar[range] = range(4, 9)
    has_scores: ClassVar[bool]
    options: ClassVar[tuple[Option, ...]]
    standing_pass_ends: ClassVar[frozenset[str]] = frozenset({"round_won", "deal_over"})
    has_jobs: ClassVar[bool] = True
    ends_by_clock: ClassVar[bool]
    keys: ClassVar[Keys]
    """The game's words in set-ups and expectations."""

    @abstractmethod
    def agree(self, seats: int, options: Mapping[str, Any]) -> Terms:
        """What the options mean. Raises BadSetup."""

    @abstractmethod
    def seat_first(self, setup: Setup, seats: int, chance: Chance) -> tuple[tuple[Seat, ...], bool]:
        """The order of the first deal, and whether it is one of ranks. Raises NoChance."""

    # Beginning

    def start(self, config: Config, rng: Chance) -> State:
        """The first state. Raises BadSetup, NoChance."""
        terms = self._read_terms(config.seats, config.options)
        setup = read_setup(config.setup, terms.seats, keys=self.keys, pack=self.pack(terms), wild=self.wild)
        for later in setup.listed[1:]:
            if later is not None:  # who will hold which rank is not known yet, so any hand may be the largest
                check_sizes(sorted(later, key=cards.size), self.pack(terms), is_ranked=True)
        order, is_ranked = self.seat_first(setup, terms.seats, rng)
        evening = Evening(terms._replace(listed=setup.listed), (), bell=False, chance=rng)
        return self.begin(evening, 1, order, 0, is_ranked=is_ranked)

    def opening(self, state: State) -> tuple[Event, ...]:
        """The first deal: who leads, and what was exchanged."""
        return events.tell_dealt(state.deal, self.wild)

    def check_options(self, seats: int, options: Mapping[str, Any]) -> None:
        """Raises BadSetup."""
        self._read_terms(seats, options)

    def _read_terms(self, seats: int, options: Mapping[str, Any]) -> Terms:
        check_seats(seats, self.seat_counts)
        if not isinstance(options, Mapping):
            raise BadSetup("Options are an object.")
        check_known(options, self.options)
        return self.agree(seats, options)

    # Moves

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """One seat, or nobody after the end."""
        return () if state.turn == OVER else _SEATS[state.deal.order[state.turn]]

    def legal_moves(self, state: State, seat: Seat) -> Sequence[Move]:
        """All moves. Jokers alone are listed unnamed: a name changes nothing of what beats them."""
        turn = state.turn
        if turn == OVER or state.deal.order[turn] != seat:
            return ()
        if state.play is None:
            return self.book.leads(state.hands[turn])
        return self.book.follows(
            state.hands[turn], state.play.count, min(state.number, HIGHEST + 1), can_beat_jokers=self.can_name_jokers
        )

    def legal_sample(self, state: State, seat: Seat, rng: random.Random) -> Move:
        """One of the listed moves. Raises IllegalMove if the seat is not to act."""
        moves = self.legal_moves(state, seat)
        if not moves:
            raise IllegalMove("It is not your turn.")
        return rng.choice(moves)

    def check(self, state: State, seat: Seat, move: Move) -> None:
        """Raises IllegalMove."""
        self.read(state, seat, move)

    # Clock

    def on_clock(self, state: State, event: Mapping[str, Any]) -> Step:
        """{"clock": "turn"} and {"clock": "time-up"}. Raises IllegalMove; otherwise as `apply`."""
        clock = event.get("clock") if isinstance(event, Mapping) else None
        if clock not in ("turn", "time-up"):
            raise IllegalMove("This game knows the clock events “turn” and “time-up”.")
        if state.turn == OVER:
            raise IllegalMove("The game is over.")
        return self._time_out(state) if clock == "turn" else self._ring(state)

    def _time_out(self, state: State) -> Step:
        seat = state.deal.order[state.turn]
        after, told = self.apply(state, seat, self.time_out_move(state))
        return after, (events.tell_timed_out(seat), *told)

    def _ring(self, state: State) -> Step:
        if state.evening.bell:
            return state, ()
        return state._replace(evening=state.evening._replace(bell=True)), (events.tell_bell(state),)

    def deadlines(self, state: State) -> tuple[Deadline, ...]:
        """The turn of the seat to act, and the bell while an agreed time runs."""
        if state.turn == OVER:
            return ()
        turn = Deadline({"clock": "turn"}, None, self.to_act(state), state.serial)
        minutes = state.evening.terms.minutes
        if minutes is None or state.evening.bell:
            return (turn,)
        return turn, Deadline({"clock": "time-up"}, 60.0 * minutes, (), 0)

    # What is known

    def view(self, state: State, seat: Seat | None) -> View:
        """A `ClimbingView`."""
        latest = self._latest
        if latest is None or latest[0] is not state:
            self._latest = latest = (state, self._show(state))
        common = latest[1]
        return cast(View, common.copy() if seat is None else show_seat(state, seat, common))

    _latest: tuple[State, ClimbingView] | None = None
    """What everybody may know of the state that was looked at last: its viewers come one after the other."""

    def _show(self, state: State) -> ClimbingView:
        return show(
            state,
            game=self.slug,
            wild=self.wild,
            can_name_jokers=self.can_name_jokers,
            one_turn=self.is_one_turn_each,
            scores=self.scores(state.evening.past, state.evening.terms.seats),
            is_last=self.is_last(state),
            outcome=self.outcome(state),
        )

    def outcome(self, state: State) -> Outcome | None:
        """The result, once the game is over."""
        return self.result(state) if state.turn == OVER else None

    def expected(self, state: State) -> dict[str, Any]:
        """The full state under the document's keys."""
        scores = self.scores(state.evening.past, state.evening.terms.seats)
        return expect(state, keys=self.keys, wild=self.wild, scores=scores)

    # Records

    def setup_of(self, state: State) -> dict[str, Any]:
        """Order, ranks and all hands that are known beforehand, as dealt."""
        deal, terms = state.deal, state.evening.terms
        dealt = undo_exchange(deal.start, deal.order, deal.gifts)
        first = tuple(dealt[deal.order.index(seat)] for seat in range(terms.seats))
        return {
            "order": list(deal.order),
            self.keys.ranks: [deal.order.index(seat) + 1 for seat in range(terms.seats)] if deal.is_ranked else None,
            self.keys.deals: [self._write_deal(hands) for hands in (first, *terms.listed[1:])],
        }

    def _write_deal(self, hands: tuple[int, ...] | None) -> dict[str, Any]:
        return {} if hands is None else {"hands": [cards.words(hand, self.wild) for hand in hands]}

    def supply(self, state: State, values: Sequence[tuple[str, Any]]) -> State:
        """The state whose next deals are these. Raises BadSetup."""
        terms = state.evening.terms
        for name, value in values:
            if name != HANDS:
                raise BadSetup("Chance decides only “%(known)s” in this game, not “%(name)s”.", known=HANDS, name=name)
            read_hands(value, terms.seats, pack=self.pack(terms), wild=self.wild)
        return _with_chance(state, self.chance(state)._replace(supplied=tuple(values)))

    def chance(self, state: State) -> Chance:
        """The state's source of randomness."""
        return state.evening.chance

    def settle(self, state: State) -> State:
        """Nothing drawn, nothing supplied."""
        return _with_chance(state, state.evening.chance._replace(supplied=(), drawn=()))

    def reshuffle_unseen(self, state: State, seat: Seat | None, rng: random.Random) -> State:
        """See unseen.py for what is respected."""
        return reshuffle(state, seat, rng, self.pack(state.evening.terms))

    def to_json(self, state: State) -> dict[str, Any]:
        """The whole state as JSON values."""
        return dump_state(state)

    def from_json(self, data: Mapping[str, Any]) -> State:
        """The inverse of `to_json`."""
        return load_state(data, self.book)


def _with_chance(state: State, chance: Chance) -> State:
    return state._replace(evening=state.evening._replace(chance=chance))
