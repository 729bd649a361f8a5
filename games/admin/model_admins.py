"""Classes of Django's admin: people can be edited, games are read-only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from allauth.account.decorators import secure_admin_login
from allauth.mfa import admin as allauth_admin  # noqa: F401  registers what we replace below
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.contrib import admin
from django.contrib import messages as notes
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.admin import reset_actions, table_actions
from games.admin.framework_texts import show_script_texts
from games.admin.labels import show_moment
from games.admin.named_permissions import NamedPermissions
from games.admin.names import link, name_in_words
from games.admin.quick_lists import GAME_NAMES, MAX_PEOPLE, MAX_TABLES, GameFilter, OfferedList, QuickList
from games.models import Player, Report, ResetLink, Seat, Table, User
from games.play import signals
from games.presenters.names import ANIMALS, name_level
from games.views.forms import NewAccountForm, PlayerForm

if TYPE_CHECKING:
    _AccountAdmin = UserAdmin[User]
    _SeatInline = admin.TabularInline[Seat, Table]
else:
    _AccountAdmin = UserAdmin
    _SeatInline = admin.TabularInline


def change_own_password(request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
    """Staff change their password where everybody does."""
    return redirect("account_change_password")


admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.i18n_javascript = show_script_texts  # type: ignore[method-assign]
admin.site.password_change = change_own_password  # type: ignore[method-assign, assignment]
admin.site.site_header = admin.site.site_title = "Menagerie"
admin.site.unregister(Authenticator)
admin.site.unregister(Group)


@admin.register(Group)
class SharedPermissionsAdmin(NamedPermissions, GroupAdmin):
    """Groups of accounts that share permissions."""


@admin.register(User)
class AccountAdmin(NamedPermissions, OfferedList, _AccountAdmin):
    """Accounts. To close one, deactivate it: every browser is signed out. To delete one, delete its player."""

    list_display = ("username", "email", "is_active", "is_staff", "last_login")

    add_form = NewAccountForm
    add_form_template = None
    add_fieldsets = (
        (
            None,
            {
                "fields": ("username", "email"),
                "description": _(
                    "The new account has no password. Select it in the list and create a reset link: with it, the "
                    "person sets one."
                ),
            },
        ),
    )
    actions = (reset_actions.make_link,)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002
        """Refuse: staff send reset links instead of setting passwords."""
        notes.error(
            request, _("You cannot set a password here. Select the account in the list and create a reset link.")
        )
        return redirect("admin:games_user_changelist")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Deleting only the account would leave its person as a guest with the same name."""
        return False


@admin.register(ResetLink)
class ResetLinkAdmin(OfferedList):
    """Reset links: who made each, and whether it was used. No link can be read here; an open one can be withdrawn."""

    labels: ClassVar = {
        "kind": {
            ResetLink.Kind.ADMINISTRATOR: pgettext_lazy("who made a reset link", "administrator"),
            ResetLink.Kind.COMMAND: pgettext_lazy("who made a reset link", "command of the server"),
            ResetLink.Kind.ORGANISER: pgettext_lazy("who made a reset link", "organiser of a club"),
        }
    }
    list_display = ("user", "kind", "made_by", "club", "made", "ends", "used", "withdrawn")
    list_filter = ("kind",)
    search_fields = ("user__username", "user__email")
    list_select_related = ("user", "made_by")
    ordering = ("-pk",)
    fields = list_display
    readonly_fields = fields
    actions = (reset_actions.withdraw_links,)

    @admin.display(description=_("created at"), ordering="made_at")
    def made(self, link: ResetLink) -> str:
        """When it was made."""
        return show_moment(link.made_at)

    @admin.display(description=_("expires at"))
    def ends(self, link: ResetLink) -> str:
        """Until when it works."""
        return show_moment(link.ends_at)

    @admin.display(description=_("used at"))
    def used(self, link: ResetLink) -> str:
        """When a password was set with it."""
        return show_moment(link.used_at)

    @admin.display(description=_("withdrawn at"))
    def withdrawn(self, link: ResetLink) -> str:
        """When it was withdrawn."""
        return show_moment(link.withdrawn_at)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Links are made in the list of accounts."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Reset links are a log, so none is deleted."""
        return False


@admin.register(Authenticator)
class AuthenticatorAdmin(OfferedList):
    """Second factors and passkeys, without their secrets: to be removed for people who have lost their phone."""

    list_display = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type",)
    search_fields = ("user__username", "user__email")
    list_select_related = ("user",)
    fields = list_display
    readonly_fields = fields

    def has_add_permission(self, request: HttpRequest) -> bool:
        """People add them themselves."""
        return False


