"""Idempotency keys of forms, and what was created with each."""

from __future__ import annotations

from django.db import models

from games.models.people import Player


class SentForm(models.Model):
    """A form that was sent, and what it made: a table, a club, an evening. Written by `games.play.moves.form_keys`.

    key: of the form, as it was filled in; at: seconds since 1970.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=64)
    name = models.CharField(max_length=64)
    at = models.FloatField(db_index=True)

    class Meta:
        db_table = "games_made"
        constraints = (models.UniqueConstraint(fields=["player", "key"], name="one_made_a_key"),)

    def __str__(self) -> str:
        return self.name
