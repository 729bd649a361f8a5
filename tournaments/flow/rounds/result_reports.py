"""What somebody says of how a table ended, before it is anybody's result."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import msgspec

from games.play.errors import BadInput
from tournaments.models import Pod, PodSeat, Result, Tournament
from tournaments.scoring.points import SCORE


@dataclass(frozen=True, slots=True)
class Said:
    """A result as somebody says it, by seat. places: 1 = best; scores: the game's own, if they were told."""

    places: tuple[int, ...]
    scores: tuple[int, ...] | None = None


def read_said(
    places: Sequence[int | None],
    scores: Sequence[int | None],
    *,
    seats: int,
    needs_scores: bool,
    gone: Collection[int] = (),
) -> Said:
    """What was entered, checked: a place for every chair, or scores from which places follow. Raises BadInput.

    gone: the chairs whose people did not play; they need neither, and are last. Where all are gone nothing is asked.
    """
    if len(places) != seats or len(scores) != seats:
        raise BadInput("A result has a place for each of the %(seats)s chairs.", seats=seats)
    if len(gone) == seats:
        return Said((1,) * seats, (0,) * seats if needs_scores else None)
    places, scores = _fill_in(places, gone, seats), _fill_in(scores, gone, 0)
    told = [score for score in scores if score is not None]
    if told and len(told) != seats:
        raise BadInput("Give everybody's score, or nobody's.")
    if needs_scores and not told:
        raise BadInput("This tournament counts the game's own score. Give everybody's score.")
    if any(not -100_000 <= score <= 100_000 for score in told):
        raise BadInput("A score is a whole number up to 100,000.")
    given = [place for place in places if place is not None]
    if not given and told:
        return Said(tuple(1 + sum(other > score for other in told) for score in told), tuple(told))
    if len(given) != seats:
        raise BadInput("A result has a place for each of the %(seats)s chairs.", seats=seats)
    if any(not 1 <= place <= seats for place in given) or 1 not in given:
        raise BadInput("Places go from 1, the best, to %(seats)s; shared places are given twice.", seats=seats)
    ranks = tuple(1 + sum(other < place for other in given) for place in given)
    return Said(ranks, tuple(told) or None)


def _fill_in(given: Sequence[int | None], gone: Collection[int], value: int) -> list[int | None]:
    """What was told of those who played, and this value for the others; nothing if nothing was told."""
    if all(one is None for index, one in enumerate(given) if index not in gone):
        return list(given)
    return [value if index in gone and one is None else one for index, one in enumerate(given)]


def read_said_of(tournament: Tournament, pod: Pod, places: Sequence[int | None], scores: Sequence[int | None]) -> Said:
    """What was entered for this pod, as `read_said` checks it; an empty list: nothing was told. Raises BadInput."""
    fates = list(pod.seats.order_by("index").values_list("fate", flat=True))
    nothing = [None] * len(fates)
    return read_said(
        places or nothing,
        scores or nothing,
        seats=len(fates),
        needs_scores=needs_scores(tournament),
        gone=[index for index, fate in enumerate(fates) if fate != PodSeat.Fate.PLAYS],
    )


def says(result: Result) -> Said:
    """What this result says."""
    scores = msgspec.json.decode(result.scores)
    return Said(tuple(msgspec.json.decode(result.places)), None if scores is None else tuple(scores))


def needs_scores(tournament: Tournament) -> bool:
    """Whether a result without the game's own scores cannot be counted."""
    return tournament.points == SCORE
