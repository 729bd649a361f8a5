"""How programs reach a club: API keys, and webhooks with their deliveries."""

from __future__ import annotations

from django.db import models

from games.models import Player
from tournaments.models.clubs import Club


class ApiKey(models.Model):
    """A key that acts with the rights of its maker in this club. digest: SHA-256 of the key, which is shown once."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="api_keys")
    made_by = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=40)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = "API key"

    def __str__(self) -> str:
        return f"{self.club}: {self.name}"


class Webhook(models.Model):
    """An address that is told about released rounds, results and finished tournaments.

    secret: signs what is sent; old_secret: signs it as well until old_until (seconds since 1970), so that the receiving
    program can be given the new one meanwhile. events: what it hears of, separated by spaces; empty: what all hear of
    until their owner chooses.
    failing_since: the first attempt that failed since the last one that arrived; turned_off_at: when it was turned off
    because it had failed for too long. Both are seconds since 1970.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="webhooks")
    url = models.URLField(max_length=300)
    secret = models.CharField(max_length=64)
    old_secret = models.CharField(max_length=64, blank=True, default="", db_default="")
    old_until = models.FloatField(default=0, db_default=0)
    events = models.CharField(max_length=200, blank=True, default="", db_default="")
    failing_since = models.FloatField(null=True)
    turned_off_at = models.FloatField(null=True)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.url


class Delivery(models.Model):
    """One message for one webhook. due_at: when it is tried next; null once it was delivered or given up."""

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=24)
    key = models.CharField(max_length=40)
    body = models.TextField()
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.FloatField(null=True)
    answer = models.CharField(max_length=100, blank=True)
    at = models.FloatField()

    class Meta:
        verbose_name_plural = "deliveries"
        constraints = (models.UniqueConstraint(fields=["webhook", "key"], name="one_delivery_a_step"),)
        indexes = (
            models.Index(
                fields=["webhook", "due_at"], name="delivery_due_at", condition=models.Q(due_at__isnull=False)
            ),
            models.Index(fields=["at"], name="delivery_over", condition=models.Q(due_at=None)),
        )

    def __str__(self) -> str:
        return f"{self.event} → {self.webhook}"
