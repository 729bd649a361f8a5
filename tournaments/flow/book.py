"""A tournament as it was played, read in a fixed number of queries, and its standings after any round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import msgspec
from django.db.models import Model

from tournaments.models import (
    Entrant,
    Format,
    Penalty,
    Pod,
    PodSeat,
    Rest,
    Result,
    Round,
    Stage,
    Step,
    Tournament,
)
from tournaments.scoring.knockout import rank_knockout
from tournaments.scoring.ladder import move, order_by_place
from tournaments.scoring.points import Scheme
from tournaments.scoring.results import PodResult, RoundResult
from tournaments.scoring.standings import Standing, draw_lot, rank

Row = TypeVar("Row", bound=Model)

LAST_STAGES = (Stage.KNOCKOUT, Stage.FINAL)


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

    @cached_property
    def scheme(self) -> Scheme:
        """How this tournament counts."""
        return scheme_of(self.tournament)

    def accepted(self, pod: Pod) -> Result | None:
        """The result that counts, if there is one."""
        return next((one for one in self.results.get(pod.pk, ()) if one.status == Result.Status.ACCEPTED), None)

    def before(self, number: int) -> Book:
        """The tournament as it was before this round was drawn."""
        return replace(self, rounds=tuple(one for one in self.rounds if one.number < number))

    def complete_rounds(self) -> tuple[Round, ...]:
        """Rounds that are over, in order."""
        return tuple(one for one in self.rounds if one.status == Round.Status.COMPLETE)

    def mark(self, after: int | None = None, *, live: bool = False) -> int:
        """What the standings after this round follow from, as one number: another one where they may be others."""
        is_arena = self.tournament.format == Format.ARENA
        counted = self.rounds if is_arena else self._counted(after, live=live)
        pods = [pod for one in counted for pod in self.pods.get(one.pk, ())]
        return hash(
            (
                self.scheme,
                tuple((one.pk, one.number, one.status, one.is_away, one.rank_hint) for one in self.entrants.values()),
                tuple((one.pk, one.stage) for one in counted),
                tuple(result.pk if (result := self.accepted(pod)) else None for pod in pods),
                tuple((seat.entrant_id, seat.fate) for pod in pods for seat in self.seats.get(pod.pk, ())),
                tuple((rest.pk, rest.kind) for one in counted for rest in self.rests.get(one.pk, ())),
                tuple((one.pk, one.points) for one in self.penalties),
                len(self.seats),
            )
        )

    def standings(self, after: int | None = None, *, live: bool = False) -> tuple[Standing, ...]:
        """The standings after this round (None: after all that are complete). live: with what the running round has.

        In an arena every result counts at once: after so many of them.
        """
        if self.tournament.format == Format.ARENA:
            return rank(self._keys(), [self.arena_result(after)], self.scheme)
        return self._rank(self._counted(after, live=live))

    def _counted(self, after: int | None, *, live: bool) -> list[Round]:
        statuses = (Round.Status.COMPLETE, Round.Status.RELEASED) if live else (Round.Status.COMPLETE,)
        return [one for one in self.rounds if (after is None or one.number <= after) and one.status in statuses]

    def _rank(self, counted: Sequence[Round]) -> tuple[Standing, ...]:
        stages = [self._result(one) for one in counted if one.stage in LAST_STAGES]
        swiss = [self._result(one) for one in counted if one.stage not in LAST_STAGES]
        if self.tournament.format == Format.KNOCKOUT:
            return rank_knockout(self._seeding(), stages)
        lines = rank(self._keys(), swiss, self.scheme)
        if self.tournament.format == Format.LADDER and swiss:
            return _rank_ladder(lines, first_rungs(self), swiss)
        return rank_knockout(lines, stages) if stages else lines

    def _seeding(self) -> tuple[Standing, ...]:
        """The order before a knockout: by the organiser's seeds; without one, equal."""
        hints = {str(one.number): one.rank_hint for one in self.entrants.values()}
        order = sorted(self._keys(), key=lambda key: (hints[key] is None, hints[key] or 0))
        lines, place = [], 0
        for index, key in enumerate(order, start=1):
            is_same = index > 1 and hints[key] == hints[order[index - 2]]
            place = place if is_same else index
            lines.append(Standing(key, place, 0, (), (), 0, 0))
        return tuple(lines)

    def _keys(self) -> tuple[str, ...]:
        """Whoever is or was in it: not those who entered and never came."""
        seated = {seat.entrant_id for seats in self.seats.values() for seat in seats}
        return tuple(
            str(one.number)
            for one in self.entrants.values()
            if one.pk in seated or (one.status == Entrant.Status.PRESENT and not (one.bot and one.is_away))
        )

    def _result(self, played: Round) -> RoundResult:
        rests = self.rests.get(played.pk, ())
        penalties: dict[str, int] = defaultdict(int)
        for penalty in self.penalties:
            if penalty.round_number == played.number:
                penalties[self.key(penalty.entrant_id)] += penalty.points
        return RoundResult(
            pods=tuple(found for pod in self.pods.get(played.pk, ()) if (found := self._pod(pod)) is not None),
            byes=tuple(self.key(rest.entrant_id) for rest in rests if rest.kind == Rest.Kind.BYE),
            absent=tuple(self.key(rest.entrant_id) for rest in rests if rest.kind == Rest.Kind.ABSENT),
            penalties=penalties,
        )

    def _pod(self, pod: Pod) -> PodResult | None:
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

    def pod_result(self, pod: Pod) -> PodResult | None:
        """A pod as scoring sees it, if its result is in."""
        return self._pod(pod)

    def arena_games(self) -> tuple[Pod, ...]:
        """The tables of an arena that have a result, in the order in which it came."""
        done = [
            (result.at, pod.number, pod)
            for played in self.rounds
            for pod in self.pods.get(played.pk, ())
            if (result := self.accepted(pod)) is not None
        ]
        return tuple(pod for _, _, pod in sorted(done, key=lambda row: row[:2]))

    def arena_result(self, after: int | None = None) -> RoundResult:
        """An arena as scoring sees it: one round in which everybody sits at many tables."""
        penalties: dict[str, int] = defaultdict(int)
        for penalty in self.penalties:
            penalties[self.key(penalty.entrant_id)] += penalty.points
        games = self.arena_games()[: len(self.results) if after is None else after]
        return RoundResult(
            pods=tuple(found for pod in games if (found := self._pod(pod)) is not None), penalties=penalties
        )

    def round_result(self, played: Round) -> RoundResult:
        """A round as scoring sees it, pods without a result left out."""
        return self._result(played)

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
    order = sorted(there, key=lambda one: (one.rank_hint is None, one.rank_hint or 0, -draw_lot(seed, str(one.number))))
    return tuple(str(one.number) for one in order)


