"""A tournament as its templates want it: pods, standings, my place in it. Reads a book, asks no database."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec

from games.models import Player, Table
from tournaments.charts import Bump, draw_bump
from tournaments.flow.book import Book, open_book
from tournaments.models import Entrant, Format, Pod, PodSeat, Result, Round, Stage, Tournament
from tournaments.scoring.standings import Standing
from tournaments.words import STAGES, TIE_BREAKS, say_points, say_reasons, say_trouble

T = TypeVar("T")

KEPT = 256
SHEET = 8
"""Games of an arena that stand beside a name."""
_kept: OrderedDict[tuple[Any, ...], Any] = OrderedDict()
_lock = threading.Lock()


def keep(key: tuple[Any, ...], make: Callable[[], T]) -> T:
    """What was made for this key before, or is made now. The key says which present it is of."""
    known: T | None = _kept.get(key)
    if known is None:
        known = make()
        with _lock:
            _kept[key] = known
            while len(_kept) > KEPT:
                _kept.popitem(last=False)
    return known


def forget_all() -> None:
    """Keep nothing (between tests)."""
    with _lock:
        _kept.clear()


def read_book(tournament: Tournament, stamp: str) -> Book:
    """The tournament's book, read once for each of its presents, to be looked at only."""
    known: tuple[str, Book] | None = _kept.get(("book", tournament.pk))
    if known is not None and known[0] == stamp:
        return known[1]
    book = open_book(tournament, known=known[1] if known else None)
    with _lock:
        _kept["book", tournament.pk] = (stamp, book)
        _kept.move_to_end(("book", tournament.pk))
    return book


def rank(book: Book, after: int | None = None, *, live: bool = False) -> tuple[Standing, ...]:
    """The standings, worked out once for all that they follow from."""
    key = ("rank", book.tournament.pk, book.mark(after, live=live), after, live)
    return keep(key, lambda: book.standings(after, live=live))


def my_entrant(book: Book, player: Player | None) -> Entrant | None:
    """The reader as an entrant, if he is one."""
    if player is None:
        return None
    return next((one for one in book.entrants.values() if one.player_id == player.pk), None)


def list_standings(book: Book, lines: Sequence[Standing], me: Entrant | None) -> list[dict[str, Any]]:
    """Rows of the standings."""
    return [_standing(book, line, me) for line in lines]


def _standing(book: Book, line: Standing, me: Entrant | None) -> dict[str, Any]:
    entrant = book.by_key[line.entrant]
    return {
        "place": line.place,
        "entrant": entrant,
        "points": say_points(line.points),
        "rounds": _say_rounds(book, line),
        "values": [_value(name, value) for name, value in zip(book.scheme.tie_breaks, line.values, strict=False)],
        "wins": line.wins,
        "played": line.played,
        "is_me": me is not None and entrant.pk == me.pk,
        "is_out": entrant.status == Entrant.Status.WITHDRAWN,
    }


def _say_rounds(book: Book, line: Standing) -> list[str]:
    """Points by round; in an arena the latest games, the last one first, as one row of numbers."""
    if book.tournament.format == Format.ARENA:
        return [say_points(points) for points in line.rounds[::-1][:SHEET] if points is not None]
    return ["·" if points is None else say_points(points) for points in line.rounds]


def _value(name: str, value: Any) -> str:
    if value is None:
        return "–"
    if name in ("opponents", "best", "head-to-head"):
        return say_points(value)
    if name == "ratio":
        return f"{float(value):.3f}" if value else "–"
    return str(value) if name == "wins" else f"{value:012x}"[:4]


def name_tie_breaks(book: Book) -> list[str]:
    """Their names, in order."""
    return [str(TIE_BREAKS[name]) for name in book.scheme.tie_breaks]


def list_rounds(book: Book) -> list[dict[str, Any]]:
    """The rounds that everybody may see, in order."""
    seen = [one for one in book.rounds if one.status in (Round.Status.RELEASED, Round.Status.COMPLETE)]
    return [{"round": one, "stage": STAGES.get(one.stage, one.stage)} for one in seen]


