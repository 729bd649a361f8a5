"""The engine contract for both climbing games, over the hooks of `ClimbingFlow`."""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

from games.catalogue.climbing.rules import cards, events
from games.catalogue.climbing.rules.build_view import build_seat_view, build_spectator_view, dump_expected
from games.catalogue.climbing.rules.dealing import HANDS
from games.catalogue.climbing.rules.exchange import undo_exchange
from games.catalogue.climbing.rules.flow import ClimbingFlow, Transition
from games.catalogue.climbing.rules.setup import RecordKeys, Setup, check_sizes, read_hands, read_setup
from games.catalogue.climbing.rules.state import OVER, Progress, State, Terms
from games.catalogue.climbing.rules.storage import dump_state, load_state
from games.catalogue.climbing.rules.unseen import reshuffle
from games.catalogue.climbing.rules.view import ClimbingView
from games.rules import registry
from games.rules.base import Config, Deadline, Event, Move, Option, Outcome, Seat, View
from games.rules.chance import Chance
from games.rules.engine import Engine

_SEATS: tuple[tuple[Seat, ...], ...] = tuple((seat,) for seat in range(8))


class Climbing(ClimbingFlow, Engine[State]):
    """`Rules[State]` of a climbing game."""

    slug: ClassVar[str]
    seat_counts: ClassVar[range] = range(4, 9)
    has_scores: ClassVar[bool]
    options: ClassVar[tuple[Option, ...]]
    standing_pass_ends: ClassVar[frozenset[str]] = frozenset({"round_won", "deal_over"})
    interlude_after: ClassVar[frozenset[str]] = frozenset({"dealt"})
    has_jobs: ClassVar[bool] = True
    ends_by_clock: ClassVar[bool]
    chance_names: ClassVar[tuple[str, ...]] = (HANDS,)
    state_type: ClassVar[type[State]] = State
    keys: ClassVar[RecordKeys]
    """The game's words in set-ups and expectations."""

    @abstractmethod
    def read_terms(self, seats: int, options: Mapping[str, Any]) -> Terms:
        """What the options mean. Raises BadSetup."""

    @abstractmethod
    def order_first_deal(self, setup: Setup, seats: int, chance: Chance) -> tuple[tuple[Seat, ...], bool]:
        """The order of the first deal, and whether it is one of ranks. Raises NoChance."""

    # Beginning

    def begin(self, config: Config, rng: Chance) -> State:
        """The first state. Raises BadSetup, NoChance."""
        terms = self.read_terms(config.seats, config.options)
        setup = read_setup(config.setup, terms.seats, keys=self.keys, pack=self.pack(terms), wild=self.wild)
        for later in setup.listed[1:]:
            if later is not None:  # who will hold which rank is not known yet, so any hand may be the largest
                check_sizes(sorted(later, key=cards.count_cards), self.pack(terms), is_ranked=True)
        order, is_ranked = self.order_first_deal(setup, terms.seats, rng)
        progress = Progress(terms._replace(listed=setup.listed), (), bell=False, chance=rng)
        return self.start_deal(progress, 1, order, 0, is_ranked=is_ranked)

    def opening(self, state: State) -> tuple[Event, ...]:
        """The first deal: who leads, and what was exchanged."""
        return events.make_dealt(state.deal, self.wild)

    def list_jobs(self, seats: int, options: Mapping[str, Any]) -> tuple[str, ...]:
        """The slugs of the jobs, from the boss down. Raises BadSetup."""
        return self.read_terms(seats, options).names

    def read_options(self, seats: int, options: Mapping[str, Any]) -> None:
        """Raises BadSetup."""
        self.read_terms(seats, options)

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
            return self.book.list_leads(state.hands[turn])
        return self.book.list_follows(
            state.hands[turn], state.play.count, state.number, can_beat_jokers=self.can_name_jokers
        )

    def check(self, state: State, seat: Seat, move: Move) -> None:
        """Raises IllegalMove."""
        self.read(state, seat, move)

    # Clock

    def ring(self, state: State) -> Transition:
        """The deal under way is the last."""
        if state.progress.bell:
            return state, ()
        return state._replace(progress=state.progress._replace(bell=True)), (events.make_bell(state),)

    def time_out_move(self, state: State, seat: Seat) -> Move:
        """The leader plays their lowest card, anyone else passes."""
        if state.play is not None:
            return {"pass": True}
        return {"play": cards.write_words(cards.take_lowest(state.hands[state.turn], 1), self.wild)}

    def serial_of(self, state: State) -> int:
        """Counts turns."""
        return state.serial

    def deadlines(self, state: State) -> tuple[Deadline, ...]:
        """The turn of the seat to act, and the bell while an agreed time runs."""
        turn = super().deadlines(state)
        minutes = state.progress.terms.minutes
        if not turn or minutes is None or state.progress.bell:
            return turn
        return *turn, Deadline({"clock": "time-up"}, 60.0 * minutes, (), 0)

    # What is known

    def view(self, state: State, seat: Seat | None) -> View:
        """A `ClimbingView`."""
        latest = self._latest
        if latest is None or latest[0] is not state:
            self._latest = latest = (state, self._show_state(state))
        common = latest[1]
        return cast(View, common.copy() if seat is None else build_seat_view(state, seat, common))

    _latest: tuple[State, ClimbingView] | None = None
    """What everybody may know of the state that was looked at last: its viewers come one after the other."""

    def _show_state(self, state: State) -> ClimbingView:
        return build_spectator_view(
            state,
            game=self.slug,
            wild=self.wild,
            can_name_jokers=self.can_name_jokers,
            one_turn=self.is_one_turn_each,
            scores=self.scores(state.progress.past, state.progress.terms.seats),
            is_last=self.is_last(state),
            outcome=self.outcome(state),
            pack=self.pack(state.progress.terms),
        )

    def outcome(self, state: State) -> Outcome | None:
        """The result, once the game is over."""
        return self.result(state) if state.turn == OVER else None

    def expected(self, state: State) -> dict[str, Any]:
        """The full state under the document's keys."""
        scores = self.scores(state.progress.past, state.progress.terms.seats)
        return dump_expected(state, keys=self.keys, wild=self.wild, scores=scores)

    # Records

    def setup_of(self, state: State) -> dict[str, Any]:
        """Order, ranks and all hands that are known beforehand, as dealt."""
        deal, terms = state.deal, state.progress.terms
        dealt = undo_exchange(deal.start, deal.order, deal.gifts)
        first = tuple(dealt[deal.order.index(seat)] for seat in range(terms.seats))
        return {
            "order": list(deal.order),
            self.keys.ranks: [deal.order.index(seat) + 1 for seat in range(terms.seats)] if deal.is_ranked else None,
            self.keys.deals: [self._write_deal(hands) for hands in (first, *terms.listed[1:])],
        }

    def _write_deal(self, hands: tuple[int, ...] | None) -> dict[str, Any]:
        return {} if hands is None else {"hands": [cards.write_words(hand, self.wild) for hand in hands]}

    def check_supplied(self, state: State, name: str, value: Any) -> None:
        """Raises BadSetup unless the value is a hand for each seat."""
        terms = state.progress.terms
        read_hands(value, terms.seats, pack=self.pack(terms), wild=self.wild)

    def chance(self, state: State) -> Chance:
        """The state's source of randomness."""
        return state.progress.chance

    def with_chance(self, state: State, chance: Chance) -> State:
        """The state with this source of randomness."""
        return state._replace(progress=state.progress._replace(chance=chance))

    def reshuffle_unseen(self, state: State, seat: Seat | None, rng: random.Random) -> State:
        """See unseen.py for what is respected."""
        return reshuffle(state, seat, rng, self.pack(state.progress.terms))

    def to_json(self, state: State) -> dict[str, Any]:
        """The whole state as JSON values."""
        return dump_state(state)

    def from_json(self, data: Mapping[str, Any]) -> State:
        """The inverse of `to_json`."""
        return load_state(data, self.book)


def find_climbing(game: str) -> Climbing:
    """The rules of one of the climbing games, by its slug. Raises UnknownGame."""
    return cast(Climbing, registry.find(game))
