"""Reads an uploaded archive of a tournament, and checks all of it before anything is written."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypeVar

import msgspec

from games.models.spelling import clean_foreign_name, find_flaw
from games.play.errors import BadInput
from games.records.fair import commit
from tournaments.flow.archive.tournament_document import TOURNAMENT_FILE
from tournaments.flow.archive.tournament_schema import (
    DECODER,
    FORMAT,
    Archive,
    ArchivedPod,
    ArchivedReason,
    ArchivedRound,
    ArchivedTeam,
)
from tournaments.flow.archive.zip_limits import ZIP, Zip, require_size
from tournaments.flow.entry.sign_up import MAX_ENTRANTS
from tournaments.flow.entry.teams import MAX_TEAMS
from tournaments.flow.planning import tournament_plan
from tournaments.flow.tokens import LETTERS
from tournaments.models import Entrant, Format, PodSeat, Result, Stage
from tournaments.scoring.points import MAX_SEATS

T = TypeVar("T")

NUL = rb"\u0000"
FORMAT_PREFIX = "menagerie-"
"""Prefix of the names of all file formats of this program."""
MAX_ROUNDS = 60
MAX_NUMBER = 32_000
"""Highest number of a table or wave."""
MAX_REASONS = 200
"""Sentences of one table that say why these people sit together, at most."""
SENTENCE = re.compile(r"(?:[^%]|%\([a-z]{1,20}\)[ds]){1,400}")
""""%(one)s and %(other)s meet again": places for names and numbers."""
RAW_VALUES = frozenset({"fields", "places"})
"""Placeholders that an archive must not use, because pages replace them by words instead of showing the value."""


class _Record(msgspec.Struct):
    """The part of a record that must match its table."""

    game: str
    players: tuple[msgspec.Raw, ...]


_record = msgspec.json.Decoder(_Record)


@dataclass(frozen=True, slots=True)
class CheckedArchive:
    """A valid archive. records: the files of its games' records in the ZIP `packed`.

    key_seed: what their keys are derived from.
    """

    archive: Archive
    packed: Zip | None = None
    records: frozenset[str] = frozenset()
    key_seed: str = ""

    def read_record(self, name: str) -> bytes:
        """One of the records. Raises BadInput."""
        return b"" if self.packed is None else self.packed.read(name)

    def check_record(self, name: str, raw: bytes) -> None:
        """Whether a record is of the game that was played at its table, by as many. Raises BadInput."""
        pods = [pod for played in self.archive.rounds for pod in played.pods if pod.record == name]
        record = _record.decode(raw.removeprefix(BOM_UTF8))
        sizes = {len(pod.seats) for pod in pods}
        if record.game != self.archive.agreement.game or sizes != {len(record.players)}:
            raise BadInput("It does not match the game or the number of players at its table.")

    def key_of(self, name: str) -> str:
        """The key under which this record is stored: derived, so that a repeated import finds it, and not guessable."""
        return derive_key_prefix(self.key_seed) + sha256(f"{self.key_seed}/{name}".encode()).hexdigest()[:12]

    @property
    def tournament_id(self) -> str:
        """The id of the imported tournament: derived, so that a repeated import finds it."""
        return derive_id(self.key_seed)


def derive_id(key_seed: str) -> str:
    """The id of the imported tournament or season, in the letters of all ids."""
    return "".join(LETTERS[byte % len(LETTERS)] for byte in sha256(f"{key_seed}/id".encode()).digest()[:10])


def derive_key_prefix(key_seed: str) -> str:
    """The prefix of the keys of a file's records."""
    return key_seed[:12]


def open_archive(raw: bytes, key_seed: str = "") -> CheckedArchive:
    """Read a ZIP, whose records are not looked at yet, or a JSON document. Raises BadInput with what is wrong."""
    if not raw.startswith(ZIP):
        require_size(len(raw))
        return CheckedArchive(_read(raw), key_seed=key_seed)
    return open_zip(Zip(raw), key_seed)


def open_zip(packed: Zip, key_seed: str = "") -> CheckedArchive:
    """A tournament, and its records, which are not looked at yet. Raises BadInput with what is wrong."""
    if TOURNAMENT_FILE not in packed:
        raise BadInput("There is no tournament.json in this archive.")
    archive = _read(packed.read(TOURNAMENT_FILE))
    named = {pod.record for played in archive.rounds if played.is_complete for pod in played.pods}
    return CheckedArchive(archive, packed, frozenset(name for name in named if name in packed), key_seed)


