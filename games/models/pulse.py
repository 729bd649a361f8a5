"""The heartbeat row: when this installation last ran."""

from __future__ import annotations

from django.db import models


class Pulse(models.Model):
    """One row: the last moment (seconds since 1970) at which somebody looked after the clocks."""

    at = models.FloatField()

    def __str__(self) -> str:
        return f"alive at {self.at:.0f}"
