"""Replays a record on the game's own engine, step by step, and says whether it is valid."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple, TypeAlias

from games.records import strict_json
from games.records.equality import ComparesExpectations, is_same
from games.records.events import ClockEvent, ExpectEvent, MoveEvent, RandomEvent, RecordEvent, RefuseEvent
from games.records.fair import check_fairness
from games.records.faults import Fault
from games.records.format import Record, parse_record
from games.rules import registry
from games.rules.base import BadSetup, Config, Event, IllegalMove, Outcome, Rules
from games.rules.chance import Chance, NoChance

FindRules: TypeAlias = Callable[[object], Rules[Any]]
"""Slug → rules, as `registry.find`."""
_MAX_SHOWN: Final = 160
"""Characters of a JSON value that a sentence about it repeats."""


class ReplayStep(NamedTuple):
    """The game after one event of the record.

    number, entry: which event, both None for the start; state: the engine's state, settled; events: what the
    engine says happened; drawn: what chance decided here, as (name, value) pairs in order.
    """

    number: int | None
    entry: RecordEvent | None
    state: Any
    events: tuple[Event, ...] = ()
    drawn: tuple[tuple[str, Any], ...] = ()


class Verdict(NamedTuple):
    """Whether a record holds. events: how many it has; fault: None if it holds."""

    events: int
    fault: Fault | None


def verify(raw: bytes, *, find: FindRules = registry.find) -> Verdict:
    """The verdict on a file's bytes, whatever they are."""
    count = 0
    try:
        record = parse_record(raw)
        count = len(record.events)
        for _ in replay(record, find=find):
            pass
    except Fault as fault:
        return Verdict(count, fault)
    return Verdict(count, None)


def replay(record: Record, *, find: FindRules = registry.find) -> Iterator[ReplayStep]:
    """The steps of a record, the start first, then one an event. Raises Fault where it does not hold."""
    rules = find_rules(record, find=find)
    check_fairness(record)
    player = _Replay(rules, record)
    yield player.start()
    for number, entry in enumerate(record.events):
        yield player.take(number, entry)
    player.finish()


def find_rules(record: Record, *, find: FindRules = registry.find) -> Rules[Any]:
    """The engine that plays this record: the game's, in the record's version. Raises Fault."""
    try:
        rules = find(record.game)
    except BadSetup as error:
        raise Fault(error.template, error.values) from error
    if record.rules != rules.version:
        values = {"game": record.game, "named": record.rules, "known": rules.version}
        raise Fault("“rules”: version %(named)d of %(game)s is unknown (this program plays version %(known)d)", values)
    return rules