class SeatView(NamedTuple):
    """A chair of a pod. points: before the round, as they are shown."""

    seat_id: int
    entrant_id: int
    name: str
    is_bot: bool
    substitute: str
    is_gone: bool
    place: int | None
    score: int | None
    points: str
    is_me: bool


class ResultView(NamedTuple):
    """A result of a pod, accepted or proposed. places: by seat."""

    id: int
    entered_by: int | None
    author: str
    source: str
    is_void: bool
    places: tuple[int, ...]


class PodView(NamedTuple):
    """A pod of a round, with who sits there, why, and what came of it. All of it can be compared, and so be kept."""

    id: int
    number: int
    round_number: int
    round_status: str
    is_arena: bool
    real_table: int | None
    """In an arena the number of the real table, which game after game uses."""
    is_online: bool
    is_locked: bool
    seats: tuple[SeatView, ...]
    accepted: ResultView | None
    proposed: tuple[ResultView, ...]
    """What was entered and not yet confirmed, while nothing is accepted."""
    reason: str
    table_id: str
    table_status: str
    trouble_told: str
    is_mine: bool

    @property
    def label(self) -> int:
        """The number by which people find it in the hall."""
        return self.real_table or self.number

    @property
    def reasons(self) -> list[str]:
        """Why these people, in sentences."""
        return say_reasons(msgspec.json.decode(self.reason)) if self.reason else []

    @property
    def trouble(self) -> str:
        """What is wrong with its table, in a sentence."""
        return say_trouble(self.trouble_told)


def list_pods(
    book: Book,
    played: Round,
    tables: Mapping[str, Table],
    me: Entrant | None,
    *,
    only: Sequence[Pod] | None = None,
) -> list[PodView]:
    """The pods of a round (or `only` these), with who sits there, why, and what came of it.

    The points beside a name are those before the round; in an arena, which has no before, the present ones.
    """
    after = None if played.stage == Stage.ARENA else played.number - 1
    before = {line.entrant: say_points(line.points) for line in rank(book, after)}
    pods = book.pods.get(played.pk, ()) if only is None else only
    return [_pod(book, pod, (played, tables, me), before) for pod in pods]


def _pod(
    book: Book, pod: Pod, at: tuple[Round, Mapping[str, Table], Entrant | None], before: Mapping[str, str]
) -> PodView:
    played, tables, me = at
    rows, accepted = book.seats.get(pod.pk, ()), book.accepted(pod)
    places = msgspec.json.decode(accepted.places) if accepted else [None] * len(rows)
    told = msgspec.json.decode(accepted.scores) if accepted else None
    seats = [
        _seat(book, seat, (place, told[index] if told else None), me, before)
        for index, (seat, place) in enumerate(zip(rows, places, strict=True))
    ]
    proposed = () if accepted else [row for row in book.results.get(pod.pk, ()) if row.status == Result.Status.PROPOSED]
    table = tables.get(pod.table_id or "")
    return PodView(
        id=pod.pk,
        number=pod.number,
        round_number=played.number,
        round_status=played.status,
        is_arena=played.stage == Stage.ARENA,
        real_table=pod.real_table,
        is_online=pod.is_online,
        is_locked=pod.is_locked,
        seats=tuple(seats),
        accepted=_result(accepted) if accepted else None,
        proposed=tuple(_result(one) for one in proposed),
        reason=pod.reason,
        table_id=table.pk if table and (any(seat.is_me for seat in seats) or _can_watch(book)) else "",
        table_status=table.status if table else "",
        trouble_told=pod.trouble,
        is_mine=any(seat.is_me for seat in seats),
    )


def _result(result: Result) -> ResultView:
    author, places = result.entered_by, tuple(msgspec.json.decode(result.places))
    name = author.name if author is not None else ""
    return ResultView(result.pk, result.entered_by_id, name, result.source, result.is_void, places)


