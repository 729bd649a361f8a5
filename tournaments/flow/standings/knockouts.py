"""Who goes on from each stage of a knockout that has been played, and who stands where."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from tournaments.models import Entrant, Round
from tournaments.scoring.knockout import find_winners, is_final, rank_knockout
from tournaments.scoring.results import RoundResult
from tournaments.scoring.standings import Standing
from tournaments.scoring.tally import Tallies

if TYPE_CHECKING:
    from tournaments.flow.standings.book import Book


def rank_seeds(entrants: Mapping[str, Entrant], tallies: Tallies) -> tuple[Standing, ...]:
    """The order before a knockout: by the organiser's seeds; without one, equal. With the tables played and won."""
    hints = {key: one.rank_hint for key, one in entrants.items()}
    order = sorted(tallies, key=lambda key: (hints[key] is None, hints[key] or 0))
    lines, place = [], 0
    for index, key in enumerate(order, start=1):
        is_same = index > 1 and hints[key] == hints[order[index - 2]]
        place = place if is_same else index
        lines.append(Standing(key, place, 0, (), (), tallies[key].wins, tallies[key].played))
    return tuple(lines)


def read_seeding(first: Round, entrants: Mapping[str, Entrant]) -> list[str]:
    """The order in which the first stage was drawn, the best seed first.

    Everybody else is behind it, so that whoever was put in by hand has a place in it.
    """
    known: dict[str, Any] = msgspec.json.decode(first.solution) if first.solution else {}
    seeding = [key for number in known.get("numbers", ()) if (key := str(number)) in entrants]
    return list(dict.fromkeys([*seeding, *entrants]))


def find_through(book: Book, first: Round, played: RoundResult) -> tuple[str, ...]:
    """Who goes on from this stage, in the order of the first one's seeding, whoever of them is still here."""
    seeding = read_seeding(first, book.by_key)
    return find_winners(played, advance=book.tournament.advance, ranked=seeding, fillers=list_fillers(book))


def list_fillers(book: Book) -> frozenset[str]:
    """The bots on chairs that were left empty."""
    return frozenset(key for key, one in book.by_key.items() if one.is_filler)


def rank_stages(
    book: Book, before: Sequence[Standing], stages: Sequence[Round], *, is_former: bool = False
) -> tuple[Standing, ...]:
    """The standings after these stages, with what has come in of the last one.

    is_former: by the places at the tables alone, whoever goes on.
    """
    told = [book.round_result(one) for one in stages]
    if is_former or not stages:
        return rank_knockout(before, told)
    playing = _find_playing(book, stages[-1])
    through = [find_through(book, stages[0], played) for played in told]
    if is_final(told[-1]) and not playing:
        through[-1] = ()
    gone = _find_gone(book, through[-1]) if stages[-1] in book.complete_rounds()[-1:] else ()
    return rank_knockout(before, told, through=through, playing=playing, gone=gone, fillers=list_fillers(book))


def _find_gone(book: Book, through: Collection[str]) -> tuple[str, ...]:
    """Who of those who go on is not here any more, where that leaves one of them alone."""
    people = {key: book.by_key[key] for key in through}
    gone = tuple(key for key, one in people.items() if one.status != Entrant.Status.PRESENT or one.is_away)
    return gone if len(gone) == len(people) - 1 else ()


def _find_playing(book: Book, played: Round) -> frozenset[str]:
    """Who sits in this round at a table without a result."""
    still = (pod for pod in book.pods.get(played.pk, ()) if book.pod_result(pod) is None)
    return frozenset(book.key(seat.entrant_id) for pod in still for seat in book.seats.get(pod.pk, ()))
