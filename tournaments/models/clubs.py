"""Clubs, their members and roles, and the links by which people join."""

from __future__ import annotations

from django.db import models

from games.models import Player


class Role(models.TextChoices):
    """What a member may do in a club: an owner everything an organiser may, an organiser everything a member may."""

    OWNER = "owner"
    ORGANISER = "organiser"
    MEMBER = "member"


class Colour(models.TextChoices):
    """The colours that a club can choose for the head of its page; all are readable in light and dark."""

    FELT = "felt"
    HARBOUR = "harbour"
    PLUM = "plum"
    BRICK = "brick"
    OLIVE = "olive"
    SLATE = "slate"


class Club(models.Model):
    """A club, known by its address (`slug`). feed_token: part of the address of its calendar and feed.

    can_talk: members may write words of their own; is_chat_closed: for now only organisers may write; place: where it
    meets, in words; colour: of the head of its page.
    """

    slug = models.SlugField(unique=True, max_length=40)
    name = models.CharField(max_length=60)
    about = models.TextField(blank=True, max_length=2000)
    avatar = models.CharField(max_length=24)
    place = models.CharField(max_length=120, blank=True, default="", db_default="")
    colour = models.CharField(max_length=12, choices=Colour.choices, default=Colour.FELT, db_default=Colour.FELT)
    is_public = models.BooleanField(default=True)
    can_talk = models.BooleanField(default=True)
    is_chat_closed = models.BooleanField(default=False, db_default=False)
    feed_token = models.CharField(max_length=32, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class ClubPicture(models.Model):
    """The picture at the head of a club's page: a WebP file that this site encoded itself.

    key: part of its address, new with each picture, so that browsers may keep it; at: seconds since 1970.
    """

    club = models.OneToOneField(Club, on_delete=models.CASCADE, primary_key=True, related_name="picture")
    key = models.CharField(max_length=24)
    body = models.BinaryField(max_length=1 << 19)
    at = models.FloatField()

    def __str__(self) -> str:
        return f"{self.club}"


class Membership(models.Model):
    """A person in a club. A person who has left has none.

    alias: their name with a number, where it looks like another member's; empty where it does not; null until that is
    settled (`tournaments.flow.clubs.member_names`). silenced_until: seconds since 1970; invitation: the link by which
    they came in; device: a hash that tells the browser in which they did.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=12, choices=Role.choices, default=Role.MEMBER)
    since = models.DateTimeField(auto_now_add=True)
    alias = models.CharField(max_length=32, null=True, blank=True, editable=False)
    silenced_until = models.FloatField(null=True, blank=True, editable=False)
    invitation = models.ForeignKey("Invitation", on_delete=models.SET_NULL, null=True, editable=False, related_name="+")
    device = models.CharField(max_length=32, blank=True, default="", db_default="", editable=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["club", "player"], name="one_membership_a_person"),)
        indexes = (
            models.Index(fields=["club"], name="club_unsettled_names", condition=models.Q(alias=None)),
            models.Index(fields=["club"], name="club_leading", condition=models.Q(role__in=["organiser", "owner"])),
        )

    def __str__(self) -> str:
        return f"{self.player}, {self.club}"

    @property
    def shown_name(self) -> str:
        """What the club calls this person."""
        return self.alias or self.player.name


class Removal(models.Model):
    """A person was removed from a club: invitations made before do not let them in again.

    is_kept_out: later ones do not, either, nor anybody from the same device (`Membership.device`).
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="removals")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()
    is_kept_out = models.BooleanField(default=False, db_default=False)
    device = models.CharField(max_length=32, blank=True, default="", db_default="")

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
        return f"{self.club} {self.pk}"
