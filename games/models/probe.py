"""A test row: writing it shows whether the database accepts changes."""

from __future__ import annotations

from django.db import models


class WriteProbe(models.Model):
    """One row of bytes that mean nothing (see `games.operation.health.write_check`)."""

    payload = models.BinaryField()

    def __str__(self) -> str:
        return f"{len(self.payload)} bytes"
