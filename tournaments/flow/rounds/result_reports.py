"""Reported results: checked input, before it is stored as the result of a pod."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import msgspec

from games.play.errors import BadInput
from tournaments.models import Pod, PodSeat, Result, Tournament
from tournaments.scoring.points import SCORE


@dataclass(frozen=True, slots=True)
class ReportedResult:
    """A result by seat. places: 1 = best, shared places are repeated; scores: in the unit of the game, if given."""

    places: tuple[int, ...]
    scores: tuple[int, ...] | None = None


def check_result(
    places: Sequence[int | None],
    scores: Sequence[int | None],
    *,
    seats: int,
    needs_scores: bool,
    gone: Collection[int] = (),
) -> ReportedResult:
    """Check an entered result: a place for every seat, or scores from which places follow. Raises BadInput.

    gone: indexes of seats whose people did not play; they need neither, and rank last. If all are gone, all share the
    first place.
    """
    if len(places) != seats or len(scores) != seats:
        raise BadInput("Enter a place for each of the %(seats)s seats.", seats=seats)
    if len(gone) == seats:
        return ReportedResult((1,) * seats, (0,) * seats if needs_scores else None)
    places, scores = _fill_in(places, gone, seats), _fill_in(scores, gone, 0)
    entered = [score for score in scores if score is not None]
    if entered and len(entered) != seats:
        raise BadInput("Enter a score for everybody or for nobody.")
    if needs_scores and not entered:
        raise BadInput("This tournament counts the game score. Enter everybody's score.")
    if any(not -100_000 <= score <= 100_000 for score in entered):
        raise BadInput("A score must be a whole number up to 100,000.")
    given = [place for place in places if place is not None]
    if not given and entered:
        return ReportedResult(tuple(1 + sum(other > score for other in entered) for score in entered), tuple(entered))
    if len(given) != seats:
        raise BadInput("Enter a place for each of the %(seats)s seats.", seats=seats)
    if any(not 1 <= place <= seats for place in given) or 1 not in given:
        raise BadInput("Places go from 1 (the best) to %(seats)s. Tied players share a place.", seats=seats)
    ranks = tuple(1 + sum(other < place for other in given) for place in given)
    return ReportedResult(ranks, tuple(entered) or None)


def _fill_in(given: Sequence[int | None], gone: Collection[int], value: int) -> list[int | None]:
    """The given values, with this value for the seats in `gone`; unchanged if nothing was given for the others."""
    if all(one is None for index, one in enumerate(given) if index not in gone):
        return list(given)
    return [value if index in gone and one is None else one for index, one in enumerate(given)]


def check_pod_result(
    tournament: Tournament, pod: Pod, places: Sequence[int | None], scores: Sequence[int | None]
) -> ReportedResult:
    """What was entered for this pod, as `read_said` checks it; an empty list: nothing was told. Raises BadInput."""
    fates = list(pod.seats.order_by("index").values_list("fate", flat=True))
    nothing = [None] * len(fates)
    return check_result(
        places or nothing,
        scores or nothing,
        seats=len(fates),
        needs_scores=needs_scores(tournament),
        gone=[index for index, fate in enumerate(fates) if fate != PodSeat.Fate.PLAYS],
    )


def read_result(result: Result) -> ReportedResult:
    """The places and scores of a stored result."""
    scores = msgspec.json.decode(result.scores)
    return ReportedResult(tuple(msgspec.json.decode(result.places)), None if scores is None else tuple(scores))


def needs_scores(tournament: Tournament) -> bool:
    """Whether the tournament counts scores, so that no result can be without them."""
    return tournament.points == SCORE
