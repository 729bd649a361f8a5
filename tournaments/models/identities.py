"""What organisers do for people without an account: links to a new device, and merging two people who are one."""

from __future__ import annotations

from django.db import models

from games.models import Player
from tournaments.models.moderation import ModerationStep


class DeviceLink(models.Model):
    """A link that opens a member's profile in one more browser, once. The step says for whom and by whom.

    digest: SHA-256 of the token, which is shown once and stored nowhere. Times are seconds since 1970; undoing the step
    withdraws the link.
    """

    step = models.OneToOneField(ModerationStep, on_delete=models.CASCADE, primary_key=True, related_name="device_link")
    digest = models.CharField(max_length=64, unique=True)
    ends_at = models.FloatField()
    used_at = models.FloatField(null=True)

    def __str__(self) -> str:
        return f"{self.step}"


class PersonMerge(models.Model):
    """Two people who were one. The step says who they are now (`step.player`).

    guest: who they were besides; name: what that one was called. journal: JSON text, what the merge has changed
    (`tournaments.flow.people.merge_journal`); done_at: seconds since 1970, null while it is under way.
    """

    step = models.OneToOneField(ModerationStep, on_delete=models.CASCADE, primary_key=True, related_name="merge")
    guest = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=24)
    journal = models.TextField(default="{}")
    done_at = models.FloatField(null=True)

    def __str__(self) -> str:
        return f"{self.step}"
