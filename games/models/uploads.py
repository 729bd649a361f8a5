"""Game records that people have uploaded."""

from __future__ import annotations

from django.db import models

from games.models.people import Player


class Upload(models.Model):
    """One record that holds, as it was sent. key: the unguessable part of its address; at: seconds since 1970.

    is_kept: it belongs to something that stays, and is not cleared away with time.
    """

    key = models.CharField(max_length=24, primary_key=True)
    player = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    text = models.TextField()
    at = models.FloatField(db_index=True)
    is_kept = models.BooleanField(default=False, db_default=False)

    def __str__(self) -> str:
        return self.key
