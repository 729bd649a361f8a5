"""What stand-ins played in a tournament: stored with each seat once its game is over, and listed by round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db import transaction

from games.models import Table
from games.play.moves import deciders
from games.play.storage import codec, store
from games.play.storage.error_isolation import isolate_errors
from games.play.storage.table import OVER, LoadedTable
from games.records.stand_ins import StandIn
from games.rules.base import Seat
from tournaments import formats
from tournaments.flow.standings.arena_games import find_games
from tournaments.flow.standings.book import Book
from tournaments.flow.steps.recorder import TournamentStep, bump_version
from tournaments.models import Pod, PodSeat, Round

Rounds = tuple[tuple[int, StandIn], ...]
"""The rounds in which a bot played for somebody, rising; in an arena the games, by their numbers."""


class StandInCount(NamedTuple):
    """What stand-ins played for a person. total: how many seats the person has had."""

    rounds: Rounds
    total: int


def find_stand_ins(table: LoadedTable, seats: Mapping[Seat, PodSeat]) -> dict[Seat, str]:
    """What a finished table says of these seats, as text to be kept. A bot that was seated for somebody who has no
    device played all of it."""
    stand_ins, texts = deciders.read_decisions(table).list_stand_ins(), dict[Seat, str]()
    for index, seat in seats.items():
        place = table.place(index)
        is_seated_for = place is not None and bool(place.bot) and not seat.entrant.bot
        is_all = is_seated_for and seat.fate == PodSeat.Fate.PLAYS
        texts[index] = codec.write_stand_in(StandIn(True, ((1, None),)) if is_all else stand_ins.get(index))
    return texts


def note(step: TournamentStep, pod: Pod, table: LoadedTable) -> None:
    """Within a step: keep what stand-ins have played at the table of a pod."""
    seats = {seat.index: seat for seat in pod.seats.select_related("entrant")}
    for index, text in find_stand_ins(table, seats).items():
        step.change(seats[index], stand_in=text)


def note_again(table_id: str) -> bool:
    """Bring what is kept of a finished table's seats to what the table says, past all steps; whether it was wrong."""
    table = store.refresh(table_id)
    pod = Pod.objects.select_related("round").filter(table=table_id).first()
    if pod is None or table.status != OVER or table.outcome is None:
        return False
    seats = {seat.index: seat for seat in pod.seats.select_related("entrant")}
    texts = find_stand_ins(table, seats)
    wrong = [seat for index, seat in seats.items() if seat.stand_in != texts[index]]
    with transaction.atomic():
        for seat in wrong:
            PodSeat.objects.filter(pk=seat.pk).update(stand_in=texts[seat.index])
        if wrong:
            bump_version(pod.round.tournament_id)
    return bool(wrong)


def correct_rows(tables: Sequence[Table]) -> None:
    """Have these tables, and the seats of their pods, keep what stand-ins played, where they do not: games from before
    that was written down, or that a process of an older version has brought to their end. Any number of times."""
    unwritten = set(deciders.list_without_decisions(tables))
    for table in tables:
        if table.pk in unwritten or codec.read_decisions(table.desk).stretches:
            with isolate_errors(f"table {table.pk}"):
                if table.pk in unwritten:
                    deciders.rebuild_decisions(table.pk)
                note_again(table.pk)


def read(seat: PodSeat) -> StandIn | None:
    """What a stand-in played on this seat."""
    return codec.read_stand_in(seat.stand_in)


def count_stand_ins(book: Book, after: int | None = None, *, live: bool = False) -> Mapping[str, StandInCount]:
    """By entrant, as scoring calls them: what bots played for them in the rounds of the standings after this one.

    People without any are left out. live: with the running round.
    """
    if not formats.of(book.tournament).has_rounds:
        return _count_stand_ins(book, [(pod.number, pod) for pod in find_games(book).over[:after]])
    statuses = (Round.Status.COMPLETE, Round.Status.RELEASED) if live else (Round.Status.COMPLETE,)
    rounds = [
        played for played in book.rounds if (after is None or played.number <= after) and played.status in statuses
    ]
    return _count_stand_ins(book, [(played.number, pod) for played in rounds for pod in book.pods.get(played.pk, ())])


def _count_stand_ins(book: Book, pods: Sequence[tuple[int, Pod]]) -> Mapping[str, StandInCount]:
    made_of = tuple(book.seats.get(pod.pk, ()) for _number, pod in pods)

    def find() -> Mapping[str, StandInCount]:
        rounds: dict[int, Rounds] = {}
        for (number, _pod), seats in zip(pods, made_of, strict=True):
            for seat in seats:
                if seat.stand_in and (stand_in := read(seat)) is not None:
                    rounds[seat.entrant_id] = (*rounds.get(seat.entrant_id, ()), (number, stand_in))
        times = Counter(seat.entrant_id for seats in made_of for seat in seats) if rounds else {}
        return {book.key(one): StandInCount(played, times[one]) for one, played in rounds.items()}

    return book.derived.get(("stand-ins", len(pods)), made_of, find)
