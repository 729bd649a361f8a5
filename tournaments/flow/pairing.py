"""Which round comes next, and whom it puts together: the formats."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import msgspec

from games.play.errors import Stale
from tournaments import draw
from tournaments.flow import bots, halves
from tournaments.flow.book import LAST_STAGES, Book, climb
from tournaments.models import Entrant, Format, PairRule, Pod, Rest, Round, Stage, Venue
from tournaments.scoring.knockout import find_winners, is_final, mix_sizes, seed_stage
from tournaments.scoring.ladder import cut
from tournaments.scoring.standings import draw_lot

TIME_LIMIT = 10.0
"""Seconds of work for one draw."""


FILLS_UP = "from the screens, to fill a table up: %(names)s"
STAGE_OF = {Format.ROUND_ROBIN: Stage.PLAN, Format.LADDER: Stage.LADDER}
"""What the rounds of a format are; of the others, Swiss."""


@dataclass(frozen=True)
class Drawn:
    """A round put together. pods: (entrants by seat, reasons as [template, values]); solution: for the record."""

    stage: Stage
    pods: tuple[tuple[tuple[Entrant, ...], list[Any]], ...]
    byes: tuple[Entrant, ...]
    solution: dict[str, Any] = field(default_factory=dict)


def find_stage(book: Book) -> Stage | None:
    """What kind of round comes next; None if the last one has been played."""
    tournament = book.tournament
    done = len(book.rounds)
    if tournament.format == Format.ARENA:
        return None if book.rounds else Stage.ARENA
    if tournament.format == Format.KNOCKOUT or (
        tournament.format == Format.SWISS_CUT and done >= tournament.rounds_planned
    ):
        last = book.rounds[-1] if book.rounds else None
        if last is not None and last.stage in LAST_STAGES and is_final(book.round_result(last)):
            return None
        return Stage.KNOCKOUT
    if done >= tournament.rounds_planned:
        return None
    return STAGE_OF.get(Format(tournament.format), Stage.SWISS)


def list_present(book: Book, number: int) -> list[Entrant]:
    """Who is to be drawn in this round, in the order of entry; bots only where they can play on screens."""
    here = [
        one
        for one in book.entrants.values()
        if one.status == Entrant.Status.PRESENT and not one.is_away and one.joined_round <= number
    ]
    return here if bots.can_sit(book, here, number) else [one for one in here if not one.bot]


def pair(
    book: Book,
    stage: Stage,
    number: int,
    *,
    seed: str,
    locked: Sequence[Sequence[int]],
    tell: Callable[[int], None] | None = None,
) -> Drawn:
    """The draw of a round. locked: pods (ids of entrants) that stay together. tell: hears how far it is, in percent.

    Raises Stale for too few people, draw.DrawError with a sentence that names the conflict.
    """
    if stage == Stage.KNOCKOUT:
        return _pair_knockout(book, number, seed=seed)
    if stage == Stage.PLAN:
        return _pair_plan(book, number, seed=seed, locked=locked, tell=tell)
    if stage == Stage.LADDER:
        return _pair_ladder(book, number, seed=seed)
    problem = build_problem(book, number, seed=seed, locked=locked)
    known = find_halves(book, number, problem)
    if known is None:
        return _keep(book, stage, draw.solve(problem, tell))
    return _keep(book, stage, _solve_halves(problem, known, tell))


def find_halves(book: Book, number: int, problem: draw.Problem) -> halves.Halves | None:
    """Who plays in the room and who on screens, where these are drawn each for themselves."""
    if book.tournament.venue != Venue.APART:
        return None
    pks = {one.name: one.pk for one in book.entrants.values()}
    tied = [[pks[name] for name in group if name in pks] for group in problem.locked]
    return halves.split(book, list_present(book, number), number, tied=tied, seed=problem.seed)


def _solve_halves(problem: draw.Problem, known: halves.Halves, tell: Callable[[int], None] | None) -> draw.Solution:
    """Each half takes half of the time. What is said of people of the other half is passed over."""
    solved = []
    for index, half in enumerate((known.room, known.screens)):
        names = {one.name for one in half}
        here = tuple(one for one in problem.entrants if one.id in names)
        part = replace(problem, entrants=here, time_limit=problem.time_limit / 2)
        solved.append(draw.solve(part, None if tell is None else partial(_tell_half, tell, 50 * index)))
    return halves.join(_greet(solved[0], known.guests), solved[1])


def _tell_half(tell: Callable[[int], None], begun: int, percent: int) -> None:
    tell(begun + percent // 2)


def _greet(room: draw.Solution, guests: Sequence[Entrant]) -> draw.Solution:
    """Say at each table who of its people has a screen, and why he sits here."""
    names = {one.name for one in guests}
    return replace(
        room,
        pods=tuple(
            replace(pod, reason=(*pod.reason, draw.Sentence(FILLS_UP, {"names": found})))
            if (found := tuple(name for name in pod.seats if name in names))
            else pod
            for pod in room.pods
        ),
    )


def build_problem(
    book: Book, number: int, *, seed: str, locked: Sequence[Sequence[int]] = (), rounds: int | None = None
) -> draw.Problem:
    """The draw of this round as the problem of `menagerie-draw/1`. Ids are the entrants' names."""
    tournament, present = book.tournament, list_present(book, number)
    points = {line.entrant: line.points for line in book.standings()}
    rules = list(PairRule.objects.filter(tournament=tournament))
    names = {pk: one.name for pk, one in book.entrants.items()}
    together = [(names[one.first_id], names[one.second_id]) for one in rules if one.kind == PairRule.Kind.TOGETHER]
    return draw.Problem(
        entrants=tuple(draw.Entrant(one.name, points.get(str(one.number), 0)) for one in present),
        wanted=tournament.wanted,
        min_size=tournament.least,
        max_size=tournament.most,
        seed=seed,
        time_limit=TIME_LIMIT,
        repeat_worth=tournament.repeat_worth,
        history=tuple(_past(book, played) for played in book.rounds if played.number < number),
        forbidden=(
            *((names[one.first_id], names[one.second_id]) for one in rules if one.kind == PairRule.Kind.APART),
            *bots.keep_apart(tournament, present),
        ),
        locked=(*together, *(tuple(names[pk] for pk in group) for group in locked)),
        swiss=rounds is None,
        rounds=rounds,
    )


