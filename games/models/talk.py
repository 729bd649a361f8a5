"""What is said at a table: append-only, like everything that happens there. Only `games.play` writes it.

Other places where people talk store it in rows of their own, with the same columns.
"""

from __future__ import annotations

from django.db import models

from games.models.people import Player
from games.models.skeletons import MAX_SEAT_NAME
from games.models.tables import Table


class Utterance(models.Model):
    """One thing that was said somewhere: a phrase of the list (its slug), or words; or that all before it was cleared.

    number: from 1, by place; at, hidden_at: seconds since 1970. hidden_at: somebody in charge has removed it; of a
    clearing: it was undone.
    """

    number = models.PositiveIntegerField()
    player = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    name = models.CharField(max_length=MAX_SEAT_NAME)
    phrase = models.CharField(max_length=24, blank=True)
    words = models.CharField(max_length=200, blank=True)
    is_clearing = models.BooleanField(default=False)
    at = models.FloatField()
    hidden_at = models.FloatField(null=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.name}: {self.phrase or self.words}"


class Remark(Utterance):
    """What was said at a table. seat: where the speaker sat then, null for somebody who watched."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="remarks")
    seat = models.PositiveSmallIntegerField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["table", "number"], name="one_remark_a_number"),)


class Complaint(models.Model):
    """Somebody found that something should not have been said. Organisers look at it in their club, staff in the admin.

    settled_at: when somebody decided about it, in seconds since 1970.
    """

    player = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.FloatField()
    settled_at = models.FloatField(null=True)

    class Meta:
        abstract = True


class Report(Complaint):
    """A complaint about a remark at a table."""

    remark = models.ForeignKey(Remark, on_delete=models.CASCADE, related_name="reports")

    class Meta:
        constraints = (models.UniqueConstraint(fields=["remark", "player"], name="one_report_a_person"),)

    def __str__(self) -> str:
        return str(self.remark)
