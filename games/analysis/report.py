"""Analyses a record: its decisions, a curve for each seat, turning points, and how much was luck."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Mapping
from itertools import pairwise
from statistics import fmean
from typing import Any, Final, NamedTuple

from games.analysis.decisions import VALUE_SAMPLES, Decision, expect_result, judge_decision
from games.analysis.labels import GOOD, LABELS, label_loss
from games.bots.appraisal import can_appraise, complete_view
from games.bots.hints import Reason
from games.records import strict_json
from games.records.events import ClockEvent, MoveEvent
from games.records.faults import Fault
from games.records.format import Record
from games.records.replay import ReplayStep, find_rules, replay
from games.records.stand_ins import BY
from games.rules.base import Move, Rules, Seat, View

VERSION: Final = 4
"""Raised when an analysis of the same record can differ: stored ones are made anew then."""
LUCK_DEALS: Final = 12
"""Other deals with which the luck of a deal is compared."""
MIN_SWING: Final = 0.2
"""Change of a seat's expected result, between two decisions of its own, from which on the second is a turning point."""
MAX_TURNING_POINTS: Final = 8
_DECIMALS: Final = 4
_HASHED: Final = ("game", "rules", "options", "setup", "seed")
Progress = Callable[[int, int], None]
"""Plies done, and all plies; may raise to stop."""


class JudgedPly(NamedTuple):
    """A person's decision. ply: of the move, from 1; deal: which deal it belongs to, 0 in a game of one."""

    ply: int
    seat: Seat
    deal: int
    decision: Decision

    @property
    def label(self) -> str:
        """Best, good, inaccurate or mistake."""
        return label_loss(self.decision.loss)


class CurvePoint(NamedTuple):
    """What a seat could expect just before this ply, from what it knew: 0 … 1."""

    ply: int
    seat: Seat
    deal: int
    value: float


class SeatSummary(NamedTuple):
    """One seat. Figures of a bot's seat are empty: its decisions are not judged.

    luck: what its cards were worth more than those of an average deal, mean over deals; None if it never decided.
    """

    seat: Seat
    name: str
    bot: str | None
    decisions: int
    average_loss: float | None
    labels: Mapping[str, int]
    luck: float | None


class Analysis(NamedTuple):
    """The whole analysis. turning_points: plies, rising."""

    game: str
    digest: str
    plies: int
    decisions: tuple[JudgedPly, ...]
    curve: tuple[CurvePoint, ...]
    turning_points: tuple[int, ...]
    seats: tuple[SeatSummary, ...]


def digest_record(record: Record) -> str:
    """SHA-256 of the game in 64 hex digits. Times, names of people and proofs of the deal do not enter into it."""
    source = record.source
    kept: dict[str, Any] = {key: source[key] for key in _HASHED if key in source}
    kept["players"] = [player.bot for player in record.players]
    kept["events"] = [{key: value for key, value in event.items() if key != "t"} for event in source["events"]]
    return hashlib.sha256(strict_json.write(kept, sort_keys=True).encode()).hexdigest()


def analyse(record: Record, *, progress: Progress = lambda done, of: None, judges_bots: bool = False) -> Analysis:
    """Analyse a finished game. The same record gives the same analysis.

    Raises Fault if the record does not hold, is not finished, or its game cannot be analysed.
    """
    rules = find_rules(record)
    if not can_appraise(record.game):
        raise Fault("%(game)s cannot be analysed: its bots have no complete_view", {"game": record.game})
    steps = list(replay(record))
    if rules.outcome(steps[-1].state) is None:
        raise Fault("only a finished game can be analysed")
    walk = _RecordWalk(record, rules, judges_bots=judges_bots)
    for number, (before, step) in enumerate(pairwise(steps)):
        progress(number, len(steps) - 1)
        walk.take(before.state, step)
    progress(len(steps) - 1, len(steps) - 1)
    return walk.finish()


