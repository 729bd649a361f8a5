"""The pods of a round as templates read them: players, reasons and results. Only badges query, once for all pods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
from django.utils.translation import get_language

from games.models import Table
from games.presenters.stand_in_texts import say_stand_in
from tournaments import formats
from tournaments.flow.counting import stand_in_records
from tournaments.flow.standings import ranking
from tournaments.flow.standings.book import Book
from tournaments.flow.tables.online_tables import plays_on_device
from tournaments.models import Entrant, Pod, PodSeat, Result, Round
from tournaments.scoring.results import PodResult
from tournaments.views.standings.badges import Badge, find_badge
from tournaments.views.standings.tournament_view import find_table_number, say_total
from tournaments.words.terms import list_remarks, say_points, say_reasons, say_trouble

NO_POINTS: Mapping[str, str] = {}
"""Points before the first round."""


class SeatView(NamedTuple):
    """A seat of a pod. place: as entered; rank: as it counts, among those who played.

    points: before the round, formatted; empty before the first round. stand_in: what a stand-in played for them, in
    words. badge: of the entrant; team: the name of the team that they play for in this round; empty without teams.
    """

    seat_id: int
    entrant_id: int
    name: str
    is_bot: bool
    substitute: str
    is_gone: bool
    place: int | None
    rank: int | None
    score: int | None
    points: str
    is_me: bool
    stand_in: str
    badge: Badge
    team: str

    @property
    def search_names(self) -> tuple[str, ...]:
        """The names under which people look for this seat."""
        return list_search_names(self.name, self.substitute)

    @property
    def stands(self) -> str:
        """The place as text: a dash for who did not play, empty if there is no result."""
        return "" if self.place is None else "–" if self.rank is None else f"{self.rank}."


class ResultLine(NamedTuple):
    """A player's line of a result. place: among those who played."""

    place: int
    name: str
    score: int | None


class ResultView(NamedTuple):
    """A result of a pod, accepted or proposed. places, scores: by seat; scores is None if none were entered."""

    id: int
    entered_by: int | None
    author: str
    source: str
    is_void: bool
    places: tuple[int, ...]
    scores: tuple[int, ...] | None

    def order(self, seats: Sequence[SeatView]) -> list[ResultLine]:
        """A line for each of those who played, by place."""
        here = [index for index, seat in enumerate(seats) if not seat.is_gone]
        places = [self.places[index] for index in here]
        lines = [
            ResultLine(
                place=1 + sum(other < self.places[index] for other in places),
                name=seats[index].name,
                score=self.scores[index] if self.scores else None,
            )
            for index in here
        ]
        return sorted(lines, key=lambda line: line[:2])


class PodView(NamedTuple):
    """A pod of a round with its players, reasons and results. Hashable, so that its HTML can be cached."""

    id: int
    number: int
    round_number: int
    round_status: str
    is_paused: bool
    is_game: bool
    """Whether it is one of many games of an arena, which has no rounds."""
    label: int | None
    """The number on the table's label (`tournament_view.find_table_number`)."""
    real_table: int | None
    """The number of the real table in an arena, where many games follow each other at one table."""
    seated_at: float | None
    """When its players were called, in an arena; in seconds since 1970."""
    is_online: bool
    is_locked: bool
    seats: tuple[SeatView, ...]
    accepted: ResultView | None
    proposed: tuple[ResultView, ...]
    """Results that were entered and not yet confirmed, while none is accepted."""
    is_refused: bool
    """Whether each result entered so far was rejected."""
    reason: str
    table_id: str
    table_status: str
    record: str
    """The key of the game's record, if it came with an archive; else empty."""
    stored_trouble: str
    is_mine: bool
    has_screens: bool
    """Whether all its players could play on a device."""

    @property
    def is_open(self) -> bool:
        """Whether there is no result yet, not even a proposed one, and no game has begun."""
        return not (self.is_game or self.accepted or self.proposed) and self.table_status in ("", "waiting")

    @property
    def places(self) -> range:
        """The places that players can take."""
        return range(1, len(self.seats) + 1)

    @property
    def is_movable(self) -> bool:
        """Whether it can still be moved between an online table and a real one."""
        can_move = not any(seat.is_bot for seat in self.seats) if self.is_online else self.has_screens
        return can_move and self.is_open

    @property
    def is_disputed(self) -> bool:
        """Whether the proposed results contradict each other."""
        return len({tuple(result.order(self.seats)) for result in self.proposed}) > 1

    @property
    def finish(self) -> tuple[SeatView, ...]:
        """The seats by place; in order of seats while there is no result that counts."""
        if self.accepted is None or self.accepted.is_void:
            return self.seats
        return tuple(sorted(self.seats, key=lambda seat: (seat.rank is None, seat.rank or 0)))

    @property
    def reasons(self) -> list[str]:
        """Why the draw seats these players together, in sentences."""
        return say_reasons(msgspec.json.decode(self.reason)) if self.reason else []

    @property
    def remarks(self) -> list[tuple[str, str]]:
        """What an organiser looks at first in a draft: kinds (keys of `draw_words.REMARKS`) and sentences."""
        return list_remarks(msgspec.json.decode(self.reason)) if self.reason else []

    @property
    def trouble(self) -> str:
        """Why its online table could not be opened, in a sentence; else empty."""
        return say_trouble(self.stored_trouble)


