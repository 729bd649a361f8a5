"""A tournament as its templates want it: pods, standings, my place in it. Reads a book, asks no database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.formats import number_format

from games.models import Player, Table
from games.presenters.names import translate
from games.presenters.stand_in_texts import say_games, say_rounds, say_stand_in
from tournaments import formats
from tournaments.flow.counting import stand_in_records
from tournaments.flow.planning import schedules
from tournaments.flow.standings import book_cache, ranking
from tournaments.flow.standings.arena_games import find_games
from tournaments.flow.standings.book import Book
from tournaments.models import (
    Entrant,
    Penalty,
    Phase,
    Pod,
    PodSeat,
    Result,
    Round,
    Tournament,
)
from tournaments.scoring.charts import BumpChart, render_bump
from tournaments.scoring.standings import Standing
from tournaments.scoring.standings import find_deciders as find_parting
from tournaments.words.terms import (
    SHORT_TIE_BREAKS,
    TIE_BREAKS,
    Text,
    say_points,
    say_shortfall,
)

NOBODY: Mapping[str, stand_in_records.Told] = {}
"""Where no bot has played for anybody."""

SHEET = 8
"""Games of an arena that stand beside a name."""
NAME_REM, ROUND_REM, TIE_BREAK_REM, SHEET_REM = 24.0, 3.3, 5.6, 18.0
"""What place, name and points, a round, a tie-break and the latest games of an arena take beside each other."""
BREADTHS = ((46, ""), (60, "broad"), (73, "broader"))
"""Where the style sheet sets the figures below the name, in rem, and how it calls such a table."""


def read_book(tournament: Tournament, stamp: str) -> Book:
    """The tournament's book, read once for each of its presents, to be looked at only."""
    return book_cache.read(tournament, stamp)


def my_entrant(book: Book, player: Player | None) -> Entrant | None:
    """The reader as an entrant, if he is one."""
    if player is None:
        return None
    return next((one for one in book.entrants.values() if one.player_id == player.pk), None)


def list_penalties(book: Book) -> list[tuple[Penalty, Entrant, str]]:
    """What was taken from whom (or, without a minus, given)."""
    return [(one, book.entrants[one.entrant_id], say_points(-one.points)) for one in book.penalties]


def say_missing_rounds(book: Book) -> str:
    """What is said of a round robin with fewer rounds than a full schedule takes; else nothing."""
    found = schedules.find_shortfall(book)
    is_over = book.tournament.phase in (Phase.FINISHED, Phase.ARCHIVED)
    return "" if found is None else say_shortfall(found.people, found.full, found.planned, is_over=is_over)


def say_total(book: Book, line: Standing) -> str:
    """All points of somebody; nothing in a knockout, which knows none."""
    return say_points(line.points) if formats.of(book.tournament).columns.has_points else ""


def find_columns(book: Book, lines: Sequence[Standing]) -> tuple[int, ...]:
    """Which tie-breaks say something of anybody: a column of nothing but dashes is none."""
    kept = []
    for at in range(len(book.scheme.tie_breaks)):
        found = (line.values[at] for line in lines if line.values)
        if any(value is not None for value in found):
            kept.append(at)
    return tuple(kept)


def has_penalties(lines: Iterable[Standing]) -> bool:
    """Whether points were taken from anybody in these standings, or given: then each row shows them as a part."""
    return any(line.penalties for line in lines)


def list_standings(
    book: Book,
    lines: Sequence[Standing],
    me: Entrant | None,
    columns: Sequence[int] = (),
    told: Mapping[str, stand_in_records.Told] = NOBODY,
) -> list[dict[str, Any]]:
    """Rows of the standings, with the values of these tie-breaks. told: what bots played for whom."""
    return [_standing(book, line, me, columns, told.get(line.entrant)) for line in lines]


def explain_order(book: Book, after: int | None = None, *, live: bool = False) -> Text:
    """Where it is not the points that say who stands where after a round: what does; else nothing.

    live: with what the running round has.
    """
    stages = [one.stage for one in ranking.list_counted(book, after, live=live)]
    order = formats.of(book.tournament).explain_order(stages)
    return translate(order) if order else ""