def _past(book: Book, played: Round) -> draw.PastRound:
    def ids(pod: Pod) -> tuple[str, ...]:
        return tuple(book.entrants[seat.entrant_id].name for seat in book.seats.get(pod.pk, ()))

    return draw.PastRound(
        pods=tuple(ids(pod) for pod in book.pods.get(played.pk, ())),
        byes=tuple(
            book.entrants[rest.entrant_id].name for rest in book.rests.get(played.pk, ()) if rest.kind == Rest.Kind.BYE
        ),
    )


def _keep(book: Book, stage: Stage, solution: draw.Solution) -> Drawn:
    return _drawn(book, stage, solution.pods, solution.byes, solution.to_json())


def _drawn(book: Book, stage: Stage, pods: Sequence[draw.Pod], byes: Sequence[str], solution: dict[str, Any]) -> Drawn:
    by_name = {one.name: one for one in book.entrants.values()}
    return Drawn(
        stage,
        tuple(
            (
                tuple(by_name[name] for name in pod.seats),
                [[sentence.template, dict(sentence.values)] for sentence in pod.reason],
            )
            for pod in pods
        ),
        tuple(by_name[name] for name in byes),
        solution,
    )


def _pair_plan(
    book: Book, number: int, *, seed: str, locked: Sequence[Sequence[int]], tell: Callable[[int], None] | None
) -> Drawn:
    """This round of the plan made before the first one; a new plan if other people are there."""
    present = sorted(list_present(book, number), key=lambda one: one.number)
    numbers = [one.number for one in present]
    plan = _find_plan(book, number, numbers) if not locked else None
    if plan is None:
        left = max(1, book.tournament.rounds_planned - number + 1)
        solution = draw.solve(build_problem(book, number, seed=seed, locked=locked, rounds=left), tell)
        plan = solution.to_json() | {
            "present": [one.name for one in present], "numbers": numbers, "first": number,
        }  # fmt: skip
    here = number - int(plan["first"])
    now = dict(zip(plan["present"], (one.name for one in present), strict=True))
    pods = [draw.Pod(tuple(now[name] for name in pod["seats"])) for pod in plan["rounds"][here]]
    return _drawn(book, Stage.PLAN, pods, [now[name] for name in plan["byes"][here]], plan)


def _find_plan(book: Book, number: int, numbers: list[int]) -> dict[str, Any] | None:
    """The plan of the round before, if these very people are there, whatever they are called by now."""
    if number == 1 or len(book.rounds) < number - 1:
        return None
    known = book.rounds[number - 2].solution
    plan: dict[str, Any] = msgspec.json.decode(known) if known else {}
    fits = plan.get("numbers") == numbers and number - plan.get("first", number) < len(plan.get("rounds", ()))
    return plan if fits else None


