"""Which round comes next, and whom it puts together: the formats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from games.play.errors import Stale
from games.rules import registry
from tournaments import draw
from tournaments.flow.drawing import bot_places, knockout_tables, ladder_tables, venues
from tournaments.flow.drawing.draw_input import Drawn, list_came, list_present
from tournaments.flow.standings.book import Book, is_by_results
from tournaments.models import LAST_STAGES, Entrant, Format, PairRule, Phase, Rest, Round, Stage, Venue
from tournaments.scoring.knockout import is_final, mix_sizes

TIME_LIMIT = 10.0
"""Seconds of work for one draw."""

RELEASED = (Round.Status.RELEASED, Round.Status.COMPLETE)
"""What people have been told of a round."""
STAGE_OF = {Format.ROUND_ROBIN: Stage.PLAN, Format.LADDER: Stage.LADDER}
"""What the rounds of a format are; of the others, Swiss."""


def find_stage(book: Book) -> Stage | None:
    """What kind of round comes next; None if the last one has been played."""
    tournament = book.tournament
    done = len(book.rounds)
    if tournament.format == Format.ARENA:
        return None if book.rounds else Stage.ARENA
    if tournament.format != Format.LADDER and is_by_results(book, done + 1):
        return None if _is_decided(book) else Stage.KNOCKOUT
    if done >= tournament.rounds_planned:
        return None
    return STAGE_OF.get(Format(tournament.format), Stage.SWISS)


def require_stage(book: Book) -> Stage:
    """What kind of round comes next. Raises Stale if the last one has been played."""
    stage = find_stage(book)
    if stage is not None:
        return stage
    if book.rounds and book.rounds[-1].stage in LAST_STAGES:
        raise Stale("The knockout is decided. Finish the tournament.")
    raise Stale("All rounds have been played. Finish the tournament, or plan more rounds.")


def is_followed(book: Book) -> bool:
    """Whether a round is still to come after those that have been released: none once the tournament is finished."""
    if book.tournament.phase in (Phase.FINISHED, Phase.ARCHIVED):
        return False
    last = book.rounds[-1] if book.rounds else None
    if last is None or last.status not in RELEASED:
        return True
    if last.status == Round.Status.RELEASED and last.stage in LAST_STAGES:
        return last.stage != Stage.FINAL
    return find_stage(book) is not None


def is_over(book: Book) -> bool:
    """Whether its standings are the last ones: it is finished, or nothing is left to be played."""
    if book.tournament.phase in (Phase.FINISHED, Phase.ARCHIVED):
        return True
    if not book.rounds:
        return False
    return all(one.status == Round.Status.COMPLETE for one in book.rounds) and not is_followed(book)


def takes_in(book: Book) -> bool:
    """Whether somebody new can come in: not once a knockout has begun, or an arena is closed."""
    told = [one for one in book.rounds if one.status in RELEASED]
    return not any(one.stage in LAST_STAGES or (one.stage == Stage.ARENA and one.has_rung) for one in told)


def has_room(book: Book) -> bool:
    """Whether somebody new could play in the round that comes: not where the cut of a Swiss is full without him."""
    before, number = _look_ahead(book)
    if book.tournament.format != Format.SWISS_CUT or not cuts_off(book):
        return True
    return len(knockout_tables.rank_for_knockout(before, number)) < book.tournament.cut_to


def plays_on(book: Book, one: Entrant) -> bool:
    """Whether somebody plays in the round that comes if he is here by then: all do, but for those who are out of a
    knockout."""
    (before, number), key = _look_ahead(book), str(one.number)
    return not cuts_off(book) or key in knockout_tables.rank_for_knockout(before, number, back=key)


def cuts_off(book: Book) -> bool:
    """Whether the round that comes is one of a knockout: whoever is not in it is out."""
    return book.tournament.format != Format.LADDER and is_by_results(*_look_ahead(book))


def _look_ahead(book: Book) -> tuple[Book, int]:
    """The round that comes, and what is before it."""
    number = 1 + sum(played.status in RELEASED for played in book.rounds)
    return book.before(number), number


def compare_stage(book: Book, draft: Round) -> tuple[list[Entrant], list[Entrant]]:
    """Who would be in this draft of a knockout if it were drawn now and is not, and who is in it and here and would
    not."""
    now = knockout_tables.rank_for_knockout(book.before(draft.number), draft.number)
    seats = (seat for pod in book.pods.get(draft.pk, ()) for seat in book.seats.get(pod.pk, ()))
    drawn = {seat.entrant_id for seat in seats} | {rest.entrant_id for rest in book.rests.get(draft.pk, ())}
    there = [one for one in book.entrants.values() if one.pk in drawn and not one.is_filler]
    here = (one for one in there if one.status == Entrant.Status.PRESENT and not one.is_away)
    coming = [one for key in now if (one := book.by_key[key]).pk not in drawn]
    return coming, [one for one in here if str(one.number) not in now]


def _is_decided(book: Book) -> bool:
    """Whether a knockout has had its final table, or nobody is left to play against."""
    last = book.rounds[-1] if book.rounds else None
    if last is None or last.stage not in LAST_STAGES:
        return False
    return is_final(book.round_result(last)) or len(knockout_tables.rank_for_knockout(book, last.number + 1)) < 2


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
        return knockout_tables.pair_knockout(book, number)
    if stage == Stage.PLAN:
        return _pair_plan(book, number, seed=seed, locked=locked, tell=tell)
    if stage == Stage.LADDER:
        return ladder_tables.pair_ladder(book, number, seed=seed)
    problem = build_problem(book, number, seed=seed, locked=locked)
    ways = _list_ways(book, number, problem)
    return _keep(book, stage, venues.solve(problem, ways, tell) if ways else draw.solve(problem, tell))


def _list_ways(book: Book, number: int, problem: draw.Problem) -> tuple[venues.Halves, ...]:
    """Who plays in the room and who on screens, where these are drawn each for themselves; the best way first."""
    if book.tournament.venue != Venue.APART:
        return ()
    pks = {one.name: one.pk for one in book.entrants.values()}
    tied = [[pks[name] for name in group if name in pks] for group in problem.locked]
    return venues.split(book, list_present(book, number), number, tied=tied, seed=problem.seed)


def build_problem(
    book: Book, number: int, *, seed: str, locked: Sequence[Sequence[int]] = (), rounds: int | None = None
) -> draw.Problem:
    """The draw of this round as the problem of `menagerie-draw/1`. Ids are the entrants' names."""
    tournament, present = book.tournament, list_present(book, number)
    points = {line.entrant: line.points for line in book.standings()}
    rules = list(PairRule.objects.filter(tournament=tournament).order_by("pk"))
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
            *bot_places.keep_apart(tournament, present),
        ),
        locked=(*together, *(tuple(names[pk] for pk in group) for group in locked)),
        swiss=rounds is None,
        rounds=rounds,
    )


