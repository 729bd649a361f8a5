"""A tournament as templates read it: standings, rounds, comparisons. Only `find_tables` and badges query."""

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
from tournaments.views.standings.badges import find_badge
from tournaments.words.terms import (
    SHORT_TIE_BREAKS,
    TIE_BREAKS,
    Text,
    say_points,
    say_shortfall,
)

NO_STAND_INS: Mapping[str, stand_in_records.StandInCount] = {}
"""Stand-ins by entrant, if there were none."""

LATEST_GAMES = 8
"""How many of the latest games of an arena are shown beside a name. More need a wider screen."""
NAME_REM, ROUND_REM, TIE_BREAK_REM, LATEST_GAMES_REM = 24.0, 3.3, 5.6, 18.0
"""Widths in rem of the columns: place, name and points together; a round; a tie-break; the latest arena games."""
WIDTH_CLASSES = ((46, ""), (60, "broad"), (73, "broader"))
"""Widest table in rem and its CSS class; the style sheet puts the figures below the name on narrower screens."""


def read_book(tournament: Tournament, version: str) -> Book:
    """The tournament's book, shared by all readers of a page version (`find_page_version`). Read-only."""
    return book_cache.read(tournament, version)


def find_own_entrant(book: Book, player: Player | None) -> Entrant | None:
    """The entrant of this player; None if they are not in the tournament."""
    if player is None:
        return None
    return next((entrant for entrant in book.entrants.values() if entrant.player_id == player.pk), None)


def list_penalties(book: Book) -> list[tuple[Penalty, Entrant, str]]:
    """Each penalty with its entrant and the signed points as text; a bonus has no minus."""
    return [(penalty, book.entrants[penalty.entrant_id], say_points(-penalty.points)) for penalty in book.penalties]


def say_missing_rounds(book: Book) -> str:
    """A sentence if a round robin has fewer rounds than a full schedule; else empty."""
    found = schedules.find_shortfall(book)
    is_over = book.tournament.phase in (Phase.FINISHED, Phase.ARCHIVED)
    return "" if found is None else say_shortfall(found.people, found.full, found.planned, is_over=is_over)


def say_total(book: Book, line: Standing) -> str:
    """The points of a line as text; empty in formats without points, such as a knockout."""
    return say_points(line.points) if formats.of(book.tournament).columns.has_points else ""


def find_columns(book: Book, lines: Sequence[Standing]) -> tuple[int, ...]:
    """Indexes of the tie-breaks to show: those with a value in at least one line."""
    kept = []
    for at in range(len(book.scheme.tie_breaks)):
        found = (line.values[at] for line in lines if line.values)
        if any(value is not None for value in found):
            kept.append(at)
    return tuple(kept)


def has_penalties(lines: Iterable[Standing]) -> bool:
    """Whether a line has a penalty or bonus; then each row shows that column."""
    return any(line.penalties for line in lines)


def list_standings(
    book: Book,
    lines: Sequence[Standing],
    me: Entrant | None,
    columns: Sequence[int] = (),
    stand_ins: Mapping[str, stand_in_records.StandInCount] = NO_STAND_INS,
) -> list[dict[str, Any]]:
    """Rows of the standings as templates read them. columns: indexes of tie-breaks; stand_ins: by entrant."""
    return [_describe_line(book, line, me, columns, stand_ins.get(line.entrant)) for line in lines]


def explain_order(book: Book, after: int | None = None, *, live: bool = False) -> Text:
    """What decides the places after a round if the points do not, as a sentence; else empty.

    live: count the results of the round under way, too.
    """
    stages = [played.stage for played in ranking.list_counted(book, after, live=live)]
    order = formats.of(book.tournament).explain_order(stages)
    return translate(order) if order else ""


def list_leaders(book: Book, lines: Sequence[Standing], me: Entrant | None) -> list[dict[str, Any]]:
    """Rows of the leaders, for pages that do not explain the order: points are empty unless they decide it."""
    found = list_standings(book, lines, me, stand_ins=stand_in_records.count_stand_ins(book))
    rows = [row | {"badge": find_badge(book, row["entrant"])} for row in found]
    return [row | {"points": ""} for row in rows] if explain_order(book) else rows