def _read(raw: bytes) -> Archive:
    archive = decode(raw, DECODER, FORMAT)
    check(archive)
    return archive


class _Head(msgspec.Struct):
    format: str = ""


_head = msgspec.json.Decoder(_Head)


def decode(raw: bytes, decoder: msgspec.json.Decoder[T], wanted: str) -> T:
    """Decode a document of the wanted format, and clean its texts.

    Raises BadInput with what is wrong, also for NUL, which not every database takes.
    """
    _require_format(raw, wanted)
    try:
        if NUL in raw:
            raise msgspec.DecodeError(NUL.decode())
        return msgspec.convert(_clean_texts(msgspec.json.decode(raw)), type=decoder.type)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _cannot_read(_find_part(error)) from error


def _clean_texts(value: Any) -> Any:
    """The same JSON with every text cleaned as form input is. Older versions allowed more characters."""
    if isinstance(value, str):
        return clean_foreign_name(value)
    if isinstance(value, list):
        return [_clean_texts(item) for item in value]
    return {key: _clean_texts(one) for key, one in value.items()} if isinstance(value, dict) else value


def _require_format(raw: bytes, wanted: str) -> None:
    try:
        found = _head.decode(raw).format
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _no_archive() from error
    if found != wanted and not found.startswith(FORMAT_PREFIX):
        raise _no_archive()
    if found != wanted:
        raise BadInput(
            "This site cannot import the file format “%(format)s”. The file may come from a newer version of "
            "Menagerie.",
            format=found[:40],
        )


def _find_part(error: Exception) -> str:
    """The part of the document that msgspec complains of: "rounds[0].number"; empty for the whole."""
    return str(error).partition(" - at `$")[2].strip(".`")


def _cannot_read(part: str) -> BadInput:
    if not part:
        return _no_archive()
    return BadInput("This is not a tournament archive: its part “%(part)s” is invalid.", part=part[:60])


def _no_archive() -> BadInput:
    return BadInput(
        "This is not a tournament archive. Choose a file from “Printouts and files” of this or another Menagerie site."
    )


def _find_doubled(values: Sequence[T]) -> T | None:
    """The first value that is there more than once."""
    return next((value for value, times in Counter(values).items() if times > 1), None)


def check(archive: Archive) -> None:
    """Raises BadInput with the first part that is not possible."""
    if archive.agreement.format not in Format.values:
        raise _cannot_read("agreement.format")
    tournament_plan.check(archive.agreement)
    if len(archive.entrants) > MAX_ENTRANTS or len(archive.rounds) > MAX_ROUNDS:
        raise BadInput("This archive contains more than this site can import.")
    numbers = [entrant.number for entrant in archive.entrants]
    names = [entrant.name for entrant in archive.entrants]
    if (number := _find_doubled(numbers)) is not None:
        raise BadInput("Two entrants have the same number: %(value)s.", value=str(number)[:60])
    if (name := _find_doubled(names)) is not None:
        raise BadInput("Two entrants have the same name: %(value)s.", value=name[:60])
    for archived in archive.entrants:
        is_named = 1 <= len(archived.name) <= 40 and find_flaw(archived.name) is None
        if not is_named or not archived.number or archived.status not in Entrant.Status.values:
            raise BadInput("The data of entrant %(number)s is invalid.", number=archived.number)
    if {penalty.entrant for penalty in archive.penalties} - set(numbers):
        raise BadInput("A penalty belongs to somebody who is not in the tournament.")
    _check_teams(archive.teams, frozenset(numbers))
    for played in archive.rounds:
        _check_round(played, frozenset(numbers), archive)


