"""Duplicate deals: the commitment for each round, and what its entrants have contributed."""

from __future__ import annotations

from django.db import models

from games.models import SharedDeal
from tournaments.models.tournaments import Entrant, Tournament


class RoundDeals(models.Model):
    """The commitment to the duplicate deals of a round, or of one seating of an arena. Times are seconds since 1970.

    number, seating: of the round, and of the seating in an arena from 1, else 0. attempt: from 1; another one is made
    only after the deals of the one before were published. closed_at: when contributions ended; revealed_at: when the
    secret was published.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="deals")
    number = models.PositiveIntegerField()
    seating = models.PositiveIntegerField(default=0)
    attempt = models.PositiveSmallIntegerField(default=1)
    deal = models.OneToOneField(SharedDeal, on_delete=models.PROTECT, related_name="+")
    committed_at = models.FloatField()
    closed_at = models.FloatField(null=True)
    revealed_at = models.FloatField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["tournament", "number", "seating", "attempt"], name="one_promise_of_deals"),
        )
        indexes = (
            models.Index(fields=["tournament"], name="deals_secret", condition=models.Q(revealed_at__isnull=True)),
        )

    def __str__(self) -> str:
        return f"{self.tournament} #{self.number}/{self.seating}"


class Contribution(models.Model):
    """What an entrant adds to the deals of a round that is not released yet."""

    deals = models.ForeignKey(RoundDeals, on_delete=models.CASCADE, related_name="given")
    entrant = models.ForeignKey(Entrant, on_delete=models.SET_NULL, null=True, related_name="+")
    text = models.CharField(max_length=64)
    at = models.FloatField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["deals", "entrant"], name="one_contribution_an_entrant"),)

    def __str__(self) -> str:
        return f"{self.deals}: {self.entrant}"
