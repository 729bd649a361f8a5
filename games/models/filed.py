"""Finished games whose plies are in a record file, and no longer in the database."""

from __future__ import annotations

from django.db import models

from games.models.tables import Table


class FiledGame(models.Model):
    """One of them. file: below GAMES_DIR; plies: how many were taken out; done: JSON, what `read_done` gives of them;
    at: when, in seconds since 1970."""

    table = models.OneToOneField(Table, on_delete=models.CASCADE, primary_key=True, related_name="filed")
    file = models.CharField(max_length=64)
    plies = models.PositiveIntegerField()
    done = models.TextField()
    at = models.FloatField()

    def __str__(self) -> str:
        return self.file
