"""Background jobs that people request: run by workers, step by step, exactly once even if a process is killed.

A job is a row. A worker claims it and sends a heartbeat with every step; after `LOST_AFTER` seconds without one another
worker may claim it, and what the first one still writes is refused. Every step may be taken twice; the last one writes
the outcome and that the job is done, both or neither.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import msgspec
from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import F, Q, QuerySet

from games.models import Player
from games.play.errors import Busy, Refusal, Stale
from games.play.sentences import Readable
from games.rules.phrases import Phrase
from tournaments.flow.tokens import make_token
from tournaments.models import BackgroundJob, BackgroundJobFile, Club, Season, Tournament

logger = logging.getLogger(__name__)

LOST_AFTER = 30.0
"""Seconds without a heartbeat after which another worker may claim a job."""
HEARTBEAT_SECONDS = 0.5
"""How often progress is written, which is the heartbeat too."""
PAUSE_SHARE = 0.25
"""How long a worker pauses after each step, as a share of that step: the processor is for games under way then."""
MAX_PAUSE_SECONDS = 0.1
"""Seconds; no pause is longer than this."""
MAX_ATTEMPTS = 5
"""Attempts after which a job has failed: it kills its workers."""
MAX_WAITING_A_CLUB = 3
"""Archives that wait to be imported into one club."""
MAX_WAITING = 30
"""Jobs that wait, in all."""
KEPT_SECONDS = 900.0
"""How long a file waits to be downloaded, and an error to be read."""
FRESH_SECONDS = 120.0
"""How long a file is good although its subject has changed meanwhile."""

WAITING = BackgroundJob.Status.WAITING
GIVEN_UP = Busy("The server stopped several times while doing this. Ask the administrator to check the server log.")
BROKEN = Busy("Something went wrong on the server. Nothing was changed. Ask the administrator to check the server log.")
STOPPED = Stale("This was stopped. Nothing was changed.")


class ClaimLost(Exception):
    """The worker stood still for so long that another one has the job now, or the job was stopped."""


class JobRequest(NamedTuple):
    """A job that is asked for. Fields as those of `BackgroundJob`; content: the uploaded file."""

    kind: str
    deduplication_key: str
    player: Player | None
    club: Club | None = None
    tournament: Tournament | None = None
    season: Season | None = None
    stamp: str = ""
    name: str = ""
    content: bytes | None = None


def ask(request: JobRequest, *, now: float) -> BackgroundJob:
    """The job for this request: the one that is there for the same request, or a new one. Raises Busy."""
    try:
        with transaction.atomic():
            existing = _find_same(request, now=now)
            return existing or _create(request, now=now)
    except IntegrityError:  # somebody else has asked for it just now
        return _find_duplicate(request).get()


def _find_duplicate(request: JobRequest) -> QuerySet[BackgroundJob]:
    jobs = BackgroundJob.objects.filter(deduplication_key=request.deduplication_key)
    return jobs.exclude(status=BackgroundJob.Status.FAILED)


def _find_same(request: JobRequest, *, now: float) -> BackgroundJob | None:
    existing = _find_duplicate(request).first()
    if (
        existing is not None
        and existing.status == BackgroundJob.Status.DONE
        and not _is_fresh(existing, request, now=now)
    ):
        existing.delete()
        return None
    return existing


def _is_fresh(job: BackgroundJob, request: JobRequest, *, now: float) -> bool:
    return job.stamp == request.stamp or (job.ended_at or 0) > now - FRESH_SECONDS


def _create(request: JobRequest, *, now: float) -> BackgroundJob:
    waiting = BackgroundJob.objects.filter(status=WAITING)
    if request.club is not None and waiting.filter(club=request.club).count() >= MAX_WAITING_A_CLUB:
        raise Busy(
            "This club is already importing %(most)s archives. Wait until one of them is finished.",
            most=MAX_WAITING_A_CLUB,
        )
    if waiting.count() >= MAX_WAITING:
        raise Busy("The server is busy. Nothing was changed. Try again in a few minutes.")
    job = BackgroundJob.objects.create(
        key=make_token(), kind=request.kind, deduplication_key=request.deduplication_key, stamp=request.stamp,
        player=request.player, club=request.club, tournament=request.tournament, season=request.season,
        name=request.name[:100], key_seed=make_token(), asked_at=now,
    )  # fmt: skip
    if request.content is not None:
        BackgroundJobFile.objects.create(job=job, content=request.content)
    return job


class JobClaim:
    """A worker's claim to a job. It holds as long as `report` or `step` is called every few seconds."""

    def __init__(self, job: BackgroundJob, *, now: float) -> None:
        self.job = job
        self._began, self._now = time.monotonic(), now
        self._reported_at = self._step_at = self._began

    @property
    def now(self) -> float:
        """Seconds since 1970."""
        return self._now + time.monotonic() - self._began

    def read_file(self) -> bytes:
        """The uploaded file, or what has been made so far; empty if there is neither."""
        content = BackgroundJobFile.objects.filter(job=self.job).values_list("content", flat=True).first()
        return b"" if content is None else bytes(content)

    def keep(self, content: bytes) -> None:
        """Store what has been made so far; the worker that resumes the job begins with it. Raises ClaimLost."""
        with self.step():
            BackgroundJobFile.objects.update_or_create(job=self.job, defaults={"content": content})

    def report(self, done: int, total: int) -> None:
        """Report progress after a step that writes nothing else. Raises ClaimLost."""
        if time.monotonic() - self._reported_at >= HEARTBEAT_SECONDS or done == total:
            self._write(done=done, total=total, seen_at=self.now)
            self._reported_at = time.monotonic()
        self._pause()

    @contextmanager
    def step(self, **progress: int) -> Iterator[None]:
        """One step: what is written in this block is written only while the claim holds. Raises ClaimLost.

        progress: done, total.
        """
        with transaction.atomic():
            self._write(seen_at=self.now, **progress)
            yield
        self._pause()

    def _pause(self) -> None:
        time.sleep(min(MAX_PAUSE_SECONDS, PAUSE_SHARE * (time.monotonic() - self._step_at)))
        self._step_at = time.monotonic()

    @contextmanager
    def ending(self) -> Iterator[None]:
        """The last step: what is written in this block is written together with the job's end. Raises ClaimLost."""
        with transaction.atomic():
            self._write(status=BackgroundJob.Status.DONE, ended_at=self.now)
            yield

    def fail(self, refusal: Refusal, undo: Callable[[BackgroundJob], None]) -> None:
        """The job has failed: store why, and undo its steps. Raises ClaimLost."""
        error = msgspec.json.encode([refusal.template, refusal.values], enc_hook=_encode_value).decode()
        with transaction.atomic():
            self._write(status=BackgroundJob.Status.FAILED, ended_at=self.now, error=error)
            BackgroundJobFile.objects.filter(job=self.job).delete()
            undo(self.job)

    def release(self) -> None:
        """Let others claim the job at once."""
        self._mine().update(seen_at=None)

    def _mine(self) -> QuerySet[BackgroundJob]:
        return BackgroundJob.objects.filter(pk=self.job.pk, status=WAITING, claim=self.job.claim)

    def _write(self, **fields: Any) -> None:
        if not self._mine().update(**fields):
            raise ClaimLost(self.job.pk)


