"""Duties for one night: the door and the results, given by a link to people who are no organisers."""

from __future__ import annotations

from django.db import models

from games.models import Player
from tournaments.models.tournaments import Tournament


class Duty(models.TextChoices):
    """What somebody may do for a tournament. Door: check people in, add walk-ins. Scorer: enter and confirm results."""

    DOOR = "door"
    SCORER = "scorer"


class NightDuty(models.Model):
    """A link to a duty in one tournament, and the one person who took it. Withdrawing the link deletes the row.

    name: the organiser's note for which person it is; player: null until somebody has opened the link and accepted.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="duties")
    duty = models.CharField(max_length=8, choices=Duty.choices)
    token = models.CharField(max_length=32, unique=True)
    name = models.CharField(max_length=40, blank=True)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, related_name="night_duties")
    made_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "night duties"
        constraints = (
            models.UniqueConstraint(fields=["tournament", "duty", "player"], name="one_night_duty_a_person"),
        )

    def __str__(self) -> str:
        return f"{self.tournament}: {self.name or self.pk}"
