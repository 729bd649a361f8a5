"""Whole games between bots. Pure: the bots are passed in, everything random comes from one seed.

A simulated game has a clock of its own: every move takes `MOVE_SECONDS`. A wait with seconds of its own
for which no bot answers (an agreed time, a forgotten call) runs out by that clock; bots that answer do it in time.
Where several seats are awaited, in a window or out of turn, chance says which one is next.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple, TypeAlias

from games.records.faults import Fault
from games.records.format import Player
from games.records.writer import build_record, write_clock_event, write_move_event, write_random_event
from games.rules.base import Config, Deadline, Move, Outcome, Rules, Seat, View
from games.rules.chance import Chance

ChooseMove: TypeAlias = Callable[[str, View, Sequence[Move], random.Random, str], Move]
"""game, view, legal moves (or a sample), the bot's own chance, level → move; as `games.bots.choose`."""
StaysSilent: TypeAlias = Callable[[str, str, random.Random], bool]
"""game, level, the bot's own chance → whether it keeps silent where it could speak; as `games.bots.stays_silent`."""

MOVE_SECONDS: Final = 5
"""Seconds of the simulated clock for each move: about what a player at a table takes."""
MAX_STEPS: Final = 100_000
"""Moves and clock events of one game; far more than any game of random bots has needed."""
_RUN_OUT: Final = float("inf")
"""Marks a wait that has run out."""
_DOMAIN: Final = b"menagerie-simulate/1"


class SimulationPlan(NamedTuple):
    """What to play. seed: any bytes; levels: of bots, dealt to the seats in turn and moved on by one a game."""

    rules: Rules[Any]
    config: Config
    seed: bytes
    levels: tuple[str, ...]


class SimulatedGame(NamedTuple):
    """One finished game. levels: by seat; moves: how many the bots made; record: explicit; last: the final state."""

    number: int
    levels: tuple[str, ...]
    outcome: Outcome
    moves: int
    record: dict[str, Any]
    last: Any = None


def never_stay_silent(game: str, level: str, rng: random.Random) -> bool:
    """The `StaysSilent` of those who always say what they can."""
    return False


def play_games(
    plan: SimulationPlan, games: int, choose: ChooseMove, *, stays_silent: StaysSilent = never_stay_silent
) -> Iterator[SimulatedGame]:
    """Games 0 … games−1 of the plan. Raises BadSetup, or Fault for a game that does not end."""
    for number in range(games):
        yield play_game(plan, number, choose, stays_silent=stays_silent)


def play_game(
    plan: SimulationPlan, number: int, choose: ChooseMove, *, stays_silent: StaysSilent = never_stay_silent
) -> SimulatedGame:
    """The game with this number, from 0. Raises BadSetup, or Fault if it does not end in `MAX_STEPS` steps."""
    return _Simulation(plan, number, choose=choose, stays_silent=stays_silent).play()


def seat_levels(levels: Sequence[str], seats: int, number: int) -> tuple[str, ...]:
    """The level of every seat in the game with this number."""
    return tuple(levels[(seat + number) % len(levels)] for seat in range(seats))


def derive_bytes(seed: bytes, purpose: str, *counts: int) -> bytes:
    """32 bytes for one purpose: SHA-256(domain ‖ 0x00 ‖ purpose ‖ 0x00 ‖ counts, 8 bytes each ‖ seed)."""
    numbers = b"".join(count.to_bytes(8, "big") for count in counts)
    return sha256(_DOMAIN + b"\0" + purpose.encode() + b"\0" + numbers + seed).digest()


