"""Where a tournament, or a season, is in its flow."""

from __future__ import annotations

from django.db import models


class Phase(models.TextChoices):
    """Where a tournament is in its flow. A season has no entry and no check-in."""

    PLANNED = "planned"
    ENTRY = "entry"
    CHECK_IN = "check-in"
    RUNNING = "running"
    FINISHED = "finished"
    ARCHIVED = "archived"
    CALLED_OFF = "called-off"
