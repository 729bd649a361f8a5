"""A season: finished tournaments of a club counted together. Changed by `tournaments.flow` only."""

from __future__ import annotations

from django.db import models

from tournaments.models.clubs import Club
from tournaments.models.phases import Phase

SEASON_PHASES = (Phase.PLANNED, Phase.RUNNING, Phase.FINISHED, Phase.ARCHIVED, Phase.CALLED_OFF)


class ShownSeasons(models.Manager["Season"]):
    """The seasons that there are. What is still being read in is shown to nobody, and nothing is done about it."""

    def get_queryset(self) -> models.QuerySet[Season]:
        """Without those that are arriving."""
        return super().get_queryset().filter(arriving="")


class Season(models.Model):
    """A season of a club. Its tournaments are `counted`; its table is computed from them and never stored.

    id: no tournament has the same one, as both have their pages under the same addresses. game: empty for all games.
    version rises with every step, as a tournament's does. best_of: how many of everybody's tournaments count, null for
    all. points: what a tournament is worth, as in `tournaments.scoring.points`; points_table, tie_breaks: JSON lists.
    finished_at: seconds since 1970. arriving: the job that still reads it in.
    """

    id = models.CharField(primary_key=True, max_length=16)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="seasons")
    name = models.CharField(max_length=80)
    about = models.TextField(blank=True, max_length=2000)
    game = models.CharField(max_length=32, blank=True)
    phase = models.CharField(
        max_length=12, choices=[(choice.value, choice.label) for choice in SEASON_PHASES], default=Phase.PLANNED
    )
    version = models.PositiveIntegerField(default=0)
    best_of = models.PositiveSmallIntegerField(null=True)
    points = models.CharField(max_length=8, default="beaten")
    points_table = models.TextField(default="[5,3,2,1]")
    tie_breaks = models.TextField(default='["wins","best","head-to-head","lot"]')
    lot_seed = models.CharField(max_length=64)
    is_public = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.FloatField(null=True)
    arriving = models.CharField(max_length=24, blank=True, default="", db_default="")

    objects = ShownSeasons()
    everything: models.Manager[Season] = models.Manager()

    class Meta:
        indexes = (
            models.Index(fields=["phase", "-finished_at"], name="season_ended"),
            models.Index(fields=["club", "phase", "-finished_at", "-created_at"], name="season_phases"),
            models.Index(fields=["club", "-created_at"], name="season_made"),
            models.Index(fields=["-created_at"], name="season_made_anywhere"),
        )

    def __str__(self) -> str:
        return self.name