def _encode_value(value: object) -> object:
    """A refusal or a fault within a refusal is a sentence, too, and a phrase has a name: both are translated."""
    if isinstance(value, Readable):
        return [value.template, value.values]
    return [value.text, value.values] if isinstance(value, Phrase) and isinstance(value.text, str) else str(value)


class JobHandler(NamedTuple):
    """How jobs of a kind are run. undo: takes back what their steps have left, if they fail."""

    run: Callable[[JobClaim], None]
    undo: Callable[[BackgroundJob], None] = lambda _job: None


def claim(key: str, *, now: float) -> JobClaim | None:
    """Claim a job; None if it has ended, or another worker has it."""
    token = make_token()
    if not _unclaimed(now=now).filter(pk=key).update(claim=token, seen_at=now, attempts=F("attempts") + 1):
        return None
    jobs = BackgroundJob.objects.select_related("club", "tournament", "season", "player")
    return JobClaim(jobs.get(pk=key), now=now)


def _unclaimed(*, now: float) -> QuerySet[BackgroundJob]:
    return BackgroundJob.objects.filter(Q(seen_at=None) | Q(seen_at__lt=now - LOST_AFTER), status=WAITING)


def run(key: str, handlers: Mapping[str, JobHandler], *, now: float) -> None:
    """Run a job, unless another worker has it. May be called any number of times, late or never."""
    held = claim(key, now=now)
    if held is None:
        return
    try:
        _run(held, handlers[held.job.kind])
    except ClaimLost:
        logger.info("background job %s: another worker has it now", key)


def _run(held: JobClaim, handler: JobHandler) -> None:
    if held.job.attempts > MAX_ATTEMPTS:
        held.fail(GIVEN_UP, handler.undo)
        return
    try:
        handler.run(held)
    except (Busy, DatabaseError):
        logger.warning("background job %s waits for the database", held.job.pk, exc_info=True)
        held.release()
    except Refusal as refusal:
        held.fail(refusal, handler.undo)
    except ClaimLost:
        raise
    except Exception:
        logger.exception("background job %s", held.job.pk)
        held.fail(BROKEN, handler.undo)


def stop(job: BackgroundJob, handlers: Mapping[str, JobHandler], *, now: float) -> None:
    """Cancel a job; the worker that has it notices at its next step."""
    token = make_token()
    if BackgroundJob.objects.filter(pk=job.pk, status=WAITING).update(claim=token, seen_at=now):
        job.claim = token
        JobClaim(job, now=now).fail(STOPPED, handlers[job.kind].undo)


def list_due(*, now: float) -> list[str]:
    """The keys of jobs that no worker has, the oldest first."""
    return list(_unclaimed(now=now).order_by("asked_at").values_list("pk", flat=True))


def query_old(*, now: float) -> QuerySet[BackgroundJob]:
    """Old jobs with their files. Imports stay, so that the same archive is imported once."""
    over = BackgroundJob.objects.filter(ended_at__lt=now - KEPT_SECONDS)
    return over.filter(Q(status=BackgroundJob.Status.FAILED) | ~Q(kind=BackgroundJob.Kind.RESTORE))


def clear_old(*, now: float) -> None:
    """Delete old files and failures."""
    old = query_old(now=now)
    if old.exists():  # an empty DELETE would hold up other writers too
        old.delete()