def _pair_ladder(book: Book, number: int, *, seed: str) -> Drawn:
    """The tables of a stretch: as the last one left them, newcomers at the bottom; seats are drawn by lot."""
    tournament, here = book.tournament, book.by_key
    present = {str(one.number) for one in list_present(book, number)}
    rungs = [key for key in dict.fromkeys([*climb(book), *sorted(present, key=int)]) if key in present]
    sizes = next(
        found
        for byes in range(len(rungs) + 1)
        if (found := mix_sizes(len(rungs) - byes, wanted=tournament.wanted, least=tournament.least,
                               most=tournament.most)) or byes == len(rungs)
    )  # fmt: skip
    if not sizes:
        raise Stale("Too few people are here for another round.")
    rested = [
        book.key(rest.entrant_id) for rests in book.rests.values() for rest in rests if rest.kind == Rest.Kind.BYE
    ]
    tables, byes = cut(rungs, sizes, rested)
    before = _last_tables(book)
    return Drawn(
        Stage.LADDER,
        tuple(
            (
                tuple(here[key] for key in sorted(table, key=lambda key: draw_lot(seed, key))),
                _say_moves(book, table, index, before),
            )
            for index, table in enumerate(tables, start=1)
        ),
        tuple(here[key] for key in byes),
        {"ladder": [[here[key].name for key in table] for table in tables]},
    )


def _last_tables(book: Book) -> dict[str, int]:
    """At which table everybody sat in the last stretch."""
    last = book.rounds[-1:] if book.rounds else ()
    return {
        book.key(seat.entrant_id): pod.number
        for played in last
        for pod in book.pods.get(played.pk, ())
        for seat in book.seats.get(pod.pk, ())
    }


def _say_moves(book: Book, table: Sequence[str], number: int, before: Mapping[str, int]) -> list[Any]:
    """Who came up, who came down, who is new at this table of a ladder."""
    names = {key: book.by_key[key].name for key in table}
    kinds = (
        ("up to this table: %(names)s", [names[key] for key in table if before.get(key, 0) > number]),
        ("down to this table: %(names)s", [names[key] for key in table if 0 < before.get(key, number) < number]),
        ("stay at this table: %(names)s", [names[key] for key in table if before.get(key) == number]),
        ("new on the ladder: %(names)s", [names[key] for key in table if key not in before]),
    )
    return [[template, {"names": ", ".join(found)}] for template, found in kinds if found]


def _pair_knockout(book: Book, number: int, *, seed: str) -> Drawn:
    tournament = book.tournament
    ranked = rank_for_knockout(book, number, seed=seed)
    if len(ranked) < 2:
        raise Stale("Too few people are here for another round.")
    pods, byes = seed_stage(ranked, wanted=tournament.wanted, least=tournament.least, most=tournament.most)
    stage = Stage.FINAL if len(pods) == 1 and not byes else Stage.KNOCKOUT
    here = book.by_key
    return Drawn(
        stage,
        tuple((tuple(here[key] for key in pod), [["seeds %(seeds)s", {"seeds": _seeds(ranked, pod)}]]) for pod in pods),
        tuple(here[key] for key in byes),
        {"seeding": [here[key].name for key in ranked], "numbers": [here[key].number for key in ranked]},
    )


def _seeds(ranked: Sequence[str], pod: Sequence[str]) -> str:
    return ", ".join(str(ranked.index(key) + 1) for key in pod)


def rank_for_knockout(book: Book, number: int, *, seed: str) -> list[str]:
    """Who plays the next knockout stage, best seed first."""
    present = {str(one.number) for one in list_present(book, number)}
    stages = [played for played in book.rounds if played.stage in LAST_STAGES and played.number < number]
    if stages:
        seeding = _first_seeding(book, stages[0])
        winners = find_winners(
            book.round_result(stages[-1]), advance=book.tournament.advance, ranked=_complete(seeding, book)
        )
        return [key for key in winners if key in present]
    if book.tournament.format == Format.SWISS_CUT:
        lines = [line for line in book.standings() if line.entrant in present]
        lines.sort(key=lambda line: (line.place, -draw_lot(book.tournament.lot_seed, line.entrant)))
        return [line.entrant for line in lines][: book.tournament.cut_to]
    hints = {str(one.number): one.rank_hint for one in book.entrants.values()}
    return sorted(
        present, key=lambda key: (hints[key] is None, hints[key] or 0, -draw_lot(book.tournament.lot_seed, key))
    )


def _first_seeding(book: Book, stage: Round) -> list[str]:
    known: dict[str, Any] = msgspec.json.decode(stage.solution) if stage.solution else {}
    return [key for number in known.get("numbers", ()) if (key := str(number)) in book.by_key]


def _complete(seeding: list[str], book: Book) -> list[str]:
    """The seeding with everybody else behind it, so that whoever was put in by hand has a place in it."""
    return [*seeding, *(key for key in book.by_key if key not in set(seeding))]


def count_fillers(book: Book, number: int) -> int:
    """How many bots the empty chairs of this round take, so that nobody has a bye."""
    tournament = book.tournament
    here = [one for one in list_present(book, number) if not one.is_filler]
    for more in range(tournament.least):
        if len(here) + more and mix_sizes(
            len(here) + more, wanted=tournament.wanted, least=tournament.least, most=tournament.most
        ):
            return more if bots.can_fill(book, here, number, more) else 0
    return 0