class _Replay:
    """Where a replay stands: the state, and the `random` events that wait for the next move or clock event."""

    def __init__(self, rules: Rules[Any], record: Record) -> None:
        self._rules = rules
        self._record = record
        self._state: Any = None
        self._waiting: list[tuple[int, RandomEvent]] = []

    def start(self) -> ReplayStep:
        record = self._record
        try:
            state = self._rules.start(Config(len(record.players), record.options, record.setup), Chance(record.seed))
        except BadSetup as error:
            raise Fault(error.template, error.values) from error
        except NoChance as error:
            raise Fault(
                "“setup” leaves “%(name)s” to chance, but the record has no seed", {"name": error.name}
            ) from error
        return self._settle(None, None, state, ())

    def take(self, number: int, entry: RecordEvent) -> ReplayStep:
        match entry:
            case MoveEvent() | ClockEvent():
                return self._play(number, entry)
            case RandomEvent():
                self._wait(number, entry)
            case ExpectEvent():
                self._compare(number, entry)
            case RefuseEvent():
                self._check_refusal(number, entry)
        return ReplayStep(number, entry, self._state)

    def finish(self) -> None:
        for number, _ in self._waiting:
            raise Fault("this “random” value is never used, because no move or clock event follows", event=number)
        if self._record.result is not None:
            self._compare_result(self._rules.outcome(self._state))

    def _play(self, number: int, entry: MoveEvent | ClockEvent) -> ReplayStep:
        try:
            state, events = self._apply_event(self._supply([random for _, random in self._waiting]), entry)
        except (IllegalMove, BadSetup) as error:
            raise Fault(error.template, error.values, event=number) from error
        except NoChance as error:
            raise Fault(
                "“%(name)s” is left to chance, but the record has no seed and no “random” event supplies it",
                {"name": error.name},
                event=number,
            ) from error
        unused = len(self._rules.chance(state).supplied)
        if unused:
            left, random = self._waiting[-unused]
            values = {"name": random.name, "number": number}
            raise Fault("event %(number)d does not use the “random” value “%(name)s”", values, event=left)
        self._waiting.clear()
        return self._settle(number, entry, state, events)

    def _settle(
        self, number: int | None, entry: RecordEvent | None, state: Any, events: tuple[Event, ...]
    ) -> ReplayStep:
        drawn = self._rules.chance(state).drawn
        self._state = self._rules.settle(state)
        return ReplayStep(number, entry, self._state, events, drawn)

    def _apply_event(self, state: Any, tried: MoveEvent | ClockEvent) -> tuple[Any, tuple[Event, ...]]:
        if isinstance(tried, ClockEvent):
            return self._rules.on_clock(state, tried.event)
        if tried.seat not in range(len(self._record.players)):
            raise IllegalMove("There is no seat %(seat)s.", seat=tried.seat)
        return self._rules.apply(state, tried.seat, tried.move)

    def _supply(self, waiting: list[RandomEvent]) -> Any:
        if not waiting:
            return self._state
        return self._rules.supply(self._state, [(random.name, random.value) for random in waiting])

    def _wait(self, number: int, entry: RandomEvent) -> None:
        self._waiting.append((number, entry))
        try:
            self._supply([random for _, random in self._waiting])
        except BadSetup as error:
            raise Fault(error.template, error.values, event=number) from error

    def _check_refusal(self, number: int, entry: RefuseEvent) -> None:
        before = self._rules.to_json(self._state)
        try:
            self._apply_event(self._state, entry.tried)
        except IllegalMove:
            if self._rules.to_json(self._state) != before:
                raise Fault("this was refused, but it still changed the game", event=number) from None
            return
        except (NoChance, BadSetup):
            pass  # only what is allowed comes so far as to need chance, or a later deal of the set-up
        raise Fault("this should be refused, but the rules allow it", event=number)

    def _compare(self, number: int, entry: ExpectEvent) -> None:
        expected = self._rules.expected(self._state)
        for key, wanted in entry.keys.items():
            if key not in expected:
                raise Fault("the game state has no key “%(key)s” here", {"key": key[:_MAX_SHOWN]}, event=number)
            if not self._is_same(key, expected[key], wanted):
                values = {"key": key, "actual": _shorten_value(expected[key]), "wanted": _shorten_value(wanted)}
                raise Fault("%(key)s is %(actual)s, but the record expects %(wanted)s", values, event=number)

    def _is_same(self, key: str, actual: Any, wanted: Any) -> bool:
        if is_same(actual, wanted):
            return True
        return isinstance(self._rules, ComparesExpectations) and self._rules.is_expected(key, actual, wanted)

    def _compare_result(self, outcome: Outcome | None) -> None:
        result = self._record.result
        if result is None:
            return
        if outcome is None:
            raise Fault("the record has a result, but the game is not over")
        pairs: list[tuple[str, Any, Any]] = [("places", outcome.places, result.places)]
        if result.scores_given:
            pairs.append(("scores", outcome.scores, result.scores))
        for key, actual, wanted in pairs:
            if not is_same(actual, wanted):
                values = {"key": key, "actual": _shorten_value(actual), "wanted": _shorten_value(wanted)}
                raise Fault("result: %(key)s are %(actual)s, but the record says %(wanted)s", values)


def _shorten_value(value: Any) -> str:
    text = strict_json.write(value, ensure_ascii=False)
    return text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 1] + "…"
