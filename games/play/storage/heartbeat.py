"""The heartbeat row: when any process of the installation was last alive. `downtime` writes it."""

from __future__ import annotations

from django.db import OperationalError

from games import models
from games.memo import Memo
from games.play.errors import Busy

PULSE = 1
"""Primary key of the one row."""
BEAT_SECONDS = 2.0
"""Seconds between two writes of the row. More often costs writes, less often makes short outages invisible."""
OUTAGE_SECONDS = 6.0
"""A gap of at least so many seconds counts as an outage: three missed beats. A shorter one is a busy process."""

_beats: Memo[int, float] = Memo("heartbeat", 1)
"""Primary key of the row → the last beat that this process has read (seconds since 1970)."""


def is_interrupted(now: float) -> bool:
    """Whether the installation was down for some time, or the computer's clock was changed.

    Then no clock may run out before `downtime.compensate_downtime` has postponed all of them. Raises Busy.
    """
    if _is_near(_beats.get(PULSE) or 0.0, now):
        return False
    try:
        beat = models.Pulse.objects.filter(pk=PULSE).values_list("at", flat=True).first()
    except OperationalError as error:
        raise Busy("The database is not answering. Nothing is lost. Try again in a moment.") from error
    _beats.put(PULSE, beat or 0.0)
    return beat is not None and not _is_near(beat, now)


def _is_near(beat: float, now: float) -> bool:
    return abs(now - beat) < OUTAGE_SECONDS
