"""Analyses of finished games: a row is a background job first, and holds its result later."""

from __future__ import annotations

from django.db import models

from games.models.people import Player
from games.models.tables import Table


class GameAnalysis(models.Model):
    """The analysis of one record.

    digest: of the record, so that equal games share one; version: of the analysis, see `games.analysis.report`; source,
    key: "table" or "upload", and its id or key, where the job reads the record; text: the result as JSON. done, total:
    progress, in plies; error: the sentence if it failed. claim: the token of the worker that holds it; seen_at: that
    worker's last sign of life. Times are seconds since 1970.
    """

    class Status(models.TextChoices):
        WAITING = "waiting"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    digest = models.CharField(max_length=64, primary_key=True)
    version = models.PositiveSmallIntegerField()
    source = models.CharField(max_length=8)
    key = models.CharField(max_length=32)
    status = models.CharField(max_length=9, choices=Status.choices, default=Status.WAITING)
    text = models.TextField(blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)
    claim = models.CharField(max_length=24, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    asked_at = models.FloatField()
    seen_at = models.FloatField(null=True)
    ended_at = models.FloatField(null=True)

    class Meta:
        indexes = (models.Index(fields=["status", "asked_at"], name="analysis_queue"),)

    def __str__(self) -> str:
        return f"{self.digest[:12]}: {self.status}"


class PersonAnalysis(models.Model):
    """What an analysis of a table says of one person. average_loss, luck: shares of the others, see `games.analysis`.

    at: when the game ended, seconds since 1970.
    """

    # No index of its own: the constraint has one that begins with the player.
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", db_index=False)
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="+")
    game = models.CharField(max_length=32)
    decisions = models.PositiveIntegerField()
    average_loss = models.FloatField()
    luck = models.FloatField(null=True)
    at = models.FloatField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["player", "table"], name="one_analysis_a_game"),)

    def __str__(self) -> str:
        return f"{self.player_id} {self.game} {self.average_loss:.3f}"
