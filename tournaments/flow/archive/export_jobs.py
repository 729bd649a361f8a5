"""Files that take their time, made as errands: an archive of many games, a long season as a document, and everything
that is known of a person."""

from __future__ import annotations

import gzip
import io

from games.models import Player, Seat
from games.play.errors import BadInput, NotFound
from tournaments.flow.archive import background_jobs, season_document, tournament_document, zip_export
from tournaments.flow.archive.background_jobs import JobClaim, JobHandler, JobRequest
from tournaments.flow.archive.person_export import export_person
from tournaments.flow.archive.zip_export import Tell, ZipWriter, say_nothing
from tournaments.flow.seasons import season_standings
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import Errand, ErrandFile, Season, Tournament

AT_ONCE = 30
"""The file of up to so many games, about a second, is made while somebody waits for it."""
NIGHTS_AT_ONCE, TABLES_AT_ONCE = 5, 150
"""Of a season, so many tournaments with so many games at real tables or on screens."""
MOST_BYTES = 100_000_000
"""Of a file that is made."""


SEASON_KINDS = {season_document.LEAGUE_FILE: Errand.Kind.SEASON, "archive.zip": Errand.Kind.ARCHIVE}
"""The kind of errand that makes a file of a season, by its name; any other one is always made at once."""


def find_kind(of: Tournament | Season, name: str) -> str | None:
    """The kind of errand that makes this file of it; None for one that is always made at once."""
    if isinstance(of, Season):
        return SEASON_KINDS.get(name)
    return Errand.Kind.ARCHIVE if name == "archive.zip" else None


def is_quick(of: Tournament | Season, kind: str) -> bool:
    """Whether this file is made at once."""
    there = [of.pk]
    if isinstance(of, Season):
        there = season_standings.finished_of(of)
        if len(there) > NIGHTS_AT_ONCE or season_document.count_tables(there) > TABLES_AT_ONCE:
            return False
    return kind == Errand.Kind.SEASON or tournament_document.count_recorded(there) <= AT_ONCE


def write_at_once(of: Tournament | Season, kind: str) -> bytes:
    """A file that is quick."""
    if isinstance(of, Season) and kind == Errand.Kind.SEASON:
        return season_document.write_json(season_standings.read_table(of))
    return write_archive(of)


def write_archive(of: Tournament | Season, tell: Tell = say_nothing, begun: ZipWriter | None = None) -> bytes:
    """The tournament, or the season, as one ZIP.

    tell: hears after each game how many of how many are in; begun: what is gone on with.
    """
    if isinstance(of, Season):
        return season_document.write_zip(season_standings.read_table(of), tell, begun)
    return zip_export.write_zip(open_book(of), tell, begun)


def ask_file(of: Tournament | Season, kind: str, player: Player | None, stamp: str, *, now: float) -> Errand:
    """The errand that makes the file, or has made it. stamp: what it is about is like now. Raises Busy."""
    wish = JobRequest(kind, f"{kind}:{of.pk}", player, stamp=stamp)
    wish = wish._replace(season=of) if isinstance(of, Season) else wish._replace(tournament=of)
    return background_jobs.ask(wish, now=now)


def find_making(of: Tournament | Season, kind: str) -> Errand | None:
    """The errand that makes it, if one does."""
    return of.errands.filter(kind=kind, status=Errand.Status.WAITING).first()


def pack(claim: JobClaim) -> None:
    """Make an archive, or go on with one. Raises Overtaken, BadInput."""
    of = claim.errand.season or claim.errand.tournament
    assert of is not None  # noqa: S101 - so it was asked for
    _end(claim, write_archive(of, claim.tell, ZipWriter(claim.read_file(), claim.keep)))


def tell(claim: JobClaim) -> None:
    """Make the document of a season, and keep it compressed. Raises Overtaken, BadInput."""
    season = claim.errand.season
    assert season is not None  # noqa: S101 - so it was asked for
    _end(claim, gzip.compress(season_document.write_json(season_standings.read_table(season), claim.tell), 6))


def is_quick_person(player: Player) -> bool:
    """Whether everything that is known of this person is put together at once."""
    return Seat.objects.filter(player=player).count() <= AT_ONCE


def find_person(player: Player) -> Errand | None:
    """The errand that puts it together, or has done so of late."""
    return Errand.objects.filter(sameness=_sameness(player)).exclude(status=Errand.Status.FAILED).first()


def ask_person(player: Player, *, now: float) -> Errand:
    """The errand that puts together what is known of this person. Raises Busy."""
    return background_jobs.ask(JobRequest(Errand.Kind.PERSON, _sameness(player), player), now=now)


def _sameness(player: Player) -> str:
    return f"{Errand.Kind.PERSON}:{player.pk}"


def collect(claim: JobClaim) -> None:
    """Put it together, and keep it compressed. Raises Overtaken, BadInput, NotFound."""
    player = claim.errand.player
    if player is None:
        raise NotFound("This site no longer stores anything about you.")
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=6) as file:
        for piece in export_person(player, claim.tell):
            file.write(piece.encode())
    _end(claim, packed.getvalue())


def _end(claim: JobClaim, content: bytes) -> None:
    if len(content) > MOST_BYTES:
        most = MOST_BYTES // 1_000_000
        raise BadInput("This file would be larger than %(most)s MB. Ask the administrator for a backup.", most=most)
    with claim.ending():
        ErrandFile.objects.update_or_create(errand=claim.errand, defaults={"content": content})


def find_file(errand: Errand) -> bytes | None:
    """What was made, if it is there."""
    if errand.status != Errand.Status.DONE:
        return None
    content = ErrandFile.objects.filter(errand=errand).values_list("content", flat=True).first()
    return None if content is None else bytes(content)


PACKING, TELLING, COLLECTING = JobHandler(pack), JobHandler(tell), JobHandler(collect)