def _past(book: Book, played: Round) -> draw.PastRound:
    return draw.PastRound(
        pods=tuple(list_came(book, pod) for pod in book.pods.get(played.pk, ())),
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
    """This round of the plan made before the first one; a new plan if other people are there, or other rules hold.

    Pods that stay together do so in this round, so it is drawn alone then, and the next one begins a new plan.
    """
    present = sorted(list_present(book, number), key=lambda one: one.number)
    numbers, left = [one.number for one in present], max(1, book.tournament.rounds_planned - number + 1)
    problem = build_problem(book, number, seed=seed, locked=locked, rounds=1 if locked else left)
    plan = None if locked else _find_plan(book, number, numbers)
    names = [one.name for one in present]
    drawn = None if plan is None else _follow(book, problem, plan, names, number)
    if drawn is not None:
        return drawn
    solution = draw.solve(problem, tell)
    return _drawn(
        book, Stage.PLAN, (solution.rounds or ())[0], (solution.round_byes or ())[0],
        solution.to_json() | {"present": names, "numbers": numbers, "first": number},
    )  # fmt: skip


def _follow(book: Book, problem: draw.Problem, plan: dict[str, Any], names: Sequence[str], number: int) -> Drawn | None:
    """What an earlier plan has for this round, None if it breaks a rule of today. names: of today, in its order."""
    here = number - int(plan["first"])
    now = dict(zip(plan["present"], names, strict=True))
    seats = [[now[name] for name in pod["seats"]] for pod in plan["rounds"][here]]
    byes = [now[name] for name in plan["byes"][here]]
    pods = draw.explain_planned(problem, seats, byes)
    return None if pods is None else _drawn(book, Stage.PLAN, pods, byes, plan)


def _find_plan(book: Book, number: int, numbers: list[int]) -> dict[str, Any] | None:
    """The plan of the round before, if these very people are there, whatever they are called by now."""
    if number == 1 or len(book.rounds) < number - 1:
        return None
    known = book.rounds[number - 2].solution
    plan: dict[str, Any] = msgspec.json.decode(known) if known else {}
    fits = plan.get("numbers") == numbers and number - plan.get("first", number) < len(plan.get("rounds", ()))
    return plan if fits else None


def count_fillers(book: Book, number: int) -> int:
    """How many bots the empty chairs of this round take, so that nobody has a bye."""
    tournament, here = book.tournament, _list_playing(book, number)
    for more in range(tournament.least):
        if len(here) + more and mix_sizes(
            len(here) + more, wanted=tournament.wanted, least=tournament.least, most=tournament.most
        ):
            return more if bot_places.can_fill(book, here, number, more) else 0
    return 0


def _list_playing(book: Book, number: int) -> list[Entrant]:
    """Whom this round is about, but for bots on chairs that are left empty."""
    if find_stage(book) == Stage.KNOCKOUT:
        return [book.by_key[key] for key in knockout_tables.rank_for_knockout(book, number)]
    return [one for one in list_present(book, number) if not one.is_filler]


def require_enough(book: Book, stage: Stage, number: int) -> None:
    """Raises Stale if no table can be filled. Bots take empty chairs where they can play.

    The last tables of a knockout may be smaller than agreed, but not than the game allows.
    """
    here, is_cut = _list_playing(book, number), stage == Stage.KNOCKOUT
    least = registry.find(book.tournament.game).seat_counts.start if is_cut else book.tournament.least
    can_fill = book.tournament.bots_fill and bot_places.can_fill(book, here, number, max(0, least - len(here)))
    least = 2 if can_fill else least
    if len(here) >= least:
        return
    if is_cut and any(one.stage in LAST_STAGES for one in book.rounds):
        raise Stale(
            "Going on: %(here)s. A table of this game needs %(least)s: let somebody come back, "
            "or end the tournament earlier.",
            here=len(here), least=least,
        )  # fmt: skip
    if book.rounds:
        raise Stale(
            "Here: %(here)s. A table needs %(least)s: check people in, add some by name, "
            "or end the tournament earlier.",
            here=len(here), least=least,
        )  # fmt: skip
    raise Stale(
        "Here: %(here)s. A table needs %(least)s: check people in, add some by name, or change the plan.",
        here=len(here), least=least,
    )  # fmt: skip
