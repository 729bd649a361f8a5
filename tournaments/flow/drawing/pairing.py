"""Which round comes next, who plays in it, and which people meet: the answers of the format for a book."""

from __future__ import annotations

from collections.abc import Sequence

from games.play.errors import Stale
from games.rules import registry
from tournaments import formats
from tournaments.flow.drawing import bot_places
from tournaments.flow.drawing.draw_context import BookDrawContext
from tournaments.flow.drawing.draw_input import RoundDraw
from tournaments.flow.standings.book import Book
from tournaments.formats.base import ReportProgress
from tournaments.models import LAST_STAGES, Entrant, Phase, Round, Stage
from tournaments.scoring.knockout import mix_sizes

RELEASED = (Round.Status.RELEASED, Round.Status.COMPLETE)
"""Statuses of rounds whose pairings have been published."""


def find_stage(book: Book) -> Stage | None:
    """The stage of the next round; None if the last one has been played."""
    found = formats.of(book.tournament).find_stage(BookDrawContext(book))
    return None if found is None else Stage(found)


def require_stage(book: Book) -> Stage:
    """The stage of the next round. Raises Stale if the last one has been played."""
    stage = find_stage(book)
    if stage is not None:
        return stage
    if book.rounds and book.rounds[-1].stage in LAST_STAGES:
        raise Stale("The knockout is decided. Finish the tournament.")
    raise Stale("All rounds have been played. Finish the tournament, or plan more rounds.")


def has_next_round(book: Book) -> bool:
    """Whether another round follows those that have been released; never once the tournament is finished."""
    if book.tournament.phase in (Phase.FINISHED, Phase.ARCHIVED):
        return False
    last = book.rounds[-1] if book.rounds else None
    if last is None or last.status not in RELEASED:
        return True
    if last.status == Round.Status.RELEASED and last.stage in LAST_STAGES:
        return last.stage != Stage.FINAL
    return find_stage(book) is not None


def is_over(book: Book) -> bool:
    """Whether the standings are final: the tournament is finished, or no round is left to be played."""
    if book.tournament.phase in (Phase.FINISHED, Phase.ARCHIVED):
        return True
    if not book.rounds:
        return False
    return all(played.status == Round.Status.COMPLETE for played in book.rounds) and not has_next_round(book)


def accepts_entrants(book: Book) -> bool:
    """Whether new entrants can join: not once a knockout has begun, or an arena has closed."""
    released = [played for played in book.rounds if played.status in RELEASED]
    has_rounds = formats.of(book.tournament).has_rounds
    return not any(played.stage in LAST_STAGES or (played.has_rung and not has_rounds) for played in released)


def has_room(book: Book) -> bool:
    """Whether a new entrant could play in the next round: not if the cut of a Swiss is full already."""
    before, number = _look_ahead(book)
    return formats.of(book.tournament).has_room(BookDrawContext(before), number)


def can_play_next(book: Book, entrant: Entrant) -> bool:
    """Whether this entrant plays in the next round if they are present: all do, except those out of a knockout."""
    (before, number), key = _look_ahead(book), str(entrant.number)
    return not is_next_elimination(book) or key in _list_entitled(before, number, back=key)


def is_next_elimination(book: Book) -> bool:
    """Whether people who are not in the next round are out of the tournament."""
    before, number = _look_ahead(book)
    return formats.of(book.tournament).is_elimination(before.tournament, before.rounds, number)


def list_entitled(book: Book, number: int) -> list[Entrant]:
    """The entrants who play the round of this number if it is drawn now, without bots on empty seats."""
    return [book.by_key[key] for key in _list_entitled(book, number)]


def _list_entitled(book: Book, number: int, *, back: str = "") -> list[str]:
    return formats.of(book.tournament).list_entitled(BookDrawContext(book), number, back=back)


def _look_ahead(book: Book) -> tuple[Book, int]:
    """The book before the next round, and the number of that round."""
    number = 1 + sum(played.status in RELEASED for played in book.rounds)
    return book.before(number), number


def compare_knockout_draft(book: Book, draft: Round) -> tuple[list[Entrant], list[Entrant]]:
    """The difference between a knockout draft and a draw made now: who would be added, and which present entrants
    would no longer be in it."""
    now = _list_entitled(book.before(draft.number), draft.number)
    seats = (seat for pod in book.pods.get(draft.pk, ()) for seat in book.seats.get(pod.pk, ()))
    drawn = {seat.entrant_id for seat in seats} | {rest.entrant_id for rest in book.rests.get(draft.pk, ())}
    people = [entrant for entrant in book.entrants.values() if entrant.pk in drawn and not entrant.is_filler]
    present = (entrant for entrant in people if entrant.status == Entrant.Status.PRESENT and not entrant.is_away)
    coming = [one for key in now if (one := book.by_key[key]).pk not in drawn]
    return coming, [person for person in present if str(person.number) not in now]


def pair_round(
    book: Book, number: int, *, seed: str, locked: Sequence[Sequence[int]], report: ReportProgress | None = None
) -> RoundDraw:
    """Draw a round. locked: pods (ids of entrants) that stay together; report: is called with the progress in percent.

    Raises Stale for too few people, draw.DrawError with a sentence that names the conflict.
    """
    found = formats.of(book.tournament).pair(BookDrawContext(book), number, seed=seed, locked=locked, report=report)
    people = book.by_key
    return RoundDraw(
        Stage(found.stage),
        tuple((tuple(people[key] for key in keys), reasons) for keys, reasons in found.pods),
        tuple(people[key] for key in found.byes),
        found.solution,
    )


def count_fillers(book: Book, number: int) -> int:
    """How many bots have to be added in this round so that nobody has a bye; 0 if bots cannot play in it."""
    tournament, entitled = book.tournament, list_entitled(book, number)
    for more in range(tournament.least):
        if len(entitled) + more and mix_sizes(
            len(entitled) + more, wanted=tournament.wanted, least=tournament.least, most=tournament.most
        ):
            return more if bot_places.can_fill(book, entitled, number, more) else 0
    return 0


def require_enough_players(book: Book, stage: Stage, number: int) -> None:
    """Raises Stale if no table can be filled, counting bots that may take empty seats.

    Tables of a knockout may be smaller than agreed, down to the smallest size of the game.
    """
    entitled, is_cut = list_entitled(book, number), stage in LAST_STAGES
    least = registry.find(book.tournament.game).seat_counts.start if is_cut else book.tournament.least
    can_fill = book.tournament.bots_fill and bot_places.can_fill(book, entitled, number, max(0, least - len(entitled)))
    least = 2 if can_fill else least
    if len(entitled) >= least:
        return
    if is_cut and any(played.stage in LAST_STAGES for played in book.rounds):
        raise Stale(
            "Still in: %(here)s. A table of this game needs %(least)s. Reinstate somebody, or finish the "
            "tournament early.",
            here=len(entitled), least=least,
        )  # fmt: skip
    if book.rounds:
        raise Stale(
            "Checked in: %(here)s. A table needs %(least)s. Check in or add more people, or finish the "
            "tournament early.",
            here=len(entitled), least=least,
        )  # fmt: skip
    raise Stale(
        "Checked in: %(here)s. A table needs %(least)s. Check in or add more people, or change the plan.",
        here=len(entitled), least=least,
    )  # fmt: skip
