"""Which round comes next, who plays in it, and who meets whom: the format is asked, the book answers."""

from __future__ import annotations

from collections.abc import Sequence

from games.play.errors import Stale
from games.rules import registry
from tournaments import formats
from tournaments.flow.drawing import bot_places
from tournaments.flow.drawing.course import BookCourse
from tournaments.flow.drawing.draw_input import Drawn
from tournaments.flow.standings.book import Book
from tournaments.formats.base import Tell
from tournaments.models import LAST_STAGES, Entrant, Phase, Round, Stage
from tournaments.scoring.knockout import mix_sizes

RELEASED = (Round.Status.RELEASED, Round.Status.COMPLETE)
"""What people have been told of a round."""


def find_stage(book: Book) -> Stage | None:
    """What kind of round comes next; None if the last one has been played."""
    found = formats.of(book.tournament).find_stage(BookCourse(book))
    return None if found is None else Stage(found)


def require_stage(book: Book) -> Stage:
    """What kind of round comes next. Raises Stale if the last one has been played."""
    stage = find_stage(book)
    if stage is not None:
        return stage
    if book.rounds and book.rounds[-1].stage in LAST_STAGES:
        raise Stale("The knockout is decided. Finish the tournament.")
    raise Stale("All rounds have been played. Finish the tournament, or plan more rounds.")


def is_followed(book: Book) -> bool:
    """Whether a round is still to come after those that have been released: none once the tournament is finished."""
    if book.tournament.phase in (Phase.FINISHED, Phase.ARCHIVED):
        return False
    last = book.rounds[-1] if book.rounds else None
    if last is None or last.status not in RELEASED:
        return True
    if last.status == Round.Status.RELEASED and last.stage in LAST_STAGES:
        return last.stage != Stage.FINAL
    return find_stage(book) is not None


def is_over(book: Book) -> bool:
    """Whether its standings are the last ones: it is finished, or nothing is left to be played."""
    if book.tournament.phase in (Phase.FINISHED, Phase.ARCHIVED):
        return True
    if not book.rounds:
        return False
    return all(one.status == Round.Status.COMPLETE for one in book.rounds) and not is_followed(book)


def takes_in(book: Book) -> bool:
    """Whether somebody new can come in: not once a knockout has begun, or an arena is closed."""
    told = [one for one in book.rounds if one.status in RELEASED]
    has_rounds = formats.of(book.tournament).has_rounds
    return not any(one.stage in LAST_STAGES or (one.has_rung and not has_rounds) for one in told)


def has_room(book: Book) -> bool:
    """Whether somebody new could play in the round that comes: not where the cut of a Swiss is full without them."""
    before, number = _look_ahead(book)
    return formats.of(book.tournament).has_room(BookCourse(before), number)


def plays_on(book: Book, one: Entrant) -> bool:
    """Whether somebody plays in the round that comes if they are here by then: all do, but for those who are out of a
    knockout."""
    (before, number), key = _look_ahead(book), str(one.number)
    return not cuts_off(book) or key in _list_entitled(before, number, back=key)


def cuts_off(book: Book) -> bool:
    """Whether whoever is not in the round that comes is out."""
    before, number = _look_ahead(book)
    return formats.of(book.tournament).is_elimination(before.tournament, before.rounds, number)


def list_entitled(book: Book, number: int) -> list[Entrant]:
    """Who plays the round of this number if it is drawn now, but for bots on empty seats."""
    return [book.by_key[key] for key in _list_entitled(book, number)]


def _list_entitled(book: Book, number: int, *, back: str = "") -> list[str]:
    return formats.of(book.tournament).list_entitled(BookCourse(book), number, back=back)


def _look_ahead(book: Book) -> tuple[Book, int]:
    """The round that comes, and what is before it."""
    number = 1 + sum(played.status in RELEASED for played in book.rounds)
    return book.before(number), number


def compare_stage(book: Book, draft: Round) -> tuple[list[Entrant], list[Entrant]]:
    """Who would be in this draft of a knockout if it were drawn now and is not, and who is in it and here and would
    not."""
    now = _list_entitled(book.before(draft.number), draft.number)
    seats = (seat for pod in book.pods.get(draft.pk, ()) for seat in book.seats.get(pod.pk, ()))
    drawn = {seat.entrant_id for seat in seats} | {rest.entrant_id for rest in book.rests.get(draft.pk, ())}
    there = [one for one in book.entrants.values() if one.pk in drawn and not one.is_filler]
    here = (one for one in there if one.status == Entrant.Status.PRESENT and not one.is_away)
    coming = [one for key in now if (one := book.by_key[key]).pk not in drawn]
    return coming, [one for one in here if str(one.number) not in now]


def pair(book: Book, number: int, *, seed: str, locked: Sequence[Sequence[int]], tell: Tell | None = None) -> Drawn:
    """The draw of a round. locked: pods (ids of entrants) that stay together. tell: hears how far it is, in percent.

    Raises Stale for too few people, draw.DrawError with a sentence that names the conflict.
    """
    found = formats.of(book.tournament).pair(BookCourse(book), number, seed=seed, locked=locked, tell=tell)
    people = book.by_key
    return Drawn(
        Stage(found.stage),
        tuple((tuple(people[key] for key in keys), reasons) for keys, reasons in found.pods),
        tuple(people[key] for key in found.byes),
        found.solution,
    )


def count_fillers(book: Book, number: int) -> int:
    """How many bots the empty chairs of this round take, so that nobody has a bye."""
    tournament, here = book.tournament, list_entitled(book, number)
    for more in range(tournament.least):
        if len(here) + more and mix_sizes(
            len(here) + more, wanted=tournament.wanted, least=tournament.least, most=tournament.most
        ):
            return more if bot_places.can_fill(book, here, number, more) else 0
    return 0


def require_enough(book: Book, stage: Stage, number: int) -> None:
    """Raises Stale if no table can be filled. Bots take empty chairs where they can play.

    The last tables of a knockout may be smaller than agreed, but not than the game allows.
    """
    here, is_cut = list_entitled(book, number), stage in LAST_STAGES
    least = registry.find(book.tournament.game).seat_counts.start if is_cut else book.tournament.least
    can_fill = book.tournament.bots_fill and bot_places.can_fill(book, here, number, max(0, least - len(here)))
    least = 2 if can_fill else least
    if len(here) >= least:
        return
    if is_cut and any(one.stage in LAST_STAGES for one in book.rounds):
        raise Stale(
            "Going on: %(here)s. A table of this game needs %(least)s: let somebody come back, "
            "or end the tournament earlier.",
            here=len(here), least=least,
        )  # fmt: skip
    if book.rounds:
        raise Stale(
            "Here: %(here)s. A table needs %(least)s: check people in, add some by name, "
            "or end the tournament earlier.",
            here=len(here), least=least,
        )  # fmt: skip
    raise Stale(
        "Here: %(here)s. A table needs %(least)s: check people in, add some by name, or change the plan.",
        here=len(here), least=least,
    )  # fmt: skip
