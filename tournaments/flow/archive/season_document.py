"""A season as a file: `menagerie-league/1`, with every tournament that counts."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, Literal

import msgspec

from tournaments.flow.archive import tournament_document, zip_export
from tournaments.flow.archive.csv_export import decimal, to_file, write_table
from tournaments.flow.archive.tournament_schema import Archive, Moment, Number
from tournaments.flow.archive.zip_export import ReportProgress, ZipWriter, ignore_progress
from tournaments.flow.planning.tournament_plan import Agreement
from tournaments.flow.seasons import season_plan
from tournaments.flow.seasons.season_plan import SeasonPlan
from tournaments.flow.seasons.season_standings import SeasonTable, remember_rank
from tournaments.flow.standings import ranking
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import Pod, Season
from tournaments.scoring.seasons import SeasonLine

FORMAT: Final = "menagerie-league/1"
LEAGUE_FILE = "league.json"
LEAGUE: Final = "league"
"""The format in the agreement of a season, in files and in the API."""


class ArchivedPerson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """entrant: their number in the tournament; name: the one under which they stand in the season."""

    entrant: Number
    name: str


class ArchivedTournament(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament that counts, and who is who in the season."""

    tournament: Archive
    people: tuple[ArchivedPerson, ...]


class ArchivedSeasonLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the table when this was written. points: as decimal rounds won."""

    place: Number
    name: str
    points: str


class LeagueArchive(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One season. Reading it back gives the same table. finished_at: null while it goes on.

    agreement: in the shape of a tournament's; a season has no more of it than `SeasonPlan` has.
    """

    format: Literal["menagerie-league/1"]
    club: str
    agreement: Agreement
    lot_seed: str
    tournaments: tuple[ArchivedTournament, ...]
    table: tuple[ArchivedSeasonLine, ...] = ()
    finished_at: Moment | None = None


DECODER = msgspec.json.Decoder(LeagueArchive)


def describe(table: SeasonTable, report: ReportProgress = ignore_progress) -> LeagueArchive:
    """The season as it stands: its finished tournaments, in their order.

    report: called after each of them.
    """
    people: dict[str, list[ArchivedPerson]] = {event.pk: [] for event in table.counted}
    for entry in table.entries:
        people[entry.tournament_id].append(ArchivedPerson(entry.number, table.names[entry.pk]))
    games, done, described = count_tables([event.pk for event in table.finished]), 0, []
    for tournament in table.finished:
        book = open_book(tournament)
        remember_rank(tournament, ranking.rank(book))
        described.append(ArchivedTournament(tournament_document.describe(book), tuple(people[tournament.pk])))
        done += sum(len(played.pods) for played in described[-1].tournament.rounds)
        report(min(done, games), games)
    return LeagueArchive(
        format=FORMAT,
        club=table.season.club.name,
        agreement=describe_agreement(table.season),
        lot_seed=table.season.lot_seed,
        tournaments=tuple(described),
        table=list_lines(table.standing()),
        finished_at=table.season.finished_at,
    )


def describe_agreement(season: Season) -> Agreement:
    """The plan of a season as files and the API have it."""
    return Agreement(format=LEAGUE, **msgspec.structs.asdict(season_plan.read(season)))


def read_agreement(agreement: Agreement) -> SeasonPlan:
    """The plan of a season from a file: the inverse of `describe_agreement`."""
    return SeasonPlan(**{name: getattr(agreement, name) for name in SeasonPlan.__struct_fields__})


def list_lines(lines: tuple[SeasonLine, ...]) -> tuple[ArchivedSeasonLine, ...]:
    """The table as an archive has it."""
    return tuple(ArchivedSeasonLine(line.place, line.person, decimal(line.points)) for line in lines)


def count_tables(tournament_ids: Collection[str]) -> int:
    """How many games these tournaments had, at real tables and on screens."""
    return Pod.objects.filter(round__tournament__in=tournament_ids).count()


def write_json(table: SeasonTable, report: ReportProgress = ignore_progress) -> bytes:
    """The season as a JSON document. report: as of `describe`."""
    return msgspec.json.format(msgspec.json.encode(describe(table, report)), indent=1)


def write_standings(table: SeasonTable, after: int | None = None) -> str:
    """The table as CSV: place, name, points, tournaments played, won, one column a tournament, the tie-breaks, and in
    how many games bots played for this person."""
    stand_ins = table.stand_ins(after)
    counted = table.finished if after is None else table.finished[:after]
    heads = [
        "place",
        "name",
        "points",
        "played",
        "won",
        *(tournament.name for tournament in counted),
        *table.scheme.tie_breaks,
    ]
    heads.append("stand-in games")
    return write_table(
        heads,
        [
            [line.place, line.person, decimal(line.points), line.played, line.wins,
             *("" if result is None else decimal(result) for result in line.results),
             *(_value(name, value) for name, value in zip(table.scheme.tie_breaks, line.values, strict=True)),
             stand_ins.get(line.person, 0)]
            for line in table.standing(after)
        ],
    )  # fmt: skip


def _value(name: str, value: Any) -> Any:
    if value is None:
        return ""
    return decimal(value) if name in ("best", "head-to-head") else int(value)


def write_zip(
    table: SeasonTable, report: ReportProgress = ignore_progress, unfinished: ZipWriter | None = None
) -> bytes:
    """league.json, standings.csv, and the archive of every tournament with its records.

    report: called after each record; unfinished: the ZIP to be continued.
    """
    total, before, writer = count_records(table), 0, unfinished or ZipWriter()
    document = write_json(table, lambda _done, _games: report(0, total))
    writer.begin({LEAGUE_FILE: document, "standings.csv": to_file(write_standings(table))})
    for number, one in enumerate(table.finished, start=1):
        name = name_file(number)
        if name not in writer:
            writer.add(name, zip_export.write_zip(open_book(one), _offset(report, before, total)))
        before += tournament_document.count_recorded([one.pk])
        report(before, total)
    return writer.end()


def count_records(table: SeasonTable) -> int:
    """How many records are in the season's archive."""
    return tournament_document.count_recorded([tournament.pk for tournament in table.finished])


def _offset(report: ReportProgress, before: int, total: int) -> ReportProgress:
    return lambda done, _total: report(before + done, total)


def name_file(number: int) -> str:
    """The file of the season's first, second … tournament: "tournaments/1.zip"."""
    return f"tournaments/{number}.zip"
