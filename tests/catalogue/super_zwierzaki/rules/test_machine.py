"""Wild play: whatever happens, cards are conserved, one question is open, there is a way on, nothing leaks."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games.catalogue.super_zwierzaki.rules import RULES
from games.catalogue.super_zwierzaki.rules.kinds import KINDS, WHOLE, count_cards, list_cards
from games.catalogue.super_zwierzaki.rules.state import State
from games.rules.base import Config
from games.rules.chance import Chance

RICH = [kind.number for kind in KINDS.values() if kind.function or kind.number < 60]


class SuperZwierzaki(RuleBasedStateMachine):
    """A game in which anybody does anything that is allowed, and every clock may run out at any time."""

    state: State
    rng: random.Random

    @initialize(seats=st.integers(2, 8), seed=st.integers(0, 2**32), is_rich=st.booleans())
    def begin(self, seats: int, seed: int, is_rich: bool) -> None:
        """A dealt game, or one whose hands are full of functions."""
        self.rng = random.Random(seed)
        setup: dict[str, Any] = {}
        if is_rich:
            deck = list_cards(sum((1 << 4 * kind) * min(3, KINDS[kind].copies) for kind in set(RICH)))
            self.rng.shuffle(deck)
            hands = [[str(kind) for kind in deck[3 * seat : 3 * seat + 3]] for seat in range(seats)]
            rest = [str(kind) for kind in deck[3 * seats :]]
            setup = {"hands": hands, "top": rest[0], "draw": rest[1:40]}
        self.state = RULES.start(Config(seats, {"minutes": 30}, setup), Chance(self.rng.randbytes(32)))
        self.whole = self._count()

    def _count(self) -> list[int]:
        state = self.state
        hands = [kind for hand in state.hands for kind in list_cards(hand)]
        return sorted([*hands, *state.pile, *state.heap, state.top])

    @rule(pick=st.integers(0, 10**6), is_often=st.integers(1, 6))
    def move(self, pick: int, is_often: int) -> None:
        """Some moves of those who are asked; none when the game is over."""
        for number in range(is_often):
            acting = RULES.to_act(self.state)
            if not acting:
                return
            seat = acting[(pick + number) % len(acting)]
            move = RULES.legal_sample(self.state, seat, self.rng)
            RULES.check(self.state, seat, move)
            self.state, _ = RULES.apply(self.state, seat, move)

    @precondition(lambda self: self.state.phase != "over")
    @rule(pick=st.integers(0, 7))
    def run_out(self, pick: int) -> None:
        """Some clock that is on runs out."""
        waits = [wait for wait in RULES.deadlines(self.state) if wait.event["clock"] != "time-up" and not wait.held]
        self.state, _ = RULES.on_clock(self.state, waits[pick % len(waits)].event)

    @precondition(lambda self: bool(RULES.expected(self.state)["must_call"]))
    @rule()
    def call(self) -> None:
        """Somebody says it."""
        seat = RULES.expected(self.state)["must_call"][0]
        self.state, _ = RULES.apply(self.state, seat, {"call": True})

    @invariant()
    def cards_are_conserved(self) -> None:
        """And no hand holds more of a kind than there are."""
        assert self._count() == self.whole
        assert all(not hand & ~(WHOLE | WHOLE << 1 | WHOLE << 2 | WHOLE >> 1 | WHOLE >> 2) for hand in self.state.hands)

    @invariant()
    def one_question_is_open_and_there_is_a_way_on(self) -> None:
        """One seat is asked, or a window is open, or the game is over."""
        acting = RULES.to_act(self.state)
        if self.state.phase == "over":
            assert (acting, RULES.deadlines(self.state)) == ((), ())
            return
        assert acting
        if self.state.phase not in ("reaction", "win"):
            assert len(acting) == 1
        first = RULES.deadlines(self.state)[0]
        assert first.seats == acting
        after, _ = RULES.on_clock(self.state, first.event)
        assert after != self.state

    @invariant()
    def at_most_one_counter_is_not_zero(self) -> None:
        """And a name belongs to a demand."""
        counters = RULES.expected(self.state)["counters"]
        assert sum(1 for value in counters.values() if value) <= 1
        assert (self.state.named is not None) == bool(counters["demand"])

    @invariant()
    def a_view_tells_nothing_hidden(self) -> None:
        """Nor who holds Cyraneczka or Dzięcioł: other cards in other hands look the same."""
        for seat in (0, None):
            other = RULES.reshuffle_unseen(self.state, seat, self.rng)
            assert RULES.view(other, seat) == RULES.view(self.state, seat)
            assert RULES.deadlines(other) == RULES.deadlines(self.state)

    @invariant()
    def sizes_are_what_they_seem(self) -> None:
        """The view counts right."""
        assert RULES.view(self.state, None)["hand_sizes"] == [count_cards(hand) for hand in self.state.hands]

    def teardown(self) -> None:
        """The bell ends every game: the turn is settled and places are given."""
        if not hasattr(self, "state") or self.state.phase == "over":
            return
        self.state, _ = RULES.on_clock(self.state, {"clock": "time-up"})
        for _ in range(200):
            if self.state.phase == "over":
                break
            self.state, _ = RULES.on_clock(self.state, RULES.deadlines(self.state)[0].event)
        assert RULES.outcome(self.state) is not None


SuperZwierzaki.TestCase.settings = settings(max_examples=20, stateful_step_count=20, deadline=None)
TestSuperZwierzaki = SuperZwierzaki.TestCase
