"""What is said at a table: append-only, like everything that happens there. Only `games.play` writes it."""

from __future__ import annotations

from django.db import models

from games.models.people import Player
from games.models.tables import Table


class Remark(models.Model):
    """One thing that was said: a phrase of the list (its slug), or words; or that all before it was cleared.

    number: from 1, by table; seat: where the speaker sat then, null for somebody who watched; at: seconds since 1970.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="remarks")
    number = models.PositiveIntegerField()
    player = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    seat = models.PositiveSmallIntegerField(null=True)
    name = models.CharField(max_length=32)
    phrase = models.CharField(max_length=24, blank=True)
    words = models.CharField(max_length=200, blank=True)
    is_clearing = models.BooleanField(default=False)
    at = models.FloatField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["table", "number"], name="one_remark_a_number"),)

    def __str__(self) -> str:
        return f"{self.name}: {self.phrase or self.words}"


class Report(models.Model):
    """Somebody found that a remark should not have been made; staff look at it in the admin."""

    remark = models.ForeignKey(Remark, on_delete=models.CASCADE, related_name="reports")
    player = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.FloatField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["remark", "player"], name="one_report_a_person"),)

    def __str__(self) -> str:
        return str(self.remark)
