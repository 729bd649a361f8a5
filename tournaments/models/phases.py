"""The phases of tournaments and seasons."""

from __future__ import annotations

from django.db import models


class Phase(models.TextChoices):
    """The phase of a tournament or season. A season has no entry and no check-in."""

    PLANNED = "planned"
    ENTRY = "entry"
    CHECK_IN = "check-in"
    RUNNING = "running"
    FINISHED = "finished"
    ARCHIVED = "archived"
    CALLED_OFF = "called-off"
