"""The rows of one tournament, read in a fixed number of queries, and lookups over them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

import msgspec

from games.memo import DerivedValues
from tournaments.flow.duplicate_commitments import list_commitments
from tournaments.flow.tables.deal_publishing import find_held_back
from tournaments.models import (
    LAST_STAGES,
    Entrant,
    Penalty,
    Pod,
    PodSeat,
    Rest,
    Result,
    Round,
    RoundDeals,
    Team,
    TeamMember,
    Tournament,
)
from tournaments.scoring.points import Scheme
from tournaments.scoring.results import PodResult, RoundResult

ACCEPTED = Result.Status.ACCEPTED.value
"""The status as plain text: it is compared with thousands of results, and access to an enumeration member is slower."""


@dataclass(frozen=True)
class Book:
    """All rows of one tournament. Scoring knows entrants by their key: their number, as text."""

    tournament: Tournament
    version: int
    """The version of the tournament just before it was read; it may already contain rows of later steps."""
    entrants: Mapping[int, Entrant]
    rounds: tuple[Round, ...]
    pods: Mapping[int, tuple[Pod, ...]]
    """Pods of a round in the order of their numbers, by round id."""
    seats: Mapping[int, tuple[PodSeat, ...]]
    """Seats of a pod in seat order, by pod id."""
    results: Mapping[int, tuple[Result, ...]]
    """Results of a pod, oldest first, by pod id."""
    rests: Mapping[int, tuple[Rest, ...]]
    penalties: tuple[Penalty, ...]
    teams: Mapping[int, Team] = field(default_factory=dict)
    """Teams by id, in the order of their numbers; empty in a tournament without teams."""
    team_members: tuple[TeamMember, ...] = ()
    """Members of teams in the order of their entry, also those who have left."""
    derived: DerivedValues = field(default_factory=DerivedValues, compare=False)
    """Values computed from these rows, kept while the rows they came from are the same objects."""

    @cached_property
    def scheme(self) -> Scheme:
        """The scoring scheme of this tournament."""
        return scheme_of(self.tournament)

    def accepted(self, pod: Pod) -> Result | None:
        """The result that counts, if there is one."""
        for result in self.results.get(pod.id, ()):
            if result.status == ACCEPTED:
                return result
        return None

    @cached_property
    def held_back(self) -> frozenset[int]:
        """The ids of rounds whose duplicate deals must stay secret."""
        return find_held_back(self.tournament)

    @cached_property
    def deals(self) -> tuple[RoundDeals, ...]:
        """The commitments to duplicate deals, in order; always read anew, since contributions are not steps."""
        return list_commitments(self.tournament)

    def find_deals(self, played: Round) -> tuple[RoundDeals, ...]:
        """The latest closed commitments of this round: one, or in an arena one for each seating."""
        latest = {
            deals.seating: deals
            for deals in self.deals
            if deals.number == played.number and deals.closed_at is not None
        }
        return tuple(latest.values())

    def is_published(self, played: Round) -> bool:
        """Whether deals and seeds of this round may be shown: it is complete, and nobody plays its deals any more."""
        is_over = played.status == Round.Status.COMPLETE and played.pk not in self.held_back
        return is_over and all(deal.revealed_at is not None for deal in self.find_deals(played))

    def scored_rounds(self, after: int | None = None) -> tuple[int, ...]:
        """The numbers of the complete rounds that give points, which knockout rounds do not. after: the last one."""
        scored = (played.number for played in self.complete_rounds() if played.stage not in LAST_STAGES)
        return tuple(number for number in scored if after is None or number <= after)

    def before(self, number: int) -> Book:
        """The tournament as it was before this round was drawn."""
        return replace(self, rounds=tuple(played for played in self.rounds if played.number < number))

    def complete_rounds(self) -> tuple[Round, ...]:
        """Rounds that are over, in order."""
        return tuple(played for played in self.rounds if played.status == Round.Status.COMPLETE)

    def find_round(self, number: int) -> Round:
        """The round of this number, which must exist."""
        return next(played for played in self.rounds if played.number == number)

    def round_result(self, played: Round) -> RoundResult:
        """A round as scoring sees it, pods without a result left out."""
        pods = self.pods.get(played.pk, ())
        rows = chain.from_iterable([(pod, self.seats.get(pod.id, ()), self.results.get(pod.id, ())) for pod in pods])
        made_of = (self.rests.get(played.pk, ()), self.penalties, *rows)
        return self.derived.get(("round", played.pk), made_of, lambda: self._build_round(played))

    def _build_round(self, played: Round) -> RoundResult:
        rests = self.rests.get(played.pk, ())
        penalties: dict[str, int] = defaultdict(int)
        for penalty in self.penalties:
            if penalty.round_number == played.number:
                penalties[self.key(penalty.entrant_id)] += penalty.points
        return RoundResult(
            pods=tuple(found for pod in self.pods.get(played.pk, ()) if (found := self.pod_result(pod)) is not None),
            byes=tuple(self.key(rest.entrant_id) for rest in rests if rest.kind == Rest.Kind.BYE),
            absent=tuple(self.key(rest.entrant_id) for rest in rests if rest.kind == Rest.Kind.ABSENT),
            penalties=penalties,
        )

    def pod_result(self, pod: Pod) -> PodResult | None:
        """A pod as scoring sees it, if its result is in."""
        made_of = (self.seats.get(pod.id, ()), self.results.get(pod.id, ()))
        return self.derived.get(("pod", pod.id), made_of, lambda: self._build_pod(pod))

    def _build_pod(self, pod: Pod) -> PodResult | None:
        result = self.accepted(pod)
        if result is None:
            return None
        seats = self.seats.get(pod.pk, ())
        scores = msgspec.json.decode(result.scores)
        return PodResult(
            entrants=tuple(self.key(seat.entrant_id) for seat in seats),
            places=tuple(msgspec.json.decode(result.places)),
            scores=None if scores is None else tuple(scores),
            fates=tuple(seat.fate for seat in seats),
            is_void=result.is_void,
        )

    def key(self, entrant_id: int) -> str:
        """The key of this entrant in scoring."""
        return str(self.entrants[entrant_id].number)

    @cached_property
    def team_places(self) -> Mapping[int, TeamMember]:
        """The present team place of each entrant, by entrant id."""
        return {member.entrant_id: member for member in self.team_members if member.last_round is None}

    def find_team(self, entrant: Entrant) -> Team | None:
        """The team that an entrant plays for now."""
        place = self.team_places.get(entrant.pk)
        return None if place is None else self.teams[place.team_id]

    def name_author(self, result: Result) -> str:
        """What the person who entered a result is called in this tournament; empty for none."""
        author = result.entered_by
        if author is None:
            return ""
        for seat in self.seats.get(result.pod_id, ()):
            if seat.substitute_id == author.pk:
                return seat.substitute_name
        names = self.derived.get(
            ("names by player",),
            (self.entrants,),
            lambda: {
                entrant.player_id: entrant.name for entrant in self.entrants.values() if entrant.player_id is not None
            },
        )
        return names.get(author.pk, author.name)

    @cached_property
    def _all_team_places(self) -> Mapping[int, Sequence[TeamMember]]:
        places: dict[int, list[TeamMember]] = defaultdict(list)
        for member in self.team_members:
            places[member.entrant_id].append(member)
        return places

    def name_team(self, entrant_id: int, number: int | None = None) -> str:
        """The name of the team that an entrant plays for in this round (None: now); empty without one."""
        for place in self._all_team_places.get(entrant_id, ()):
            is_here = place.last_round is None or (number is not None and number <= place.last_round)
            if is_here and (number is None or place.first_round <= number):
                return self.teams[place.team_id].name
        return ""

    @cached_property
    def by_key(self) -> Mapping[str, Entrant]:
        """The entrants by their keys in scoring."""
        return {str(entrant.number): entrant for entrant in self.entrants.values()}


def scheme_of(tournament: Tournament) -> Scheme:
    """The scoring scheme of a tournament."""
    return Scheme(
        points=tournament.points,
        table=tuple(msgspec.json.decode(tournament.points_table)),
        tie_breaks=tuple(msgspec.json.decode(tournament.tie_breaks)),
        bye=tournament.bye_points,
        absent=tournament.absent_points,
        no_show=tournament.no_show_points,
        forfeit=tournament.forfeit_points,
        lot_seed=tournament.lot_seed,
    )