def list_in_front(book: Book, lines: Sequence[Standing], me: Entrant | None) -> list[dict[str, Any]]:
    """Rows of the standings where nothing explains their order: with points only if these decide it."""
    rows = list_standings(book, lines, me, told=stand_in_records.tell(book))
    return [row | {"points": ""} for row in rows] if explain_order(book) else rows


def say_stand_ins(book: Book, name: str, told: stand_in_records.Told | None) -> str:
    """What bots played for somebody in the rounds of the standings; of an arena in how many games."""
    if told is None:
        return ""
    has_rounds = formats.of(book.tournament).has_rounds
    return say_rounds(name, told.rounds, of=told.of) if has_rounds else say_games(name, len(told.rounds))


def _standing(
    book: Book, line: Standing, me: Entrant | None, columns: Sequence[int], told: stand_in_records.Told | None
) -> dict[str, Any]:
    entrant = book.by_key[line.entrant]
    return {
        "place": line.place,
        "entrant": entrant,
        "points": say_total(book, line),
        "rounds": _say_rounds(book, line),
        "from_games": say_points(line.points + line.penalties),
        "penalty": say_points(-line.penalties) if line.penalties else "·",
        "values": [(name := book.scheme.tie_breaks[at], _value(name, line.values[at])) for at in columns],
        "wins": line.wins,
        "played": line.played,
        "is_me": me is not None and entrant.pk == me.pk,
        "is_out": entrant.status == Entrant.Status.WITHDRAWN,
        "stand_in": say_stand_ins(book, entrant.name, told),
    }


def _say_rounds(book: Book, line: Standing) -> list[str]:
    """Points by round; in an arena the latest games, the last one first, as one row of numbers."""
    if formats.of(book.tournament).columns.has_games:
        return [say_points(points) for points in line.rounds[::-1][:SHEET] if points is not None]
    return ["·" if points is None else say_points(points) for points in line.rounds]


def _value(name: str, value: Any) -> str:
    if value is None:
        return "–"
    if name in ("opponents", "best", "head-to-head"):
        return say_points(value)
    if name == "ratio":
        return str(number_format(f"{float(value):.3f}"))
    return str(value) if name == "wins" else f"{value:012x}"[:4]


def find_deciders(book: Book, after: int | None) -> dict[str, frozenset[int]]:
    """By entrant: which tie-breaks part them from others with as many points; none where points do not decide."""
    lines = ranking.rank(book, after)
    if explain_order(book, after):
        return {line.entrant: frozenset() for line in lines}
    return book.derived.get(("deciders", after), (lines,), lambda: find_parting(lines))


def label_values(values: Sequence[tuple[str, str]], decides: Sequence[bool]) -> tuple[tuple[str, str, str, bool], ...]:
    """Tie-breaks of a row, each as (kind, name, value, whether it decides its place)."""
    return tuple(
        (kind, str(TIE_BREAKS[kind]), value, is_decider)
        for (kind, value), is_decider in zip(values, decides, strict=True)
    )


def name_tie_breaks(names: Iterable[str]) -> list[tuple[str, str]]:
    """What each is called, and what it is called over a narrow column."""
    return [(str(TIE_BREAKS[name]), str(SHORT_TIE_BREAKS[name])) for name in names]


def measure(rounds: int, tie_breaks: int, *, sheets: int = 0, penalties: int = 0) -> str:
    """How broad a table of standings is, as its style sheet calls it.

    sheets: columns of an arena's latest games; penalties: columns that show what was taken away.
    """
    width = NAME_REM + rounds * ROUND_REM + (tie_breaks + penalties) * TIE_BREAK_REM + sheets * SHEET_REM
    return next((name for most, name in BREADTHS if width <= most), "endless")


def list_rounds(book: Book) -> list[Round]:
    """The rounds that everybody may see, in order."""
    return [one for one in book.rounds if one.status in (Round.Status.RELEASED, Round.Status.COMPLETE)]


def find_stand_in(book: Book, played: Round, player: Player | None) -> dict[str, Any] | None:
    """Where the reader plays for somebody else in a round that is under way."""
    if player is None or played.status != Round.Status.RELEASED:
        return None
    for pod in sitting(book, played):
        for seat in book.seats.get(pod.id, ()):
            if seat.substitute_id == player.pk and book.accepted(pod) is None:
                return {
                    "name": book.entrants[seat.entrant_id].name,
                    "number": find_label(pod, has_rounds=formats.of(book.tournament).has_rounds),
                    "pod": pod.number,
                    "table_id": pod.table_id,
                    "is_online": pod.is_online,
                }
    return None


