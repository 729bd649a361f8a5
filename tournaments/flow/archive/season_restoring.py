"""Creates a season from its file, with all its tournaments and their records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from games.models.spelling import find_flaw
from games.play.errors import BadInput
from tournaments.flow.archive import restoring, zip_import
from tournaments.flow.archive.restoring import PendingImport
from tournaments.flow.archive.season_document import (
    DECODER,
    FORMAT,
    LEAGUE,
    LEAGUE_FILE,
    ArchivedTournament,
    LeagueArchive,
    list_lines,
    name_file,
    read_agreement,
)
from tournaments.flow.archive.tournament_schema import Archive
from tournaments.flow.archive.zip_import import CheckedArchive
from tournaments.flow.archive.zip_limits import MAX_UNPACKED, ZIP, Zip, require_size
from tournaments.flow.seasons import season_changes, season_plan, season_standings
from tournaments.flow.steps.kinds import Kind
from tournaments.models import Entrant, Phase, Season, SeasonName, Step, Tournament

MAX_NAMES = 20_000
"""Names of entrants in a whole season."""


@dataclass(frozen=True, slots=True)
class CheckedSeasonArchive:
    """A valid season archive. packed: the ZIP in which it came, with the archives of its tournaments.

    key_seed: what the keys of their records are derived from.
    """

    archive: LeagueArchive
    packed: Zip | None = None
    key_seed: str = ""

    def list_archives(self) -> Iterator[CheckedArchive]:
        """Its tournaments, one at a time: all of them unpacked might be too much at once. Raises BadInput."""
        for number, one in enumerate(self.archive.tournaments, start=1):
            inner, key_seed = self._find_zip(number), f"{self.key_seed}/{number}"
            if inner is None:
                checked = CheckedArchive(one.tournament, key_seed=key_seed)
            else:
                checked = zip_import.open_zip(inner, key_seed)
            if _without_records(checked.archive) != _without_records(one.tournament):
                raise BadInput("%(file)s does not match the tournament in league.json.", file=name_file(number))
            yield checked

    def require_bounds(self) -> None:
        """Raises BadInput if everything together is too much."""
        inner = (self._find_zip(number) for number in range(1, len(self.archive.tournaments) + 1))
        require_size(sum(archive.size for archive in inner if archive is not None), MAX_UNPACKED)

    def _find_zip(self, number: int) -> Zip | None:
        name = name_file(number)
        return Zip(self.packed.read(name)) if self.packed is not None and name in self.packed else None


def _without_records(archive: Archive) -> Archive:
    rounds = tuple(
        msgspec.structs.replace(played, pods=tuple(msgspec.structs.replace(pod, record="") for pod in played.pods))
        for played in archive.rounds
    )
    return msgspec.structs.replace(archive, rounds=rounds)


def open_archive(raw: bytes, key_seed: str = "") -> CheckedSeasonArchive | None:
    """The uploaded season; None if the file is no season. It is a ZIP with `league.json`, or that itself.

    The records of its games are not checked yet. Raises BadInput with what is wrong.
    """
    if not raw.startswith(ZIP):
        require_size(len(raw))
        return CheckedSeasonArchive(_read(raw), key_seed=key_seed) if FORMAT.encode() in raw[:200] else None
    packed = Zip(raw)
    if LEAGUE_FILE not in packed:
        return None
    checked = CheckedSeasonArchive(_read(packed.read(LEAGUE_FILE)), packed, key_seed)
    checked.require_bounds()
    return checked


def write_season(pending: PendingImport, checked: CheckedSeasonArchive) -> Season:
    """The season without tournaments; one that was written before an interruption is left as it is."""
    sent, season_id = checked.archive, zip_import.derive_id(checked.key_seed)
    existing = Season.everything.filter(pk=season_id).first()
    if existing is not None:
        return existing
    made = Season.everything.create(
        id=season_id,
        club=pending.club,
        lot_seed=sent.lot_seed[:64],
        phase=Phase.ARCHIVED,
        finished_at=pending.end(sent.finished_at),
        arriving=pending.key,
        **season_plan.columns(read_agreement(sent.agreement)),
    )
    name = pending.player.name if pending.player else ""
    Step.objects.create(season=made, number=0, kind=Kind.RESTORE, actor=pending.player, actor_name=name, at=pending.now)
    return made


def write_night(
    pending: PendingImport, season: Season, order: int, archived: ArchivedTournament, inner: CheckedArchive
) -> Tournament:
    """One of its tournaments; one that was written before an interruption is left as it is. order: from 0."""
    played = restoring.write(pending, inner)
    is_unfinished = archived.tournament.finished_at is None
    finished_at = pending.now + order / 1000 if is_unfinished else played.finished_at
    Tournament.everything.filter(pk=played.pk).update(season=season, finished_at=finished_at)
    if not SeasonName.objects.filter(season=season, entrant__tournament=played).exists():
        _restore_names(season, played, archived)
    return played


def check_table(season: Season, checked: CheckedSeasonArchive, counted: Sequence[Tournament]) -> None:
    """Raises BadInput if the table in the archive does not follow from these tournaments."""
    table = season_standings.open_table(season, counted=counted)
    if checked.archive.table and list_lines(table.standing()) != checked.archive.table:
        raise BadInput("The standings in this archive do not match its results.")


def _read(raw: bytes) -> LeagueArchive:
    archive = zip_import.decode(raw, DECODER, FORMAT)
    season_plan.check(read_agreement(archive.agreement))
    names = [person.name for tournament in archive.tournaments for person in tournament.people]
    is_named = all(1 <= len(name) <= 40 and find_flaw(name) is None for name in names)
    if len(archive.tournaments) > season_changes.MAX_TOURNAMENTS or len(names) > MAX_NAMES:
        raise BadInput("This archive contains more than this site can import.")
    if archive.agreement.format != LEAGUE or not is_named:
        raise BadInput("This season cannot be imported because a name or its format is invalid.")
    for archived in archive.tournaments:
        zip_import.check(archived.tournament)
        _check_people(archived)
    return archive


def _check_people(archived: ArchivedTournament) -> None:
    numbers = [person.entrant for person in archived.people]
    names = [person.name for person in archived.people]
    entrant_numbers = {entrant.number for entrant in archived.tournament.entrants}
    if len(set(numbers)) < len(numbers) or len(set(names)) < len(names) or set(numbers) - entrant_numbers:
        raise BadInput(
            "In “%(name)s”, the list of people is not valid: a name or number appears twice or is unknown.",
            name=archived.tournament.agreement.name[:80],
        )


def _restore_names(season: Season, played: Tournament, archived: ArchivedTournament) -> None:
    pks = dict(Entrant.objects.filter(tournament=played).values_list("number", "pk"))
    SeasonName.objects.bulk_create(
        SeasonName(season=season, entrant_id=pks[person.entrant], name=person.name) for person in archived.people
    )
