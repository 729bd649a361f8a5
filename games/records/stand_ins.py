"""Who decided at a seat: its person, or a stand-in, the bot that plays for a person who is away. Pure.

A decision is a move that the person made, or a pass that they ordered beforehand. What a clock decides is nobody's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from games.rules.base import Seat

BY: Final = "by"
"""Key of a record's event: who made the move, where the seat's person did not send it."""
STAND_IN: Final = "stand-in"
"""A bot made it for a person."""
ORDER: Final = "order"
"""The person had ordered it beforehand."""
AUTOMATIC: Final = "automatic"
"""The server answered a window in which the seat could play nothing. It is nobody's decision."""


class StandInRun(NamedTuple):
    """Moves in a row that a stand-in made for a seat. All numbers are plies, from 1.

    after: the person's last decision before, 0 if there was none; first, last: of the moves; until: the person's next
    decision, None if there is none yet.
    """

    seat: Seat
    after: int
    first: int
    last: int
    until: int | None = None


class StandIn(NamedTuple):
    """What a stand-in played for a seat.

    is_all: the person never decided anything; moves: (first, last) of each stretch, rising; last is None where the
    person decided nothing after it.
    """

    is_all: bool
    moves: tuple[tuple[int, int | None], ...]


class DecisionLog(NamedTuple):
    """Who decided at each seat so far.

    decided: by seat, the ply of its person's last decision, 0 if there was none; empty where that is not known, at a
    table that began before it was stored.
    """

    decided: tuple[int, ...] = ()
    stretches: tuple[StandInRun, ...] = ()

    def add(self, ply: int, seat: Seat, *, is_stand_in: bool) -> DecisionLog:
        """The record after one more move of a person's seat."""
        if not self.decided:
            return self
        at = self._find_open(seat)
        if not is_stand_in:
            decided = (*self.decided[:seat], ply, *self.decided[seat + 1 :])
            return DecisionLog(decided, self.stretches if at is None else self._change_run(at, until=ply))
        if at is None:
            return self._replace(stretches=(*self.stretches, StandInRun(seat, self.decided[seat], ply, ply)))
        return self._replace(stretches=self._change_run(at, last=ply))

    def without(self, seat: Seat) -> DecisionLog:
        """The record after another person has taken this seat: earlier moves are not theirs."""
        decided = tuple(0 if index == seat else ply for index, ply in enumerate(self.decided))
        return DecisionLog(decided, tuple(run for run in self.stretches if run.seat != seat))

    def list_stand_ins(self) -> dict[Seat, StandIn]:
        """What stand-ins played, by seat; seats without one are left out."""
        found: dict[Seat, StandIn] = {}
        for run in self.stretches:
            before = found.get(run.seat, StandIn(is_all=not self.decided[run.seat], moves=()))
            moves = (*before.moves, (run.first, run.last if run.until is not None else None))
            found[run.seat] = before._replace(moves=moves)
        return dict(sorted(found.items()))

    def find_idle(self, seat: Seat, begin: int, end: int) -> bool:
        """Whether a stand-in moved for this seat from one ply to another, both included, and its person decided
        nothing there."""
        return any(
            stretch.seat == seat
            and stretch.after < begin <= stretch.last
            and stretch.first <= end
            and (stretch.until is None or stretch.until > end)
            for stretch in self.stretches
        )

    def _find_open(self, seat: Seat) -> int | None:
        """The stretch of this seat that its person has not ended."""
        found = (at for at, one in enumerate(self.stretches) if one.seat == seat and one.until is None)
        return next(found, None)

    def _change_run(self, at: int, **fields: int) -> tuple[StandInRun, ...]:
        return (*self.stretches[:at], self.stretches[at]._replace(**fields), *self.stretches[at + 1 :])


class StoredMove(NamedTuple):
    """A move as it is stored. by: what `BY` says, empty without it; has_key: whether a person sent it; is_pass: whether
    somebody could have ordered it beforehand."""

    ply: int
    seat: Seat
    by: str
    has_key: bool
    is_pass: bool


class DecidedMove(NamedTuple):
    """A move of a person's seat, and whether a stand-in made it."""

    ply: int
    seat: Seat
    is_stand_in: bool


def attribute_moves(moves: Iterable[StoredMove], since: Mapping[Seat, int]) -> list[DecidedMove]:
    """Who made the moves of people's seats, in order.

    since: of each such seat, the ply after which its person has had it. A move that says nothing of who made it is from
    before that was written down: a run of them at a seat is a stand-in's, unless all of them are passes and the person
    had decided something before; then they were ordered.
    """
    done: list[DecidedMove] = []
    runs: dict[Seat, list[StoredMove]] = {}
    decided: set[Seat] = set()

    def end_run(seat: Seat) -> None:
        run = runs.pop(seat, [])
        is_stand_in = not (seat in decided and all(move.is_pass for move in run))
        done.extend(DecidedMove(move.ply, seat, is_stand_in) for move in run)

    for move in moves:
        if move.seat not in since or move.ply <= since[move.seat] or move.by == AUTOMATIC:
            continue
        if not move.by and not move.has_key:
            runs.setdefault(move.seat, []).append(move)
            continue
        end_run(move.seat)
        is_stand_in = move.by == STAND_IN
        done.append(DecidedMove(move.ply, move.seat, is_stand_in))
        if not is_stand_in:
            decided.add(move.seat)
    for seat in list(runs):
        end_run(seat)
    return sorted(done)


def build_decision_log(done: Iterable[DecidedMove], seats: int) -> DecisionLog:
    """Who decided in the course of these moves."""
    played = DecisionLog((0,) * seats)
    for move in done:
        played = played.add(move.ply, move.seat, is_stand_in=move.is_stand_in)
    return played


def find_deciders(done: Iterable[DecidedMove]) -> frozenset[Seat]:
    """The seats whose people decided something."""
    return frozenset(move.seat for move in done if not move.is_stand_in)


def list_deciders_by_deal(done: Sequence[DecidedMove], ends: Sequence[int]) -> list[frozenset[Seat]]:
    """The seats whose people decided something in each deal. ends: the plies with which the deals were over, rising."""
    found: list[set[Seat]] = [set() for _ in ends]
    at = 0
    for move in done:
        while at < len(ends) and move.ply > ends[at]:
            at += 1
        if at == len(ends):
            break
        if not move.is_stand_in:
            found[at].add(move.seat)
    return [frozenset(seats) for seats in found]


def read_deciders(events: Sequence[Mapping[str, Any]], people: Collection[Seat]) -> list[DecidedMove]:
    """Who made the moves of a record, of the seats that are people's. Its plies are its moves and clock events."""
    plies = [event for event in events if "move" in event or "clock" in event]
    return [
        DecidedMove(ply, event["seat"], event.get(BY) == STAND_IN)
        for ply, event in enumerate(plies, start=1)
        if "move" in event and event["seat"] in people and event.get(BY) != AUTOMATIC
    ]


def dump_stand_in(stand_in: StandIn) -> dict[str, Any]:
    """The record as JSON values: {"all": false, "moves": [[31, null]]}."""
    return {"all": stand_in.is_all, "moves": [list(pair) for pair in stand_in.moves]}
