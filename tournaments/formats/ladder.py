"""A ladder: numbered tables, top first; after each stretch (a round) the best move one table up, the last one down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from games.play.errors import Stale
from games.rules.info import Text, gettext_noop
from tournaments.formats import stages
from tournaments.formats.base import (
    CURRENT_RULES,
    TEAM_FIELDS,
    DrawContext,
    DrawnPlan,
    Fault,
    GameFacts,
    OlderRules,
    Pairing,
    PairKind,
    Person,
    Plan,
    PlayedResults,
    PlayedRound,
    ReportProgress,
    Sizes,
)
from tournaments.formats.rounds import RoundsFormat, rank_points
from tournaments.scoring.knockout import mix_sizes
from tournaments.scoring.ladder import cut, move, rank_ladder
from tournaments.scoring.standings import Standing, compute_lot

ORDER = gettext_noop(
    "Ranked by position on the ladder. At the same table, the better place in the last round is ahead. "
    "Points do not affect the order."
)
MINUTES = 20
"""The proposed length of a stretch."""


class Ladder(RoundsFormat):
    """The format. Rungs are numbered from 0 at the top; a stretch is a round."""

    slug: ClassVar[str] = "ladder"
    name: ClassVar[Text] = gettext_noop("Ladder")
    stage: ClassVar[str] = stages.LADDER
    pair_kinds: ClassVar[tuple[PairKind, ...]] = ()
    unused_fields: ClassVar[tuple[str, ...]] = ("clubs_apart", "repeat_worth", *TEAM_FIELDS)
    takes_seeds: ClassVar[bool] = True
    plays_until_bell: ClassVar[bool] = True
    can_last_days: ClassVar[bool] = False
    shows_jobs: ClassVar[bool] = True

    def propose(self, people: int, sizes: Sizes) -> Mapping[str, int]:
        """See `Format`."""
        return {**super().propose(people, sizes), "round_minutes": MINUTES}

    def find_fault(self, plan: Plan, game: GameFacts) -> Fault | None:
        """See `Format`."""
        if not game.has_jobs:
            return Fault("A ladder needs a game in which everybody gets a job. Choose another game.", "game")
        if plan.round_minutes is None:
            return Fault(
                "A ladder is played in timed rounds. Enter the minutes per round.",
                "round_minutes",
            )
        return None

    def is_by_results(self, plan: Plan, rounds: Sequence[PlayedRound], number: int) -> bool:
        """See `Format`."""
        return True

    def pair(
        self,
        context: DrawContext,
        number: int,
        *,
        seed: str,
        locked: Sequence[Sequence[int]],
        report: ReportProgress | None = None,
    ) -> Pairing:
        """Tables as the last stretch left them, newcomers at the bottom; seats by lot. Raises Stale: too few people."""
        plan, people = context.plan, context.people
        present = set(context.list_present(number))
        rungs = [key for key in dict.fromkeys([*list_rungs(context), *sorted(present, key=int)]) if key in present]
        sizes = next(
            found
            for byes in range(len(rungs) + 1)
            if (found := mix_sizes(len(rungs) - byes, wanted=plan.wanted, least=plan.least, most=plan.most))
            or byes == len(rungs)
        )
        if not sizes:
            raise Stale("Too few people are present for another round.")
        rested = [key for played in context.rounds for key in context.result(played.number).byes]
        tables, byes = cut(rungs, sizes, rested)
        before = list_last_tables(context)
        return Pairing(
            self.stage,
            tuple(
                (
                    tuple(sorted(table, key=lambda key: compute_lot(seed, key))),
                    _explain_moves(context, table, index, before),
                )
                for index, table in enumerate(tables, start=1)
            ),
            byes,
            {"ladder": [[people[key].name for key in table] for table in tables]},
        )

    def rank(self, played: PlayedResults, older: OlderRules = CURRENT_RULES) -> tuple[Standing, ...]:
        """See `Format`."""
        lines, stretches = rank_points(played, older), [played.result(earlier.number) for earlier in played.rounds]
        if not stretches:
            return lines
        fillers = () if older.has_plain_knockout else [key for key, one in played.people.items() if one.is_filler]
        return rank_ladder(lines, _order_initially(played.plan, played.people), stretches, fillers)

    def explain_order(self, stages_played: Sequence[str]) -> Text:
        """See `Format`."""
        return ORDER


def _order_initially(plan: DrawnPlan, people: Mapping[str, Person]) -> tuple[str, ...]:
    """The keys by rung before the first stretch: by the seeds of the organiser, then by lot."""
    seeded = [(key, one.rank_hint) for key, one in people.items() if one.joined_round == 1]
    order = sorted(seeded, key=lambda pair: (pair[1] is None, pair[1] or 0, -compute_lot(plan.lot_seed, pair[0])))
    return tuple(key for key, _hint in order)


def list_rungs(context: DrawContext) -> tuple[str, ...]:
    """The keys by rung for the next stretch, top first: the initial order, moved by every complete stretch."""
    rungs = _order_initially(context.plan, context.people)
    for played in context.rounds:
        if played.status == "complete":
            rungs = move(rungs, context.result(played.number))
    return rungs


def list_former_players(context: DrawContext) -> set[str]:
    """The keys of who was in an earlier stretch, also if they sat it out."""
    former: set[str] = set()
    for played in context.rounds:
        result = context.result(played.number)
        former.update(result.byes, result.absent, *context.list_seated(played.number).values())
    return former


def list_last_tables(context: DrawContext) -> dict[str, int]:
    """Key → table number in the last stretch; empty before the first one."""
    last = context.list_seated(context.rounds[-1].number) if context.rounds else {}
    return {key: number for number, keys in last.items() for key in keys}


def _explain_moves(context: DrawContext, table: Sequence[str], number: int, before: Mapping[str, int]) -> list[Any]:
    """The reasons of a table: who moved up, moved down, stayed, sat out the last stretch, or is new."""
    names, former = {key: context.people[key].name for key in table}, list_former_players(context)
    kinds = (
        ("up to this table: %(names)s", [names[key] for key in table if before.get(key, 0) > number]),
        ("down to this table: %(names)s", [names[key] for key in table if 0 < before.get(key, number) < number]),
        ("stay at this table: %(names)s", [names[key] for key in table if before.get(key) == number]),
        ("sat out the last time: %(names)s", [names[key] for key in table if key not in before and key in former]),
        ("new on the ladder: %(names)s", [names[key] for key in table if key not in before and key not in former]),
    )
    return [[template, {"names": ", ".join(found)}] for template, found in kinds if found]


FORMAT = Ladder()
