"""Games over days: who is awaited at which table, holidays, and what people note at their tables."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from games.models.people import Player
from games.models.tables import Table


class AwaitedTurn(models.Model):
    """A person that a game over days waits for. Derived from the table, so that nobody has to load it to know.

    due_at: when their time runs out (seconds since 1970, as all times here); notice_at: when they are told next, null
    for never; is_warned: whether they were told that it ends soon; version: of the table from which this was derived.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="awaited", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="awaited", db_index=False)
    due_at = models.FloatField()
    notice_at = models.FloatField(null=True)
    is_warned = models.BooleanField(default=False)
    version = models.PositiveIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["table", "player"], name="one_wait_a_player"),)
        indexes = (
            models.Index(fields=["player", "due_at"], name="awaited_mine"),
            models.Index(fields=["notice_at"], name="awaited_notice", condition=Q(notice_at__isnull=False)),
        )

    def __str__(self) -> str:
        return f"{self.player_id} at {self.table_id}"


class TableMark(models.Model):
    """What a player keeps at a table for themselves. note: nobody else sees it; seen_ply: what they know already."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="+", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    note = models.TextField(blank=True, default="")
    seen_ply = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["table", "player"], name="one_mark_a_player"),)

    def __str__(self) -> str:
        return f"{self.player_id} at {self.table_id}"


class Holiday(models.Model):
    """A person's days off: the clocks that wait for them in games over days stand still.

    first, last: its days, both included; since, until: the same as times, by the person's time zone.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="holidays")
    first = models.DateField()
    last = models.DateField()
    since = models.FloatField()
    until = models.FloatField()

    def __str__(self) -> str:
        return f"{self.player_id} {self.first} – {self.last}"
