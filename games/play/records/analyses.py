"""Analyses as stored jobs: asked for once for each record, claimed by one worker, cancelled, and read."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from typing import Any, Final

from django.db import DatabaseError
from django.db.models import Q

from games.analysis.report import VERSION, digest_record
from games.bots.appraisal import can_appraise
from games.models import GameAnalysis, PersonAnalysis, Seat, Table
from games.play.errors import Busy, NotFound
from games.play.records import game_record
from games.play.records.replays import read_upload
from games.play.storage import store
from games.play.storage.table import OVER
from games.records import strict_json
from games.records.format import Record
from games.records.playback import Playback
from games.records.writer import to_text

MAX_WAITING: Final = 100
"""Analyses that wait or run at a time on this site."""
LOST_SECONDS: Final = 60.0
"""Seconds without a sign of life after which a worker counts as lost."""
MAX_ATTEMPTS: Final = 3
"""How often a worker begins an analysis before it counts as failed."""
TABLE: Final = "table"
UPLOAD: Final = "upload"


def can_analyse(watched: Playback) -> bool:
    """Whether this game is finished, and its bots can judge a position."""
    return can_appraise(watched.record.game) and watched.rules.outcome(watched.moments[-1].state) is not None


def find(record: Record) -> GameAnalysis | None:
    """The analysis of this record, whatever its status; None if nobody has asked for one of this version."""
    return GameAnalysis.objects.filter(pk=digest_record(record), version=VERSION).first()


def request(record: Record, source: str, key: str, *, now: float) -> GameAnalysis:
    """The analysis of this record; a new one is queued if there is none yet, or the last one failed. Raises Busy."""
    existing = find(record)
    if existing is not None and existing.status in (GameAnalysis.Status.WAITING, GameAnalysis.Status.DONE):
        return existing
    try:
        if GameAnalysis.objects.filter(status=GameAnalysis.Status.WAITING).count() >= MAX_WAITING:
            raise Busy("Too many games are waiting to be analysed. Try again later.")
        fresh = {
            "version": VERSION, "source": source, "key": key, "status": GameAnalysis.Status.WAITING, "text": "",
            "done": 0, "total": 0, "error": "", "claim": "", "attempts": 0, "asked_at": now, "seen_at": None,
            "ended_at": None,
        }  # fmt: skip
        made, _is_new = GameAnalysis.objects.update_or_create(digest=digest_record(record), defaults=fresh)
    except DatabaseError as error:
        raise Busy("The database could not save this. Nothing was changed. Try again in a moment.") from error
    return made


def cancel(digest: str, *, now: float) -> None:
    """End a waiting or running analysis; its worker stops at its next sign of life."""
    waiting = GameAnalysis.objects.filter(pk=digest, status=GameAnalysis.Status.WAITING)
    waiting.update(status=GameAnalysis.Status.CANCELLED, claim="", ended_at=now)


def claim(digest: str, *, now: float) -> GameAnalysis | None:
    """This analysis for this worker; None if it is done, cancelled or another worker's, or was tried too often."""
    free = Q(claim="") | Q(seen_at__lt=now - LOST_SECONDS)
    waiting = GameAnalysis.objects.filter(free, pk=digest, status=GameAnalysis.Status.WAITING).first()
    if waiting is None:
        return None
    if waiting.attempts >= MAX_ATTEMPTS:
        fail(waiting, "", now=now)
        return None
    token, attempts = secrets.token_urlsafe(12), waiting.attempts
    mine = GameAnalysis.objects.filter(free, pk=digest, attempts=attempts, status=GameAnalysis.Status.WAITING)
    if not mine.update(claim=token, seen_at=now, attempts=attempts + 1):
        return None
    return GameAnalysis.objects.get(pk=digest)


def note_progress(job: GameAnalysis, done: int, total: int, *, now: float) -> bool:
    """Store how far it is; False if the analysis is not this worker's any more."""
    return bool(_own_claim(job).update(done=done, total=total, seen_at=now))


def fail(job: GameAnalysis, sentence: str, *, now: float) -> None:
    """The analysis ends without a result."""
    _own_claim(job).update(status=GameAnalysis.Status.FAILED, error=sentence, ended_at=now)


def finish(job: GameAnalysis, found: Mapping[str, Any], *, now: float) -> None:
    """Store the result, and what it says of the people at its table."""
    seats = [{key: value for key, value in seat.items() if key != "name"} for seat in found["seats"]]
    text = strict_json.write({**found, "seats": seats})  # names can change, and people can leave
    if not _own_claim(job).update(
        status=GameAnalysis.Status.DONE, text=text, ended_at=now, done=found["plies"], total=found["plies"]
    ):
        return
    table = Table.objects.filter(pk=job.key).first() if job.source == TABLE else None
    if table is None:
        return
    people = dict(Seat.objects.filter(table=table, player__isnull=False).values_list("index", "player_id"))
    for seat in found["seats"]:
        player = people.get(seat["seat"])
        if player is not None and seat["average_loss"] is not None:
            PersonAnalysis.objects.update_or_create(
                player_id=player,
                table=table,
                defaults={
                    "game": found["game"],
                    "decisions": seat["decisions"],
                    "average_loss": seat["average_loss"],
                    "luck": seat["luck"],
                    "at": table.ended_at or now,
                },
            )


def list_lost(*, now: float) -> list[str]:
    """The digests of analyses that wait and that no worker holds, longest waiting first."""
    waiting = GameAnalysis.objects.filter(Q(claim="") | Q(seen_at__lt=now - LOST_SECONDS))
    return list(waiting.filter(status=GameAnalysis.Status.WAITING).order_by("asked_at").values_list("pk", flat=True))


def read_record_text(job: GameAnalysis) -> str | None:
    """The text of the record; None if it is gone, or its game is not over."""
    if job.source == UPLOAD:
        return read_upload(job.key)
    table = store.fetch(job.key)
    return to_text(game_record.export(table)) if table.status == OVER and table.outcome is not None else None


def count_before(job: GameAnalysis) -> int:
    """How many analyses are worked on before this one."""
    return GameAnalysis.objects.filter(status=GameAnalysis.Status.WAITING, asked_at__lt=job.asked_at).count()


def read_result(job: GameAnalysis) -> dict[str, Any]:
    """The result of an analysis that is done."""
    found: dict[str, Any] = json.loads(job.text)
    return found


def require_result(record: Record) -> dict[str, Any]:
    """The result for this record. Raises NotFound as long as there is none."""
    job = find(record)
    if job is None or job.status != GameAnalysis.Status.DONE:
        raise NotFound("This game has not been analysed yet.")
    return read_result(job)


def list_of_person(player_id: int, *, most: int) -> list[PersonAnalysis]:
    """What the latest analyses say of this person, oldest first."""
    return list(PersonAnalysis.objects.filter(player_id=player_id).order_by("-at", "-pk")[:most])[::-1]


def _own_claim(job: GameAnalysis) -> Any:
    return GameAnalysis.objects.filter(pk=job.pk, claim=job.claim, status=GameAnalysis.Status.WAITING)
