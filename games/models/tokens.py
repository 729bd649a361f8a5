"""Access tokens of programs, and the challenges that people and bot accounts send each other."""

from __future__ import annotations

from django.db import models

from games.models.people import Player
from games.models.tables import Table


class AccessToken(models.Model):
    """A personal access token. Written by `games.accounts.access_tokens`.

    lookup: the public part, by which it is found; digest: SHA-256 of the whole token; scopes: separated by spaces.
    Times are seconds since 1970; last_used_at is written at most once a minute.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="access_tokens")
    name = models.CharField(max_length=40)
    lookup = models.CharField(max_length=16, unique=True)
    digest = models.CharField(max_length=64)
    scopes = models.CharField(max_length=100)
    created_at = models.FloatField()
    expires_at = models.FloatField()
    last_used_at = models.FloatField(null=True)

    def __str__(self) -> str:
        return f"{self.player_id} {self.name}"


class Challenge(models.Model):
    """An invitation of one player to another's table. Written by `games.play.seats.challenges`. at: since 1970."""

    class Status(models.TextChoices):
        OPEN = "open"
        ACCEPTED = "accepted"
        DECLINED = "declined"

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="challenges")
    challenger = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    challenged = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="challenges")
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.OPEN)
    at = models.FloatField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["table", "challenged"], name="one_challenge_a_table"),)
        indexes = (models.Index(fields=["challenged", "status"], name="challenge_open"),)

    def __str__(self) -> str:
        return f"{self.table_id} {self.challenger_id} {self.challenged_id}"
