"""The stages of a knockout, by itself or after Swiss rounds: who advances, which people meet, and the standings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from games.play.errors import Stale
from tournaments.draw.problem.pod_sizes import count_byes, find_size_mix
from tournaments.formats import stages
from tournaments.formats.base import (
    PRESENT,
    CupStage,
    DrawContext,
    DrawnPlan,
    Fault,
    OlderRules,
    Pairing,
    Person,
    Plan,
    PlayedResults,
    PlayedRound,
    Sizes,
)
from tournaments.scoring.knockout import fill_up, find_winners, is_final, rank_knockout, seed_stage
from tournaments.scoring.results import RoundResult
from tournaments.scoring.standings import Standing

ADVANCE = 2
"""The proposed number of people who advance from a table."""


class _HasPlan(Protocol):
    """What `PlayedResults` and `DrawContext` have in common."""

    @property
    def plan(self) -> DrawnPlan: ...
    @property
    def people(self) -> Mapping[str, Person]: ...


def find_advance_fault(plan: Plan) -> Fault | None:
    """Why so many cannot advance from a table; None if they can."""
    if 1 <= plan.advance < plan.least:
        return None
    return Fault(
        "The number of people advancing from each table must be at least 1 and less than the smallest table size.",
        "advance",
    )


def foresee_stages(people: int, sizes: Sizes, *, advance: int, smallest: int) -> tuple[CupStage, ...]:
    """See `Format`: from the first stage with so many people to the final."""
    found: list[CupStage] = []
    while people > 1:
        if people <= sizes.most:
            return (*found, CupStage(people, (people,), 0))
        byes = count_byes(people, smallest=sizes.least, largest=sizes.most)
        mix = find_size_mix(people - byes, wanted=sizes.wanted, smallest=sizes.least, largest=sizes.most)
        if mix is None:
            return ()
        found.append(CupStage(people, mix.sizes, byes))
        on = byes + sum(min(advance, size - 1) for size in mix.sizes)
        people = max(on, smallest) if on > 1 else on
    return tuple(found)


def list_stages(rounds: Sequence[PlayedRound], number: int) -> list[PlayedRound]:
    """The knockout rounds before the round of this number."""
    return [played for played in rounds if played.stage in stages.ELIMINATION and played.number < number]


def list_fillers(people: Mapping[str, Person]) -> frozenset[str]:
    """The keys of the bots on empty seats."""
    return frozenset(key for key, one in people.items() if one.is_filler)


def read_seeding(first: PlayedRound, people: Mapping[str, Person]) -> list[str]:
    """The seeding of the first stage, best first.

    All other entrants follow, so that people who were swapped in by hand have a place in it.
    """
    solution: dict[str, Any] = msgspec.json.decode(first.solution) if first.solution else {}
    seeding = [key for number in solution.get("numbers", ()) if (key := str(number)) in people]
    return list(dict.fromkeys([*seeding, *people]))


def find_advancing(played: _HasPlan, first: PlayedRound, result: RoundResult) -> tuple[str, ...]:
    """The keys of who advances from this stage and is still in the tournament, in the order of the seeding."""
    seeding = read_seeding(first, played.people)
    return find_winners(result, advance=played.plan.advance, ranked=seeding, fillers=list_fillers(played.people))


def rank_stages(
    played: PlayedResults, before: Sequence[Standing], part: Sequence[PlayedRound], older: OlderRules
) -> tuple[Standing, ...]:
    """The standings after these stages, with the results of the last one so far. before: those before the first."""
    results = [played.result(person.number) for person in part]
    if older.has_plain_knockout or not part:
        return rank_knockout(before, results)
    playing = played.list_playing(part[-1].number)
    through = [find_advancing(played, part[0], result) for result in results]
    if is_final(results[-1]) and not playing:
        through[-1] = ()
    gone = _find_gone(played.people, through[-1]) if played.is_last_complete(part[-1].number) else ()
    fillers = list_fillers(played.people)
    return rank_knockout(before, results, through=through, playing=playing, gone=gone, fillers=fillers)


def _find_gone(people: Mapping[str, Person], through: Collection[str]) -> tuple[str, ...]:
    """The keys of advancing people who are no longer present, if that leaves exactly one of them; else empty."""
    advancing = {key: people[key] for key in through}
    gone = tuple(key for key, one in advancing.items() if one.status != PRESENT or one.is_away)
    return gone if len(gone) == len(advancing) - 1 else ()


def list_next_stage(
    context: DrawContext, part: Sequence[PlayedRound], present: Collection[str], number: int
) -> list[str]:
    """The keys of who plays the next stage; empty seats go to bots, or else to the best of those who are out."""
    result, plan = context.result(part[-1].number), context.plan
    ranked = read_seeding(part[0], context.people)
    through = [key for key in find_advancing(context, part[0], result) if key in present]
    missing = max(0, plan.least - len(through))
    if plan.bots_fill and context.can_fill(through, number, missing):
        return through
    return list(fill_up(through, result, least=context.find_smallest_table(), present=present, ranked=ranked))


def find_next(context: DrawContext, list_entitled: Callable[[DrawContext, int], Sequence[str]]) -> str | None:
    """The next stage; None after the final, or if nobody is left to play against."""
    last = context.rounds[-1] if context.rounds else None
    if last is None or last.stage not in stages.ELIMINATION:
        return stages.KNOCKOUT
    is_decided = is_final(context.result(last.number)) or len(list_entitled(context, last.number + 1)) < 2
    return None if is_decided else stages.KNOCKOUT


def pair_stage(context: DrawContext, number: int, entitled: Sequence[str]) -> Pairing:
    """Pair a knockout stage. entitled: keys, best seed first. Raises Stale for too few people."""
    plan, people = context.plan, context.people
    ranked = [*entitled, *(key for key in context.list_present(number) if people[key].is_filler)]
    if len(ranked) < context.find_smallest_table():
        raise Stale("Too few people are present for another round.")
    pods, byes = seed_stage(ranked, wanted=plan.wanted, least=plan.least, most=plan.most)
    return Pairing(
        stages.FINAL if len(pods) == 1 and not byes else stages.KNOCKOUT,
        tuple((pod, [["seeds %(seeds)s", {"seeds": _list_seeds(ranked, pod)}]]) for pod in pods),
        byes,
        {"seeding": [people[key].name for key in ranked], "numbers": [people[key].number for key in ranked]},
    )


def _list_seeds(ranked: Sequence[str], pod: Sequence[str]) -> str:
    return ", ".join(str(ranked.index(key) + 1) for key in pod)