def _check_teams(teams: Sequence[ArchivedTeam], numbers: frozenset[int]) -> None:
    if len(teams) > MAX_TEAMS:
        raise BadInput("This archive contains more than this site can import.")
    doubled = (
        _find_doubled([archived.number for archived in teams]),
        _find_doubled([archived.name for archived in teams]),
    )
    for team in teams:
        is_named = 1 <= len(team.name) <= 40 and find_flaw(team.name) is None
        spans = [(member.first, member.last) for member in team.members]
        if not is_named or not team.number or any(last is not None and last < first for first, last in spans):
            raise BadInput("The data of team %(number)s is invalid.", number=team.number)
    now = [member.entrant for archived in teams for member in archived.members if member.last is None]
    everybody = {member.entrant for archived in teams for member in archived.members}
    if doubled != (None, None) or _find_doubled(now) is not None or everybody - numbers:
        raise BadInput("The teams of this archive do not fit its entrants.")


def _check_round(played: ArchivedRound, numbers: frozenset[int], archive: Archive) -> None:
    where = {"round": played.number}
    if (
        not played.number
        or played.stage not in Stage.values
        or [other.number for other in archive.rounds].count(played.number) > 1
    ):
        raise BadInput("The data of round %(round)s is invalid.", **where)
    seated = [seat.entrant for pod in played.pods for seat in pod.seats] + [*played.byes, *played.absent]
    tables = [[seat.entrant for seat in pod.seats] for pod in played.pods] if played.stage == Stage.ARENA else [seated]
    if set(seated) - numbers:
        raise BadInput("Round %(round)s lists somebody who is not in the tournament.", **where)
    if any(len(set(table)) < len(table) for table in tables):
        raise BadInput("Round %(round)s lists somebody twice.", **where)
    if len({pod.number for pod in played.pods}) < len(played.pods):
        raise BadInput("The data of round %(round)s is invalid.", **where)
    _check_solution(played)
    _check_promise(played)
    for pod in played.pods:
        _check_pod(pod, **where)


class _ObjectiveLine(msgspec.Struct):
    name: str
    value: int
    bound: int


class _Solution(msgspec.Struct):
    """What pages read of a draw."""

    objective: tuple[_ObjectiveLine, ...] = ()
    optimal: bool = False
    stopped: str | None = None
    seeding: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()


_solution = msgspec.json.Decoder(_Solution)


def _check_solution(played: ArchivedRound) -> None:
    try:
        _solution.decode(played.solution or "{}")
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BadInput("The draw of round %(round)s is invalid.", round=played.number) from error


def _check_promise(played: ArchivedRound) -> None:
    """The secret of duplicate deals is the one whose SHA-256 was published before."""
    if any(deal.secret and commit(bytes.fromhex(deal.secret)) != deal.commitment for deal in played.deals):
        raise BadInput("Round %(round)s: the deals do not match their commitment.", round=played.number)
    if not played.deal_secret:
        return
    try:
        digest = sha256(bytes.fromhex(played.deal_secret)).hexdigest()
    except ValueError:
        digest = ""
    if not digest or digest != played.deal_commitment:
        raise BadInput("Round %(round)s: the deals do not match their commitment.", round=played.number)


def _check_pod(pod: ArchivedPod, **where: int) -> None:
    size = len(pod.seats)
    where = where | {"table": pod.number}
    is_counted = all(0 <= number <= MAX_NUMBER for number in (pod.number, pod.wave, pod.real_table or 0))
    if not is_counted or not 1 <= size <= MAX_SEATS or any(seat.fate not in PodSeat.Fate.values for seat in pod.seats):
        raise BadInput("Round %(round)s, table %(table)s: the data is invalid.", **where)
    if pod.places is not None and (len(pod.places) != size or not is_ranking(pod.places)):
        raise BadInput("Round %(round)s, table %(table)s: these places are not possible.", **where)
    if pod.source not in Result.Source.values or not _can_all_be_said(pod.reasons):
        raise BadInput("Round %(round)s, table %(table)s: the data is invalid.", **where)
    if pod.scores is not None and len(pod.scores) != size:
        raise BadInput("Round %(round)s, table %(table)s: every seat needs a score.", **where)


def _can_all_be_said(reasons: tuple[ArchivedReason, ...]) -> bool:
    """Whether these sentences have places for exactly the given values."""
    return len(reasons) <= MAX_REASONS and all(
        SENTENCE.fullmatch(reason.template) and RAW_VALUES.isdisjoint(reason.values) for reason in reasons
    )


def is_ranking(places: tuple[int, ...]) -> bool:
    """Whether these are valid places: for each, one less than the place are better."""
    return all(place == 1 + sum(other < place for other in places) for place in places)
