"""Background jobs that a person has asked for, and their files."""

from __future__ import annotations

from django.db import models

from games.models import Player
from tournaments.models.clubs import Club
from tournaments.models.seasons import Season
from tournaments.models.tournaments import Tournament


class BackgroundJob(models.Model):
    """One background job, done by a worker.

    deduplication_key: requests with the same one share one job; stamp: the state of its subject when it began.
    tournament or season: what is exported (SEASON: as one JSON document), or what an imported archive became. done,
    total: progress, in games. error: JSON [template, values] of the message if it failed. key_seed: what the keys of
    its records are derived from, so that a step done twice has one effect. claim: the token of the worker that holds
    it; seen_at: that worker's last heartbeat; attempts: how often a worker began it. Times are seconds since 1970.

    The table and some columns have older names.
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
    deduplication_key = models.CharField(max_length=120, db_column="sameness")
    stamp = models.CharField(max_length=64, blank=True)
    player = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, null=True, related_name="background_jobs")
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, null=True, related_name="background_jobs")
    season = models.ForeignKey(Season, on_delete=models.CASCADE, null=True, related_name="background_jobs")
    name = models.CharField(max_length=100, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0, db_column="of")
    error = models.TextField(blank=True, db_column="trouble")
    key_seed = models.CharField(max_length=24, db_column="lot")
    claim = models.CharField(max_length=24, blank=True)
    seen_at = models.FloatField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    asked_at = models.FloatField()
    ended_at = models.FloatField(null=True)

    class Meta:
        db_table = "tournaments_errand"
        constraints = (
            models.UniqueConstraint(
                fields=["deduplication_key"], name="one_job_a_request", condition=~models.Q(status="failed")
            ),
        )
        indexes = (models.Index(fields=["status", "asked_at"], name="job_queue"),)

    def __str__(self) -> str:
        return f"{self.key}"


class BackgroundJobFile(models.Model):
    """The file that was uploaded or made, apart from the row that is read again and again."""

    job = models.OneToOneField(
        BackgroundJob, on_delete=models.CASCADE, primary_key=True, related_name="file", db_column="errand_id"
    )
    content = models.BinaryField()

    class Meta:
        db_table = "tournaments_errandfile"

    def __str__(self) -> str:
        return self.job_id