def climb(book: Book) -> tuple[str, ...]:
    """The rungs for the next stretch, the top first: the first order, and what each stretch made of it."""
    rungs = first_rungs(book)
    for played in book.complete_rounds():
        rungs = move(rungs, book.round_result(played))
    return rungs


def _rank_ladder(
    lines: Sequence[Standing], rungs: tuple[str, ...], stretches: Sequence[RoundResult]
) -> tuple[Standing, ...]:
    """Who sits higher is ahead, at one table the better place in the last stretch."""
    for played in stretches[:-1]:
        rungs = move(rungs, played)
    by_key = {line.entrant: line for line in lines}
    order = [key for key in order_by_place(rungs, stretches[-1]) if key in by_key]
    order += [line.entrant for line in lines if line.entrant not in set(order)]
    return tuple(by_key[key]._replace(place=place) for place, key in enumerate(order, start=1))


def open_book(tournament: Tournament, *, known: Book | None = None) -> Book:
    """The tournament as it is now, in eight queries whatever its size.

    known: an earlier book of it; rounds that were complete there, and that no step has touched since, are taken over.
    """
    rounds = tuple(Round.objects.filter(tournament=tournament).order_by("number"))
    settled = _find_settled(known, rounds) if known is not None else frozenset()
    unsettled = Pod.objects.filter(round__tournament=tournament).exclude(round__in=settled)
    pods = _group(unsettled.order_by("number"), "round_id")
    seats = _group(PodSeat.objects.filter(pod__in=unsettled).order_by("index"), "pod_id")
    results = _group(Result.objects.filter(pod__in=unsettled).select_related("entered_by").order_by("pk"), "pod_id")
    rests = _group(Rest.objects.filter(round__tournament=tournament).exclude(round__in=settled), "round_id")
    if known is not None:
        for one in settled:
            pods[one], rests[one] = known.pods.get(one, ()), known.rests.get(one, ())
            seats |= {pod.pk: known.seats.get(pod.pk, ()) for pod in pods[one]}
            results |= {pod.pk: known.results.get(pod.pk, ()) for pod in pods[one]}
    return Book(
        tournament=tournament,
        version=tournament.version,
        entrants={one.pk: one for one in Entrant.objects.filter(tournament=tournament).order_by("number")},
        rounds=rounds,
        pods=pods,
        seats=seats,
        results=results,
        rests=rests,
        penalties=tuple(Penalty.objects.filter(tournament=tournament)),
    )


def _group(rows: Iterable[Row], name: str) -> dict[int, tuple[Row, ...]]:
    found: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        found[getattr(row, name)].append(row)
    return {key: tuple(group) for key, group in found.items()}


def _find_settled(known: Book, rounds: Sequence[Round]) -> frozenset[int]:
    """Complete rounds of which no step since the known book has changed, added or taken away anything."""
    steps = Step.objects.filter(tournament=known.tournament, number__gt=known.version)
    touched = {place for changes in steps.values_list("changes", flat=True) for place in _list_touched(changes)}
    complete = {one.pk for one in rounds if one.status == Round.Status.COMPLETE}
    return frozenset(
        one.pk for one in known.complete_rounds() if one.pk in complete and touched.isdisjoint(_list_rows(known, one))
    )


def _list_touched(changes: str) -> Iterator[tuple[str, int]]:
    for kind, pk, before, after in msgspec.json.decode(changes):
        yield kind, pk
        values = (before or {}) | (after or {})
        yield "Round", values.get("round_id", 0)
        yield "Pod", values.get("pod_id", 0)


def _list_rows(book: Book, played: Round) -> Iterator[tuple[str, int]]:
    yield "Round", played.pk
    for pod in book.pods.get(played.pk, ()):
        yield "Pod", pod.pk
        yield from (("PodSeat", seat.pk) for seat in book.seats.get(pod.pk, ()))
        yield from (("Result", result.pk) for result in book.results.get(pod.pk, ()))
    yield from (("Rest", rest.pk) for rest in book.rests.get(played.pk, ()))


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
