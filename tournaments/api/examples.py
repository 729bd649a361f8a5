"""An example of every body that can be sent, for `openapi.json`; those with one beside their schema excepted."""

from __future__ import annotations

from typing import Any, Final

EXAMPLES: Final[dict[str, dict[str, Any]]] = {
    "BroughtTableIn": {"table": "ewzr5ae4nvc2", "key": "bring-1"},
    "ChallengeIn": {"player": 17},
    "CommandIn": {"name": "ready"},
    "CompleteIn": {"missing": "void", "key": "round-1"},
    "ContributionIn": {"commitment": "9f86d081…", "entropy": "5eed"},
    "CopyIn": {"starts_at": "2055-06-10T18:00:00Z", "key": "next-week"},
    "CountedIn": {"tournament": "k3v9x2m4qa7b", "counts": True},
    "DrawIn": {"again": True, "key": "draw-2"},
    "EntrantIn": {"name": "Ana", "seed": 1},
    "ExtendIn": {"minutes": 10, "key": "more-time"},
    "FateIn": {"fate": "no-show"},
    "KeyIn": {"key": "any-text-1"},
    "ExtendEveningIn": {"minutes": 30, "version": 7, "key": "longer"},
    "MoveIn": {"move": {"pass": True}, "ply": 17, "key": "move-17"},
    "ToggleIn": {"on": True},
    "OpenIn": {"game": "karriere-poker", "seats": 4, "bots": 3, "options": {"deals": 1}, "key": "table-1"},
    "PairRuleIn": {"first": 1, "second": 2, "kind": "apart"},
    "PenaltyIn": {"entrant": 3, "points": 420, "reason": "Late.", "key": "late-3"},
    "PhaseIn": {"phase": "check-in"},
    "PlanIn": {"round_minutes": 45, "capacity": 24},
    "RemoveIn": {"keep_out": True},
    "ResultIn": {"places": [2, 1, 3, 3], "key": "r1-t1"},
    "RoleIn": {"role": "organiser"},
    "SeasonNameIn": {"tournament": "k3v9x2m4qa7b", "entrant": 5, "name": "Ana"},
    "SeasonPhaseIn": {"phase": "running"},
    "SeatIn": {"seat": 2},
    "StartIn": {"fill": "steady"},
    "SubstituteIn": {"person": 17},
    "SwapIn": {"first": 3, "second": 8, "first_table": 1, "second_table": 2, "key": "swap-1"},
    "TemplateIn": {"name": "Thursdays"},
}
"""Name of a schema → what a program may send."""


def add_examples(schema: dict[str, Any]) -> None:
    """Put the examples to their schemas."""
    for name, example in EXAMPLES.items():
        schema["components"]["schemas"][name]["examples"] = [example]
