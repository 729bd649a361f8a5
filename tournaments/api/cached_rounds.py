"""Rounds of a tournament as JSON. Each table's text is cached until something in it changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from django.utils.translation import get_language

from games.records import strict_json
from tournaments.flow.archive.tournament_document import describe_pod, describe_round
from tournaments.flow.archive.tournament_schema import ArchivedRound
from tournaments.flow.standings.book import Book
from tournaments.models import Pod, PodSeat, Round
from tournaments.words.terms import say_reasons


def write_rounds(book: Book, rounds: Sequence[Round]) -> str:
    """A list of `RoundOut` as JSON."""
    return _join([write_round(book, played) for played in rounds])


def write_round(book: Book, played: Round) -> str:
    """A `RoundOut` as JSON."""
    archived = describe_round(book, played)
    before = {
        "number": played.number,
        "stage": played.stage,
        "status": played.status,
        "seed": played.seed,
        "ends_at": played.ends_at,
    }
    after = {
        "byes": list(archived.byes),
        "absent": list(archived.absent),
        "draw": msgspec.json.decode(archived.solution) if archived.solution else None,
        **_describe_deal(archived),
    }
    pods = _join([_write_pod(book, played, pod) for pod in book.pods.get(played.pk, ())])
    return f'{strict_json.write(before)[:-1]}, "tables": {pods}, "pods": {pods}, {strict_json.write(after)[1:]}'


def _describe_deal(archived: ArchivedRound) -> dict[str, str]:
    """Commitment and secret of duplicate deals; both empty unless the round has exactly one."""
    if archived.deals:
        [secret, commitment] = (
            [archived.deals[0].secret, archived.deals[0].commitment] if len(archived.deals) == 1 else ["", ""]
        )
    else:
        secret, commitment = archived.deal_secret, archived.deal_commitment
    return {"deal_commitment": commitment, "deal_secret": secret}


def _join(pieces: Sequence[str]) -> str:
    return f"[{', '.join(pieces)}]"


def _write_pod(book: Book, played: Round, pod: Pod) -> str:
    """A `RoundTableOut` as JSON, cached in the book by all that it is made of."""
    seats = book.seats.get(pod.id, ())
    made_of = (pod, seats, book.results.get(pod.id, ()), *[book.entrants[seat.entrant_id] for seat in seats])
    key = ("for programs", get_language(), pod.id)
    return book.derived.get(key, made_of, lambda: strict_json.write(_describe_pod(book, played, pod)))


def _describe_pod(book: Book, played: Round, pod: Pod) -> dict[str, Any]:
    archived, result = describe_pod(book, played, pod), book.pod_result(pod)
    places = result.shown_places() if result else None
    scores = result.shown_scores() if result else None
    return {
        "number": pod.number,
        "is_online": pod.is_online,
        "table": pod.table_id,
        "seats": [
            {
                "entrant": seat.entrant,
                "name": book.by_key[str(seat.entrant)].name,
                "person": _find_person(book, row),
                "place": places[index] if places else None,
                "score": scores[index] if scores else None,
                "fate": seat.fate,
                "substitute": seat.substitute,
                "stand_in": None if seat.stand_in is None else msgspec.to_builtins(seat.stand_in),
            }
            for index, (seat, row) in enumerate(zip(archived.seats, book.seats.get(pod.id, ()), strict=True))
        ],
        "is_void": archived.is_void,
        "reasons": say_reasons(msgspec.json.decode(pod.reason)) if pod.reason else [],
        "wave": archived.wave,
        "real_table": archived.real_table,
    }


def _find_person(book: Book, seat: PodSeat) -> int | None:
    """The id of who plays on a seat: the substitute or the entrant. None for a bot, or without an account."""
    if seat.substitute_id is not None or seat.substitute_name:
        return seat.substitute_id
    return book.entrants[seat.entrant_id].player_id
