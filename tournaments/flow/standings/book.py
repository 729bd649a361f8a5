"""A tournament as it was played, read in a fixed number of queries, and its standings after any round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from operator import is_

import msgspec

from games.memo import Derived
from tournaments.flow.duplicate_commitments import list_all
from tournaments.flow.standings.arena_games import ACCEPTED, Games, arena_result, find_games
from tournaments.flow.standings.book_update import group, list_penalties, renew
from tournaments.flow.standings.knockouts import list_fillers, rank_seeds, rank_stages
from tournaments.flow.tables.deal_publishing import find_held_back
from tournaments.models import (
    LAST_STAGES,
    Entrant,
    Format,
    Penalty,
    Pod,
    PodSeat,
    Rest,
    Result,
    Round,
    RoundDeals,
    Tournament,
)
from tournaments.scoring.ladder import rank_ladder
from tournaments.scoring.points import Scheme
from tournaments.scoring.results import PodResult, RoundResult
from tournaments.scoring.standings import Standing, compute_lot, rank_sums
from tournaments.scoring.tally import Tallies, add_round, add_up, penalise, tally_games


@dataclass(frozen=True)
class Book:
    """Everything of one tournament. Keys of scoring are the entrants' numbers, as text."""

    tournament: Tournament
    version: int
    """The step after which it was read; it may already know later ones."""
    entrants: Mapping[int, Entrant]
    rounds: tuple[Round, ...]
    pods: Mapping[int, tuple[Pod, ...]]
    """By round id, in the order of their numbers."""
    seats: Mapping[int, tuple[PodSeat, ...]]
    """By pod id, in seat order."""
    results: Mapping[int, tuple[Result, ...]]
    """By pod id, oldest first."""
    rests: Mapping[int, tuple[Rest, ...]]
    penalties: tuple[Penalty, ...]
    derived: Derived = field(default_factory=Derived, compare=False)
    """What was worked out of these rows."""

    @cached_property
    def scheme(self) -> Scheme:
        """How this tournament counts."""
        return scheme_of(self.tournament)

    @property
    def tie_breaks(self) -> tuple[str, ...]:
        """What each line of the standings has a value of: a knockout knows no points that could be equal."""
        return () if self.tournament.format == Format.KNOCKOUT else self.scheme.tie_breaks

    def accepted(self, pod: Pod) -> Result | None:
        """The result that counts, if there is one."""
        for one in self.results.get(pod.id, ()):
            if one.status == ACCEPTED:
                return one
        return None

    @cached_property
    def held_back(self) -> frozenset[int]:
        """The rounds, by id, of whose duplicate deals nothing must be told."""
        return find_held_back(self.tournament)

    @cached_property
    def deals(self) -> tuple[RoundDeals, ...]:
        """The commitments to duplicate deals, in order; contributions are no part of what a step changes."""
        return list_all(self.tournament)

    def find_deals(self, played: Round) -> tuple[RoundDeals, ...]:
        """The latest commitments to what this round plays: one, but in an arena one for each seating."""
        latest = {one.seating: one for one in self.deals if one.number == played.number and one.closed_at is not None}
        return tuple(latest.values())

    def is_published(self, played: Round) -> bool:
        """Whether everything of this round may be told: it is complete, and nobody plays its deals any more."""
        is_over = played.status == Round.Status.COMPLETE and played.pk not in self.held_back
        return is_over and all(one.revealed_at is not None for one in self.find_deals(played))

    def scored_rounds(self, after: int | None = None) -> tuple[int, ...]:
        """The numbers of the complete rounds that give points; those of a knockout say who goes on instead."""
        scored = (one.number for one in self.complete_rounds() if one.stage not in LAST_STAGES)
        return tuple(number for number in scored if after is None or number <= after)

    def before(self, number: int) -> Book:
        """The tournament as it was before this round was drawn."""
        return replace(self, rounds=tuple(one for one in self.rounds if one.number < number))

    def complete_rounds(self) -> tuple[Round, ...]:
        """Rounds that are over, in order."""
        return tuple(one for one in self.rounds if one.status == Round.Status.COMPLETE)

    def standings(self, after: int | None = None, *, live: bool = False) -> tuple[Standing, ...]:
        """The standings after this round (None: after all that are complete). live: with what the running round has.

        In an arena every result counts at once: after so many of them. The very same lines as long as nothing that
        they follow from has changed.
        """
        if self.tournament.format == Format.ARENA:
            return self._rank_arena(after)
        counted = self._counted(after, live=live)
        keys = self._keys(counted)
        plan, is_last = self.tournament, counted[-1:] == list(self.complete_rounds()[-1:])
        counts = (plan.format, plan.advance, self.scheme)
        way = ("standings", *counts, after, live, is_last, *(one.stage for one in counted))
        made_of = (self.entrants, keys, *map(self.round_result, counted))
        return self.derived.get(way, made_of, lambda: self._rank(counted, keys))

    def _counted(self, after: int | None, *, live: bool) -> list[Round]:
        statuses = (Round.Status.COMPLETE, Round.Status.RELEASED) if live else (Round.Status.COMPLETE,)
        return [one for one in self.rounds if (after is None or one.number <= after) and one.status in statuses]

    def former_standings(self) -> Iterator[tuple[Standing, ...]]:
        """The standings as older archives have them, those of the latest rules first: while a missing value counted as
        0 in tie-breaks, and before that, while a knockout put nobody who goes on first, and a ladder no bot on an empty
        chair last."""
        if self.tournament.format == Format.ARENA:
            played = arena_result(self, None)
            yield rank_sums(self._add_games(played), [played], self.scheme, is_former=True)
            return
        counted = self._counted(None, live=False)
        keys = self._keys(counted)
        yield self._rank(counted, keys, has_former_breaks=True)
        yield self._rank(counted, keys, has_former_breaks=True, has_former_stages=True)

    def _rank(
        self,
        counted: Sequence[Round],
        keys: Sequence[str],
        *,
        has_former_breaks: bool = False,
        has_former_stages: bool = False,
    ) -> tuple[Standing, ...]:
        stages = [one for one in counted if one.stage in LAST_STAGES]
        swiss = [self.round_result(one) for one in counted if one.stage not in LAST_STAGES]
        if self.tournament.format == Format.KNOCKOUT:
            tallies = self._add_up([self.round_result(one) for one in stages], keys)
            return rank_stages(self, rank_seeds(self.by_key, tallies), stages, is_former=has_former_stages)
        lines = rank_sums(self._add_up(swiss, keys), swiss, self.scheme, is_former=has_former_breaks)
        if self.tournament.format == Format.LADDER and swiss:
            return rank_ladder(lines, first_rungs(self), swiss, () if has_former_stages else list_fillers(self))
        return rank_stages(self, lines, stages, is_former=has_former_stages) if stages else lines

    def _add_up(self, rounds: Sequence[RoundResult], keys: Sequence[str]) -> Tallies:
        """What they have come to: the last round added to the sums of those before, which change no more."""
        if not rounds:
            return add_up(keys, (), self.scheme)
        before = rounds[:-1]
        way, made_of = ("sums", self.scheme, len(before)), (keys, *before)
        sums = self.derived.get(way, made_of, lambda: add_up(keys, before, self.scheme))
        return add_round(sums, rounds[-1], self.scheme, number=len(rounds))

    def _rank_arena(self, after: int | None) -> tuple[Standing, ...]:
        played = arena_result(self, after)
        if after is not None and after < len(self.games.over):
            keys = sorted({entrant for pod in played.pods for entrant in pod.entrants})
            return rank_sums(add_up(keys, [played], self.scheme), [played], self.scheme)
        way, made_of = ("standings", self.scheme), (self.entrants, self._keys(), self.penalties, *played.pods)
        return self.derived.get(way, made_of, lambda: rank_sums(self._add_games(played), [played], self.scheme))

    def _add_games(self, played: RoundResult) -> Tallies:
        """What they have come to: added up anew for those whose games are not the very same ones any more."""
        way = ("sums", self.scheme)
        kept: tuple[dict[str, list[PodResult]], Tallies] = self.derived.get(way, (), lambda: ({}, {}))
        before, known = kept
        games: dict[str, list[PodResult]] = {key: [] for key in self._keys()}
        for pod in played.pods:
            for key in pod.entrants:
                if key in games:
                    games[key].append(pod)
        new = {key: pods for key, pods in games.items() if key not in before or not _is_same(pods, before[key])}
        fresh = tally_games(new, self.scheme)
        sums = {key: fresh[key] if key in fresh else known[key] for key in games}
        self.derived.put(way, (), (games, sums))
        return penalise(sums, played.penalties)

    def _keys(self, counted: Sequence[Round] = ()) -> tuple[str, ...]:
        """Who stands in a table after these rounds: whoever was in one of them, whatever has become of him since.

        Before the first one, and in an arena: whoever is or was in it, not those who entered and never came.
        """
        made_of = (self.entrants, *self._list_places(counted))
        way = ("keys", *(one.number for one in counted))
        found = self.derived.get(way, made_of, lambda: self._find_keys(counted))
        return self.derived.get(("these", found), (), lambda: found)

    def _list_places(self, counted: Sequence[Round]) -> list[tuple[PodSeat, ...] | tuple[Rest, ...]]:
        """The seats and rests of these rounds; without any, all seats."""
        ids = [pod.id for one in counted for pod in self.pods.get(one.id, ())] if counted else self.seats
        return [*(self.seats.get(pk, ()) for pk in ids), *(self.rests.get(one.pk, ()) for one in counted)]

    def _find_keys(self, counted: Sequence[Round]) -> tuple[str, ...]:
        there = {place.entrant_id for places in self._list_places(counted) for place in places}
        return tuple(
            str(one.number) for one in self.entrants.values() if one.pk in there or (not counted and _is_here(one))
        )

    def round_result(self, played: Round) -> RoundResult:
        """A round as scoring sees it, pods without a result left out."""
        pods = self.pods.get(played.pk, ())
        rows = chain.from_iterable([(pod, self.seats.get(pod.id, ()), self.results.get(pod.id, ())) for pod in pods])
        made_of = (self.rests.get(played.pk, ()), self.penalties, *rows)
        return self.derived.get(("round", played.pk), made_of, lambda: self._tell_round(played))

    def _tell_round(self, played: Round) -> RoundResult:
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
        return self.derived.get(("pod", pod.id), made_of, lambda: self._tell_pod(pod))

    def _tell_pod(self, pod: Pod) -> PodResult | None:
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

    @cached_property
    def games(self) -> Games:
        """The tables of an arena."""
        return find_games(self)

    def key(self, entrant_id: int) -> str:
        """What scoring calls this entrant."""
        return str(self.entrants[entrant_id].number)

    @cached_property
    def by_key(self) -> Mapping[str, Entrant]:
        """The entrants by what scoring calls them."""
        return {str(one.number): one for one in self.entrants.values()}