class _Simulation:
    """One game under way."""

    def __init__(self, plan: SimulationPlan, number: int, *, choose: ChooseMove, stays_silent: StaysSilent) -> None:
        self._rules = plan.rules
        self._choose = choose
        self._stays_silent = stays_silent
        self._config = plan.config
        self._number = number
        self._levels = seat_levels(plan.levels, plan.config.seats, number)
        self._rngs = [_seed_rng(plan.seed, "bot", number, seat) for seat in range(plan.config.seats)]
        self._order = _seed_rng(plan.seed, "order", number)
        first = plan.rules.start(plan.config, Chance(derive_bytes(plan.seed, "game", number)))
        self._state = plan.rules.settle(first)
        self._setup = plan.rules.setup_of(self._state)
        self._events: list[dict[str, Any]] = []
        self._moves = 0
        self._began: dict[tuple[object, ...], float] = {}
        self._speaks: dict[tuple[object, ...], bool] = {}

    def play(self) -> SimulatedGame:
        for _ in range(MAX_STEPS):
            outcome = self._rules.outcome(self._state)
            if outcome is not None:
                return SimulatedGame(
                    self._number, self._levels, outcome, self._moves, self._write(outcome), self._state
                )
            self._play_step()
        raise Fault("game %(number)d has not ended after %(most)d steps", {"number": self._number, "most": MAX_STEPS})

    def _play_step(self) -> None:
        waits = [wait for wait in self._rules.deadlines(self._state) if not wait.held]
        awaited = self._list_awaited(waits)
        due = self._find_due(waits, awaited)
        if due is None:
            self._move(awaited)
        else:
            self._record_event(
                *self._rules.on_clock(self._state, due.event), write_clock_event(due.event, self._elapsed_seconds)
            )

    def _list_awaited(self, waits: Sequence[Deadline]) -> list[Seat]:
        """Seats that will move: those to act, and those that can say something out of turn and do not stay silent."""
        acting = self._rules.to_act(self._state)
        speaking = {
            seat
            for wait in waits
            for seat in wait.seats
            if seat not in acting and self._rules.legal_moves(self._state, seat) and self._will_speak(wait, seat)
        }
        return [*acting, *sorted(speaking)]

    def _will_speak(self, wait: Deadline, seat: Seat) -> bool:
        """Decided once a wait."""
        key = (seat, *_key_of(wait))
        if key not in self._speaks:
            game, level = self._rules.slug, self._levels[seat]
            self._speaks[key] = not self._stays_silent(game, level, self._rngs[seat])
        return self._speaks[key]

    def _move(self, awaited: Sequence[Seat]) -> None:
        seat = awaited[0] if len(awaited) == 1 else self._order.choice(awaited)
        move = choose_move(self._rules, self._state, seat, self._levels[seat], self._rngs[seat], self._choose)
        self._moves += 1
        self._record_event(
            *self._rules.apply(self._state, seat, move), write_move_event(seat, move, self._elapsed_seconds)
        )

    def _record_event(self, state: Any, _: object, event: dict[str, Any]) -> None:
        drawn = self._rules.chance(state).drawn
        self._events += [*(write_random_event(name, value) for name, value in drawn), event]
        self._state = self._rules.settle(state) if drawn else state

    @property
    def _elapsed_seconds(self) -> int:
        return MOVE_SECONDS * self._moves

    def _find_due(self, waits: Sequence[Deadline], awaited: Sequence[Seat]) -> Deadline | None:
        """The wait that has run out; where nobody will move, the first wait that has not run out yet."""
        for wait in waits:
            if wait.seconds is None and awaited:
                continue
            key = _key_of(wait)
            began = self._began.setdefault(key, self._elapsed_seconds)
            is_over = not set(awaited) & set(wait.seats) and self._elapsed_seconds - began >= (wait.seconds or 0)
            if began != _RUN_OUT and (is_over or not awaited):
                self._began[key] = _RUN_OUT
                return wait
        return None

    def _write(self, outcome: Outcome) -> dict[str, Any]:
        return build_record(
            rules=self._rules,
            config=self._config._replace(setup=self._setup),
            players=[Player(f"bot:{level}", level) for level in self._levels],
            events=self._events,
            outcome=outcome,
        )


def choose_move(
    rules: Rules[Any], state: Any, seat: int, level: str, rng: random.Random, choose: ChooseMove
) -> Mapping[str, Any]:
    """The move of a bot: it sees its view and the legal moves, or one sampled move where they are too many to list."""
    legal = rules.legal_moves(state, seat)
    if legal is None:
        legal = (rules.legal_sample(state, seat, rng),)
    return choose(rules.slug, rules.view(state, seat), legal, rng, level)


def _key_of(wait: Deadline) -> tuple[object, ...]:
    return (wait.serial, *sorted(wait.event.items()))


def _seed_rng(seed: bytes, purpose: str, *counts: int) -> random.Random:
    return random.Random(int.from_bytes(derive_bytes(seed, purpose, *counts), "big"))
