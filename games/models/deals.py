"""Deals that several tables share: what their seeds are made of."""

from __future__ import annotations

from django.db import models


class SharedDeal(models.Model):
    """The secret of a round whose tables of one size get the same cards, and what it was mixed with.

    tournament, round, seating: as they go into the seed (`games.records.fair.derive_round_seed`); the id stays that of
    the tournament in which it was played, also where that came from an archive. contributions: JSON list by number of
    the entrant, empty as long as anybody may still contribute.
    """

    tournament = models.CharField(max_length=100)
    round = models.PositiveIntegerField()
    seating = models.PositiveIntegerField(default=0)
    secret = models.CharField(max_length=64, help_text="Published when nobody plays its deals any more.")
    commitment = models.CharField(max_length=64)
    contributions = models.TextField(default="")

    def __str__(self) -> str:
        return f"{self.tournament}/{self.round}/{self.seating}"
