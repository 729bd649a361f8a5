"""A tiny game that needs chance everywhere: in its set-up, once in a move, twice in a move, in a clock event.

Seats in turn take the top card of a pile or roll dice. The most points win. `luck` of the pile and of
rolls comes from the seed or is supplied.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from games.rules.base import BadSetup, Config, Deadline, Event, IllegalMove, Move, Option, Outcome
from games.rules.chance import Chance
from games.rules.move_schemas import ANY_MOVE


class State(NamedTuple):
    pile: tuple[int, ...]
    points: tuple[int, ...]
    rolls: int
    turns: int
    bell: bool
    minutes: int | None
    chance: Chance

    @property
    def turn(self) -> int:
        return self.turns % len(self.points)

    @property
    def over(self) -> bool:
        return self.bell or not self.pile


class Toy:
    slug: ClassVar[str] = "toy"
    version: ClassVar[int] = 3
    seat_counts: ClassVar[range] = range(2, 5)
    has_scores: ClassVar[bool] = True
    options: ClassVar[tuple[Option, ...]] = (Option("minutes", "integer", 1, 60),)
    standing_pass_ends: ClassVar[frozenset[str]] = frozenset()
    windows: ClassVar[frozenset[str]] = frozenset()
    standing_answers: ClassVar[tuple[str, ...]] = ()
    usual_standing_answer: ClassVar[str] = ""
    move_schema: ClassVar[Mapping[str, Any]] = ANY_MOVE
    interlude_after: ClassVar[frozenset[str]] = frozenset()
    has_jobs: ClassVar[bool] = False
    ends_by_clock: ClassVar[bool] = False

    def start(self, config: Config, rng: Chance) -> State:
        self.check_options(config.seats, config.options)
        if set(config.setup) - {"pile"}:
            raise BadSetup("The set-up has an unknown key.")
        pile = config.setup.get("pile")
        if pile is None:
            pile = rng.stream("pile").shuffled(range(1, 4 * config.seats + 1))
            rng = rng.note("pile", pile)
        return State(tuple(pile), (0,) * config.seats, 0, 0, False, config.options.get("minutes"), rng)

    def list_jobs(self, seats: int, options: Mapping[str, Any]) -> tuple[str, ...]:
        return ()

    def check_options(self, seats: int, options: Mapping[str, Any]) -> None:
        if seats not in self.seat_counts:
            raise BadSetup("Toy is for 2 to 4 players, not %(seats)s.", seats=seats)
        if set(options) - {"minutes"}:
            raise BadSetup("There is no such option.")

    def opening(self, state: State) -> tuple[Event, ...]:
        return ()

    def to_act(self, state: State) -> tuple[int, ...]:
        return () if state.over else (state.turn,)

    def legal_moves(self, state: State, seat: int) -> Sequence[Move] | None:
        return [{"take": True}, {"roll": 1}, {"roll": 2}] if seat in self.to_act(state) else []

    def legal_sample(self, state: State, seat: int, rng: random.Random) -> Move:
        return rng.choice([{"take": True}, {"roll": 1}, {"roll": 2}])

    def check(self, state: State, seat: int, move: Move) -> None:
        self.apply(state, seat, move)

    def apply(self, state: State, seat: int, move: Move) -> tuple[State, tuple[Event, ...]]:
        if seat not in self.to_act(state):
            raise IllegalMove("Seat %(seat)s may not act.", seat=seat)
        if move == {"take": True}:
            return self._score(state._replace(pile=state.pile[1:]), state.pile[0]), (Event("took", seat, {}),)
        if move not in ({"roll": 1}, {"roll": 2}):
            raise IllegalMove("Take a card or roll once or twice.")
        total = 0
        for _ in range(move["roll"]):
            value, state = self._roll(state)
            total += value
        return self._score(state, total), (Event("rolled", seat, {"total": total}),)

    def _roll(self, state: State) -> tuple[int, State]:
        chance = state.chance
        if chance.is_supplied("roll"):
            value, chance = chance.take()
        else:
            value = 1 + chance.stream("roll", state.rolls).below(6)
        if value not in range(1, 7):
            raise BadSetup("A die shows 1 to 6.")
        return value, state._replace(rolls=state.rolls + 1, chance=chance.note("roll", value))

    def _score(self, state: State, total: int) -> State:
        points = list(state.points)
        points[state.turn] += total
        return state._replace(points=tuple(points), turns=state.turns + 1)

    def on_clock(self, state: State, event: Mapping[str, Any]) -> tuple[State, tuple[Event, ...]]:
        if state.over:
            raise IllegalMove("The game is over.")
        if event == {"clock": "time-up"}:
            return state._replace(bell=True), ()
        if event == {"clock": "turn"}:
            return self.apply(state, state.turn, {"roll": 1})
        raise IllegalMove("There is no such clock.")

    def deadlines(self, state: State) -> tuple[Deadline, ...]:
        if state.over:
            return ()
        turn = Deadline({"clock": "turn"}, None, (state.turn,), state.turns)
        bell = Deadline({"clock": "time-up"}, 60 * (state.minutes or 0), (), 0)
        return (turn, bell) if state.minutes else (turn,)

    def answer_window(self, state: State, seat: int, standing: str) -> Move | None:
        return None

    def is_covered(self, state: State, seat: int, standing: str) -> bool:
        """It has no windows."""
        return False

    def is_standing_over(self, state: State, seat: int, standing: str) -> bool:
        return False

    def view(self, state: State, seat: int | None) -> dict[str, Any]:
        return {"points": list(state.points)}

    def outcome(self, state: State) -> Outcome | None:
        if not state.over:
            return None
        return Outcome(tuple(1 + sum(other > mine for other in state.points) for mine in state.points), state.points)

    def expected(self, state: State) -> dict[str, Any]:
        return {
            "to_act": list(self.to_act(state)),
            "pile": list(state.pile),
            "points": {str(seat): points for seat, points in enumerate(state.points)},
            "over": state.over,
        }

    def setup_of(self, state: State) -> dict[str, Any]:
        return {"pile": list(state.pile)}

    def supply(self, state: State, values: Sequence[tuple[str, Any]]) -> State:
        for name, _ in values:
            if name != "roll":
                raise BadSetup("Chance decides nothing called “%(name)s” here.", name=name)
        return state._replace(chance=state.chance._replace(supplied=tuple(values)))

    def chance(self, state: State) -> Chance:
        return state.chance

    def settle(self, state: State) -> State:
        return state._replace(chance=state.chance._replace(supplied=(), drawn=()))

    def reshuffle_unseen(self, state: State, seat: int | None, rng: random.Random) -> State:
        return state

    def to_json(self, state: State) -> dict[str, Any]:
        return {**state._asdict(), "chance": state.chance.to_json()}

    def from_json(self, data: Mapping[str, Any]) -> State:
        return State(**{**data, "chance": Chance.from_json(data["chance"])})


TOY = Toy()


def find_toy(slug: object) -> Toy:
    if slug != "toy":
        raise BadSetup("There is no game called “%(slug)s”.", slug=slug)
    return TOY
