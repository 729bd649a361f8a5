"""The tables of a ladder: who climbs and who comes down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.play.errors import Stale
from tournaments.flow.drawing.draw_input import Drawn, list_present
from tournaments.flow.standings.book import Book, first_rungs
from tournaments.models import Rest, Stage
from tournaments.scoring.knockout import mix_sizes
from tournaments.scoring.ladder import cut, move
from tournaments.scoring.standings import compute_lot


def climb(book: Book) -> tuple[str, ...]:
    """The rungs for the next stretch, the top first: the first order, and what each stretch made of it."""
    rungs = first_rungs(book)
    for played in book.complete_rounds():
        rungs = move(rungs, book.round_result(played))
    return rungs


def pair_ladder(book: Book, number: int, *, seed: str) -> Drawn:
    """The tables of a stretch: as the last one left them, newcomers at the bottom; seats are drawn by lot."""
    tournament, here = book.tournament, book.by_key
    present = {str(one.number) for one in list_present(book, number)}
    rungs = [key for key in dict.fromkeys([*climb(book), *sorted(present, key=int)]) if key in present]
    sizes = next(
        found
        for byes in range(len(rungs) + 1)
        if (found := mix_sizes(len(rungs) - byes, wanted=tournament.wanted, least=tournament.least,
                               most=tournament.most)) or byes == len(rungs)
    )  # fmt: skip
    if not sizes:
        raise Stale("Too few people are here for another round.")
    rested = [
        book.key(rest.entrant_id)
        for played in book.rounds
        for rest in book.rests.get(played.pk, ())
        if rest.kind == Rest.Kind.BYE
    ]
    tables, byes = cut(rungs, sizes, rested)
    before = list_last_tables(book)
    return Drawn(
        Stage.LADDER,
        tuple(
            (
                tuple(here[key] for key in sorted(table, key=lambda key: compute_lot(seed, key))),
                _say_moves(book, table, index, before),
            )
            for index, table in enumerate(tables, start=1)
        ),
        tuple(here[key] for key in byes),
        {"ladder": [[here[key].name for key in table] for table in tables]},
    )


def list_known(book: Book) -> set[str]:
    """Who was in a stretch before, be it that he sat it out."""
    seats = (book.seats.get(pod.pk, ()) for played in book.rounds for pod in book.pods.get(played.pk, ()))
    rests = (book.rests.get(played.pk, ()) for played in book.rounds)
    sat = {book.key(seat.entrant_id) for there in seats for seat in there}
    return sat | {book.key(rest.entrant_id) for there in rests for rest in there}


def list_last_tables(book: Book) -> dict[str, int]:
    """At which table everybody sat in the last stretch of this book; nobody before the first one."""
    last = book.rounds[-1:] if book.rounds else ()
    return {
        book.key(seat.entrant_id): pod.number
        for played in last
        for pod in book.pods.get(played.pk, ())
        for seat in book.seats.get(pod.pk, ())
    }


def _say_moves(book: Book, table: Sequence[str], number: int, before: Mapping[str, int]) -> list[Any]:
    """Who came up, who came down, who sat the last stretch out, who is new on the ladder."""
    names, known = {key: book.by_key[key].name for key in table}, list_known(book)
    kinds = (
        ("up to this table: %(names)s", [names[key] for key in table if before.get(key, 0) > number]),
        ("down to this table: %(names)s", [names[key] for key in table if 0 < before.get(key, number) < number]),
        ("stay at this table: %(names)s", [names[key] for key in table if before.get(key) == number]),
        ("sat out the last time: %(names)s", [names[key] for key in table if key not in before and key in known]),
        ("new on the ladder: %(names)s", [names[key] for key in table if key not in before and key not in known]),
    )
    return [[template, {"names": ", ".join(found)}] for template, found in kinds if found]
