"""JSON bytes from an untrusted sender → a Problem, or BadProblem with a sentence."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from tournaments.draw.problem.definition import (
    DEFAULT_REPEAT_WORTH,
    DEFAULT_TIME_LIMIT,
    FORMAT,
    Entrant,
    PastRound,
    Problem,
)
from tournaments.draw.problem.errors import BadProblem

MAX_BYTES: Final = 32 * 1024 * 1024
"""Size of a document. Twenty thousand entrants with 200 rounds of history fit; more would only fill the memory."""
MAX_ENTRANTS: Final = 20_000
"""People in one problem: twice the largest draw that draw-format.md asks for."""
MAX_POD: Final = 20
"""People in a pod."""
MAX_ROUNDS: Final = 200
"""Rounds of a history or of a plan."""
MAX_APART_PAIRS: Final = 500_000
"""Pairs of people of one group: a club of a thousand."""
MAX_SCORE: Final = 100_000_000
"""Largest absolute score: about 119,000 rounds won."""

Id = Annotated[str, Meta(min_length=1, max_length=200)]
Size = Annotated[int, Meta(ge=2, le=MAX_POD)]
Ids = Annotated[list[Id], Meta(max_length=MAX_ENTRANTS)]


class _Entrant(msgspec.Struct):
    id: Id
    score: Annotated[int, Meta(ge=-MAX_SCORE, le=MAX_SCORE)] = 0


class _Round(msgspec.Struct):
    pods: Annotated[list[Ids], Meta(max_length=MAX_ENTRANTS)] = []
    byes: Ids = []


class _Document(msgspec.Struct):
    format: Literal["menagerie-draw/1"]
    wanted: Size
    min: Size
    max: Size
    entrants: Annotated[list[_Entrant], Meta(max_length=MAX_ENTRANTS)]
    seed: Annotated[str, Meta(max_length=10_000)] = ""
    time_limit: Annotated[float, Meta(gt=0, le=3600)] = DEFAULT_TIME_LIMIT
    repeat_worth: Annotated[int, Meta(ge=0, le=1_000_000)] = DEFAULT_REPEAT_WORTH
    history: Annotated[list[_Round], Meta(max_length=MAX_ROUNDS)] = []
    absent: Ids = []
    forbidden: Annotated[list[Annotated[list[Id], Meta(min_length=2, max_length=2)]], Meta(max_length=100_000)] = []
    locked: Annotated[list[Ids], Meta(max_length=MAX_ENTRANTS)] = []
    swiss: bool = True
    rounds: Annotated[int, Meta(ge=1, le=MAX_ROUNDS)] | None = None
    apart: Annotated[list[Ids], Meta(max_length=MAX_ENTRANTS)] = []


def parse(raw: bytes) -> Problem:
    """The problem in a document of menagerie-draw/1. Unknown keys are ignored. Raises BadProblem."""
    document = _decode(raw)
    problem = Problem(
        entrants=tuple(Entrant(entrant.id, entrant.score) for entrant in document.entrants),
        wanted=document.wanted,
        min_size=document.min,
        max_size=document.max,
        seed=document.seed,
        time_limit=document.time_limit,
        repeat_worth=document.repeat_worth,
        history=tuple(PastRound(tuple(map(tuple, past.pods)), tuple(past.byes)) for past in document.history),
        absent=tuple(document.absent),
        forbidden=tuple((one, other) for one, other in document.forbidden),
        locked=tuple(map(tuple, document.locked)),
        swiss=document.swiss,
        rounds=document.rounds,
        apart=tuple(map(tuple, document.apart)),
    )
    check(problem)
    return problem


def check(problem: Problem) -> None:
    """Raises BadProblem for what a type cannot express: sizes out of order, an entrant listed twice.

    An id that is not among the entrants may occur several times (a history may give every bot the same id).
    """
    if not problem.min_size <= problem.wanted <= problem.max_size:
        sizes = {"min": problem.min_size, "wanted": problem.wanted, "max": problem.max_size}
        raise BadProblem("wanted must lie between min and max, and %(wanted)d is not in %(min)d to %(max)d", sizes)
    entered = [entrant.id for entrant in problem.entrants]
    _check_once(entered, "“%(id)s” is entered twice")
    ids = set(entered)
    for number, past in enumerate(problem.history, start=1):
        seen = [entrant_id for each in (*past.pods, past.byes) for entrant_id in each if entrant_id in ids]
        _check_once(seen, "“%(id)s” stands twice in round %(round)d of the history", round=number)
    if sum(len(group) * (len(group) - 1) // 2 for group in problem.apart) > MAX_APART_PAIRS:
        raise BadProblem(
            "apart names more than %(most)d pairs, the most that a problem may have", {"most": MAX_APART_PAIRS}
        )
    for one, other in problem.forbidden:
        if one == other and one in ids:
            raise BadProblem("“%(id)s” cannot be forbidden to meet themselves", {"id": one})


def _check_once(ids: list[str], template: str, **values: object) -> None:
    if len(set(ids)) == len(ids):
        return
    seen: set[str] = set()
    for name in ids:
        if name in seen:
            raise BadProblem(template, {"id": name, **values})
        seen.add(name)


_document = msgspec.json.Decoder(_Document)


def _decode(raw: bytes) -> _Document:
    if len(raw) > MAX_BYTES:
        raise BadProblem("larger than %(most)d bytes, the most that a problem may have", {"most": MAX_BYTES})
    try:
        return _document.decode(raw.removeprefix(b"\xef\xbb\xbf"))
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at `$")
        place = where.strip(".`") or FORMAT
        raise BadProblem("%(place)s: %(what)s", {"place": place, "what": what}) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadProblem("not JSON: %(why)s", {"why": error}) from error
    except RecursionError as error:
        raise BadProblem("nested too deep") from error
