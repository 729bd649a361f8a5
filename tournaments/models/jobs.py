"""Background jobs that a person has asked for, and their files."""

from __future__ import annotations

from django.db import models

from games.models import Player
from tournaments.models.clubs import Club
from tournaments.models.seasons import Season
from tournaments.models.tournaments import Tournament


class Errand(models.Model):
    """One background job, done by a worker.

    sameness: requests with the same text share one job; stamp: the state of its subject when it began. tournament or
    season: what is exported (SEASON: as one JSON document), or what an imported archive became. done, of: progress, in
    games. trouble: JSON [template, values] of the error message if it failed. lot: the seed of its keys, so that a
    step done twice has one effect. claim, seen_at: the worker that holds it, and its last sign of life; attempts: how
    often a worker began it. Times are seconds since 1970.
    """

    class Kind(models.TextChoices):
        RESTORE = "restore"
        ARCHIVE = "archive"
        SEASON = "season"
        PERSON = "person"

    class Status(models.TextChoices):
        WAITING = "waiting"
        DONE = "done"
        FAILED = "failed"

    key = models.CharField(max_length=24, primary_key=True)
    kind = models.CharField(max_length=8, choices=Kind.choices)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.WAITING)
    sameness = models.CharField(max_length=120)
    stamp = models.CharField(max_length=64, blank=True)
    player = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, null=True, related_name="errands")
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, null=True, related_name="errands")
    season = models.ForeignKey(Season, on_delete=models.CASCADE, null=True, related_name="errands")
    name = models.CharField(max_length=100, blank=True)
    done = models.PositiveIntegerField(default=0)
    of = models.PositiveIntegerField(default=0)
    trouble = models.TextField(blank=True)
    lot = models.CharField(max_length=24)
    claim = models.CharField(max_length=24, blank=True)
    seen_at = models.FloatField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    asked_at = models.FloatField()
    ended_at = models.FloatField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["sameness"], name="one_errand_a_wish", condition=~models.Q(status="failed")
            ),
        )
        indexes = (models.Index(fields=["status", "asked_at"], name="errand_line"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.key}: {self.status}"


class ErrandFile(models.Model):
    """The file that was uploaded or made, apart from the row that is read again and again."""

    errand = models.OneToOneField(Errand, on_delete=models.CASCADE, primary_key=True, related_name="file")
    content = models.BinaryField()

    def __str__(self) -> str:
        return self.errand_id