@admin.register(Player)
class PlayerAdmin(QuickList):
    """People, including guests; also found by the beginning of their account's name or email."""

    labels: ClassVar = {"avatar": ANIMALS}
    person = "pk"
    search_help_text = _(
        "Enter the start of a word in the name, the username or the email address. At most 5,000 rows are shown."
    )
    list_display = ("name", "avatar", "user", "is_listed", "created_at", "left_at")
    list_filter = ("is_listed", ("user", admin.EmptyFieldListFilter), ("left_at", admin.EmptyFieldListFilter))
    list_select_related = ("user",)
    form = PlayerForm
    ordering = ("-pk",)
    fields = ("name", "avatar", "user", "language", "is_listed", "created_at", "left_at")
    readonly_fields = ("user", "created_at", "left_at")
    actions = (table_actions.forget,)

    def save_model(self, request: HttpRequest, obj: Player, form: Any, change: bool) -> None:
        """Update leaderboards when privacy is changed here, too."""
        super().save_model(request, obj, form, change)
        signals.person_changed.send_robust(sender=Player, player_id=obj.pk)

    def has_change_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """People who have left stay anonymous."""
        return super().has_change_permission(request, obj) and (obj is None or obj.left_at is None)

    def find_people(self, term: str) -> list[int]:
        """People by their names and by their accounts."""
        accounts = Q(user__username__istartswith=term) | Q(user__email__istartswith=term)
        return [*super().find_people(term), *Player.objects.filter(accounts).values_list("pk", flat=True)[:MAX_PEOPLE]]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """People are created by visiting the site, not here."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """People are made anonymous instead; their games stay whole for the others."""
        return False


class SeatInline(_SeatInline):
    """Who sits at a table. Entropy is no secret; hands are not stored here."""

    model = Seat
    fields = ("index", "name", "player", "level")
    readonly_fields = fields
    extra = 0
    can_delete = False

    @admin.display(description=_("bot"))
    def level(self, seat: Seat) -> str:
        """How the bot plays; a dash for a person."""
        return name_level(seat.bot) if seat.bot else "–"

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """People sit down on the table's page, not here."""
        return False


@admin.register(Table)
class TableAdmin(QuickList):
    """Tables, read-only. State, secret and seed are not shown: administrators play, too."""

    labels: ClassVar = {
        "game": GAME_NAMES,
        "status": {
            Table.Status.WAITING: pgettext_lazy("status of a table", "waiting"),
            Table.Status.PLAYING: pgettext_lazy("status of a table", "under way"),
            Table.Status.OVER: pgettext_lazy("status of a table", "over"),
        },
    }
    list_display = ("id", "game", "status", "host", "seat_count", "ply", "is_rated", "opened", "void_reason", "page")
    list_filter = ("status", GameFilter, ("voided_at", admin.EmptyFieldListFilter))
    whole = "pk"
    list_select_related = ("host",)
    ordering = ("-created_at",)
    actions = (table_actions.pause, table_actions.resume, table_actions.void)
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
        "is_rated",
        "voided",
        "void_reason",
        "page",
    )
    readonly_fields = fields
    inlines = (SeatInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        """Rows without the long columns, which are not shown."""
        return super().get_queryset(request).defer("options", "state", "desk", "result")

    def of_people(self, ids: list[int]) -> Q:
        """The tables where they sit; listed first, since PostgreSQL would look for them among all, the latest first."""
        return Q(pk__in=list(Seat.objects.filter(player__in=ids).values_list("table", flat=True)[:MAX_TABLES]))

    @admin.display(description=_("opened"), ordering="created_at")
    def opened(self, table: Table) -> str:
        """When it was opened."""
        return show_moment(table.created_at)

    @admin.display(description=_("voided"))
    def voided(self, table: Table) -> str:
        """When it was voided."""
        return show_moment(table.voided_at)

    @admin.display(description=_("page"))
    def page(self, table: Table) -> str:
        """The link to its page, for viewers with permission."""
        return link(reverse("table", args=[table.pk]))

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Tables are opened in the lobby."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Played games are never deleted."""
        return False


@admin.register(Report)
class ReportAdmin(OfferedList):
    """Reported remarks. To act on one, clear the chat of its table, or edit the person."""

    list_display = ("remark", "table", "speaker", "player", "said_at")
    search_fields = ("remark__name", "remark__words", "remark__table__id")
    list_select_related = ("remark", "remark__player", "player")
    fields = ("remark", "table", "speaker", "player", "said_at")
    readonly_fields = fields

    @admin.display(description=_("table"))
    def table(self, report: Report) -> str:
        """The address of the table where it was said."""
        return link(reverse("table", args=[report.remark.table_id]))

    @admin.display(description=_("speaker"))
    def speaker(self, report: Report) -> str:
        """Who said it."""
        return str(report.remark.player or report.remark.name)

    @admin.display(description=_("recorded at"))
    def said_at(self, report: Report) -> str:
        """When it was said."""
        return show_moment(report.remark.at)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Remarks are reported at the table."""
        return False


for label in ("games", "mfa"):
    name_in_words(apps.get_app_config(label).get_models())