def list_pods(
    book: Book,
    played: Round,
    tables: Mapping[str, Table],
    me: Entrant | None,
    *,
    only: Sequence[Pod] | None = None,
) -> list[PodView]:
    """The views of the pods of a round, or `only` of these. tables: online tables by id; me: the reader's entrant.

    The points beside a name are those before the round; in an arena, which has no rounds, the present ones.
    """
    before = _find_points_before(book, played)
    pods = book.pods.get(played.pk, ()) if only is None else only
    return [_find_view(book, pod, played, tables, before, me) for pod in pods]


def _find_points_before(book: Book, played: Round) -> Mapping[str, str]:
    has_rounds = formats.of(book.tournament).has_rounds
    if played.number == 1 and has_rounds:
        return NO_POINTS
    lines = ranking.rank(book, played.number - 1 if has_rounds else None)
    way = ("points", played.pk, get_language())
    return book.derived.get(way, (lines,), lambda: {line.entrant: say_total(book, line) for line in lines})


def _find_view(
    book: Book, pod: Pod, played: Round, tables: Mapping[str, Table], before: Mapping[str, str], me: Entrant | None
) -> PodView:
    """The view of a pod. For readers who do not sit there it is cached until something in it changes."""
    rows, results = book.seats.get(pod.pk, ()), book.results.get(pod.pk, ())
    table = tables.get(pod.table_id or "")
    is_paused, is_seen = played.paused_at is not None, can_watch(book, played)
    status = (played.status, is_paused, table.status if table else "", is_seen, get_language())
    if me is not None and any(seat.entrant_id == me.pk for seat in rows):
        return _build_view(book, pod, played, table, before, me)
    made_of = (pod, rows, results, before, book.entrants, book.teams, book.team_members)
    return book.derived.get(
        ("pod view", pod.pk, *status), made_of, lambda: _build_view(book, pod, played, table, before, None)
    )


def _build_view(
    book: Book, pod: Pod, played: Round, table: Table | None, before: Mapping[str, str], me: Entrant | None
) -> PodView:
    rows, accepted = book.seats.get(pod.pk, ()), book.accepted(pod)
    has_rounds = formats.of(book.tournament).has_rounds
    seats = [_view_seat(book, seat, played, book.pod_result(pod), me, before) for seat in rows]
    reports = () if accepted else book.results.get(pod.pk, ())
    proposed = [row for row in reports if row.status == Result.Status.PROPOSED]
    return PodView(
        id=pod.pk,
        number=pod.number,
        round_number=played.number,
        round_status=played.status,
        is_paused=played.paused_at is not None,
        is_game=not has_rounds,
        label=find_table_number(pod, has_rounds=has_rounds),
        real_table=pod.real_table,
        seated_at=pod.seated_at,
        is_online=pod.is_online,
        is_locked=pod.is_locked,
        seats=tuple(seats),
        accepted=view_result(book, accepted) if accepted else None,
        proposed=tuple(view_result(book, result) for result in proposed),
        is_refused=bool(reports) and not proposed,
        reason=pod.reason,
        table_id=table.pk if table and (me is not None or can_watch(book, played)) else "",
        table_status=table.status if table else "",
        record="" if table else pod.record,
        stored_trouble=pod.trouble,
        is_mine=me is not None,
        has_screens=all(plays_on_device(book.entrants[seat.entrant_id]) for seat in rows),
    )


def view_result(book: Book, result: Result) -> ResultView:
    """A result row as templates read it."""
    scores = msgspec.json.decode(result.scores)
    return ResultView(
        id=result.pk,
        entered_by=result.entered_by_id,
        author=book.name_author(result),
        source=result.source,
        is_void=result.is_void,
        places=tuple(msgspec.json.decode(result.places)),
        scores=None if scores is None else tuple(scores),
    )


def _view_seat(
    book: Book,
    seat: PodSeat,
    played: Round,
    result: PodResult | None,
    me: Entrant | None,
    before: Mapping[str, str],
) -> SeatView:
    entrant = book.entrants[seat.entrant_id]
    is_first = not before or not formats.of(book.tournament).columns.has_points
    return SeatView(
        seat_id=seat.pk,
        entrant_id=entrant.pk,
        name=entrant.name,
        is_bot=bool(entrant.bot),
        substitute=seat.substitute_name,
        is_gone=seat.fate != PodSeat.Fate.PLAYS,
        place=result.places[seat.index] if result and not result.is_void else None,
        rank=result.shown_places()[seat.index] if result else None,
        score=result.shown_scores()[seat.index] if result else None,
        points=before.get(str(entrant.number), "" if is_first else say_points(0)),
        is_me=me is not None and entrant.pk == me.pk,
        stand_in=say_stand_in(seat.substitute_name or entrant.name, stand_in_records.read(seat)),
        badge=find_badge(book, entrant),
        team=book.name_team(entrant.pk, played.number),
    )


def list_search_names(name: str, substitute: str) -> tuple[str, ...]:
    """The names under which people look for a seat: that of the entrant, and of their substitute."""
    return (name, substitute) if substitute else (name,)


def can_watch(book: Book, played: Round) -> bool:
    """Whether readers of the tournament may watch the online tables of a round.

    Not while others still play the same duplicate deals; then pages show no link either.
    """
    return not book.tournament.duplicate or book.is_published(played)
