"""Long work that somebody has asked for: done by a worker, step by step, once, whichever process is killed meanwhile.

It is a row. Who does it has claimed it and gives a sign of life with every step; after `LOST_AFTER` seconds without
one another worker claims it, and what the first one still writes is refused. Every step may be done twice; the last one
writes what comes of it and that it is done, both or neither.
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
from tournaments.models import Club, Errand, ErrandFile, Season, Tournament

logger = logging.getLogger(__name__)

LOST_AFTER = 30.0
"""After so many seconds without a sign of life others may do it."""
TELL_SECONDS = 0.5
"""How often the worker on it gives one."""
BREATH = 0.25
"""For how much of its own time each step leaves the processor to games under way."""
MOST_BREATH = 0.1
"""Seconds."""
MOST_ATTEMPTS = 5
"""Then it is given up: it takes its workers with it."""
MOST_OF_ONE = 3
"""Archives that wait to be read in, for one club."""
MOST_WAITING = 30
"""Errands that wait, in all."""
KEPT_SECONDS = 900.0
"""How long a file that was made waits to be fetched, and a failure to be read."""
FRESH_SECONDS = 120.0
"""For so long a file is good although what it is about has gone on meanwhile."""

Waiting = Errand.Status.WAITING
GIVEN_UP = Busy("The server stopped several times while doing this. Ask the administrator to check the server log.")
BROKEN = Busy("Something went wrong on the server. Nothing was changed. Ask the administrator to check the server log.")
STOPPED = Stale("This was stopped. Nothing was changed.")


class Overtaken(Exception):
    """The worker on it stood still for so long that others do it now, or it was stopped."""


class JobRequest(NamedTuple):
    """What is asked for. Fields as those of `Errand`; content: the file that is sent."""

    kind: str
    sameness: str
    player: Player | None
    club: Club | None = None
    tournament: Tournament | None = None
    season: Season | None = None
    stamp: str = ""
    name: str = ""
    content: bytes | None = None


def ask(wish: JobRequest, *, now: float) -> Errand:
    """The errand that does this; asked twice it is one. Raises Busy."""
    try:
        with transaction.atomic():
            known = _find_same(wish, now=now)
            return known or _create(wish, now=now)
    except IntegrityError:  # somebody else has asked for it just now
        return _same(wish).get()


def _same(wish: JobRequest) -> QuerySet[Errand]:
    return Errand.objects.filter(sameness=wish.sameness).exclude(status=Errand.Status.FAILED)


def _find_same(wish: JobRequest, *, now: float) -> Errand | None:
    known = _same(wish).first()
    if known is not None and known.status == Errand.Status.DONE and not _is_good(known, wish, now=now):
        known.delete()
        return None
    return known


def _is_good(known: Errand, wish: JobRequest, *, now: float) -> bool:
    return known.stamp == wish.stamp or (known.ended_at or 0) > now - FRESH_SECONDS


def _create(wish: JobRequest, *, now: float) -> Errand:
    waiting = Errand.objects.filter(status=Waiting)
    if wish.club is not None and waiting.filter(club=wish.club).count() >= MOST_OF_ONE:
        raise Busy(
            "This club is already importing %(most)s archives. Wait until one of them is finished.", most=MOST_OF_ONE
        )
    if waiting.count() >= MOST_WAITING:
        raise Busy("The server is busy. Nothing was changed. Try again in a few minutes.")
    errand = Errand.objects.create(
        key=make_token(), kind=wish.kind, sameness=wish.sameness, stamp=wish.stamp, player=wish.player,
        club=wish.club, tournament=wish.tournament, season=wish.season, name=wish.name[:100], lot=make_token(),
        asked_at=now,
    )  # fmt: skip
    if wish.content is not None:
        ErrandFile.objects.create(errand=errand, content=wish.content)
    return errand


class JobClaim:
    """The right to do an errand. It holds as long as `tell` is called every few seconds."""

    def __init__(self, errand: Errand, *, now: float) -> None:
        self.errand = errand
        self._began, self._now = time.monotonic(), now
        self._told_at = self._step_at = self._began

    @property
    def now(self) -> float:
        """Seconds since 1970."""
        return self._now + time.monotonic() - self._began

    def read_file(self) -> bytes:
        """What was sent, or made so far; nothing yet is nothing."""
        content = ErrandFile.objects.filter(errand=self.errand).values_list("content", flat=True).first()
        return b"" if content is None else bytes(content)

    def keep(self, content: bytes) -> None:
        """What is made so far: the worker that goes on after an interruption begins with it. Raises Overtaken."""
        with self.step():
            ErrandFile.objects.update_or_create(errand=self.errand, defaults={"content": content})

    def tell(self, done: int, of: int) -> None:
        """A step is done that leaves nothing behind: so many of so many. Raises Overtaken."""
        if time.monotonic() - self._told_at >= TELL_SECONDS or done == of:
            self._write(done=done, of=of, seen_at=self.now)
            self._told_at = time.monotonic()
        self._breathe()

    @contextmanager
    def step(self, **progress: int) -> Iterator[None]:
        """What is written in this block is one step: it is written only while the claim holds. Raises Overtaken.

        progress: done, of.
        """
        with transaction.atomic():
            self._write(seen_at=self.now, **progress)
            yield
        self._breathe()

    def _breathe(self) -> None:
        time.sleep(min(MOST_BREATH, BREATH * (time.monotonic() - self._step_at)))
        self._step_at = time.monotonic()

    @contextmanager
    def ending(self) -> Iterator[None]:
        """What is written in this block is written together with the end of the errand. Raises Overtaken."""
        with transaction.atomic():
            self._write(status=Errand.Status.DONE, ended_at=self.now)
            yield

    def fail(self, refusal: Refusal, undo: Callable[[Errand], None]) -> None:
        """It cannot be done: say why, and take its steps back. Raises Overtaken."""
        trouble = msgspec.json.encode([refusal.template, refusal.values], enc_hook=_spell).decode()
        with transaction.atomic():
            self._write(status=Errand.Status.FAILED, ended_at=self.now, trouble=trouble)
            ErrandFile.objects.filter(errand=self.errand).delete()
            undo(self.errand)

    def release(self) -> None:
        """Others may go on with it at once."""
        self._mine().update(seen_at=None)

    def _mine(self) -> QuerySet[Errand]:
        return Errand.objects.filter(pk=self.errand.pk, status=Waiting, claim=self.errand.claim)

    def _write(self, **fields: Any) -> None:
        if not self._mine().update(**fields):
            raise Overtaken(self.errand.pk)


def _spell(value: object) -> object:
    """A refusal or a fault within a refusal is a sentence, too, and a phrase has a name: both are translated."""
    if isinstance(value, Readable):
        return [value.template, value.values]
    return [value.text, value.values] if isinstance(value, Phrase) and isinstance(value.text, str) else str(value)


class JobHandler(NamedTuple):
    """How errands of a kind are done. undo: takes back what its steps have left, if it fails."""

    do: Callable[[JobClaim], None]
    undo: Callable[[Errand], None] = lambda _errand: None


def claim(key: str, *, now: float) -> JobClaim | None:
    """Begin an errand; None if it is over, or somebody is at it."""
    name = make_token()
    if not _free(now=now).filter(pk=key).update(claim=name, seen_at=now, attempts=F("attempts") + 1):
        return None
    return JobClaim(Errand.objects.select_related("club", "tournament", "season", "player").get(pk=key), now=now)


def _free(*, now: float) -> QuerySet[Errand]:
    return Errand.objects.filter(Q(seen_at=None) | Q(seen_at__lt=now - LOST_AFTER), status=Waiting)


def run(key: str, works: Mapping[str, JobHandler], *, now: float) -> None:
    """Do an errand, if nobody else does. Any number of times, late or never."""
    held = claim(key, now=now)
    if held is None:
        return
    try:
        _do(held, works[held.errand.kind])
    except Overtaken:
        logger.info("errand %s: others go on with it", key)


def _do(held: JobClaim, work: JobHandler) -> None:
    if held.errand.attempts > MOST_ATTEMPTS:
        held.fail(GIVEN_UP, work.undo)
        return
    try:
        work.do(held)
    except (Busy, DatabaseError):
        logger.warning("errand %s waits for the database", held.errand.pk, exc_info=True)
        held.release()
    except Refusal as refusal:
        held.fail(refusal, work.undo)
    except Overtaken:
        raise
    except Exception:
        logger.exception("errand %s", held.errand.pk)
        held.fail(BROKEN, work.undo)


def stop(errand: Errand, works: Mapping[str, JobHandler], *, now: float) -> None:
    """Give it up; the worker on it notices with its next step."""
    name = make_token()
    if Errand.objects.filter(pk=errand.pk, status=Waiting).update(claim=name, seen_at=now):
        errand.claim = name
        JobClaim(errand, now=now).fail(STOPPED, works[errand.kind].undo)


def list_due(*, now: float) -> list[str]:
    """What nobody is at, the oldest first."""
    return list(_free(now=now).order_by("asked_at").values_list("pk", flat=True))


def clear_old(*, now: float) -> None:
    """Files that nobody fetched in time go, and failures; what was read in stays known, so that it comes in once."""
    over = Errand.objects.filter(ended_at__lt=now - KEPT_SECONDS)
    old = over.filter(Q(status=Errand.Status.FAILED) | ~Q(kind=Errand.Kind.RESTORE))
    if old.exists():  # to delete nothing, too, others would have to wait
        old.delete()
