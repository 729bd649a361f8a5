"""Plays a record back for a replay: the game after each ply, and the proof of its deal."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, NamedTuple

from games.records.duplicate import RoundDeal
from games.records.events import ClockEvent, MoveEvent
from games.records.fair import FairnessClaim, derive_round_seed, derive_seed, is_deal_proved, judge_record
from games.records.format import Record
from games.records.replay import find_rules, replay
from games.rules.base import Event, Rules


class PlaybackFrame(NamedTuple):
    """The game after so many plies. t: seconds since the start, where the record says so."""

    ply: int
    state: Any
    events: tuple[Event, ...]
    t: float | None


class Playback(NamedTuple):
    """A record that holds, and its moments: the start first, then one a move or clock event."""

    record: Record
    rules: Rules[Any]
    moments: tuple[PlaybackFrame, ...]

    @property
    def last(self) -> int:
        """The last ply."""
        return len(self.moments) - 1


def play_back(record: Record) -> Playback:
    """Play a record again. Raises Fault where it does not hold."""
    rules = find_rules(record)
    moments: list[PlaybackFrame] = []
    for step in replay(record):
        if step.entry is None:
            moments.append(PlaybackFrame(0, step.state, rules.opening(step.state), 0.0))
        elif isinstance(step.entry, MoveEvent | ClockEvent):
            t = step.entry.t if isinstance(step.entry, MoveEvent) else None
            moments.append(PlaybackFrame(len(moments), step.state, step.events, t))
    return Playback(record, rules, tuple(moments))


class FairnessProof(NamedTuple):
    """What a record that holds proves of its deal, step by step; None where a key is missing.

    hashed: SHA-256 of the secret; derived: the seed made of secret, table and entropies, or of secret and duplicate;
    all hexadecimal digits. is_fair: all keys of a proof are there; claim: what that proves, and no more.
    """

    secret: str | None
    commitment: str | None
    hashed: str | None
    table: str | None
    entropy: tuple[str | None, ...] | None
    duplicate: RoundDeal | None
    seed: str | None
    derived: str | None
    moves: int
    has_result: bool
    is_fair: bool
    claim: FairnessClaim
    procedure: int


def prove_fairness(watched: Playback) -> FairnessProof:
    """The steps of the proof; the record has been held to its promises by `play_back` already."""
    record = watched.record
    derived = None
    if record.secret is not None and record.duplicate is not None:
        derived = derive_round_seed(record.secret, record.duplicate).hex()
    elif record.secret is not None and record.table is not None and record.entropy is not None:
        derived = derive_seed(record.secret, record.table, record.entropy).hex()
    return FairnessProof(
        secret=_to_hex(record.secret),
        commitment=_to_hex(record.commitment),
        hashed=None if record.secret is None else sha256(record.secret).hexdigest(),
        table=record.table,
        entropy=record.entropy,
        duplicate=record.duplicate,
        seed=_to_hex(record.seed),
        derived=derived,
        moves=watched.last,
        has_result=record.result is not None,
        is_fair=is_deal_proved(record),
        claim=judge_record(record),
        procedure=record.procedure,
    )


def _to_hex(value: bytes | None) -> str | None:
    return None if value is None else value.hex()
