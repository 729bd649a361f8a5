"""The contract of a format: what it needs of a plan, which stage comes next, which people meet, and who is ahead. Pure.

Flow, views, API and templates ask a format by the names below and never compare its slug. People are known by their
keys: the entrant's number, as text. `tournaments.formats.rounds.RoundsFormat` has what most formats answer alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple, Protocol

from games.rules.info import Text
from tournaments import draw
from tournaments.scoring.points import Scheme
from tournaments.scoring.results import RoundResult
from tournaments.scoring.standings import Standing
from tournaments.scoring.tally import Tallies

PairKind = Literal["apart", "together"]
ReportProgress = Callable[[int], None]
"""Called with the progress of a draw, in percent."""


class Plan(Protocol):
    """The plan of an organiser, as far as formats read it; tournaments and plans that are being edited both match.

    wanted, least, most: people at a table; advance: how many of a table go on; cut_to: how many go on from Swiss
    rounds into a knockout; round_minutes: None without a bell; at_end: "finish" or "bell".
    """

    @property
    def rounds_planned(self) -> int: ...
    @property
    def wanted(self) -> int: ...
    @property
    def least(self) -> int: ...
    @property
    def most(self) -> int: ...
    @property
    def advance(self) -> int: ...
    @property
    def cut_to(self) -> int: ...
    @property
    def round_minutes(self) -> int | None: ...
    @property
    def bots_fill(self) -> bool: ...
    @property
    def at_end(self) -> str: ...


class DrawnPlan(Plan, Protocol):
    """A plan with the seed of its lots, as 64 hexadecimal digits."""

    @property
    def lot_seed(self) -> str: ...


class PlayedRound(Protocol):
    """A round as it is stored; see `tournaments.models.Round`. solution: the draw, as JSON text."""

    @property
    def number(self) -> int: ...
    @property
    def stage(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def solution(self) -> str: ...


class Person(Protocol):
    """An entrant; see `tournaments.models.Entrant`. rank_hint: the organiser's seed, 1 the strongest, or None."""

    @property
    def number(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def is_away(self) -> bool: ...
    @property
    def is_filler(self) -> bool: ...
    @property
    def joined_round(self) -> int: ...
    @property
    def rank_hint(self) -> int | None: ...


PRESENT = "present"
"""The status of an entrant who is there."""
TEAM_FIELDS = ("team_size", "team_best", "has_open_teams")
"""The fields of the plan about teams, which a format without points for each round does not use."""


class GameFacts(NamedTuple):
    """The game of a plan. has_jobs: everybody gets a job in it, and it ends by the clock if no length is agreed.

    has_length: the plan says how many deals or sessions one game lasts.
    """

    has_jobs: bool
    has_length: bool


class Fault(NamedTuple):
    """Why a plan is impossible. template: an English sentence; about: the field of the plan to be changed."""

    template: str
    about: str


class Sizes(NamedTuple):
    """People at a table."""

    wanted: int
    least: int
    most: int


class Columns(NamedTuple):
    """What standings show of each line besides place and name: points and tie-breaks; how many games, the latest of
    them, and what these have given."""

    has_points: bool = True
    has_games: bool = False


@dataclass(frozen=True)
class Pairing:
    """A drawn round. pods: (keys by seat, reasons as [template, values]); solution: stored as `Round.solution`."""

    stage: str
    pods: tuple[tuple[tuple[str, ...], list[Any]], ...]
    byes: tuple[str, ...]
    solution: dict[str, Any] = field(default_factory=dict)


class OlderRules(NamedTuple):
    """Which earlier rules standings are computed by, to check older archives. All false: the present rules.

    has_zero_tie_breaks: a missing value counts as 0 in tie-breaks. has_plain_knockout: a knockout ranks by places at
    tables alone, and a ladder ranks bots on empty seats like people.
    """

    has_zero_tie_breaks: bool = False
    has_plain_knockout: bool = False


CURRENT_RULES = OlderRules()


class PlayedResults(Protocol):
    """Results to be ranked. rounds: those that count, in order; an arena has one, with all games."""

    @property
    def plan(self) -> DrawnPlan: ...
    @property
    def scheme(self) -> Scheme: ...
    @property
    def people(self) -> Mapping[str, Person]: ...
    @property
    def rounds(self) -> Sequence[PlayedRound]: ...

    def result(self, number: int) -> RoundResult:
        """A round of this number, pods without a result left out."""

    def add_up(self, rounds: Sequence[RoundResult]) -> Tallies:
        """The sums of these rounds for everybody who is to be ranked."""

    def list_playing(self, number: int) -> frozenset[str]:
        """The keys of those who sit at a table without a result in this round."""

    def is_last_complete(self, number: int) -> bool:
        """Whether this is the latest complete round."""


class DrawContext(Protocol):
    """What a draw is computed from. rounds: all before the one that is drawn."""

    @property
    def plan(self) -> DrawnPlan: ...
    @property
    def people(self) -> Mapping[str, Person]: ...
    @property
    def rounds(self) -> Sequence[PlayedRound]: ...

    def result(self, number: int) -> RoundResult:
        """A round of this number, pods without a result left out."""

    def list_seated(self, number: int) -> Mapping[int, tuple[str, ...]]:
        """Table number → keys by seat in a round, the first table first."""

    def list_present(self, number: int) -> list[str]:
        """The keys of who would be drawn in this round, bots on empty seats included, in the order of entry."""

    def find_standings(self) -> Sequence[Standing]:
        """The standings after all complete rounds."""

    def can_fill(self, people: Sequence[str], number: int, more: int) -> bool:
        """Whether so many more bots can play with these people, so that all tables are full."""

    def find_smallest_table(self) -> int:
        """The smallest number of seats of the game."""

    def build_problem(
        self, number: int, *, seed: str, locked: Sequence[Sequence[int]], rounds: int | None = None
    ) -> draw.Problem:
        """The draw of this round, or of so many rounds from it on; ids are the entrants' names.

        locked: ids of entrants, table by table, who stay together.
        """

    def solve(self, number: int, problem: draw.Problem, report: ReportProgress | None) -> draw.Solution:
        """The best draw of a round found in the time limit of the problem.

        Raises draw.DrawError.
        """


POINT_FIELDS = (
    "points",
    "points_table",
    "bye_points",
    "absent_points",
    "no_show_points",
    "forfeit_points",
    "tie_breaks",
)
"""Fields of the plan form about points and what decides between equals."""


class CupStage(NamedTuple):
    """A stage of a knockout that has not been drawn. people: who plays in it or has a bye; tables: people at each."""

    people: int
    tables: tuple[int, ...]
    byes: int


class Format(Protocol):
    """One format. All methods are pure.

    slug: stored in the database and part of addresses; never changes.
    plan_fields: fields of the plan form that only this format uses.
    unused_fields: fields of the plan form that it does not use.
    pair_kinds: the kinds of pair rules an organiser can set.
    has_rounds: people play in numbered, drawn rounds; else in one open session, seated whenever they are free.
    takes_seeds: the first draw follows the seeds of the organiser.
    names_stages: there are rounds of more than one stage, so pages name the stage of each.
    plans_ahead: the first draw plans all rounds, which takes long.
    plays_until_bell: a game lasts until the bell of its round unless its length is agreed.
    can_last_days: its rounds can be played over days, each with a deadline.
    shows_jobs: a page shows who holds which job at which table.
    """

    slug: ClassVar[str]
    name: ClassVar[Text]
    plan_fields: ClassVar[tuple[str, ...]]
    unused_fields: ClassVar[tuple[str, ...]]
    pair_kinds: ClassVar[tuple[PairKind, ...]]
    columns: ClassVar[Columns]
    has_rounds: ClassVar[bool]
    takes_seeds: ClassVar[bool]
    names_stages: ClassVar[bool]
    plans_ahead: ClassVar[bool]
    plays_until_bell: ClassVar[bool]
    can_last_days: ClassVar[bool]
    shows_jobs: ClassVar[bool]

    def propose(self, people: int, sizes: Sizes) -> Mapping[str, int]:
        """Proposed values for the plan fields that matter here, for so many expected people."""

    def find_fault(self, plan: Plan, game: GameFacts) -> Fault | None:
        """Why this plan is impossible in this format; None if it is not."""

    def count_rounds(self, plan: Plan) -> int:
        """How many times `round_minutes` the tournament lasts."""

    def count_schedule(self, people: int, sizes: Sizes) -> int | None:
        """How many rounds a full schedule takes, in which everybody meets everybody; None if that is no aim."""

    def foresee_stages(
        self, people: int, sizes: Sizes, *, advance: int, cut_to: int, smallest: int
    ) -> tuple[CupStage, ...]:
        """The knockout stages if so many people come and all of them stay; empty without a knockout.

        smallest: seats of the smallest table of the game.
        """

    def rings_at_tables(self, plan: Plan) -> bool:
        """Whether games under way end when the bell of their round rings."""

    def is_by_results(self, plan: Plan, rounds: Sequence[PlayedRound], number: int) -> bool:
        """Whether results alone decide which people meet in the round of this number, without pair rules."""

    def is_elimination(self, plan: Plan, rounds: Sequence[PlayedRound], number: int) -> bool:
        """Whether people who do not play in the round of this number are out."""

    def find_stage(self, context: DrawContext) -> str | None:
        """The stage of the next round; None if the last one has been played."""

    def list_entitled(self, context: DrawContext, number: int, *, back: str = "") -> list[str]:
        """The keys of who plays this round, without bots on empty seats. back: a key to be treated as present."""

    def has_room(self, context: DrawContext, number: int) -> bool:
        """Whether a new entrant would play in the round of this number."""

    def pair(
        self,
        context: DrawContext,
        number: int,
        *,
        seed: str,
        locked: Sequence[Sequence[int]],
        report: ReportProgress | None = None,
    ) -> Pairing:
        """The draw of the next round. Raises games.play.errors.Stale for too few people, draw.DrawError."""

    def rank(self, played: PlayedResults, older: OlderRules = CURRENT_RULES) -> tuple[Standing, ...]:
        """The standings, best first."""

    def explain_order(self, stages: Sequence[str]) -> Text:
        """A sentence for the standings page if more than points orders them after these stages; else empty."""
