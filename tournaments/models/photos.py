"""Photos of paper results, kept for a time."""

from __future__ import annotations

from django.db import models

from games.models import Player
from tournaments.models.rounds import Pod


class ResultPhoto(models.Model):
    """A photo of what was written down at a real table: a WebP file that this site encoded itself.

    key: its address; at: seconds since 1970; removed_at: when it was removed, null while it is shown. A removed photo
    is kept for a day, so that it can be put back.
    """

    pod = models.ForeignKey(Pod, on_delete=models.CASCADE, related_name="photos")
    key = models.CharField(max_length=24, unique=True)
    body = models.BinaryField(max_length=1 << 18)
    added_by = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    at = models.FloatField()
    removed_at = models.FloatField(null=True)

    class Meta:
        indexes = (
            models.Index(fields=["at"], name="photo_in_time"),
            models.Index(fields=["removed_at"], name="removed_photos", condition=~models.Q(removed_at=None)),
        )

    def __str__(self) -> str:
        return f"{self.pod}"
