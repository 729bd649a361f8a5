"""The pulse of the installation: one row that says when it was last there. `downtime` writes it."""

from __future__ import annotations

from django.db import OperationalError

from games import models
from games.memo import Memo
from games.play.errors import Busy

PULSE = 1
"""Primary key of the one row."""
BEAT_SECONDS = 2.0
"""How often the pulse is written."""
FORGIVEN_FROM = 6.0
"""A gap shorter than this is no interruption, only a slow moment."""

_beats: Memo[int, float] = Memo("heartbeat", 1)
"""Primary key of the row → the last beat that this process has read (seconds since 1970)."""


def is_interrupted(now: float) -> bool:
    """Whether nobody was there for some time, or the computer's clock was set to another time.

    Then no time runs out: what was lost is given back first (`downtime.forgive`). Raises Busy.
    """
    if _is_near(_beats.get(PULSE) or 0.0, now):
        return False
    try:
        beat = models.Pulse.objects.filter(pk=PULSE).values_list("at", flat=True).first()
    except OperationalError as error:
        raise Busy("The club's database is not answering. Nothing is lost; try again in a moment.") from error
    _beats.put(PULSE, beat or 0.0)
    return beat is not None and not _is_near(beat, now)


def _is_near(beat: float, now: float) -> bool:
    return abs(now - beat) < FORGIVEN_FROM
