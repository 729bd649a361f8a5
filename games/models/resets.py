"""Password reset links."""

from __future__ import annotations

from django.db import models

from games.models.people import User


class ResetLink(models.Model):
    """A link that sets one account's password once. The rows are its log.

    digest: SHA-256 of the token, which is shown once and stored nowhere. club: the name of the club whose organiser
    made the link. Times in seconds since 1970; open is what is neither used, withdrawn nor over.
    """

    class Kind(models.TextChoices):
        ADMINISTRATOR = "administrator"
        COMMAND = "command"
        ORGANISER = "organiser"

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="reset_links")
    kind = models.CharField(max_length=16, choices=Kind.choices)
    made_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    club = models.CharField(max_length=60, blank=True)
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.FloatField()
    ends_at = models.FloatField()
    used_at = models.FloatField(null=True)
    withdrawn_at = models.FloatField(null=True)

    def __str__(self) -> str:
        return f"{self.user} #{self.pk}"
