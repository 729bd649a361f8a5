"""Clubs, their people and their evenings."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.admin.labels import show_moment
from games.admin.names import link
from games.admin.quick_lists import GAME_NAMES, OfferedList, QuickList
from tournaments.admin.base import ReadOnly
from tournaments.flow.clubs import membership
from tournaments.models import Club, Invitation, Membership, Role, TimedSession
from tournaments.words.terms import ROLES


@admin.register(Membership)
class MembershipAdmin(QuickList):
    """Who is in which club. Staff may put roles right, for example where the only owner has lost access."""

    labels: ClassVar = {"role": ROLES}
    list_display = ("player", "club", "role", "since")
    list_filter = ("role",)
    whole = "club__slug"
    search_help_text = _(
        "Enter the start of a word in a name, or the full short name of a club. At most 5,000 rows are shown."
    )
    list_select_related = ("player", "club")
    autocomplete_fields = ("club", "player")
    fields = ("club", "player", "role", "since")
    ordering = ("-pk",)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Of an existing membership only the role can be changed."""
        return ("since",) if obj is None else ("club", "player", "since")

    def save_model(self, request: HttpRequest, obj: Membership, form: Any, change: bool) -> None:
        """Save; a new membership also updates the club's leaderboards."""
        if change:
            super().save_model(request, obj, form, change)
        else:
            obj.pk = membership.take_in(obj.club_id, obj.player_id, Role(obj.role)).pk

    def delete_model(self, request: HttpRequest, obj: Membership) -> None:
        """Delete, and update the club's leaderboards."""
        membership.take_out(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Membership]) -> None:
        """Delete each, and update the leaderboards of their clubs."""
        for member in queryset:
            membership.take_out(member)


@admin.register(Club)
class ClubAdmin(OfferedList):
    """Clubs: staff may correct name, description and settings, and roles in the list of members."""

    list_display = ("name", "slug", "is_public", "can_talk", "created_at")
    list_filter = ("is_public", "can_talk")
    search_fields = ("name__istartswith", "slug__istartswith")
    ordering = ("name",)
    fields = ("name", "slug", "about", "is_public", "can_talk", "created_at", "members")
    readonly_fields = ("slug", "created_at", "members")
    show_full_result_count = False

    @admin.display(description=_("Members"))
    def members(self, club: Club) -> str:
        """A link to the list of members, as there may be very many."""
        url = f"{reverse('admin:tournaments_membership_changelist')}?q={club.slug}"
        return link(url, str(Membership.objects.filter(club=club).count()))

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Clubs are founded by their members."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Clubs are kept, with what they have played."""
        return False


@admin.register(Invitation)
class InvitationAdmin(OfferedList):
    """Invitations, without their links; one that has leaked can be withdrawn."""

    labels: ClassVar = {"role": ROLES}
    list_display = ("club", "role", "made_by", "came_in", "uses_left", "expires_at", "withdrawn", "created_at")
    list_filter = ("role", "withdrawn")
    search_fields = ("club__name__istartswith",)
    list_select_related = ("club", "made_by")
    fields = ("club", "role", "made_by", "came_in", "uses_left", "expires_at", "withdrawn", "created_at")
    readonly_fields = ("club", "role", "made_by", "came_in", "uses_left", "expires_at", "created_at")
    ordering = ("-pk",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Organisers invite."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Who came in by which link is part of the club's history."""
        return False


@admin.register(TimedSession)
class TimedSessionAdmin(ReadOnly):
    """Evenings."""

    labels: ClassVar = {"game": GAME_NAMES}
    list_display = ("name", "club", "game", "owner", "begins", "has_rung", "page")
    list_filter = ("game", "has_rung")
    search_fields = ("name__istartswith", "pk", "club__name__istartswith")
    list_select_related = ("club", "owner")
    ordering = ("-starts_at",)
    exclude = ("guest_token",)

    @admin.display(description=_("starts"))
    def begins(self, evening: TimedSession) -> str:
        """When it begins."""
        return show_moment(evening.starts_at)

    @admin.display(description=_("page"))
    def page(self, evening: TimedSession) -> str:
        """Its page."""
        return link(reverse("tournaments:evening", args=[evening.pk]))
