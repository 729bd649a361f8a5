"""Django's admin: people can be looked after; games are read-only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from games.accounts.sign_in import SignInForm
from games.models import Player, Seat, Table, User

if TYPE_CHECKING:
    _PlayerAdmin = admin.ModelAdmin[Player]
    _TableAdmin = admin.ModelAdmin[Table]
    _SeatInline = admin.TabularInline[Seat, Table]
else:
    _PlayerAdmin = _TableAdmin = admin.ModelAdmin
    _SeatInline = admin.TabularInline

admin.site.login_form = SignInForm
admin.site.register(User, UserAdmin)


@admin.register(Player)
class PlayerAdmin(_PlayerAdmin):
    """People, guests among them."""

    list_display = ("name", "avatar", "user", "created_at")
    search_fields = ("name", "user__username")
    readonly_fields = ("created_at",)


class SeatInline(_SeatInline):
    """Who sits at a table. Entropy is no secret; hands are not stored here."""

    model = Seat
    fields = ("index", "name", "player", "bot")
    readonly_fields = fields
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """People sit down at the table, not here."""
        return False


@admin.register(Table)
class TableAdmin(_TableAdmin):
    """Tables to look at. State, secret and seed are not shown: whoever runs a club also plays in it."""

    list_display = ("id", "game", "status", "host", "seat_count", "ply", "created_at")
    list_filter = ("game", "status", "is_public")
    search_fields = ("id", "host__name", "seats__name")
    fields = (
        "id",
        "game",
        "rules",
        "status",
        "is_public",
        "seat_count",
        "turn_seconds",
        "host",
        "ply",
        "version",
        "commitment",
    )
    readonly_fields = fields
    inlines = (SeatInline,)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Tables are opened in the lobby."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """What was played stays."""
        return False
