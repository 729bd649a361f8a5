"""Builds records: the parts of a game → a document → the text of a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.records import strict_json
from games.records.duplicate import write_duplicate
from games.records.fair import DealCommitment, RoundCommitment
from games.records.format import FORMAT, Player
from games.records.stand_ins import BY
from games.rules.base import Config, Move, Outcome, Rules, Seat


def build_record(
    *,
    rules: Rules[Any],
    config: Config,
    players: Sequence[Player],
    events: Sequence[Mapping[str, Any]],
    outcome: Outcome | None,
    seed: bytes | None = None,
    commitment: DealCommitment | RoundCommitment | None = None,
) -> dict[str, Any]:
    """The record of a game, as JSON values in the format's order of keys.

    players: by seat; events: as `write_move_event` and its kin write them; outcome: None for a game that is not
    over; seed and the commitment's secret only when they may be published.
    """
    record: dict[str, Any] = {
        "format": FORMAT,
        "game": rules.slug,
        "rules": rules.version,
        "options": to_plain_json(config.options),
        "players": [_write_player(player) for player in players],
    }
    if seed is not None:
        record["seed"] = seed.hex()
    if commitment is not None:
        record |= _write_commitment(commitment)
    record |= {"setup": to_plain_json(config.setup), "events": [to_plain_json(event) for event in events]}
    if outcome is not None:
        record["result"] = {"places": list(outcome.places), "scores": to_plain_json(outcome.scores)}
    return record


def write_move_event(seat: Seat, move: Move, t: float | None = None, by: str = "") -> dict[str, Any]:
    """A seat's move. t: seconds since the start; by: who made it if its person did not (`games.records.stand_ins`)."""
    return {"seat": seat, "move": to_plain_json(move)} | _write_seconds(t) | ({BY: by} if by else {})


def write_clock_event(event: Mapping[str, Any], t: float | None = None) -> dict[str, Any]:
    """What time decided: the event as `on_clock` took it. t: seconds since the start."""
    return {**to_plain_json(event)} | _write_seconds(t)


def write_random_event(name: str, value: Any) -> dict[str, Any]:
    """What chance decides in the very next move or clock event."""
    return {"random": {name: to_plain_json(value)}}


def to_text(record: Mapping[str, Any]) -> str:
    """The file of a record: one top key a line, one event a line."""
    return "{\n" + ",\n".join(_write_lines(record)) + "\n}\n"


def to_plain_json(value: Any) -> Any:
    """The same value in lists and dicts only, as reading JSON would give it."""
    if isinstance(value, Mapping):
        return {str(key): to_plain_json(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [to_plain_json(part) for part in value]
    return value


def _write_player(player: Player) -> dict[str, str]:
    return {"name": player.name} if player.bot is None else {"name": player.name, "bot": player.bot}


def _write_commitment(commitment: DealCommitment | RoundCommitment) -> dict[str, Any]:
    written: dict[str, Any] = {"commitment": commitment.digest}
    if isinstance(commitment, RoundCommitment):
        written |= {"duplicate": write_duplicate(commitment.deal)}
    else:
        procedure = {"procedure": commitment.procedure} if commitment.procedure > 1 else {}
        written = {**procedure, "table": commitment.table, **written, "entropy": list(commitment.entropy)}
        written |= {"chairs": list(commitment.chairs)} if commitment.chairs is not None else {}
    return written if commitment.secret is None else {**written, "secret": commitment.secret.hex()}


def _write_seconds(t: float | None) -> dict[str, Any]:
    return {} if t is None else {"t": t}


def _write_lines(record: Mapping[str, Any]) -> Iterator[str]:
    for key, value in record.items():
        if key == "events" and value:
            lines = ",\n".join("    " + strict_json.write(event, ensure_ascii=False) for event in value)
            yield f'  "events": [\n{lines}\n  ]'
        else:
            yield f"  {strict_json.write(key, ensure_ascii=False)}: {strict_json.write(value, ensure_ascii=False)}"
