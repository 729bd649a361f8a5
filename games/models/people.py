"""People: accounts, and players, who need none."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """An account that can sign in."""


class Player(models.Model):
    """A person who plays. A guest has no account, and may get one later without losing a game.

    is_listed: others may see the profile and the place on leaderboards. left_at: when the person's data were
    deleted at his wish; the row stays without a name, so that the others' history stays whole.
    """

    user = models.OneToOneField(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="player")
    name = models.CharField(max_length=24)
    avatar = models.CharField(max_length=24)
    language = models.CharField(max_length=5, blank=True)
    is_listed = models.BooleanField(default=True, db_default=True)
    left_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name
