"""The engine contract for Super Zwierzaki."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, TypeAlias, cast

from games.catalogue.super_zwierzaki.rules import legal, moves, piles, setup, turn_end, windows
from games.catalogue.super_zwierzaki.rules.kinds import WORDS, write_words
from games.catalogue.super_zwierzaki.rules.move_schema import MOVE_SCHEMA
from games.catalogue.super_zwierzaki.rules.standing import (
    HITS,
    STANDING_ANSWERS,
    WINDOWS,
    answer_window,
    is_covered,
    is_standing_over,
)
from games.catalogue.super_zwierzaki.rules.state import Draft, State, list_seats
from games.catalogue.super_zwierzaki.rules.storage import dump_state, load_state
from games.catalogue.super_zwierzaki.rules.unseen import reshuffle
from games.catalogue.super_zwierzaki.rules.view import build_view, dump_expected, list_owing
from games.rules.base import (
    Config,
    Deadline,
    Event,
    IllegalMove,
    Move,
    Option,
    Outcome,
    Rules,
    Seat,
    View,
)
from games.rules.chance import Chance
from games.rules.engine import Engine

Transition: TypeAlias = tuple[State, tuple[Event, ...]]
DUEL_SECONDS: Final = 20.0
"""Seconds for each decision in a duel. Source: super-zwierzaki.md, *Time*."""


class SuperZwierzaki(Engine[State]):
    """`Rules[State]` of Super Zwierzaki."""

    slug: ClassVar[str] = "super-zwierzaki"
    seat_counts: ClassVar[range] = setup.SEATS
    has_scores: ClassVar[bool] = False
    options: ClassVar[tuple[Option, ...]] = setup.OPTIONS
    windows: ClassVar[frozenset[str]] = WINDOWS
    standing_answers: ClassVar[tuple[str, ...]] = STANDING_ANSWERS
    usual_standing_answer: ClassVar[str] = HITS
    move_schema: ClassVar[Mapping[str, Any]] = MOVE_SCHEMA
    chance_names: ClassVar[tuple[str, ...]] = (piles.DRAW_PILE, piles.RANDOM_HALF)
    state_type: ClassVar[type[State]] = State

    # Beginning

    def begin(self, config: Config, rng: Chance) -> State:
        """The first state. Raises BadSetup, NoChance."""
        draft = Draft(setup.deal(config, rng))
        turn_end.begin_turn(draft)
        return draft.freeze()

    def opening(self, state: State) -> tuple[Event, ...]:
        """The cards are dealt."""
        shown = dump_expected(state)
        data = {"order": list(state.terms.order), "sizes": shown["hand_sizes"], "top": shown["top"]}
        return (Event("dealt", None, data),)

    def check_options(self, seats: int, options: Mapping[str, Any]) -> None:
        """Raises BadSetup."""
        setup.read_terms(seats, options)

    # Moves

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """Whose turn or choice it is; in a window all who have not answered."""
        return list_seats(state.asked)

    def legal_moves(self, state: State, seat: Seat) -> Sequence[Move] | None:
        """See legal.py. A seat that owes the call may say it also when it is not asked."""
        return legal.list_moves(state, seat)

    def legal_sample(self, state: State, seat: Seat, rng: random.Random) -> Move:
        """One legal move. Raises IllegalMove if the seat has none."""
        return legal.sample_move(state, seat, rng)

    def check(self, state: State, seat: Seat, move: Move) -> None:
        """Raises IllegalMove."""
        moves.read_move(state, seat, move)

    def apply(self, state: State, seat: Seat, move: Move) -> Transition:
        """The next state. Raises IllegalMove; NoChance or BadSetup where chance is missing or supplied wrongly."""
        act = moves.read_move(state, seat, move)
        draft = Draft(state)
        if act.calls:
            turn_end.make_call(draft, seat)
        elif draft.owing[seat]:
            turn_end.penalise_missed_call(draft, seat)
        if act.do is not None:
            act.do(draft, seat, act.what)
        return draft.freeze(), tuple(draft.emitted)

    # Clock

    def on_clock(self, state: State, event: Mapping[str, Any]) -> Transition:
        """{"clock": "turn" | "reaction" | "win" | "time-up"}, {"clock": "call", "seat": 1}. Otherwise as `apply`."""
        clock = event.get("clock") if isinstance(event, Mapping) else None
        if clock not in ("turn", "reaction", "win", "call", "time-up"):
            raise IllegalMove("This game knows the clock events “turn”, “reaction”, “win”, “call” and “time-up”.")
        if state.phase == "over":
            raise IllegalMove("The game is over.")
        draft = Draft(state)
        if clock == "time-up":
            return self.ring(state)
        if clock == "call":
            _time_out_call(state, draft, event.get("seat"))
        elif clock == "turn":
            return self.time_out(state)
        elif clock != state.phase:
            raise IllegalMove("No such reaction or win window is open.")
        else:
            windows.close(draft)
        return draft.freeze(), tuple(draft.emitted)

    def ring(self, state: State) -> Transition:
        """The turn under way is the last."""
        if state.bell:
            return state, ()
        draft = Draft(state)
        draft.bell = True
        draft.emit("bell", None, {})
        return draft.freeze(), tuple(draft.emitted)

    def time_out(self, state: State) -> Transition:
        """The seat that is asked makes its `time_out_move`. Raises IllegalMove in a window."""
        if state.phase in ("reaction", "win"):
            raise IllegalMove("It is nobody's turn while a reaction or win window is open.")
        return super().time_out(state)

    def time_out_move(self, state: State, seat: Seat) -> Move:
        """See `choose_default`."""
        return legal.choose_default(state, seat)

    def serial_of(self, state: State) -> int:
        """The serial number of the wait that is running."""
        return state.wait

    def deadlines(self, state: State) -> tuple[Deadline, ...]:
        """The turn, choice, duel decision or window; every call that is owed; the bell while an agreed time runs.

        While others are asked the turn stands still: it may go on with a choice.
        """
        if state.phase == "over":
            return ()
        waits = [self._deadline(state)]
        terms = state.terms
        if state.phase in ("reaction", "duel", "give") and state.wait != state.turn_serial and state.play is not None:
            waits.append(Deadline({"clock": "turn"}, terms.turn_seconds, (state.turn,), state.turn_serial, held=True))
        for seat in list_owing(state):
            event = {"clock": "call", "seat": seat}
            waits.append(Deadline(event, float(terms.call_seconds), (seat,), state.owing[seat]))
        if terms.minutes is not None and not state.bell:
            waits.append(Deadline({"clock": "time-up"}, 60.0 * terms.minutes, (), 0))
        return tuple(waits)

    def _deadline(self, state: State) -> Deadline:
        terms, asked = state.terms, list_seats(state.asked)
        if state.phase == "reaction":
            return Deadline({"clock": "reaction"}, float(terms.reaction_seconds), asked, state.wait)
        if state.phase == "win":
            return Deadline({"clock": "win"}, float(terms.win_seconds), asked, state.wait)
        seconds = DUEL_SECONDS if state.phase == "duel" else terms.turn_seconds
        return Deadline({"clock": "turn"}, seconds, asked, state.wait)

    # Windows

    def answer_window(self, state: State, seat: Seat, standing: str) -> Move | None:
        """See standing.py."""
        return answer_window(state, seat, standing)

    def is_covered(self, state: State, seat: Seat, standing: str) -> bool:
        """See standing.py."""
        return is_covered(state, seat, standing)

    def is_standing_over(self, state: State, seat: Seat, standing: str) -> bool:
        """See standing.py."""
        return is_standing_over(state, seat, standing)

    # What is known

    def view(self, state: State, seat: Seat | None) -> View:
        """A `SuperZwierzakiView`."""
        return cast(View, build_view(state, seat))

    def outcome(self, state: State) -> Outcome | None:
        """The result, once the game is over."""
        return Outcome(state.places, None) if state.places else None

    def expected(self, state: State) -> dict[str, Any]:
        """The full state under the document's keys."""
        return dump_expected(state)

    # Records

    def setup_of(self, state: State) -> dict[str, Any]:
        """The moment before the first turn."""
        terms = state.terms
        counters = dict(zip(setup.COUNTERS, terms.counters, strict=True))
        found = {
            "hands": [write_words(hand) for hand in state.hands],
            "top": WORDS[state.top],
            "draw": [WORDS[kind] for kind in state.pile],
            "order": list(terms.order),
            "counters": counters,
            "lost_turns": list(terms.lost),
            "heap": [WORDS[kind] for kind in state.heap],
        }
        if terms.named is not None:
            found["demand"] = {"named": WORDS[terms.named[0]], "by": terms.named[1]}
        return found

    def check_supplied(self, state: State, name: str, value: Any) -> None:
        """Raises BadSetup unless the value is a list of cards."""
        piles.read_cards(value, name)

    def chance(self, state: State) -> Chance:
        """The state's source of randomness."""
        return state.chance

    def with_chance(self, state: State, chance: Chance) -> State:
        """The state with this source of randomness."""
        return state._replace(chance=chance)

    def reshuffle_unseen(self, state: State, seat: Seat | None, rng: random.Random) -> State:
        """See unseen.py for what is respected."""
        return reshuffle(state, seat, rng)

    def to_json(self, state: State) -> dict[str, Any]:
        """The whole state as JSON values."""
        return dump_state(state)

    def from_json(self, data: Mapping[str, Any]) -> State:
        """The inverse of `to_json`."""
        return load_state(data)


def _time_out_call(state: State, draft: Draft, seat: Any) -> None:
    if type(seat) is not int or seat not in list_owing(state):
        raise IllegalMove("This seat does not have to call.")
    turn_end.penalise_missed_call(draft, seat)


RULES: Final[Rules[State]] = SuperZwierzaki()
