"""Files that take their time, made as errands: an archive of many games, a long season as a document, and everything
that is known of a person."""

from __future__ import annotations

import gzip
import io

from games.models import Player, Seat
from games.play.errors import BadInput, NotFound
from tournaments.flow.archive import background_jobs, season_document, tournament_document, zip_export
from tournaments.flow.archive.background_jobs import Claim, Wish, Work
from tournaments.flow.archive.person_export import export_person
from tournaments.flow.archive.zip_export import Packing, Tell, say_nothing
from tournaments.flow.seasons import season_standings
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import Errand, ErrandFile, Format, Tournament

AT_ONCE = 30
"""The file of up to so many games, about a second, is made while somebody waits for it."""
NIGHTS_AT_ONCE, TABLES_AT_ONCE = 5, 150
"""Of a season, so many tournaments with so many games at real tables or on screens."""
MOST_BYTES = 100_000_000
"""Of a file that is made."""


def find_kind(tournament: Tournament, name: str) -> str | None:
    """The kind of errand that makes this file of the tournament; None for one that is always made at once."""
    if name == season_document.LEAGUE_FILE and tournament.format == Format.LEAGUE:
        return Errand.Kind.SEASON
    return Errand.Kind.ARCHIVE if name == "archive.zip" else None


def is_quick(tournament: Tournament, kind: str) -> bool:
    """Whether this file is made at once."""
    there = [tournament.pk]
    if tournament.format == Format.LEAGUE:
        there = season_standings.finished_of(tournament)
        if len(there) > NIGHTS_AT_ONCE or season_document.count_tables(there) > TABLES_AT_ONCE:
            return False
    return kind == Errand.Kind.SEASON or tournament_document.count_recorded(there) <= AT_ONCE


def write_at_once(tournament: Tournament, kind: str) -> bytes:
    """A file that is quick."""
    if kind == Errand.Kind.SEASON:
        return season_document.write_json(season_standings.read_table(tournament))
    return write_archive(tournament)


def write_archive(tournament: Tournament, tell: Tell = say_nothing, begun: Packing | None = None) -> bytes:
    """The tournament, or the season, as one ZIP.

    tell: hears after each game how many of how many are in; begun: what is gone on with.
    """
    if tournament.format == Format.LEAGUE:
        return season_document.write_zip(season_standings.read_table(tournament), tell, begun)
    return zip_export.write_zip(open_book(tournament), tell, begun)


def ask_file(tournament: Tournament, kind: str, player: Player | None, stamp: str, *, now: float) -> Errand:
    """The errand that makes the file, or has made it. stamp: what the tournament is like now. Raises Busy."""
    sameness = f"{kind}:{tournament.pk}"
    return background_jobs.ask(Wish(kind, sameness, player, tournament=tournament, stamp=stamp), now=now)


def find_making(tournament: Tournament, kind: str) -> Errand | None:
    """The errand that makes it, if one does."""
    waiting = Errand.objects.filter(kind=kind, tournament=tournament, status=Errand.Status.WAITING)
    return waiting.first()


def pack(claim: Claim) -> None:
    """Make an archive, or go on with one. Raises Overtaken, BadInput."""
    tournament = claim.errand.tournament
    assert tournament is not None  # noqa: S101 - so it was asked for
    _end(claim, write_archive(tournament, claim.tell, Packing(claim.read_file(), claim.keep)))


def tell(claim: Claim) -> None:
    """Make the document of a season, and keep it compressed. Raises Overtaken, BadInput."""
    league = claim.errand.tournament
    assert league is not None  # noqa: S101 - so it was asked for
    _end(claim, gzip.compress(season_document.write_json(season_standings.read_table(league), claim.tell), 6))


def is_quick_person(player: Player) -> bool:
    """Whether everything that is known of this person is put together at once."""
    return Seat.objects.filter(player=player).count() <= AT_ONCE


def find_person(player: Player) -> Errand | None:
    """The errand that puts it together, or has done so of late."""
    return Errand.objects.filter(sameness=_sameness(player)).exclude(status=Errand.Status.FAILED).first()


def ask_person(player: Player, *, now: float) -> Errand:
    """The errand that puts together what is known of this person. Raises Busy."""
    return background_jobs.ask(Wish(Errand.Kind.PERSON, _sameness(player), player), now=now)


def _sameness(player: Player) -> str:
    return f"{Errand.Kind.PERSON}:{player.pk}"


def collect(claim: Claim) -> None:
    """Put it together, and keep it compressed. Raises Overtaken, BadInput, NotFound."""
    player = claim.errand.player
    if player is None:
        raise NotFound("This house knows nothing of you any more.")
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=6) as file:
        for piece in export_person(player, claim.tell):
            file.write(piece.encode())
    _end(claim, packed.getvalue())


def _end(claim: Claim, content: bytes) -> None:
    if len(content) > MOST_BYTES:
        most = MOST_BYTES // 1_000_000
        raise BadInput(
            "This file would be bigger than %(most)s MB. Ask whoever runs the server for a backup.", most=most
        )
    with claim.ending():
        ErrandFile.objects.update_or_create(errand=claim.errand, defaults={"content": content})


def find_file(errand: Errand) -> bytes | None:
    """What was made, if it is there."""
    if errand.status != Errand.Status.DONE:
        return None
    content = ErrandFile.objects.filter(errand=errand).values_list("content", flat=True).first()
    return None if content is None else bytes(content)


PACKING, TELLING, COLLECTING = Work(pack), Work(tell), Work(collect)