def first_rungs(book: Book) -> tuple[str, ...]:
    """The order on a ladder before its first stretch: by the organiser's seeds, then by lot."""
    seed = book.tournament.lot_seed
    there = [one for one in book.entrants.values() if one.joined_round == 1]
    order = sorted(
        there, key=lambda one: (one.rank_hint is None, one.rank_hint or 0, -compute_lot(seed, str(one.number)))
    )
    return tuple(str(one.number) for one in order)


def is_by_results(book: Book, number: int) -> bool:
    """Whether results alone say who sits together in this round: on a ladder, and in a knockout once it has begun."""
    tournament = book.tournament
    if tournament.format == Format.SWISS_CUT:
        is_begun = any(one.stage in LAST_STAGES for one in book.rounds if one.number < number)
        return is_begun or number > tournament.rounds_planned
    return tournament.format in (Format.LADDER, Format.KNOCKOUT)


def _is_here(one: Entrant) -> bool:
    return one.status == Entrant.Status.PRESENT and not (one.bot and one.is_away)


def _is_same(games: Sequence[object], known: Sequence[object]) -> bool:
    return len(games) == len(known) and all(map(is_, games, known))


def open_book(tournament: Tournament, *, known: Book | None = None) -> Book:
    """The tournament as it is now, in at most eight queries whatever its size.

    known: an earlier book of it; what no step has touched since is taken over, row for row.
    """
    renewed = None if known is None else renew(known, tournament)
    return _read(tournament) if renewed is None else renewed


def _read(tournament: Tournament) -> Book:
    seats = PodSeat.objects.filter(pod__round__tournament=tournament).order_by("index")
    results = Result.objects.filter(pod__round__tournament=tournament).select_related("entered_by").order_by("pk")
    return Book(
        tournament=tournament,
        version=tournament.version,
        rounds=tuple(Round.objects.filter(tournament=tournament).order_by("number")),
        pods=group(Pod.objects.filter(round__tournament=tournament).order_by("number"), "round_id"),
        seats=group(seats, "pod_id"),
        results=group(results, "pod_id"),
        rests=group(Rest.objects.filter(round__tournament=tournament).order_by("pk"), "round_id"),
        penalties=list_penalties(tournament),
        entrants={one.pk: one for one in Entrant.objects.filter(tournament=tournament).order_by("number")},
    )


def scheme_of(tournament: Tournament) -> Scheme:
    """How this tournament counts."""
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
