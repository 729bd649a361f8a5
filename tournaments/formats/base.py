"""The contract of a format: what it needs of a plan, which stage comes next, who meets whom, and who is ahead. Pure.

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
Tell = Callable[[int], None]
"""Hears how far a draw is, in percent."""


class Plan(Protocol):
    """What an organiser laid down, as far as formats read it: a tournament and an agreement both are one.

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
    """A plan with the seed of its lots."""

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


class GameFacts(NamedTuple):
    """The game of a plan. has_jobs: everybody gets a job in it, and it goes by the clock if no length is agreed.

    has_length: the plan says how many deals or sessions one game lasts.
    """

    has_jobs: bool
    has_length: bool


class Fault(NamedTuple):
    """Why a plan cannot be. template: an English sentence; about: the part of the plan to be changed."""

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
    """A round put together. pods: (keys by seat, reasons as [template, values]); solution: for the record."""

    stage: str
    pods: tuple[tuple[tuple[str, ...], list[Any]], ...]
    byes: tuple[str, ...]
    solution: dict[str, Any] = field(default_factory=dict)


class Former(NamedTuple):
    """By which earlier rules standings are computed, to check older archives.

    has_breaks: a missing value counts as 0 in tie-breaks. has_stages: a knockout ranks by places at tables alone, and a
    ladder puts no bot that filled a seat last.
    """

    has_breaks: bool = False
    has_stages: bool = False


CURRENT = Former()


class Played(Protocol):
    """What has been played and counts. rounds: those that count, in order; with an arena, one that has all games."""

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
        """What everybody who is to be ranked has come to in these rounds."""

    def list_playing(self, number: int) -> frozenset[str]:
        """Who sits in this round at a table without a result."""

    def is_last_complete(self, number: int) -> bool:
        """Whether this is the latest round that is over."""


class Course(Protocol):
    """How far a tournament has come, and what a draw can work with. rounds: all before the one that is drawn."""

    @property
    def plan(self) -> DrawnPlan: ...
    @property
    def people(self) -> Mapping[str, Person]: ...
    @property
    def rounds(self) -> Sequence[PlayedRound]: ...

    def result(self, number: int) -> RoundResult:
        """A round of this number, pods without a result left out."""

    def list_seated(self, number: int) -> Mapping[int, tuple[str, ...]]:
        """Who sat where in a round: table number → keys by seat, the first table first."""

    def list_present(self, number: int) -> list[str]:
        """Who would be drawn in a round of this number, bots on empty seats among them, in the order of entry."""

    def find_standings(self) -> Sequence[Standing]:
        """The standings after all rounds that are over."""

    def can_fill(self, people: Sequence[str], number: int, more: int) -> bool:
        """Whether so many bots can play with these people, so that all tables are full."""

    def find_smallest_table(self) -> int:
        """With how few people the game can be played."""

    def build_problem(
        self, number: int, *, seed: str, locked: Sequence[Sequence[int]], rounds: int | None = None
    ) -> draw.Problem:
        """The draw of this round, or of so many rounds from it on; ids are the entrants' names.

        locked: ids of entrants, table by table, who stay together.
        """

    def solve(self, number: int, problem: draw.Problem, tell: Tell | None) -> draw.Solution:
        """The best draw of a round; two, where people on devices and people in the room play among themselves.

        Raises draw.DrawError.
        """


class Format(Protocol):
    """One format. All methods are pure.

    slug: in the database and in addresses; never changes.
    plan_fields: fields of the form that mean something in this format only.
    pair_kinds: what an organiser can lay down about pairs.
    has_rounds: people play in numbered rounds that are drawn; else in one open session, seated whenever they are free.
    takes_seeds: the first draw follows the organiser's seeds.
    names_stages: there are rounds of more than one kind, so that each is named.
    plans_ahead: the first draw is about all rounds, and takes its time.
    plays_until_bell: a game lasts until the bell of its round unless its length is agreed.
    shows_jobs: a page shows who holds which job at which table.
    """

    slug: ClassVar[str]
    name: ClassVar[Text]
    plan_fields: ClassVar[tuple[str, ...]]
    pair_kinds: ClassVar[tuple[PairKind, ...]]
    columns: ClassVar[Columns]
    has_rounds: ClassVar[bool]
    takes_seeds: ClassVar[bool]
    names_stages: ClassVar[bool]
    plans_ahead: ClassVar[bool]
    plays_until_bell: ClassVar[bool]
    shows_jobs: ClassVar[bool]

    def propose(self, people: int, sizes: Sizes) -> Mapping[str, int]:
        """Values for the fields of the plan that matter here, if so many people are expected."""

    def find_fault(self, plan: Plan, game: GameFacts) -> Fault | None:
        """Why this plan is impossible in this format; None if it is not."""

    def count_rounds(self, plan: Plan) -> int:
        """How many times `round_minutes` the tournament lasts."""

    def count_schedule(self, people: int, sizes: Sizes) -> int | None:
        """The rounds in which everybody meets everybody; None where the format does not aim at that."""

    def rings_at_tables(self, plan: Plan) -> bool:
        """Whether games under way end when the bell of their round rings."""

    def is_by_results(self, plan: Plan, rounds: Sequence[PlayedRound], number: int) -> bool:
        """Whether results alone say who meets whom in the round of this number."""

    def is_elimination(self, plan: Plan, rounds: Sequence[PlayedRound], number: int) -> bool:
        """Whether whoever does not play in the round of this number is out."""

    def find_stage(self, course: Course) -> str | None:
        """What kind of round comes next; None if the last one has been played."""

    def list_entitled(self, course: Course, number: int, *, back: str = "") -> list[str]:
        """Who plays the round of this number, but for bots on empty seats. back: as if this one were here."""

    def has_room(self, course: Course, number: int) -> bool:
        """Whether somebody new would play in the round of this number."""

    def pair(
        self, course: Course, number: int, *, seed: str, locked: Sequence[Sequence[int]], tell: Tell | None = None
    ) -> Pairing:
        """The draw of the next round. Raises games.play.errors.Stale for too few people, draw.DrawError."""

    def rank(self, played: Played, former: Former = CURRENT) -> tuple[Standing, ...]:
        """The standings, best first."""

    def explain_order(self, stages: Sequence[str]) -> Text:
        """What orders the standings where the points do not, after rounds of these kinds; else nothing."""