def _seat(
    book: Book,
    seat: PodSeat,
    came: tuple[int | None, int | None],
    me: Entrant | None,
    before: Mapping[str, str],
) -> SeatView:
    entrant = book.entrants[seat.entrant_id]
    return SeatView(
        seat_id=seat.pk,
        entrant_id=entrant.pk,
        name=entrant.name,
        is_bot=bool(entrant.bot),
        substitute=seat.substitute_name,
        is_gone=seat.fate != PodSeat.Fate.PLAYS,
        place=came[0],
        score=came[1],
        points=before.get(str(entrant.number)) or say_points(0),
        is_me=me is not None and entrant.pk == me.pk,
    )


def find_stand_in(book: Book, played: Round, player: Player | None) -> dict[str, Any] | None:
    """Where the reader plays for somebody else in a round that is under way."""
    if player is None or played.status != Round.Status.RELEASED:
        return None
    for pod in book.pods.get(played.pk, ()):
        for seat in book.seats.get(pod.pk, ()):
            if seat.substitute_id == player.pk and book.accepted(pod) is None:
                return {
                    "name": book.entrants[seat.entrant_id].name,
                    "number": pod.real_table or pod.number,
                    "pod": pod.number,
                    "table_id": pod.table_id,
                    "is_online": pod.is_online,
                }
    return None


def _can_watch(book: Book) -> bool:
    """Whether everybody may look at its online tables: nobody is shown a door that does not open."""
    return book.tournament.is_public and not book.tournament.duplicate


def sitting(book: Book, played: Round) -> list[Pod]:
    """The pods that hang in the hall and lie on the tables: all of a round, in an arena those that play now."""
    pods = book.pods.get(played.pk, ())
    return [pod for pod in pods if played.stage != Stage.ARENA or book.accepted(pod) is None]


def list_rests(book: Book, played: Round, kind: str) -> list[Entrant]:
    """Who sits this round out in this way."""
    return [book.entrants[rest.entrant_id] for rest in book.rests.get(played.pk, ()) if rest.kind == kind]


def find_tables(book: Book, played: Round, *, only: Sequence[Pod] | None = None) -> dict[str, Table]:
    """The online tables of a round (or of `only` these pods) by id, in one query."""
    pods = book.pods.get(played.pk, ()) if only is None else only
    ids = [pod.table_id for pod in pods if pod.table_id]
    return Table.objects.only("status", "ended_at").in_bulk(ids)


def plot_ways(book: Book, me: Entrant | None) -> Bump | None:
    """The bump chart over the complete rounds."""
    ways: dict[str, list[int | None]] = {}
    numbers = [one.number for one in book.complete_rounds()]
    for index, number in enumerate(numbers):
        for line in rank(book, number):
            way = ways.setdefault(line.entrant, [None] * index)
            way.append(line.place)
    names = {key: entrant.name for key, entrant in book.by_key.items()}
    return draw_bump(ways, names, me=str(me.number) if me else None)


def list_comparisons(book: Book, played: Round, me: Entrant | None) -> list[dict[str, Any]]:
    """Duplicate deals: how the reader's seat did at the other tables of the same size."""
    if me is None or not book.tournament.duplicate or played.status != Round.Status.COMPLETE:
        return []
    mine = [
        (pod.wave, len(book.seats[pod.pk]), seat.index)
        for pod in book.pods.get(played.pk, ())
        for seat in book.seats[pod.pk]
        if seat.entrant_id == me.pk
    ]
    return [
        {"name": book.entrants[seats[index].entrant_id].name, "table": pod.number, "place": places[index],
         "score": scores[index] if scores else None, "is_me": seats[index].entrant_id == me.pk}
        for wave, size, index in mine
        for pod in book.pods[played.pk]
        if pod.wave == wave and len(seats := book.seats[pod.pk]) == size
        and (accepted := book.accepted(pod)) is not None and not accepted.is_void
        for places, scores in [(msgspec.json.decode(accepted.places), msgspec.json.decode(accepted.scores))]
    ]  # fmt: skip
