"""The browsers in which each person is signed in."""

from __future__ import annotations

from django.db import models

from games.models.people import Player


class SignedInDevice(models.Model):
    """A browser session of a person, noted at most once an hour.

    session: its key; the row means nothing once that session is gone. name: what kind of browser it is. Times are
    seconds since 1970. handed_over_by: which organiser opened it with a link, and of which club; mostly empty.
    """

    session = models.CharField(max_length=40, primary_key=True)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="signed_in")
    name = models.CharField(max_length=60, blank=True)
    since = models.FloatField()
    seen_at = models.FloatField()
    handed_over_by = models.CharField(max_length=100, blank=True, default="")

    def __str__(self) -> str:
        return f"{self.player_id} {self.name}"
