"""The moderation log of clubs. Each step can be undone."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from django.db import models

from games.models import Player, Remark
from tournaments.models.clubs import Club
from tournaments.models.talk import ClubRemark


class ModerationStep(models.Model):
    """Something that an organiser has done in a club. Times are seconds since 1970.

    actor: null for the site's administrator, or somebody who has left; player: the person it is about; remark,
    table_remark: the message that was removed, or the row that cleared the chat; until: how long somebody is silenced;
    role: what a removed member was, or one whose role was changed; details: JSON text, of a role, of settings and of a
    template (`tournaments.flow.clubs.club_changes`), and of a picture (`tournaments.flow.clubs.club_picture`).
    """

    class Kind(models.TextChoices):
        """What was done."""

        HIDE = "hide"
        CLEAR = "clear"
        SILENCE = "silence"
        REMOVE = "remove"
        KEEP_OUT = "keep-out"
        CLOSE = "close"
        SETTLE = "settle"
        HAND_OVER = "hand-over"
        MERGE = "merge"
        ROLE = "role"
        SETTINGS = "settings"
        PICTURE = "picture"
        TEMPLATE = "template"

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="moderation_steps")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    actor = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    remark = models.ForeignKey(ClubRemark, on_delete=models.SET_NULL, null=True, related_name="+")
    table_remark = models.ForeignKey(Remark, on_delete=models.SET_NULL, null=True, related_name="+")
    until = models.FloatField(null=True)
    role = models.CharField(max_length=12, blank=True)
    details = models.TextField(blank=True, default="", db_default="")
    at = models.FloatField()
    undone_at = models.FloatField(null=True)
    undone_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")

    numbered_names: Mapping[int, str] = MappingProxyType({})
    """The names with numbers by which the club tells its members apart, by player (`flow.clubs.moderation`)."""

    class Meta:
        indexes = (models.Index(fields=["club", "-id"], name="moderation_log"),)

    def __str__(self) -> str:
        return f"{self.club}: {self.kind}"

    def name_person(self, player: Player) -> str:
        """What the club calls somebody this step is about."""
        return self.numbered_names.get(player.pk, player.name)


class FormerPicture(models.Model):
    """The picture that a club had before a step changed or removed it, kept for a time so that this can be undone.

    key, body, at: as of a `ClubPicture`; kept_since: seconds since 1970.
    """

    step = models.OneToOneField(ModerationStep, on_delete=models.CASCADE, primary_key=True, related_name="former")
    key = models.CharField(max_length=24)
    body = models.BinaryField(max_length=1 << 19)
    at = models.FloatField()
    kept_since = models.FloatField()

    def __str__(self) -> str:
        return f"{self.step}"
