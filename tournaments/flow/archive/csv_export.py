"""Standings and results as CSV, for spreadsheets."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

from games.presenters.stand_in_texts import write_rounds, write_what
from tournaments import formats
from tournaments.flow.archive.tournament_document import public_rounds
from tournaments.flow.counting import stand_in_records
from tournaments.flow.standings import ranking, team_ranking
from tournaments.flow.standings.book import Book
from tournaments.models import Pod, Round
from tournaments.scoring.points import WHOLE
from tournaments.scoring.standings import Standing
from tournaments.scoring.teams import TeamStanding, list_team_tie_breaks

IN_POINTS = ("opponents", "head-to-head", "best")
"""Tie-breaks that are points."""
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet would calculate."""
VOID = "void"
"""What became of a chair at a table that counts for nobody."""
NUMBER = re.compile(r"-?\d+(\.\d+)?", re.ASCII)
"""A cell that is nothing but a number, and stays one."""


def write_standings(book: Book, after: int | None = None) -> str:
    """The standings as CSV: place, name, points in rounds won, one column a round, penalties, the tie-breaks, and
    the people that bots stood in for, with the rounds.

    In an arena, where people play as often as they like, the number of their games and the points from these instead
    of rounds. Rounds, or the points from games, and penalties (what was taken has a minus) add up to the points. In a
    tournament of teams the last column is the team of each person.
    """
    lines = ranking.rank(book, after)
    has_games = formats.of(book.tournament).columns.has_games
    rounds = ["games", "from games"] if has_games else [f"round {number}" for number in book.scored_rounds(after)]
    heads = ["place", "name", "points", *rounds, "penalties", *ranking.list_tie_breaks(book), "stand-in"]
    heads += ["team"] if team_ranking.has_teams(book) else []
    stand_ins = stand_in_records.count_stand_ins(book, after)
    return write_table(heads, [_build_line(book, line, stand_ins.get(line.entrant)) for line in lines])


def _build_line(book: Book, line: Standing, stand_ins: stand_in_records.StandInCount | None) -> list[Any]:
    rounds: list[Any] = (
        [line.played, decimal(line.points + line.penalties)]
        if formats.of(book.tournament).columns.has_games
        else ["" if points is None else decimal(points) for points in line.rounds]
    )
    values = map(_value, ranking.list_tie_breaks(book), line.values)
    points, penalties = decimal(line.points), decimal(-line.penalties)
    written = write_rounds(stand_ins.rounds) if stand_ins else ""
    entrant = book.by_key[line.entrant]
    team = book.find_team(entrant)
    teams = [team.name if team else ""] if team_ranking.has_teams(book) else []
    return [line.place, entrant.name, points, *rounds, penalties, *values, written, *teams]


def write_team_standings(book: Book, after: int | None = None) -> str:
    """The team standings as CSV: place, team, points in rounds won, one column a round, penalties, the tie-breaks that
    decide between teams, and the people of the team, substitutes included.

    The points of a round are those that count, less penalties; the rounds add up to the points.
    """
    names = list_team_tie_breaks(book.scheme)
    rounds = [f"round {number}" for number in book.scored_rounds(after)]
    heads = ["place", "team", "points", *rounds, "penalties", *names, "people"]
    return write_table(heads, [_team_line(book, line, names) for line in team_ranking.rank_teams(book, after)])


def _team_line(book: Book, line: TeamStanding, names: Sequence[str]) -> list[Any]:
    team = team_ranking.find_team(book, line.team)
    people = [book.entrants[member.entrant_id].name for member in team_ranking.list_members(book, team)]
    rounds = ["" if played.points is None else decimal(played.points) for played in line.rounds]
    values = map(_value, names, line.values)
    return [line.place, team.name, decimal(line.points), *rounds, decimal(-line.penalties), *values, ", ".join(people)]


def _value(tie_break: str, value: Any) -> str:
    """Points as rounds won, like the points themselves; everything else as it is."""
    if value is None:
        return ""
    if tie_break in IN_POINTS:
        return decimal(value)
    return str(value) if isinstance(value, int) else f"{float(value):.4f}"


def decimal(points: Any) -> str:
    """840ths as rounds won, with a point whatever the language: "3.5"."""
    return f"{float(points) / WHOLE:.4f}".rstrip("0").rstrip(".")


def write_results(book: Book) -> str:
    """Every seat of every pod as CSV, and everybody who had a bye or was absent: who was what in which round.

    fate: plays, no-show, forfeit, bye, absent; void where the table counts for nobody. stand-in: what a bot played for
    the person: "all of it", "from move 31". In a tournament of teams the last column is the team they played for.
    """
    heads = ["round", "table", "seat", "name", "place", "score", "fate", "substitute", "stand-in"]
    heads += ["team"] if team_ranking.has_teams(book) else []
    return "".join([write_table(heads, []), *[_write_round(book, played) for played in public_rounds(book)]])


def _write_round(book: Book, played: Round) -> str:
    rests = [
        [
            *(played.number, "", "", book.entrants[rest.entrant_id].name, "", "", rest.kind, "", ""),
            *_list_team(book, played, rest.entrant_id),
        ]
        for rest in book.rests.get(played.pk, ())
    ]
    pods = [_write_pod(book, played, pod) for pod in book.pods.get(played.pk, ())]
    return "".join([*pods, _write_rows(rests)])


def _write_pod(book: Book, played: Round, pod: Pod) -> str:
    """The lines of a pod: kept while they would say the same of the same people."""
    seats = book.seats.get(pod.id, ())
    people = [book.entrants[seat.entrant_id] for seat in seats]
    made_of = (pod, seats, book.results.get(pod.id, ()), book.teams, book.team_members, *people)
    return book.derived.get(("sheet", pod.id), made_of, lambda: _write_rows(_list_seat_rows(book, played, pod)))


def _list_seat_rows(book: Book, played: Round, pod: Pod) -> list[list[Any]]:
    result = book.pod_result(pod)
    rows: list[list[Any]] = []
    for index, seat in enumerate(book.seats.get(pod.id, ())):
        shown = (result.shown_places()[index], result.shown_scores()[index]) if result else (None, None)
        name = book.entrants[seat.entrant_id].name
        fate = VOID if result is not None and result.is_void else seat.fate
        stand_in = write_what(stand_in_records.read(seat))
        team = _list_team(book, played, seat.entrant_id)
        rows.append([played.number, pod.number, index + 1, name, *shown, fate, seat.substitute_name, stand_in, *team])
    return rows


def _list_team(book: Book, played: Round, entrant_id: int) -> list[str]:
    """The cell of the team that somebody played for in a round; no cell in a tournament without teams."""
    return [book.name_team(entrant_id, played.number)] if team_ranking.has_teams(book) else []


def write_table(heads: list[str], rows: list[list[Any]]) -> str:
    """A table as CSV, in which no cell calculates."""
    return _write_rows([heads, *rows])


def _write_rows(rows: Iterable[Sequence[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text).writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def to_file(table: str) -> bytes:
    """A table of text as a file, marked as UTF-8: spreadsheets take it for something else otherwise."""
    return table.encode("utf-8-sig")


def _cell(value: Any) -> Any:
    """A cell as text that a spreadsheet does not calculate; negative numbers stay numbers."""
    is_formula = isinstance(value, str) and value.startswith(FORMULA) and not NUMBER.fullmatch(value)
    return f"'{value}" if is_formula else value