class _RecordWalk:
    """Goes through the plies of a record and gathers what is found."""

    def __init__(self, record: Record, rules: Rules[Any], *, judges_bots: bool) -> None:
        self.record, self.rules, self.judges_bots = record, rules, judges_bots
        self.digest = digest_record(record)
        self.ply = 0
        self.decisions: list[JudgedPly] = []
        self.curve: list[CurvePoint] = []
        self.luck: dict[tuple[Seat, int], float] = {}

    def take(self, before: Any, step: ReplayStep) -> None:
        """One event of the record."""
        entry = step.entry
        if isinstance(entry, MoveEvent):
            self.ply += 1
            if entry.seat in self.rules.to_act(before):
                self._judge(before, entry.seat, entry.move, is_own=self._is_own(step))
        elif isinstance(entry, ClockEvent):
            self.ply += 1

    def _is_own(self, step: ReplayStep) -> bool:
        """Whether the person of the seat sent this move."""
        events = self.record.source["events"]
        return step.number is not None and BY not in events[step.number]

    def _judge(self, before: Any, seat: Seat, move: Move, *, is_own: bool) -> None:
        view = self.rules.view(before, seat)
        deal, seed = int(view.get("deal") or 0), f"{self.digest}:{self.ply}".encode()
        is_person = self.record.players[seat].bot is None
        if (is_person or self.judges_bots) and is_own:
            decision = judge_decision(self.record.game, view, move, seed)
            if decision is None:
                return
            self.decisions.append(JudgedPly(self.ply, seat, deal, decision))
            value = decision.best_value
        elif self._has_choice(before, seat):
            value = expect_result(self.record.game, view, seed)
        else:
            return
        self.curve.append(CurvePoint(self.ply, seat, deal, value))
        if (seat, deal) not in self.luck:
            self.luck[seat, deal] = self._find_luck(seat, view, seed)

    def _has_choice(self, state: Any, seat: Seat) -> bool:
        legal = self.rules.legal_moves(state, seat)
        return legal is None or len(legal) > 1

    def _find_luck(self, seat: Seat, view: View, seed: bytes) -> float:
        """What this seat's cards are worth more than those of deals that a spectator could not tell from this one."""
        game, rng = self.record.game, random.Random(seed)
        state = complete_view(game, view, rng)
        others = []
        for number in range(LUCK_DEALS):
            other = self.rules.reshuffle_unseen(state, None, rng)
            others.append(expect_result(game, self.rules.view(other, seat), seed + bytes([number]), samples=2))
        return expect_result(game, view, seed, samples=VALUE_SAMPLES) - fmean(others)

    def finish(self) -> Analysis:
        """All of it."""
        seats = tuple(self._summarise(seat) for seat in range(len(self.record.players)))
        return Analysis(
            self.record.game, self.digest, self.ply, tuple(self.decisions), tuple(self.curve),
            find_turning_points(self.decisions, self.curve), seats,
        )  # fmt: skip

    def _summarise(self, seat: Seat) -> SeatSummary:
        player = self.record.players[seat]
        mine = [judged for judged in self.decisions if judged.seat == seat]
        lucks = [luck for (one, _), luck in self.luck.items() if one == seat]
        counts = {label: sum(judged.label == label for judged in mine) for label in LABELS}
        return SeatSummary(
            seat,
            player.name,
            player.bot,
            len(mine),
            fmean(judged.decision.loss for judged in mine) if mine else None,
            counts if mine else {},
            fmean(lucks) if lucks else None,
        )


def find_turning_points(decisions: list[JudgedPly], curve: list[CurvePoint]) -> tuple[int, ...]:
    """The plies at which most changed: decisions that cost most, and swings of what a seat could expect."""
    weights: dict[int, float] = {}
    for judged in decisions:
        if label_loss(judged.decision.loss) not in (LABELS[0], GOOD):
            weights[judged.ply] = judged.decision.loss
    last: dict[tuple[Seat, int], float] = {}
    for point in curve:
        before = last.get((point.seat, point.deal))
        last[point.seat, point.deal] = point.value
        if before is not None and abs(point.value - before) >= MIN_SWING:
            weights[point.ply] = max(weights.get(point.ply, 0.0), abs(point.value - before))
    ranked = sorted(weights, key=lambda ply: (-weights[ply], ply))[:MAX_TURNING_POINTS]
    return tuple(sorted(ranked))


def write_analysis(found: Analysis) -> dict[str, Any]:
    """The analysis as JSON values; shares are rounded to four decimals."""
    return {
        "format": "menagerie-analysis/1",
        "game": found.game,
        "digest": found.digest,
        "plies": found.plies,
        "seats": [
            {
                "seat": seat.seat,
                "name": seat.name,
                "bot": seat.bot,
                "decisions": seat.decisions,
                "average_loss": _round(seat.average_loss),
                "labels": dict(seat.labels),
                "luck": _round(seat.luck),
            }
            for seat in found.seats
        ],
        "decisions": [_write_decision(judged) for judged in found.decisions],
        "curve": [
            {"ply": point.ply, "seat": point.seat, "deal": point.deal, "value": _round(point.value)}
            for point in found.curve
        ],
        "turning_points": list(found.turning_points),
    }


def _write_decision(judged: JudgedPly) -> dict[str, Any]:
    decision = judged.decision
    return {
        "ply": judged.ply,
        "seat": judged.seat,
        "deal": judged.deal,
        "move": dict(decision.move),
        "best": dict(decision.best),
        "value": _round(decision.value),
        "best_value": _round(decision.best_value),
        "loss": _round(decision.loss),
        "error": _round(decision.error),
        "label": judged.label,
        "reason": {"text": decision.reason.template, "values": dict(decision.reason.values)},
    }


def read_reason(data: Mapping[str, Any]) -> Reason:
    """The reason of a decision in a written analysis."""
    return Reason.read(data["text"], data["values"])


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, _DECIMALS)