def say_stand_ins(book: Book, name: str, stand_ins: stand_in_records.StandInCount | None) -> str:
    """In which rounds (in an arena: in how many games) stand-ins played for an entrant, in words."""
    if stand_ins is None:
        return ""
    has_rounds = formats.of(book.tournament).has_rounds
    return (
        say_rounds(name, stand_ins.rounds, total=stand_ins.total)
        if has_rounds
        else say_games(name, len(stand_ins.rounds))
    )


def _describe_line(
    book: Book,
    line: Standing,
    me: Entrant | None,
    columns: Sequence[int],
    stand_ins: stand_in_records.StandInCount | None,
) -> dict[str, Any]:
    entrant = book.by_key[line.entrant]
    return {
        "place": line.place,
        "entrant": entrant,
        "points": say_total(book, line),
        "rounds": _say_rounds(book, line),
        "from_games": say_points(line.points + line.penalties),
        "penalty": say_points(-line.penalties) if line.penalties else "·",
        "values": [(name := book.scheme.tie_breaks[at], say_tie_break(name, line.values[at])) for at in columns],
        "wins": line.wins,
        "played": line.played,
        "is_me": me is not None and entrant.pk == me.pk,
        "is_out": entrant.status == Entrant.Status.WITHDRAWN,
        "stand_in": say_stand_ins(book, entrant.name, stand_ins),
        "team": book.name_team(entrant.pk),
    }


def _say_rounds(book: Book, line: Standing) -> list[str]:
    """Points by round as text; in an arena those of the latest games, the last one first."""
    if formats.of(book.tournament).columns.has_games:
        return [say_points(points) for points in line.rounds[::-1][:LATEST_GAMES] if points is not None]
    return ["·" if points is None else say_points(points) for points in line.rounds]


def say_tie_break(name: str, value: Any) -> str:
    if value is None:
        return "–"
    if name in ("opponents", "best", "head-to-head"):
        return say_points(value)
    if name == "ratio":
        return str(number_format(f"{float(value):.3f}"))
    return str(value) if name == "wins" else f"{value:012x}"[:4]


def find_deciders(book: Book, after: int | None) -> dict[str, frozenset[int]]:
    """By entrant: indexes of the tie-breaks that separate them from others with equal points."""
    lines = ranking.rank(book, after)
    if explain_order(book, after):
        return {line.entrant: frozenset() for line in lines}
    return book.derived.get(("deciders", after), (lines,), lambda: find_parting(lines))


def label_tie_breaks(
    values: Sequence[tuple[str, str]], decides: Sequence[bool]
) -> tuple[tuple[str, str, str, bool], ...]:
    """Tie-breaks of a row, each as (kind, name, value, whether it decides its place)."""
    return tuple(
        (kind, str(TIE_BREAKS[kind]), value, is_decider)
        for (kind, value), is_decider in zip(values, decides, strict=True)
    )


def name_tie_breaks(names: Iterable[str]) -> list[tuple[str, str]]:
    """The full and the short name of each tie-break."""
    return [(str(TIE_BREAKS[name]), str(SHORT_TIE_BREAKS[name])) for name in names]


def find_width_class(rounds: int, tie_breaks: int, *, sheets: int = 0, penalties: int = 0) -> str:
    """The CSS class for the width of a table of standings.

    sheets: columns with the latest games of an arena; penalties: columns with penalties.
    """
    width = NAME_REM + rounds * ROUND_REM + (tie_breaks + penalties) * TIE_BREAK_REM + sheets * LATEST_GAMES_REM
    return next((name for most, name in WIDTH_CLASSES if width <= most), "endless")


def list_rounds(book: Book) -> list[Round]:
    """The released and complete rounds, in order."""
    return [played for played in book.rounds if played.status in (Round.Status.RELEASED, Round.Status.COMPLETE)]


def find_substitution(book: Book, played: Round, player: Player | None) -> dict[str, Any] | None:
    """The seat where the player is a substitute in the round under way, with no result yet; else None."""
    if player is None or played.status != Round.Status.RELEASED:
        return None
    for pod in list_current_pods(book, played):
        for seat in book.seats.get(pod.id, ()):
            if seat.substitute_id == player.pk and book.accepted(pod) is None:
                return {
                    "name": book.entrants[seat.entrant_id].name,
                    "number": find_table_number(pod, has_rounds=formats.of(book.tournament).has_rounds),
                    "pod": pod.number,
                    "table_id": pod.table_id,
                    "is_online": pod.is_online,
                }
    return None


