"""Evenings: timed sessions at one or more tables."""

from __future__ import annotations

from django.db import models

from games.models import Player, Table
from tournaments.models.clubs import Club


class TimedSession(models.Model):
    """An evening. At its end each table finishes the deal under way. Times are seconds since 1970.

    has_rung: the bell has rung at all its tables; paused_at: since when they are paused. guest_token: the secret part
    of the link by which guests come, empty if there is none.
    """

    id = models.CharField(primary_key=True, max_length=16)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, null=True, related_name="timed_sessions")
    owner = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    name = models.CharField(max_length=80)
    game = models.CharField(max_length=32)
    version = models.PositiveIntegerField(default=0)
    starts_at = models.FloatField()
    ends_at = models.FloatField()
    has_rung = models.BooleanField(default=False)
    paused_at = models.FloatField(null=True)
    ended_at = models.FloatField(null=True)
    guest_token = models.CharField(max_length=32, blank=True, default="", db_default="")

    class Meta:
        indexes = (
            models.Index(fields=["has_rung", "ends_at"], name="timed_session_bell"),
            models.Index(fields=["starts_at"], name="timed_session_going", condition=models.Q(ended_at=None)),
            models.Index(fields=["club", "-starts_at"], name="timed_session_dates"),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def is_called_off(self) -> bool:
        """Whether it was ended before it began."""
        return self.has_rung and self.ends_at < self.starts_at


class SessionTable(models.Model):
    """A table of an evening. number: from 1; that of a removed table is not given again before the end."""

    timed_session = models.ForeignKey(TimedSession, on_delete=models.CASCADE, related_name="tables")
    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="session_table")
    number = models.PositiveSmallIntegerField()

    def __str__(self) -> str:
        return f"{self.timed_session} #{self.number}"


class EveningGuest(models.Model):
    """A person who came by the guests' link: they see the evening and can get a seat, and are in no club by it."""

    evening = models.ForeignKey(TimedSession, on_delete=models.CASCADE, related_name="guests")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="evenings_as_guest")
    came_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["evening", "player"], name="one_guest_an_evening"),)

    def __str__(self) -> str:
        return f"{self.player}, {self.evening}"
