"""Clubs, their members and roles, and the links by which people join."""

from __future__ import annotations

from django.db import models

from games.models import Player


class Role(models.TextChoices):
    """What a member may do in a club: an owner everything an organiser may, an organiser everything a member may."""

    OWNER = "owner"
    ORGANISER = "organiser"
    MEMBER = "member"


class Club(models.Model):
    """A club, known by its address (`slug`). feed_token: part of the address of its calendar and feed."""

    slug = models.SlugField(unique=True, max_length=40)
    name = models.CharField(max_length=60)
    about = models.TextField(blank=True, max_length=2000)
    avatar = models.CharField(max_length=24)
    is_public = models.BooleanField(default=True)
    can_talk = models.BooleanField(default=True)
    feed_token = models.CharField(max_length=32, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A person in a club. A person who has left has none."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=12, choices=Role.choices, default=Role.MEMBER)
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["club", "player"], name="one_membership_a_person"),)
        indexes = (
            models.Index(fields=["club"], name="club_leading", condition=models.Q(role__in=["organiser", "owner"])),
        )

    def __str__(self) -> str:
        return f"{self.player}, {self.club}"


class Removal(models.Model):
    """A person was removed from a club: invitations made before do not let them in again."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="removals")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["club", "player"], name="one_removal_a_person"),)

    def __str__(self) -> str:
        return f"{self.player}, {self.club}"


class Invitation(models.Model):
    """A link (and its QR code) that makes a person who opens and accepts it a member with this role.

    uses_left: null for any number; came_in: how many people it let in; expires_at: null for never; withdrawn: it no
    longer works.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    token = models.CharField(max_length=32, unique=True)
    role = models.CharField(max_length=12, choices=Role.choices, default=Role.MEMBER)
    made_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    uses_left = models.PositiveIntegerField(null=True)
    came_in = models.PositiveIntegerField(default=0, db_default=0)
    expires_at = models.DateTimeField(null=True)
    withdrawn = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.club}: {self.role}"
