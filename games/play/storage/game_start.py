"""The first state of a game. It follows from the seed, so it is recomputed and not stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.play.storage.codec import build_log_lines
from games.play.storage.table import LogLine
from games.rules.base import Config, Rules
from games.rules.chance import Chance


def first_state(rules: Rules[Any], seats: int, options: Mapping[str, Any], seed: bytes) -> Any:
    """The first state of a game with this seed."""
    return rules.settle(rules.start(Config(seats, options), Chance(seed)))


def opening_lines(rules: Rules[Any], seats: int, options: Mapping[str, Any], seed: str) -> tuple[LogLine, ...]:
    """What the log says before the first move; nothing while there is no seed (hex digits) yet."""
    if not seed:
        return ()
    return build_log_lines(0, rules.opening(first_state(rules, seats, options, bytes.fromhex(seed))))
