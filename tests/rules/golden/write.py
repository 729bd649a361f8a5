"""Golden games: whole games as this version of the rules plays them, to notice if an old record would replay otherwise.

Each file holds a table, a seed, the moves of a random game, and a digest of everything that a record could
expect after each move. They are written once for a version of a game's rules, by

    python -m tests.rules.golden.write

A difference later means that old records play differently: then the version of that game's rules must rise,
or the change is a mistake. Never write them anew to make a test pass.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from games.rules import registry
from games.rules.base import Config, Move, Rules
from games.rules.chance import Chance

FOLDER: Final = Path(__file__).parent

TABLES: Final[dict[str, tuple[str, int, dict[str, Any]]]] = {
    "karriere-poker-5": ("karriere-poker", 5, {"deals": 2}),
    "karriere-poker-8": ("karriere-poker", 8, {"deals": 2}),
    "animal-poker-4": ("animal-poker", 4, {"sessions": 3}),
    "animal-poker-7-lazy": ("animal-poker", 7, {"sessions": 2, "lazy": True}),
    "animals-on-board-2": ("animals-on-board", 2, {}),
    "animals-on-board-4": ("animals-on-board", 4, {"start": 2}),
    "fancy-animals-2": ("fancy-animals", 2, {}),
    "fancy-animals-4": ("fancy-animals", 4, {}),
    "super-zwierzaki-2-fast": ("super-zwierzaki", 2, {"reaction_seconds": 2}),
    "super-zwierzaki-4": ("super-zwierzaki", 4, {}),
    "super-zwierzaki-8": ("super-zwierzaki", 8, {}),
}
"""File name → game, players, options."""


def find_file(name: str) -> Path:
    """Where a golden game lies."""
    return FOLDER / f"{name}.json"


def begin(game: dict[str, Any]) -> tuple[Rules[Any], Any]:
    """The engine and the first state of a golden game."""
    rules = registry.find(game["game"])
    config = Config(game["players"], game["options"])
    return rules, rules.start(config, Chance(bytes.fromhex(game["seed"])))


def digest(rules: Rules[Any], state: Any, moves: Iterable[Move]) -> str:
    """SHA-256 over all expectations from the first state to the end, and the result."""
    running = sha256()
    for move in (None, *moves):
        if move is not None:
            state, _ = rules.apply(state, rules.to_act(state)[0], move)
        running.update(json.dumps(rules.expected(state), sort_keys=True).encode())
    running.update(json.dumps(rules.outcome(state)).encode())
    return running.hexdigest()


def play_golden_game(name: str) -> dict[str, Any]:
    """The golden game of this name, played anew."""
    slug, players, options = TABLES[name]
    seed = sha256(name.encode())
    game: dict[str, Any] = {"game": slug, "players": players, "options": options, "seed": seed.hexdigest()}
    rules, first = begin(game)
    rng = random.Random(name)
    moves: list[Move] = []
    state = first
    while acting := rules.to_act(state):
        moves.append(rules.legal_sample(state, acting[0], rng))
        state, _ = rules.apply(state, acting[0], moves[-1])
    outcome = rules.outcome(state)
    assert outcome is not None
    return {
        **game,
        "rules": rules.version,
        "moves": moves,
        "places": list(outcome.places),
        "digest": digest(rules, first, moves),
    }


def main() -> None:
    """Write the files that are not there yet."""
    for name in TABLES:
        if not find_file(name).exists():
            find_file(name).write_text(json.dumps(play_golden_game(name)) + "\n")


if __name__ == "__main__":
    main()
