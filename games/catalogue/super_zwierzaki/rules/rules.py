"""The engine contract for Super Zwierzaki."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, TypeAlias, cast

from games.catalogue.super_zwierzaki.rules import legal, moves, piles, settling, setup, windows
from games.catalogue.super_zwierzaki.rules.kinds import WORDS, words
from games.catalogue.super_zwierzaki.rules.state import Draft, State, members
from games.catalogue.super_zwierzaki.rules.storage import dump, load
from games.catalogue.super_zwierzaki.rules.unseen import reshuffle
from games.catalogue.super_zwierzaki.rules.view import expect, must_call, show
from games.rules.base import (
    BadSetup,
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

Step: TypeAlias = tuple[State, tuple[Event, ...]]
DUEL_SECONDS: Final = 20.0


class SuperZwierzaki:
    """Super Zwierzaki as the rest of the house knows it: `Rules[State]`."""

    slug: ClassVar[str] = "super-zwierzaki"
    version: ClassVar[int] = 1
    seat_counts: ClassVar[range] = setup.SEATS
    has_scores: ClassVar[bool] = False
    options: ClassVar[tuple[Option, ...]] = setup.OPTIONS
    standing_pass_ends: ClassVar[frozenset[str]] = frozenset()
    has_jobs: ClassVar[bool] = False
    ends_by_clock: ClassVar[bool] = False

    # Beginning

    def start(self, config: Config, rng: Chance) -> State:
        """The first state. Raises BadSetup, NoChance."""
        draft = Draft(setup.deal(config, rng))
        settling.begin_turn(draft)
        return draft.freeze()

    def opening(self, state: State) -> tuple[Event, ...]:
        """The cards are dealt."""
        shown = expect(state)
        data = {"order": list(state.terms.order), "sizes": shown["hand_sizes"], "top": shown["top"]}
        return (Event("dealt", None, data),)

    def check_options(self, seats: int, options: Mapping[str, Any]) -> None:
        """Raises BadSetup."""
        setup.read_terms(seats, options)

    # Moves

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """Whose turn or choice it is; in a window all who have not answered."""
        return members(state.asked)

    def legal_moves(self, state: State, seat: Seat) -> Sequence[Move] | None:
        """See legal.py. A seat that owes the call may say it also when it is not asked."""
        return legal.list_moves(state, seat)

    def legal_sample(self, state: State, seat: Seat, rng: random.Random) -> Move:
        """One legal move. Raises IllegalMove if the seat has none."""
        return legal.sample(state, seat, rng)

    def check(self, state: State, seat: Seat, move: Move) -> None:
        """Raises IllegalMove."""
        moves.read(state, seat, move)

    def apply(self, state: State, seat: Seat, move: Move) -> Step:
        """The next state. Raises IllegalMove; NoChance or BadSetup where chance is missing or supplied wrongly."""
        act = moves.read(state, seat, move)
        draft = Draft(state)
        if act.calls:
            settling.say(draft, seat)
        elif draft.owing[seat]:
            settling.punish(draft, seat)
        if act.do is not None:
            act.do(draft, seat, act.what)
        return draft.freeze(), tuple(draft.told)

    # Clock

    def on_clock(self, state: State, event: Mapping[str, Any]) -> Step:
        """{"clock": "turn" | "reaction" | "win" | "time-up"}, {"clock": "call", "seat": 1}. Otherwise as `apply`."""
        clock = event.get("clock") if isinstance(event, Mapping) else None
        if clock not in ("turn", "reaction", "win", "call", "time-up"):
            raise IllegalMove("This game knows the clock events “turn”, “reaction”, “win”, “call” and “time-up”.")
        if state.phase == "over":
            raise IllegalMove("The game is over.")
        draft = Draft(state)
        if clock == "time-up":
            return _ring(state, draft)
        if clock == "call":
            _run_out_call(state, draft, event.get("seat"))
        elif clock == "turn":
            return self._time_out(state)
        elif clock != state.phase:
            raise IllegalMove("There is no such window open.")
        else:
            windows.close(draft)
        return draft.freeze(), tuple(draft.told)

    def _time_out(self, state: State) -> Step:
        if state.phase in ("reaction", "win"):
            raise IllegalMove("It is nobody's turn while a window is open.")
        (seat,) = members(state.asked)
        after, told = self.apply(state, seat, legal.default(state, seat))
        return after, (Event("timed_out", seat, {}), *told)

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
        for seat in must_call(state):
            event = {"clock": "call", "seat": seat}
            waits.append(Deadline(event, float(terms.call_seconds), (seat,), state.owing[seat]))
        if terms.minutes is not None and not state.bell:
            waits.append(Deadline({"clock": "time-up"}, 60.0 * terms.minutes, (), 0))
        return tuple(waits)

    def _deadline(self, state: State) -> Deadline:
        terms, asked = state.terms, members(state.asked)
        if state.phase == "reaction":
            return Deadline({"clock": "reaction"}, float(terms.reaction_seconds), asked, state.wait)
        if state.phase == "win":
            return Deadline({"clock": "win"}, float(terms.win_seconds), asked, state.wait)
        seconds = DUEL_SECONDS if state.phase == "duel" else terms.turn_seconds
        return Deadline({"clock": "turn"}, seconds, asked, state.wait)

    # What is known

    def view(self, state: State, seat: Seat | None) -> View:
        """A `ZooView`."""
        return cast(View, show(state, seat))

    def outcome(self, state: State) -> Outcome | None:
        """The result, once the game is over."""
        return Outcome(state.places, None) if state.places else None

    def expected(self, state: State) -> dict[str, Any]:
        """The full state under the document's keys."""
        return expect(state)

    # Records

    def setup_of(self, state: State) -> dict[str, Any]:
        """The moment before the first turn."""
        terms = state.terms
        counters = dict(zip(setup.COUNTERS, terms.counters, strict=True))
        found = {
            "hands": [words(hand) for hand in state.hands],
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

    def supply(self, state: State, values: Sequence[tuple[str, Any]]) -> State:
        """The state whose next reshuffles and halves are these. Raises BadSetup."""
        for name, value in values:
            if name not in (piles.DRAW, piles.HALF):
                raise BadSetup("Chance decides only “draw” and “half” in this game, not “%(name)s”.", name=name)
            piles.read_cards(value, name)
        return state._replace(chance=state.chance._replace(supplied=tuple(values)))

    def chance(self, state: State) -> Chance:
        """The state's source of randomness."""
        return state.chance

    def settle(self, state: State) -> State:
        """Nothing drawn, nothing supplied."""
        if not state.chance.drawn and not state.chance.supplied:
            return state
        return state._replace(chance=state.chance._replace(supplied=(), drawn=()))

    def reshuffle_unseen(self, state: State, seat: Seat | None, rng: random.Random) -> State:
        """See unseen.py for what is respected."""
        return reshuffle(state, seat, rng)

    def to_json(self, state: State) -> dict[str, Any]:
        """The whole state as JSON values."""
        return dump(state)

    def from_json(self, data: Mapping[str, Any]) -> State:
        """The inverse of `to_json`."""
        return load(data)


def _ring(state: State, draft: Draft) -> Step:
    if state.bell:
        return state, ()
    draft.bell = True
    draft.tell("bell", None, {})
    return draft.freeze(), tuple(draft.told)


def _run_out_call(state: State, draft: Draft, seat: Any) -> None:
    if type(seat) is not int or seat not in must_call(state):
        raise IllegalMove("This seat owes no call.")
    settling.punish(draft, seat)


RULES: Final[Rules[State]] = SuperZwierzaki()
