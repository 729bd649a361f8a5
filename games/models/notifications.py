"""Notifications: the devices that get them, people's settings, and the outbox with each message to deliver once.

Only `games.notifications` writes these rows. Times are seconds since 1970.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from games.models.people import Player


class PushDevice(models.Model):
    """A browser that takes push messages for one person (Push API subscription).

    endpoint: where its push service takes them; origin: scheme, host and port of it; digest: SHA-256 of it; p256dh,
    auth: the browser's keys (RFC 8291, base64url); name: what kind of browser it is; session: the key of the browser
    session that subscribed, without which nothing is sent any more; used_at: the last message that the push service
    accepted.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="push_devices")
    endpoint = models.CharField(max_length=1000)
    origin = models.CharField(max_length=300)
    digest = models.CharField(max_length=64, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    name = models.CharField(max_length=60)
    language = models.CharField(max_length=5)
    session = models.CharField(max_length=40, db_index=True)
    made_at = models.FloatField()
    used_at = models.FloatField(null=True)

    def __str__(self) -> str:
        return f"{self.player_id} {self.name}"


class NoticeWishes(models.Model):
    """A person's notification settings: events, channels and quiet hours.

    chosen: JSON text, kind → list of channels, where they differ from the usual ones; quiet_from, quiet_until: minutes
    since midnight in `zone`, both null without quiet hours. feed_token: the secret part of their calendar's address.
    """

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="notice_wishes", primary_key=True)
    chosen = models.TextField(default="{}")
    quiet_from = models.PositiveSmallIntegerField(null=True)
    quiet_until = models.PositiveSmallIntegerField(null=True)
    zone = models.CharField(max_length=64, blank=True)
    feed_token = models.CharField(max_length=32, unique=True, null=True)

    def __str__(self) -> str:
        return f"wishes of {self.player_id}"


class Notice(models.Model):
    """One message to one person by one channel, to one of their devices or by e-mail: the outbox and its log.

    key: what it tells of; nobody is told twice of the same. tag: what a later message replaces on a screen. details:
    JSON text for its sentences, never a card. due_at: when it is tried next, null once it was delivered or given up;
    ends_at: from when it is no longer worth telling; closed_at: when it was no longer true; answer: of the last try.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=80)
    device = models.ForeignKey(PushDevice, on_delete=models.CASCADE, null=True, related_name="notices")
    tag = models.CharField(max_length=32)
    details = models.TextField()
    path = models.CharField(max_length=200)
    at = models.FloatField()
    due_at = models.FloatField(null=True)
    ends_at = models.FloatField()
    sent_at = models.FloatField(null=True)
    closed_at = models.FloatField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    answer = models.CharField(max_length=100, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["device", "key"], name="one_push_a_key"),
            models.UniqueConstraint(
                fields=["player", "key"], condition=Q(device__isnull=True), name="one_letter_a_key"
            ),
        )
        indexes = (
            models.Index(fields=["due_at"], name="notice_due", condition=Q(due_at__isnull=False)),
            models.Index(fields=["at"], name="notice_at"),
        )

    def __str__(self) -> str:
        return f"{self.player_id} {self.key}"


class Attention(models.Model):
    """A person with a device has a table's page open, as of `at`."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", db_index=False)
    table = models.CharField(max_length=16)
    at = models.FloatField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["player", "table"], name="one_attention_a_table"),)

    def __str__(self) -> str:
        return f"{self.player_id} at {self.table}"


class SentAnnouncement(models.Model):
    """An event of which people were told, so that nobody is told of it again. key: as in `Notice`."""

    key = models.CharField(max_length=80, unique=True)
    at = models.FloatField(db_index=True)

    class Meta:
        db_table = "games_announced"

    def __str__(self) -> str:
        return self.key
