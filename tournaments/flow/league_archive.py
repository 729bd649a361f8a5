"""A season as a file: `menagerie-league/1`, with every tournament that counts, and read back with all of them."""

from __future__ import annotations

import io
import zipfile
from typing import Any, Final, Literal

import msgspec
from django.db import transaction

from games.models import Player
from games.play.errors import BadInput
from tournaments.flow import archive, league, planning, restoring
from tournaments.flow.archive import Archive, decimal
from tournaments.flow.book import open_book
from tournaments.flow.league import Table
from tournaments.flow.permissions import require_role
from tournaments.flow.planning import Agreement
from tournaments.flow.tokens import draw_id, draw_token
from tournaments.models import Club, Entrant, Format, LeagueName, Phase, Role, Step, Tournament
from tournaments.scoring.league import LeagueLine

FORMAT: Final = "menagerie-league/1"
LEAGUE_FILE = "league.json"
MOST_NAMES = 20_000
"""Of entrants in a whole season."""


class ArchivedPerson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """entrant: his number in the tournament; name: the one under which he stands in the season."""

    entrant: int
    name: str


class ArchivedTournament(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament that counts, and who is who in the season."""

    tournament: Archive
    people: tuple[ArchivedPerson, ...]


class ArchivedLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the table when this was written. points: as decimal rounds won."""

    place: int
    name: str
    points: str


class LeagueArchive(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One season. Reading it back gives the same table."""

    format: Literal["menagerie-league/1"]
    club: str
    agreement: Agreement
    lot_seed: str
    tournaments: tuple[ArchivedTournament, ...]
    table: tuple[ArchivedLine, ...] = ()


def describe(table: Table) -> LeagueArchive:
    """The season as it stands: its finished tournaments, in their order."""
    return LeagueArchive(
        format=FORMAT,
        club=table.league.club.name,
        agreement=planning.read(table.league),
        lot_seed=table.league.lot_seed,
        tournaments=tuple(
            ArchivedTournament(
                archive.describe(open_book(one)),
                tuple(
                    ArchivedPerson(entry.number, table.names[entry.pk])
                    for entry in table.entries
                    if entry.tournament_id == one.pk
                ),
            )
            for one in table.finished
        ),
        table=_lines(table.standing()),
    )


def _lines(lines: tuple[LeagueLine, ...]) -> tuple[ArchivedLine, ...]:
    return tuple(ArchivedLine(line.place, line.person, decimal(line.points)) for line in lines)


def write_json(table: Table) -> bytes:
    """The season as a JSON document."""
    return msgspec.json.format(msgspec.json.encode(describe(table)), indent=1)


def write_standings(table: Table, after: int | None = None) -> str:
    """The table as CSV: place, name, points, tournaments played, won, one column a tournament, the tie-breaks."""
    counted = table.finished if after is None else table.finished[:after]
    heads = ["place", "name", "points", "played", "won", *(one.name for one in counted), *table.season.tie_breaks]
    return archive.write_table(
        heads,
        [
            [line.place, line.person, decimal(line.points), line.played, line.wins,
             *("" if one is None else decimal(one) for one in line.results),
             *(_value(name, value) for name, value in zip(table.season.tie_breaks, line.values, strict=True))]
            for line in table.standing(after)
        ],
    )  # fmt: skip


def _value(name: str, value: Any) -> Any:
    if value is None:
        return ""
    return decimal(value) if name == "best" else int(value)


def write_zip(table: Table) -> bytes:
    """league.json, standings.csv, and the archive of every tournament with its records."""
    store_in = io.BytesIO()
    with zipfile.ZipFile(store_in, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(LEAGUE_FILE, write_json(table))
        file.writestr("standings.csv", archive.to_file(write_standings(table)))
        for number, one in enumerate(table.finished, start=1):
            file.writestr(f"tournaments/{number}.zip", archive.write_zip(open_book(one)))
    return store_in.getvalue()


def find(raw: bytes) -> bytes | None:
    """The season's document in what somebody sent, if it is one: a ZIP with `league.json`, or that itself.

    Raises BadInput if it is too big or cannot be opened.
    """
    if raw.startswith(b"PK"):
        return restoring.unpack(raw).get(LEAGUE_FILE)
    return raw if FORMAT.encode() in raw[:200] and len(raw) <= restoring.MOST_BYTES else None


def restore(club: Club, player: Player | None, raw: bytes, *, now: float) -> Tournament:
    """A new, archived season of this club, with its tournaments. Raises NotAllowed, BadInput.

    Records come along with the archives of the single tournaments, not here.
    """
    require_role(club, player.pk if player else None, Role.ORGANISER)
    known = _read(raw)
    with transaction.atomic():
        season = Tournament.objects.create(
            id=draw_id(), club=club, entry_token=draw_token(), lot_seed=known.lot_seed[:64],
            phase=Phase.ARCHIVED, finished_at=now, **planning.columns(known.agreement),
        )  # fmt: skip
        name = player.name if player else ""
        Step.objects.create(tournament=season, number=0, kind="restore", actor=player, actor_name=name, at=now)
        for order, one in enumerate(known.tournaments):
            played = restoring.restore(club, player, restoring.Parcel(one.tournament), now=now)
            Tournament.objects.filter(pk=played.pk).update(season=season, finished_at=now + order / 1000)
            _name(season, played, one)
        if known.table and _lines(league.open_table(season).standing()) != known.table:
            raise BadInput("The standings in this archive do not follow from its results.")
    return season


def _read(raw: bytes) -> LeagueArchive:
    try:
        known = msgspec.json.decode(raw, type=LeagueArchive)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput("This is no archive of a tournament: %(why)s.", why=str(error)[:200]) from error
    planning.check(known.agreement)
    names = [person.name for one in known.tournaments for person in one.people]
    is_named = all(1 <= len(name) <= 40 and name.isprintable() for name in names)
    if len(known.tournaments) > league.MOST_TOURNAMENTS or len(names) > MOST_NAMES:
        raise BadInput("That is more than a tournament here can hold.")
    if known.agreement.format != Format.LEAGUE or not is_named:
        raise BadInput("This season cannot be read: a name or its format is wrong.")
    for one in known.tournaments:
        restoring.check(one.tournament)
        _check_people(one)
    return known


def _check_people(one: ArchivedTournament) -> None:
    numbers = [person.entrant for person in one.people]
    names = [person.name for person in one.people]
    known = {entrant.number for entrant in one.tournament.entrants}
    if len(set(numbers)) < len(numbers) or len(set(names)) < len(names) or set(numbers) - known:
        raise BadInput("In “%(name)s” two people stand under one name.", name=one.tournament.agreement.name[:80])


def _name(season: Tournament, played: Tournament, one: ArchivedTournament) -> None:
    pks = dict(Entrant.objects.filter(tournament=played).values_list("number", "pk"))
    LeagueName.objects.bulk_create(
        LeagueName(tournament=season, entrant_id=pks[person.entrant], name=person.name) for person in one.people
    )