def find_label(pod: Pod, *, has_rounds: bool) -> int | None:
    """The number by which people find a pod in the hall; None on the screens of an arena, which stand at no table."""
    return None if pod.is_online and not has_rounds else pod.real_table or pod.number


def sitting(book: Book, played: Round) -> Sequence[Pod]:
    """The pods that hang in the hall and lie on the tables: all of a round; of an arena those under way, at tables
    first."""
    if formats.of(book.tournament).has_rounds:
        return book.pods.get(played.pk, ())
    return sorted(find_games(book).playing, key=lambda pod: (pod.real_table is None, pod.real_table or pod.number))


def list_rests(book: Book, played: Round, kind: str) -> list[Entrant]:
    """Who sits this round out in this way."""
    return [book.entrants[rest.entrant_id] for rest in book.rests.get(played.pk, ()) if rest.kind == kind]


def find_tables(book: Book, played: Round, *, only: Sequence[Pod] | None = None) -> dict[str, Table]:
    """The online tables of a round (or of `only` these pods) by id, in one query."""
    pods = book.pods.get(played.pk, ()) if only is None else only
    ids = [pod.table_id for pod in pods if pod.table_id]
    return Table.objects.only("status", "ended_at").in_bulk(ids)


def plot_ways(book: Book, me: Entrant | None) -> BumpChart | None:
    """The bump chart over the complete rounds."""
    ways: dict[str, list[int | None]] = {}
    numbers = [one.number for one in book.complete_rounds()]
    for index, number in enumerate(numbers):
        for line in ranking.rank(book, number):
            way = ways.setdefault(line.entrant, [None] * index)
            way.append(line.place)
    names = {key: entrant.name for key, entrant in book.by_key.items()}
    return render_bump(ways, names, me=str(me.number) if me else None)


def list_comparisons(book: Book, played: Round, me: Entrant | None) -> list[dict[str, Any]]:
    """Duplicate deals: how the reader's seat did at the other tables of the same size on screens.

    Nothing where he did not play, or nobody else.
    """
    if me is None or not book.tournament.duplicate or played.status != Round.Status.COMPLETE:
        return []
    pods = [pod for pod in book.pods.get(played.pk, ()) if _was_dealt(book, pod)]
    chairs = [(pod, seat) for pod in pods for seat in book.seats[pod.pk]]
    mine = [_deals(book, pod, seat) for pod, seat in chairs if seat.entrant_id == me.pk]
    same = [[_compare(book, pod, seat, me) for pod, seat in chairs if _deals(book, pod, seat) == one] for one in mine]
    told = [[row for row in rows if row is not None] for rows in same]
    return [row for rows in told if len({row["is_me"] for row in rows}) > 1 for row in rows]


def _was_dealt(book: Book, pod: Pod) -> bool:
    """Whether the deals of its round were played at this table: it was on screens, and not closed before its game.

    Of one that came with an archive its record says so, or where its result is from.
    """
    result = book.accepted(pod)
    is_told = bool(pod.record) or (result is not None and result.source == Result.Source.TABLE)
    return pod.is_online and (pod.table_id is not None or is_told)


def _deals(book: Book, pod: Pod, seat: PodSeat) -> tuple[int, int, int]:
    """Who has had the same cards: whose seating, number of seats and chair are the same."""
    return pod.wave, len(book.seats[pod.pk]), seat.index


def _compare(book: Book, pod: Pod, seat: PodSeat, me: Entrant) -> dict[str, Any] | None:
    """A chair, and what came of its cards, whoever had the others; None if its person did not play, or it counts for
    nobody."""
    result = book.pod_result(pod)
    if result is None or result.told_places()[seat.index] is None:
        return None
    return {
        "name": book.entrants[seat.entrant_id].name,
        "table": pod.number,
        "place": result.places[seat.index],
        "score": result.told_scores()[seat.index],
        "is_me": seat.entrant_id == me.pk,
        "stand_in": say_stand_in(
            seat.substitute_name or book.entrants[seat.entrant_id].name, stand_in_records.read(seat)
        ),
    }
