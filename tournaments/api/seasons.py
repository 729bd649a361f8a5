"""The JSON API of seasons: their standings after so many tournaments."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Schema

from tournaments.api.readers import REFUSED, find_reader, find_season
from tournaments.api.routes import Router
from tournaments.flow import permissions
from tournaments.flow.seasons import season_standings
from tournaments.scoring.points import WHOLE
from tournaments.scoring.seasons import SeasonLine

router = Router(tags=["seasons"])


class SeasonLineOut(Schema):
    """A line of a season's standings. points: in rounds won, a decimal number. played: how many tournaments. wins:
    how many of them were won. results: by tournament, in rounds won; null if they did not play. counts: which of the
    results are summed. tie_breaks: in the order of the season, as text. stand_ins: in how many games stand-ins played
    for this person.
    """

    place: int
    person: int | None
    name: str
    points: float
    played: int
    wins: int
    results: list[float | None]
    counts: list[bool]
    tie_breaks: list[str | None]
    stand_ins: int


class SeasonOut(Schema):
    """A season with its standings. after: how many tournaments count here. tournaments: their ids, in the order in
    which they were finished.
    """

    id: str
    name: str
    phase: str
    best_of: int | None
    after: int
    tournaments: list[str]
    tie_breaks: list[str]
    lines: list[SeasonLineOut]


@router.get("/seasons/{season_id}", response={200: SeasonOut, **REFUSED})
def show_season(request: HttpRequest, season_id: str, after: int | None = None) -> Any:
    """The standings of a season after so many of its finished tournaments, by default all."""
    found = find_season(request, season_id)
    table = season_standings.read_table(found)
    count = len(table.finished) if after is None else max(0, min(after, len(table.finished)))
    reader = find_reader(request, found.club_id)
    role = permissions.role_of(found.club, reader)
    stand_ins = table.stand_ins(count)
    return {
        "id": found.pk,
        "name": found.name,
        "phase": found.phase,
        "best_of": found.best_of,
        "after": count,
        "tournaments": [
            tournament.pk if permissions.can_see(tournament, reader, role) else ""
            for tournament in table.finished[:count]
        ],
        "tie_breaks": list(table.scheme.tie_breaks),
        "lines": [
            _describe_line(line, table.players.get(line.person), stand_ins.get(line.person, 0))
            for line in table.standing(count)
        ],
    }


def _describe_line(line: SeasonLine, person: int | None, stand_ins: int) -> dict[str, Any]:
    return {
        "place": line.place,
        "person": person,
        "name": line.person,
        "points": float(line.points / WHOLE),
        "played": line.played,
        "wins": line.wins,
        "results": [None if result is None else float(result / WHOLE) for result in line.results],
        "counts": list(line.counts),
        "tie_breaks": [None if value is None else str(value) for value in line.values],
        "stand_ins": stand_ins,
    }
