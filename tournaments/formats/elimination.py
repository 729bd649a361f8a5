"""The stages of a knockout, by itself or after Swiss rounds: who goes on, who meets whom, and who stands where."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from games.play.errors import Stale
from tournaments.formats import stages
from tournaments.formats.base import (
    PRESENT,
    Course,
    DrawnPlan,
    Fault,
    Former,
    Pairing,
    Person,
    Plan,
    Played,
    PlayedRound,
)
from tournaments.scoring.knockout import fill_up, find_winners, is_final, rank_knockout, seed_stage
from tournaments.scoring.results import RoundResult
from tournaments.scoring.standings import Standing

ADVANCE = 2
"""How many of a table go on unless a plan says otherwise."""


class _Seeded(Protocol):
    """What knows the plan and the people: `Played` and `Course`."""

    @property
    def plan(self) -> DrawnPlan: ...
    @property
    def people(self) -> Mapping[str, Person]: ...


def find_advance_fault(plan: Plan) -> Fault | None:
    """Why so many cannot go on from a table."""
    if 1 <= plan.advance < plan.least:
        return None
    return Fault("From each table fewer go on than sit at the smallest one, and at least one.", "advance")


def list_stages(rounds: Sequence[PlayedRound], number: int) -> list[PlayedRound]:
    """The stages before the round of this number."""
    return [one for one in rounds if one.stage in stages.ELIMINATION and one.number < number]


def list_fillers(people: Mapping[str, Person]) -> frozenset[str]:
    """The bots on seats that were left empty."""
    return frozenset(key for key, one in people.items() if one.is_filler)


def read_seeding(first: PlayedRound, people: Mapping[str, Person]) -> list[str]:
    """The order in which the first stage was drawn, the best seed first.

    Everybody else is behind it, so that people who were put in by hand have a place in it.
    """
    known: dict[str, Any] = msgspec.json.decode(first.solution) if first.solution else {}
    seeding = [key for number in known.get("numbers", ()) if (key := str(number)) in people]
    return list(dict.fromkeys([*seeding, *people]))


def find_through(known: _Seeded, first: PlayedRound, result: RoundResult) -> tuple[str, ...]:
    """Who goes on from this stage and is still here, in the order of the first one's seeding."""
    seeding = read_seeding(first, known.people)
    return find_winners(result, advance=known.plan.advance, ranked=seeding, fillers=list_fillers(known.people))


def rank_stages(
    played: Played, before: Sequence[Standing], part: Sequence[PlayedRound], former: Former
) -> tuple[Standing, ...]:
    """The standings after these stages, with what has come in of the last one. before: those before the first."""
    told = [played.result(one.number) for one in part]
    if former.has_stages or not part:
        return rank_knockout(before, told)
    playing = played.list_playing(part[-1].number)
    through = [find_through(played, part[0], result) for result in told]
    if is_final(told[-1]) and not playing:
        through[-1] = ()
    gone = _find_gone(played.people, through[-1]) if played.is_last_complete(part[-1].number) else ()
    fillers = list_fillers(played.people)
    return rank_knockout(before, told, through=through, playing=playing, gone=gone, fillers=fillers)


def _find_gone(people: Mapping[str, Person], through: Collection[str]) -> tuple[str, ...]:
    """Who of those who go on is not here any more, where that leaves one of them alone."""
    there = {key: people[key] for key in through}
    gone = tuple(key for key, one in there.items() if one.status != PRESENT or one.is_away)
    return gone if len(gone) == len(there) - 1 else ()


def list_through(course: Course, part: Sequence[PlayedRound], present: Collection[str], number: int) -> list[str]:
    """Who of the last stage plays on: bots take the seats that are left, or else the best of those who are out."""
    result, plan = course.result(part[-1].number), course.plan
    ranked = read_seeding(part[0], course.people)
    through = [key for key in find_through(course, part[0], result) if key in present]
    missing = max(0, plan.least - len(through))
    if plan.bots_fill and course.can_fill(through, number, missing):
        return through
    return list(fill_up(through, result, least=course.find_smallest_table(), present=present, ranked=ranked))


def find_next(course: Course, list_entitled: Callable[[Course, int], Sequence[str]]) -> str | None:
    """The stage that comes next; None after the final, or if nobody is left to play against."""
    last = course.rounds[-1] if course.rounds else None
    if last is None or last.stage not in stages.ELIMINATION:
        return stages.KNOCKOUT
    is_decided = is_final(course.result(last.number)) or len(list_entitled(course, last.number + 1)) < 2
    return None if is_decided else stages.KNOCKOUT


def pair_stage(course: Course, number: int, entitled: Sequence[str]) -> Pairing:
    """A stage of these people, best seed first. Raises Stale for too few people."""
    plan, people = course.plan, course.people
    ranked = [*entitled, *(key for key in course.list_present(number) if people[key].is_filler)]
    if len(ranked) < course.find_smallest_table():
        raise Stale("Too few people are here for another round.")
    pods, byes = seed_stage(ranked, wanted=plan.wanted, least=plan.least, most=plan.most)
    return Pairing(
        stages.FINAL if len(pods) == 1 and not byes else stages.KNOCKOUT,
        tuple((pod, [["seeds %(seeds)s", {"seeds": _list_seeds(ranked, pod)}]]) for pod in pods),
        byes,
        {"seeding": [people[key].name for key in ranked], "numbers": [people[key].number for key in ranked]},
    )


def _list_seeds(ranked: Sequence[str], pod: Sequence[str]) -> str:
    return ", ".join(str(ranked.index(key) + 1) for key in pod)