def find_table_number(pod: Pod, *, has_rounds: bool) -> int | None:
    """The table number that players look for in the hall; None for an online table of an arena."""
    return None if pod.is_online and not has_rounds else pod.real_table or pod.number


def list_current_pods(book: Book, played: Round) -> Sequence[Pod]:
    """The pods for the hall and for printing: all of a round; of an arena those under way, real tables first."""
    if formats.of(book.tournament).has_rounds:
        return book.pods.get(played.pk, ())
    return sorted(find_games(book).playing, key=lambda pod: (pod.real_table is None, pod.real_table or pod.number))


def list_rests(book: Book, played: Round, kind: str) -> list[Entrant]:
    """The entrants who sit this round out. kind: a value of `Rest.Kind`."""
    return [book.entrants[rest.entrant_id] for rest in book.rests.get(played.pk, ()) if rest.kind == kind]


def find_tables(book: Book, played: Round, *, only: Sequence[Pod] | None = None) -> dict[str, Table]:
    """The online tables of a round (or of `only` these pods) by id, in one query."""
    pods = book.pods.get(played.pk, ()) if only is None else only
    ids = [pod.table_id for pod in pods if pod.table_id]
    return Table.objects.only("status", "ended_at").in_bulk(ids)


def build_bump_chart(book: Book, me: Entrant | None) -> BumpChart | None:
    """The bump chart of places after each complete round; None if there is too little to show."""
    places: dict[str, list[int | None]] = {}
    numbers = [played.number for played in book.complete_rounds()]
    for index, number in enumerate(numbers):
        for line in ranking.rank(book, number):
            places.setdefault(line.entrant, [None] * index).append(line.place)
    names = {key: entrant.name for key, entrant in book.by_key.items()}
    return render_bump(places, names, me=str(me.number) if me else None)


def list_comparisons(book: Book, played: Round, me: Entrant | None) -> list[dict[str, Any]]:
    """How others did with the reader's cards in a complete round of duplicate deals.

    Empty if the reader did not play, or nobody else had the same cards.
    """
    if me is None or not book.tournament.duplicate or played.status != Round.Status.COMPLETE:
        return []
    pods = [pod for pod in book.pods.get(played.pk, ()) if _played_duplicate_deal(book, pod)]
    chairs = [(pod, seat) for pod in pods for seat in book.seats[pod.pk]]
    mine = [_identify_cards(book, pod, seat) for pod, seat in chairs if seat.entrant_id == me.pk]
    same = [
        [_describe_comparison(book, pod, seat, me) for pod, seat in chairs if _identify_cards(book, pod, seat) == cards]
        for cards in mine
    ]
    groups = [[row for row in rows if row is not None] for rows in same]
    return [row for rows in groups if len({row["is_me"] for row in rows}) > 1 for row in rows]


def _played_duplicate_deal(book: Book, pod: Pod) -> bool:
    """Whether the round's duplicate deals were played at this table: online, and not closed before its game.

    For a pod from an archive, its record or the source of its result tells.
    """
    result = book.accepted(pod)
    is_told = bool(pod.record) or (result is not None and result.source == Result.Source.TABLE)
    return pod.is_online and (pod.table_id is not None or is_told)


def _identify_cards(book: Book, pod: Pod, seat: PodSeat) -> tuple[int, int, int]:
    """A key of a seat's cards: seating, number of seats and seat. Seats with equal keys had the same cards."""
    return pod.wave, len(book.seats[pod.pk]), seat.index


def _describe_comparison(book: Book, pod: Pod, seat: PodSeat, me: Entrant) -> dict[str, Any] | None:
    """A seat's place and score for the comparison; None if its player did not play or the table does not count."""
    result = book.pod_result(pod)
    if result is None or result.shown_places()[seat.index] is None:
        return None
    return {
        "name": book.entrants[seat.entrant_id].name,
        "table": pod.number,
        "place": result.places[seat.index],
        "score": result.shown_scores()[seat.index],
        "is_me": seat.entrant_id == me.pk,
        "stand_in": say_stand_in(
            seat.substitute_name or book.entrants[seat.entrant_id].name, stand_in_records.read(seat)
        ),
    }
